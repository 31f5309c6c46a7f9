"""The fields of the query language: one table, from which parser, help and documentation are made."""

from __future__ import annotations

import calendar
import re
from dataclasses import dataclass
from datetime import date, timedelta
from difflib import get_close_matches

from rulings.errors import QueryError
from rulings.ids import parse_id
from rulings.language.query import CardCount, DateRange, FieldTerm, Leaf, RuleWord
from rulings.language.tokens import fold


@dataclass(frozen=True, slots=True)
class Field:
    """One field: its name, what it finds, examples (each one is a test), the operators it knows."""

    name: str
    finds: str
    examples: tuple[str, ...]
    operators: tuple[str, ...] = (":",)


COMPARE = (":", ">=", "<=", ">", "<", "=")
IS = ("shared", "variant", "undated", "damaged")
STATUS = ("current", "superseded", "withdrawn")
FIELDS: dict[str, Field] = {
    field.name: field
    for field in (
        Field("card", "rulings on a card, by any name it goes by, or on all cards with these words in the name",
              ('card:"Deadlock Trap" untapped', "card:opt")),
        Field("topic", "rulings with a topic", ("topic:energy", "topic:split-second")),
        Field("rule", "rulings on a rule and its subrules; with a full stop at the end, on that rule alone",
              ("rule:608.2", "rule:608.2.")),
        Field("source", "rulings from a source", ("source:wotc",)),
        Field("date", "rulings with a date in a year, month, day or range",
              ("date:2016", "date:2016-09", "date:2016..2018", "date:>=2024-03", "date<2010"), COMPARE),
        Field("year", "rulings of a year or a range of years", ("year:2016", "year:2016..2018"), COMPARE),
        Field("as-of", "rulings that had been published by a day", ("as-of:2019-06-01",)),
        Field("id", "the ruling with an id", ("id:r-0pcdnc32",)),
        Field("set", "rulings on cards of a set, by its code", ("set:kld",)),
        Field("type", "rulings on cards with a word in the type line", ("type:planeswalker",)),
        Field("status", f"rulings by status: {', '.join(STATUS)}", ("status:superseded",)),
        Field("is", f"rulings that are {', '.join(IS)}", ("is:shared", "is:variant")),
        Field("cards", "rulings by the number of cards they stand on", ("cards>=10", "cards:1", "cards:2..5"), COMPARE),
        Field("oracle", "rulings on cards whose Oracle text has a word or phrase",
              ('oracle:"can\'t be countered"', "oracle:landfall")),
    )
}  # fmt: skip

_DATE = re.compile(r"(\d{4})(?:-(\d{2}))?(?:-(\d{2}))?")
_RULE = re.compile(r"(\d{3})(?:\.(\d{1,3}[a-z]?))?(\.?)")
_WHOLE = re.compile(r"\d{1,6}")


def unknown(name: str, query: str, column: int) -> QueryError:
    """The error for a field that does not exist, with the nearest that does."""
    close = get_close_matches(name.lower(), FIELDS, n=1, cutoff=0.6)
    hint = f"did you mean {close[0]}:?" if close else f"fields: {', '.join(FIELDS)}"
    return QueryError(f"there is no field {name}:", query, column, f"{hint} (as a word: put a space after the sign)")


def read(name: str, operator: str, value: str, query: str, column: int, at: int) -> Leaf:
    """The node for `name` `operator` `value`; `column` is where the name stands, `at` where the value does."""
    field = FIELDS[name]
    if operator not in field.operators:
        raise QueryError(f"{name} knows only {' '.join(field.operators)}", query, at - len(operator), field.examples[0])
    if operator == ":" and ":" in field.operators and len(field.operators) > 1:
        for sign in (">=", "<=", ">", "<", "="):
            if value.startswith(sign):
                operator, value, at = sign, value[len(sign) :], at + len(sign)
                break
    if not value.strip():
        raise QueryError(f"{name}{operator} needs a value", query, at, f"for example {field.examples[0]}")
    match name:
        case "date" | "year" | "as-of":
            return _dates(name, operator, value, query, column, at)
        case "cards":
            return _count(operator, value, query, column, at)
        case "rule":
            found = _RULE.fullmatch(value.lower())
            if not found:
                raise QueryError("a rule number looks like 608.2, 608.2b or 608", query, at, "for example rule:608.2b")
            number = found[1] + (f".{found[2]}" if found[2] else "")
            return RuleWord(number, bool(found[3]), column)
        case "id":
            if not parse_id(value):
                raise QueryError(f"{value} is not the id of a ruling", query, at, "an id looks like r-0pcdnc32")
            return FieldTerm(name, str(parse_id(value)), column)
        case "is":
            return FieldTerm(name, _one_of(value, IS, query, at), column)
        case "status":
            return FieldTerm(name, _one_of(value, STATUS, query, at), column)
    return FieldTerm(name, fold(value.strip()) if name != "card" else value.strip(), column)


def _one_of(value: str, choices: tuple[str, ...], query: str, at: int) -> str:
    if value.lower() not in choices:
        raise QueryError(f"{value} is none of {', '.join(choices)}", query, at)
    return value.lower()


def _span(text: str, name: str, query: str, at: int) -> tuple[str, str]:
    """First and last day of a year, month or day."""
    found = _DATE.fullmatch(text)
    if not found or (name == "year" and found[2]):
        example = "2016" if name == "year" else "2016, 2016-09 or 2016-09-20"
        raise QueryError(
            f"{text or 'nothing'} is not a {'year' if name == 'year' else 'date'}", query, at, f"write {example}"
        )
    year, month, day = int(found[1]), int(found[2] or 0), int(found[3] or 0)
    if found[2] and not 1 <= month <= 12:
        raise QueryError(f"there is no month {found[2]}", query, at + 5)
    last = calendar.monthrange(max(year, 1), month or 12)[1]
    if found[3] and not 1 <= day <= last:
        raise QueryError(f"{found[1]}-{found[2]} has no day {found[3]}", query, at + 8)
    low = f"{found[1]}-{month or 1:02}-{day or 1:02}"
    return low, f"{found[1]}-{month or 12:02}-{day or last:02}"


def _shift(day: str, days: int) -> str:
    try:
        return (date.fromisoformat(day) + timedelta(days=days)).isoformat()
    except (OverflowError, ValueError):  # before year 1 or after year 9999: no ruling there either way
        return day


def _dates(name: str, operator: str, value: str, query: str, column: int, at: int) -> DateRange:
    low: str | None
    high: str | None
    if name == "as-of":
        return DateRange(name, None, _span(value, name, query, at)[1], column)
    if ".." in value:
        if operator not in (":", "="):
            raise QueryError("a range takes no sign", query, at, f"write {name}:2016..2018")
        first, _, second = value.partition("..")
        if not first and not second:
            raise QueryError(
                "a range needs an end", query, at, f"write {name}:2016..2018, {name}:2016.. or {name}:..2018"
            )
        low = _span(first, name, query, at)[0] if first else None
        high = _span(second, name, query, at + len(first) + 2)[1] if second else None
        if low and high and low > high:
            raise QueryError("the range runs backwards", query, at, f"write {name}:{second}..{first}")
        return DateRange(name, low, high, column)
    low, high = _span(value, name, query, at)
    match operator:
        case ">=":
            return DateRange(name, low, None, column)
        case "<=":
            return DateRange(name, None, high, column)
        case ">":
            return DateRange(name, _shift(high, 1), None, column)
        case "<":
            return DateRange(name, None, _shift(low, -1), column)
    return DateRange(name, low, high, column)


def _count(operator: str, value: str, query: str, column: int, at: int) -> CardCount:
    first, dots, second = value.partition("..")
    for part in (first, second) if dots else (first,):
        if not _WHOLE.fullmatch(part) and not (dots and not part):
            raise QueryError(f"{part or 'nothing'} is not a number of cards", query, at, "for example cards>=10")
    if dots:
        low, high = (int(part) if part else None for part in (first, second))
        return CardCount(low, high, column)
    number = int(first)
    match operator:
        case ">=":
            return CardCount(number, None, column)
        case "<=":
            return CardCount(None, number, column)
        case ">":
            return CardCount(number + 1, None, column)
        case "<":
            return CardCount(None, number - 1, column)
    return CardCount(number, number, column)
