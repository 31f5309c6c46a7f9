"""Compares two versions of the Comprehensive Rules by content: which rule of the older is which of the newer.

Two `ComprehensiveRules` in, pairs of numbers out. Numbers are evidence, never proof: a keyword that is inserted
renumbers everything after it. Equal words are paired first; what is left is paired by the weight of shared words
together with its place (same parent, same neighbours, same number). Layout, typography and the numbers of rules
referred to do not count as words.
"""

from __future__ import annotations

import hashlib
import heapq
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise

from rulings.rules.model import ComprehensiveRules, Rule
from rulings.rules.number import RuleNumber, find, parent
from rulings.text import fold1

_ENOUGH = 0.58  # similarity and place together; found by reading the pairs near it in all 28 steps of the corpus
_REWRITTEN = 0.36  # shared words of a rule rewritten in its place: 608.3 in 2025 has 0.37; 700.8, a new rule, has 0.27
_ORDINALS = frozenset({"first", "second", "third", "fourth", "fifth", "sixth"})
_WORD = re.compile(r"\{[^}]*\}|[+-]\d+/[+-]\d+|\d+/\d+|[a-z0-9∞]+(?:'[a-z]+)?")


def words(text: str) -> tuple[str, ...]:
    """The words of a rule that count: lower case, no punctuation, each rule number referred to as `#`."""
    plain = fold1(text)
    pieces, at = [], 0
    for reference in find(plain):
        pieces += [plain[at : reference.start], " 0rule "]
        at = reference.end
    pieces.append(plain[at:])
    return tuple("#" if w == "0rule" else w for w in _WORD.findall("".join(pieces).lower()))


def content_key(said: tuple[str, ...]) -> str:
    """Equal for two wordings exactly where they say the same `words` (12 hexadecimal digits)."""
    return hashlib.sha256(" ".join(said).encode()).hexdigest()[:12]


def words_of(rules: ComprehensiveRules) -> dict[RuleNumber, tuple[str, ...]]:
    """The words of every rule of a version; the first where a number stands twice."""
    said: dict[RuleNumber, tuple[str, ...]] = {}
    for rule in rules.rules:
        if rule.number not in said:
            said[rule.number] = words(rule.text)
    return said


@dataclass(frozen=True, slots=True)
class Comparison:
    """What became of each rule from one version to the next. `pairs`: older number -> newer number."""

    pairs: Mapping[RuleNumber, RuleNumber]
    removed: tuple[RuleNumber, ...]
    new: tuple[RuleNumber, ...]
    reworded: frozenset[RuleNumber]  # older numbers whose words changed

    @property
    def moved(self) -> dict[RuleNumber, RuleNumber]:
        """Those of `pairs` whose number changed."""
        return {a: b for a, b in self.pairs.items() if a != b}


def compare(
    older: ComprehensiveRules,
    newer: ComprehensiveRules,
    said: tuple[Mapping[RuleNumber, tuple[str, ...]], Mapping[RuleNumber, tuple[str, ...]]] | None = None,
) -> Comparison:
    """Which rule of `older` is which of `newer`. A pure function of the two.

    `said` saves reading the words again (`words_of` older and newer) where a row of versions is compared.
    """
    matcher = _Matcher(older, newer, *(said or (words_of(older), words_of(newer))))
    matcher.pair_equal()
    matcher.pair_similar()
    matcher.pair_by_place()
    pairs = matcher.forward
    return Comparison(
        pairs=pairs,
        removed=tuple(r.number for r in older.rules if r.number not in pairs),
        new=tuple(r.number for r in newer.rules if r.number not in matcher.backward),
        reworded=frozenset(a for a, b in pairs.items() if matcher.old_words[a] != matcher.new_words[b]),
    )


class _Matcher:
    """The pairs so far, and the evidence for the next ones."""

    def __init__(
        self,
        older: ComprehensiveRules,
        newer: ComprehensiveRules,
        old_words: Mapping[RuleNumber, tuple[str, ...]],
        new_words: Mapping[RuleNumber, tuple[str, ...]],
    ) -> None:
        self.older, self.newer = older, newer
        self.old_words, self.new_words = old_words, new_words
        self.old_next, self.old_before = _neighbours(older.rules)
        self.new_next, self.new_before = _neighbours(newer.rules)
        self.forward: dict[RuleNumber, RuleNumber] = {}
        self.backward: dict[RuleNumber, RuleNumber] = {}

    def join(self, old: RuleNumber, new: RuleNumber) -> None:
        self.forward[old] = new
        self.backward[new] = old

    def pair_equal(self) -> None:
        """Rules that say the same words, where no other rule of either version says them too.

        The ordinal that opens a step is no evidence: "Second, the active player gets priority" stands under a
        different step after each rework of combat (509.4 became 509.2 in 2025, "Fourth" became "Second").
        """
        olds, news = _by_words(self.old_words), _by_words(self.new_words)
        for said, numbers in olds.items():
            others = news.get(said, [])
            if len(numbers) == 1 and len(others) == 1:
                self.join(numbers[0], others[0])

    def place(self, old: RuleNumber, new: RuleNumber) -> float:
        """How well the places of two rules agree, -0.15 to 0.40."""
        score = 0.0
        above, below = parent(old), parent(new)
        if above is not None and self.forward.get(above) == below:
            score += 0.18 if old == new else 0.12
        elif below == old:
            score -= 0.15  # a sentence split off into a subrule (500.5a, 2026) does not take the rule along
        elif above in self.forward or below in self.backward:
            score -= 0.05
        if old == new:
            score += 0.06
        for old_side, new_side in ((self.old_before, self.new_before), (self.old_next, self.new_next)):
            beside, theirs = old_side.get(old), new_side.get(new)
            # First and last among the siblings is a place too.
            if (beside is None and theirs is None) or (beside is not None and self.forward.get(beside) == theirs):
                score += 0.08
        return score

    def pair_similar(self) -> None:
        """The rest, best first. A pair is weighed again when its turn comes: its neighbours may be paired by then."""
        olds = [n for n in self.old_words if n not in self.forward]
        news = [n for n in self.new_words if n not in self.backward]
        likeness = _Likeness(self.old_words, self.new_words, olds, news)
        heap = [(-self._score(a, b, s), a, b, s) for a, b, s in likeness.candidates()]
        heapq.heapify(heap)
        while heap:
            score, a, b, similarity = heapq.heappop(heap)
            if a in self.forward or b in self.backward:
                continue
            now = -self._score(a, b, similarity)
            if now < score - 1e-9:
                heapq.heappush(heap, (now, a, b, similarity))
            elif -now >= _ENOUGH:
                self.join(a, b)

    def pair_by_place(self) -> None:
        """What is left: a title whose rules went to one other title (308 Tribals became Kindreds), and a rule that
        was rewritten where it stands (608.3 in 2025), if it still shares some of its words."""
        for rule in self.older.rules:
            if rule.number in self.forward or not rule.is_heading:
                continue
            homes = Counter(
                parent(self.forward[child.number])
                for child in self.older.children(rule.number)
                if child.number in self.forward
            )
            for home, count in homes.most_common(1):
                if home is not None and home not in self.backward and 2 * count >= sum(homes.values()):
                    self.join(rule.number, home)
        for number, said in self.old_words.items():
            if number in self.forward or number in self.backward or number not in self.new_words:
                continue
            theirs = self.new_words[number]
            common = sum((Counter(said) & Counter(theirs)).values())
            if self.place(number, number) >= 0.26 and 2 * common >= _REWRITTEN * (len(said) + len(theirs)):
                self.join(number, number)

    def _score(self, old: RuleNumber, new: RuleNumber, similarity: float) -> float:
        return similarity + self.place(old, new)


def _by_words(said: Mapping[RuleNumber, tuple[str, ...]]) -> dict[tuple[str, ...], list[RuleNumber]]:
    groups: dict[tuple[str, ...], list[RuleNumber]] = defaultdict(list)
    for number, text in said.items():
        groups[text[1:] if text and text[0] in _ORDINALS else text].append(number)
    return groups


def _neighbours(rules: Iterable[Rule]) -> tuple[dict[RuleNumber, RuleNumber], dict[RuleNumber, RuleNumber]]:
    after: dict[RuleNumber, RuleNumber] = {}
    before: dict[RuleNumber, RuleNumber] = {}
    last: dict[RuleNumber | None, RuleNumber] = {}
    for rule in rules:
        above = parent(rule.number)
        if above in last:
            after[last[above]] = rule.number
            before[rule.number] = last[above]
        last[above] = rule.number
    return after, before


class _Likeness:
    """Similarity of unpaired rules: words weighed by how rare they are, single words and pairs of words."""

    def __init__(
        self,
        old_words: Mapping[RuleNumber, tuple[str, ...]],
        new_words: Mapping[RuleNumber, tuple[str, ...]],
        olds: list[RuleNumber],
        news: list[RuleNumber],
    ) -> None:
        spread: Counter[str] = Counter()
        for said in new_words.values():
            spread.update(set(said))
        self.size = len(new_words)
        self.spread = spread
        self.olds = {n: _grams(old_words[n]) for n in olds}
        self.news = {n: _grams(new_words[n]) for n in news}

    def weight(self, gram: str) -> float:
        """Rare words weigh more; a pair of words weighs half of the rarer one."""
        first, _, second = gram.partition(" ")
        single = math.log((self.size + 1) / (self.spread.get(first, 0) + 1)) + 0.1
        if not second:
            return single
        return max(single, math.log((self.size + 1) / (self.spread.get(second, 0) + 1)) + 0.1) / 2

    def candidates(self) -> Iterable[tuple[RuleNumber, RuleNumber, float]]:
        """Pairs that share enough to be looked at, with their similarity (0 to 1)."""
        weights = {g: self.weight(g) for grams in (*self.olds.values(), *self.news.values()) for g in grams}
        mass = {n: sum(weights[g] * c for g, c in grams.items()) for n, grams in self.news.items()}
        holders: dict[str, list[RuleNumber]] = defaultdict(list)
        for number, grams in self.news.items():
            for gram in grams:
                holders[gram].append(number)
        for old, grams in self.olds.items():
            shared: dict[RuleNumber, float] = defaultdict(float)
            for gram, count in grams.items():
                for new in holders.get(gram, ()):
                    shared[new] += weights[gram] * min(count, self.news[new][gram])
            own = sum(weights[g] * c for g, c in grams.items())
            for new, common in shared.items():
                similarity = 2 * common / (own + mass[new]) if own + mass[new] else 0.0
                # A sentence added or cut leaves nearly all of the shorter text in the longer.
                smaller = min(own, mass[new])
                inside = 0.75 * common / smaller if smaller > 25 else 0.0
                similarity = max(similarity, inside)
                if similarity >= 0.26:
                    yield old, new, similarity


def _grams(said: tuple[str, ...]) -> Counter[str]:
    grams = Counter(said)
    grams.update(f"{a} {b}" for a, b in pairwise(said))
    return grams
