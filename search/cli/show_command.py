"""`rulings show`: a ruling, a card, a rule or a glossary entry."""

from __future__ import annotations

import click

from search.cli.common import built, echo_json, open_base, progress

EPILOG = """\b
Examples:
  rulings show r-0pcdnc32
  rulings show r-0pcdnc32 --why "Deadlock Trap"
  rulings show "Confiscation Coup"
  rulings show 702.15b --as-of 2019-05-03
  rulings show deathtouch
"""


@click.command(epilog=EPILOG)
@click.argument("what", nargs=-1, required=True, metavar="ID|CARD|RULE|TERM")
@click.option("--history", is_flag=True, help="Show the wordings through time, with the words that changed.")
@click.option("--why", metavar="CARD", help="Say why the text on that card belongs to this ruling.")
@click.option("--why-topics", is_flag=True, help="Say which words gave each topic.")
@click.option("--trace", is_flag=True, help="Tell the life of a rule through the versions of the rules.")
@click.option("--as-of", metavar="DATE", help="The text that was in force on that day, as 2019-05-03.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def command(
    ctx: click.Context,
    what: tuple[str, ...],
    history: bool,
    why: str | None,
    why_topics: bool,
    trace: bool,
    as_of: str | None,
    as_json: bool,
) -> int:
    """Show a ruling, a card with its rulings, a rule of the Comprehensive Rules, or a glossary entry."""
    from search import showing

    base = open_base(ctx)
    with progress() as tell:
        made = built(base, tell)
    asked = " ".join(what)
    view = showing.find(base, made.snapshot(), asked, as_of=as_of, trace=trace)
    _check_options(asked, view, {"--history": history, "--why": why is not None, "--why-topics": why_topics}, trace)
    if as_json:
        echo_json(view.to_json())
    else:
        options = showing.Options(history=history, why=why, why_topics=why_topics)
        click.echo("\n".join(view.lines(options)))
    return view.exit_code


def _check_options(asked: str, view: object, of_rulings: dict[str, bool], trace: bool) -> None:
    """Refuses an option that means nothing for what was found, instead of leaving it out in silence."""
    from rulings.errors import UsageError
    from search.showing import RulingView
    from search.showing_rules import RuleView

    for name in (name for name, given in of_rulings.items() if given and not isinstance(view, RulingView)):
        raise UsageError(f"{name} is about one ruling, and {asked!r} is none", "for what it takes: rulings show --help")
    if trace and not isinstance(view, RuleView):
        raise UsageError(f"--trace is about a rule, and {asked!r} is none", "for what it takes: rulings show --help")
