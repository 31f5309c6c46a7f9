"""What the plain words of a text say about its topics, beside the phrases of the vocabulary.

In: a text with its own names masked, the type line of its card, the phrases found. Out: by topic a score and, on
request, the words that made it. The weights were learned from labelled rulings (`tests/fit_topics.py`): a row of whole
numbers for each sign, one for each topic, so that the sum is the same on every machine. Phrases stay the main evidence:
`indexer.tag_model` weighs this score beside them.
"""

from __future__ import annotations

import itertools
import json
import re
import struct
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from indexer.tag_evidence import Evidence

_WORD = re.compile(r"\{[^}]*\}|~|[+-]?\d+/[+-]?\d+|[a-z']+|\d+|[.;:,]")
_ENDINGS = ("ing", "ed", "es", "s")
ZERO = 128
"""The byte of a row that says nothing for the topic and nothing against it."""
_WIDE = 4  # bytes for each sum: 16 million signs would fit
_KEPT = 100_000


@dataclass(frozen=True)
class WordWeights:
    """The topics; what each starts from; what one step of its weights is worth; by sign (as `signs_of` makes them) the
    number of its row; and the rows, each with one byte a topic: the weight in steps, plus `ZERO`."""

    topics: tuple[str, ...]
    start: tuple[float, ...]
    steps: tuple[float, ...]
    signs: Mapping[str, int]
    rows: bytes
    _wide: dict[str, int] = field(default_factory=dict, repr=False, compare=False)

    def row(self, sign: str) -> bytes:
        """The row of a sign that is known."""
        width, number = len(self.topics), self.signs[sign]
        return self.rows[number * width : (number + 1) * width]

    def wide(self, sign: str) -> int:
        """The row as one large number: adding such numbers adds all topics at once, a hundred times faster than one
        by one."""
        made = self._wide.get(sign)
        if made is None:
            spread = bytearray(_WIDE * len(self.topics))
            spread[::_WIDE] = self.row(sign)
            made = int.from_bytes(spread, "little")
            if len(self._wide) < _KEPT:
                self._wide[sign] = made
        return made


NO_WORDS = WordWeights((), (), (), {}, b"")


@cache
def word_weights() -> WordWeights:
    """The weights that come with the program. The file is a line of JSON and then the rows, compressed together."""
    head, rows = zlib.decompress((files("indexer") / "tag_words.bin").read_bytes()).split(b"\n", 1)
    data = json.loads(head)
    signs = {sign: number for number, sign in enumerate(data["signs"])}
    return WordWeights(tuple(data["topics"]), tuple(data["start"]), tuple(data["steps"]), signs, rows)


def from_rows(topics: Sequence[str], start: Sequence[float], by_sign: Mapping[str, Sequence[float]]) -> WordWeights:
    """Weights from a row of numbers for each sign, rounded to the steps of each topic."""
    largest = [max((abs(row[n]) for row in by_sign.values()), default=0.0) for n in range(len(topics))]
    steps = [float(f"{much / 127 or 1.0:.4g}") for much in largest]
    rows = b"".join(
        bytes(ZERO + max(-127, min(127, round(much / step))) for much, step in zip(row, steps, strict=True))
        for row in by_sign.values()
    )
    return WordWeights(tuple(topics), tuple(start), tuple(steps), {s: n for n, s in enumerate(by_sign)}, rows)


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
    known = by.signs
    heard = [by.wide(sign) for sign in signs if sign in known]
    sums = struct.unpack(f"<{len(by.topics)}I", sum(heard).to_bytes(_WIDE * len(by.topics), "little"))
    nothing = ZERO * len(heard)
    scale = max(1, len(signs)) ** -0.5
    return {
        topic: begin + scale * step * (much - nothing)
        for topic, begin, step, much in zip(by.topics, by.start, by.steps, sums, strict=True)
    }


def telling(masked: str, topic: str, by: WordWeights) -> Iterator[str]:
    """The words of the text that speak for the topic, as they stand there, most telling first."""
    place = by.topics.index(topic)
    low = masked.lower()
    shown = masked if len(low) == len(masked) else low
    spans = [found.span() for found in _WORD.finditer(low)]
    stems = [_stem(low[start:end]) for start, end in spans]
    found: dict[str, int] = {}
    for number, (start, end) in enumerate(spans):
        signs = [(stems[number], start), ("1:" + stems[number], start)]
        if number:
            signs.append((f"{stems[number - 1]} {stems[number]}", spans[number - 1][0]))
        for sign, begin in signs:
            weight = by.row(sign)[place] - ZERO if sign in by.signs else 0
            if weight > 0 and any(map(str.isalpha, low[begin:end])):
                said = shown[begin:end]
                found[said] = max(found.get(said, 0), weight)
    yield from sorted(found, key=lambda said: (-found[said], said))
