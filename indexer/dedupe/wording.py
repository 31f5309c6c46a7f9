"""A wording: one distinct text, with the cards it stands on. What the other modules of dedupe compare.

Made from occurrences by `wordings`, or from one card and text by `wording_of`. Nothing here compares two texts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from indexer.dedupe.lexicon import lexicon
from indexer.dedupe.reading import undamaged
from rulings.model import Card
from rulings.names import is_legendary, mask, own_names

Recency = tuple[str, str]
"""Of the newest occurrence, larger is newer; "" for what is not known, "0..." for what is gone (`Entry.recency`)."""


@dataclass(frozen=True, slots=True)
class Wording:
    """One distinct text. `masked` has `~` for the own name of all its cards; `first` and `last` are its dates.

    `damaged` are kinds of damage found in the text itself. `recency` orders the choice of the canonical wording.
    """

    text: str
    masked: str
    cards: tuple[str, ...] = ()
    first: str | None = None
    last: str | None = None
    damaged: tuple[str, ...] = ()
    recency: Recency = ("", "")

    @property
    def gone(self) -> bool:
        """Whether the wording is known to stand at its source no longer."""
        return self.recency[0].startswith("0")


def _last_word(text: str, name: str) -> str:
    """`text` with `~` for "the Confluence" on Verdant Confluence. Types (the Goblin, the Saga) are left alone."""
    last = name.rsplit(" ", 1)[-1]
    if last == name or last not in text or not last.isalpha() or not last[0].isupper():
        return text
    if last.lower() in lexicon().subtypes:
        return text
    if not any(f"{article} {last}" in text for article in ("the", "The", "a", "A")):
        return text
    return re.sub(rf"(?<!of )(?<!and )\b(?:the|The|a|A) {last}\b(?! [A-Z])", "~", text)


def _first_word(text: str, name: str) -> str:
    """`text` with `~` for "the Ordeal" on Ordeal of Nylea. Types (the Curse, the Wall) are left alone."""
    first, of, _ = name.partition(" of ")
    if not of or not first.isalpha() or first.lower() in lexicon().subtypes or f"he {first}" not in text:
        return text
    return re.sub(rf"\b[tT]he {first}\b(?! of\b)(?! [A-Z])", "~", text)


def _first_name(text: str, name: str) -> str:
    """`text` with `~` for "Dan" on Dan Lewis, for a card of which nothing but its name is known: a short name is a
    word that no ruling uses otherwise. "A Jace planeswalker" and "Azorius creatures" are kinds, and no names."""
    first, space, _ = name.partition(" ")
    if not space or not first.isalpha() or first not in text:
        return text
    if first.lower() in lexicon().subtypes or first.lower() in lexicon().words:
        return text
    return _CALLED.sub(lambda found: "~" if found[2] == first and not found[1] else found[0], text)


_CALLED = re.compile(  # one pattern for all names: compiling one for each card takes seconds
    r"(\b(?i:an?|each|any|no|the|another) )?\b([^\W\d_]+)\b(?! [A-Z])"
    r"(?! (?:creature|planeswalker|permanent|card|spell|token|land|artifact|enchantment|deck|guild|player)s?\b)"
)


def masked(text: str, cards: Sequence[tuple[str, Card | None]]) -> str:
    """`text` with `~` for the card's own name, where that is the same name on all `cards` (name, card data).

    A text that names one of its cards and stands on others as well names *a* card: the name is content there.
    """
    clean = undamaged(text)
    forms = set()
    for name, card in cards:
        legendary = is_legendary(card)
        form = _first_word(_last_word(mask(clean, own_names(name, legendary)), name), name)
        forms.add(_first_name(form, name) if legendary is None else form)
    return forms.pop() if len(forms) == 1 else clean


def wording_of(card_name: str, text: str, date: str | None = None, card: Card | None = None) -> Wording:
    """The wording of one text on one card; `card` is its data where known (it tells short names)."""
    return Wording(
        text=text,
        masked=masked(text, [(card_name, card)]),
        cards=(card_name,),
        first=date,
        last=date,
        recency=(date or "", ""),
    )
