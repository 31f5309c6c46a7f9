"""What a query asks for, for ranking: its terms with their class, the cards it names, spellings that were mended.

In: a typed query and the index. Out: `Question`. The same steps run in the browser (docs/ranking.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from indexer.index_document import KEYWORD
from rulings.language.query import LOOSE, Fuzzy, Near, Phrase, Query, RuleWord, leaves, loose_spans
from rulings.language.tokens import Token, stem, tokenize
from rulings.language.vocabulary import MARK, vocabulary
from search.base import Base
from search.names import Recognised, recognise
from search.spelling import nearest_word

LONGEST_KEYWORD = 3


@dataclass(frozen=True, slots=True)
class Question:
    """`terms`: (term, class) with class word, light, name, concept or keyword; each term once.
    `cards`: confidence by card. `mended`: (as typed, as read). `wanted`: the stems that a full match has."""

    terms: tuple[tuple[str, str], ...]
    cards: dict[int, int]
    only_names: bool
    mended: tuple[tuple[str, str], ...]
    spans: tuple[tuple[int, int, tuple[int, ...]], ...]


def understand(base: Base, query: Query) -> Question:
    """The question in `query`. Words under a NOT are not asked for; the tokens of phrases count as words."""
    tokens: list[Token] = []
    for start, end in loose_spans(query):
        tokens += [
            Token(t.text, t.start + start, t.end + start, t.position, t.joined) for t in tokenize(query.text[start:end])
        ]
    plain = [token for token in tokens if not token.joined]
    stems = [stem(token.text) for token in plain]
    stems, mended = _mend(base, plain, stems)
    named = recognise(base, plain, stems, query.text)
    terms: dict[str, str] = {}
    _words(plain, stems, named, terms)
    for token in tokens:
        if token.joined:
            terms.setdefault(stem(token.text), "word")
    for key, first, length in vocabulary().in_question(stems):
        if not all(i in named.used for i in range(first, first + length)):
            terms.setdefault(MARK + key, "concept")
    _keywords(base, stems, terms)
    for leaf, negated in leaves(query.root):
        if negated or isinstance(leaf, LOOSE):
            continue
        if isinstance(leaf, (Phrase, Near)):
            for word in leaf.tokens:
                terms.setdefault(stem(word), "light" if stem(word) in vocabulary().light else "word")
        elif isinstance(leaf, RuleWord):
            terms.setdefault(leaf.number, "word")
        elif isinstance(leaf, Fuzzy):
            terms.setdefault(stem(leaf.text), "word")
    kept = {t: c for t, c in terms.items() if c != "light"} or terms
    only_names = (
        bool(named.cards)
        and bool(plain)
        and all(i in named.used or s in vocabulary().light for i, s in enumerate(stems))
    )
    return Question(tuple(kept.items()), named.cards, only_names, tuple(mended), tuple(named.spans))


def _words(plain: Sequence[Token], stems: Sequence[str], named: Recognised, terms: dict[str, str]) -> None:
    order = {"light": 0, "name": 1, "word": 2}
    for i, word in enumerate(stems):
        kind = "name" if i in named.used else "light" if word in vocabulary().light else "word"
        if word not in terms or order[kind] < order[terms[word]]:
            terms[word] = kind


def _keywords(base: Base, stems: Sequence[str], terms: dict[str, str]) -> None:
    light = vocabulary().light
    for length in range(1, LONGEST_KEYWORD + 1):
        for i in range(len(stems) - length + 1):
            if length == 1 and stems[i] in light:
                continue
            term = KEYWORD + "".join(stems[i : i + length])
            if term not in terms and base.frequency(term):
                terms[term] = "keyword"


def _mend(base: Base, plain: Sequence[Token], stems: list[str]) -> tuple[list[str], list[tuple[str, str]]]:
    """Words that neither rulings nor names nor slang know are read as the nearest known one."""
    words = vocabulary()
    mended: list[tuple[str, str]] = []
    found = list(stems)
    for i, (token, known) in enumerate(zip(plain, stems, strict=True)):
        if len(token.text) < 5 or not token.text.isalpha() or known in words.light or known in words.slang:
            continue
        if base.frequency(known) or base.cards_with_word(known) or base.cards_called(known):
            continue
        if any(first == i for _, first, n in words.in_question(stems) if n > 1):
            continue
        if near := nearest_word(base, token.text):
            found[i] = stem(near)
            mended.append((token.text, near))
    return found, mended
