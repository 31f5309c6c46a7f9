"""Spelling: the known word nearest to one that is not known, and names nearest to a name.

The distance counts letters put in, left out, changed or swapped (optimal string alignment). One letter may differ in
words of up to seven letters, two in longer ones. Equal distance: the more frequent word, then the alphabet.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulings.names import card_key
from search.base import Base

_SHORT = 8


def allowed(word: str) -> int:
    """How many letters may differ."""
    return 1 if len(word) < _SHORT else 2


def within(word: str, candidates: Iterable[str], edits: int) -> list[tuple[int, str]]:
    """The candidates at most `edits` letters from `word`, nearest first."""
    from rapidfuzz.distance import OSA  # only where something is misspelt
    from rapidfuzz.process import extract_iter

    found = extract_iter(word, candidates, scorer=OSA.distance, score_cutoff=edits)
    return sorted((int(distance), candidate) for candidate, distance, _ in found)


def nearest_word(base: Base, word: str) -> str | None:
    """The word of rulings or card names that was probably meant; its first letter is taken as right."""
    frequency = {w: df for w, _, df in base.exact_words() if w[0] == word[0] and w.isalpha()}
    names = {w for w in base.name_words if w[0] == word[0] and w.isalpha()}
    near = within(word, frequency.keys() | names, allowed(word))
    return min(near, key=lambda pair: (pair[0], -frequency.get(pair[1], 0), pair[1]))[1] if near else None


def nearest_names(base: Base, name: str, limit: int = 3) -> list[str]:
    """Card names that look like `name`."""
    from rapidfuzz import fuzz, process

    spelt = base.spelt()
    keys = [str(card_key(written)) for written, _ in spelt]
    found = process.extract(str(card_key(name)), keys, scorer=fuzz.ratio, score_cutoff=75, limit=limit * 3)
    names: list[str] = []
    for _, _, place in found:
        full = base.card(spelt[place][1])[0]
        if full not in names:
            names.append(full)
    return names[:limit]
