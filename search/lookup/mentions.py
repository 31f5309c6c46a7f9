"""Card names in a text: what is surely a name, and what may be one.

In: a text as read, the base. Out: `Mention`s in order, never overlapping. A name is sure where nobody writes it as
plain words: several words with the capitals of a name, one word that no ruling of another card uses, or anything in
`[[double brackets]]`. The rest (*Shock* at the start of a sentence, a short name) only helps to tell whose ruling is
quoted, and is never reported.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from indexer.lookup_index import SHORT
from search.lookup.base import LookupBase, Text

_BRACKETS = re.compile(r"\[\[([^\[\]\n]{1,150})\]\]")
_SMALL = frozenset("a an and as at but by for from in into is it of on or than the to with // de la le du".split())
_RARE = 20
"""A word that stands in more rulings than this (*It* is a card, and so is *X*) begins a sentence as a word."""
_SENTENCE_GAP = re.compile(r"[.!?:>*\n]\W*$")


@dataclass(frozen=True, slots=True)
class Mention:
    """`first` and `last` (excluded) count words. `level`: 2 is a name beyond doubt, 1 a word with a capital in the
    middle of a sentence, 0 may be no name at all. `whole`: the name of a card or face, and a rare word besides."""

    start: int
    end: int
    first: int
    last: int
    cards: tuple[str, ...]
    level: int
    whole: bool
    possessive: bool = False


def mentions(text: Text, base: LookupBase) -> list[Mention]:
    """The cards that `text` may name, longest names first where several fit, in order."""
    bracketed = {found.start(1): found.end(1) for found in _BRACKETS.finditer(text.text)}
    longest = base.longest_from([_bare(key) for key in text.keys] + text.keys)
    found: list[Mention] = []
    at = 0
    while at < len(text.keys):
        mention = _at(text, at, base, longest, bracketed)
        if mention:
            found.append(mention)
            at = mention.last
        else:
            at += 1
    return found


def _bare(key: str) -> str:
    return key[:-2] if key.endswith("'s") else key


def _at(text: Text, at: int, base: LookupBase, longest: dict[str, int], bracketed: dict[int, int]) -> Mention | None:
    most = max(longest.get(text.keys[at], 0), longest.get(_bare(text.keys[at]), 0))
    first = text.tokens[text.words[at]]
    small = text.text[first.start].islower()
    if not most or (small and most == 1 and first.start not in bracketed):
        return None
    for length in range(min(most, len(text.keys) - at), 0, -1):
        last = text.tokens[text.words[at + length - 1]]
        if "\n\n" in text.text[first.start : last.end]:
            continue
        keys = text.keys[at : at + length]
        for possessive in (False, True):
            if possessive:
                if not keys[-1].endswith("'s"):
                    continue
                keys = [*keys[:-1], keys[-1][:-2]]
            name = base.name(" ".join(keys))
            if name is None:
                continue
            end = last.end - (2 if possessive else 0)
            in_brackets = bracketed.get(first.start) == end
            capitals = _capitals(text, at, length)
            if not in_brackets and not capitals and (length == 1 or (small and len(" ".join(keys)) < 9)):
                continue
            starts = first.start == 0 or bool(_SENTENCE_GAP.search(text.text[max(0, first.start - 8) : first.start]))
            level = 0
            if in_brackets or (capitals and name.kind != SHORT and length > 1):
                level = 2
            elif capitals and name.kind < SHORT:
                level = (1 if name.common else 2) if not starts else 0
            if len(name.cards) > 20:
                level = 0
            whole = capitals and name.kind < SHORT and name.common <= _RARE
            return Mention(first.start, end, at, at + length, name.cards, level, whole, possessive)
    return None


def _capitals(text: Text, at: int, length: int) -> bool:
    """Whether these words are written as a name: a capital on each but the small words, and on the first."""
    for number in range(at, at + length):
        token = text.tokens[text.words[number]]
        char = text.text[token.start]
        if char.islower() and (number == at or token.key not in _SMALL):
            return False
    return True
