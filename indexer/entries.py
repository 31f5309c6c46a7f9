"""Occurrences in their flat form, and what a new state of a source does to them.

In: the entries of a base, and the entries that an import brings. Out: the entries afterwards. Nothing is ever
deleted: what a newer state lacks is marked missing, and what an older state brings too late is marked at once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from rulings.model import Card, Knowledge, Occurrence, RawRuling, Ruling
from rulings.names import CardIndex


@dataclass(frozen=True, slots=True)
class Entry:
    """One ruling text on one card's page, verbatim. `as_of`: the last state of the source that had it."""

    card: str
    oracle_id: str | None
    date: str | None
    source: str
    text: str
    position: int
    as_of: str | None = None
    missing_since: str | None = None
    mechanic: str | None = None

    @property
    def key(self) -> tuple[str, str, str, str, str]:
        """Two entries with one key are one occurrence."""
        return (self.card or f"\x00{self.mechanic}", self.oracle_id or "", self.date or "", self.source, self.text)

    @property
    def page(self) -> tuple[str, str, str]:
        """The page it stands on: card and source."""
        return (self.card or f"\x00{self.mechanic}", self.oracle_id or "", self.source)

    @property
    def recency(self) -> tuple[str, str]:
        """For choosing the newest wording, larger is newer: still at the source, then the state that had it, then
        its own date. A dated ruling was current on its date, also where the source has no state. The state comes
        before the date: old wordings of a base that saw many states must not win over those of the newest."""
        present = "0" if self.missing_since else "1"
        return (present + max(self.as_of or "", self.date or ""), self.date or "")


@dataclass(frozen=True, slots=True)
class State:
    """What one file (or several of one state) says of a source. `whole`: it lists all that the source has, so that
    cards which it lacks are gone; else it speaks only for the cards it names."""

    source: str
    as_of: str | None
    whole: bool
    entries: tuple[Entry, ...]
    today: str


def flatten(knowledge: Knowledge) -> list[Entry]:
    """All occurrences of a base, verbatim."""
    as_of = {s.name: s.as_of for s in knowledge.sources}
    return [_entry(r, o, o.as_of or as_of.get(o.source)) for r in knowledge.rulings for o in r.occurrences]


def _entry(ruling: Ruling, o: Occurrence, as_of: str | None) -> Entry:
    return Entry(
        card=o.card,
        oracle_id=o.oracle_id,
        date=o.date,
        source=o.source,
        text=ruling.verbatim(o),
        position=o.position,
        as_of=as_of,
        missing_since=o.missing_since,
        mechanic=ruling.mechanic if not o.card else None,
    )


def from_raw(raw: RawRuling, as_of: str | None) -> Entry:
    return Entry(raw.card, raw.oracle_id, raw.date, raw.source, raw.text, raw.position, as_of, None, raw.mechanic)


class CardNames:
    """Puts every entry on the card it means: faces and misspelt accents to the full name, oracle ids only where one
    name belongs to several cards. Run over all entries at each import, so that the order of importing rulings and
    cards does not matter."""

    def __init__(self, cards: Iterable[Card]) -> None:
        self.index = CardIndex(cards)
        self._exact: dict[str, list[Card]] = defaultdict(list)
        for card in self.index.cards:
            self._exact[card.name].append(card)
        self._found: dict[str, str] = {}
        self._by_id = {card.oracle_id: card.name for card in self.index.cards if card.oracle_id}

    def name(self, written: str) -> str:
        if written in self._exact or not written:
            return written
        if written not in self._found:
            names = {card.name for card in self.index.find(written)}
            self._found[written] = names.pop() if len(names) == 1 else written
        return self._found[written]

    def place(self, entry: Entry) -> Entry:
        if not entry.card and entry.oracle_id and not entry.mechanic:
            # Scryfall's rulings give only the oracle id; it stands for the name until there is card data.
            entry = replace(entry, card=entry.oracle_id)
        if entry.card in self._by_id:
            entry = replace(entry, card=self._by_id[entry.card])
        name = self.name(entry.card)
        oracle_id = entry.oracle_id if len(self._exact.get(name, ())) > 1 else None
        if name == entry.card and oracle_id == entry.oracle_id:
            return entry
        return replace(entry, card=name, oracle_id=oracle_id)


@dataclass(frozen=True, slots=True)
class Merged:
    """Entries after an import. `new` and `known` count the import's own, `gone` are entries now marked missing."""

    entries: list[Entry]
    new: int
    known: int
    gone: tuple[Entry, ...]


def merge(old: Sequence[Entry], state: State) -> Merged:
    """`old` with a state of a source put on top."""
    by_key: dict[tuple[str, ...], Entry] = {}
    for entry in old:
        known = by_key.get(entry.key)
        by_key[entry.key] = entry if known is None else _both(known, entry)
    newest_on_page = _newest(by_key.values(), state.source)
    brought: dict[tuple[str, ...], Entry] = {}
    for entry in state.entries:
        brought.setdefault(entry.key, entry)
    new = 0
    for key, entry in brought.items():
        known = by_key.get(key)
        later = newest_on_page.get(entry.page)
        overtaken = bool(later and state.as_of and later > state.as_of)
        if known is None:
            new += 1
            by_key[key] = replace(entry, missing_since=later if overtaken else None)
            continue
        seen = _seen_again(known, state.as_of)
        if overtaken and known.missing_since and not seen.missing_since:
            seen = replace(seen, missing_since=later)  # it came back, and the newest state has it no more
        by_key[key] = seen
    gone = []
    pages = {entry.page for entry in brought.values()}
    since = state.as_of or (state.today if state.whole else None)
    for key, entry in by_key.items():
        if since is None or entry.source != state.source or key in brought or entry.missing_since:
            continue
        if (state.whole or entry.page in pages) and (entry.as_of or "") < since:
            by_key[key] = replace(entry, missing_since=since)
            gone.append(by_key[key])
    return Merged(list(by_key.values()), new, len(brought) - new, tuple(gone))


def _newest(entries: Iterable[Entry], source: str) -> Mapping[tuple[str, str, str], str]:
    """Page -> the newest state that spoke for it."""
    newest: dict[tuple[str, str, str], str] = {}
    for entry in entries:
        if entry.source == source and entry.as_of and not entry.missing_since:
            newest[entry.page] = max(newest.get(entry.page, ""), entry.as_of)
    return newest


def _seen_again(known: Entry, as_of: str | None) -> Entry:
    if as_of is None or (known.as_of or "") >= as_of:
        return known
    back = known.missing_since is not None and as_of >= known.missing_since
    return replace(known, as_of=as_of, missing_since=None if back else known.missing_since)


def _both(a: Entry, b: Entry) -> Entry:
    """One entry of two that became the same occurrence when card names were put right."""
    present = a.missing_since is None or b.missing_since is None
    return replace(
        min(a, b, key=lambda e: e.position),
        as_of=max(filter(None, (a.as_of, b.as_of)), default=None),
        missing_since=None if present else max(filter(None, (a.missing_since, b.missing_since))),
    )
