"""Which of the wordings of one ruling is the canonical one, and what the others are of it.

Undamaged first, then newest by (date, as_of), then text. A wording with a known error never wins, and one that points
at the "first ability" or "chapter I" gives way where another member does not: it would be wrong for that card.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from indexer.dedupe.reading import filled, undamaged
from indexer.dedupe.relation import Verdict, reading, relation
from indexer.dedupe.wording import Wording
from rulings.model import Correction
from rulings.text import fold1, plain

Compare = Callable[[Wording, Wording], Verdict]


def canonical(members: Sequence[Wording], corrections: Sequence[Correction] = (), compare: Compare = relation) -> int:
    """The index of the canonical wording in `members`, independent of their order. `compare` is `relation`, perhaps
    out of a cache. Wordings that are gone from their source count only where those of today are all damaged: what a
    base has seen before cannot change what it shows of today."""
    today = [i for i, w in enumerate(members) if not w.gone]
    for some in (today, range(len(members))):
        if some:
            best, sound = _best([members[i] for i in some], corrections, compare)
            if sound:
                return some[best]
    return some[best]


def _best(members: Sequence[Wording], corrections: Sequence[Correction], compare: Compare) -> tuple[int, bool]:
    """The index of the best wording, and whether nothing is known to be wrong with it."""
    faulty = _faulty(members, compare) if len(members) > 1 else set()
    places = [_place(w) for w in members]
    pointing = {i for i, place in enumerate(places) if place and any(place != other for other in places)}
    pointing |= {i for i, a in enumerate(members) if any(compare(a, b).elsewhere for b in members if b is not a)}
    texts = [plain(w.text) for w in members]

    def rank(i: int) -> tuple[bool, bool, bool, bool, str, str]:
        w = members[i]
        wrong = any(c.wrong in texts[i] for c in corrections)
        odd = i in faulty or undamaged(w.text) != filled(texts[i]) or texts[i][:1].islower()
        return (not w.damaged and not odd, not wrong, not w.damaged, i not in pointing, *w.recency)

    best = max(rank(i) for i in range(len(members)))
    chosen = min((i for i in range(len(members)) if rank(i) == best), key=lambda i: (texts[i], members[i].text))
    return chosen, best[0] and best[1]


def _place(wording: Wording) -> frozenset[str]:
    """What a wording says of the card's abilities that another card may not have: where one stands or what it is
    called ("first", "chapter", "battalion"). Empty where it is right for all. Worked examples count for nothing."""
    read = reading(wording.masked)
    own = (pointer for at, pointer in read.pointers.items() if read.sentence[at] not in read.worked)
    return frozenset(word for pointer in own for word in pointer - _ANY_CARD)


_ANY_CARD = frozenset(
    "triggered activated static mana cost reduction enter enters reflexive delayed replacement".split()
)
"""Kinds of abilities: the cards of one ruling mostly have the same."""


def _faulty(members: Sequence[Wording], compare: Compare) -> set[int]:
    """Members that another member shows to be damaged or misspelt."""
    faulty = set()
    for i, a in enumerate(members):
        for j in range(i + 1, len(members)):
            verdict = compare(a, members[j])
            if verdict.relation == "same" and verdict.why in ("typo", "symbol-lost", "damaged", "symbol-form"):
                if verdict.direction == "a":
                    faulty.add(i)
                elif verdict.direction == "b":
                    faulty.add(j)
    return faulty


def explain(
    canonical_wording: Wording, member: Wording, corrections: Sequence[Correction] = (), compare: Compare = relation
) -> tuple[str, str]:
    """What kind of variant `member` is of the canonical wording, and the difference, for people."""
    text, right = plain(member.text), plain(canonical_wording.text)
    for c in corrections:
        if c.wrong in text and c.right in right:
            return "typo", f"known error: {c.wrong} for {c.right} ({c.reason})"
    verdict = compare(canonical_wording, member)
    if verdict.joins:
        if verdict.why == "card-name" and fold1(member.text) == fold1(canonical_wording.text):
            return "typography", "quotes, dashes or spaces"
        return verdict.why, verdict.reason
    return "older-wording", verdict.reason
