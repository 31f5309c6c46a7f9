"""Scryfall's JSON: bulk files (rulings, oracle-cards, default-cards, all-cards), the API's list object, and single
objects. A bulk file is read one object at a time.

Rulings name their card by oracle id only; the importer puts the name in from card data. Lists of the older API carry
no oracle id at all: such rulings are quarantined, since nothing says whose they are.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from indexer.sources.batch import Collector
from indexer.sources.cards import card_from_record
from indexer.sources.file_name import card_in
from indexer.sources.json_stream import JsonStream
from indexer.sources.opening import Document
from rulings.errors import RulingsError

_WHOLE = 5000
"""From this many records on an array is a bulk file and speaks of all cards; a saved search or set is smaller."""


def read_scryfall(document: Document, collector: Collector) -> None:
    """Read whatever object or array of Scryfall the document holds. Raises RulingsError where it is an API error or
    a list of downloads."""
    stream = JsonStream(document.chunks(), document.name)
    if stream.peek() == "[":
        count = passed = 0
        for index, value in stream.items():
            count += 1
            passed += _take(value, f"[{index}]", collector)
        stream.end()
        collector.coverage = "all" if count >= _WHOLE else "cards"
    else:
        value = stream.value()
        stream.end()
        passed = _document(value, collector, document.name, document.path)
    names: dict[str | None, str] = {card.oracle_id: card.name for card in collector.cards.values() if card.oracle_id}
    nameless = collector.name_cards(names)
    if nameless:
        collector.warn(
            f"{nameless} rulings give the oracle id of their card and no name",
            kind="names-wanted",
            hint="import Scryfall's oracle-cards as well",
        )
    if passed:
        collector.warn(f"{passed} tokens, emblems and art cards were passed over", kind="passed-over")


def _document(value: Any, collector: Collector, name: str, path: Path) -> int:
    kind = value.get("object") if isinstance(value, dict) else None
    if kind == "list":
        data = value.get("data")
        if not isinstance(data, list):
            raise RulingsError(f"{name}: a Scryfall list without its data", "download it again")
        named = _name_nameless(data, path)
        if value.get("has_more"):
            collector.warn(
                "the list goes on: Scryfall says has_more",
                kind="partial-list",
                where="$.has_more",
                hint="save the other pages too",
            )
        return sum(_take(item, f"$.data[{index}]", collector) for index, item in enumerate(named))
    if kind == "error":
        raise RulingsError(f"{name}: Scryfall answered with an error: {value.get('details') or value.get('code')}")
    return _take(value, "$", collector)


def _name_nameless(data: list[Any], path: Path) -> list[Any]:
    """Rulings of the older API carry no oracle id; the file may be called after their card."""
    nameless = [
        item for item in data if isinstance(item, dict) and item.get("object") == "ruling" and not item.get("oracle_id")
    ]
    if len(nameless) < len(data) or not nameless:
        return data
    card = card_in(path, " ".join(text for item in nameless if isinstance(text := item.get("comment"), str)))
    return [{**item, "card": card} for item in nameless] if card else data


def _take(value: Any, where: str, collector: Collector) -> int:
    """Take in one object; 1 if it is no card (a token) and was passed over."""
    kind = value.get("object") if isinstance(value, dict) else None
    if kind == "bulk_data":
        raise RulingsError(
            f"{collector.path}: is the list of Scryfall's bulk files, not one of them",
            "rulings fetch scryfall downloads them",
        )
    if kind == "ruling" or (kind is None and isinstance(value, dict) and "comment" in value):
        publisher = value.get("source")
        if not value.get("oracle_id") and not value.get("card"):
            collector.refuse(
                "the ruling names no card: it has no oracle_id",
                {
                    "card": None,
                    "comment": value.get("comment"),
                    "published_at": value.get("published_at"),
                    "raw": value,
                },
                where=where,
                kind="no-card",
                hint="put the name of the card in",
            )
            return 0
        collector.offer(
            value.get("card"),
            value.get("comment"),
            value.get("published_at"),
            record=value,
            where=where,
            oracle_id=value.get("oracle_id"),
            publisher=publisher if publisher in ("wotc", "scryfall") else None,
        )
        return 0
    if kind == "card" or (kind is None and isinstance(value, dict) and "name" in value):
        card = card_from_record(value)
        if card is None:
            return 1
        if isinstance(card, str):
            collector.refuse(card, {"raw": value}, where=where, kind="bad-card")
        else:
            collector.add_card(card)
        return 0
    what = f"a Scryfall {kind}" if kind else type(value).__name__
    collector.refuse(f"a ruling or card was expected and {what} found", {"raw": value}, where=where, kind="wrong-type")
    return 0
