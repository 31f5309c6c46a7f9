"""A person's decisions on wordings, and how they are put into a base. Kept for ever, keyed by wording and card."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from indexer import ingest
from indexer.normalise import settled
from indexer.report import Report
from rulings import store, transaction
from rulings.errors import DataError, UsageError
from rulings.model import Decision, Knowledge, Review, Ruling
from rulings.snapshot import wordings_of
from rulings.text import fold1

Pair = tuple[str, str]


def pair_of(a: str, b: str) -> Pair:
    """Two wordings, in whatever order."""
    first, second = sorted((fold1(settled(a)), fold1(settled(b))))
    return first, second


def decided(knowledge: Knowledge) -> set[Pair]:
    """Pairs that a person has decided."""
    return {pair_of(d.a, d.b) for d in knowledge.decisions if d.b}


def waiting(knowledge: Knowledge) -> tuple[Review, ...]:
    """Pairs that wait for a person."""
    done = decided(knowledge)
    return tuple(r for r in knowledge.reviews if pair_of(r.a, r.b) not in done)


def holders(knowledge: Knowledge, text: str) -> list[Ruling]:
    """The rulings that hold a wording, on whatever card: as a page has it, else as it is once it is mended."""
    for form in (fold1, settled):
        wanted = form(text)
        if found := [r for r in knowledge.rulings if any(form(wording) == wanted for wording in wordings_of(r))]:
            return found
    return []


def record(
    folder: Path,
    add: Iterable[Decision] = (),
    *,
    undo: int = 0,
    options: ingest.Options | None = None,
    progress: ingest.Progress | None = None,
) -> Report:
    """Add decisions (or take the last `undo` back, each with those made in one step with it) and bring the rulings in
    line with them, in one atomic step."""
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
        return ingest.decide(folder, changed, options, progress, lambda after: _refuse_rings(after, added))


def _refuse_rings(after: Knowledge, added: Iterable[Decision]) -> None:
    """Raise UsageError where a new decision closes a ring of rulings that supersede each other."""
    by = {r.id: r.superseded_by for r in after.rulings if r.superseded_by}
    for decision in added:
        for start in holders(after, decision.a) if decision.kind == "supersede" else ():
            ring = [start.id]
            while (following := by.get(ring[-1])) and following not in ring:
                ring.append(following)
            if following:
                shown = " by ".join((*ring[ring.index(following) :], following))
                raise UsageError(
                    f"that would close a ring: {shown}", "take an older decision back, or keep two of them: apart"
                )


def _without_last(decisions: tuple[Decision, ...], steps: int) -> tuple[Decision, ...]:
    """The decisions but for those of the last `steps` steps."""
    begins = [n for n, d in enumerate(decisions) if n == 0 or not d.with_previous]
    return decisions[: begins[max(len(begins) - steps, 0)]] if steps and begins else decisions
