"""The shards of documents: what a hit shows (`s`), ids (`i`), rules (`r`), and facts by document for fields, facets and
orders (`f/...`)."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from rulings.language.ranking import idf, ranking
from rulings.language.tokens import is_rule_number, words
from rulings_site.client_base import Document, SearchData
from rulings_site.client_codes import numbers, rising, script, shards, spread
from rulings_site.page import Files, digest

CARDS_SHOWN = 20
_MAYBE_RULE = re.compile(r"\d{3}\W\d")
"""In every text with a rule number; few others need to be read."""


def id_shards(data: SearchData) -> int:
    return shards(data.size, 1600, data.sizes.ids)


@dataclass(frozen=True, slots=True)
class Arrangement:
    """The documents in the order in which they lie in the shards of texts, and a version: with another order, a shard
    that a browser kept holds other documents."""

    order: tuple[int, ...]
    version: str

    def shard_of_each(self, in_one: int) -> list[int]:
        """The shard of each document."""
        found = [0] * len(self.order)
        for place, n in enumerate(self.order):
            found[n] = place // in_one
        return found


def arranged(data: SearchData) -> Arrangement:
    """The rulings of a card side by side, and cards by the two topics that tell most of their rulings: what a question
    finds lies in few shards, and a phone asks for six at once."""
    topics = Counter(topic for doc in data.documents for topic in doc["topics"])
    tells = {topic: idf(data.size, count) for topic, count in topics.items()}
    cards: dict[str, Counter[str]] = defaultdict(Counter)
    firsts = [doc["cards"][0] if doc["cards"] else "" for doc in data.documents]
    for card, doc in zip(firsts, data.documents, strict=True):
        for topic in doc["topics"]:
            cards[card][topic] += tells[topic]
    about = {card: sorted(found, key=lambda topic: (-found[topic], topic))[:2] for card, found in cards.items()}
    order = sorted(range(data.size), key=lambda n: (about.get(firsts[n], []), firsts[n]))
    return Arrangement(tuple(order), data.numbering + digest(map(str, order))[:8])


def text_files(data: SearchData, arrangement: Arrangement) -> Iterator[tuple[str, str, Callable[[], Files]]]:
    """(name, key, how to make it) of each shard of texts."""
    labels = {label: n for n, label in enumerate(topic_labels(data))}
    known = digest(labels)
    for start in range(0, data.size, data.sizes.texts):
        name = f"s/{start // data.sizes.texts}"
        held = sorted(arrangement.order[start : start + data.sizes.texts])
        key = digest((arrangement.version, known, *(data.sources[n] for n in held)))
        yield name, key, partial(_text_file, arrangement, name, {n: data.documents[n] for n in held}, labels)


def _text_file(arrangement: Arrangement, name: str, rows: dict[int, Document], labels: dict[str, int]) -> Files:
    """The numbers of its documents; and of each: id, text, its first cards, how many in all, oldest and newest date,
    its first two topics, status (0 current, 1 superseded), what supersedes it, what the text calls its card, what
    stands for `~`, its further wordings with the factor of their impacts."""
    shown = (_shown(doc, labels) for doc in rows.values())
    return [script(name, arrangement.version, [rising(list(rows)), *shown])]


def texts(data: SearchData) -> Files:
    """All shards of texts."""
    return [file for _, _, make in text_files(data, arranged(data)) for file in make()]


def _shown(doc: Document, labels: dict[str, int]) -> list[object]:
    cards: list[str] = doc["cards"]
    dates: list[str] = doc["dates"]
    row: list[object] = [
        doc["id"],
        doc["wordings"][0][1],
        cards[:CARDS_SHOWN],
        len(cards),
        dates[0] if dates else "",
        dates[-1] if len(dates) > 1 else 0,
        [labels[topic] for topic in doc["topics"][:2]],
        0 if doc["status"] == "current" else 1,
        doc["superseded_by"] or 0,
        0 if doc["named"] == cards[:1] else doc["named"],
        doc["stands"],
        [
            x
            for why, text in doc["wordings"][1:]
            for x in (ranking().wording.get(why, ranking().wording["other"]), text)
        ],
    ]
    defaults: list[object] = [0, 0, 0, [], []]
    while defaults and row[-1] == defaults.pop():
        row.pop()
    return row


def ids(data: SearchData) -> Files:
    """id -> documents."""
    count = id_shards(data)
    found: list[dict[str, list[int]]] = [defaultdict(list) for _ in range(count)]
    for n, doc in enumerate(data.documents):
        for name in doc["ids"]:
            found[spread(name) % count][name].append(n)
    return [script(f"i/{at}", data.numbering, shard) for at, shard in enumerate(found)]


def rules(data: SearchData) -> Files:
    """By section: rule number -> documents on it or its subrules, and `=number` -> on it alone."""
    found: list[dict[str, list[int]]] = [defaultdict(list) for _ in range(data.sizes.rules)]
    for n, doc in enumerate(data.documents):
        exact = rules_of(doc)
        wide = set(exact)
        for number in exact:
            if "." in number:
                wide.add(number.rstrip("abcdefghijklmnopqrstuvwxyz"))
                wide.add(number.partition(".")[0])
        for number in [*sorted(wide), *(f"={number}" for number in sorted(exact))]:
            found[int(number.lstrip("=")[:3]) % data.sizes.rules][number].append(n)
    return [
        script(f"r/{at}", data.numbering, {number: rising(docs) for number, docs in sorted(shard.items())})
        for at, shard in enumerate(found)
    ]


def rules_of(doc: Document) -> set[str]:
    """The rules that bear on a document, and those that its texts name."""
    exact = set(doc["rules"])
    for _, text in doc["wordings"]:
        if _MAYBE_RULE.search(text):
            exact.update(word for word in words(text) if is_rule_number(word))
    return exact


def topic_labels(data: SearchData) -> list[str]:
    """Every topic of a document, as texts name them by number."""
    return sorted({label for doc in data.documents for label in doc["topics"]})


def _sections(doc: Document) -> Sequence[str]:
    return sorted({number.partition(".")[0] for number in doc["rules"]})


_LISTS: dict[str, Callable[[Document], Sequence[str]]] = {
    "topic": lambda doc: doc["topics"],
    "year": lambda doc: sorted({date[:4] for date in doc["dates"]}),
    "source": lambda doc: doc["sources"],
    "type": lambda doc: doc["kinds"],
    "section": _sections,
    "set": lambda doc: doc["sets"],
    "types": lambda doc: doc["types"],
    "date": lambda doc: doc["dates"],
}
_FLAGS: tuple[tuple[str, Callable[[Document], bool]], ...] = (
    ("is:shared", lambda doc: len(doc["cards"]) > 1),
    ("is:variant", lambda doc: len(doc["wordings"]) > 1),
    ("is:undated", lambda doc: bool(doc["undated"]) or not doc["dates"]),
    ("is:damaged", lambda doc: bool(doc["damaged"])),
    ("status:current", lambda doc: doc["status"] == "current"),
    ("status:superseded", lambda doc: doc["status"] == "superseded"),
    ("status:withdrawn", lambda doc: doc["status"] == "withdrawn"),
)


def fact_files(data: SearchData) -> Iterator[tuple[str, Callable[[Document], object], Callable[[], Files]]]:
    """(name, what it says of one document, how to make it) of each file of facts: labels, and for each document how
    many it has and which; flags by name; the order by card."""
    for name, of in _LISTS.items():
        yield f"f/{name}", of, partial(_list_file, data, f"f/{name}", of)
    yield "f/flag", lambda doc: [of(doc) for _, of in _FLAGS], partial(_flag_file, data)
    yield "f/first", lambda doc: doc["cards"][:1], partial(_first_file, data)


def facts(data: SearchData) -> Files:
    """All files of facts."""
    return [file for _, _, make in fact_files(data) for file in make()]


def _list_file(data: SearchData, name: str, of: Callable[[Document], Sequence[str]]) -> Files:
    values = [of(doc) for doc in data.documents]
    labels = sorted({label for found in values for label in found})
    at = {label: n for n, label in enumerate(labels)}
    members = numbers(x for found in values for x in (len(found), *(at[label] for label in found)))
    return [script(name, data.numbering, [labels, members])]


def _flag_file(data: SearchData) -> Files:
    flags = {name: rising([n for n, doc in enumerate(data.documents) if of(doc)]) for name, of in _FLAGS}
    return [script("f/flag", data.numbering, flags)]


def _first_file(data: SearchData) -> Files:
    card = {name: n for n, name, _, _ in data.cards}
    first = [card[doc["cards"][0]] if doc["cards"] else len(card) for doc in data.documents]
    return [script("f/first", data.numbering, numbers(first))]
