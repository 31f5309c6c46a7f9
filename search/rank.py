"""The order of hits: one specification for Python and the browser (docs/ranking.md), in whole numbers.

In: a question, the index. Out: documents with scores, best first; equal scores newest first, then by id. `explain`
says of one hit what its score is made of.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable

from indexer.index_format import SELF, SUPERSEDED
from rulings.language.ranking import idf, ranking, shared
from rulings.language.tokens import stem
from rulings.language.vocabulary import MARK, vocabulary
from search.base import Base
from search.question import Question


def score(base: Base, question: Question, only: set[int] | None = None) -> dict[int, int]:
    """The score of every document that has a term of the question or stands on a card it names (of `only` alone,
    where given; then those without any get what being shared gives)."""
    weights = ranking()
    size = len(base.state)
    totals = [0] * size
    named = named_documents(base, question)
    for term, kind in question.terms:
        factor = weights.weight[kind] * idf(base.size, base.frequency(term))
        documents, impacts = base.posting(term)
        own = own_documents(base, question, term) if kind == "name" else None
        if own:
            for n, impact in zip(documents, impacts, strict=True):
                if n not in own:
                    totals[n] += factor * impact
        else:
            for n, impact in zip(documents, impacts, strict=True):
                totals[n] += factor * impact
    for n, points in oracle_points(base, question).items():
        totals[n] += points
    surest = max(named.values(), default=0)
    state, cards = base.state, base.cards
    found: dict[int, int] = {}
    numbers: Iterable[int] = only if only is not None else (n for n in range(size) if totals[n] or n in named)
    last = len(weights.shared_log) - 1
    advantage = [shared(count, surest) for count in range(last + 1)]
    for n in numbers:
        total = totals[n] + advantage[min(cards[n], last)]
        sure = named.get(n, 0)
        if sure:
            total += weights.card * sure // 1000
            if state[n] & SELF:
                total += weights.self * sure // 1000
        if state[n] & SUPERSEDED:
            total = total * weights.superseded // 1000
        found[n] = total // weights.score_unit
    return found


def own_documents(base: Base, question: Question, term: str) -> set[int]:
    """The documents of the named cards that have this word in their name: there it says nothing."""
    return {n for card in question.cards if term in base.card(card)[1] for n in base.card_documents(card)}


def oracle_points(base: Base, question: Question) -> dict[int, int]:
    """Where two to four cards are named for sure: what a ruling on one says of what the others do, by the rarest
    words of their Oracle texts."""
    weights = ranking()
    limits = weights.oracle
    sure = sorted(card for card, confidence in question.cards.items() if confidence >= limits["sure"])
    points: dict[int, int] = {}
    if not 2 <= len(sure) <= limits["cards"]:
        return points
    for other in sure:
        for term in oracle_terms(base, other):
            documents, impacts = base.posting(term)
            factor = weights.weight["oracle"] * idf(base.size, len(documents))
            for card in sure:
                own = set(base.card_documents(card)) if card != other else set()
                for n, impact in zip(documents, impacts, strict=True) if own else ():
                    if n in own:
                        points[n] = points.get(n, 0) + factor * impact
    return points


def oracle_terms(base: Base, card: int) -> list[str]:
    """The rarest words and concepts of a card's Oracle text and type line, of those that rulings have."""
    limits = ranking().oracle
    words = [stem(word) for word in base.oracle(card).split() if word != "|"]
    light = vocabulary().light
    candidates = {word for word in words if word not in light}
    candidates |= {MARK + key for key in vocabulary().in_ruling(words)}
    weighed = [(-idf(base.size, base.frequency(term)), term) for term in candidates]
    return [term for weight, term in sorted(weighed) if weight <= -limits["least_idf"]][: limits["terms"]]


def named_documents(base: Base, question: Question) -> dict[int, int]:
    """The documents on cards that the question names, with the confidence in the surest of these cards."""
    found: dict[int, int] = {}
    for card, sure in question.cards.items():
        for n in base.card_documents(card):
            if sure > found.get(n, 0):
                found[n] = sure
    return found


def best(base: Base, scores: dict[int, int], limit: int | None = None) -> list[int]:
    """The documents in order; with `limit`, the first so many."""
    chosen: Iterable[int] = scores
    if limit == 0:
        return []
    if limit is not None and len(scores) > limit:
        least = heapq.nlargest(limit, scores.values())[-1]
        chosen = [n for n, value in scores.items() if value >= least]
    ids, newest = base.ids, base.newest
    return sorted(chosen, key=lambda n: (-scores[n], -newest[n], ids[n]))[:limit]


def explain(base: Base, question: Question, n: int) -> list[dict[str, object]]:
    """What the score of one document is made of: each part with its points, the largest first."""
    weights = ranking()
    named = named_documents(base, question)
    parts: list[tuple[str, int]] = []
    for term, kind in question.terms:
        documents, impacts = base.posting(term)
        if kind == "name" and n in own_documents(base, question, term):
            continue
        place = _place(documents, n)
        if place is not None:
            points = weights.weight[kind] * idf(base.size, len(documents)) * impacts[place]
            parts.append((f"{kind} {term}", points))
    if other := oracle_points(base, question).get(n):
        parts.append(("speaks of what the other card does", other))
    if n in named:
        parts.append(("stands on a card you named", weights.card * named[n] // 1000))
        if base.names_itself(n):
            parts.append(("names that card itself", weights.self * named[n] // 1000))
    parts.append((f"stands on {base.cards[n]} cards", shared(base.cards[n], max(named.values(), default=0))))
    if base.superseded(n):
        total = sum(points for _, points in parts)
        parts.append(("superseded", total * weights.superseded // 1000 - total))
    parts.sort(key=lambda part: (-part[1], part[0]))
    return [{"part": text, "points": points // weights.score_unit} for text, points in parts if points]


def _place(documents: Iterable[int], n: int) -> int | None:
    from bisect import bisect_left

    ordered = list(documents)
    place = bisect_left(ordered, n)
    return place if place < len(ordered) and ordered[place] == n else None
