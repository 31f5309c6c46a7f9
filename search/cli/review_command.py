"""`rulings review`: a person decides doubtful pairs, one by one."""

from __future__ import annotations

import datetime
import getpass
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace

import click
from click.core import ParameterSource

from rulings.errors import UsageError
from rulings.model import Decision, Knowledge, Review, Ruling
from rulings.names import CardIndex
from rulings.text import fold1, printable
from rulings.worddiff import word_diff
from search.cli.common import base_to_change, echo_json, plural, progress, show_error

EPILOG = """\b
Examples:
  rulings review
  rulings review --list
  rulings review --undo
  rulings review --decide merge "first wording" "second wording" --reason "reissued in 2024"
  rulings review --decide supersede "old wording" "new wording"
  rulings review --decide split r-0pcdnc32 --card "Deadlock Trap"
"""

KEYS = {
    "m": "one ruling: the two wordings are merged, with all their cards",
    "a": "two rulings: they are kept apart, and not asked about again",
    "s": "the second replaces the first, which is marked as superseded",
    "r": "the first replaces the second, which is marked as superseded",
    "n": "not now: this pair waits for another time (Enter does the same)",
    "u": "take your last answer back",
    "q": "stop, and write down what you answered (Ctrl-C stops without)",
}
PROPOSED = {
    "same": "They look like one ruling.",
    "reworded": "They look like one ruling in other words.",
    "broader": "One looks as if it says all of the other, and more.",
    "different": "They look like two rulings.",
}
"""What the comparison of the words alone makes of a pair; it decides nothing."""
MARKED = "[-so-] stands in the first alone, {+so+} in the second alone."
KINDS = ("merge", "apart", "split", "supersede", "withdraw")


@click.command(epilog=EPILOG)
@click.option("--list", "listing", is_flag=True, help="Only list the pairs that wait.")
@click.option("--limit", type=click.IntRange(1), default=20, show_default=True, help="How many to list.")
@click.option("--undo", is_flag=True, help="Take the last decision back; a split as a whole.")
@click.option(
    "--decide", type=click.Choice(KINDS), help="Decide without questions; give the wordings (or ids) as TEXT."
)
@click.option("--card", help="With --decide split: the card whose text is a ruling of its own.")
@click.option("--reason", default="", help="Why; kept with the decision.")
@click.option("--json", "as_json", is_flag=True, help="With --list: print JSON.")
@click.argument("text", nargs=-1)
@click.pass_context
def command(
    ctx: click.Context,
    listing: bool,
    limit: int,
    undo: bool,
    decide: str | None,
    card: str | None,
    reason: str,
    as_json: bool,
    text: tuple[str, ...],
) -> None:
    """Decide pairs of wordings that are too like each other to be plainly two rulings, and not like enough to be
    plainly one. You are shown one pair after the other; a key says what they are:

    \b
      m  one ruling        s  the second replaces the first    n  not now    u  back
      a  two rulings       r  the first replaces the second    q  stop

    Until you decide, a pair stays two rulings. A decision is kept for ever in decisions.yaml, by wording, and holds
    through every import.
    """
    from indexer import deciding
    from rulings import store

    _refuse_idle(ctx)
    base = base_to_change(ctx)
    if undo:
        with progress() as tell:
            report = deciding.record(base, undo=1, progress=tell)
        click.echo(f"The last decision is taken back. {plural(report.rulings, 'ruling')}.")
        return
    knowledge = store.load(base).knowledge
    if decide:
        said = ""
        if decide == "split" and card and len(text) == 1:
            made, said = _split(knowledge, text[0], card, reason), ""
        else:
            made = [_given(knowledge, decide, text, reason)]
            said = _as_it_is(knowledge, made[0])
        with progress() as tell:
            report = deciding.record(base, made, progress=tell)
        click.echo(f"Kept: {decide}.{said} {plural(report.rulings, 'ruling')}.")
        return
    pairs = deciding.waiting(knowledge)
    where = {r.id: _where(r) for r in knowledge.rulings} if pairs else {}
    if listing:
        if as_json:
            names = ("a", "b", "a_id", "b_id", "proposed", "reason")
            echo_json([{name: getattr(p, name) for name in names} for p in pairs])
            return
        click.echo(f"{plural(len(pairs), 'pair')} waiting. {MARKED if pairs else ''}".rstrip())
        for n, pair in enumerate(pairs[:limit], 1):
            _show(pair, n, len(pairs), where)
        return
    decisions = _walk(knowledge, pairs, reason, where)
    while decisions:
        try:
            with progress() as tell:
                report = deciding.record(base, decisions, progress=tell)
        except deciding.Refused as refused:  # the other answers are not lost with it
            show_error(refused)
            decisions.remove(refused.decision)
        else:
            click.echo(f"Kept {plural(len(decisions), 'decision')}. {plural(report.rulings, 'ruling')}.")
            break
    else:
        click.echo("Nothing decided." if pairs else "No pair is waiting.")


def _refuse_idle(ctx: click.Context) -> None:
    """Refuse what means nothing beside the rest: who gave it would believe that it did something."""
    given = {name for name in ctx.params if ctx.get_parameter_source(name) is not ParameterSource.DEFAULT}
    of = {name for name in ("listing", "undo", "decide") if ctx.params[name]}
    if len(of) > 1:
        raise UsageError("--list, --undo and --decide are three ways, not one", "give one of them")
    way = min(of, default="")
    if "text" in given and ctx.params["text"] and way != "decide":
        raise UsageError("texts are for --decide", "see: rulings review --help")
    if "card" in given and ctx.params["decide"] != "split":
        raise UsageError("--card is for --decide split", "other decisions hold for every card of the wording")
    if "reason" in given and way in ("listing", "undo"):
        raise UsageError("--reason is for a decision", "see: rulings review --help")
    for name, option in (("as_json", "--json"), ("limit", "--limit")):
        if name in given and way != "listing":
            raise UsageError(f"{option} is for --list", "add --list")


def _ruling(knowledge: Knowledge, given: str) -> Ruling | None:
    """The ruling with the id `given`, None where that is a wording. Raises UsageError where no ruling has the id."""
    from rulings.ids import parse_id
    from rulings.snapshot import meant_by, mints_of

    ruling_id = parse_id(given) if given.lower().startswith("r-") else None
    if ruling_id is None:
        return None
    found = [r for r in knowledge.rulings if ruling_id in mints_of(r)]
    if not found:
        raise UsageError(f"no ruling has the id {given}", "see: rulings review --list")
    return meant_by(ruling_id, found)[0]


def _wording(knowledge: Knowledge, given: str) -> tuple[str, str]:
    """A wording as given, or that of an id: the one that the id was minted from, where the ruling has it. And the
    card that is meant, where that text was split by card.

    Raises UsageError where no ruling holds it.
    """
    from indexer import deciding
    from rulings.ids import mint, parse_id
    from rulings.snapshot import wordings_of

    r = _ruling(knowledge, given)
    if r is None:
        if not deciding.holders(knowledge, given):
            raise UsageError(f'no ruling here has the wording "{_short(given)}"', "see: rulings search WORDS")
        return given, ""
    ruling_id = parse_id(given)
    stands = [
        (text, o.card, deciding.card_of(knowledge, text, o.card)) for o in r.occurrences if (text := r.verbatim(o))
    ]
    of_card = [(text, own) for text, card, own in stands if card and mint(text, card=card) == ruling_id]
    of_text = [(text, own) for text, _, own in stands if mint(text) == ruling_id]
    mended = [(text, "") for text in sorted(wordings_of(r)) if mint(text) == ruling_id]
    first = [(text, own) for text, _, own in stands]
    return next(iter([*of_card, *sorted(of_text, key=lambda found: found[1]), *mended, *first]), (r.text, ""))


def _short(text: str) -> str:
    return printable(text if len(text) <= 60 else text[:59] + "…")


def _as_it_is(knowledge: Knowledge, decision: Decision) -> str:
    """What to say of a decision in the light of the rulings as they are: how far it reaches, or that it is so."""
    from indexer import deciding

    if decision.kind == "withdraw":
        held = deciding.meant(knowledge, decision.a, decision.card)
        cards = {name for r in held for name in r.cards if name}
        wordings = {r.verbatim(o) for r in held for o in r.occurrences}
        also = f", in {plural(len(wordings), 'wording')}" if len(wordings) > 1 else ""
        return f" The ruling is withdrawn on {plural(len(cards), 'card')}{also}."
    if decision.kind not in ("merge", "apart"):
        return ""
    sides = ((decision.a, decision.card), (decision.b, decision.b_card))
    one, other = (
        {
            r.id
            for r in (
                deciding.meant(knowledge, *side) if sides[0] != sides[1] else deciding.holders(knowledge, side[0])
            )
        }
        for side in sides
    )
    if decision.kind == "merge" and len(one | other) == 1:
        return " They were one ruling already."
    return " They were apart already." if decision.kind == "apart" and one.isdisjoint(other) else ""


def _split(knowledge: Knowledge, given: str, card: str, reason: str) -> list[Decision]:
    """The decisions that make the text of one card in a ruling (named by id, or by one of its wordings) a ruling of
    its own: a split by card where others have the very wording too, and apart from every other wording of theirs.

    Raises UsageError where the card does not stand there, or alone.
    """
    from indexer import deciding
    from indexer.normalise import settled

    names = {c.name for c in CardIndex(knowledge.cards).find(card)} or {card}
    one = _ruling(knowledge, given)
    _wording(knowledge, given)
    standing = False
    made: dict[tuple[str, str, str], Decision] = {}
    for r in deciding.holders(knowledge, given) if one is None else [one]:
        own = [o for o in r.occurrences if o.card in names and (one or settled(r.verbatim(o)) == settled(given))]
        theirs = {fold1(text): text for text in sorted(r.verbatim(o) for o in r.occurrences if o.card not in names)}
        standing = standing or bool(own)
        for occurrence in own:
            wording = r.verbatim(occurrence)
            for folded, text in theirs.items():
                if folded == fold1(wording):
                    decision = _decision("split", wording, "", reason, occurrence.card)
                else:
                    decision = _decision("apart", wording, text, reason, occurrence.card)
                made[fold1(wording), folded, occurrence.card] = decision
    if not standing:
        raise UsageError(f"that text does not stand on {printable(card)}", f"see: rulings show {card!r}")
    if not made:
        raise UsageError(f"{printable(card)} shares no such ruling with other cards", f"see: rulings show {card!r}")
    # The split first: the card's own text must be there alone before it is kept apart.
    first, *others = sorted(made.values(), key=lambda d: d.kind != "split")
    return [first, *(replace(d, with_previous=True) for d in others)]


def _given(knowledge: Knowledge, kind: str, given: Sequence[str], reason: str) -> Decision:
    from indexer import deciding

    wanted = 1 if kind in ("split", "withdraw") else 2
    if len(given) != wanted:
        raise UsageError(f"{kind} takes {plural(wanted, 'wording')}, {len(given)} given", "quote each wording")
    if kind == "split":
        raise UsageError("split needs the card", "add --card NAME")
    (a, card), *second = [_wording(knowledge, one) for one in given]
    if not second:
        return _decision(kind, a, "", reason, card)
    ((b, b_card),) = second
    # What was split by card is two rulings of one wording, which a merge brings together again.
    same = fold1(a) == fold1(b) and card == b_card
    if same and (kind != "merge" or len(deciding.holders(knowledge, a)) == 1):
        raise UsageError("both are one and the same wording", "give two wordings; to take a card's text out: split")
    return _decision(kind, a, b, reason, card, b_card)


def _decision(kind: str, a: str, b: str, reason: str, card: str = "", b_card: str = "") -> Decision:
    today = datetime.datetime.now(tz=datetime.UTC).date().isoformat()
    try:
        actor = getpass.getuser()
    except (OSError, KeyError):
        actor = ""
    return Decision(kind, a, b, card, today, actor, reason, b_card=b_card)


def _walk(knowledge: Knowledge, pairs: tuple[Review, ...], reason: str, where: Mapping[str, str]) -> list[Decision]:
    made: list[Decision] = []
    n = 0
    if pairs:
        click.echo(_legend(len(pairs)))
    while n < len(pairs) or (made and _goes_back()):
        if n == len(pairs):
            n = _place(pairs, made.pop())
        pair = pairs[n]
        _show(pair, n + 1, len(pairs), where)
        keys = [key for key in KEYS if key != "u" or made]
        answer = click.prompt(f"Are they one ruling? [{'/'.join(keys)}, ? for help]", default="n", show_default=False)
        answer = answer.strip().lower()[:1]
        if answer == "q":
            break
        if answer == "u" and made:
            n = _place(pairs, made.pop())
            continue
        if answer not in keys:
            click.echo(_legend(len(pairs)))
            continue
        cards = (_card(knowledge, pair.a_id, pair.a), _card(knowledge, pair.b_id, pair.b))
        if kind := {"m": "merge", "a": "apart", "s": "supersede"}.get(answer):
            made.append(_decision(kind, pair.a, pair.b, reason, *cards))
        elif answer == "r":
            made.append(_decision("supersede", pair.b, pair.a, reason, *cards[::-1]))
        n += 1
    return made


def _goes_back() -> bool:
    """Whether a person takes the last answer back after the last pair, before all are written down."""
    click.echo("\nThat was the last pair. Enter writes your answers down, u takes the last one back: ", nl=False)
    return sys.stdin.readline().strip().lower()[:1] == "u"  # no prompt of click: keys from a file end here


def _place(pairs: Sequence[Review], decision: Decision) -> int:
    return next(n for n, pair in enumerate(pairs) if {pair.a, pair.b} == {decision.a, decision.b})


def _card(knowledge: Knowledge, ruling_id: str, text: str) -> str:
    """The card that a text in a ruling is meant on, where it was split by card and no more of it stands there."""
    from indexer import deciding

    held = [r for r in knowledge.rulings if r.id == ruling_id]
    cards = {card for r in held for card in deciding.cards_of(knowledge, r, text)}
    return cards.pop() if len(cards) == 1 else ""


def _legend(count: int) -> str:
    """What a person is asked, and what each key does."""
    keys = "\n".join(f"  {key}  {what}" for key, what in KEYS.items())
    return (
        f"{plural(count, 'pair')} of wordings that may be one ruling. They are two until you say otherwise.\n\n{keys}"
        f"\n\n{MARKED}"
    )


def _where(ruling: Ruling) -> str:
    """Cards and dates of a ruling, short."""
    cards = [printable(name) for name in ruling.cards if name]
    more = f" and {len(cards) - 3} more" if len(cards) > 3 else ""
    dates = dict.fromkeys((ruling.first_date or "undated", ruling.date or "undated"))
    return f"{'; '.join(cards[:3]) or 'no card'}{more}, {' to '.join(dates)}"


def _show(pair: Review, n: int, total: int, where: Mapping[str, str]) -> None:
    click.echo(f"\nPair {n} of {total}")
    for place, ruling_id in (("first ", pair.a_id), ("second", pair.b_id)):
        click.echo(f"  {place}  {ruling_id}  {where.get(ruling_id, 'not in the base any more')}")
    styles = {"same": {}, "removed": {"fg": "red", "strikethrough": True}, "added": {"fg": "green", "underline": True}}
    marks = {"same": ("", ""), "removed": ("[-", "-]"), "added": ("{+", "+}")}
    shown = "".join(
        click.style(marks[kind][0] + printable(text) + marks[kind][1], **styles[kind])  # type: ignore[arg-type]
        for kind, text in word_diff(pair.a, pair.b)
    )
    click.echo(f"\n  {shown}\n")
    click.echo(f"  {PROPOSED.get(pair.proposed, '')} What was found: {_found(pair.reason)}")


def _found(reason: str) -> str:
    """The difference, as the comparison wrote it down, in words for people."""
    for technical, plainly in (
        ("cannot stand with all of that ruling:", "one of them does not fit all wordings of the other ruling;"),
        ("other:", "other words:"),
        ("\N{EMPTY SET}", "(nothing)"),
    ):
        reason = reason.replace(technical, plainly)
    return printable(reason)
