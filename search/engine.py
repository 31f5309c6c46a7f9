"""Typed query -> the exact set of rulings that fit it. Whoosh executes it; what Whoosh cannot know is proved here.

Words, fields, dates, flags and their AND, OR and NOT are one Whoosh query. Phrases, near words, wildcards, spellings
and patterns are first narrowed by Whoosh to rulings that hold their words, then proved on exact token streams or
texts. The set is unordered: ranking is `search.rank`. It never changes an index.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

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


class Engine:
    """Executes typed queries on one index."""

    def __init__(self, base: Base) -> None:
        self.base = base
        self._index = open_index(base.directory / "whoosh")
        self._searcher: WhooshSearcher = self._index.searcher()
        self._run = lru_cache(maxsize=256)(self._run_now)

    def close(self) -> None:
        self._searcher.close()
        self._index.close()

    def find(self, query: Query) -> set[int]:
        """The documents that fit the query."""
        return self._find(query.root, query, None)

    def holding(self, query: Query, stems: Sequence[str]) -> set[int]:
        """The documents that hold all these stems, synonyms counted."""
        return set(self._run(wq.And([self._word(s) for s in stems]))) if stems else set()

    # --- the tree ---

    def _find(self, node: Node, query: Query, within_: set[int] | None) -> set[int]:
        whole = self._whoosh(node, query)
        if whole is not None:
            found = set(self._run(whole))
            return found if within_ is None else found & within_
        if isinstance(node, And):
            return self._every(node, query, within_)
        if isinstance(node, Or):
            return set().union(*(self._find(child, query, within_) for child in node.nodes))
        if isinstance(node, Not):
            rest = self.base.live() if within_ is None else within_
            return rest - self._find(node.node, query, within_)
        return self._prove(node, query, within_)

    def _every(self, node: And, query: Query, within_: set[int] | None) -> set[int]:
        """What Whoosh can do first, as one query; then what narrows most."""
        exact = [child for child in node.nodes if self._whoosh(child, query) is not None]
        rest = [child for child in node.nodes if self._whoosh(child, query) is None]
        found = within_
        if exact:
            done = self._find(exact[0] if len(exact) == 1 else And(tuple(exact)), query, None)
            found = done if found is None else found & done
        for child in sorted(rest, key=lambda c: (isinstance(c, Not), isinstance(c, Pattern))):
            found = self._find(child, query, found)
        return found or set()

    def _run_now(self, query: wq.Query) -> frozenset[int]:
        numbers = self.base.whoosh
        return frozenset(numbers[d] for d in self._searcher.docs_for_query(query))

    # --- what Whoosh does alone ---

    def _whoosh(self, node: Node, query: Query) -> wq.Query | None:
        """The Whoosh query for a node, None where something is left to prove."""
        match node:
            case And():
                positive = [self._whoosh(c, query) for c in node.nodes if not isinstance(c, Not)]
                negative = [self._whoosh(c.node, query) for c in node.nodes if isinstance(c, Not)]
                if not positive or None in positive or None in negative:
                    return None
                every = positive[0] if len(positive) == 1 else wq.And(positive)
                return wq.AndNot(every, wq.Or(negative)) if negative else every
            case Or():
                either = [self._whoosh(c, query) for c in node.nodes]
                return None if None in either else wq.Or(either)
            case Word():
                return self._word(stem(node.text))
            case OwnName():
                return wq.Term("flag", "own-name")
            case RuleWord():
                return wq.Term("rule", f"={node.number}" if node.alone else node.number)
            case DateRange():
                return None if node.field == "as-of" else wq.TermRange("date", node.low, node.high)
            case FieldTerm():
                return self._field(node)
        return None

    def _word(self, stem_: str) -> wq.Query:
        terms = [wq.Term("word", stem_), *(wq.Term("word", MARK + key) for key in vocabulary().of_word(stem_))]
        return terms[0] if len(terms) == 1 else wq.Or(terms)

    def _field(self, node: FieldTerm) -> wq.Query:
        match node.field:
            case "card":
                return wq.Or([wq.Term("card", key) for key in self._cards(node.value)])
            case "oracle":
                tokens = words(node.value)
                phrase = f" {' '.join(tokens)} " if len(tokens) > 1 else None
                cards = self.base.oracle_cards([stem(t) for t in tokens], phrase)
                return wq.Or([wq.Term("card", card_key(self.base.card(card)[0])) for card in sorted(cards)])
            case "is" | "status":
                return wq.Term("flag", f"{node.field}:{node.value}")
            case "topic":
                return wq.Term("topic", re.sub(r"[^a-z0-9]+", "-", node.value).strip("-"))
            case "type":
                return wq.And([wq.Term("type", word) for word in words(node.value)])
        return wq.Term(node.field, node.value)

    def _cards(self, value: str) -> list[str]:
        """The keys of the cards meant by a name: those called so, else those with all its words in their name."""
        called = self.base.cards_called(name_key(value))
        if not called:
            sets = [set(self.base.cards_with_word(stem(word))) for word in words(value)]
            called = tuple((card, 0) for card in (sets[0].intersection(*sets[1:]) if sets else ()))
        return sorted({card_key(self.base.card(card)[0]) for card, _ in called})

    # --- what has to be proved ---

    def _prove(self, node: Node, query: Query, within_: set[int] | None) -> set[int]:
        match node:
            case Phrase():
                return self._streams(node.tokens, f" {' '.join(node.tokens)} ", within_)
            case Compound():
                phrase = f" {' '.join(node.parts)} "
                found = self._streams(node.parts, phrase, within_)
                if node.joined:
                    joined = set(self._run(wq.Term("word", stem(node.joined))))
                    found |= joined if within_ is None else joined & within_
                return found
            case Near():
                tokens, distance = node.tokens, node.distance
                return self._streams(tokens, lambda stream: is_near(stream, tokens, distance), within_)
            case Wild() | Fuzzy():
                return self._any_word(self.expand(node, query), within_)
            case Pattern():
                return self._pattern(node, query, within_)
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

    def _streams(self, tokens: Sequence[str], proof: str | Callable[[str], bool], within_: set[int] | None) -> set[int]:
        """The documents that hold all tokens and pass the proof on their stream: a piece of it, or a function."""
        terms = sorted({"~" if t == "~" else stem(t) for t in tokens})
        candidates = self._run(wq.And([wq.Term("word", t) for t in terms]))
        rest = candidates if within_ is None else candidates & within_
        if isinstance(proof, str):
            return {n for n, stream in self.base.streams(rest) if proof in stream}
        return {n for n, stream in self.base.streams(rest) if proof(stream)}

    def _any_word(self, exact: Sequence[str], within_: set[int] | None) -> set[int]:
        if not exact:
            return set()
        candidates = self._run(wq.Or([wq.Term("word", s) for s in sorted({stem(word) for word in exact})]))
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

    def _pattern(self, node: Pattern, query: Query, within_: set[int] | None) -> set[int]:
        matcher = compile_pattern(node, query)
        rest = self.base.live() if within_ is None else within_
        found = set()
        for n, source in self.base.sources(rest):
            # The texts stand in the document's JSON; reading it whole costs more than the match.
            texts = source_texts(source)
            if any(matcher.search(text) for text in texts):
                found.add(n)
        return found


def source_texts(source: str) -> list[str]:
    """The texts of a document's wordings, out of its JSON."""
    from json import JSONDecoder

    start = source.index('"wordings":') + len('"wordings":')
    pairs, _ = JSONDecoder().raw_decode(source, start)
    return [text for _, text in pairs]


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
