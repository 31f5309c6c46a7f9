"""The rules that bear on a ruling, each with its reason and a confidence; silence where it only reads the card out.

A ruling's text and a version of the Comprehensive Rules in, up to four `RuleReference`s out, best first. Three sources
of evidence: concepts (rules English that stands for one rule, `rulerefs.yaml`), keywords that the text names (the
subrule of that keyword that shares most words with the text), and the topics of the ruling where they are known.
Nothing here reads cards or other rulings.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import log
from typing import Any

import yaml

from indexer.rulerefs_match import Hit, Matcher, read_concepts
from rulings.rules import ComprehensiveRules, KeywordList, Rule, RuleNumber, keywords, rule_number
from rulings.rules.compare import words
from rulings.text import fold1, sentences

MAX_REFERENCES = 4
ENOUGH = 2.5
"""Evidence below this is silence."""


@dataclass(frozen=True, slots=True)
class RuleReference:
    """A rule that bears on a ruling. `confidence` is between 0 and 1."""

    number: RuleNumber
    reason: str
    confidence: float


@cache
def _data() -> dict[str, Any]:
    data: dict[str, Any] = yaml.safe_load(files("indexer").joinpath("rulerefs.yaml").read_text(encoding="utf-8"))
    return data


@cache
def _anchors() -> dict[str, str]:
    """The first words of each rule that the concepts name, as of the version they were written for."""
    text = files("indexer").joinpath("rulerefs_anchors.yaml").read_text(encoding="utf-8")
    return {str(number): str(start) for number, start in yaml.safe_load(text).items()}


class RuleIndex:
    """One version of the rules, made ready for asking. Build it once, ask it for every ruling.

    `sections` gives the rules of each topic key (from the topic vocabulary), where topics are to count.
    """

    def __init__(self, rules: ComprehensiveRules, sections: Mapping[str, Sequence[str]] | None = None) -> None:
        self.rules = rules
        self.sections = dict(sections or {})
        self._spread: Counter[str] = Counter()
        self._said: dict[RuleNumber, frozenset[str]] = {}
        for rule in rules.rules:
            said = _terms(" ".join((rule.text, *rule.examples)))
            self._said[rule.number] = said
            self._spread.update(said)
        english = "\n".join(fold1(rule.text).lower() for rule in rules.rules)
        self._matcher = Matcher(read_concepts(_data()["concepts"]), english)
        self._number: dict[str, RuleNumber | None] = {}
        self._keywords = _keyword_patterns(keywords(rules))

    # ---- asking

    def bears(self, text: str, topics: Sequence[str] = ()) -> tuple[RuleReference, ...]:
        """The rules that bear on a ruling, best first, at most four; none where it only reads the card out."""
        folded = fold1(text).lower()
        first = sentences(folded)[0][1] if folded else 0
        evidence: dict[RuleNumber, tuple[float, str]] = {}
        for hit in self._matcher.match(folded):
            self._weigh(hit, first, evidence)
        self._weigh_keywords(folded, first, evidence)
        self._weigh_topics(topics, evidence)
        ranked = sorted(evidence.items(), key=lambda item: (-item[1][0], item[0]))
        if not ranked or ranked[0][1][0] < ENOUGH:
            return ()
        best = ranked[0][1][0]
        chosen = [item for item in ranked if item[1][0] >= best - 1.8][:MAX_REFERENCES]
        return tuple(RuleReference(n, why, _confidence(score)) for n, (score, why) in chosen)

    # ---- evidence

    def _weigh(self, hit: Hit, first: int, evidence: dict[RuleNumber, tuple[float, str]]) -> None:
        score = hit.concept.weight + 0.12 * min(hit.count - 1, 3)
        if hit.start < first:
            score += 0.2
        for place, named in enumerate(hit.concept.rules):
            number = self.current(named)
            if number is not None:
                _add(evidence, number, score - 0.45 * place, hit.concept.why)

    def _weigh_keywords(self, text: str, first: int, evidence: dict[RuleNumber, tuple[float, str]]) -> None:
        for name, pattern, heading, defined_in in self._keywords:
            found = pattern.search(text)
            if not found:
                continue
            said = _terms(text)
            subrules = [r for r in self.rules.children(heading) if not r.is_heading] or [self.rules.get(heading)]
            ranked = sorted(
                ((self._overlap(said, r) + (0.12 if r.number == defined_in else 0), r.number) for r in subrules if r),
                key=lambda row: (-row[0], row[1]),
            )
            base = 4.25 + (0.35 if found.start() < first else 0)
            for place, (_, number) in enumerate(ranked[:3]):
                _add(evidence, number, base - 0.5 * place, f"about {name}")

    def _overlap(self, said: frozenset[str], rule: Rule) -> float:
        """How much of the weight of the text's words the rule shares, 0 to 1, slightly damped for long rules."""
        theirs = self._said[rule.number]
        total = sum(self._weight(w) for w in said) or 1.0
        common = sum(self._weight(w) for w in said & theirs)
        own = sum(self._weight(w) for w in theirs) or 1.0
        return float(common / (total**0.6 * own**0.4))

    def _weight(self, word: str) -> float:
        return log((len(self._said) + 1) / (self._spread.get(word, 0) + 1)) + 0.2

    def _weigh_topics(self, topics: Sequence[str], evidence: dict[RuleNumber, tuple[float, str]]) -> None:
        """Topics support a rule that the text speaks of; they make none."""
        wanted = {section for key in topics for section in self.sections.get(key, ())}
        for number, (score, why) in list(evidence.items()):
            if any(number == s or number.startswith(s) and not number[len(s)].isdigit() for s in wanted):
                evidence[number] = (score + 0.4, why)

    # ---- numbers

    def current(self, named: str) -> RuleNumber | None:
        """Where the rule that the data calls `named` stands in this version, by its first words."""
        if named not in self._number:
            self._number[named] = self._find(named)
        return self._number[named]

    def _find(self, named: str) -> RuleNumber | None:
        rule = self.rules.get(named)
        start = _anchors().get(named)
        if start is None:
            return rule.number if rule else None
        if rule and _same_start(rule, start):
            return rule.number
        moved = next((r.number for r in self.rules.rules if _same_start(r, start)), None)
        return moved or (rule.number if rule and rule_number(named) and not moved and _shares(rule, start) else None)


def bears(
    text: str,
    topics: Sequence[str],
    rules: ComprehensiveRules,
    sections: Mapping[str, Sequence[str]] | None = None,
) -> tuple[RuleReference, ...]:
    """The rules that bear on one ruling. For many rulings build a `RuleIndex` and ask that."""
    return RuleIndex(rules, sections).bears(text, topics)


def anchor(rule: Rule) -> str:
    """The words that a rule is recognised by in another version."""
    return " ".join(words(rule.text)[:9])


def _same_start(rule: Rule, start: str) -> bool:
    return anchor(rule) == start


def _shares(rule: Rule, start: str) -> bool:
    wanted = set(start.split())
    return 2 * len(wanted & set(anchor(rule).split())) >= len(wanted)


def _add(evidence: dict[RuleNumber, tuple[float, str]], number: RuleNumber, score: float, why: str) -> None:
    before = evidence.get(number)
    if before is None:
        evidence[number] = (score, why)
    else:
        high, low = max(before[0], score), min(before[0], score)
        evidence[number] = (high + max(low, 0) * 0.05, before[1] if before[0] >= score else why)


def _confidence(score: float) -> float:
    return round(min(0.97, max(0.05, (score - 1.5) / 4)), 2)


_STOP = frozenset(
    "the a an of to that this it its is are be was were as if or and in on for with from by at you your they their "
    "one other another will would may have has had not no so than then when there which who whose each any all".split()
)


def _terms(text: str) -> frozenset[str]:
    """The words of a text by which it is compared: stems, without the commonest."""
    return frozenset(_stem(w) for w in words(text) if w not in _STOP and w != "#")


def _stem(word: str) -> str:
    for ending in ("ing", "ied", "ies", "ed", "es", "s", "e"):
        if word.endswith(ending) and len(word) - len(ending) > 2:
            return word[: -len(ending)]
    return word


def _keyword_patterns(known: KeywordList) -> list[tuple[str, re.Pattern[str], RuleNumber, RuleNumber]]:
    """The keywords whose name in a ruling is enough to say what it is about, with all the forms of the name."""
    common = set(_data()["common_keywords"])
    forms = _data()["keyword_forms"]
    patterns = []
    for keyword in (*known.abilities, *known.actions):
        if keyword.name in common:
            continue
        stem = re.escape(keyword.name.rstrip("e") if " " not in keyword.name else keyword.name)
        ways = [stem + r"(?:e|es|s|ed|d|ing|ting|ted|er)?", *forms.get(keyword.name, ())]
        edge = r"(?<![\w-])(?:" + "|".join(ways) + r")(?![\w-])"
        patterns.append((keyword.name, re.compile(edge), keyword.number, keyword.defined_in))
    return patterns
