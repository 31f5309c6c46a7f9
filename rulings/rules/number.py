"""Numbers of the Comprehensive Rules: `7`, `702`, `702.15`, `702.15b`; how people write and cite them.

Strings in, `RuleNumber`s out. Nothing here knows whether a rule of that number exists.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NewType

RuleNumber = NewType("RuleNumber", str)
"""A section (`7`), a rule (`702`), a numbered rule (`702.15`) or a subrule (`702.15b`); made by `rule_number` only."""

LETTERS = "abcdefghijkmnpqrstuvwxyz"
"""The letters of subrules: the rules skip l and o, which look like digits."""

_FORM = re.compile(rf"(\d)(?:(\d\d)(?:\.(\d{{1,3}})\.?([{LETTERS}])?)?)?", re.IGNORECASE)
_WRITTEN = re.compile(
    r"""\s*\[?\(?\s*
        (?:(?:magic\s+)?(?:c\.?\s*r\.?|mtg\s*cr|comp(?:\.|rehensive)?\s+rules?|sub-?rules?|rules?|sections?|sec\.|§{1,2}|r\.)
        (?:\s*(?:no\.|number|\#|§|rule))?[\s:.]*)?
        (?P<number>\d(?:\d\d(?:\.\d{1,3}(?:(?:\.|\s)?[a-z])?)?)?)
        (?:(?:-|\u2013|\s+to\s+)(?P<to>[a-z]|\d{1,3}[a-z]?|\d{3}\.\d{1,3}[a-z]?))?
        (?P<dot>\.)?\s*\)?\]?\s*""",
    re.IGNORECASE | re.VERBOSE,
)
_CITED = re.compile(
    r"""(?<![\w.$/+\-])
        (?:(?P<dotted>\d{3}\.\d{1,3}[a-z]?)(?:(?:-|\u2013)(?P<to>\d{1,3}[a-z]?|[a-z])(?!\w|\.\d))?
         |(?:(?<=rule\s)|(?<=rules\s)|(?<=CR\s)|(?<=Rule\s))(?P<whole>\d{3}))
        (?![\w/]|\.\d)""",
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Reference:
    """A number that somebody wrote. `alone` (a full stop after the number): the rule without its children.

    `to` is the last number of a range (`510.1c-d`). `start` and `end` count characters where it stood in a text.
    """

    number: RuleNumber
    alone: bool = False
    to: RuleNumber | None = None
    start: int = 0
    end: int = 0


def rule_number(text: str) -> RuleNumber | None:
    """The rule number that `text` is, or None where it has not the form of one.

    Leading zeros of the middle part and a dot before the letter are forgiven, case is folded, l and o are refused.

    >>> rule_number("702.15B")
    '702.15b'
    """
    found = _FORM.fullmatch(text.strip())
    if not found or found[1] == "0":
        return None
    section, rest, middle, letter = found.groups()
    if rest is None:
        return RuleNumber(section)
    if middle is None:
        return RuleNumber(section + rest)
    if int(middle) == 0:
        return None
    return RuleNumber(f"{section}{rest}.{int(middle)}{(letter or '').lower()}")


def read(text: str) -> Reference | None:
    """What a person who asks for a rule means: `702.15b`, `CR 702.15b`, `rule 702.15`, `§702.15b`, `702.15.` (alone).

    None where `text` is anything else or goes on after the number.
    """
    found = _WRITTEN.fullmatch(text)
    if not found:
        return None
    number = rule_number("".join(found["number"].split()))
    if number is None:
        return None
    return Reference(number, alone=found["dot"] is not None, to=_range_end(number, found["to"]))


def find(text: str) -> Iterator[Reference]:
    """The rules that a text cites: numbers with a dot anywhere, whole rules (`704`) only after the word rule or CR."""
    for found in _CITED.finditer(text):
        number = rule_number(found["dotted"] or found["whole"])
        if number is not None:
            start, end = found.span()
            yield Reference(number, to=_range_end(number, found["to"]), start=start, end=end)


def _range_end(number: RuleNumber, tail: str | None) -> RuleNumber | None:
    if not tail:
        return None
    if tail.isalpha():
        return rule_number(number[:-1] + tail) if number[-1].isalpha() else None
    if "." in tail:
        return rule_number(tail)
    return rule_number(number[:4] + tail) if "." in number else None


def parent(number: RuleNumber) -> RuleNumber | None:
    """The number one level up: `702.15b` -> `702.15` -> `702` -> `7` -> None."""
    if number[-1].isalpha():
        return RuleNumber(number[:-1])
    if "." in number:
        return RuleNumber(number[:3])
    return RuleNumber(number[0]) if len(number) == 3 else None


def sort_key(number: RuleNumber) -> tuple[int, int, int, str]:
    """Orders numbers as the rules do: 702.9 before 702.15, 702.15 before 702.15a."""
    whole, _, tail = number.partition(".")
    digits = tail.rstrip(LETTERS)
    return int(whole[0]), int(whole), int(digits or 0), tail[len(digits) :]
