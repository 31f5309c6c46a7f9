"""`rulings cite`: a ruling, quoted so that others can check it."""

from __future__ import annotations

from dataclasses import asdict

import click

from rulings.citation_styles import STYLES
from search.cli.common import built, echo_json, open_base, progress

EPILOG = """\b
Examples:
  rulings cite r-0pcdnc32
  rulings cite r-0pcdnc32 --card "Deadlock Trap" --style discord
  rulings cite "Confiscation Coup" 3 --style markdown
  rulings cite "Confiscation Coup" --style discord --max-chars 1900
  rulings cite "[Confiscation Coup 2016-09-20 0pc]" --style short
  rulings cite r-0pcdnc32 --as-of 2018-11-01
"""


@click.command(epilog=EPILOG)
@click.argument("what", nargs=-1, required=True, metavar="ID|CARD [N]")
@click.option("--style", type=click.Choice(STYLES), default="plain", show_default=True, help="How to write it.")
@click.option("--card", metavar="CARD", help="The card to cite a shared ruling on.")
@click.option("--as-of", metavar="DATE", help="The wording that was in force on that day, as 2019-05-03.")
@click.option("--max-chars", type=int, metavar="N", help="Cut into parts of at most N characters, between rulings.")
@click.option(
    "--base-url", metavar="URL", default="", envvar="RULINGS_BASE_URL", help="Where the site is, for full links."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def command(
    ctx: click.Context,
    what: tuple[str, ...],
    style: str,
    card: str | None,
    as_of: str | None,
    max_chars: int | None,
    base_url: str,
    as_json: bool,
) -> int:
    """Quote a ruling with card, source, date, id, link and the rules that bear on it.

    Takes an id, a short citation, or a card; of a card all its rulings, or the N-th of its page.
    """
    from search.citing import citations, cite_text

    base = open_base(ctx)
    with progress() as tell:
        snapshot = built(base, tell).snapshot()
    asked, number = " ".join(what), None
    if len(what) > 1 and what[-1].isdigit() and not snapshot.find_cards(asked):
        asked, number = " ".join(what[:-1]), int(what[-1])
    if as_json:
        found = citations(snapshot, asked, number=number, card=card, as_of=as_of, base_url=base_url)
        echo_json([{**asdict(c), "where": c.where} for c in found])
    else:
        text = cite_text(
            snapshot, asked, number=number, card=card, style=style, as_of=as_of, base_url=base_url, max_chars=max_chars
        )
        click.echo(text)
    return 0
