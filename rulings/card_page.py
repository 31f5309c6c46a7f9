"""The page of a card: which rulings stand on it, in which order, and how they are counted.

`cards.jsonl`, the snapshot, `rulings show CARD`, `rulings cite CARD N`, the service and the site all have the order
from here, so that "ruling 3 of the card" is the same ruling everywhere.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from rulings.model import Card, Ruling

Pages = dict[tuple[str, str], tuple[str, ...]]
"""(name, oracle id or "") of a card -> the ids of its rulings, in the order of its page."""


def pages_of(rulings: Iterable[Ruling], cards: Iterable[Card]) -> Pages:
    """The page of each card that has one: by date, undated rulings last; of one day by source, then as there.

    An occurrence that does not tell which of several cards of a name it means stands on all of them.
    """
    known: dict[str, list[str]] = defaultdict(list)
    for card in cards:
        known[card.name].append(card.oracle_id or "")
    entries: dict[tuple[str, str], list[tuple[bool, str, str, int, str]]] = defaultdict(list)
    for ruling in rulings:
        for o in ruling.occurrences:
            if o.card:
                entry = (o.date is None, o.date or "", o.source, o.position, ruling.id)
                for oracle_id in [o.oracle_id] if o.oracle_id else known.get(o.card, [""]):
                    entries[o.card, oracle_id].append(entry)
    return {key: tuple(dict.fromkeys(entry[-1] for entry in sorted(found))) for key, found in entries.items()}


def is_shared(ruling: Ruling) -> bool:
    """Whether the ruling stands on several cards."""
    return len({o.card for o in ruling.occurrences if o.card}) > 1


def counted(rulings: Iterable[Ruling]) -> list[Ruling]:
    """The rulings of a page, given in its order, as they are counted from 1: the card's own, then shared ones;
    withdrawn ones, which the site does not show, come last."""
    return sorted(rulings, key=lambda r: (r.status == "withdrawn", is_shared(r)))
