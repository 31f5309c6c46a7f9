"""Dates and attribution lines in every natural form.

`read_date` makes an ISO date or says why not. `attribution` reads a line such as `Wotc — June 07, 2024`;
`split_attribution` finds one before or after a text in the same paragraph. Nothing is ever guessed: a date that
could be day or month first is refused unless the order is declared.
"""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass

MONTHS = "january february march april may june july august september october november december".split()
_MONTH_OF = {name: number for number, name in enumerate(MONTHS, 1)}
_MONTH_OF |= {name[:3]: number for name, number in _MONTH_OF.items()} | {"sept": 9}

_DASH = r"—–―‒‐‑−\-"
_WORD_MONTH = r"[A-Za-z]{3,9}\.?"
_WEEKDAY = r"(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day,?\s+|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\.?,?\s+)?"
_DATE = (
    r"(?:"
    rf"{_WEEKDAY}{_WORD_MONTH}\s+\d{{1,2}}(?:st|nd|rd|th)?,?\s+\d{{4}}"
    rf"|{_WEEKDAY}\d{{1,2}}(?:st|nd|rd|th)?\.?\s+(?:of\s+)?{_WORD_MONTH},?\s+\d{{4}}"
    r"|\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?:T[\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?"
    r"|\d{4}[‐‑–]\d{1,2}[‐‑–]\d{1,2}"
    r"|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}"
    r")"
)
_MONTH_FIRST = re.compile(rf"{_WEEKDAY}({_WORD_MONTH})\s+(\d{{1,2}})(?:st|nd|rd|th)?,?\s+(\d{{4}})")
_DAY_FIRST = re.compile(rf"{_WEEKDAY}(\d{{1,2}})(?:st|nd|rd|th)?\.?\s+(?:of\s+)?({_WORD_MONTH}),?\s+(\d{{4}})")
_YEAR_FIRST = re.compile(r"(\d{4})[-/.‐‑–](\d{1,2})[-/.‐‑–](\d{1,2})(?:T.*)?")
_NUMERIC = re.compile(r"(\d{1,2})([-/.])(\d{1,2})\2(\d{2,4})")


class DateError(ValueError):
    """A date that cannot be read. `kind` is `ambiguous-date`, `bad-date` or `no-month`."""

    def __init__(self, message: str, kind: str = "bad-date", hint: str = "") -> None:
        super().__init__(message)
        self.kind = kind
        self.hint = hint


def read_date(text: str, order: str | None = None) -> str:
    """The ISO date that `text` says. `order` (`dmy`, `mdy`) is used only where both readings are possible.

    Raises DateError, with kind `ambiguous-date` where a person has to say which it is.
    """
    text = " ".join(text.split())
    if found := _YEAR_FIRST.fullmatch(text):
        return _iso(text, int(found[1]), int(found[2]), int(found[3]))
    if found := _MONTH_FIRST.fullmatch(text):
        return _iso(text, int(found[3]), _month(found[1]), int(found[2]))
    if found := _DAY_FIRST.fullmatch(text):
        return _iso(text, int(found[3]), _month(found[2]), int(found[1]))
    found = _NUMERIC.fullmatch(text)
    if not found:
        raise DateError(f"not a date: {text!r}", hint="write it as 2024-06-07")
    first, second, year = int(found[1]), int(found[3]), int(found[4])
    if len(found[4]) != 4:
        raise DateError(f"the year of {text!r} has not four digits", hint="write it as 2024-06-07")
    if first > 12 or first == second:
        return _iso(text, year, second, first)
    if second > 12:
        return _iso(text, year, first, second)
    if order is None:
        readings = f"{_iso(text, year, second, first)} or {_iso(text, year, first, second)}"
        raise DateError(
            f"{text!r} may be {readings}", "ambiguous-date", "say which with --date-order dmy or --date-order mdy"
        )
    month, day = (second, first) if order == "dmy" else (first, second)
    return _iso(text, year, month, day)


def _month(word: str) -> int:
    number = _MONTH_OF.get(word.rstrip(".").lower())
    if number is None:
        raise DateError(f"no month is called {word!r}", "no-month")
    return number


def _iso(text: str, year: int, month: int, day: int) -> str:
    try:
        date = datetime.date(year, month, day)
    except ValueError:
        raise DateError(f"there is no such day: {text!r}") from None
    if not 1993 <= year < 2100:
        raise DateError(f"no ruling was published in {year}")
    return date.isoformat()


@dataclass(frozen=True, slots=True)
class Attribution:
    """Who issued a ruling and when. `date` is None where `error` says why the date, as `written`, cannot be used."""

    publisher: str | None
    date: str | None
    error: DateError | None = None
    written: str | None = None


_PUBLISHER = r"(?:wotc|wizards(?:\s+of\s+the\s+coast)?|scryfall|gatherer)"
_SEPARATOR = rf"[\s{_DASH}:,|·•(]+(?:on\s+)?"
_SAID = rf"(?:{_PUBLISHER}{_SEPARATOR})?{_DATE}(?:{_SEPARATOR}{_PUBLISHER})?"
_FULL = re.compile(
    rf"[\[({_DASH}\s]*(?:source:\s*)?(?:(?P<by>{_PUBLISHER}){_SEPARATOR})?(?P<date>{_DATE})"
    rf"(?:{_SEPARATOR}(?P<by2>{_PUBLISHER}))?[\])\s.:]*",
    re.IGNORECASE,
)
# A line that means to be an attribution and is none: publisher first and no more than a few words.
_SUSPECT = re.compile(rf"[\[(]?\s*{_PUBLISHER}\s*[{_DASH}:|(]\s*[^.]{{0,40}}\.?", re.IGNORECASE)
_REACH = 90  # an attribution is not longer
_AFTER = re.compile(
    rf"(?:(?<=\s)|(?<=[.!?\"”’)]))(?:[\[({_DASH}]\s*{_SAID}[\])]?|{_PUBLISHER}{_SEPARATOR}{_DATE})\.?\s*$",
    re.IGNORECASE,
)
_BEFORE = re.compile(
    rf"\s*(?P<mark>[\[(]{_SAID}[\])]\s*[:{_DASH}]?|{_SAID}\s*(?:[:{_DASH}|]|\t))\s*(?=\S)", re.IGNORECASE
)


def attribution(line: str, order: str | None = None) -> Attribution | None:
    """What a whole line says if it is an attribution, None if it is something else.

    A line that means to be one but has no date that can be read comes back with `error`.
    """
    line = " ".join(line.split())
    if len(line) > 100:
        return None
    found = _FULL.fullmatch(line)
    if found is None:
        if _SUSPECT.fullmatch(line):
            return Attribution(None, None, DateError(f"not a date in {line!r}", hint="write it as 2024-06-07"), line)
        return None
    publisher = _publisher(found["by"] or found["by2"])
    try:
        return Attribution(publisher, read_date(found["date"], order))
    except DateError as error:
        if publisher is None and error.kind == "no-month":
            return None  # "Area 51 1996" is a title, not a date
        return Attribution(publisher, None, error, found["date"])


def split_attribution(text: str, order: str | None = None) -> tuple[str, Attribution, str] | None:
    """The text, the attribution and its side of a paragraph that holds both: `... resolve. (2016-09-20)` (`after`),
    `[June 7, 2024] You may ...` (`before`). None where it holds no attribution."""
    tail = max(0, len(text) - _REACH)
    if (after := _AFTER.search(text, tail)) and text[: after.start()].strip():
        said = attribution(after.group().strip(" \t|:—–-"), order)
        if said:
            return text[: after.start()].rstrip(), said, "after"
    if (before := _BEFORE.match(text[: _REACH + 1])) and before.end() < len(text):
        said = attribution(before["mark"].strip(" \t|:—–-"), order)
        if said:
            return text[before.end() :], said, "before"
    return None


def _publisher(word: str | None) -> str | None:
    if word is None:
        return None
    return "scryfall" if word.lower() == "scryfall" else "wotc"
