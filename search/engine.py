"""Typed query -> the exact set of rulings that fit it. Whoosh executes it; what Whoosh cannot know is proved here.

Words, fields, dates, flags and their AND, OR and NOT are one Whoosh query. Phrases, near words, wildcards, spellings
and patterns are first narrowed by Whoosh to rulings that hold their words, then proved on exact token streams or
texts. The set is unordered: ranking is `search.rank`. It never changes an index.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from json import JSONDecoder

from whoosh import query as wq
from whoosh.searching import Searcher as WhooshSearcher

from indexer.index_names import name_key
from indexer.index_words import open_index
from rulings.errors import QueryError
from rulings.language.query import (
    And,
    CardCount,
    Compound,
    DateRange,
    FieldTerm,
    Fuzzy,
    Near,
    Node,
    Not,
    Or,
    OwnName,
    Pattern,
    Phrase,
    Query,
    RuleWord,
    Wild,
    Word,
)
from rulings.language.tokens import stem, words
from rulings.language.vocabulary import MARK, vocabulary
from rulings.names import card_key
from search.base import Base
from search.spelling import within

MOST_WORDS = 600
"""A wildcard that more words fit than this is refused."""


Documents = AbstractSet[int]


class Engine:
    """Executes typed queries on one index."""

    def __init__(self, base: Base) -> None:
        self.base = base
        self._index = open_index(base.directory / "whoosh")
        self._searcher: WhooshSearcher = self._index.searcher()
        self._run = lru_cache(maxsize=64)(self._run_now)

    def close(self) -> None:
        self._searcher.close()
        self._index.close()

    def find(self, query: Query) -> set[int]:
        """The documents that fit the query."""
        return set(self._find(query.root, query, None))

    def holding(self, stems: Sequence[str]) -> set[int]:
        """The documents that hold all these stems, synonyms counted; the rarest first, so that most questions end
        early."""
        found: set[int] | None = None
        for stem_ in sorted(stems, key=self._reach):
            having = self._word(stem_)
            found = set(having) if found is None else found & having
            if not found:
                break
        return found or set()

    def _reach(self, stem_: str) -> int:
        return sum(self.base.frequency(term) for term in alternatives(stem_))

    # --- the tree ---

    def _find(self, node: Node, query: Query, within_: Documents | None) -> Documents:
        found: Documents
        if (whole := self._terms(node)) is not None:
            found = self._run(whole)
            return found if within_ is None else found & within_
        match node:
            case And():
                return self._every(node, query, within_)
            case Or():
                return frozenset().union(*(self._find(child, query, within_) for child in node.nodes))
            case Not():
                rest = self.base.live() if within_ is None else within_
                if isinstance(node.node, Word):  # no synonym excludes a ruling
                    return rest - self._run(wq.Term("word", stem(node.node.text)))
                return rest - self._find(node.node, query, within_)
            case Word():
                found = self._word(stem(node.text))
            case FieldTerm():
                found = self._field(node)
            case _:
                return self._prove(node, query, within_)
        return found if within_ is None else found & within_

    def _every(self, node: And, query: Query, within_: Documents | None) -> Documents:
        """What is cheap first; then what has to be proved, on what is left."""
        terms = [child for child in node.nodes if self._terms(child) is not None]
        rest = [child for child in node.nodes if self._terms(child) is None]
        found = within_
        if terms:
            done = self._run(wq.And([self._terms(child) for child in terms]))
            found = done if found is None else found & done
        for child in sorted(rest, key=_cost):
            found = self._find(child, query, found)
        return frozenset() if found is None else found

    def _run_now(self, query: wq.Query) -> frozenset[int]:
        numbers = self.base.whoosh
        return frozenset(numbers[d] for d in self._searcher.docs_for_query(query))

    def _any(self, field: str, terms: Iterable[str]) -> Documents:
        """The documents with any of these terms. (A union of sets; Whoosh's own unions cost ten times as much.)"""
        each = [self._run(wq.Term(field, term)) for term in terms]
        return each[0] if len(each) == 1 else frozenset[int]().union(*each)

    def _word(self, stem_: str) -> Documents:
        return self._any("word", alternatives(stem_))

    def _terms(self, node: Node) -> wq.Query | None:
        """The Whoosh query of a node that is one term or one range of terms, None for any other."""
        match node:
            case Word():
                known = alternatives(stem(node.text))
                return wq.Term("word", known[0]) if len(known) == 1 else None
            case OwnName():
                return wq.Term("flag", "own-name")
            case RuleWord():
                return wq.Term("rule", f"={node.number}" if node.alone else node.number)
            case FieldTerm(field="is" | "status"):
                return wq.Term("flag", f"{node.field}:{node.value}")
            case FieldTerm(field="topic"):
                return wq.Term("topic", re.sub(r"[^a-z0-9]+", "-", node.value).strip("-"))
            case FieldTerm(field="source" | "set" | "id"):
                return wq.Term(node.field, node.value)
        return None

    def _field(self, node: FieldTerm) -> Documents:
        if node.field == "type":
            each = [self._run(wq.Term("type", word)) for word in words(node.value)]
            return each[0].intersection(*each[1:]) if each else frozenset()
        if node.field == "card":
            return self._any("card", self._cards(node.value))
        tokens = words(node.value)  # oracle
        phrase = f" {' '.join(tokens)} " if len(tokens) > 1 else None
        cards = self.base.oracle_cards([stem(t) for t in tokens], phrase)
        return frozenset(n for card in cards for n in self.base.card_documents(card))

    def _cards(self, value: str) -> list[str]:
        """The keys of the cards meant by a name: those called so, else those with all its words in their name."""
        called = self.base.cards_called(name_key(value))
        if not called:
            sets = [set(self.base.cards_with_word(stem(word))) for word in words(value)]
            called = tuple((card, 0) for card in (sets[0].intersection(*sets[1:]) if sets else ()))
        return sorted({card_key(self.base.card(card)[0]) for card, _ in called})

    # --- what has to be proved ---

    def _prove(self, node: Node, query: Query, within_: Documents | None) -> Documents:
        match node:
            case Phrase():
                return self._streams(node.tokens, f" {' '.join(node.tokens)} ", within_)
            case Compound():
                phrase = f" {' '.join(node.parts)} "
                found = self._streams(node.parts, phrase, within_)
                if node.joined:
                    joined = self._run(wq.Term("word", stem(node.joined)))
                    found = found | (joined if within_ is None else joined & within_)
                return found
            case Near():
                tokens, distance = node.tokens, node.distance
                return self._streams(tokens, lambda stream: is_near(stream, tokens, distance), within_)
            case Wild() | Fuzzy():
                return self._any_word(self.expand(node, query), within_)
            case Pattern():
                return self._pattern(node, query, within_)
            case DateRange() if node.field != "as-of":
                years = [year for year in self.base.list_of("year")[0] if len(year) == 4 and year.isdigit()]
                dated = self._any("date", cover(node.low, node.high, years))
                return dated if within_ is None else dated & within_
            case DateRange():
                last = int((node.high or "9999-12-31").replace("-", ""))
                rest = self.base.live() if within_ is None else within_
                return {n for n in rest if 0 < self.base.oldest[n] <= last}
            case CardCount():
                counts = self.base.cards
                low, high = node.low or 0, 65535 if node.high is None else node.high
                rest = self.base.live() if within_ is None else within_
                return {n for n in rest if low <= counts[n] <= high}
        raise AssertionError(node)

    def _streams(
        self, tokens: Sequence[str], proof: str | Callable[[str], bool], within_: Documents | None
    ) -> Documents:
        """The documents that hold all tokens and pass the proof on their stream: a piece of it, or a function."""
        terms = sorted({"~" if t == "~" else stem(t) for t in tokens})
        candidates = self._run(wq.And([wq.Term("word", t) for t in terms]))
        rest = candidates if within_ is None else candidates & within_
        if isinstance(proof, str):
            return {n for n, stream in self.base.streams(rest) if proof in stream}
        return {n for n, stream in self.base.streams(rest) if proof(stream)}

    def _any_word(self, exact: Sequence[str], within_: Documents | None) -> Documents:
        if not exact:
            return set()
        candidates = self._any("word", sorted({stem(word) for word in exact}))
        rest = candidates if within_ is None else candidates & within_
        wanted = set(exact)
        return {n for n, stream in self.base.streams(rest) if not wanted.isdisjoint(stream.split(" "))}

    def expand(self, node: Wild | Fuzzy, query: Query) -> list[str]:
        """The words of the base that a wildcard or a spelling stands for. Raises QueryError where they are too many."""
        vocabulary_ = [word for word, _, _ in self.base.exact_words()]
        if isinstance(node, Fuzzy):
            return [word for _, word in within(node.text, vocabulary_, node.edits)]
        pattern = re.compile(".*".join(re.escape(part) for part in node.pattern.split("*")))
        found = [word for word in vocabulary_ if pattern.fullmatch(word)]
        if len(found) > MOST_WORDS:
            raise QueryError(
                f"{node.pattern} fits {len(found):,} different words", query.text, node.column, "give more letters"
            )
        return found

    def _pattern(self, node: Pattern, query: Query, within_: Documents | None) -> Documents:
        matcher = compile_pattern(node, query)
        rest = self.base.live() if within_ is None else within_
        found = set()
        for n, source in self.base.sources(rest):
            # The texts stand in the document's JSON; reading it whole costs more than the match.
            texts = source_texts(source)
            if any(matcher.search(text) for text in texts):
                found.add(n)
        return found


def alternatives(stem_: str) -> list[str]:
    """The terms that hold a word: its stem, and the concepts that it gives by itself."""
    return [stem_, *(MARK + key for key in vocabulary().of_word(stem_))]


def cover(low: str | None, high: str | None, years: Sequence[str]) -> list[str]:
    """The date terms (years, months, days) that make up the days from `low` to `high`, of those `years` alone.

    >>> cover("2016-11-29", "2018-01-31", ["2016", "2017", "2018"])
    ['2016-11-29', '2016-11-30', '2016-12', '2017', '2018-01']
    """
    low, high = low or "0000", high or "9999"
    terms: list[str] = []
    for year in years:
        if low <= f"{year}-01-01" and f"{year}-12-31" <= high:
            terms.append(year)
            continue
        for month in (f"{year}-{m:02}" for m in range(1, 13)):
            last = f"{month}-{monthrange(int(year), int(month[5:]))[1]}"
            if low <= f"{month}-01" and last <= high:
                terms.append(month)
            elif low <= last and f"{month}-01" <= high:
                terms += [d for n in range(1, int(last[8:]) + 1) if low <= (d := f"{month}-{n:02}") <= high]
    return terms


def _cost(node: Node) -> int:
    """The order in which parts of an AND are looked at."""
    if isinstance(node, (Word, FieldTerm)):
        return 0
    return 3 if isinstance(node, Pattern) else 2 if isinstance(node, Not) else 1


def source_texts(source: str) -> list[str]:
    """The texts of a document's wordings, out of its JSON: the third field, after the id and the ids."""
    _, end = _DECODER.raw_decode(source, 1)
    _, end = _DECODER.raw_decode(source, end + 1)
    pairs, _ = _DECODER.raw_decode(source, end + 1)
    return [text for _, text in pairs]


_DECODER = JSONDecoder()


def compile_pattern(node: Pattern, query: Query) -> re.Pattern[str]:
    """The pattern for RE2 (linear time), without regard to case."""
    import re2  # a slow import that few queries need

    try:
        compiled: re.Pattern[str] = re2.compile(f"(?i){node.source}")
    except re2.error as error:
        raise QueryError(f"bad pattern: {error}", query.text, node.column) from None
    return compiled


def is_near(stream: str, tokens: Sequence[str], distance: int) -> bool:
    """Whether one wording of the stream has all tokens with at most `distance` other tokens among them."""
    need: dict[str, int] = {}
    for token in tokens:
        need[token] = need.get(token, 0) + 1
    for wording in stream.split("|"):
        places = [(i, token) for i, token in enumerate(wording.split()) if token in need]
        have: dict[str, int] = {}
        left = 0
        for right, (end, token) in enumerate(places):
            have[token] = have.get(token, 0) + 1
            while have[places[left][1]] > need[places[left][1]] and left < right:
                have[places[left][1]] -= 1
                left += 1
            if all(have.get(t, 0) >= n for t, n in need.items()) and (
                end - places[left][0] + 1 - len(tokens) <= distance
            ):
                return True
    return False
