"""The rules that bear on a ruling, each with its reason and a confidence; silence where it only reads the card out.

A ruling's text and a version of the Comprehensive Rules in, up to four `RuleReference`s out, best first. Sources of
evidence: rule numbers that the text names, concepts (rules English that stands for one rule, `rulerefs.yaml` and
`rulerefs_phrases.yaml`), keywords that the text names, the words of labelled rulings (`rulerefs_words`) and of the
rules themselves. `rulerefs_model` weighs them into a likelihood, which is the confidence; topics decide between rules
that are as likely. Where the ruling's card is given, its rules text helps to tell whether the ruling says more than
the card. Without any version of the rules, `RuleIndex(None)` gives the few numbers that are beyond doubt, as of
`SHIPPED_EFFECTIVE`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from heapq import nlargest
from importlib.resources import files
from math import log
from typing import Any

import yaml

from indexer.rulerefs_keywords import Keyword, is_name, read_keywords, terms
from indexer.rulerefs_match import Hit, Matcher, PatternSet, read_concepts
from indexer.rulerefs_model import ANY, RULE, Seen, any_features, features, likelihood, weights
from indexer.rulerefs_restate import is_note, share_on_card
from indexer.rulerefs_words import scores, signs_of, telling, word_weights
from rulings.model import Card
from rulings.rules import ComprehensiveRules, Rule, RuleNumber, find, keywords, parent, rule_number
from rulings.rules.compare import words
from rulings.text import fold1, sentences

SHIPPED_EFFECTIVE = "2026-04-17"
"""The version of the Comprehensive Rules whose numbers the data files use."""
SURE = 0.95
"""Confidence from which a rule is beyond doubt. Only rows marked `sure`, and rules that a ruling names, reach it."""
MAX_REFERENCES = 4
TIE = 0.02
"""What a topic adds to a likelihood: enough to decide between equals."""
SPEAKS = 0.86
"""How likely it must be that any rule bears on a ruling. Of labelled rulings, judged by what the others taught, two in
three without a rule stay below it, and one in eleven with one."""
FAINT = 0.04
"""Rules that are less likely are not named."""
WORDED = 15
"""How many rules are looked at for the ruling's words alone."""
EARLY = 0.1
"""What the first words of a ruling weigh more than the last words of its first sentence."""
SUBJECT, OPENING = 0.3, 16
"""What a keyword weighs more where it stands among the first letters of a ruling: it is what the ruling is about."""
DEFINES = 0.12
"""What speaks for the subrule that says what a keyword is, against its other subrules."""
SUBRULES = 4
"""How many subrules of a keyword are looked at, those that share most words with the ruling."""
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
            self._named_terms = {
                r.number: terms(r.text) for r in rules.rules if r.number.startswith(("701.", "702.")) and r.is_heading
            }
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
        if self.rules is None:
            sure = [(n, seen.why) for n, seen in self._concepts(original, folded).items() if seen.sure]
            chosen = [RuleReference(number, why, 0.96) for number, why in sure]
        else:
            chosen = self._weigh(original, folded, said, topics, card)
        there = {reference.number for reference in named}
        return (*named, *(c for c in chosen if c.number not in there))[:MAX_REFERENCES]

    def _weigh(
        self, original: str, folded: str, said: frozenset[str], topics: Sequence[str], card: Card | None
    ) -> list[RuleReference]:
        signs = signs_of(folded)
        seen = self.look(original, folded, said, scores(signs, word_weights()))
        by = weights()
        likely = [likelihood(f, by[RULE]) for f in features(seen.values())]
        if not any(s.sure for s in seen.values()):
            concept = max((s.concept or 0.0 for s in seen.values()), default=0.0)
            speaks = self.any_features(folded, said, sorted(likely, reverse=True), concept, card)
            if likelihood(speaks, by[ANY]) < SPEAKS:
                return []
        backed = self._backed(topics)
        ranked = sorted(
            ((0.96 if s.sure else min(p + TIE * backed(number), SURE - 0.01), number)
             for (number, s), p in zip(seen.items(), likely, strict=True) if s.sure or p >= FAINT),
            key=lambda row: (-row[0], row[1]),
        )  # fmt: skip
        return [
            RuleReference(number, seen[number].why or self._worded(signs, number), round(p, 2))
            for p, number in ranked[:MAX_REFERENCES]
        ]

    def _worded(self, signs: Mapping[str, str], number: RuleNumber) -> str:
        """The reason for a rule that neither a concept nor a keyword speaks for."""
        found = telling(signs, self._labelled[number][0], word_weights())
        return f"worded like other rulings on it: {', '.join(found)}"

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

    def look(
        self, original: str, folded: str, said: frozenset[str], by_words: Mapping[str, float]
    ) -> dict[RuleNumber, Seen]:
        """The rules that could be meant and what speaks for each. `original` is the ruling, folded; `folded` in lower
        case, `said` its terms; `by_words` the scores of its words by the numbers of the labels."""
        found = self._concepts(original, folded)
        self._look_for_keywords(original, folded, said, found)
        for named in nlargest(WORDED, by_words, key=by_words.__getitem__):
            if (number := self.current(named)) is not None:
                found.setdefault(number, Seen())
        total = self._total(said)
        for number, seen in found.items():
            seen.own = self._overlap(said, total, number)
            seen.unnamed = not self._named_terms.get(parent(number) or number, frozenset()) <= said
            if number in self._labelled:
                named, seen.labelled = self._labelled[number]
                seen.said = max(by_words.get(named, 0.0), 0.0)
        return dict(sorted(found.items()))

    def any_features(
        self, folded: str, said: frozenset[str], likely: Sequence[float], concept: float, card: Card | None
    ) -> tuple[float, ...]:
        """What tells whether any rule bears on the ruling; `likely` are the likelihoods of the rules, best first,
        `concept` is the strongest of a concept."""
        on_card: frozenset[str] = frozenset()
        if card is not None:
            faces = (f"{face.oracle_text} {face.type_line}" for face in card.faces)
            on_card = _terms_on(_without_name(" ".join((card.oracle_text, card.type_line, *faces)), card))
        return any_features(likely, concept, share_on_card(said, on_card, self._weight), is_note(folded), len(folded))

    def _concepts(self, original: str, folded: str) -> dict[RuleNumber, Seen]:
        """The rules of the concepts that the text speaks of."""
        first, example = _layout(folded)
        quoted = [found.span() for found in _QUOTED.finditer(folded)]
        found: dict[RuleNumber, Seen] = {}
        for hit in self._matcher.match(folded):
            word = _WORD.match(folded, hit.start)
            if word and word[0] not in _capital_words() and is_name(original, hit.start):
                continue
            strength = _strength(hit, first, example, quoted)
            for place, named in enumerate(hit.concept.rules):
                if (number := self.current(named)) is not None:
                    seen = found.setdefault(number, Seen())
                    seen.concept = max(strength - 0.45 * place, seen.concept or 0.0)
                    seen.first |= place == 0
                    seen.sure |= hit.concept.sure and hit.start < example and place == 0
                    seen.because(hit.concept.why, strength - 0.45 * place)
        return found

    def _look_for_keywords(
        self, original: str, folded: str, said: frozenset[str], found: dict[RuleNumber, Seen]
    ) -> None:
        first, example = _layout(folded)
        found_at: dict[int, int] = {}
        for index, match in self._names.search(folded):
            at = self._named[index]
            if not is_name(original, match.start()):
                found_at[at] = min(match.start(), found_at.get(at, len(folded)))
        for at, start in sorted(found_at.items()):
            keyword = self._keywords[at]
            about = said - keyword.own
            total = self._total(about)
            ranked = sorted(
                ((self._overlap(about, total, number) + (DEFINES if number == keyword.defined_in else 0), number)
                 for number in keyword.subrules),
                key=lambda row: (-row[0], row[1]),
            )  # fmt: skip
            strength = _place(start, first, example) + (SUBJECT if start < OPENING else 0)
            for place, (_, number) in enumerate(ranked[:SUBRULES]):
                seen = found.setdefault(number, Seen())
                if seen.keyword is None or strength > seen.keyword:
                    seen.keyword, seen.place, seen.defines = strength, place, number == keyword.defined_in
                seen.because(f"about {keyword.name}", 4.0 + strength - 0.5 * place)

    def _overlap(self, said: frozenset[str], total: float, number: RuleNumber) -> float:
        """How much of the weight of the text's words (`total`) the rule shares, 0 to 1, damped for long rules."""
        common = sum(map(self._weight, said & self._said[number]))
        return float(common / (total**0.7 * self._own[number]))

    def _total(self, said: frozenset[str]) -> float:
        return sum(map(self._weight, said)) or 1.0

    def _weight(self, word: str) -> float:
        return self._weights.get(word) or self._rarest

    def _backed(self, topics: Sequence[str]) -> Callable[[RuleNumber], bool]:
        """Whether a topic of the ruling is about a rule. Topics decide between equals; they make no rule."""
        wanted = {section for key in topics for section in self.sections.get(key, ())}
        return lambda n: any(n == s or (n.startswith(s) and not n[len(s)].isdigit()) for s in wanted)

    # ---- numbers

    @cached_property
    def _labelled(self) -> dict[RuleNumber, tuple[str, int]]:
        """The rules that labelled rulings were about: the number of the labels, and how many rulings."""
        known = word_weights()
        found = (
            (self.current(named), (named, count)) for named, count in zip(known.rules, known.labelled, strict=True)
        )
        return {number: about for number, about in found if number is not None}

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


@lru_cache(maxsize=64)
def _terms_on(card_text: str) -> frozenset[str]:
    """The rulings of a card come one after the other."""
    return terms(fold1(card_text).lower())


def _layout(folded: str) -> tuple[int, int]:
    """Where the first sentence of a text ends, and where its first example begins."""
    first = sentences(folded)[0][1] if folded else 0
    return first, min((at for at in (folded.find(words) for words in _EXAMPLES) if at >= 0), default=len(folded))


def _place(start: int, first: int, example: int) -> float:
    """What a ruling is about stands in its first sentence, early rather than late; an example may speak of anything."""
    if start < min(first, example):
        return 0.4 + EARLY * (1 - start / first)
    return -0.6 if start >= example else 0.0


def _strength(hit: Hit, first: int, example: int, quoted: Sequence[tuple[int, int]]) -> float:
    """How much a concept counts, by its weight and its place in the text."""
    aside = any(start <= hit.start and hit.end <= end for start, end in quoted)
    return (
        hit.concept.weight + 0.12 * min(hit.count - 1, 3) + _place(hit.start, first, example) - (QUOTED if aside else 0)
    )


_EXAMPLES = ("for example", "(such as", "for instance", ", such as", "(for ")
_WORD = re.compile(r"[a-z-]+")
_QUOTED = re.compile(r'"(?:[^" ]+ ){5,}[^" ]+"|\([^()]*\)')
