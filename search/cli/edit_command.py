"""`rulings edit`: your editor, at the line of a ruling."""

from __future__ import annotations

import os
import shlex
import subprocess

import click

from rulings.errors import RulingsError, UsageError
from rulings.text import printable
from search.cli.common import base_to_change, built, progress


@click.command(
    epilog='\b\nExamples:\n  rulings edit r-0pcdnc32\n  rulings edit "Deadlock Trap"\n  rulings edit r-0pcdnc32 --where'
)
@click.argument("what", nargs=-1, required=True, metavar="ID|CARD")
@click.option("--where", is_flag=True, help="Only print file and line.")
@click.pass_context
def command(ctx: click.Context, what: tuple[str, ...], where: bool) -> int:
    """Open the ruling ID, or the first ruling of CARD, in your editor (VISUAL or EDITOR), at its line.

    What you save is checked. Correct topics with `retag: {add: [...], drop: [...]}`: that outlives every import.
    """
    from rulings import store
    from search.finding import NotFound, card_by_name, looks_like_id, ruling_by_id

    base = base_to_change(ctx)
    with progress() as tell:
        snapshot = built(base, tell).snapshot()
    asked = " ".join(what)
    if looks_like_id(asked):
        ruling_id = ruling_by_id(snapshot, asked).ruling.id
    else:
        card = card_by_name(snapshot, asked)
        page = snapshot.page(card)
        if not page:
            raise NotFound(f"{card.name} has no rulings")
        ruling_id = page[0]
    place = snapshot.place(ruling_id)
    if place is None:
        raise RulingsError(f"{ruling_id} stands in no file", "rulings check")
    file, line = base / place[0], place[1]
    if where:
        click.echo(f"{printable(str(file))}:{line}")
        return 0
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or ("notepad" if os.name == "nt" else "vi")
    parts = shlex.split(editor)
    if not parts:
        raise UsageError("no editor is set", "set EDITOR, as: export EDITOR=nano")
    at = ["-g", f"{file}:{line}"] if "code" in os.path.basename(parts[0]) else [f"+{line}", str(file)]  # noqa: PTH119
    try:
        subprocess.run([*parts, *at], check=False)
    except OSError as error:
        raise UsageError(f"{parts[0]} could not be started: {error.strerror}", "set EDITOR to your editor") from None
    problems = store.load(base).problems
    for problem in problems:
        click.echo(printable(str(problem)), err=True)
    return 1 if problems else 0
