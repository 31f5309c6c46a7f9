"""What could come next in a query, for the shell: topics, cards, fields."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

from rulings.language.fields import FIELDS, IS, STATUS

MOST = 40


def complete(directory: Path, begun: str) -> list[str]:
    """The ways to go on with the last word of a query. Reads two rows of the index at most."""
    name, colon, value = begun.partition(":")
    if not colon:
        return [f"{field}:" for field in FIELDS if field.startswith(begun)] if begun else []
    value = value.strip('"')
    fixed = {"is": IS, "status": STATUS}.get(name)
    if fixed:
        return [f"{name}:{choice}" for choice in fixed if choice.startswith(value)]
    with sqlite3.connect(f"file:{directory / 'search.sqlite'}?mode=ro", uri=True) as db:
        if name in ("topic", "source"):
            row = db.execute("select labels from lists where name = ?", (name,)).fetchone()
            return [f"{name}:{label}" for label in json.loads(row[0]) if label.startswith(value)][:MOST]
        if name == "card" and value:
            escaped = value.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
            rows = db.execute(
                "select name from card where name like ? escape '\\' order by name limit ?", (f"{escaped}%", MOST)
            )
            return [f'card:"{found}"' if " " in found else f"card:{found}" for (found,) in rows]
    return []
