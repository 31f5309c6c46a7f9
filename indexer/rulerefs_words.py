"""What the plain words of a ruling say about the rules behind it, beside concepts and keywords.

In: a folded text in lower case. Out: a score for each rule that labelled rulings were about, and the words that made
it. The weights were learned from rulings labelled by reading and from the rules' own texts (`tests/fit_rules.py`);
numbers are those of the version the labels use.
"""

from __future__ import annotations

import itertools
import json
import re
import zlib
from bisect import bisect_left
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import sqrt
from typing import Any

from indexer.rulerefs_keywords import is_common, stem
from rulings.text import sentences

UNIT = 1000
"""Weights stand in the file as whole numbers of this."""
_WORD = re.compile(r"\{[^}]*\}|[+-]?\d+/[+-]?\d+|[a-z0-9]+(?:'[a-z]+)?")
LEAST = 0.02
"""Scores that are less say nothing."""
FIRST = "1:"
"""What a word of the first sentence begins with, beside standing as a word."""


@dataclass(frozen=True, slots=True)
class WordWeights:
    """The rules by number, with how many labelled rulings each had, and by sign the places of
    the rules it speaks of, in order, and what it says for each."""

    rules: tuple[str, ...]
    labelled: tuple[int, ...]
    signs: Mapping[str, tuple[tuple[int, ...], tuple[float, ...]]]


@cache
def word_weights() -> WordWeights:
    """The weights that come with the program."""
    return from_tables(json.loads(zlib.decompress((files("indexer") / "rulerefs_words.bin").read_bytes())))


def from_tables(tables: Mapping[str, Any]) -> WordWeights:
    """Weights from `rules`, number and count, and `signs`, each with place and weight by turns."""
    signs = {
        sign: (tuple(flat[::2]), tuple(weight / UNIT for weight in flat[1::2]))
        for sign, flat in tables["signs"].items()
    }
    return WordWeights(tuple(tables["rules"]), tuple(tables["rules"].values()), signs)


def signs_of(folded: str) -> dict[str, str]:
    """All that the model looks at, with the words as they stand: stems, words that stand side by side, stems of the
    first sentence."""
    signs: dict[str, str] = {}
    for place, (start, end) in enumerate(sentences(folded)):
        said = [(stem(word), word) for word in _WORD.findall(folded, start, end)]
        for s, word in said:
            if not is_common(word):
                signs[s] = word
                if place == 0:
                    signs[FIRST + s] = word
        for (a, one), (b, other) in itertools.pairwise(said):
            signs[f"{a} {b}"] = f"{one} {other}"
    return signs


def scores(signs: Collection[str], by: WordWeights) -> dict[str, float]:
    """By rule how much the signs of a text speak for it; only rules that they speak for
    (`LEAST`)."""
    sums = [0.0] * len(by.rules)
    for sign in signs:
        if sign in by.signs:
            for place, weight in zip(*by.signs[sign]):  # noqa: B905 - both of one length, and quicker
                sums[place] += weight
    length = sqrt(len(signs) or 1)
    least = LEAST * length
    return {by.rules[place]: total / length for place, total in enumerate(sums) if total > least}


def telling(signs: Mapping[str, str], number: str, by: WordWeights, most: int = 3) -> tuple[str, ...]:
    """The words that speak most for a rule, as they stand in the text."""
    place, found = by.rules.index(number), []
    for sign, written in signs.items():
        if sign in by.signs:
            places, weights = by.signs[sign]
            at = bisect_left(places, place)
            if at < len(places) and places[at] == place and weights[at] > 0:
                found.append((-weights[at], written))
    return tuple(itertools.islice(dict.fromkeys(written for _, written in sorted(found)), most))
