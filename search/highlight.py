"""What of a text matched: character ranges of words, phrases, wildcards and patterns, exactly those.

In: a text as shown, the query, its question. Out: ranges in order that do not touch. Never a word of a phrase that
stands elsewhere in the text.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rulings.language.query import (
    LOOSE,
    Compound,
    Fuzzy,
    Near,
    OwnName,
    Pattern,
    Phrase,
    Query,
    RuleWord,
    Wild,
    leaves,
)
from rulings.language.tokens import Token, stem, tokenize
from rulings.language.vocabulary import MARK, vocabulary
from search.engine import Engine, compile_pattern
from search.question import Question

Range = tuple[int, int]


class Highlighter:
    """Marks matches of one query in many texts."""

    def __init__(self, engine: Engine, query: Query, question: Question) -> None:
        self._sequences: list[tuple[str, ...]] = []
        self._near: list[tuple[str, ...]] = []
        self._exact: set[str] = set()
        self._patterns = []
        self._own_name = False
        loose = {term for term, kind in question.terms if kind in ("word", "name", "light")}
        self._concepts = {term[len(MARK) :] for term, kind in question.terms if kind == "concept"}
        proved: set[str] = set()
        for leaf, negated in leaves(query.root):
            if negated:
                continue
            match leaf:
                case Phrase():
                    self._sequences.append(leaf.tokens)
                    proved.update(stem(token) for token in leaf.tokens)
                case Compound():
                    self._sequences.append(leaf.parts)
                    proved.update(stem(part) for part in leaf.parts)
                    if leaf.joined:
                        self._exact.add(leaf.joined)
                case Near():
                    self._exact.update(leaf.tokens)
                    proved.update(stem(token) for token in leaf.tokens)
                case Wild() | Fuzzy():
                    self._exact.update(engine.expand(leaf, query))
                case Pattern():
                    self._patterns.append(compile_pattern(leaf, query))
                case RuleWord():
                    self._exact.add(leaf.number)
                case OwnName():
                    self._own_name = True
        asked = {stem(leaf.text) for leaf, no in leaves(query.root) if isinstance(leaf, LOOSE[0]) and not no}
        # The tokens of a phrase are ranked as words, but only the phrase itself is marked.
        self._stems = loose - (proved - asked)

    def ranges(self, text: str, own_names: Iterable[str] = ()) -> list[Range]:
        """The ranges of `text` that matched; `own_names` are what the text calls its own card."""
        everything = tokenize(text)
        tokens = [token for token in everything if not token.joined]
        stems = [stem(token.text) for token in tokens]
        found: list[Range] = []
        for token, word in zip(tokens, stems, strict=True):
            if word in self._stems or token.text in self._exact:
                found.append((token.start, token.end))
        found += [(t.start, t.end) for t in everything if t.joined and stem(t.text) in self._stems]
        for key, first, length in vocabulary().spans_in_ruling(stems) if self._concepts else ():
            if key in self._concepts:
                found.append((tokens[first].start, tokens[first + length - 1].end))
        for parts in self._sequences:
            found += _sequence(tokens, parts)
        for pattern in self._patterns:
            found += [m.span() for m in pattern.finditer(text) if m.end() > m.start()]
        if self._own_name:
            for name in own_names:
                start = text.find(name)
                while start >= 0:
                    found.append((start, start + len(name)))
                    start = text.find(name, start + len(name))
        return _merged(found)


def _sequence(tokens: Sequence[Token], parts: Sequence[str]) -> list[Range]:
    length = len(parts)
    return [
        (tokens[i].start, tokens[i + length - 1].end)
        for i in range(len(tokens) - length + 1)
        if all(tokens[i + j].text == parts[j] for j in range(length))
    ]


def _merged(ranges: Iterable[Range]) -> list[Range]:
    merged: list[Range] = []
    for start, end in sorted(ranges):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged
