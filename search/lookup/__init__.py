"""Checking what others quote: `Lookup(path).check(text)`, or `check_text(base, built, text)` for a base."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

from indexer.build import Build, Progress, lookup_path
from rulings.errors import RulingsError
from search.lookup.check import Lookup
from search.lookup.findings import Difference, Finding
from search.lookup.render import as_json

__all__ = ["Difference", "Finding", "Lookup", "check_text", "open_lookup"]


def open_lookup(base: Path, built: Build, progress: Progress | None = None) -> Lookup:
    """The lookup of a built base; its index is made at first use, and again where it is damaged."""
    path = lookup_path(base, built, progress)
    try:
        return Lookup(path, ids=built.snapshot())
    except (RulingsError, sqlite3.DatabaseError):
        if path.is_dir():
            raise
        path.unlink(missing_ok=True)  # only a cache
        return Lookup(lookup_path(base, built, progress), ids=built.snapshot())


def check_text(base: Path, built: Build, text: str, *, cited_on: str | None = None) -> dict[str, Any]:
    """The findings in `text` as JSON has them, for the service."""
    lookup = open_lookup(base, built)
    try:
        return as_json(text, lookup.check(text, cited_on=cited_on))
    finally:
        lookup.close()
