"""Cards that a question names: in full, short, by a distinctive word, misspelt; and ordinary words that only look so.

In: the tokens of a question, its text (capitals are evidence), the index. Out: cards with a confidence in thousandths,
and which tokens belong to a name. How sure we are is whole-number arithmetic, told in docs/ranking.md. The base itself
says which names are ordinary words: `usual` counts the rulings that use a name in lower case.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import isqrt

from indexer.index_names import FULL, OTHER, SHORT
from rulings.language.tokens import Token
from rulings.language.vocabulary import vocabulary
from search.base import Base

SURE = 1000
LONGEST_NAME = 8
MOST_CARDS = 60
"""A word in more names than this points at no card."""


@dataclass(slots=True)
class Recognised:
    """`cards`: confidence by card number. `used`: positions of tokens that belong to a name. `spans`: which names
    were read where, as (first position, number of tokens, cards)."""

    cards: dict[int, int] = field(default_factory=dict)
    used: set[int] = field(default_factory=set)
    spans: list[tuple[int, int, tuple[int, ...]]] = field(default_factory=list)

    def add(self, card: int, confidence: int) -> None:
        if confidence > self.cards.get(card, 0):
            self.cards[card] = confidence


def recognise(base: Base, tokens: Sequence[Token], stems: Sequence[str], text: str) -> Recognised:
    """The cards that the question `text` with these tokens (none joined) and stems names."""
    found = Recognised()
    capital = _capitals(tokens, text)
    words = vocabulary()
    ordinary = words.ordinary | words.light
    for length in range(min(LONGEST_NAME, len(stems)), 0, -1):
        for i in range(len(stems) - length + 1):
            span = range(i, i + length)
            if found.used.intersection(span):
                continue
            key = "".join(stems[i : i + length])
            cards = base.cards_called(key)
            if not cards:
                continue
            kind = max(k for _, k in cards)
            confidence = (
                _one_word(base, tokens[i].text, stems[i], kind, capital[i], ordinary)
                if length == 1
                else _many_words(base, key, stems[i : i + length], kind, any(capital[i : i + length]), ordinary)
            )
            if not confidence:
                continue
            best = tuple(c for c, k in cards if k in (kind, OTHER))
            for card in best:
                found.add(card, confidence * _among(len(best)) // SURE)
            found.used.update(span)
            found.spans.append((i, length, best))
    _again(base, found, stems, capital)
    _distinctive(base, found, stems, capital, ordinary)
    return found


def _capitals(tokens: Sequence[Token], text: str) -> list[bool]:
    """Which tokens are capitalised as a name is: not at the start of a sentence, nor where all words are."""
    upper = [text[token.start].isupper() for token in tokens]
    if len(tokens) > 1 and all(upper):
        return [False] * len(tokens)
    found = []
    for i, token in enumerate(tokens):
        between = text[tokens[i - 1].end : token.start] if i else ""
        starts = i == 0 or any(sign in between for sign in ".?!:")
        found.append(upper[i] and not starts and len(token.text) > 1)
    return found


def _among(cards: int) -> int:
    """The share of each of several cards that one name could mean."""
    return SURE if cards <= 2 else isqrt(2 * SURE * SURE // cards)


def _one_word(base: Base, word: str, stem: str, kind: int, capital: bool, ordinary: frozenset[str]) -> int:
    if len(word) == 1:
        return 0
    if capital:
        return SURE
    if stem in ordinary or base.is_type(stem) or base.frequency("@" + stem):
        return 0
    slang = stem in vocabulary().slang
    usual = base.usual(stem)
    if kind == OTHER:
        return SURE if usual == 0 else 0
    if usual == 0:
        return SURE if kind == FULL or not slang else 0
    if kind == FULL and usual <= 10:
        return 300 if slang else 800
    if usual <= 3:
        return 0 if slang else 600
    return 300 if kind == FULL and usual <= 60 else 0


def _many_words(base: Base, key: str, stems: Sequence[str], kind: int, capital: bool, ordinary: frozenset[str]) -> int:
    usual = base.usual(key)
    confidence = SURE if capital or usual <= 2 else 600 if usual <= 10 else 300 if usual <= 40 else 0
    if not capital and all(stem in ordinary for stem in stems):
        confidence = min(confidence, 600 if len(stems) > 2 else 400)
    if kind == SHORT and not capital:
        confidence = min(confidence, 500)
    return confidence


def _again(base: Base, found: Recognised, stems: Sequence[str], capital: Sequence[bool]) -> None:
    """A word of a name that was already read (`the Decay`) belongs to it and points at no other card."""
    named = {word for card in found.cards for word in base.card(card)[1]}
    light = vocabulary().light
    for i, stem in enumerate(stems):
        if i not in found.used and stem in named and stem not in light and (capital[i] or base.usual(stem) < 20):
            found.used.add(i)


def _distinctive(
    base: Base, found: Recognised, stems: Sequence[str], capital: Sequence[bool], ordinary: frozenset[str]
) -> None:
    """Words that stand in a few names only: `Faithmenders`, `Vadrok`, `the Archdruid`."""
    slang, light = vocabulary().slang, vocabulary().light
    score: dict[int, int] = {}
    places: dict[int, list[int]] = {}
    for i, stem in enumerate(stems):
        if (
            i in found.used
            or len(stem) < 3
            or stem in ordinary
            or (not capital[i] and (stem in slang or base.is_type(stem)))
        ):
            continue
        cards = base.cards_with_word(stem)
        usual = base.usual(stem)
        if not cards or len(cards) > MOST_CARDS:
            continue
        if capital[i]:
            sure = 800 if len(cards) <= 40 else 400
        elif usual == 0:
            sure = 800
        elif usual <= 2 and len(cards) <= 6:
            sure = 500
        else:
            continue
        for card in cards:
            places.setdefault(i, []).append(card)
            score[card] = max(score.get(card, 0), sure)
    asked = set(stems)
    for card, sure in score.items():
        words = {word for word in base.card(card)[1] if word not in light}
        have = len(words & asked)
        score[card] = sure * isqrt(SURE * SURE * have // max(1, len(words))) // SURE
    for i, cards in places.items():
        best = max(score[card] for card in cards)
        kept = tuple(card for card in cards if score[card] * 10 >= best * 6)
        for card in kept:
            found.add(card, score[card] * _among(len(kept)) // SURE)
        found.used.add(i)
        found.spans.append((i, 1, kept))
