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

_GAP = r"(?=[^\w'])[^.;]*?(?<=\W)"
_SPECIAL = frozenset("\\^$.|?*+()[]{}")


@dataclass(frozen=True, slots=True)
class Concept:
    """What some words of rules English mean: the rules behind them, best first, how surely, and why."""

    rules: tuple[str, ...]
    weight: float
    why: str
    patterns: tuple[str, ...]
    unless: tuple[str, ...] = ()
    sure: bool = False


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
            sure=bool(row.get("sure")),
        )
        for row in rows
    )


def _expand(pattern: str) -> str:
    return pattern.replace(" .. ", _GAP).replace("..", "[^.;]*?")


class PatternSet:
    """Many patterns tried on many texts. `english` is any long text of the language, to tell rare letter groups."""

    def __init__(self, patterns: Sequence[str], english: str) -> None:
        common = Counter(english[i : i + 3] for i in range(len(english) - 2))
        self._by_gram: dict[str, list[int]] = defaultdict(list)
        self._always: list[int] = []
        self._compiled = [re.compile(pattern) for pattern in patterns]
        self._runs: list[tuple[str, ...]] = []

        def rarest(runs: list[str]) -> str:
            return min((gram for run in runs for gram in _grams(run)), key=lambda g: (common[g], g))

        for index, pattern in enumerate(patterns):
            runs = literals(pattern)
            self._runs.append(tuple(runs))
            ways = [[rarest(runs)]] if runs else [[rarest(way) for way in group] for group in choices(pattern)]
            if ways:
                for gram in set(min(ways, key=lambda grams: sum(common[g] for g in grams))):
                    self._by_gram[gram].append(index)
            else:
                self._always.append(index)

    def search(self, text: str) -> Iterator[tuple[int, re.Match[str]]]:
        """The patterns that `text` (folded, lower case) holds, by index, in order."""
        tried = set(self._always)
        for gram in self._by_gram.keys() & set(_grams(text)):
            tried.update(self._by_gram[gram])
        for index in sorted(tried):
            for run in self._runs[index]:
                if run not in text:
                    break
            else:
                found = self._compiled[index].search(text)
                if not found:
                    continue
                yield index, found


class Matcher:
    """Finds concepts in texts."""

    def __init__(self, concepts: Sequence[Concept], english: str) -> None:
        self._concepts = tuple(concepts)
        self._owner = [at for at, concept in enumerate(concepts) for _ in concept.patterns]
        self._patterns = PatternSet([p for concept in concepts for p in concept.patterns], english)
        self._unless = tuple(tuple(re.compile(p) for p in concept.unless) for concept in concepts)

    def match(self, text: str) -> list[Hit]:
        """The concepts that `text` (folded, lower case) speaks of, in the order of the data."""
        hits: dict[int, Hit] = {}
        for index, found in self._patterns.search(text):
            at = self._owner[index]
            start, end = found.span()
            before = hits.get(at)
            if before is not None:
                start, end = min(start, before.start), max(end, before.end)
            hits[at] = Hit(self._concepts[at], start, end, before.count + 1 if before else 1)
        return [hit for at, hit in hits.items() if not any(p.search(text) for p in self._unless[at])]


def choices(pattern: str) -> list[list[list[str]]]:
    """The groups of alternatives of which every match of `pattern` must hold one, as the literals of each alternative;
    only groups in which every alternative has some.

    >>> choices(r"(?:cast|play)s? it (?:on|now)")
    [[['cast'], ['play']]]
    """
    groups = [_alternatives(pattern)] if len(_alternatives(pattern)) > 1 else []
    if not groups:
        for start, end in _groups(pattern):
            inside = pattern[start + 1 : end]
            if pattern[end + 1 : end + 2] not in ("?", "*", "{") and inside[:2] in ("?:", "?="):
                groups.append(_alternatives(inside[2:]))
    found = [[literals(way) for way in group] for group in groups]
    return [group for group in found if group and all(group)]


def _groups(pattern: str) -> Iterator[tuple[int, int]]:
    """Where the outermost groups of a pattern begin and end."""
    depth = start = 0
    for at, char in _bare(pattern):
        if char == "(":
            start = at if depth == 0 else start
            depth += 1
        elif char == ")":
            depth -= 1
            if depth == 0:
                yield start, at


def _alternatives(pattern: str) -> list[str]:
    """A pattern, cut at the `|` outside its groups."""
    depth, cuts = 0, [-1]
    for at, char in _bare(pattern):
        depth += (char == "(") - (char == ")")
        if char == "|" and depth == 0:
            cuts.append(at)
    return [pattern[a + 1 : b] for a, b in zip(cuts, [*cuts[1:], len(pattern)], strict=True)]


def _bare(pattern: str) -> Iterator[tuple[int, str]]:
    """The characters of a pattern that are neither escaped nor in a class."""
    at = 0
    while at < len(pattern):
        if pattern[at] == "\\":
            at += 2
        elif pattern[at] == "[":
            at = pattern.index("]", at + 2) + 1
        else:
            yield at, pattern[at]
            at += 1


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
        if depth or not literal or (at + step < len(pattern) and pattern[at + step] in "?*{"):
            close()
        else:
            run.append(literal)
        at += step
    close()
    return runs
