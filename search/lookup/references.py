"""Ids of rulings and short citations in a text: `r-0pcdnc32`, `[Confiscation Coup 2016-09-20 k3f]`.

In: a text, and a base that says what an id means. Out: findings of the kind `id`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Protocol, runtime_checkable

from rulings.citation import Short, parse_short, resolve_short
from rulings.ids import parse_id
from rulings.model import Card, Ruling
from rulings.snapshot import Resolution
from search.lookup.findings import Finding

_ID = re.compile(r"(?<![\w-])r-[0-9a-z]{8}(?:[0-9a-z]{2})?(?![\w-])", re.IGNORECASE)
_SHORT = re.compile(r"\[[^\[\]\n]{1,150}?\s(?:\d{4}-\d{2}-\d{2}|undated)\s(?:r-)?[0-9a-z]{3,10}\](?!\()", re.IGNORECASE)


@runtime_checkable
class Pages(Protocol):
    """A base that also knows the pages of cards: `rulings.snapshot.Snapshot`."""

    def resolve(self, asked: str) -> Resolution: ...
    def find_cards(self, name: str) -> tuple[Card, ...]: ...
    def page(self, card: Card) -> tuple[str, ...]: ...
    def rulings(self, ids: Iterable[str]) -> Iterator[Ruling]: ...


def references(text: str, base: object | None) -> list[Finding]:
    """What the ids in `text` mean in `base`; none without one."""
    if not isinstance(base, Pages):
        return []
    found = [_short(match, base) for match in _SHORT.finditer(text) if parse_short(match.group())]
    spans = [(f.start, f.end) for f in found]
    for match in _ID.finditer(text):
        if any(start <= match.start() < end for start, end in spans):
            continue
        resolution = base.resolve(match.group())
        # A word such as `r-strategy` has the form of an id; only a known id or one with a digit is taken for one.
        if resolution.kind == "unknown" and (parse_id(match.group()) is None or not re.search(r"\d", match.group())):
            continue
        found.append(_full(match, resolution))
    return found


_VERDICT = {"current": "ok", "alias": "alias", "ambiguous": "ambiguous", "tombstone": "withdrawn", "unknown": "unknown"}


def _full(match: re.Match[str], got: Resolution) -> Finding:
    asked = match.group()
    message = {
        "current": f"Ruling {got.id}.",
        "alias": f"{asked} is {got.id} today.",
        "ambiguous": f"{asked} may be any of {', '.join(got.candidates)}.",
        "tombstone": f"{asked} was withdrawn: {got.reason}",
        "unknown": f"There is no ruling {asked} in this base.",
    }[got.kind]
    return Finding(
        match.start(), match.end(), "id", _VERDICT[got.kind], ruling_id=got.id,
        today=got.id if got.kind == "alias" else None, message=message, candidates=got.candidates,
    )  # fmt: skip


def find_short(short: Short, base: Pages) -> tuple[Ruling | None, tuple[Ruling, ...], str, Card | None]:
    """What a short citation means in `base`: (ruling, candidates, note, card)."""
    cards = base.find_cards(short.card)
    if not cards:
        return None, (), f"there is no card {short.card}", None
    ids = dict.fromkeys(i for card in cards for i in base.page(card))
    got = resolve_short(Short(cards[0].name, short.date, short.prefix), tuple(base.rulings(ids)))
    return got.ruling, got.candidates, got.note, cards[0]


def _short(match: re.Match[str], base: Pages) -> Finding:
    short = parse_short(match.group())
    assert short is not None  # the caller asked
    ruling, candidates, note, card = find_short(short, base)
    verdict = "ok" if ruling and not note else "alias" if ruling else "ambiguous" if candidates else "unknown"
    if ruling is None and candidates and note.startswith("no ruling"):
        verdict = "unknown"
    ids = tuple(r.id for r in candidates[:20])
    message = f"Ruling {ruling.id}{f' ({note})' if note else ''}." if ruling else f"{note[:1].upper()}{note[1:]}."
    return Finding(
        match.start(), match.end(), "id", verdict, card=card.name if card else None,
        ruling_id=ruling.id if ruling else None, today=ruling.id if ruling and note else None, message=message,
        candidates=ids,
    )  # fmt: skip
