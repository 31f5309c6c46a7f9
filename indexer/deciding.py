"""A person's decisions on wordings, and how they are put into a base. Kept for ever, keyed by wording and card."""

from __future__ import annotations

import shlex
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from indexer import ingest
from indexer.dedupe.decided import CLASH
from indexer.normalise import settled
from indexer.report import Report
from rulings import store, transaction
from rulings.errors import DataError, UsageError
from rulings.model import Decision, Knowledge, Review, Ruling
from rulings.snapshot import wordings_of
from rulings.text import fold1

Pair = tuple[str, str]


class Refused(UsageError):
    """A decision that cannot hold beside older ones."""

    def __init__(self, message: str, hint: str, decision: Decision) -> None:
        super().__init__(message, hint)
        self.decision = decision


def pair_of(a: str, b: str) -> Pair:
    """Two wordings, in whatever order."""
    first, second = sorted((fold1(settled(a)), fold1(settled(b))))
    return first, second


def decided(knowledge: Knowledge) -> set[Pair]:
    """Pairs that a person has decided."""
    return {pair_of(d.a, d.b) for d in knowledge.decisions if d.b}


def waiting(knowledge: Knowledge) -> tuple[Review, ...]:
    """Pairs that wait for a person."""
    done = decided(knowledge) - _clashes(knowledge)
    return tuple(r for r in knowledge.reviews if pair_of(r.a, r.b) not in done)


def holders(knowledge: Knowledge, text: str) -> list[Ruling]:
    """The rulings that hold a wording, on whatever card: as a page has it, else as it is once it is mended."""
    return _homes(knowledge, [text])[text]


def _homes(knowledge: Knowledge, texts: Iterable[str]) -> dict[str, list[Ruling]]:
    """The holders of each text."""
    found: dict[str, list[Ruling]] = {text: [] for text in texts}
    for form in (fold1, settled):
        open_ = defaultdict(list)
        for text in (text for text, held in found.items() if not held):
            open_[form(text)].append(text)
        for r in knowledge.rulings if open_ else ():
            for text in (t for folded in {form(w) for w in wordings_of(r)} & open_.keys() for t in open_[folded]):
                found[text].append(r)
    return found


def card_of(knowledge: Knowledge, text: str, card: str) -> str:
    """The card where a person split the text for it, else empty: the card of a decision about the text there."""
    wanted = settled(text)
    split = any(d.kind == "split" and d.card == card and settled(d.a) == wanted for d in knowledge.decisions)
    return card if split else ""


def cards_of(knowledge: Knowledge, ruling: Ruling, text: str) -> set[str]:
    """Of the cards on which the text stands in a ruling those for which it was split; "" for all others."""
    wanted = settled(text)
    on = {o.card for o in ruling.occurrences if settled(ruling.verbatim(o)) == wanted}
    return {card_of(knowledge, text, card) for card in on}


def meant(knowledge: Knowledge, text: str, card: str) -> list[Ruling]:
    """The rulings that a decision about a text is about; without a card, those that hold what no split took away."""
    held = holders(knowledge, text)
    return [r for r in held if card in cards_of(knowledge, r, text)] or held


def record(
    folder: Path,
    add: Iterable[Decision] = (),
    *,
    undo: int = 0,
    options: ingest.Options | None = None,
    progress: ingest.Progress | None = None,
) -> Report:
    """Add decisions (or take the last `undo` back, each with those made in one step with it) and bring the rulings in
    line with them, in one atomic step. Raises Refused, and writes nothing, where one of them cannot hold."""
    options = options or ingest.Options()
    added = tuple(add)
    with transaction.writing(folder):
        loaded = store.load(folder)
        if loaded.problems:
            raise DataError("the base has records that cannot be read", loaded.problems, "mend them first")
        known = loaded.knowledge.decisions
        if undo > len(known):
            few = f"there are only {len(known)} decisions" if known else "there is no decision to take back"
            raise UsageError(few, "decisions.yaml holds them")
        kept = _without_last(known, undo)
        changed = replace(loaded.knowledge, decisions=(*kept, *added))

        def accept(after: Knowledge) -> None:
            if added:
                _refuse_idle(loaded.knowledge, after, kept, added)

        return ingest.decide(folder, changed, options, progress, accept)


# --- decisions that cannot hold ---


def _refuse_idle(before: Knowledge, after: Knowledge, kept: Sequence[Decision], added: Sequence[Decision]) -> None:
    """Raise Refused where a new decision would have no effect, would break an older one or close a ring."""
    homes = _homes(after, dict.fromkeys(text for d in added for text in (d.a, d.b) if text))
    for n, decision in enumerate(added):
        _refuse_ring(after, decision, homes[decision.a])
        if not _holds(decision, homes):
            raise _refused(decision, [*kept, *added[:n]])
    broken = _clashes(after) - _clashes(before) - {pair_of(d.a, d.b) for d in added}
    if broken:
        guilty = [n for n, d in enumerate(added) if _against([*kept, *added[:n]], d)] or [len(added) - 1]
        raise _refused(added[guilty[0]], [*kept, *added[: guilty[0]]])


def _clashes(knowledge: Knowledge) -> set[Pair]:
    """Pairs that a decision merges, and that are two rulings all the same since others keep them apart."""
    found = [r for r in knowledge.reviews if r.reason == CLASH]
    homes = _homes(knowledge, dict.fromkeys(text for r in found for text in (r.a, r.b)))
    return {pair_of(r.a, r.b) for r in found if not any(one in homes[r.b] for one in homes[r.a])}


def _holds(decision: Decision, homes: Mapping[str, Sequence[Ruling]]) -> bool:
    """Whether the rulings are as the decision says; so too where the base lacks a wording of it."""
    one, other = homes[decision.a], homes.get(decision.b, ())
    if not one or (decision.b and not other):
        return True
    if decision.kind == "withdraw":
        return any(r.status == "withdrawn" for r in one)
    if decision.kind == "split":
        text = settled(decision.a)
        cards = [{o.card for o in r.occurrences if settled(r.verbatim(o)) == text} for r in one]
        return {decision.card} in cards or not any(decision.card in on for on in cards)
    by_card = bool(decision.card or decision.b_card)  # one text may then rightly stand in several rulings
    both = {r.id for r in one} & {r.id for r in other}
    if decision.kind == "supersede":  # by this one, or by a newer one of the same step
        return any(r.superseded_by for r in one) and (by_card or not both)
    if decision.kind == "apart":
        return by_card or not both
    return len(one) == 1 if settled(decision.a) == settled(decision.b) and not by_card else bool(both)


def _refuse_ring(after: Knowledge, decision: Decision, homes: Iterable[Ruling]) -> None:
    by = {r.id: r.superseded_by for r in after.rulings if r.superseded_by}
    for start in homes if decision.kind == "supersede" else ():
        ring = [start.id]
        while (following := by.get(ring[-1])) and following not in ring:
            ring.append(following)
        if following:
            shown = " by ".join((*ring[ring.index(following) :], following))
            what = "take an older decision back, or keep two of them: apart"
            raise Refused(f"that would close a ring: {shown}", what, decision)


def _refused(decision: Decision, older: Sequence[Decision]) -> Refused:
    against = _against(older, decision)
    if against is None:
        return Refused(f"{decision.kind} would change nothing: older decisions stand against it", "", decision)
    said = f"{against.kind} {_short(against.a)} / {_short(against.b)}" + (f", {against.date}" if against.date else "")
    contrary = "merge" if decision.kind == "merge" else "apart"
    command = f"rulings review --decide {contrary} {shlex.quote(against.a)} {shlex.quote(against.b)}"
    return Refused(f"an older decision stands against it: {said}", f"overrule that one first: {command}", decision)


def _short(text: str) -> str:
    return f'"{text if len(text) <= 60 else text[:59] + "…"}"'


def _against(older: Sequence[Decision], new: Decision) -> Decision | None:
    """The older decision beside which `new` cannot stand: one that keeps apart what `new` would bring together by way
    of others, or merges by way of others what `new` keeps apart."""
    own = pair_of(new.a, new.b)
    newest = {pair_of(d.a, d.b): d for d in sorted(older, key=lambda d: d.date) if d.b and not (d.card or d.b_card)}
    merges = {pair: d for pair, d in newest.items() if d.kind == "merge" and pair != own}
    one, other = (_reached(merges, text) for text in own)
    if new.kind != "merge":
        return next((d for pair, d in merges.items() if own[0] in pair), None) if own[1] in one else None
    for (a, b), d in newest.items():
        if (
            d.kind in ("apart", "supersede")
            and (a, b) != own
            and ((a in one and b in other) or (b in one and a in other))
        ):
            return d
    return None


def _reached(merges: Iterable[Pair], text: str) -> set[str]:
    """The texts that merges bring together with `text`."""
    found, size = {text}, 0
    while size != len(found):
        size = len(found)
        for pair in merges:
            if not found.isdisjoint(pair):
                found.update(pair)
    return found


def _without_last(decisions: tuple[Decision, ...], steps: int) -> tuple[Decision, ...]:
    """The decisions but for those of the last `steps` steps."""
    begins = [n for n, d in enumerate(decisions) if n == 0 or not d.with_previous]
    return decisions[: begins[max(len(begins) - steps, 0)]] if steps and begins else decisions
