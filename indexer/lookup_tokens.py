"""Reading a text for looking up quotations: tokens with offsets, folded alike for rulings and for posts.

What a quotation may change without altering it makes no token at all: quotation marks, dashes, spaces, line breaks,
the `>` of a Markdown block, emphasis. Symbols have one form (`{E}`, `(E)`, `:e:`). Pure functions.
"""

from __future__ import annotations

import re
import unicodedata
import zlib
from collections.abc import Sequence
from typing import NamedTuple

from rulings.symbols import canonical

SHINGLE = 4
"""Words in a shingle. Three words of rules English say little, and five leave no shingle beside a changed word of a
short ruling."""

WORD, SIGN = 0, 1
OWN = "~"
"""The key of the card's own name."""


class Token(NamedTuple):
    """`key` is what is compared, `kind` WORD (a word, number or symbol) or SIGN (a punctuation mark)."""

    key: str
    kind: int
    start: int
    end: int


_APOSTROPHES = "'’‘ʼ`´ʹ′"
_TOKEN = re.compile(
    rf"""
    (?P<quote>(?:^|(?<=\n))[ \t]*(?:>[ \t]?)+)            # the marks of a Markdown block
  | (?P<symbol>[{{｛][^{{}}｛｝\n]{{1,12}}[}}｝]             # {{E}}
      | \((?:[WUBRGCSEXYTQ]|\d{{1,2}}|[WUBRGC2]/[WUBRGP](?:/P)?)\)  # (E)
      | :(?:mana[-_]?)?[a-z0-9]{{1,2}}(?:/[a-z])?:)         # :e:
  | (?P<size>(?:[+\-−–]?(?:\d+|[XxYy])/[+\-−–]?(?:\d+|[XxYy])|\*/\*|\*/\d+|\d+/\*)(?![\w/])
      | (?<![\w.)\]])[+\-−–](?:\d+|X)(?![\w/]))             # +1/+1, -2
  | (?P<number>\d+(?:[.,]\d+)+[a-z]?(?!\w))                 # 704.5k, 1,000
  | (?P<word>[^\W_]+(?:[{_APOSTROPHES}][^\W_]+)*)
  | (?P<own>~)
  | (?P<sign>\.\.\.|…|[.,;:!?()\[\]%$+=&/])
    """,
    re.VERBOSE,
)
_DASH = str.maketrans(dict.fromkeys("−–", "-"))
_APOSTROPHE = re.compile(f"[{_APOSTROPHES}]")
_SPECIAL = str.maketrans({"Æ": "Ae", "æ": "ae", "œ": "oe", "Œ": "Oe", "ø": "o", "Ø": "O", "ß": "ss", "ł": "l"})


def fold_word(word: str) -> str:
    """A word without case, accents and curly apostrophes."""
    if word.isascii():
        return word.lower().replace("`", "'")
    word = _APOSTROPHE.sub("'", word).translate(_SPECIAL)
    return "".join(c for c in unicodedata.normalize("NFKD", word) if not unicodedata.combining(c)).casefold()


def tokenize(text: str) -> list[Token]:
    """The tokens of `text` in order; offsets count characters of `text`."""
    tokens: list[Token] = []
    for found in _TOKEN.finditer(text):
        kind = found.lastgroup
        start, end = found.span()
        if kind == "word":
            tokens.append(Token(fold_word(found.group()), WORD, start, end))
        elif kind == "sign":
            mark = found.group()
            tokens.append(Token("..." if mark == "…" else mark, SIGN, start, end))
        elif kind == "own":
            tokens.append(Token(OWN, WORD, start, end))
        elif kind == "size":
            tokens.append(Token(found.group().translate(_DASH).upper(), WORD, start, end))
        elif kind == "number":
            tokens.append(Token(found.group(), WORD, start, end))
        elif kind == "symbol":
            tokens += _symbol(found.group(), start, end)
    return tokens


def _symbol(text: str, start: int, end: int) -> list[Token]:
    """A symbol in any of its forms; what is none is read as words after all."""
    inner = text[1:-1].removeprefix("mana").lstrip("-_") if text[0] == ":" else text[1:-1]
    code = canonical(inner)
    if code is not None:
        return [Token("{" + code + "}", WORD, start, end)]
    offset = start + 1
    inside = [Token(t.key, t.kind, t.start + offset, t.end + offset) for t in tokenize(text[1:-1])]
    if text[0] in "([:":
        return [Token(text[0], SIGN, start, start + 1), *inside, Token(text[-1], SIGN, end - 1, end)]
    return inside


def words_of(tokens: Sequence[Token]) -> list[str]:
    """The keys of the tokens that are no signs."""
    return [token.key for token in tokens if token.kind == WORD]


def shingle_hashes(keys: Sequence[str], size: int = SHINGLE) -> list[int]:
    """One 32-bit number for each run of `size` keys; the same in every process. Shorter texts have one in all."""
    if len(keys) <= size:
        return [zlib.crc32(" ".join(keys).encode())] if keys else []
    return [zlib.crc32(" ".join(keys[i : i + size]).encode()) for i in range(len(keys) - size + 1)]
