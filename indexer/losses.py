"""What a newer state of a source no longer has, and when that is so much that it must be a fault.

The publisher's site lost thousands of rulings in its migration of 2025. So a large drop stops an import until a
person says that it is right.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from indexer.entries import Entry
from rulings.errors import RulingsError
from rulings.model import Card, Ruling

LOSS_LIMIT = 0.05
"""A new state of a source that lacks more than this share of it stops the import (the 2025 migration of the
publisher's site lost thousands of rulings)."""
_WHOLE_GROUP = 3
"""A set or card type counts as gone as a whole only from this many rulings on."""


class LossError(RulingsError):
    """A new state of a source lacks too much of it. `table` is (what, had, gone)."""

    def __init__(self, source: str, table: Sequence[tuple[str, int, int]]) -> None:
        rows = "\n".join(f"  {what[:48]:<48} {gone:>7} of {had:>7} rulings would go" for what, had, gone in table)
        super().__init__(
            f"the new state of {source!r} lacks a large part of it:\n{rows}",
            "if that is right, import again with --accept-loss; if the file holds only a part, with --partial",
        )
        self.source = source
        self.table = tuple(table)


def missing_rulings(gone: Sequence[Entry], rulings: Iterable[Ruling], cards: Iterable[Card], *, accept: bool) -> int:
    """How many rulings the sources no longer have on a card, in any wording. Raises LossError where a source lost
    much of what it had."""
    touched = {e.source for e in gone}
    had: Counter[tuple[str, str]] = Counter()
    lost: Counter[tuple[str, str]] = Counter()
    by_name = {c.name: c for c in cards}
    just_gone = {e.key for e in gone}
    for ruling in rulings if gone else ():
        state: dict[tuple[str, str], list[bool]] = defaultdict(lambda: [False, False])
        for o in ruling.occurrences:
            if o.source not in touched:
                continue
            flags = state[o.source, o.card]
            if o.missing_since is None:
                flags[0] = True
            elif (o.card, o.oracle_id or "", o.date or "", o.source, ruling.verbatim(o)) in just_gone:
                flags[1] = True
        for (source, card), (present, just_lost) in state.items():
            if not (present or just_lost):
                continue
            for group in _groups(by_name.get(card)):
                had[source, group] += 1
                lost[source, group] += not present
    for source in sorted(touched if not accept else ()):
        table = [
            (group, had[source, group], n)
            for (s, group), n in sorted(lost.items())
            if s == source
            and n
            and (n > LOSS_LIMIT * had[s, group] if not group else n == had[s, group] >= _WHOLE_GROUP)
        ]
        if table:
            all_of_it = ("", had[source, ""], lost[source, ""])
            rows = [(g or "in all", h, n) for g, h, n in (all_of_it, *(row for row in table if row[0]))]
            raise LossError(source, rows[:25])
    return sum(n for (_, group), n in lost.items() if not group)


def _groups(card: Card | None) -> list[str]:
    if card is None:
        return [""]
    types = card.type_line.split("—")[0].replace("//", " ").split()
    return [
        "",
        *(f"set {p}" for p in sorted({p.set for p in card.printings})),
        *(f"type {t}" for t in sorted(set(types))),
    ]
