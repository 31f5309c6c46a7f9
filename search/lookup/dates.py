"""Days that a text names: when it, or the answer that it quotes, was written.

In: a text. Out: `Day`s with their place, as ISO dates; where only a month or a year is named, a day within it. Rule
numbers are read in the rules of that day.
"""

from __future__ import annotations

import calendar
import datetime
import re
from dataclasses import dataclass

_MONTHS = {name.lower(): number for number, name in enumerate(calendar.month_name) if name}
_MONTHS |= {name[:3]: number for name, number in _MONTHS.items()} | {"sept": 9}
_MONTH = "(?P<month>" + "|".join(sorted(_MONTHS, key=len, reverse=True)) + r")\.?"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_FORMS = [
    re.compile(rf"\b{_YEAR}-(?P<month>\d\d)(?:-(?P<day>\d\d))?\b"),
    re.compile(rf"\b{_DAY}(?: of)? {_MONTH},? {_YEAR}\b", re.IGNORECASE),
    re.compile(rf"\b{_MONTH} {_DAY},? {_YEAR}\b", re.IGNORECASE),
    re.compile(rf"\b{_MONTH}(?: of)?,? {_YEAR}\b", re.IGNORECASE),
]
_SLASHED = re.compile(rf"\b(?P<a>\d{{1,2}})(?P<sep>[./])(?P<b>\d{{1,2}})(?P=sep){_YEAR}\b")
_YEARLESS = [
    re.compile(rf"\b{_DAY}(?: of)? {_MONTH}\b(?!,? (?:19|20)\d\d)", re.IGNORECASE),
    re.compile(rf"\b{_MONTH} {_DAY}\b(?!,? (?:19|20)\d\d)", re.IGNORECASE),
]
_PAPER = r"(?:article|answer|post|thread|reply|blog|column|primer|faq|comment|episode|video|question|guide|book|list)"
_BARE_YEARS = [
    re.compile(
        rf"\b(?:in|from|of|since|dated|early|late|mid|circa|around|summer|winter|spring|autumn|fall)[ -]{_YEAR}\b", re.I
    ),
    re.compile(rf"\b{_YEAR}(?= {_PAPER}\b|'s {_PAPER}\b)", re.I),
]


@dataclass(frozen=True, slots=True)
class Day:
    """`iso` is the day to read the rules of; `vague` says that only a year is named."""

    start: int
    end: int
    iso: str
    vague: bool = False


def days(text: str) -> list[Day]:
    """The days named in `text`, in order; the vaguer ones only where no better one is named there."""
    found: list[Day] = []
    for form in _FORMS:
        for match in form.finditer(text):
            day = match.groupdict().get("day")
            _add(found, match, int(match["year"]), _month(match["month"]), int(day) if day else None)
    for match in _SLASHED.finditer(text):
        a, b = int(match["a"]), int(match["b"])
        # 13/06/2017 and 6/13/2017 are plain; 10/12/2017 is read in the American way, 10.12.2017 in the German.
        month, day_of = (b, a) if a > 12 or (match["sep"] == "." and b <= 12) else (a, b)
        _add(found, match, int(match["year"]), month, day_of)
    years = [(m.start(), m.end(), int(m["year"])) for form in _BARE_YEARS for m in form.finditer(text)]
    for form in _YEARLESS:
        for match in form.finditer(text):
            if years and not _taken(found, match.start(), match.end()):
                near = min(years, key=lambda y: abs(y[0] - match.start()))
                if abs(near[0] - match.start()) < 150:
                    _add(found, match, near[2], _month(match["month"]), int(match["day"]))
                    years = [y for y in years if y is not near]
    for start, end, year in years:
        if not _taken(found, start, end):
            found.append(Day(start, end, f"{year}-07-01", True))
    return sorted(found, key=lambda day: day.start)


def _month(text: str) -> int:
    return int(text) if text.isdigit() else _MONTHS[text.lower()]


def _taken(found: list[Day], start: int, end: int) -> bool:
    return any(day.start < end and start < day.end for day in found)


def _add(found: list[Day], match: re.Match[str], year: int, month: int, day: int | None) -> None:
    if not 1 <= month <= 12 or _taken(found, match.start(), match.end()):
        return
    last = calendar.monthrange(year, month)[1]
    if day is not None and not 1 <= day <= last:
        return
    # Of a month its end: what was current in it, or came to be.
    iso = datetime.date(year, month, day or last).isoformat()
    found.append(Day(match.start(), match.end(), iso))


def whole_day(cited_on: str) -> str:
    """A day given as `2019`, `2019-02` or `2019-02-11`, as a whole date."""
    parts = [int(part) for part in cited_on.split("-")]
    if len(parts) == 1:
        return f"{parts[0]:04}-07-01"
    if len(parts) == 2:
        return f"{parts[0]:04}-{parts[1]:02}-{calendar.monthrange(parts[0], parts[1])[1]:02}"
    return cited_on


_CUE = re.compile(
    r"\b(?:dated|posted|published|written|updated|writing|asked|answered|as of|answer of|checked|effective|from)\W+"
    r"(?:\w+\W+){0,2}$",
    re.IGNORECASE,
)


def nearest(found: list[Day], text: str, start: int) -> Day | None:
    """The day that belongs to what stands at `start`: of its own sentence if there is one, else of its paragraph, else
    one that the text calls its date. A lone year counts in its own sentence only."""

    def distance(day: Day) -> tuple[int, int]:
        between = text[min(day.end, start) : max(day.start, start)]
        apart = 2 if re.search(r"\n\s*\n", between) else 1 if re.search(r"[.!?]\s", between) else 0
        return apart, abs(day.start - start)

    def counts(day: Day) -> bool:
        apart = distance(day)[0]
        if apart == 0 or (apart == 1 and not day.vague):
            return True
        return not day.vague and bool(_CUE.search(text[max(0, day.start - 40) : day.start]))

    return min((day for day in found if counts(day)), key=distance, default=None)
