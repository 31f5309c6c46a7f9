"""MTGJSON, versions 3 to 5: set files, deck files, AtomicCards, AllCards, AllPrintings (and AllSets).

Every printing of a card carries the card's rulings. They are put together, each once; where printings disagree, one
note a card says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from indexer.sources.batch import Collector
from indexer.sources.cards import NOT_CARDS, card_from_mtgjson, mtgjson_name, text_of
from indexer.sources.json_stream import JsonStream
from indexer.sources.opening import Document
from rulings.errors import RulingsError

_DECK_PARTS = ("commander", "mainBoard", "sideBoard", "displayCommander", "planes", "schemes")
_Place = tuple[str, dict[str, Any]]  # where an entry stands, and the entry


def read_mtgjson(document: Document, collector: Collector) -> None:
    """Read the document. Raises RulingsError where it holds no cards at all."""
    reader = _Reader(collector)
    stream = JsonStream(document.chunks(), document.name)
    reader.walk(stream, "$")
    stream.end()
    reader.finish()
    if not reader.entries:
        raise RulingsError(
            f"{document.name}: no cards found: neither MTGJSON nor any other form that is known",
            "set, deck, AtomicCards and AllPrintings files can be read; --format forces a reader",
        )


class _Reader:
    def __init__(self, collector: Collector) -> None:
        self.collector = collector
        self.entries = 0
        self._loose: list[_Place] = []  # entries of the set or deck at the top
        self._meta: dict[str, Any] = {}
        self._sets = 0
        self._printings: dict[str, dict[str, set[tuple[Any, Any]]]] = {}

    def walk(self, stream: JsonStream, where: str) -> None:
        """Read an object: a wrapper with meta and data, a set, a deck, or cards or sets by their key."""
        if stream.peek() != "{":
            self._unknown(stream.value(), where)
            return
        for key in stream.members():
            place = f"{where}.{key}" if re.fullmatch(r"\w+", key) else f"{where}[{key!r}]"
            if key == "data" and where == "$" and stream.peek() == "{":
                self.walk(stream, place)
            elif (key == "cards" or key in _DECK_PARTS) and stream.peek() == "[":
                for index, value in stream.items():
                    self._collect(value, f"{place}[{index}]")
            else:
                self._member(key, stream.value(), place)

    def _member(self, key: str, value: Any, where: str) -> None:
        if key == "meta" and isinstance(value, dict):
            date = text_of(value, "date")
            self.collector.as_of = date or self.collector.as_of
        elif isinstance(value, dict) and isinstance(value.get("cards"), list):  # AllPrintings, AllSets
            self._sets += 1
            entries = [(f"{where}.cards[{i}]", entry) for i, entry in enumerate(value["cards"])]
            self._printed(entries, text_of(value, "code") or key, text_of(value, "releaseDate") or None)
        elif isinstance(value, list) and value and _is_card(value[0], key):  # AtomicCards: the faces of one card
            self._sets += 1
            self._printed([(f"{where}[{i}]", entry) for i, entry in enumerate(value)], "", None)
        elif _is_card(value, key):  # AllCards of version 4
            self._sets += 1
            self._printed([(where, value)], "", None)
        elif isinstance(value, str):
            self._meta[key] = value

    def _collect(self, value: Any, where: str) -> None:
        if isinstance(value, dict) and isinstance(value.get("name"), str) and value["name"].strip():
            self._loose.append((where, value))
        else:
            self._unknown(value, where)

    def _unknown(self, value: Any, where: str) -> None:
        what = (
            "a card without a name" if isinstance(value, dict) else f"a card was expected, {type(value).__name__} found"
        )
        self.collector.refuse(what, {"raw": value}, where=where, kind="bad-card")

    def finish(self) -> None:
        """The set or deck at the top, whose code and date may stand after its cards."""
        code = text_of(self._meta, "code")
        self._printed(self._loose, code, text_of(self._meta, "releaseDate") or None)
        if self._sets and not self._loose:
            self.collector.coverage = "all"
        self._report_differences()

    def _printed(self, entries: Iterable[_Place], code: str, released: str | None) -> None:
        """Take in entries of one set, deck or card: the faces of one printing are one card."""
        printings: dict[tuple[str, str, str], list[_Place]] = {}
        for where, entry in entries:
            if not isinstance(entry, dict) or not text_of(entry, "name").strip():
                self._unknown(entry, where)
                continue
            if text_of(entry, "layout") in NOT_CARDS or "Token" in text_of(entry, "type").split():
                continue
            number = re.sub(r"(?<=\d)[ab]$", "", text_of(entry, "number"))
            name = mtgjson_name(entry)
            printings.setdefault((name, text_of(entry, "setCode") or code, number), []).append((where, entry))
        for (name, place, number), faces in printings.items():
            faces.sort(key=lambda face: (_side(face[1]), face[1].get("number") or ""))
            self.entries += 1
            # The same printing may come twice: a deck shows its commander again, foil or etched.
            distinct = {text_of(e, "faceName") or e["name"]: e for _, e in reversed(faces)}
            ordered = [e for _, e in faces if distinct.get(text_of(e, "faceName") or e["name"]) is e]
            card = card_from_mtgjson(ordered, code=place, released=released)
            self.collector.add_card(card)
            said = self._printings.setdefault(name, {}).setdefault(f"{place} {number}".strip(), set())
            for where, entry in faces:
                self._rulings(name, card.oracle_id, where, entry, said)

    def _rulings(
        self, name: str, oracle_id: str | None, where: str, entry: dict[str, Any], said: set[tuple[Any, Any]]
    ) -> None:
        rulings = entry.get("rulings")
        if rulings is None:
            return
        if not isinstance(rulings, list):
            self.collector.refuse(
                f"rulings are {type(rulings).__name__}, not a list",
                {"card": name, "raw": rulings},
                where=f"{where}.rulings",
                kind="wrong-type",
            )
            return
        for index, ruling in enumerate(rulings):
            place = f"{where}.rulings[{index}]"
            if not isinstance(ruling, dict):
                self.collector.refuse(
                    f"a ruling was expected and {type(ruling).__name__} found",
                    {"card": name, "raw": ruling},
                    where=place,
                    kind="wrong-type",
                )
                continue
            text, date = ruling.get("text"), ruling.get("date")
            if isinstance(text, str) and isinstance(date, str):
                said.add((date, text))
            self.collector.offer(name, text, date, record=ruling, where=place, oracle_id=oracle_id)

    def _report_differences(self) -> None:
        for name in sorted(self._printings):
            printings = self._printings[name]
            every = set().union(*printings.values())
            lacking = {printing: len(every - said) for printing, said in printings.items() if said != every}
            if lacking and len(printings) > 1:
                shown = ", ".join(f"{printing} lacks {count}" for printing, count in sorted(lacking.items())[:4])
                more = f" and {len(lacking) - 4} more" if len(lacking) > 4 else ""
                self.collector.warn(
                    f"printings of {name} differ in their rulings: of {len(every)}, {shown}{more}; all were taken",
                    kind="printings-differ",
                    where=name,
                )


def _side(entry: dict[str, Any]) -> int:
    """The place of a face among the faces: `side` (v4, v5), or its place in `names` (v3)."""
    side = text_of(entry, "side")
    if side:
        return ord(side[0])
    names = entry.get("names")
    return names.index(entry["name"]) if isinstance(names, list) and entry["name"] in names else 0


def _is_card(value: Any, key: str) -> bool:
    """Whether `value` under this key is a card by its name, not another part of a set (boosters, translations)."""
    return (
        isinstance(value, dict)
        and (value.get("name") == key or value.get("faceName") == key)
        and ("type" in value or "text" in value or "layout" in value)
    )
