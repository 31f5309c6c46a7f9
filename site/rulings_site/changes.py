"""What changed, and when: new rulings, new wordings, rulings that left. For the page of changes and the feed.

Worked out from the base itself, so that it is the same for everybody who has the base. A card that is only renamed,
or a wording that is only mended (typography, spelling, symbols), changes nothing here.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rulings.model import Knowledge, Ruling

if TYPE_CHECKING:
    from rulings_site.catalogue import Catalogue

NEW, REWORDED, REMOVED = "new", "reworded", "removed"


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that happened to one ruling."""

    date: str
    kind: str
    id: str
    reason: str = ""


def changes(knowledge: Knowledge) -> list[Change]:
    """Every change, newest first; on one day by kind, then id."""
    return in_order({change for ruling in knowledge.rulings for change in of_ruling(ruling)} | of_tombstones(knowledge))


def of_tombstones(knowledge: Knowledge) -> set[Change]:
    """The changes that rulings left which the base does not hold any more."""
    return {Change(stone.date, REMOVED, stone.id, stone.reason) for stone in knowledge.tombstones if stone.date}


def in_order(found: Iterable[Change]) -> list[Change]:
    """Newest first; on one day by kind, then id."""
    order = {NEW: 0, REWORDED: 1, REMOVED: 2}
    by_id = sorted(found, key=lambda c: (order[c.kind], c.id, c.reason))
    return sorted(by_id, key=lambda c: c.date, reverse=True)


def of_ruling(ruling: Ruling) -> Iterable[Change]:
    """What happened to one ruling."""
    first = ruling.first_date
    if first:
        yield Change(first, NEW, ruling.id)
    older = {v.key for v in ruling.variants if v.why == "older-wording"}
    if older:
        worded: dict[str | None, str] = {}
        for o in ruling.occurrences:
            if o.date and (o.variant is None or o.variant in older):
                worded[o.variant] = min(worded.get(o.variant, o.date), o.date)
        for date in sorted(set(worded.values()))[1:]:
            yield Change(date, REWORDED, ruling.id)
    if ruling.status in ("superseded", "withdrawn") and ruling.history:
        last = ruling.history[-1]
        yield Change(last.date, REMOVED, ruling.id, last.reason)
    gone = [o.missing_since for o in ruling.occurrences]
    if gone and all(gone):
        yield Change(max(d for d in gone if d), REMOVED, ruling.id, "no longer at the source")


@dataclass(frozen=True, slots=True)
class Day:
    """The changes of one day."""

    date: str
    new: tuple[str, ...]
    reworded: tuple[str, ...]
    removed: tuple[Change, ...]


def days(found: Sequence[Change]) -> list[Day]:
    """Changes by day, newest first."""
    grouped: dict[str, list[Change]] = defaultdict(list)
    for change in found:
        grouped[change.date].append(change)
    return [
        Day(
            date,
            tuple(c.id for c in group if c.kind == NEW),
            tuple(c.id for c in group if c.kind == REWORDED),
            tuple(c for c in group if c.kind == REMOVED),
        )
        for date, group in sorted(grouped.items(), reverse=True)
    ]


def cards_touched(catalogue: Catalogue, ids: Iterable[str]) -> list[str]:
    """Names of the cards of these rulings, sorted, each once."""
    names = {key for i in ids if i in catalogue.rulings for key in catalogue.cards_of(catalogue.rulings[i])}
    return [name for name, _ in sorted(names)]
