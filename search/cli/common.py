"""What the commands share: finding the base, errors as exit codes, progress, JSON."""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rulings.errors import DataError, QueryError, RulingsError, UsageError
from rulings.text import printable

if TYPE_CHECKING:
    from indexer.build import Build

MARKER = "kb.yaml"
"""As `rulings.store` has it; importing that loads YAML, which a search never needs. A test holds them equal."""


def is_base(folder: Path) -> bool:
    """Whether the folder is a base."""
    return (folder / MARKER).is_file()


class LazyGroup(click.Group):
    """A group whose commands live in `<package>.<module>` as `command` and are imported when they are called."""

    def __init__(
        self, *args: Any, commands_by_name: Mapping[str, tuple[str, str]], package: str, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self._modules = commands_by_name
        self._package = package

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self._modules)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self._modules:
            return None
        module = importlib.import_module(f"{self._package}.{self._modules[cmd_name][0]}")
        command: click.Command = module.command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            import difflib

            near = difflib.get_close_matches(args[0], self._modules, n=1, cutoff=0.5)
            hint = f"did you mean: rulings {near[0]}?" if near else "see: rulings --help"
            raise click.UsageError(f"{printable(args[0])!r} is no command; {hint}", ctx) from error

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, about) for name, (_, about) in self._modules.items()])


class Context:
    """The base of one command line. Opened when first asked for."""

    def __init__(self, kb: str | None) -> None:
        self._kb = kb

    def folder(self, *, reading: bool) -> Path:
        """The folder of the base. A reading command without a base gets the shipped sample, and says so on stderr."""
        if self._kb:
            folder = Path(self._kb)
            if not is_base(folder):
                raise UsageError(f"{folder} is no base: it has no {MARKER}", "make one with: rulings init FOLDER")
            return folder
        here = Path.cwd()
        for folder in (here, *here.parents):
            if is_base(folder):
                return folder
        if not reading:
            raise UsageError(
                "there is no base here", "make one with: rulings init FOLDER, then name it: rulings --kb FOLDER ..."
            )
        from indexer.sample import sample_base

        click.echo("No base here: using the shipped sample of three cards. (--kb FOLDER names another.)", err=True)
        return sample_base()


def open_base(ctx: click.Context) -> Path:
    """The folder of the base for a command that only reads."""
    found: Context = ctx.find_object(Context) or Context(None)
    return found.folder(reading=True)


def base_to_change(ctx: click.Context) -> Path:
    """The folder of the base for a command that writes; never the shipped sample."""
    found: Context = ctx.find_object(Context) or Context(None)
    return found.folder(reading=False)


def echo_json(value: object) -> None:
    """`value` as JSON on stdout; ASCII only, so that no terminal obeys what stands in a ruling."""
    click.echo(json.dumps(value, ensure_ascii=not _utf8_out(), indent=2, sort_keys=False))


def _utf8_out() -> bool:
    return not sys.stdout.isatty() and (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"


@contextlib.contextmanager
def progress(label: str = "") -> Iterator[Any]:
    """Shows steps on stderr: one line that is written over on a terminal, nothing elsewhere."""
    terminal = sys.stderr.isatty()
    last_time, last_step = 0.0, ""

    def tell(step: str, done: int = 0, total: int = 0) -> None:
        nonlocal last_time, last_step
        now = time.monotonic()
        if not terminal or (now - last_time < 0.1 and step == last_step):
            return
        last_time, last_step = now, step
        share = f" {done * 100 // total} %" if total else ""
        sys.stderr.write(f"\r\x1b[K{label}{printable(step)[:70]}{share}")
        sys.stderr.flush()

    try:
        yield tell
    finally:
        if last_step:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def built(base: Path, tell: Any = None, *, force: bool = False) -> Build:
    """The build of the base as it is now. Says on stderr if not everything in the base could be read, or
    nothing is in it."""
    from indexer import build

    made = build.ensure(base, tell, force=force)
    if faults := made.faults:
        click.echo(f"rulings: {printable(faults)}\n  rulings check lists them", err=True)
    if not made.rulings:
        click.echo("rulings: the base holds no rulings yet\n  rulings fetch scryfall, or rulings import FILE", err=True)
    return made


def plural(n: int, one: str, many: str | None = None) -> str:
    """`1 ruling`, `1,234 rulings`."""
    return f"{n:,} {one if n == 1 else many or one + 's'}"


def show_error(error: RulingsError) -> None:
    """An error as people read it: what is wrong, where, what to do next."""
    message = printable(error.message)
    if isinstance(error, QueryError):
        query = printable(error.query)
        message = f"{message}\n  {query}\n  {' ' * min(error.column, len(query))}^"
    click.echo(f"rulings: {message}", err=True)
    if isinstance(error, DataError):
        for problem in error.problems[:20]:
            click.echo(f"  {printable(str(problem))}", err=True)
        if len(error.problems) > 20:
            click.echo(f"  and {len(error.problems) - 20} more", err=True)
    if error.hint:
        click.echo(f"  {printable(error.hint)}", err=True)


def run_safely(command: click.Command) -> int:
    """Run the command line; returns the exit code."""
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by the caller: `rulings status >&-`
            setattr(sys, name, Path(os.devnull).open("r" if name == "stdin" else "w", encoding="utf-8"))  # noqa: SIM115
    try:
        result = command.main(standalone_mode=False, prog_name="rulings")
        return result if isinstance(result, int) else 0
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.Abort:
        click.echo("rulings: stopped", err=True)
        return 1
    except click.ClickException as error:
        error.show()
        return 2
    except RulingsError as error:
        show_error(error)
        return error.exit_code
    except BrokenPipeError:  # `rulings search ... | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        click.echo("rulings: stopped; the base is as it was", err=True)
        return 130
    except UnicodeEncodeError as error:
        if not any("\ud800" <= char <= "\udfff" for char in str(error.object)):
            raise
        click.echo("rulings: an argument holds bytes that are no UTF-8 text; write it in UTF-8", err=True)
        return 2
    except MemoryError:
        click.echo("rulings: not enough memory; the base is as it was", err=True)
        return 1
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        click.echo(f"rulings: {printable(str(place))}{error.strerror or error}", err=True)
        return 1
    except Exception as error:
        if type(error).__module__.partition(".")[0] in ("sqlite3", "whoosh"):  # neither is loaded just to ask
            click.echo(f"rulings: the index in the cache is damaged, or the disk is full: {error}", err=True)
            click.echo("  the base is as it was; make room if need be, then run: rulings build --force", err=True)
            return 1
        if os.environ.get("RULINGS_DEBUG"):
            raise
        click.echo(f"rulings: a fault of the program: {type(error).__name__}: {printable(str(error))[:300]}", err=True)
        click.echo("  the base is as it was; with RULINGS_DEBUG=1 it says where, for a report", err=True)
        return 1
