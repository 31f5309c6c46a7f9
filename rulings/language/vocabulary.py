"""Synonyms, slang and ordinary words, read from `vocabulary.json`; each concept with its reason.

A concept stands for all its wordings. Found in a ruling (by `terms`) or in a question (by `terms` and `asked`), it
is one more token, `#key`, so that a synonym is matched like a word and never inside a phrase. In: stems. Out: keys.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from rulings.language.tokens import stem, words

_PATH = Path(__file__).with_name("vocabulary.json")
MARK = "#"
"""Before the key of a concept, where it stands among tokens."""


_Table = dict[str, list[tuple[tuple[str, ...], str]]]


@dataclass(frozen=True, slots=True)
class Concept:
    """One thing that is said in several ways. `asked` are wordings that only questions use. With `same`, a ruling
    that says it in one way counts as having the word of another."""

    key: str
    terms: tuple[str, ...]
    asked: tuple[str, ...]
    same: bool
    reason: str


@dataclass(frozen=True)
class Vocabulary:
    concepts: tuple[Concept, ...]
    nicknames: tuple[tuple[str, str], ...]
    light: frozenset[str]
    ordinary: frozenset[str]

    @cached_property
    def _wordings(self) -> list[tuple[str, bool, tuple[str, ...]]]:
        """(concept, whether rulings use it, stems) of every wording."""
        return [
            (concept.key, in_rulings, _stems(wording))
            for concept in self.concepts
            for in_rulings, wordings in ((True, concept.terms), (False, concept.asked))
            for wording in wordings
        ]

    @cached_property
    def _in_rulings(self) -> _Table:
        return _starts((parts, key) for key, in_rulings, parts in self._wordings if in_rulings)

    @cached_property
    def _in_questions(self) -> _Table:
        return _starts((parts, key) for key, _, parts in self._wordings)

    @cached_property
    def slang(self) -> frozenset[str]:
        """The stems of all one-word wordings: such a word in lower case is no card's name."""
        return frozenset(parts[0] for _, _, parts in self._wordings if len(parts) == 1)

    @cached_property
    def by_key(self) -> dict[str, Concept]:
        return {concept.key: concept for concept in self.concepts}

    def in_ruling(self, stems: Sequence[str]) -> set[str]:
        """The concepts of a ruling's wording."""
        return {key for key, _, _ in _find(self._in_rulings, stems)}

    def spans_in_ruling(self, stems: Sequence[str]) -> list[tuple[str, int, int]]:
        """As `in_question`, for a ruling's wording."""
        return list(_find(self._in_rulings, stems))

    def in_question(self, stems: Sequence[str]) -> list[tuple[str, int, int]]:
        """The concepts of a question: (key, first stem, number of stems)."""
        return list(_find(self._in_questions, stems))

    def of_word(self, stem_: str) -> list[str]:
        """The concepts that stand for one word: those it is slang for, and those of the same meaning."""
        alone = [key for parts, key in self._in_questions.get(stem_, ()) if len(parts) == 1]
        written = {key for parts, key in self._in_rulings.get(stem_, ()) if len(parts) == 1}
        return [key for key in alone if key not in written or self.by_key[key].same]


def _stems(wording: str) -> tuple[str, ...]:
    return tuple(stem(word) for word in (wording.split() if wording.replace(" ", "").isalpha() else words(wording)))


def _starts(wordings: Iterator[tuple[tuple[str, ...], str]]) -> _Table:
    """By first stem: the stems of a wording, and its concept."""
    table: _Table = {}
    for entry in dict.fromkeys(wordings):
        if entry[0]:
            table.setdefault(entry[0][0], []).append(entry)
    return table


def _find(table: dict[str, list[tuple[tuple[str, ...], str]]], stems: Sequence[str]) -> Iterator[tuple[str, int, int]]:
    for i, first in enumerate(stems):
        for parts, key in table.get(first, ()):
            n = len(parts)
            if n == 1 or tuple(stems[i : i + n]) == parts:
                yield key, i, n


@lru_cache(maxsize=1)
def vocabulary() -> Vocabulary:
    """The shipped vocabulary."""
    data = json.loads(_PATH.read_text(encoding="utf-8"))
    return Vocabulary(
        concepts=tuple(
            Concept(c["key"], tuple(c["terms"]), tuple(c["asked"]), c["same"], c["reason"]) for c in data["concepts"]
        ),
        nicknames=tuple((asked, n["card"]) for n in data["nicknames"] for asked in n["asked"]),
        light=frozenset(stem(word) for word in data["light"]),
        ordinary=frozenset(stem(word) for word in data["ordinary"]),
    )
