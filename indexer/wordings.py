"""The wordings of a base: its distinct texts, with the cards they stand on, their damage and what dedupe compares.

In: entries. Out: `Wordings`. Damage and masked text are functions of (text, cards, names), so they are remembered in
the cache: an import pays only for texts that are new.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

import indexer
import rulings
from indexer.cache import Remembered, key_of
from indexer.damage import damage, is_damaged
from indexer.dedupe import Wording, masked
from indexer.entries import Entry
from indexer.normalise import settled
from indexer.revise import Unit, Wordings
from rulings.model import Card, Decision
from rulings.names import CardIndex, own_names
from rulings.text import fold1

_METHOD = (
    "damage",
    "attachment",
    "fused",
    "normalise",
    "dedupe/wording",
    "dedupe/reading",
    "dedupe/lexicon",
    "wordings",
)
_LANGUAGE = ("names", "text", "symbols")


@cache
def version() -> str:
    """Of the methods, from their own text, so that no number can be forgotten."""
    hashed = hashlib.sha256()
    for package, modules in ((indexer, _METHOD), (rulings, _LANGUAGE)):
        folder = Path(package.__path__[0])
        for path in (path for name in modules for path in sorted(folder.glob(f"{name}.*"))):
            if path.is_file():
                hashed.update(path.read_bytes())
    return hashed.hexdigest()


def make_wordings(
    entries: Iterable[Entry],
    index: CardIndex,
    legendary: Mapping[str, bool | None],
    decisions: Iterable[Decision],
    normal: dict[str, str],
    cache_folder: Path | None = None,
) -> Wordings:
    """The wordings of `entries`. `normal` maps raw to normalised texts as far as known, and is filled."""
    units = _units(entries, decisions)
    by_name: dict[str, Card] = {}
    for card in index.cards:
        by_name.setdefault(card.name, card)
    order = sorted(units)
    texts: list[str] = []
    stands: list[tuple[str, ...]] = []
    for unit in order:
        for e in units[unit]:
            if e.text not in normal:
                normal[e.text] = settled(e.text)
        speaking = _speaking(units[unit])
        texts.append(min(normal[e.text] for e in speaking))
        stands.append(tuple(sorted({e.card for e in speaking if e.card})))

    def read(text: str, on: tuple[str, ...]) -> tuple[str, list[str]]:
        kinds = damage(
            text,
            own_names=own_names(on[0], legendary.get(on[0])) if on else (),
            card=by_name.get(on[0]) if on else None,
            index=index,
        )
        return masked(text, [(name, by_name.get(name)) for name in on]), sorted({d.kind for d in kinds})

    marks = _marks(by_name, index)
    keys = [
        key_of(marks[""], text, *(marks.get(name, name) for name in on)) for text, on in zip(texts, stands, strict=True)
    ]
    kept = Remembered(cache_folder / "derived.sqlite", "wordings") if cache_folder else None
    known = kept.many(keys) if kept else {}
    fresh: dict[bytes, str] = {}
    asked: list[Wording] = []
    faults: list[tuple[str, ...]] = []
    for unit, text, on, key in zip(order, texts, stands, keys, strict=True):
        found = known.get(key)
        if found is None:
            found = fresh[key] = json.dumps(read(text, on))
        mask, kinds = json.loads(found)
        faults.append(tuple(kinds))
        dates = sorted(e.date for e in units[unit] if e.date)
        asked.append(
            Wording(
                text=text,
                masked=mask,
                cards=on,
                first=dates[0] if dates else None,
                last=dates[-1] if dates else None,
                damaged=tuple(kind for kind in kinds if is_damaged([kind])),
                recency=max(e.recency for e in units[unit]),
            )
        )
    if kept:
        kept.put(fresh)
        kept.close()
    return Wordings(tuple(order), tuple(asked), tuple(tuple(units[u]) for u in order), normal, tuple(faults))


def _speaking(entries: list[Entry]) -> list[Entry]:
    """The entries that are still at their source; all of them where none is. A card that a text stood on once does
    not decide today what a name in it means, so a base that saw older states reads it as a new one does."""
    return [e for e in entries if not e.missing_since] or entries


def _units(entries: Iterable[Entry], decisions: Iterable[Decision]) -> dict[Unit, list[Entry]]:
    split = {(fold1(d.a), d.card) for d in decisions if d.kind == "split"}
    units: dict[Unit, list[Entry]] = defaultdict(list)
    folded: dict[str, str] = {}
    for e in entries:
        text = folded.get(e.text)
        if text is None:
            text = folded[e.text] = fold1(e.text)
        units[text, e.card if (text, e.card) in split else ""].append(e)
    return units


def _marks(by_name: Mapping[str, Card], index: CardIndex) -> dict[str, str]:
    """A mark for each card's data, and under "" one for the methods and all names."""
    marks = {}
    everything = hashlib.sha256(version().encode())
    for card in index.cards:
        names = (card.name, *(f.name for f in card.faces), *card.former_names)  # rulings are in English
        everything.update("\x00".join(names).encode("utf-8", "surrogatepass"))
    for name, card in by_name.items():
        faces = tuple((f.oracle_text, f.mana_cost, f.type_line) for f in card.faces)
        marks[name] = f"{name}|{card.type_line}|{card.mana_cost}|{card.oracle_text}|{card.keywords}|{faces}"
    marks[""] = everything.hexdigest()
    return marks
