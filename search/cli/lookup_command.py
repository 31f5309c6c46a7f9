"""`rulings lookup`: is what a text quotes and cites still right? Also `rulings check --document`."""

from __future__ import annotations

import codecs
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulings.codec import is_date
from rulings.errors import RulingsError, UsageError
from search.cli.common import built, echo_json, open_base, progress

if TYPE_CHECKING:
    from search.lookup import Finding

_LARGEST = 16 << 20
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
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


def _text(file: Path) -> str:
    """What the file (`-`: standard input) says. Raises RulingsError for what is no text, or has no end."""
    if str(file) == "-":
        if sys.stdin.isatty():
            end = "Ctrl-Z and Enter" if os.name == "nt" else "Ctrl-D"
            click.echo(f"Type or paste the text to check; {end} on a line of its own ends it.", err=True)
        data = sys.stdin.buffer.read(_LARGEST + 1)
    else:
        with file.open("rb") as stream:
            data = stream.read(_LARGEST + 1)
    if len(data) > _LARGEST:
        raise RulingsError(f"{file}: more than {_LARGEST >> 20} MB, too large for a text", "check it in parts")
    utf16 = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    head = data[:4096]
    if not utf16 and sum(byte < 32 and byte not in b"\t\n\r\f\x1b" for byte in head) * 20 > len(head):
        raise RulingsError(f"{file}: is binary, not text", "save it as text in UTF-8")
    # A page of Windows or of another time is still a page; what cannot be read is shown as such.
    text = data.decode("utf-16" if utf16 else "utf-8-sig", "replace")
    return _CONTROL.sub("\ufffd", text)  # one for one: places stay, and no terminal obeys the report


def _checked(base: Path, file: Path, cited_on: str | None) -> tuple[str, tuple[Finding, ...], str]:
    """The text of the file, its findings, and the name to report it by."""
    from search.lookup import open_lookup
    from search.showing_rules import has_rules

    if cited_on is not None and not is_date(cited_on):
        raise UsageError(f"{cited_on!r} is no date", "write it as 2019, 2019-05 or 2019-05-03")
    text = _text(file)
    with progress() as tell:
        lookup = open_lookup(base, built(base, tell), tell)
    if not has_rules(base):
        click.echo("No Comprehensive Rules in this base: rule numbers were not checked.", err=True)
    try:
        return text, lookup.check(text, cited_on=cited_on), "" if str(file) == "-" else file.name
    finally:
        lookup.close()
