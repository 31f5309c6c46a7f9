"""Rule numbers in a text, and sections of the tournament documents.

In: a text, the lives of all rules, the day it was written. Out: findings of the kinds `rule` and `policy`. A number
after "CR", "rule" or "§" is always one; a bare number only if it has the form and neighbourhood of one: `4.5 star`,
`$120.50` and `2-1` are none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Any

import yaml

from rulings.rules.history import History
from rulings.rules.number import RuleNumber, rule_number
from rulings.rules.resolve import Resolution, resolve
from search.lookup.dates import Day, days, nearest, whole_day
from search.lookup.findings import Finding

_NUMBER = r"\d{3}(?:\.\d{1,3}(?:\.?[a-zA-Z])?)?"
_PREFIXED = re.compile(
    rf"""(?<![\w.])(?:C\.?R\.?|comp(?:\.|rehensive)?[ ]rules?|rules?|sub-?rules?|sections?|sec\.|§{{1,2}})
    (?:[ ]*(?:no\.|number|nr\.?|\#|§|rule))?[\s:]*(?P<number>{_NUMBER})(?![\w%]|[.,]\d|-\w)""",
    re.IGNORECASE | re.VERBOSE,
)
_BARE = re.compile(r"(?<![\w.,$€£#/:+\-−])(?P<number>\d{3}\.\d{1,3}(?:\.?[a-zA-Z])?)(?![\w%€£$/]|[.,:]\d)")
_UNIT = re.compile(
    r"[ -]?(?:%|(?:percent|euros?|eur|usd|dollars?|bucks|pounds?|cents?|tix|tickets?|points?|stars?|kg|g|km|cm|mm|ms|"
    r"mb|gb|kb|mhz|ghz|fps|hours?|minutes?|seconds?|days?|people|players|cards|votes|million|billion|k)\b)",
    re.IGNORECASE,
)
_NO_RULE = re.compile(
    r"\b(?:room|phone|version|v|page|chapter|build|firmware|channel|fm|about|costs?|paid)[ .:]*$", re.I
)
_CONTEXT = re.compile(
    r"\b(?:rules?|ruling|CR|comp(?:rehensive)?|sections?|subrule|judges?|MTR|IPG|paragraph)\b|§", re.I
)
_POLICY = re.compile(
    r"""(?<![\w.])(?P<document>MTR|IPG|(?:Magic[ ])?Tournament[ ]Rules|Infraction[ ]Procedure[ ]Guide)
    (?:[ ]*(?:section|sec\.|§|rule|,|:|\#))*[ ]*(?P<number>\d{1,2}\.\d{1,2})(?![\w]|\.\d)""",
    re.IGNORECASE | re.VERBOSE,
)
_WILD = 15
"""A bare number that is further than this beyond the last of its section is no rule number: `120.50`."""


def rule_numbers(
    text: str, history: History | None, cited_on: str | None, taken: Sequence[tuple[int, int]] = ()
) -> list[Finding]:
    """The rule numbers in `text`, each with its verdict. Without rules in the base nothing can be said: none."""
    if history is None or not history.dates:
        return []
    named = [] if cited_on else [d for d in days(text) if not any(s <= d.start < e for s, e in taken)]
    context = bool(_CONTEXT.search(text))
    policy = [(m.start("number"), m.end("number")) for m in _POLICY.finditer(text)]
    found: dict[int, Finding] = {}
    for match in (*_PREFIXED.finditer(text), *_BARE.finditer(text)):
        start, end = match.span("number")
        number = rule_number(match["number"].replace(" ", ""))
        if start in found or number is None or any(s < end and start < e for s, e in (*taken, *policy)):
            continue
        if match.re is _BARE and not _plausible(text, start, end, number, history, context):
            continue
        if match.re is _PREFIXED and "." not in number and not _named_rule(match, number, history):
            continue
        found[start] = _finding(start, end, number, history, _day(named, text, start, cited_on))
    return [found[start] for start in sorted(found)]


def _plausible(text: str, start: int, end: int, number: RuleNumber, history: History, context: bool) -> bool:
    """Whether a bare number is one of a rule: its section exists, it is no amount of anything."""
    if _UNIT.match(text, end) or _NO_RULE.search(text[max(0, start - 12) : start]):
        return False
    section, _, rest = number.partition(".")
    last = _last_of(history).get(section)
    if last is None or int(re.sub(r"\D", "", rest)) > last + _WILD:
        return False
    return context or number[-1].isalpha() or bool(history.holders(number))


def _named_rule(match: re.Match[str], number: RuleNumber, history: History) -> bool:
    """`rule 704` is one, `rules 300 people` is none; only a plain "CR" or "§" makes an unknown number one."""
    if re.match(r"C\.?R|§", match.group(), re.IGNORECASE):
        return True
    return bool(history.holders(number)) and not _UNIT.match(match.string, match.end())


@lru_cache(maxsize=4)
def _last_of(history: History) -> dict[str, int]:
    """For each section (`702`) the greatest number (`.190`) that it ever had."""
    last: dict[str, int] = {}
    for life in history.lives:
        for stage in life.stages:
            section, dot, rest = stage.number.partition(".")
            if dot:
                last[section] = max(last.get(section, 0), int(re.sub(r"\D", "", rest)))
    return last


def _day(named: list[Day], text: str, start: int, cited_on: str | None) -> str | None:
    if cited_on:
        return whole_day(cited_on)
    day = nearest(named, text, start)
    return day.iso if day else None


def _finding(start: int, end: int, number: RuleNumber, history: History, day: str | None) -> Finding:
    got = resolve(history, number, day)
    verdict = {"same": "ok", "reworded": "ok", "now-something-else": "moved"}.get(got.status, got.status)
    today = str(got.today) if got.today else None
    return Finding(
        start, end, "rule", verdict, number=number, today=today, message=_message(number, got, history), cited_on=day
    )


def _message(number: RuleNumber, got: Resolution, history: History) -> str:
    effective = f"CR effective {history.dates[-1]}"
    if got.status == "unknown":
        return f"There is no rule {number}, and never was one in the versions known here ({effective})."
    note = f" ({got.note})" if got.note else ""
    if got.status == "removed":
        return f"Rule {number} is no more; no rule says this today ({effective}){note}."
    if got.status in ("moved", "now-something-else"):
        beside = f"; {number} is another rule today" if got.status == "now-something-else" else ""
        until = f"until {got.number_left_in} " if got.number_left_in else ""
        return f"This was {number} {until}and is {got.today} today{beside} ({effective}){note}."
    words = ", reworded since" if got.status == "reworded" else ""
    return f"CR {number}{words} ({effective}){note}."


@lru_cache(maxsize=1)
def _documents() -> dict[str, Any]:
    text = files(__package__).joinpath("policy.yaml").read_text("utf-8")
    data: dict[str, Any] = yaml.load(text, Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader))
    return data


def policy(text: str) -> list[Finding]:
    """The sections of the tournament documents that `text` refers to, named."""
    found = []
    for match in _POLICY.finditer(text):
        key = "IPG" if match["document"].upper().startswith(("IPG", "INF")) else "MTR"
        document, number = _documents()[key], match["number"]
        title = document["sections"].get(number)
        message = f"{document['title']} {number}" + (f", {title}." if title else ".")
        found.append(Finding(*match.span(), "policy", "named", number=f"{key} {number}", message=message))
    return found
