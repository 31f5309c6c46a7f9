"""Which concepts a text speaks of: many regular expressions tried on many texts, quickly.

A pattern is tried only on texts that hold one of its own three-letter groups, the one that is rarest in rules English.
In a pattern, ` .. ` stands for any words of the same sentence.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

_GAP = "(?:[^.;]*? )?"
_SPECIAL = frozenset("\\^$.|?*+()[]{}")


@dataclass(frozen=True, slots=True)
class Concept:
    """What some words of rules English mean: the rules behind them, best first, how surely, and why."""

    rules: tuple[str, ...]
    weight: float
    why: str
    patterns: tuple[str, ...]
    unless: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Hit:
    """A concept that a text speaks of, and the stretch of it that says so. `count`: how many patterns agreed."""

    concept: Concept
    start: int
    end: int
    count: int = 1


def read_concepts(rows: Sequence[Mapping[str, Any]]) -> tuple[Concept, ...]:
    """The concepts of `rulerefs.yaml`."""
    return tuple(
        Concept(
            rules=tuple(row["rules"]),
            weight=float(row["w"]),
            why=row["why"],
            patterns=tuple(_expand(pattern) for pattern in row["when"]),
            unless=tuple(_expand(pattern) for pattern in row.get("not", ())),
        )
        for row in rows
    )


def _expand(pattern: str) -> str:
    return pattern.replace(" .. ", f" {_GAP}").replace("..", "[^.;]*?")


class Matcher:
    """Finds concepts in texts. `english` is any long text of the same language, to tell rare letter groups."""

    def __init__(self, concepts: Sequence[Concept], english: str) -> None:
        common = Counter(english[i : i + 3] for i in range(len(english) - 2))
        self._by_gram: dict[str, list[int]] = defaultdict(list)
        self._always: list[int] = []
        self._tried: list[tuple[int, re.Pattern[str]]] = []
        self._concepts = tuple(concepts)
        self._unless = tuple(tuple(re.compile(p) for p in concept.unless) for concept in concepts)
        for at, concept in enumerate(concepts):
            for pattern in concept.patterns:
                index = len(self._tried)
                self._tried.append((at, re.compile(pattern)))
                grams = [gram for run in literals(pattern) for gram in _grams(run)]
                if grams:
                    self._by_gram[min(grams, key=lambda g: (common[g], g))].append(index)
                else:
                    self._always.append(index)

    def match(self, text: str) -> list[Hit]:
        """The concepts that `text` (folded, lower case) speaks of, in the order of the data."""
        tried = set(self._always)
        for gram in set(_grams(text)):
            found = self._by_gram.get(gram)
            if found:
                tried.update(found)
        hits: dict[int, Hit] = {}
        for index in sorted(tried):
            at, pattern = self._tried[index]
            found_at = pattern.search(text)
            if not found_at:
                continue
            before = hits.get(at)
            start, end = found_at.span()
            if before is None:
                hits[at] = Hit(self._concepts[at], start, end)
            else:
                start = min(start, before.start)
                hits[at] = Hit(before.concept, start, max(end, before.end), before.count + 1)
        return [hit for at, hit in hits.items() if not any(p.search(text) for p in self._unless[at])]


def _grams(text: str) -> Iterator[str]:
    return (text[i : i + 3] for i in range(len(text) - 2))


def literals(pattern: str) -> list[str]:
    """Stretches of text that every match of `pattern` must hold; none for a pattern with a top-level alternative.

    >>> literals(r"(?:must|can) be paid\\b")
    [' be paid']
    """
    runs: list[str] = []
    run: list[str] = []
    depth = at = 0

    def close() -> None:
        if len(run) > 2:
            runs.append("".join(run))
        run.clear()

    while at < len(pattern):
        char = pattern[at]
        step, literal = 1, ""
        if char == "\\":
            step = 2
            literal = pattern[at + 1] if pattern[at + 1] in _SPECIAL or pattern[at + 1] == "-" else ""
            if pattern[at + 1] == "b" and depth == 0:
                at += 2
                continue  # a word boundary stands between two literals without parting them
        elif char == "[":
            step = pattern.index("]", at + 2) - at + 1
        elif char == "(":
            depth += 1
        elif char == ")":
            depth -= 1
        elif char == "|" and depth == 0:
            return []
        elif char == "{":
            step = pattern.index("}", at) - at + 1
        elif char not in _SPECIAL:
            literal = char
        if depth or not literal:
            close()
        elif at + step < len(pattern) and pattern[at + step] in "?*{":
            close()
        else:
            run.append(literal)
        at += step
    close()
    return runs
