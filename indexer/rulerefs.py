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

from indexer.rulerefs_match import Hit, Matcher, PatternSet, read_concepts
from rulings.rules import ComprehensiveRules, KeywordList, Rule, RuleNumber, keywords, rule_number
from rulings.rules.compare import words
from rulings.text import fold1, sentences

MAX_REFERENCES = 4
ENOUGH = 2.5
"""Evidence below this is silence."""
TIE = 0.02
"""What a topic adds: enough to decide between equals. With 0.4, 0.82 of first rules were right, not 0.90."""
EARLY = 0.1
"""What the first words of a ruling weigh more than the last words of its first sentence."""
SAYS_SOMETHING = 0.09
"""Share of words with the best subrule, the keyword's name apart, below which a text only mentions the keyword."""


@dataclass(frozen=True, slots=True)
class RuleReference:
    """A rule that bears on a ruling. `confidence` is between 0 and 1."""

    number: RuleNumber
    reason: str
    confidence: float


@cache
def _data() -> dict[str, Any]:
    data: dict[str, Any] = _load("rulerefs.yaml")
    return data


@cache
def _anchors() -> dict[str, str]:
    """The first words of each rule that the concepts name, as of the version they were written for."""
    return {str(number): str(start) for number, start in _load("rulerefs_anchors.yaml").items()}


def _load(name: str) -> Any:
    """One of our own data files; the C loader where PyYAML was built with it."""
    text = files("indexer").joinpath(name).read_text(encoding="utf-8")
    return yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))


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
        self._capitals = frozenset(str(word) for word in _data()["capitals"])
        self._keywords = _read_keywords(rules, keywords(rules))
        self._named = [at for at, keyword in enumerate(self._keywords) for _ in keyword.patterns]
        self._names = PatternSet([p for keyword in self._keywords for p in keyword.patterns], english)

    # ---- asking

    def bears(self, text: str, topics: Sequence[str] = ()) -> tuple[RuleReference, ...]:
        """The rules that bear on a ruling, best first, at most four; none where it only reads the card out."""
        original = fold1(text)
        folded = original.lower()
        first = sentences(folded)[0][1] if folded else 0
        example = min((at for at in (folded.find(words) for words in _EXAMPLES) if at >= 0), default=len(folded))
        evidence: dict[RuleNumber, tuple[float, str]] = {}
        for hit in self._matcher.match(folded):
            word = _WORD.match(folded, hit.start)
            if word and word[0] not in self._capitals and _is_name(original, hit.start):
                continue
            self._weigh(hit, first, example, evidence)
        self._weigh_keywords(original, first, example, evidence)
        if max((score for score, _ in evidence.values()), default=0.0) < ENOUGH:
            return ()
        self._weigh_topics(topics, evidence)
        ranked = sorted(evidence.items(), key=lambda item: (-item[1][0], item[0]))
        best = ranked[0][1][0]
        chosen = [item for item in ranked if item[1][0] >= best - 1.8][:MAX_REFERENCES]
        return tuple(RuleReference(n, why, _confidence(score)) for n, (score, why) in chosen)

    # ---- evidence

    def _weigh(self, hit: Hit, first: int, example: int, evidence: dict[RuleNumber, tuple[float, str]]) -> None:
        score = hit.concept.weight + 0.12 * min(hit.count - 1, 3) + _place(hit.start, first, example)
        for place, named in enumerate(hit.concept.rules):
            number = self.current(named)
            if number is not None:
                _add(evidence, number, score - 0.45 * place, hit.concept.why)

    def _weigh_keywords(
        self, original: str, first: int, example: int, evidence: dict[RuleNumber, tuple[float, str]]
    ) -> None:
        text = original.lower()
        found_at: dict[int, int] = {}
        for index, found in self._names.search(text):
            at = self._named[index]
            if not _is_name(original, found.start()):
                found_at[at] = min(found.start(), found_at.get(at, len(text)))
        said = _terms(text) if found_at else frozenset()
        for at, start in sorted(found_at.items()):
            keyword = self._keywords[at]
            about = said - keyword.own
            ranked = sorted(
                ((self._overlap(about, number) + (0.05 if number == keyword.defined_in else 0), number)
                 for number in keyword.subrules),
                key=lambda row: (-row[0], row[1]),
            )  # fmt: skip
            if ranked[0][0] < SAYS_SOMETHING:
                continue
            base = 4.3 + min(ranked[0][0], 0.4) + _place(start, first, example)
            for place, (_, number) in enumerate(ranked[:3]):
                _add(evidence, number, base - 0.5 * place, f"about {keyword.name}")

    def _overlap(self, said: frozenset[str], number: RuleNumber) -> float:
        """How much of the weight of the text's words the rule shares, 0 to 1, slightly damped for long rules."""
        theirs = self._said[number]
        total = sum(self._weight(w) for w in said) or 1.0
        common = sum(self._weight(w) for w in said & theirs)
        own = sum(self._weight(w) for w in theirs) or 1.0
        return float(common / (total**0.7 * own**0.3))

    def _weight(self, word: str) -> float:
        return log((len(self._said) + 1) / (self._spread.get(word, 0) + 1)) + 0.2

    def _weigh_topics(self, topics: Sequence[str], evidence: dict[RuleNumber, tuple[float, str]]) -> None:
        """Topics decide between rules that the text speaks of equally; they make none."""
        wanted = {section for key in topics for section in self.sections.get(key, ())}
        for number, (score, why) in list(evidence.items()):
            if any(number == s or (number.startswith(s) and not number[len(s)].isdigit()) for s in wanted):
                evidence[number] = (score + TIE, why)

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


def _place(start: int, first: int, example: int) -> float:
    """What a ruling is about stands in its first sentence, early rather than late; an example may speak of anything."""
    if start < min(first, example):
        return 0.4 + EARLY * (1 - start / first)
    return -0.6 if start >= example else 0.0


def _confidence(score: float) -> float:
    return round(min(0.97, max(0.05, (score - 1.5) / 4)), 2)


_EXAMPLES = ("for example", "(such as", "for instance", ", such as", "(for ")
_BEFORE = '(?:with|ha[sd]|have|gains?|its|the|an?|"|paying|pay)'
_AFTER = '(?= abilit| cost| counter|"|,|\\.| and|$)'
_WORD = re.compile(r"[a-z-]+")
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


@dataclass(frozen=True, slots=True)
class _Keyword:
    """A keyword, how it stands in rulings, and the rules that say what it does."""

    name: str
    patterns: tuple[str, ...]
    subrules: tuple[RuleNumber, ...]
    defined_in: RuleNumber
    own: frozenset[str]


def _read_keywords(rules: ComprehensiveRules, known: KeywordList) -> list[_Keyword]:
    """The keywords whose name in a ruling says what it is about, with all the forms of the name."""
    data = _data()
    common, everyday, forms = set(data["common_keywords"]), set(data["everyday_keywords"]), data["keyword_forms"]
    made = []
    for keyword in (*known.abilities, *known.actions):
        if keyword.name in common:
            continue
        stem = re.escape(keyword.name.rstrip("e") if " " not in keyword.name else keyword.name)
        ways = [stem + r"(?:e|es|s|ed|d|ing|ting|ted)?", *forms.get(keyword.name, ())]
        if keyword.name in everyday:
            name = re.escape(keyword.name)
            ways = [
                rf"{_BEFORE} {name}{_AFTER}",
                rf"{name}(?= (?:abilit|costs?\b|cards?\b|trigger|keyword))",
                *forms.get(keyword.name, ()),
                *data["keyword_contexts"].get(keyword.name, ()),
            ]
        below = tuple(r.number for r in rules.children(keyword.number) if not r.is_heading) or (keyword.number,)
        patterns = tuple(rf"\b{way}\b(?!-)" for way in ways)
        made.append(_Keyword(keyword.name, patterns, below, keyword.defined_in, _terms(keyword.name)))
    return made


def _is_name(original: str, at: int) -> bool:
    """A capital inside a sentence: part of a card's name ("Edgar's Awakening"), not a keyword."""
    if at >= len(original) or not original[at].isupper():
        return False
    before = original[:at].rstrip("\"'( ")
    return bool(before) and before[-1] not in ".!?:"
