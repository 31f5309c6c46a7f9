"""The words that decide: function words, synonyms, phrases, kinds. Loaded once from lexicon.yaml and words.txt.

Data in, frozen sets and tables out; nothing here looks at a pair of texts.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from itertools import combinations
from typing import Any

from rulings.yamlfile import load

Phrase = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Lexicon:
    """All tables. `phrases` maps a first word to (old words, new words), longest first."""

    function: frozenset[str]
    synonyms: dict[str, frozenset[str]]
    representative: dict[str, str]
    phrases: dict[str, tuple[tuple[Phrase, Phrase], ...]]
    outdated: tuple[tuple[frozenset[str], frozenset[str], str], ...]
    kinds: dict[str, str]
    confusable: frozenset[frozenset[str]]
    words: frozenset[str]
    subtypes: frozenset[str]
    exchanges: frozenset[frozenset[Phrase]]
    soft: frozenset[str]
    pointing: frozenset[str]
    droppable: frozenset[str]
    opposites: frozenset[frozenset[str]]
    deeds: dict[str, str]
    within: dict[frozenset[Phrase], frozenset[str]]


def _content(words: str, function: frozenset[str]) -> Phrase:
    return tuple(word for word in words.split() if word not in function)


def _read(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    """The shipped tables."""
    data: Any = load(_read("lexicon.yaml"), "lexicon.yaml")[0]  # stock YAML would read `on` and `no` as booleans
    function = frozenset(word for words in data["function"].values() for word in words)
    synonyms: dict[str, set[str]] = {}
    representative: dict[str, str] = {}
    for group in data["synonyms"]:
        for word in group:
            synonyms.setdefault(word, set()).update(group)
            representative.setdefault(word, group[0])
    phrases: dict[str, list[tuple[Phrase, Phrase]]] = {}
    for row in data["phrases"]:
        new = tuple(row["to"].split())
        older = [old.replace("mana value", "converted mana cost") for old in row["from"] if "mana value" in old]
        for old in [*row["from"], *older]:
            words = tuple(old.split())
            phrases.setdefault(words[0], []).append((words, new))
    within: dict[frozenset[Phrase], set[str]] = {}
    for row in data["within"]:
        for one, other in combinations([_content(words, function) for words in row["any"]], 2):
            within.setdefault(frozenset((one, other)), set()).update(row["where"])
    kinds = {word: kind for kind, words in reversed(data["kinds"].items()) for word in words}
    return Lexicon(
        function=function,
        synonyms={word: frozenset(group) for word, group in synonyms.items()},
        representative=representative,
        phrases={first: tuple(sorted(rows, key=lambda row: -len(row[0]))) for first, rows in phrases.items()},
        outdated=tuple((frozenset(r["old"]), frozenset(r["new"]), r["reason"]) for r in data["outdated"]),
        kinds=kinds,
        confusable=frozenset(frozenset(pair) for pair in data["confusables"]),
        words=frozenset(_read("words.txt").split()),
        subtypes=frozenset(_read("subtypes.txt").split()),
        exchanges=frozenset(frozenset((tuple(a.split()), tuple(b.split()))) for a, b in data["exchanges"]),
        soft=frozenset(data["soft"]),
        pointing=frozenset(data["pointing"]),
        droppable=frozenset(data["droppable"]),
        within={pair: frozenset(words) for pair, words in within.items()},
        opposites=frozenset(frozenset(pair.split()) for pair in data["opposites"]),
        deeds={form: forms[0] for forms in data["deeds"] for form in forms},
    )
