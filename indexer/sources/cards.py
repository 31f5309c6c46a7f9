"""Card objects of Scryfall, of our own lists, and of MTGJSON made into `Card`, and printings put together.

Names: `A // B` is one card with two faces. A card printed with itself on its back (`A // A`, reversible) is `A`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rulings.model import Card, Face, Printing
from rulings.names import SEPARATOR, faces

Record = Mapping[str, Any]

NOT_CARDS = frozenset(("token", "double_faced_token", "emblem", "art_series"))
"""Layouts that are no cards: they repeat the names of cards and no ruling stands on them."""


def one_name(name: str) -> str:
    """`A // A` -> `A`; any other name unchanged."""
    parts = faces(name)
    return parts[0] if len(parts) > 1 and len(set(parts)) == 1 else name


def text_of(record: Record, *keys: str) -> str:
    """The first string among the values of `keys`, "" if there is none."""
    for key in keys:
        value = record.get(key)
        if isinstance(value, str) and value:
            return value
    return ""


def _list(record: Record, key: str) -> list[Any]:
    value = record.get(key)
    return value if isinstance(value, list) else []


def _names(values: Iterable[object]) -> tuple[str, ...]:
    return tuple(sorted({value for value in values if isinstance(value, str) and value}))


def card_from_record(record: Record) -> Card | str | None:
    """The card in an object of Scryfall, of `cards.jsonl` or of a list in that form. None for what is no card (a
    token), and the reason where the record cannot be used."""
    name = record.get("name")
    if not isinstance(name, str) or not name.strip():
        return "a card without a name"
    layout = text_of(record, "layout")
    if layout in NOT_CARDS:
        return None
    parts = [part for part in (_list(record, "card_faces") or _list(record, "faces")) if isinstance(part, dict)]
    found = tuple(
        Face(text_of(p, "name"), text_of(p, "type_line"), text_of(p, "oracle_text"), text_of(p, "mana_cost"))
        for p in parts
        if text_of(p, "name")
    )
    source: Record = record
    oracle_id = text_of(record, "oracle_id") or None
    name = " ".join(name.split())
    if one_name(name) != name:  # the two sides of a reversible card are one card; its data stand on the sides
        name = one_name(name)
        source = {**(parts[0] if parts else {}), **{k: v for k, v in record.items() if v not in (None, "", [])}}
        oracle_id = oracle_id or next((text_of(p, "oracle_id") for p in parts if text_of(p, "oracle_id")), None)
        found = ()
    printed = _printed_name(record, parts)
    english = text_of(record, "lang") in ("", "en")
    released = text_of(record, "released_at", "released") or None
    return Card(
        name=name,
        oracle_id=oracle_id,
        type_line=text_of(source, "type_line"),
        oracle_text=text_of(source, "oracle_text"),
        mana_cost=text_of(source, "mana_cost"),
        keywords=tuple(word for word in _list(record, "keywords") if isinstance(word, str)),
        faces=found,
        former_names=_names(
            [*_list(record, "former_names"), record.get("flavor_name"), *(p.get("flavor_name") for p in parts)]
            + ([printed] if english and printed != name else [])
        ),
        foreign_names=_names([*_list(record, "foreign_names"), *([] if english else [printed])]),
        printings=_printings(record, released),
        released=released,
        layout=layout,
    )


def _printed_name(record: Record, parts: Sequence[Record]) -> str:
    """The name on the card where it is not the English one: `printed_name` of the card, or of its faces."""
    if name := text_of(record, "printed_name"):
        return name
    names = [text_of(part, "printed_name") for part in parts]
    return SEPARATOR.join(names) if names and all(names) else ""


def _printings(record: Record, released: str | None) -> tuple[Printing, ...]:
    if code := text_of(record, "set"):
        return (Printing(code.upper(), text_of(record, "collector_number"), released),)
    own = [
        Printing(text_of(p, "set").upper(), text_of(p, "number"), text_of(p, "released") or None)
        for p in _list(record, "printings")
        if isinstance(p, dict) and text_of(p, "set")
    ]
    return tuple(own) or tuple(
        Printing(code.upper()) for code in _list(record, "sets") if isinstance(code, str) and code
    )


def mtgjson_name(entry: Record) -> str:
    """The full name of a card of MTGJSON: `faceName` is a half of `name` (v5), `names` lists the halves (v3, v4)."""
    name = " ".join(text_of(entry, "name").split())
    halves = [half for half in _list(entry, "names") if isinstance(half, str)]
    if len(halves) > 1 and SEPARATOR not in name and text_of(entry, "layout") != "meld" and name in halves:
        name = SEPARATOR.join(halves)
    return one_name(name)


def card_from_mtgjson(entries: Sequence[Record], *, code: str = "", released: str | None = None) -> Card:
    """The card of one printing, from the entry of each of its faces in order (v3, v4 and v5)."""
    first = entries[0]
    name = mtgjson_name(first)
    layout = text_of(first, "layout").replace("-", "_").replace("double_faced", "transform")
    several = len(faces(name)) > 1 and len(entries) > 1
    found = tuple(
        Face(text_of(e, "faceName", "name"), text_of(e, "type"), text_of(e, "text"), text_of(e, "manaCost"))
        for e in (entries if several else ())
    )
    sets = [c for c in _list(first, "printings") if isinstance(c, str)]
    code = text_of(first, "setCode") or code
    here = Printing(code, text_of(first, "number"), released) if code else None
    identifiers = first.get("identifiers")
    oracle_id = text_of(identifiers if isinstance(identifiers, dict) else {}, "scryfallOracleId")
    return Card(
        name=name,
        oracle_id=oracle_id or text_of(first, "scryfallOracleId") or None,
        type_line=SEPARATOR.join(face.type_line for face in found) if several else text_of(first, "type"),
        oracle_text="" if several else text_of(first, "text"),
        mana_cost=text_of(first, "manaCost"),
        keywords=tuple(dict.fromkeys(k for e in entries for k in _list(e, "keywords") if isinstance(k, str))),
        faces=found,
        former_names=_names(e.get(key) for e in entries for key in ("flavorName", "faceFlavorName")),
        foreign_names=_foreign(entries),
        printings=tuple([here] if here else []) + tuple(Printing(c) for c in sorted(set(sets)) if c != code),
        released=released,
        layout=layout.lower(),
    )


def _foreign(entries: Sequence[Record]) -> tuple[str, ...]:
    """Foreign names: of each face, and of the whole card where the faces come one by one."""
    named: list[str] = []
    whole: dict[str, list[str]] = {}
    for entry in entries:
        for item in _list(entry, "foreignData") + _list(entry, "foreignNames"):
            if isinstance(item, dict) and (name := text_of(item, "name")):
                named.append(name)
                if face := text_of(item, "faceName"):
                    named.append(face)
                if SEPARATOR not in name:
                    whole.setdefault(text_of(item, "language"), []).append(name)
    for parts in whole.values():
        if len(entries) > 1 and len(parts) == len(entries) and len(set(parts)) > 1:
            named.append(SEPARATOR.join(parts))
    return _names(named)


def join(old: Card, new: Card) -> Card:
    """Two printings of one card. What only one knows is kept; the text is that of the newer printing."""
    newest, oldest = (new, old) if (new.released or "") >= (old.released or "") else (old, new)
    return replace(
        newest,
        type_line=newest.type_line or oldest.type_line,
        oracle_text=newest.oracle_text or ("" if newest.faces else oldest.oracle_text),
        mana_cost=newest.mana_cost or oldest.mana_cost,
        keywords=tuple(dict.fromkeys((*newest.keywords, *oldest.keywords))),
        faces=newest.faces or oldest.faces,
        former_names=_names((*old.former_names, *new.former_names)),
        foreign_names=_names((*old.foreign_names, *new.foreign_names)),
        printings=_all_printings((*old.printings, *new.printings)),
        released=min((date for date in (old.released, new.released) if date), default=None),
        layout=newest.layout or oldest.layout,
    )


def _all_printings(printings: Iterable[Printing]) -> tuple[Printing, ...]:
    """Each printing once; one without a number gives way to one of the same set that has it."""
    found = set(printings)
    numbered = {p.set for p in found if p.number}
    kept = (p for p in found if p.number or p.set not in numbered)
    return tuple(sorted(kept, key=lambda p: (p.set, p.number, p.released or "")))
