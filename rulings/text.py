"""Folding of text: the frozen form that ids hash, the plain typography that is kept, and sentences.

Pure functions on strings. Nothing here knows cards, symbols or files.
"""

from __future__ import annotations

import re
import unicodedata
from typing import NewType

FoldedText = NewType("FoldedText", str)
"""What `fold1` returns; made by nothing else."""

_SINGLE = "‘’‚‛ʼ`´′ʹʻʽˈ＇"
_DOUBLE = "“”„‟″ʺ＂«»"
_DASHES = "‐‑‒–—―−﹘﹣－⸺⸻"
_QUOTES = str.maketrans({**dict.fromkeys(_SINGLE, "'"), **dict.fromkeys(_DOUBLE, '"')})
_QUOTES_AND_DASHES = {**_QUOTES, **str.maketrans(dict.fromkeys(_DASHES, "-"))}
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\ufe00-\ufe0f\ufeff]"
)
_SPACE = re.compile(r"\s+")
_SENTENCE_END = re.compile(r"""[.!?]["'”’)\]]*(?=\s+["'“‘(\[]*(?:[A-Z{0-9~+−-]|$))""")
_ABBREVIATIONS = ("e.g.", "i.e.", "etc.", "vs.", "St.", "Dr.", "Mr.", "Mrs.", "No.", "B.F.M.", "Jr.", "Sr.")


def fold1(text: str) -> FoldedText:
    """The form of a wording that its id is minted from. Frozen for ever: ids depend on it.

    NFKC; quotes, primes and backticks to straight ones; all dashes to `-`; zero-width characters out; white space
    to one space; trimmed. Case is kept. Quotes are mapped before NFKC too, since NFKC would break the acute accent
    and the double prime into two characters.
    """
    if text.isascii():  # nothing to fold but the backtick, at a tenth of the time
        return FoldedText(" ".join(text.replace("`", "'").split()))
    text = unicodedata.normalize("NFKC", text.translate(_QUOTES)).translate(_QUOTES_AND_DASHES)
    return FoldedText(_SPACE.sub(" ", _INVISIBLE.sub("", text)).strip())


def plain(text: str) -> str:
    """`text` in plain typography: straight quotes, single ordinary spaces, nothing invisible, trimmed.

    Dashes, ellipses and letters stay as they are.
    """
    if text.isascii():
        return " ".join(text.replace("`", "'").split())
    return _SPACE.sub(" ", _INVISIBLE.sub("", text.translate(_QUOTES))).strip()


def loose(text: str) -> str:
    """`text` for comparing without regard to accents, case or typography: `Lim-Dûl's` and `lim-dul's` are one."""
    text = text.replace("Æ", "Ae").replace("æ", "ae").replace("œ", "oe").replace("Œ", "Oe").replace("ø", "o")
    text = text.replace("Ø", "O").replace("ß", "ss").replace("ð", "d").replace("þ", "th").replace("ł", "l")
    decomposed = unicodedata.normalize("NFKD", fold1(text))
    return "".join(c for c in decomposed if not unicodedata.combining(c)).casefold()


def sentences(text: str) -> list[tuple[int, int]]:
    """Character ranges of the sentences of `text`, in order, without the spaces between them.

    A full stop inside a quotation ends a sentence only where a capital, digit or symbol follows.
    """
    ranges: list[tuple[int, int]] = []
    start = 0
    for end in _SENTENCE_END.finditer(text):
        if text[start : end.end()].endswith(_ABBREVIATIONS):
            continue
        ranges.append((start, end.end()))
        start = end.end()
    ranges.append((start, len(text)))
    trimmed = []
    for begin, stop in ranges:
        piece = text[begin:stop]
        left = begin + len(piece) - len(piece.lstrip())
        right = begin + len(piece.rstrip())
        if left < right:
            trimmed.append((left, right))
    return trimmed


def printable(text: str) -> str:
    """`text` safe for a terminal: control, bidirectional and invisible characters are shown, never obeyed."""
    out = []
    for char in text:
        category = unicodedata.category(char)
        if char == "\n" or category not in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp"):
            out.append(char)
        elif char == "\t":
            out.append(" ")
        else:
            out.append(f"\\u{ord(char):04x}")
    return "".join(out)
