"""Card data from several files and states, put together: newer data wins, and nothing that only one has is lost."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from indexer.sources import Batch
from rulings.model import Card, Printing
from rulings.names import SEPARATOR, CardIndex, faces

_Key = tuple[str, str]


def merge(before: Iterable[Card], batches: Sequence[Batch], *, newest: str) -> tuple[Card, ...]:
    """The cards of a base after an import, by name. `newest`: the newest state of the sources so far; data of an
    older or unknown state only fills gaps. Cards that rulings name by oracle id are kept, also without data."""
    cards: dict[_Key, Card] = {(c.name, c.oracle_id or ""): c for c in before}
    seen = dict.fromkeys(cards, newest)  # the newest state that gave each record
    for batch in batches:
        wins = bool(batch.as_of) and batch.as_of is not None and batch.as_of >= newest
        for card in batch.cards:
            _add(cards, card, wins=wins)
            key = (card.name, card.oracle_id or "")
            seen[key] = max(seen.get(key, ""), batch.as_of or "")
    named = {(raw.card, raw.oracle_id) for batch in batches for raw in batch.rulings if raw.card and raw.oracle_id}
    for name, oracle_id in sorted(named - cards.keys()):
        _add(cards, Card(name, oracle_id), wins=False)
    return _one_record_each(cards, seen)


def _add(cards: dict[_Key, Card], card: Card, *, wins: bool) -> None:
    key = (card.name, card.oracle_id or "")
    if key not in cards and card.oracle_id and (card.name, "") in cards:
        old = cards.pop((card.name, ""))  # the same card, now with its id
        cards[key] = replace(old, oracle_id=card.oracle_id)
    old_card = cards.get(key)
    cards[key] = card if old_card is None else _put_over(old_card, card, wins=wins)


def _put_over(old: Card, new: Card, *, wins: bool) -> Card:
    strong, weak = (new, old) if wins else (old, new)
    fields = ("type_line", "oracle_text", "mana_cost", "keywords", "faces", "layout")
    filled = {name: getattr(strong, name) or getattr(weak, name) for name in fields}
    if strong.faces:  # a card of several faces has its text on them
        filled["oracle_text"] = strong.oracle_text
    return replace(
        old,
        **filled,
        former_names=_union(old.former_names, new.former_names),
        foreign_names=_union(old.foreign_names, new.foreign_names),
        printings=_printings(old.printings, new.printings),
        released=min(filter(None, (old.released, new.released)), default=None),
    )


def _union(a: Iterable[str], b: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted({*a, *b}))


def _printings(a: Iterable[Printing], b: Iterable[Printing]) -> tuple[Printing, ...]:
    """Printings of both; one that names only the set gives way to one with a number."""
    found = {*a, *b}
    numbered = {p.set for p in found if p.number}
    return tuple(
        sorted(
            (p for p in found if p.number or p.set not in numbered), key=lambda p: (p.set, p.number, p.released or "")
        )
    )


def _one_record_each(cards: dict[_Key, Card], seen: Mapping[_Key, str]) -> tuple[Card, ...]:
    """Each card once, by name. Old files name a card of two faces by one of them, or by a name that it has no more;
    with one oracle id, or with no data of its own, such a record is another name of the card and not a card."""
    by_id: dict[str, list[Card]] = defaultdict(list)
    for (_, oracle_id), card in cards.items():
        if oracle_id:
            by_id[oracle_id].append(card)
    kept: list[Card] = []
    for found in by_id.values():
        newest_first = sorted(found, key=lambda c: (seen.get((c.name, c.oracle_id or ""), ""), c.name), reverse=True)
        chief = max(newest_first, key=lambda c: (_is_known(c), SEPARATOR in c.name))
        own = {chief.name, *faces(chief.name), *(f.name for f in chief.faces)}
        former = {c.name for c in found} - own
        kept.append(replace(chief, former_names=_union(chief.former_names, former)) if former else chief)
    names = {card.name for card in kept}
    bare = [card for (name, oracle_id), card in cards.items() if not oracle_id and name not in names]
    index = CardIndex(kept if any(not _is_known(card) for card in bare) else ())
    kept += [card for card in bare if _is_known(card) or len(index.find(card.name)) != 1]
    return tuple(sorted(kept, key=lambda c: (c.name, c.oracle_id or "")))


def _is_known(card: Card) -> bool:
    """Whether there is card data, not only a name."""
    return bool(card.type_line or card.faces or card.oracle_text)
