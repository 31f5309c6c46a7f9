"""Small words that turn an answer, though most of the time they carry none: "to" and "by", "all" and "some", "just".

In: two readings and a place where they differ. Out: what kind of difference it is after all, or "". Pure.
"""

from __future__ import annotations

from indexer.dedupe.alignment import Span
from indexer.dedupe.reading import Reading

_ARTICLES = frozenset("the a an of".split())
_DIRECTIONS = (
    frozenset(("to", "by")), frozenset(("from", "by")), frozenset(("from", "to")), frozenset(("from", "into")),
    frozenset(("from", "onto")), frozenset(("on", "off")), frozenset(("onto", "off")),
)  # fmt: skip
_QUANTITIES = (frozenset(("all", "some")), frozenset(("both", "some")), frozenset(("each", "some")))
_UNDER_DOUBT = (frozenset(("all", "any")), frozenset(("both", "any")))
"""The same in a plain statement ("any effects still apply"), another thing under "if" and "not"."""
_LESSENED = frozenset("just always necessarily usually normally again simply merely".split())
"""After "not" they take the denial back: "doesn't just affect creatures"."""
_PLAY, _CAST = frozenset("play playing played".split()), frozenset("cast casting".split())
_CARDS = frozenset(("card", "land"))
"""What may be a land: it is played and never cast (rule 305.1). A spell was once played, and is cast now."""
_LATER = frozenset("end time".split())
"""Before these "next" says nothing new: "at the beginning of the (next) end step"."""


def turned(a: Reading, b: Reading, span: Span) -> str:
    """The kind of a difference that looks like one of function words alone and is not; "" for all others."""
    i1, i2, j1, j2 = span
    x, y = a.keys[i1:i2], b.keys[j1:j2]
    left, right = set(x) - set(y) - _ARTICLES, set(y) - set(x) - _ARTICLES
    if len(left) == len(right) == 1:
        both = frozenset((*left, *right))
        if both in _DIRECTIONS:
            return "direction"
        if both in _QUANTITIES or (both in _UNDER_DOUBT and (_doubted(a, i1) or _doubted(b, j1))):
            return "quantity"
        of_cards = bool(_CARDS & {*a.keys[i1 : i2 + 4], *b.keys[j1 : j2 + 4]})
        if of_cards and ((left <= _PLAY and right <= _CAST) or (left <= _CAST and right <= _PLAY)):
            return "play or cast"
    for words, reading, start, stop in ((left, a, i1, i2), (right, b, j1, j2)):
        others = right if words is left else left
        if words and not others and words <= _LESSENED and start and reading.keys[start - 1] == "not":
            return "negation"
        if words == {"all"} and not others and _doubted(reading, start):
            return "quantity"
        after = reading.keys[stop : stop + 1]
        if "even" in words and (after == ("if",) or "if" in reading.keys[start:stop]):
            return "condition"
        if "next" in words and ({"this", "that"} & others or (words == {"next"} and after and after[0] not in _LATER)):
            return "time"
        if "new" in words and others:
            return "which one"
    return ""


def _doubted(reading: Reading, at: int) -> bool:
    """Whether a sentence denies or supposes before a place."""
    if at >= len(reading.keys):
        return False
    low = next(low for low, high in reading.ranges if low <= at < high)
    return bool({"if", "not", "unless", "no"} & set(reading.keys[low:at]))
