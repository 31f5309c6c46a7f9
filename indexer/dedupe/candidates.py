"""Which pairs of texts are looked at.

Whether a pair is a candidate depends on the two texts alone, so that verdicts can be kept and an incremental import
looks at the same pairs as a full one. How often a word occurs only orders the work. All candidates are found:
- near: their sets of content words overlap by `NEAR` or more of the union, and at most `STRANGE` words of the smaller
  set are not in the other. (Of 8,522 pairs that share a ruling by a wider net, 43 are not near; of 116,000 that do
  not, half are not.)
- within: all sentences of one are sentences of the other.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from zlib import crc32

from indexer.dedupe.lexicon import lexicon
from indexer.dedupe.reading import Reading

NEAR = (3, 5)
"""Overlap of two near texts, as a fraction in whole numbers."""
STRANGE = 2
"""How many content words of the smaller text may be missing in the other."""


@dataclass(frozen=True, slots=True)
class Signature:
    """All that finds the candidates of a text: hashes of its content words, sorted, and of its sentences."""

    words: tuple[int, ...]
    sentences: tuple[int, ...]


def _telling(reading: Reading) -> frozenset[str]:
    """The content words outside worked examples, unless that leaves too few: an example may be exchanged whole."""
    if not reading.worked:
        return reading.content
    outside = {k for k, s in zip(reading.keys, reading.sentence, strict=True) if s not in reading.worked}
    telling = reading.content & outside
    return telling if len(telling) >= 6 else reading.content


def signature(reading: Reading) -> Signature:
    """The signature of a text."""
    one_for_all = lexicon().representative
    words = tuple(sorted({crc32(one_for_all.get(word, word).encode()) for word in _telling(reading)}))
    sentences: dict[int, list[str]] = defaultdict(list)
    for key, number in zip(reading.keys, reading.sentence, strict=True):
        sentences[number].append(key)
    return Signature(words, tuple(sorted({crc32(" ".join(keys).encode()) for keys in sentences.values()})))


def near(a: Sequence[int], b: Sequence[int]) -> bool:
    """Whether two sets of words are near each other."""
    common = len(set(a) & set(b))
    wide = common * NEAR[1] >= NEAR[0] * (len(a) + len(b) - common)
    return bool(common) and wide and common >= min(len(a), len(b)) - STRANGE


def within(a: Signature, b: Signature) -> bool:
    """Whether all sentences of one are sentences of the other."""
    x, y = set(a.sentences), set(b.sentences)
    return bool(x and y) and (x <= y or y <= x)


def _needed(size: int) -> int:
    """The fewest words that a text of `size` words shares with any near text."""
    return -(-NEAR[0] * size // NEAR[1])


def candidates(signatures: Sequence[Signature], fresh: Iterable[int] | None = None) -> list[tuple[int, int]]:
    """All candidate pairs (i < j), sorted. With `fresh`, only pairs in which one of these indexes stands."""
    new = set(range(len(signatures)) if fresh is None else fresh)
    pairs = _near_pairs(signatures) if fresh is None else _near_fresh(signatures, new)
    pairs.update(_within_pairs(signatures, new))
    return sorted(pairs)


def _near_pairs(signatures: Sequence[Signature]) -> set[tuple[int, int]]:
    """Prefix filter: the two rarest common words of two near texts are among the first few words of each.

    A text lacks at most `size - _needed(size)` of its words in a near one, and the smaller of the two at most
    `STRANGE`: so many + 2 are looked at, in order of rarity. Single words would bring hundreds of texts for each near
    one, and more in a larger corpus; two rare words together hardly ever bring a text that is not near.
    """
    frequency = Counter(word for one in signatures for word in one.words)
    rank = {word: place for place, word in enumerate(sorted(frequency, key=lambda word: (frequency[word], word)))}
    ordered = [sorted([rank[word] for word in one.words]) for one in signatures]
    sets = [frozenset(words) for words in ordered]
    index: dict[int, list[int]] = {}
    pairs: set[tuple[int, int]] = set()
    above, below, many = NEAR[0] + NEAR[1], NEAR[0], len(rank)
    for i in sorted(range(len(ordered)), key=lambda i: (len(ordered[i]), i)):
        words = ordered[i]
        size = len(words)
        if size == 1:  # near only to its equals
            words = words * 2
        least = _needed(size)
        seen: set[int] = set()
        for one, other in combinations(words[: size - least + 2], 2):
            if found := index.get(one * many + other):
                seen.update(found)
        mine = sets[i]
        for j in seen:
            smaller = len(sets[j])
            if smaller < least:
                continue
            common = len(mine & sets[j])
            if common >= smaller - STRANGE and common * above >= below * (size + smaller):
                pairs.add((i, j) if i < j else (j, i))
        for one, other in combinations(words[: min(STRANGE, size - least) + 2], 2):
            index.setdefault(one * many + other, []).append(i)
    return pairs


def _near_fresh(signatures: Sequence[Signature], new: set[int]) -> set[tuple[int, int]]:
    """As `_near_pairs` for the pairs of a few texts: only the rarest words of these are looked up in the others."""
    frequency = Counter(word for one in signatures for word in one.words)
    prefixes = {}
    for i in new:
        words = sorted(signatures[i].words, key=lambda word: (frequency[word], word))
        prefixes[i] = words[: max(STRANGE, len(words) - _needed(len(words))) + 1]
    holders: dict[int, list[int]] = {word: [] for words in prefixes.values() for word in words}
    for j, one in enumerate(signatures):
        for word in one.words:
            if word in holders:
                holders[word].append(j)
    sizes = [len(one.words) for one in signatures]
    above, below = NEAR[0] + NEAR[1], NEAR[0]
    pairs: set[tuple[int, int]] = set()
    for i, words in prefixes.items():
        mine = set(signatures[i].words)
        size = len(mine)
        least = _needed(size)
        # A larger text is reached by the first words; beyond them only smaller ones can be near.
        seen = {j for word in words[: STRANGE + 1] for j in holders[word] if sizes[j] >= least}
        seen.update(j for word in words[STRANGE + 1 :] for j in holders[word] if least <= sizes[j] <= size)
        for j in seen:
            other = sizes[j]
            common = len(mine.intersection(signatures[j].words))  # as `near`, without a call for each of 600,000
            if common >= min(size, other) - STRANGE and common * above >= below * (size + other) and i != j:
                pairs.add((i, j) if i < j else (j, i))
    return pairs


def _within_pairs(signatures: Sequence[Signature], new: set[int]) -> set[tuple[int, int]]:
    """A text whose sentences are all in another is found by any one of its sentences: by the rarest."""
    holders: dict[int, list[int]] = defaultdict(list)
    for i, one in enumerate(signatures):
        for sentence in one.sentences:
            holders[sentence].append(i)
    pairs: set[tuple[int, int]] = set()
    for i, one in enumerate(signatures):
        if not one.sentences:
            continue
        rarest = min((holders[s] for s in one.sentences), key=len)
        mine = set(one.sentences)
        for j in rarest:
            if j != i and (i in new or j in new) and mine.issubset(signatures[j].sentences):
                pairs.add((i, j) if i < j else (j, i))
    return pairs
