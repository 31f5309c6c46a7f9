"""Results for other programs and documents: JSON lines, CSV, Markdown. In: results. Out: text."""

from __future__ import annotations

import csv
import io
import json
import re

from search.results import Hit, Results

_MARKUP = re.compile(r"([\\`*_{}\[\]<>#|~])")
# A cell that begins so is run as a formula by spreadsheets.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
COLUMNS = ("id", "text", "cards", "cards_total", "date", "topics", "rules", "status", "score")


def jsonl(results: Results) -> str:
    """One hit a line."""
    return "".join(json.dumps(hit.to_json(), ensure_ascii=False) + "\n" for hit in results.hits)


def as_csv(results: Results) -> str:
    """A table with a head; lists are joined with `; `."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for hit in results.hits:
        writer.writerow([_cell(hit, column) for column in COLUMNS])
    return out.getvalue()


def _cell(hit: Hit, column: str) -> str:
    value = getattr(hit, column)
    text = "; ".join(value) if isinstance(value, tuple) else "" if value is None else str(value)
    return f"'{text}" if text.startswith(_FORMULA) and not isinstance(value, int) else text


def markdown(results: Results) -> str:
    """A list: the ruling as a quotation, then where it stands. Signs of Markdown in the text are escaped."""
    blocks = []
    for hit in results.hits:
        text = _MARKUP.sub(r"\\\1", hit.text).replace("\n", "\n> ")
        cards = (
            " and ".join(hit.cards) if hit.cards_total <= 2 else f"{hit.cards[0]} and {hit.cards_total - 1} more cards"
        )
        about = ", ".join(part for part in (_MARKUP.sub(r"\\\1", cards), hit.date or "undated", f"`{hit.id}`") if part)
        blocks.append(f"> {text}\n\n{about}\n")
    return "\n".join(blocks)
