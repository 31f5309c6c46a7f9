"""Searching a base: query text in, a page of hits out, ready for people and for JSON.

    Searcher(directory).search("energy symbol", limit=10).to_json()

Plain words ask a question: the rulings with all words, those on a card that is named, and the best of the rest, in
one order. Everything else is exact: what is listed fits the whole query. The names in `to_json` are fixed for good.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock
from typing import Any

from indexer.index_document import Document
from rulings.errors import UsageError
from rulings.language.grammar import as_words, parse
from rulings.language.query import And, Compound, Query, Word, explain, leaves
from rulings.language.ranking import ranking
from rulings.language.tokens import stem
from rulings.language.vocabulary import vocabulary
from rulings.model import put_name
from search import rank, relax
from search.base import Base
from search.engine import Engine
from search.highlight import Highlighter
from search.question import Question, understand

SORTS = ("relevance", "newest", "oldest", "card", "shared")
CARDS_SHOWN = 20
FACET_VALUES = 50
MAX_LIMIT = 1000
OLD = 20121231
"""Rulings up to this day carry a note where newer ones treat the same topic."""
_SURE_CARD = 500
_OPENS = 900  # a whole name, not a word of one
MOST_COUNTED = 6
"""For questions of more words nobody asks how many of them one ruling has."""


@dataclass(frozen=True, slots=True)
class Hit:
    """One ruling of a page. `text` is its canonical wording as it stands on the first of `cards`; `highlights` are
    ranges in it. `why` is what the score is made of, where that was asked for."""

    id: str
    text: str
    texts: tuple[str, ...]
    cards: tuple[str, ...]
    cards_total: int
    date: str | None
    first_date: str | None
    topics: tuple[str, ...]
    rules: tuple[str, ...]
    sources: tuple[str, ...]
    status: str
    superseded_by: str | None
    note: str
    score: int
    highlights: tuple[tuple[int, int], ...]
    why: tuple[dict[str, object], ...] = ()

    def to_json(self) -> dict[str, Any]:
        found: dict[str, Any] = {name: getattr(self, name) for name in self.__slots__}
        for name in ("texts", "cards", "topics", "rules", "sources", "why"):
            found[name] = list(found[name])
        found["highlights"] = [list(pair) for pair in self.highlights]
        if not self.why:
            del found["why"]
        return found


@dataclass(frozen=True, slots=True)
class Results:
    """A page of hits. `all_words` counts the rulings that hold all words of a plain question (None elsewhere);
    `card` is the card that the query alone names; `relaxed` are readings with fewer parts, `suggestions` other
    spellings."""

    query: str
    reading: str
    total: int
    hits: tuple[Hit, ...]
    limit: int
    offset: int
    sort: str
    all_words: int | None = None
    closest: tuple[int, int, int] | None = None  # words asked, most words found together, rulings with so many
    card: str | None = None
    cards: tuple[str, ...] = ()
    mended: tuple[tuple[str, str], ...] = ()
    relaxed: tuple[dict[str, object], ...] = ()
    suggestions: tuple[str, ...] = ()
    facets: dict[str, list[tuple[str, int]]] | None = None

    def to_json(self) -> dict[str, Any]:
        found: dict[str, Any] = {
            "query": self.query,
            "reading": self.reading,
            "total": self.total,
            "all_words": self.all_words,
            "offset": self.offset,
            "limit": self.limit,
            "sort": self.sort,
            "card": self.card,
            "cards": list(self.cards),
            "hits": [hit.to_json() for hit in self.hits],
            "mended": [list(pair) for pair in self.mended],
            "relaxed": list(self.relaxed),
            "suggestions": list(self.suggestions),
        }
        if self.closest:
            found["closest"] = dict(zip(("asked", "together", "total"), self.closest, strict=True))
        if self.facets is not None:
            found["facets"] = {
                name: [{"value": value, "count": count} for value, count in values]
                for name, values in self.facets.items()
            }
        return found


class Searcher:
    """Searches one index. Keep it for many queries; threads may share it, one searches at a time (Whoosh's readers
    share the places in their files)."""

    def __init__(self, directory: Path) -> None:
        self.base = Base(directory)
        self.engine = Engine(self.base)
        self._lock = Lock()

    def close(self) -> None:
        self.engine.close()
        self.base.close()

    def search(
        self,
        query: str,
        *,
        limit: int = 10,
        offset: int = 0,
        sort: str = "relevance",
        facets: bool = False,
        explain: bool = False,
        plain: bool = False,
    ) -> Results:
        """The hits `offset` to `offset + limit` of `query`. Raises QueryError where it cannot be understood.

        `plain` takes the text as words alone, whatever signs stand in it.
        """
        if sort not in SORTS:
            raise UsageError(f"there is no order {sort}", f"orders: {', '.join(SORTS)}")
        if not 0 <= limit <= MAX_LIMIT or offset < 0:
            raise UsageError(f"a page has 0 to {MAX_LIMIT} hits and starts at 0 or later")
        parsed = as_words(query) if plain else parse(query)
        with self._lock:
            return self._page(parsed, limit, offset, sort, facets, explain)

    def _page(self, parsed: Query, limit: int, offset: int, sort: str, facets: bool, explain: bool) -> Results:
        question = understand(self.base, parsed)
        listed, scores, all_words, near = self._listed(parsed, question)
        listed = set(listed)
        shown = self._order(listed, scores, sort, offset + limit)[offset:]
        marker = Highlighter(self.engine, parsed, question)
        documents = [self.base.document(n) for n in shown]
        names = [self.base.card(card)[0] for card, _ in sorted(question.cards.items(), key=lambda c: (-c[1], c[0]))]
        hits = tuple(
            self._hit(n, doc, scores[n], marker, names, rank.explain(self.base, question, n) if explain else ())
            for n, doc in zip(shown, documents, strict=True)
        )
        nothing = not listed
        return Results(
            query=parsed.text,
            reading=_reading(parsed, question),
            total=len(listed),
            hits=_with_age(hits),
            limit=limit,
            offset=offset,
            sort=sort,
            all_words=all_words,
            closest=near,
            card=self._one_card(question),
            cards=tuple(names[:10]),
            mended=question.mended,
            relaxed=tuple(relax.without_one(self.engine, parsed)) if nothing and not parsed.plain else (),
            suggestions=tuple(relax.suggestions(self.base, parsed, question)) if nothing or question.mended else (),
            facets=self._facets(listed) if facets else None,
        )

    def _listed(
        self, query: Query, question: Question
    ) -> tuple[Iterable[int], dict[int, int], int | None, tuple[int, int, int] | None]:
        """What is listed, its scores, and for a plain question how many rulings have all its words."""
        if not query.plain:
            found = self.engine.find(query)
            return found, rank.score(self.base, question, found), None, None
        read_as = {stem(typed): stem(read) for typed, read in question.mended}
        words = [read_as.get(word, word) for word in wanted_stems(query)]
        # With light words beside it, or spelt right, only the one word is asked for.
        alone = len(words) == 1 and not isinstance(query.root, And) and not read_as
        holding = self.engine.find(query) if alone else self.engine.holding(words)
        scores = rank.score(self.base, question)
        listed = set(holding)
        listed.update(n for n, sure in rank.named_documents(self.base, question).items() if sure >= _SURE_CARD)
        if len(words) > 1 or (question.cards and not listed):
            first = rank.best(self.base, scores, ranking().candidates)
            least = scores[first[0]] * ranking().tail // 1000 if first else 0
            listed.update(n for n in first if scores[n] >= least)
        missing = [n for n in listed if n not in scores]
        if missing:
            scores.update(rank.score(self.base, question, set(missing)))
        near = None
        if 1 < len(words) <= MOST_COUNTED and not holding and not question.only_names:
            most, total = relax.closest(self.base, words)
            near = (len(words), most, total)
        return listed, scores, len(holding), near

    def _order(self, listed: set[int], scores: dict[int, int], sort: str, last: int) -> list[int]:
        """The first `last` documents in the order asked for; ties as by relevance."""
        base = self.base
        if sort == "relevance":
            return rank.best(base, {n: scores[n] for n in listed}, last)
        order = rank.best(base, {n: scores[n] for n in listed})
        match sort:
            case "newest":
                order.sort(key=lambda n: -base.newest[n])
            case "oldest":
                order.sort(key=lambda n: base.oldest[n] or 99999999)
            case "card":
                order.sort(key=lambda n: base.first_card[n])
            case "shared":
                order.sort(key=lambda n: -base.cards[n])
        return order[:last]

    def _one_card(self, question: Question) -> str | None:
        """The card that the query names and nothing else, so that it can be opened."""
        if not question.only_names:
            return None
        sure = [card for card, confidence in question.cards.items() if confidence >= _OPENS]
        return self.base.card(sure[0])[0] if len(sure) == 1 else None

    def _hit(
        self,
        n: int,
        doc: Document,
        score: int,
        marker: Highlighter,
        names: Sequence[str],
        why: Iterable[dict[str, object]],
    ) -> Hit:
        first = [name for name in names if name in doc.cards]
        cards = [*first, *(name for name in doc.cards if name not in first)]
        name = dict(doc.stands).get(cards[0], cards[0]) if cards else "~"
        texts = [put_name(text, name) for _, text in doc.wordings]
        return Hit(
            id=doc.id,
            text=texts[0],
            texts=tuple(texts),
            cards=tuple(cards[:CARDS_SHOWN]),
            cards_total=len(cards),
            date=doc.dates[-1] if doc.dates else None,
            first_date=doc.dates[0] if doc.dates else None,
            topics=doc.topics,
            rules=doc.rules,
            sources=doc.sources,
            status=doc.status,
            superseded_by=doc.superseded_by,
            note="",
            score=score,
            highlights=tuple(marker.ranges(texts[0], (*doc.named, name))),
            why=tuple(why),
        )

    def _facets(self, numbers: Iterable[int]) -> dict[str, list[tuple[str, int]]]:
        found: dict[str, list[tuple[str, int]]] = {}
        for name in ("topic", "year", "source", "type", "section"):
            labels, starts, members = self.base.list_of(name)
            counts = [0] * len(labels)
            for n in numbers:
                for member in members[starts[n] : starts[n + 1]]:
                    counts[member] += 1
            ordered = sorted(
                ((label, c) for label, c in zip(labels, counts, strict=True) if c), key=lambda x: (-x[1], x[0])
            )
            found[name] = ordered[:FACET_VALUES]
        return found


def wanted_stems(query: Query) -> list[str]:
    """The stems that a ruling with all words of a plain question has: light words only where there are no others."""
    found: list[str] = []
    for leaf, _ in leaves(query.root):
        if isinstance(leaf, Word):
            found.append(stem(leaf.text))
        elif isinstance(leaf, Compound):
            found += [stem(part) for part in leaf.parts]
    light = vocabulary().light
    return list(dict.fromkeys(word for word in found if word not in light)) or list(dict.fromkeys(found))


def _reading(query: Query, question: Question) -> str:
    text = explain(query)
    for typed, read in question.mended:
        text += f" “{typed}” was read as “{read}”."
    return text


def _with_age(hits: tuple[Hit, ...]) -> tuple[Hit, ...]:
    """Old rulings get a note where a newer one on this page treats the same topic."""

    def day(hit: Hit) -> int:
        return int(hit.date.replace("-", "")) if hit.date else 0

    newer = {topic for hit in hits if day(hit) > OLD for topic in hit.topics[:2]}
    return tuple(
        replace(hit, note=f"from {(hit.date or '')[:4]}; newer rulings treat this too")
        if 0 < day(hit) <= OLD and newer.intersection(hit.topics[:2])
        else hit
        for hit in hits
    )
