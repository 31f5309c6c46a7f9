"""Rulings that seem to stand on the wrong card: they name another card and never their own."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from weakref import WeakKeyDictionary

from rulings.model import Card
from rulings.names import CardIndex, faces
from rulings.text import loose, sentences

_WORD = re.compile(r"[^\W_]+(?:['’\-][^\W_]+)*")
# A ruling may speak of other cards by the way: "such as that of Gideon Jura", "For example, if you control ...".
_BY_THE_WAY = re.compile(
    r"\b(?:examples?|instance|such as|like|e\.g|i\.e|say|unlike|including|called|named|name|cards? (?:are|is)"
    r"|similar(?:ly)?|imagine|suppose|let['’]s|errata|token|token's|because of|due to|version|back face|face"
    r"|compare|combined?|together with|variant|form of)\b|[\[(\"“]",
    re.IGNORECASE,
)
# Words that stand right before a card which the ruling only touches.
_TOUCHED = re.compile(
    r"\b(?:by|using|from|both|another|unless|and|or|than|as|via|controls?|controlling|whose|with|copy|copying"
    r"|animate[sd]?|a|an)\s+(?:the |a |an |your |target )?$",
    re.IGNORECASE,
)
# Sets share names with cards: "the Hour of Devastation set".
_SET = re.compile(r"[\s_]*(?:\(TM\)|™|®)?_?\s*(?:sets?|Set|expansion|block|release|Commander decks?)\b")
_COMMON_KEYWORD = 400  # flying or trample stand in rulings of every card
# Names that are words of the game as well.
_TERMS = frozenset(("Two-Headed Giant", "First Strike", "Double Strike", "Last Strike", "Set Adrift"))


class Mentions:
    """Finds names of cards in texts: full names and faces of two words or more, in their own case."""

    def __init__(self, index: CardIndex) -> None:
        self._by_start: dict[tuple[str, str], list[tuple[tuple[str, ...], list[str], str]]] = {}
        for card in index.cards:
            for name in {card.name, *faces(card.name)}:
                words = tuple(_words(name))
                if len(words) > 1 and "_" not in name:
                    self._by_start.setdefault((words[0], words[1]), []).append((words, _spelt(name), name))
        for names in self._by_start.values():
            names.sort(key=lambda entry: (-len(entry[0]), entry[2]))
        counted = Counter(keyword.lower() for card in index.cards for keyword in card.keywords)
        rare = [keyword for keyword, count in counted.items() if 4 <= count < _COMMON_KEYWORD and keyword.isalpha()]
        either = "|".join(sorted(map(re.escape, rare)))
        self._keyword = re.compile(rf"\b({either})(?:'s)? (?:ability|abilities|cost|costs|keyword)\b") if rare else None

    def foreign_keyword(self, text: str, own: str, card: Card) -> str | None:
        """A keyword whose ability or cost `text` explains though the card has it not. `Unearthly Power` is not unearth
        (scryfall/gatherer-bugs#158)."""
        low = text.lower()
        if self._keyword is None or not any(f" {word}" in low for word in ("abilit", "cost", "keyword")):
            return None
        for match in self._keyword.finditer(low):
            keyword = match[1]
            stem = re.escape(keyword[:-1] if keyword.endswith(("e", "y")) else keyword)
            if re.search(rf"\b{stem}(?:e|y|ie)?(?:s|d|ed|ing|er)?\b", own) or keyword in map(str.lower, card.keywords):
                continue
            twice = len(re.findall(rf"\b{re.escape(keyword)}\b", low)) > 1
            if twice and not _BY_THE_WAY.search(text[: match.start()]) and "variant" not in text:
                return keyword
        return None

    def find(self, text: str) -> Iterator[tuple[int, str]]:
        """(offset, name) of each card named in `text`; the longest name that stands there."""
        found = [(match.start(), match.group()) for match in _WORD.finditer(text)]
        skip = 0
        for position, (start, word) in enumerate(found):
            if position < skip or word[0].islower() or position + 1 == len(found):
                continue
            first, second = _fold(word), _fold(found[position + 1][1])
            names = self._by_start.get((first, second), ())
            if second.endswith(("'s", "s'")):  # "Mount Doom's last ability"
                names = (*names, *self._by_start.get((first, second[: second.rindex("'")]), ()))
            for words, spelt, name in names:
                there = found[position : position + len(words)]
                if len(there) != len(words) or not _same([w for _, w in there], words):
                    continue
                # "The protector of a battle" is not the card The Protector.
                if all(w[0].islower() == own[0].islower() for (_, w), own in zip(there, spelt, strict=True)):
                    yield start, name
                    skip = position + len(words)
                    break


def _same(found: list[str], words: tuple[str, ...]) -> bool:
    for at in range(1, len(words)):
        word = _fold(found[at])
        if word != words[at] and not (at == len(words) - 1 and _ends(word, words[at])):
            return False
    return len(words) > 1


def _fold(word: str) -> str:
    word = word.replace("’", "'")
    return word.lower() if word.isascii() else loose(word)


def _spelt(name: str) -> list[str]:
    return [match.group() for match in _WORD.finditer(name)]


def _words(name: str) -> list[str]:
    return [_fold(word) for word in _spelt(name)]


def _ends(found: str, wanted: str) -> bool:
    return found == wanted or found == wanted + "'s" or (wanted.endswith("s") and found == wanted + "'")


_cache: WeakKeyDictionary[CardIndex, Mentions] = WeakKeyDictionary()


def mentions(index: CardIndex) -> Mentions:
    """The finder for the cards of `index`, built once."""
    found = _cache.get(index)
    if found is None:
        found = _cache[index] = Mentions(index)
    return found


def attachment(text: str, own_names: Sequence[str], card: Card | None, index: CardIndex) -> str | None:
    """Why `text` looks attached to the wrong card, None if it does not: it speaks of another card, not only by the
    way, and of its own by no name at all."""
    plain = text.replace("’", "'")
    if any(name.replace("’", "'") in plain for name in own_names):
        return None
    own = own_text(card).lower()
    if card is not None and own.strip() and (keyword := mentions(index).foreign_keyword(plain, own, card)):
        return f"explains {keyword}, which {own_names[0]} has not"
    for start, name in mentions(index).find(plain):
        if name in _TERMS or name.lower() in own or any(name in mine or mine in name for mine in own_names):
            continue
        begin = max((end for _, end in sentences(plain) if end <= start), default=0)
        before = plain[begin:start]
        previous = plain[:begin]
        if _SET.match(plain, start + len(name)) or before.lower().endswith(" in "):
            continue
        if _BY_THE_WAY.search(before) or _TOUCHED.search(before) or _BY_THE_WAY.search(previous):
            continue
        return f"names {name} and never {own_names[0]}"
    return None


def own_text(card: Card | None) -> str:
    """What stands on the card, all faces."""
    if card is None:
        return ""
    return "\n".join((card.oracle_text, *(f"{face.name}\n{face.oracle_text}" for face in card.faces)))
