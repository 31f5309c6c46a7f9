"""`rulings lookup`: is what a text quotes and cites still right? Also `rulings check --document`."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulings.errors import UsageError
from search.cli.common import built, echo_json, open_base, progress

if TYPE_CHECKING:
    from search.lookup import Finding

EPILOG = """\b
Examples:
  rulings lookup answer.txt
  rulings lookup - --cited-on 2019-05-03
  rulings lookup faq.md --format html > checked.html
  rulings lookup faq.md --json
"""


@click.command(epilog=EPILOG)
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False, allow_dash=True), default="-", required=False)
@click.option(
    "--format", "form", type=click.Choice(("text", "html", "markdown")), default="text", show_default=True,
    help="How to write the report.",
)  # fmt: skip
@click.option("--cited-on", metavar="DATE", help="When the text was written: 2019, 2019-05 or 2019-05-03.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def command(ctx: click.Context, file: Path, form: str, cited_on: str | None, as_json: bool) -> int:
    """Check the quotations of rulings, rule numbers, ids and card names in a text (a file, or standard input).

    Every quotation gets one verdict: exact, an older wording, altered, on another card, outdated, or not found.
    """
    from search.lookup import render

    text, found, name = _checked(open_base(ctx), file, cited_on)
    if as_json:
        echo_json(render.as_json(text, found))
    else:
        click.echo(render.render(text, found, form, name=name))
    return 0


def check_document(base: Path, document: Path, *, as_json: bool = False) -> int:
    """Print what in a document is not exact and current; 1 if anything is not, else 0."""
    from search.lookup import render

    text, found, name = _checked(base, document, None)
    faults = [f for f in found if not f.fine]
    if as_json:
        echo_json({**render.as_json(text, faults), "fine": len(found) - len(faults)})
    elif faults:
        click.echo(render.as_text(text, faults, name=name, cards=True))
    else:
        click.echo(f"{len(found)} references checked: all exact and current.")
    return 1 if faults else 0


def _checked(base: Path, file: Path, cited_on: str | None) -> tuple[str, tuple[Finding, ...], str]:
    """The text of the file, its findings, and the name to report it by."""
    from search.lookup import open_lookup
    from search.showing_rules import has_rules

    if cited_on is not None and not re.fullmatch(r"\d{4}(-\d{2}(-\d{2})?)?", cited_on):
        raise UsageError(f"{cited_on!r} is no date", "write it as 2019, 2019-05 or 2019-05-03")
    data = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
    # A page of Windows or of another time is still a page; what cannot be read is shown as such.
    text = data.decode("utf-8-sig", "replace")
    with progress() as tell:
        lookup = open_lookup(base, built(base, tell), tell)
    if not has_rules(base):
        click.echo("No Comprehensive Rules in this base: rule numbers were not checked.", err=True)
    try:
        return text, lookup.check(text, cited_on=cited_on), "" if str(file) == "-" else file.name
    finally:
        lookup.close()
