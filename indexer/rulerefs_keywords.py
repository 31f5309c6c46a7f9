"""The keywords that rulings name: how their names stand in texts, and the words by which texts are compared.

Keywords of a version of the rules and the lists of `rulerefs.yaml` in, `Keyword`s with their patterns and subrules out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from rulings.rules import ComprehensiveRules, KeywordList, RuleNumber
from rulings.rules.compare import words

_BEFORE = '(?:with|ha[sd]|have|gains?|its|the|an?|"|paying|pay)'
_AFTER = '(?= abilit| cost| counter|"|,|\\.| and| but| or| that| when| if|$)'
_SAID = r"(?='s\b| (?:is|isn't|represents|doesn't|means|can|causes?|triggers?|allows?)\b)"
_NAME_BEFORE = re.compile(r"[A-Z][\w']*(?: of| the| and| in)*$")
_NAME_AFTER = re.compile(r"[\w'-]+(?: of| the| and| in)* [A-Z]")
_STOP = frozenset(
    "the a an of to that this it its is are be was were as if or and in on for with from by at you your they their "
    "one other another will would may have has had not no so than then when there which who whose each any all".split()
)


def terms(text: str) -> frozenset[str]:
    """The words of a text by which it is compared: stems, without the commonest."""
    return frozenset(stem(w) for w in words(text) if not is_common(w))


def is_common(word: str) -> bool:
    """A word of which every text is full; `#` stands for the number of a rule."""
    return word in _STOP or word == "#"


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """A word without its commonest endings."""
    for ending in ("ing", "ied", "ies", "ed", "es", "s", "e"):
        if word.endswith(ending) and len(word) - len(ending) > 2:
            return word[: -len(ending)]
    return word


@dataclass(frozen=True, slots=True)
class Keyword:
    """A keyword, how it stands in rulings, and the rules that say what it does."""

    name: str
    patterns: tuple[str, ...]
    subrules: tuple[RuleNumber, ...]
    defined_in: RuleNumber
    own: frozenset[str]


def read_keywords(rules: ComprehensiveRules, known: KeywordList, data: Mapping[str, Any]) -> list[Keyword]:
    """The keywords whose name in a ruling says what it is about, with all the forms of the name."""
    common, everyday, forms = set(data["common_keywords"]), set(data["everyday_keywords"]), data["keyword_forms"]
    made = []
    for keyword in (*known.abilities, *known.actions):
        if keyword.name in common:
            continue
        stem = re.escape(keyword.name.removesuffix("e") if " " not in keyword.name else keyword.name)
        ways = [stem + r"(?:e|es|s|ed|d|ing|ting|ted)?", *forms.get(keyword.name, ())]
        if keyword.name in everyday:
            name = re.escape(keyword.name)
            ways = [
                rf"{_BEFORE} {name}{_AFTER}",
                rf"{name}(?= (?:abilit|costs?\b|cards?\b|spells?\b|trigger|keyword))",
                rf"(?:^|(?<=[.] )){name}{_SAID}",
                *forms.get(keyword.name, ()),
                *data["keyword_contexts"].get(keyword.name, ()),
            ]
        below = tuple(r.number for r in rules.children(keyword.number) if not r.is_heading) or (keyword.number,)
        patterns = tuple(rf"\b{way}\b(?!-)" for way in ways)
        made.append(Keyword(keyword.name, patterns, below, keyword.defined_in, terms(keyword.name)))
    return made


def is_name(original: str, at: int) -> bool:
    """A capital inside a sentence, beside another: part of a card's name ("Edgar's Awakening"), not a keyword."""
    if at >= len(original) or not original[at].isupper():
        return False
    before = original[:at].rstrip("\"'( ")
    if not before or before[-1] in ".!?:":
        return False
    return bool(_NAME_BEFORE.search(before) or _NAME_AFTER.match(original, at))
