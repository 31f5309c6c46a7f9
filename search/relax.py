"""What to offer where a query finds nothing, or not all of it: fewer words, other spellings, other names."""

from __future__ import annotations

from difflib import get_close_matches

from rulings.language.query import LOOSE, And, FieldTerm, Node, Not, Query, Word, leaves
from rulings.language.tokens import stem
from search.base import Base
from search.engine import Engine, alternatives
from search.question import Question
from search.spelling import nearest_names, nearest_word

MOST = 5


def closest(base: Base, stems: list[str]) -> tuple[int, int]:
    """(the most of these words that any ruling has, how many rulings have so many)."""
    counts: dict[int, int] = {}
    for word in stems:
        having: set[int] = set()
        for term in alternatives(word):
            having.update(base.posting(term)[0])
        for n in having:
            counts[n] = counts.get(n, 0) + 1
    most = max(counts.values(), default=0)
    return most, sum(1 for count in counts.values() if count == most)


def without_one(engine: Engine, query: Query) -> list[dict[str, object]]:
    """For a query of several parts that finds nothing: what it finds without each of them."""
    root = query.root
    if not isinstance(root, And):
        return []
    offers: list[dict[str, object]] = []
    for i in range(len(root.nodes)):
        rest = root.nodes[:i] + root.nodes[i + 1 :]
        if all(isinstance(node, Not) for node in rest):
            continue
        node: Node = rest[0] if len(rest) == 1 else And(rest)
        total = len(engine.find(Query(query.text, node)))
        if total:
            offers.append({"without": _written(query, i), "query": _rest_written(query, i), "total": total})
    offers.sort(key=lambda offer: -int(str(offer["total"])))
    return offers[:MOST]


def _columns(query: Query) -> list[int]:
    assert isinstance(query.root, And)
    return [min(_first(node)) for node in query.root.nodes]


def _first(node: Node) -> list[int]:
    if isinstance(node, Not):
        return [node.column]
    return [leaf.column for leaf, _ in leaves(node)]


def _written(query: Query, i: int) -> str:
    columns = [*_columns(query), len(query.text)]
    return query.text[columns[i] : columns[i + 1]].strip(" ()").removesuffix(" AND").strip()


def _rest_written(query: Query, i: int) -> str:
    columns = [*_columns(query), len(query.text)]
    text = query.text[: columns[i]] + query.text[columns[i + 1] :]
    return " ".join(text.split()).removesuffix(" AND").removesuffix(" NOT")


def suggestions(base: Base, query: Query, question: Question) -> list[str]:
    """Other queries that were perhaps meant: a word or name as the base spells it."""
    found = []
    text = query.text
    for typed, read in question.mended:
        found.append(_replaced(text, typed, read))
    for leaf, negated in leaves(query.root):
        if negated:
            continue
        if isinstance(leaf, FieldTerm) and leaf.field == "card":
            found += [_replaced(text, leaf.value, name) for name in nearest_names(base, leaf.value)]
        elif isinstance(leaf, FieldTerm) and leaf.field in ("topic", "source"):
            labels = base.list_of(leaf.field)[0]
            found += [_replaced(text, leaf.value, x) for x in get_close_matches(leaf.value, labels, n=3, cutoff=0.6)]
        elif isinstance(leaf, Word) and not base.frequency(stem(leaf.text)) and leaf.text.isalpha():
            near = nearest_word(base, leaf.text)
            found += [_replaced(text, leaf.text, near)] if near else []
    words = [leaf for leaf, _ in leaves(query.root) if isinstance(leaf, LOOSE)]
    if query.plain and not question.cards and 1 <= len(words) <= 6:
        found += [f'card:"{name}"' for name in nearest_names(base, text)]
    return [other for other in dict.fromkeys(found) if other != text][:MOST]


def _replaced(text: str, typed: str, read: str) -> str:
    place = text.lower().find(typed.lower())
    if place < 0:
        return read
    quoted = f'"{read}"' if " " in read and text[max(0, place - 1) : place] == ":" else read
    return text[:place] + quoted + text[place + len(typed) :]
