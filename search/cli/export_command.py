"""`rulings export`: the data for other tools, or all of a base in one archive."""

from __future__ import annotations

from pathlib import Path

import click

from rulings.codec import is_date
from rulings.errors import UsageError
from rulings.text import printable
from search.cli.common import built, open_base, plural, progress

EPILOG = """\b
Examples:
  rulings export rulings.jsonl
  rulings export occurrences.csv --what occurrences
  rulings export base.tar.gz --all
  rulings export new.jsonl --since 2024-01-01
"""


@click.command(epilog=EPILOG)
@click.argument("out", type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--all", "everything", is_flag=True, help="One archive (.tar.gz) of all files: it rebuilds base and site."
)
@click.option(
    "--what",
    type=click.Choice(["rulings", "occurrences", "cards"]),
    default="rulings",
    show_default=True,
    help="One line a ruling, an occurrence (a ruling on a card), or a card.",
)
@click.option("--since", metavar="DATE", help="Only what is dated on or after DATE.")
@click.pass_context
def command(ctx: click.Context, out: Path, everything: bool, what: str, since: str | None) -> None:
    """Write the base to OUT: .jsonl or .csv (also with .gz), or everything as one .tar.gz."""
    from search import exporting

    if since is not None and not is_date(since):
        raise UsageError(f"{since!r} is no date", "write it as 2024-01-01")
    base = open_base(ctx)
    if everything:
        n = exporting.archive(base, out)
        click.echo(f"Wrote {plural(n, 'file')} to {printable(str(out))}. Unpack it and use it: rulings --kb FOLDER ...")
        return
    names = out.name.removesuffix(".gz")
    if not names.endswith((".jsonl", ".csv")):
        raise UsageError(f"{out.name} is neither .jsonl nor .csv", "choose one; --all writes a .tar.gz")

    with progress() as tell:
        snapshot = built(base, tell).snapshot()
    n = exporting.table(snapshot, out, what, csv=names.endswith(".csv"), since=since)
    click.echo(f"Wrote {plural(n, 'line')} to {printable(str(out))}.")
