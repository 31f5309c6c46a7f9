"""Dates for people. ISO strings in, the same text on every machine out (no locale)."""

from __future__ import annotations

import re
from html import escape

from markupsafe import Markup

from rulings.model import BULK_IMPORT_DATES

_MONTHS = "January February March April May June July August September October November December".split()
_ISO = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?")


def long(date: str | None) -> str:
    """`2016-09-20` -> `20 September 2016`, None -> `undated`."""
    return _written(date, None)


def short(date: str | None) -> str:
    """`2016-09-20` -> `20 Sep 2016`, None -> `undated`."""
    return _written(date, 3)


def _written(date: str | None, letters: int | None) -> str:
    if date is None:
        return "undated"
    found = _ISO.fullmatch(date)
    if not found or (found[2] and not 1 <= int(found[2]) <= 12):
        return date
    parts = [str(int(found[3]))] if found[3] else []
    if found[2]:
        parts.append(_MONTHS[int(found[2]) - 1][:letters])
    return " ".join([*parts, found[1]])


def time(date: str | None, *, brief: bool = False) -> Markup:
    """A `<time>` element, or the word `undated`."""
    text = escape(short(date) if brief else long(date))
    return Markup(f'<time datetime="{escape(date)}">{text}</time>') if date else Markup(text)


def is_bulk(date: str | None) -> bool:
    """Whether this is a day of bulk import rather than of issue."""
    return date in BULK_IMPORT_DATES
