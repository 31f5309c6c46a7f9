"""Tables: CSV with a header row, its columns in any order; comma, semicolon, tab or bar between them."""

from __future__ import annotations

import csv
import io
from itertools import islice

from indexer.sources.batch import Collector
from indexer.sources.detect import CARD_COLUMNS, TEXT_COLUMNS
from indexer.sources.opening import Document
from rulings.errors import RulingsError

_DATE_COLUMNS = frozenset(("published_at", "date", "published", "published at"))
_RAW = 1 << 20  # characters of an unreadable row that are put aside
_PUBLISHERS = {"wotc": "wotc", "wizards": "wotc", "scryfall": "scryfall"}


def read_table(document: Document, collector: Collector) -> None:
    """Read every row. A row with another number of fields than the header is quarantined."""
    text = document.text()
    delimiter = max(",;\t|", key=text.partition("\n")[0].count)
    csv.field_size_limit(1 << 24)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        header = [name.strip().lower() for name in next(rows, [])]
    except csv.Error as error:
        raise RulingsError(f"{document.name}:1: not a table: {error}") from None
    repeated = {name for name in header if name and header.count(name) > 1}
    if repeated:
        raise RulingsError(f"{document.name}:1: two columns are called {sorted(repeated)[0]!r}", "rename one")
    place = {_role(name): column for column, name in reversed(list(enumerate(header)))}
    if "text" not in place or not {"card", "oracle_id"} & place.keys():
        raise RulingsError(
            f"{document.name}:1: the header row names no column for the {'card' if 'text' in place else 'text'}",
            "columns: card (or name), text (or comment), date (or published_at), oracle_id, source",
        )
    line = rows.line_num + 1
    while True:
        try:
            row = next(rows, None)
        except csv.Error as error:
            # What the reader has eaten is kept, so that nothing is lost: a quote left open swallows all that follows.
            raw = "".join(islice(io.StringIO(text, newline=""), line - 1, max(rows.line_num, line)))
            collector.refuse(
                f"not a row of a table: {error}",
                {"raw": raw[:_RAW]},
                line=line,
                kind="bad-row",
                hint="is a quote left open?" if "end of data" in str(error) else "",
            )
            row = []
        if row is None:
            break
        if row and any(field.strip() for field in row):
            _read_row(row, header, place, line, collector)
        line = rows.line_num + 1


def _role(name: str) -> str:
    if name in TEXT_COLUMNS:
        return "text"
    if name in CARD_COLUMNS:
        return "card"
    return "date" if name in _DATE_COLUMNS else name


def _read_row(row: list[str], header: list[str], place: dict[str, int], line: int, collector: Collector) -> None:
    record = dict(zip(header, row, strict=False))
    if len(row) != len(header):
        collector.refuse(
            f"the row has {len(row)} fields and the header {len(header)}",
            {"raw": row},
            line=line,
            kind="bad-row",
            hint="a text with the delimiter in it must stand in quotes",
        )
        return

    def field(role: str) -> str:
        return row[place[role]] if role in place else ""

    collector.offer(
        field("card").strip(),
        field("text"),
        field("date").strip() or None,
        record=record,
        line=line,
        oracle_id=field("oracle_id").strip() or None,
        publisher=_PUBLISHERS.get((field("publisher") or field("source")).strip().lower()),
        mechanic=field("mechanic").strip() or None,
    )
