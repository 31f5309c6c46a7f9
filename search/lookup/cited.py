"""Whose ruling a text says that it quotes: the cards that the sentence with the quotation names.

In: a text, its card names, the place of a quotation. Out: `Cited`: the card it is ascribed to, and the others that
the same words may mean.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rulings.text import sentences
from search.lookup.mentions import Mention

_CREDIT = frozenset(
    "rulings ruling source from the notes note on of for page see gatherer card official that is says that's per via "
    "at to taken quoted as in and faq release entry s under one it".split()
)
_CREDIT_REACH = 70
_LETTERS = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_LOOKS_BACK = 4000
_PARAGRAPH = re.compile(r"\n[\s>]*\n")
_CLAUSE_END = re.compile(r"[.!?;](?=\s|$)|[)\n]")
_OPENS_A_QUOTATION = re.compile(r"""(?:^|[\s(])["“«]\w""")
_TOPIC = frozenset({"on", "for", "in"})
"""*On X, this is not so.* is about X; *From the notes on X.* says where the words before it stand."""


@dataclass(frozen=True, slots=True)
class Cited:
    """`main` are the cards of the name that is nearest (several where one name is that of several cards), `others`
    those named beside it. Empty where the text names none."""

    main: tuple[str, ...] = ()
    others: tuple[str, ...] = ()

    @property
    def cards(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.main, *self.others)))


def cited(text: str, start: int, end: int, named: Sequence[Mention], quoted: Sequence[tuple[int, int]]) -> Cited:
    """The cards that the quotation `text[start:end]` is ascribed to. Names inside quotations do not count."""
    free = [m for m in named if not any(s <= m.start < e for s, e in quoted)]
    for mention in free:
        if mention.start >= end and mention.start - end <= _CREDIT_REACH:
            between = text[end : mention.start]
            words = [word.lower() for word in _LETTERS.findall(between)]
            credit = all(word in _CREDIT for word in words) and not _belongs_to_the_next(text, end, mention, quoted)
            if credit and (words or re.search(r"[—–\-(\[~]", between)):
                return Cited(mention.cards)
    before = [m for m in free if m.end <= start and start - m.end <= _LOOKS_BACK]
    if before:
        return _nearest(text, start, before)
    after = [m for m in free if m.start >= end]
    sure = [m for m in after if m.level == 2] or [m for m in after if m.level == 1]
    return Cited(sure[0].cards) if sure else Cited((), tuple(c for m in after for c in m.cards))


def _belongs_to_the_next(text: str, end: int, mention: Mention, quoted: Sequence[tuple[int, int]]) -> bool:
    """Whether the name after a quotation that ends at `end` is no credit for it but begins what follows: in another
    paragraph, or in a new sentence or line that leads to a quotation or a colon of its own."""
    between = text[end : mention.start]
    if _PARAGRAPH.search(between):
        return True
    first = _LETTERS.search(between)
    word = first.group() if first else ""
    if not ("\n" in between or word[:1].isupper() or word == "and"):
        return False
    stop = _CLAUSE_END.search(text, mention.end)
    close = stop.start() if stop else len(text)
    clause = text[mention.end : close]
    if ":" in clause or _OPENS_A_QUOTATION.search(clause) or any(mention.end <= s < close for s, _ in quoted):
        return True
    return word.lower() in _TOPIC and not all(w.lower() in _CREDIT | {"s"} for w in _LETTERS.findall(clause))


def _nearest(text: str, start: int, before: Sequence[Mention]) -> Cited:
    """Back from the quotation, sentence by sentence, to the first that surely names a card."""
    base = before[0].start
    begins = [base + begin for begin, _ in sentences(text[base:start].replace("\n\n", ".\n"))]
    group: list[Mention] = []
    last = None
    for mention in reversed(before):
        sentence = sum(1 for begin in begins if begin <= mention.start)
        if last is not None and sentence != last and any(m.level == 2 for m in group):
            break
        group.append(mention)
        last = sentence
    for level in (2, 1, 0):
        main = next((m for m in group if m.level == level and (level or m.whole)), None)
        if main:
            return Cited(main.cards, tuple(c for m in group if m is not main for c in m.cards))
    return Cited((), tuple(c for m in group for c in m.cards))
