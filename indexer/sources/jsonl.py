"""One JSON record a line: our own exports and snapshots, quarantine files that were mended, card lists, and dumps
of Scryfall's objects one a line. A JSON array of such records is read too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from indexer.sources.batch import Collector
from indexer.sources.cards import card_from_record
from indexer.sources.json_stream import JsonStream
from indexer.sources.opening import Document

_ORIGIN = re.compile(r"(mtgjson|scryfall|gatherer|text-pages|release-notes|csv)(?:-.*)?")
_STAMP = re.compile(r"(?<!\d)((?:19|20)\d\d)-?(\d\d)-?(\d\d)(?!\d)")


def read_jsonl(document: Document, collector: Collector) -> None:
    """Read every line. A line that is no JSON object is quarantined and the rest goes on."""
    collector.coverage = "all"
    whole = document.head.lstrip("\ufeff \t\r\n").startswith("[")
    for line, where, record in _array(document) if whole else _lines(document, collector):
        if isinstance(record, dict):
            _read_record(record, line, where, collector)
        else:
            kind = type(record).__name__
            collector.refuse(
                f"a JSON object was expected and {kind} found",
                {"raw": record},
                line=line,
                where=where,
                kind="wrong-type",
            )


def _lines(document: Document, collector: Collector) -> Iterator[tuple[int | None, str, object]]:
    for number, line in document.lines():
        if not line.strip():
            continue
        try:
            yield number, "", json.loads(line)
        except RecursionError:
            collector.refuse("is nested too deeply", {"raw": line[:2000]}, line=number, kind="bad-json")
        except ValueError as error:
            message = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
            collector.refuse(f"not valid JSON: {message}", {"raw": line[:20000]}, line=number, kind="bad-json")


def _array(document: Document) -> Iterator[tuple[int | None, str, object]]:
    stream = JsonStream(document.chunks(), document.name)
    for index, value in stream.items():
        yield None, f"[{index}]", value
    stream.end()


def _read_record(record: dict[str, Any], line: int | None, where: str, collector: Collector) -> None:
    origin = record.get("origin")
    if "quarantine" in record:
        collector.coverage = "cards"
        inner = record.get("record")
        if not isinstance(inner, Mapping):
            collector.refuse("a quarantine line without its record", {"raw": record}, line=line, where=where)
            return
        record = dict(inner)
    source = _source(origin, collector)
    if "comment" not in record and "text" not in record and ("name" in record or record.get("object") == "card"):
        card = card_from_record(record)
        if isinstance(card, str):
            collector.refuse(card, {"raw": record}, line=line, where=where, kind="bad-card")
        elif card is not None:
            collector.add_card(card)
        return
    text = record.get("comment", record.get("text"))
    name = record.get("card", record.get("card_name", record.get("name")))
    mechanic = record.get("mechanic")
    publisher = record.get("publisher", record.get("source"))
    collector.offer(
        name,
        text,
        record.get("published_at", record.get("date")),
        record={k: v for k, v in record.items() if k not in _KNOWN},
        line=line,
        where=where,
        oracle_id=record.get("oracle_id"),
        publisher=publisher.lower() if publisher in ("wotc", "scryfall", "WotC", "WOTC", "Scryfall") else None,
        mechanic=mechanic,
        source=source,
    )


_KNOWN = frozenset(
    ("card", "comment", "text", "published_at", "date", "oracle_id", "source", "mechanic", "origin", "raw")
)


def _source(origin: object, collector: Collector) -> str | None:
    """The source that a record's `origin` names (`mtgjson-5.2.2-20260103` -> `mtgjson`); its date is the file's."""
    if not isinstance(origin, str) or not origin:
        return None
    if stamp := _STAMP.search(origin):
        collector.as_of = max(collector.as_of or "", "-".join(stamp.groups()))
    if collector.options.source:
        return None
    found = _ORIGIN.fullmatch(origin)
    name = found[1] if found else origin
    if collector.source == "jsonl" and name:
        collector.source = name
    return name
