"""The rules that bear on a ruling, each with its reason and a confidence; silence where it only reads the card out.

A ruling's text and a version of the Comprehensive Rules in, up to four `RuleReference`s out, best first. Sources of
evidence: rule numbers that the text names, concepts (rules English that stands for one rule, `rulerefs.yaml` and
`rulerefs_phrases.yaml`), keywords that the text names (the subrule of that keyword that shares most words with the
text), and the topics of the ruling where they are known. Where the ruling's card is given, its rules text tells
whether the ruling says more than the card. Without any version of the rules, `RuleIndex(None)` gives the few numbers
that are beyond doubt, as of `SHIPPED_EFFECTIVE`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from math import log
from typing import Any

import yaml

from indexer.rulerefs_keywords import Keyword, is_name, read_keywords, terms
from indexer.rulerefs_match import Hit, Matcher, PatternSet, read_concepts
from indexer.rulerefs_restate import ALWAYS_ENOUGH, wanted
from rulings.model import Card
from rulings.rules import ComprehensiveRules, Rule, RuleNumber, find, keywords, rule_number
from rulings.rules.compare import words
from rulings.text import fold1, sentences

SHIPPED_EFFECTIVE = "2026-04-17"
"""The version of the Comprehensive Rules whose numbers the data files use."""
SURE = 0.95
"""Confidence from which a rule is beyond doubt. Only rows marked `sure`, and rules that a ruling names, reach it."""
MAX_REFERENCES = 4
TIE = 0.02
"""What a topic adds: enough to decide between equals. With 0.4, 0.82 of first rules were right, not 0.90."""
EARLY = 0.1
"""What the first words of a ruling weigh more than the last words of its first sentence."""
SAYS_SOMETHING = 0.09
"""Share of words with the best subrule, the keyword's name apart, below which a text only mentions the keyword."""
SUBJECT, OPENING = 0.3, 16
"""What a keyword weighs more where it stands among the first letters of a ruling: it is what the ruling is about."""
DEFINES = 0.12
"""What speaks for the subrule that says what a keyword is, against its other subrules."""
ALIKE = 1.5
"""What a rule's own words weigh: the share that it has in common with the ruling, times this."""
NAMED = 0.08
"""What a rule that a ruling names must share with it in words to be beyond doubt."""
QUOTED = 1.0
"""What words inside a quoted ability, or in brackets, weigh less: they are not what the ruling is about."""

Carry = Callable[[RuleNumber, str | None], RuleNumber | None]
"""A rule number as cited on a date (ISO, None if unknown) in, today's number out, None where there is none."""


@dataclass(frozen=True, slots=True)
class RuleReference:
    """A rule that bears on a ruling. `confidence` is between 0 and 1."""

    number: RuleNumber
    reason: str
    confidence: float


@dataclass(frozen=True, slots=True)
class _Evidence:
    """What speaks for one rule."""

    score: float
    why: str
    sure: bool = False


@cache
def _data() -> dict[str, Any]:
    data: dict[str, Any] = _load("rulerefs.yaml")
    return data


@cache
def _phrases() -> list[dict[str, Any]]:
    """Set phrases of rulings; those marked `sure` are beyond doubt."""
    rows: list[dict[str, Any]] = _load("rulerefs_phrases.yaml")["concepts"]
    return rows


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

    `sections` gives the rules of each topic key (from the topic vocabulary), where topics are to count. `carry`
    brings a number that a ruling names to today's; without it a number counts if it exists. `rules` None: only what
    is beyond doubt, by the numbers of `SHIPPED_EFFECTIVE`.
    """

    def __init__(
        self,
        rules: ComprehensiveRules | None,
        sections: Mapping[str, Sequence[str]] | None = None,
        carry: Carry | None = None,
    ) -> None:
        self.rules = rules
        self.sections = dict(sections or {})
        self._carry = carry
        spread: Counter[str] = Counter()
        self._said: dict[RuleNumber, frozenset[str]] = {}
        self._own: dict[RuleNumber, float] = {}
        self._weights: dict[str, float] = {}
        self._rarest = 1.0
        self._number: dict[str, RuleNumber | None] = {}
        self._keywords: list[Keyword] = []
        if rules is None:
            self._matcher = Matcher(read_concepts([row for row in _phrases() if row.get("sure")]), "")
        else:
            for rule in rules.rules:
                said = terms(" ".join((rule.text, *rule.examples)))
                self._said[rule.number] = said
                spread.update(said)
            count = len(rules.rules) + 1
            self._weights = {word: log(count / (n + 1)) + 0.2 for word, n in spread.items()}
            self._rarest = log(count) + 0.2
            self._own = {number: (sum(map(self._weight, said)) or 1.0) ** 0.3 for number, said in self._said.items()}
            english = "\n".join(fold1(rule.text).lower() for rule in rules.rules)
            self._matcher = Matcher(read_concepts([*_data()["concepts"], *_phrases()]), english)
            self._keywords = read_keywords(rules, keywords(rules), _data())
            self._names = PatternSet([p for keyword in self._keywords for p in keyword.patterns], english)
        self._named = [at for at, keyword in enumerate(self._keywords) for _ in keyword.patterns]

    # ---- asking

    def bears(
        self, text: str, topics: Sequence[str] = (), card: Card | None = None, cited_on: str | None = None
    ) -> tuple[RuleReference, ...]:
        """The rules that bear on a ruling, best first, at most four; none where it only reads the card out.

        `card` is the card that the ruling is about, if it is about one; `cited_on` the day the ruling was published.
        """
        original = fold1(_without_name(text, card))
        folded = original.lower()
        said = terms(folded)
        named = self._named_in(text, said, cited_on)
        evidence: dict[RuleNumber, _Evidence] = {}
        for hit, score, sure in self._hits(original, folded):
            for place, number in enumerate(hit.concept.rules):
                current = self.current(number)
                if current is not None:
                    _add(evidence, current, _Evidence(score - 0.45 * place, hit.concept.why, sure and place == 0))
        if self.rules is None:
            evidence = {number: found for number, found in evidence.items() if found.sure}
        else:
            self._weigh_keywords(original, said, evidence)
        if not evidence or self._only_reads_out(folded, said, evidence, card):
            return named
        self._weigh_words(said, evidence)
        self._weigh_topics(topics, evidence)
        ranked = sorted(evidence.items(), key=lambda item: (not item[1].sure, -item[1].score, item[0]))
        best = max(found.score for found in evidence.values())
        chosen = [
            RuleReference(number, found.why, _confidence(found))
            for number, found in ranked
            if found.score >= best - 1.8 or found.sure
        ]
        there = {reference.number for reference in named}
        return (*named, *(c for c in chosen if c.number not in there))[:MAX_REFERENCES]

    def _named_in(self, text: str, said: frozenset[str], cited_on: str | None) -> tuple[RuleReference, ...]:
        """The rules that the ruling itself names, by today's numbers. Where the number that was carried to today and
        the number as it stands are two rules, the one in the ruling's words is meant: the version that the ruling
        was written from may be missing."""
        found: dict[RuleNumber, RuleReference] = {}
        for number in dict.fromkeys(reference.number for reference in find(text)):
            meant = number if number in _anchors() else None
            likeness = 0.0
            if self.rules is not None:
                total = self._total(said)
                meant = number if self.rules.get(number) else None
                likeness = self._overlap(said, total, meant) if meant else 0.0
                if self._carry and likeness < 2 * NAMED:  # carrying takes seconds
                    carried = self._carry(number, cited_on)
                    if carried and self.rules.get(carried) and self._overlap(said, total, carried) > likeness:
                        meant, likeness = carried, self._overlap(said, total, carried)
            if meant is not None:
                sure = likeness >= NAMED
                found[meant] = RuleReference(meant, "the ruling names it", 0.97 if sure else SURE - 0.01)
        return tuple(found.values())[:MAX_REFERENCES]

    # ---- evidence

    def _hits(self, original: str, folded: str) -> list[tuple[Hit, float, bool]]:
        """The concepts that the text speaks of, how much each counts, and whether it is beyond doubt."""
        first, example = _layout(folded)
        quoted = [found.span() for found in _QUOTED.finditer(folded)]
        hits = []
        for hit in self._matcher.match(folded):
            word = _WORD.match(folded, hit.start)
            if word and word[0] not in self._capitals and is_name(original, hit.start):
                continue
            score = hit.concept.weight + 0.12 * min(hit.count - 1, 3) + _place(hit.start, first, example)
            if any(start <= hit.start and hit.end <= end for start, end in quoted):
                score -= QUOTED
            hits.append((hit, score, hit.concept.sure and hit.start < example))
        return hits

    @property
    def _capitals(self) -> frozenset[str]:
        return _capital_words()

    def _only_reads_out(
        self, folded: str, said: frozenset[str], evidence: Mapping[RuleNumber, _Evidence], card: Card | None
    ) -> bool:
        """Whether the ruling says no more than the card: the evidence is weak for what it repeats."""
        best = max(found.score for found in evidence.values())
        if best >= ALWAYS_ENOUGH or any(found.sure for found in evidence.values()):
            return False
        on_card = ""
        if card is not None:
            faces = (f"{face.oracle_text} {face.type_line}" for face in card.faces)
            on_card = fold1(_without_name(" ".join((card.oracle_text, card.type_line, *faces)), card)).lower()
        enough = wanted(folded, said, terms(on_card), self._weight)
        return best < enough

    def _weigh_keywords(self, original: str, said: frozenset[str], evidence: dict[RuleNumber, _Evidence]) -> None:
        text = original.lower()
        first, example = _layout(text)
        found_at: dict[int, int] = {}
        for index, found in self._names.search(text):
            at = self._named[index]
            if not is_name(original, found.start()):
                found_at[at] = min(found.start(), found_at.get(at, len(text)))
        for at, start in sorted(found_at.items()):
            keyword = self._keywords[at]
            about = said - keyword.own
            total = self._total(about)
            ranked = sorted(
                ((self._overlap(about, total, number) + (DEFINES if number == keyword.defined_in else 0), number)
                 for number in keyword.subrules),
                key=lambda row: (-row[0], row[1]),
            )  # fmt: skip
            if ranked[0][0] < SAYS_SOMETHING:
                continue
            base = 4.3 + min(ranked[0][0], 0.4) + _place(start, first, example) + (SUBJECT if start < OPENING else 0)
            for place, (_, number) in enumerate(ranked[:3]):
                _add(evidence, number, _Evidence(base - 0.5 * place, f"about {keyword.name}"))

    def _weigh_words(self, said: frozenset[str], evidence: dict[RuleNumber, _Evidence]) -> None:
        """Of the rules that could be meant, those in the ruling's own words."""
        if self.rules is None:
            return
        total = self._total(said)
        for number, found in list(evidence.items()):
            evidence[number] = replace(found, score=found.score + ALIKE * self._overlap(said, total, number))

    def _overlap(self, said: frozenset[str], total: float, number: RuleNumber) -> float:
        """How much of the weight of the text's words (`total`) the rule shares, 0 to 1, damped for long rules."""
        common = sum(map(self._weight, said & self._said[number]))
        return float(common / (total**0.7 * self._own[number]))

    def _total(self, said: frozenset[str]) -> float:
        return sum(map(self._weight, said)) or 1.0

    def _weight(self, word: str) -> float:
        return self._weights.get(word) or self._rarest

    def _weigh_topics(self, topics: Sequence[str], evidence: dict[RuleNumber, _Evidence]) -> None:
        """Topics decide between rules that the text speaks of equally; they make none."""
        wanted = {section for key in topics for section in self.sections.get(key, ())}
        for number, found in list(evidence.items()):
            if any(number == s or (number.startswith(s) and not number[len(s)].isdigit()) for s in wanted):
                evidence[number] = replace(found, score=found.score + TIE)

    # ---- numbers

    def current(self, named: str) -> RuleNumber | None:
        """Where the rule that the data calls `named` stands in this version, by its first words."""
        if named not in self._number:
            self._number[named] = self._find(named)
        return self._number[named]

    def _find(self, named: str) -> RuleNumber | None:
        if self.rules is None:
            return rule_number(named)
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


def _add(evidence: dict[RuleNumber, _Evidence], number: RuleNumber, new: _Evidence) -> None:
    before = evidence.get(number)
    if before is None:
        evidence[number] = new
    else:
        high, low = (before, new) if before.score >= new.score else (new, before)
        score = high.score + max(low.score, 0) * 0.05
        evidence[number] = _Evidence(score, high.why, before.sure or new.sure)


@cache
def _capital_words() -> frozenset[str]:
    return frozenset(str(word) for word in _data()["capitals"])


def _without_name(text: str, card: Card | None) -> str:
    """The text with `~` for the card's name, whose words mean nothing ("Behold the Unspeakable")."""
    if card is None:
        return text
    for name in sorted({card.name, *card.name.split(" // ")}, key=len, reverse=True):
        text = text.replace(name, "~")
    return text


def _layout(folded: str) -> tuple[int, int]:
    """Where the first sentence of a text ends, and where its first example begins."""
    first = sentences(folded)[0][1] if folded else 0
    return first, min((at for at in (folded.find(words) for words in _EXAMPLES) if at >= 0), default=len(folded))


def _place(start: int, first: int, example: int) -> float:
    """What a ruling is about stands in its first sentence, early rather than late; an example may speak of anything."""
    if start < min(first, example):
        return 0.4 + EARLY * (1 - start / first)
    return -0.6 if start >= example else 0.0


def _confidence(found: _Evidence) -> float:
    return 0.96 if found.sure else round(min(SURE - 0.01, max(0.05, (found.score - 1.5) / 4)), 2)


_EXAMPLES = ("for example", "(such as", "for instance", ", such as", "(for ")
_WORD = re.compile(r"[a-z-]+")
_QUOTED = re.compile(r'"(?:[^" ]+ ){5,}[^" ]+"|\([^()]*\)')
