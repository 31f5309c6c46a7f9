"""What the plain words of a text say about its topics, beside the phrases of the vocabulary.

In: a text with its own names masked, the type line of its card, the phrases found. Out: by topic a score and, on
request, the words that made it. The weights were learned from labelled rulings (`tests/fit_topics.py`): for each topic
that has enough of them the signs that tell most for or against it. Phrases stay the main evidence: `indexer.tag_model`
weighs this score beside them.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from indexer.tag_evidence import Evidence

_WORD = re.compile(r"\{[^}]*\}|~|[+-]?\d+/[+-]?\d+|[a-z']+|\d+|[.;:,]")
_ENDINGS = ("ing", "ed", "es", "s")


@dataclass(frozen=True)
class WordWeights:
    """The topics, what each starts from, and by sign (as `signs_of` makes them) what it says for which, by number."""

    topics: tuple[str, ...]
    start: tuple[float, ...]
    signs: Mapping[str, tuple[tuple[int, float], ...]]


@cache
def word_weights() -> WordWeights:
    """The weights that come with the program."""
    return from_tables(json.loads((files("indexer") / "tag_words.json").read_text(encoding="utf-8")))


def from_tables(tables: Mapping[str, Mapping[str, float]]) -> WordWeights:
    """Weights from a table by topic; the sign `""` is where the topic starts from."""
    signs: dict[str, list[tuple[int, float]]] = {}
    pairs: dict[tuple[int, float], tuple[int, float]] = {}  # few are different: shared, they stay near the processor
    for number, table in enumerate(tables.values()):
        for sign, weight in table.items():
            if sign:
                pair = (number, weight)
                signs.setdefault(sign, []).append(pairs.setdefault(pair, pair))
    start = tuple(table[""] for table in tables.values())
    return WordWeights(tuple(tables), start, {sign: tuple(found) for sign, found in signs.items()})


def _stem(word: str, known: dict[str, str] = {}) -> str:  # noqa: B006 - what was found before
    if (stem := known.get(word)) is not None:
        return stem
    stem = word
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 4 and not word.endswith("ss"):
            stem = word[: -len(ending)]
            break
    if len(known) < 50_000:
        known[word] = stem
    return stem


def signs_of(masked: str, type_line: str, found: Mapping[str, list[Evidence]]) -> set[str]:
    """All that the model looks at in a text: words, neighbours, words of the first sentence, the words of the card's
    type line, the phrases found."""
    words = [_stem(word) for word in _WORD.findall(masked.lower())]
    signs = set(words)
    signs.update([f"{a} {b}" for a, b in itertools.pairwise(words)])
    first = words.index(".") if "." in words else len(words)
    signs.update(["1:" + word for word in words[:first]])
    signs.update(["T:" + word for word in type_line.split()])
    for key, evidence in found.items():
        signs.update([f"P:{key}:{e.phrase}" for e in evidence])
        strong = [e.first for e in evidence if e.strong and not e.aside]
        if strong:
            signs.add("K:" + key)
        if any(strong):
            signs.add("1K:" + key)
    return signs


def scores(signs: set[str], by: WordWeights) -> dict[str, float]:
    """By topic how much the signs of a text speak for it."""
    sums = [0.0] * len(by.start)
    known = by.signs
    for sign in signs:
        if sign in known:
            for number, weight in known[sign]:
                sums[number] += weight
    scale = max(1, len(signs)) ** -0.5
    return {topic: begin + scale * much for topic, begin, much in zip(by.topics, by.start, sums, strict=True)}


def telling(masked: str, topic: str, by: WordWeights) -> Iterator[str]:
    """The words of the text that speak for the topic, as they stand there, most telling first."""
    low = masked.lower()
    shown = masked if len(low) == len(masked) else low
    spans = [found.span() for found in _WORD.finditer(low)]
    stems = [_stem(low[start:end]) for start, end in spans]
    found: dict[str, float] = {}
    for number, (start, end) in enumerate(spans):
        signs = [(stems[number], start), ("1:" + stems[number], start)]
        if number:
            signs.append((f"{stems[number - 1]} {stems[number]}", spans[number - 1][0]))
        for sign, begin in signs:
            weight = sum(w for key, w in by.signs.get(sign, ()) if by.topics[key] == topic)
            if weight > 0 and any(map(str.isalpha, low[begin:end])):
                said = shown[begin:end]
                found[said] = max(found.get(said, 0.0), weight)
    yield from sorted(found, key=lambda said: (-found[said], said))
