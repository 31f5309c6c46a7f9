"""What a card is called: its full name, faces, short name, plural, former and foreign names.

Damage detection, dedupe, query and lookup all ask here, so that "the card's own name" means one thing.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import NewType

from rulings.model import Card
from rulings.text import loose, plain

CardKey = NewType("CardKey", str)
"""A name without case, accents, spaces and punctuation; made by `card_key` only."""

SEPARATOR = " // "
_NOT_WORD = re.compile(r"[^a-z0-9]+")
# Words that end the short name of a legendary card: "Gisela, the Broken Blade", "Ertai of ...".
_SHORT = re.compile(r"(?:,| of the | of | the )\s*")


def card_key(name: str) -> CardKey:
    """`Lim-Dûl's Vault`, `lim dul's vault` and `limdulsvault` have one key. A name of signs alone (`_____`) keeps
    its signs."""
    folded = loose(name)
    return CardKey(_NOT_WORD.sub("", folded) or folded.replace(" ", ""))


def faces(name: str) -> tuple[str, ...]:
    """`A // B` -> (`A`, `B`); a name of one face -> itself."""
    return tuple(part for part in name.split(SEPARATOR) if part)


def short_name(name: str, legendary: bool | None = None) -> str | None:
    """What the publisher calls a legendary card after first mention: `Ajani, Caller of the Pride` -> `Ajani`,
    `Gerrard Capashen` -> `Gerrard` (only where `legendary` is known). None where there is none."""
    head, comma, _ = name.partition(",")
    if comma and legendary is not False:
        return head
    if legendary:
        cut = _SHORT.split(name, maxsplit=1)[0]
        if cut != name and cut:
            return cut
        first, _, rest = name.partition(" ")
        if rest and first.lower() not in ("the", "a", "an") and not first.endswith(("'s", "’s", "s'")):
            return first
    return None


def plural(name: str) -> str | None:
    """`Herald of Hope` -> `Heralds of Hope`, `Plague Rat` -> `Plague Rats`; None where it is plural already."""
    head, joint, tail = name.partition(" of ")
    if head.endswith("s"):
        return None
    if head.endswith("y") and head[-2:-1] not in "aeiou":
        return head[:-1] + "ies" + joint + tail
    if head.endswith(("ch", "sh", "x", "z")):
        return head + "es" + joint + tail
    return head + "s" + joint + tail


def plain_letters(name: str) -> str:
    """`Lim-Dûl` -> `Lim-Dul`, case and signs kept: sources write names without accents."""
    name = name.replace("Æ", "Ae").replace("æ", "ae")
    return "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))


@lru_cache(maxsize=65536)
def _spellings(names: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Each spelling of the names with the sign that stands for it, longest first."""
    signs: dict[str, str] = {}
    for name in names:
        straight = plain(name)
        for spelling in (straight, plain_letters(straight)):
            if len(spelling) < 2:
                continue  # the card X: "X is 0" speaks of the number
            signs.setdefault(spelling, "~")
            if many := plural(spelling):
                signs.setdefault(many, "~s")
    return tuple(sorted(signs.items(), key=lambda item: (-len(item[0]), item[0])))


def mask(text: str, names: tuple[str, ...]) -> str:
    """`text` (plain typography) with `~` for every own name in `names`, `~s` for its plural.

    >>> mask("A third Naban triggers Naban's ability; two Nabans don't.", ("Naban, Dean of Iteration", "Naban"))
    "A third ~ triggers ~'s ability; two ~s don't."
    """
    for spelling, sign in _spellings(names):
        at = text.find(spelling)  # no pattern for each card: compiling 18,000 of them takes seconds
        while at >= 0:
            end = at + len(spelling)
            if _is_word(text[at - 1 : at]) or _is_word(text[end : end + 1]):
                at = text.find(spelling, at + 1)
                continue
            text = text[:at] + sign + text[end:]
            at = text.find(spelling, at + len(sign))
    return text


def _is_word(char: str) -> bool:
    return char.isalnum() or char == "_"


@lru_cache(maxsize=65536)
def own_names(name: str, legendary: bool | None = None) -> tuple[str, ...]:
    """All that rulings call the card by itself, longest first: full name, faces, short names."""
    names = {name, *faces(name)}
    for part in (name, *faces(name)):
        if short := short_name(part, legendary):
            names.add(short)
            if legendary and (shorter := short_name(short, legendary)):
                names.add(shorter)  # Naru Meha, Master Wizard: "Naru Meha", then "Naru"
    return tuple(sorted(names, key=lambda n: (-len(n), n)))


def is_legendary(card: Card | None) -> bool | None:
    """Whether card data says legendary; None where there is no card data."""
    if card is None or not (card.type_line or card.faces):
        return None
    return "Legendary" in card.type_line or any("Legendary" in face.type_line for face in card.faces)


class CardIndex:
    """Finds cards by any name they go by. Built once from the cards of a base."""

    def __init__(self, cards: Iterable[Card]) -> None:
        self.cards = tuple(cards)
        self._by_key: dict[CardKey, list[Card]] = {}
        weaker: list[tuple[str, Card]] = []
        for card in self.cards:
            for name in (card.name, *faces(card.name), *(face.name for face in card.faces)):
                self._add(name, card)
            weaker += [(name, card) for name in (*card.former_names, *card.foreign_names)]
        for name, card in weaker:
            if card_key(name) not in self._by_key or card.name not in {c.name for c in self.find(name)}:
                self._add(name, card)

    def _add(self, name: str, card: Card) -> None:
        key = card_key(name)
        if key:
            found = self._by_key.setdefault(key, [])
            if card not in found:
                found.append(card)

    def find(self, name: str) -> tuple[Card, ...]:
        """The cards called `name`; a card whose full name it is comes before one that has it as a face."""
        found = self._by_key.get(card_key(name), [])
        full = [card for card in found if card_key(card.name) == card_key(name)]
        return tuple(full + [card for card in found if card not in full])
