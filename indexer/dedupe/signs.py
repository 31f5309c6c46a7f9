"""Small signs that carry an answer: a minus, a comparison, half of something, and where a negation ends its clause.

Words that are alike letter for letter still differ by them: "-3/-3" and "3/3", "You can't. Cast it" and "You can't
cast it". In: two masked texts. Out: the first sign that differs, for people; nothing where none does.
"""

from __future__ import annotations

import re
from itertools import zip_longest

_DASHES = str.maketrans("−–—‒", "----")
_AMOUNT = re.compile(
    r"(?:(?<![\w)\]}])|(?<=\bX)|(?<=\bX )|(?<=/))[+-] ?(?=\d|X\b)"  # -3, +1/-1, X - 1, but no hyphen of a word
    r"|(?<=\d)-(?=\d)"  # 1-2 cards, not 12
    r"|[<>≥≤=%½¼¾×]|(?<=[\dX])\*|\*(?=/)|(?<=/)\*"
)
_CLAUSE = re.compile(
    r"[;:]\s*(?:no|not|never|cannot|\w+n't)\b|\b(?:no|not|never|cannot|\w+n't)(?=[\"')]*([.,;:!?]))|(\?)",
    re.IGNORECASE,
)
_ONLY = re.compile(r"\b(if only|only if)\b|\b(only (?:you|they|he|she|players|opponents))\b", re.IGNORECASE)
_SPACE = re.compile(r"\s+")


def signs_apart(a: str, b: str, *, same_words: bool = True) -> str:
    """The first sign that differs. Where the texts do not have the `same_words`, the words have been compared already
    and examples may bring signs of their own: then only the place of "only" counts."""
    a, b = a.translate(_DASHES), b.translate(_DASHES)
    for kind, found in (("order", _ONLY), ("sign", _AMOUNT), ("clause", _CLAUSE))[: 3 if same_words else 1]:
        pairs = zip_longest(_all(found, a), _all(found, b), fillvalue="∅")
        if apart := next(((x, y) for x, y in pairs if x != y), None):
            return f"{kind}: {apart[0]} | {apart[1]}"
    return ""


def _all(pattern: re.Pattern[str], text: str) -> list[str]:
    """Each sign; of a negation only the mark beside it, since "cannot" and "can't" are one."""
    return [
        (next(filter(None, found.groups()), "") or _SPACE.sub("", found.group()[:1])).lower()
        if found.re is not _AMOUNT
        else _SPACE.sub("", found.group())
        for found in pattern.finditer(text)
    ]
