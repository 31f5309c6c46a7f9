"""Text into tokens, the same for rulings, queries and the browser.

In: any text. Out: tokens with their place in the original text. A token is a word with its apostrophes (`can't`), a
symbol (`{2/w}`), a change or value of power and toughness (`+1/+1`), a loyalty cost (`-2`), a rule number
(`702.90b`), a number, or `~` (the card's own name). Nothing is a stop word and nothing is too short. A word of parts
(`lim-dul`, `d'avenant`) gives its parts and, at the place of the first, all of them joined.
It never looks at cards or at the base. `docs/ranking.md` tells the same for another language.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from rulings.text import loose

_HERE = Path(__file__).parent
_WORD = r"[^\W_]+(?:'[^\W_]+)*"
_AMOUNT = r"(?:\d+|x|\*)"
# In this order: the first that fits at a place wins.
TOKEN = re.compile(
    r"\{[^{}\s]{1,15}\}"
    rf"|(?<![^\W_])[+-]?{_AMOUNT}/[+-]?{_AMOUNT}(?![^\W_])"
    r"|(?<![^\W_.])\d{3}\.\d{1,3}[a-z]?(?![^\W_])"
    r"|(?<![^\W_}*)'\"])[+-](?:\d+|x)(?![^\W_])"
    rf"|{_WORD}|~"
)
# Signs that NFKC would turn into letters ("Name™" would become "nametm").
_DROPPED = "™®©℠"


@dataclass(frozen=True, slots=True)
class Token:
    """One token: its folded text, where it stands in the original text, and its position among tokens.

    `joined` marks the extra token of a word of parts; it has the position of the first part.
    """

    text: str
    start: int
    end: int
    position: int
    joined: bool = False


class _Folding(dict[str, str]):
    """Character -> what it folds to, computed once a character."""

    def __missing__(self, char: str) -> str:
        folded = "" if char in _DROPPED else " " if char.isspace() else loose(loose(char)).replace("\u2044", "/")
        self[char] = folded
        return folded


_FOLDING = _Folding()


def fold(text: str) -> str:
    """`text` as tokens see it: lower case, without accents, plain quotes and dashes. Spaces stay as they are."""
    return text.lower() if text.isascii() else "".join(map(_FOLDING.__getitem__, text))


def _places(text: str) -> list[int]:
    """For every character of `fold(text)` (and its end) the offset in `text`."""
    places: list[int] = []
    for offset, char in enumerate(text):
        places += [offset] * len(_FOLDING[char])
    places.append(len(text))
    return places


def tokenize(text: str) -> list[Token]:
    """All tokens of `text` in order; joined ones stand before the parts that they join."""
    folded = fold(text)
    places = None if text.isascii() else _places(text)
    found = [(m.group(), m.start(), m.end()) for m in TOKEN.finditer(folded)]
    tokens: list[Token] = []
    last = len(found) - 1
    chain_end = -1
    for i, (word, start, end) in enumerate(found):
        if i > chain_end and i < last and folded[end : end + 1] == "-" and found[i + 1][1] == end + 1:
            chain_end = i + 1
            while (
                chain_end < last
                and folded[found[chain_end][2] :][:1] == "-"
                and (found[chain_end + 1][1] == found[chain_end][2] + 1)
            ):
                chain_end += 1
            stop = found[chain_end][2]
            whole = "".join(part for part, _, _ in found[i : chain_end + 1])
            tokens.append(_token(whole, start, stop, i, places, joined=True))
        if "'" in word and (together := joined_apostrophe(word)):
            tokens.append(_token(together, start, end, i, places, joined=True))
        tokens.append(_token(word, start, end, i, places))
    return tokens


def _token(text: str, start: int, end: int, position: int, places: list[int] | None, joined: bool = False) -> Token:
    if places is None:
        return Token(text, start, end, position, joined)
    return Token(text, places[start], places[end - 1] + 1, position, joined)


def joined_apostrophe(word: str) -> str | None:
    """`d'avenant` -> `davenant`; None for `can't` and `serra's`, whose apostrophe the stemmer reads."""
    if word.endswith(("n't", "'s")) and word.count("'") == 1:
        return None
    return word.replace("'", "")


def words(text: str) -> list[str]:
    """The exact stream of `text`: its tokens in order, nothing joined, nothing stemmed. What phrases are held to."""
    return [m.group() for m in TOKEN.finditer(fold(text))]


def stems(text: str) -> list[str]:
    """The stems of all tokens of `text`, joined ones too."""
    return [stem(token.text) for token in tokenize(text)]


def is_rule_number(token: str) -> bool:
    return len(token) > 4 and token[3] == "." and token[:3].isdigit()


@lru_cache(maxsize=1)
def table() -> dict[str, Any]:
    """The stemmer's table (`stems.json`)."""
    data: dict[str, Any] = json.loads((_HERE / "stems.json").read_text(encoding="utf-8"))
    return data


@lru_cache(maxsize=65536)
def stem(token: str) -> str:
    """The stem of a token; symbols, numbers and short words are their own.

    >>> [stem(w) for w in ("abilities", "sacrificed", "tapping", "serra's", "can't", "{e}")]
    ['ability', 'sacrific', 'tap', 'ser', "can't", '{e}']
    """
    rules = table()
    irregular: dict[str, str] = rules["irregular"]
    if token in irregular:
        return irregular[token]
    if not token[0].isalpha():
        return token
    if token.endswith("n't"):
        return token
    word = token.removesuffix("'s").replace("'", "")
    if word in irregular:
        return irregular[word]
    if len(word) < rules["min_length"] or any(char.isdigit() for char in word):
        return word
    vowels: str = rules["vowels"]
    for step in ("plural", "past"):
        for suffix, replacement, shortest, vowel in rules[step]:
            rest = word[: len(word) - len(suffix)]
            if word.endswith(suffix) and len(rest) >= shortest and (not vowel or any(c in vowels for c in rest)):
                word = rest + replacement
                break
    if word.endswith("e") and len(word) >= rules["min_length"]:
        word = word[:-1]
    if len(word) >= rules["min_length"] and word[-1] == word[-2] and word[-1] not in vowels:
        word = word[:-1]
    return word
