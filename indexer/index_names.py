"""The card side of the search index: every name a card goes by, and the words of Oracle texts.

In: the cards of a base. Out: rows for the tables `card`, `name`, `nameword`, `oracle`. A name's key is the stems of
its words run together, so that `Lim-Dûl's Vault`, `lim dul vault` and `limduls vault` are one. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from rulings.language.tokens import stem, tokenize, words
from rulings.language.vocabulary import vocabulary
from rulings.model import Card
from rulings.names import faces, is_legendary, short_name

FULL, FACE, SHORT, OTHER = 3, 2, 1, 0
"""What kind of name a key is: the full name, a face, a short name, or a former, foreign or nick name."""


def name_key(name: str) -> str:
    """The stems of the words of `name`, run together; a name of signs alone keeps its signs."""
    return "".join(stem(word) for word in words(name)) or name.strip().lower()


def name_stems(name: str) -> list[str]:
    """The stems of the words of `name`, joined ones too."""
    return [stem(token.text) for token in tokenize(name)]


@dataclass(slots=True)
class Names:
    """The rows about cards. Cards are numbered in the order of their names."""

    cards: list[tuple[int, str, str, str]] = field(default_factory=list)  # number, name, stems, Oracle stream
    keys: dict[str, list[tuple[int, int]]] = field(default_factory=dict)  # key -> (card, kind)
    spelt: list[tuple[str, str, int]] = field(default_factory=list)  # key, name as written, card
    words: dict[str, list[int]] = field(default_factory=dict)  # stem -> cards
    oracle: dict[str, list[int]] = field(default_factory=dict)  # stem -> cards
    types: set[str] = field(default_factory=set)  # stems of the words of type lines

    def wanted(self, key: str) -> bool:
        """Whether the key is one that a question could mean a card by."""
        return key in self.keys or key in self.words


def names(cards: Iterable[Card], extra: Iterable[str] = ()) -> Names:
    """All rows for these cards, and for names that rulings stand on without card data (`extra`)."""
    merged: dict[str, list[Card]] = {}
    for card in cards:
        merged.setdefault(card.name, []).append(card)
    for name in extra:
        merged.setdefault(name, [Card(name)])
    found = Names()
    number_of: dict[str, int] = {}
    for number, name in enumerate(sorted(merged)):
        number_of[name] = number
        _add(found, number, name, merged[name])
    for asked, name in vocabulary().nicknames:
        if name in number_of:
            _key(found, asked, number_of[name], OTHER)
    return found


def _add(found: Names, number: int, name: str, cards: list[Card]) -> None:
    parts = (*faces(name), *(face.name for card in cards for face in card.faces))
    legendary = is_legendary(cards[0])
    _key(found, name, number, FULL)
    for part in dict.fromkeys(parts):
        _key(found, part, number, FACE)
    for part in dict.fromkeys((name, *parts)):
        if short := short_name(part, legendary):
            _key(found, short, number, SHORT)
    others = [other for card in cards for other in (*card.former_names, *card.foreign_names)]
    for other in dict.fromkeys(others):
        _key(found, other, number, OTHER)
    for word in dict.fromkeys(name_stems(name)):
        found.words.setdefault(word, []).append(number)
    for card in cards:
        for line in (card.type_line, *(face.type_line for face in card.faces)):
            found.types.update(stem(word) for word in words(line))
    texts = [
        t
        for c in cards
        for t in (c.oracle_text, c.type_line, *(x for f in c.faces for x in (f.oracle_text, f.type_line)))
    ]
    streams = [" ".join(words(text)) for text in texts if text]
    for word in {stem(w) for s in streams for w in s.split()}:
        found.oracle.setdefault(word, []).append(number)
    found.cards.append((number, name, " ".join(name_stems(name)), f" {' | '.join(streams)} "))


def _key(found: Names, name: str, number: int, kind: int) -> None:
    key = name_key(name)
    entries = found.keys.setdefault(key, [])
    if all(card != number for card, _ in entries):
        entries.append((number, kind))
        found.spelt.append((key, name, number))
