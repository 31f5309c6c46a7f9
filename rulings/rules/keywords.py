"""The keywords that a version of the Comprehensive Rules knows, and which subrule defines each.

`ComprehensiveRules` in, `KeywordList` out. The lists are checked for plausible size and length of names, so that a
damaged or strange text cannot flood the topics; a list that fails is left empty and said to be a problem.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

import yaml

from rulings.errors import Problem
from rulings.rules.model import ComprehensiveRules, Rule
from rulings.rules.number import RuleNumber
from rulings.text import loose

MAX_WORDS = 5  # "Roll to Visit Your Attractions" and "More Than Meets the Eye" are the longest
BOUNDS = {"action": (30, 200), "ability": (100, 600), "ability-word": (20, 250)}
"""Plausible sizes of the three lists: 2017 had 38, 136 and 37, 2026 has 67, 191 and 66."""

_KIND = re.compile(
    r"^[^.]{1,60} (?:is|are) an? [a-z -]*?(?:ability|abilities)"
    r"(?: (?:that modifies the rules|of|found on|that functions)[^.(]*)?\.?"
    r"(?:\s*\(See [^)]*\)\.?)?(?:\s*The ability has no effect when [^.]*\.)?\s*(?:It(?: is|'s) written [^.]*\.)?\s*$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Keyword:
    """A keyword: its name in lower case, the rule that heads it, the subrule that says what it does."""

    name: str
    kind: str  # "action" | "ability" | "ability-word"
    number: RuleNumber
    defined_in: RuleNumber


@dataclass(frozen=True, slots=True)
class KeywordList:
    """All keywords of one version. `get` takes any case and typography."""

    actions: tuple[Keyword, ...] = ()
    abilities: tuple[Keyword, ...] = ()
    ability_words: tuple[Keyword, ...] = ()
    problems: tuple[Problem, ...] = ()
    _by_name: dict[str, Keyword] = field(init=False, repr=False, compare=False, hash=False)

    def __post_init__(self) -> None:
        by_name: dict[str, Keyword] = {}
        for keyword in (*self.abilities, *self.actions, *self.ability_words):
            by_name.setdefault(keyword.name, keyword)
        object.__setattr__(self, "_by_name", by_name)

    def get(self, name: str) -> Keyword | None:
        """The keyword of this name, or None."""
        return self._by_name.get(loose(name))

    def __iter__(self) -> Iterator[Keyword]:
        return iter((*self.actions, *self.abilities, *self.ability_words))


def keywords(rules: ComprehensiveRules) -> KeywordList:
    """The keyword actions (701), keyword abilities (702) and ability words (207.2c) of this version."""
    problems: list[Problem] = []
    lists = {
        "action": _headed(rules, "701", "action"),
        "ability": _headed(rules, "702", "ability"),
        "ability-word": _ability_words(rules),
    }
    for kind, found in lists.items():
        low, high = BOUNDS[kind]
        if not low <= len(found) <= high:
            message = f"{len(found)} names of kind {kind} in the rules of {rules.effective}; expected {low} to {high}"
            problems.append(Problem("comprehensive rules", message, "the shipped list is used", kind="keyword-count"))
            lists[kind] = []
    return KeywordList(tuple(lists["action"]), tuple(lists["ability"]), tuple(lists["ability-word"]), tuple(problems))


def _headed(rules: ComprehensiveRules, whole: str, kind: str) -> list[Keyword]:
    found = []
    for heading in rules.children(whole):
        if heading.is_heading:
            for name in _names(heading.text):
                if len(name.split()) <= MAX_WORDS:
                    found.append(Keyword(name, kind, heading.number, _defining(rules, heading, name)))
    return found


def _names(title: str) -> list[str]:
    """`Tap and Untap` are two keywords, `Daybound and Nightbound` too; `∞ (Infinity)` goes by two names."""
    text = loose(title)
    if bracket := re.fullmatch(r"(.+?)\s*\((.+)\)", text):
        return [bracket[1], bracket[2]]
    pair = re.fullmatch(r"(\w+) and (\w+)", text)
    return [pair[1], pair[2]] if pair else [text]


def _ability_words(rules: ComprehensiveRules) -> list[Keyword]:
    rule = next((r for r in rules.children("207.2") if "ability words are" in r.text), None)
    if rule is None:
        return []
    listed = loose(rule.text.rpartition("ability words are")[2]).rstrip(". ")
    names = [re.sub(r"^and ", "", name.strip()) for name in listed.split(",")]
    return [Keyword(n, "ability-word", rule.number, rule.number) for n in names if n and len(n.split()) <= MAX_WORDS]


def _defining(rules: ComprehensiveRules, heading: Rule, name: str) -> RuleNumber:
    """The subrule that says what the keyword does: not its heading, and not "Deathtouch is a static ability."""
    children = rules.children(heading.number)
    if not children:
        return heading.number
    said = {child.number: loose(child.text) for child in children}
    if phrase := terms()["defined_by"].get(name):
        for number, text in said.items():
            if loose(phrase) in text:
                return number
    quoted = re.escape(name)
    first_word = re.escape(name.split()[0])
    for form in (
        rf'"?{quoted}\b"?[^."]{{0,30}}"? means,? "',
        rf'^(?:for a player to|to) "?(?:{quoted}|{first_word})\b',
    ):
        for number, text in said.items():
            if re.search(form, text):
                return number
    for number, text in said.items():
        if not _KIND.match(text.replace("{", "").replace("}", "")):
            return number
    return children[0].number


@cache
def terms() -> dict[str, dict[str, str]]:
    """The shipped data of `terms.yaml`, folded."""
    data = yaml.safe_load(files("rulings.rules").joinpath("terms.yaml").read_text(encoding="utf-8"))
    return {
        "aliases": {loose(a): loose(b) for a, b in data["aliases"].items()},
        "defined_by": {loose(a): b for a, b in data["defined_by"].items()},
    }
