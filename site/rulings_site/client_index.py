"""The data that the search in the page reads, as pages of the site; and the engine that reads it.

In: the search index of a build, opened as `SearchData`, and the catalogue for addresses and titles. Out: the start
data, shards (see `client_words`, `client_cards`, `client_texts`), the scripts joined to one, the list of files that
searching without a network needs. Without an index the page says that it cannot search.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from importlib.resources import files
from typing import Any

from rulings_site import client_cards, client_texts, client_words
from rulings_site.client_base import SearchData
from rulings_site.client_codes import numbers, rising, script
from rulings_site.page import Files, Page
from rulings_site.parts import Parts

_SCRIPTS = files("rulings_site") / "assets" / "search"
_TABLES = files("rulings") / "language"
PARTS = (
    "store", "tokens", "vocabulary", "patterns", "fields", "grammar", "reading", "names", "spelling", "question",
    "engine", "rank", "highlight", "relax", "results", "typed", "worker",
)  # fmt: skip
"""The scripts of the engine, in the order in which they are joined."""
MOST_USUAL = 61
"""A name used in lower case by more rulings than any limit of the ranking is written as this many."""


def engine() -> bytes:
    """All scripts of the engine and the tables that Python reads too, as one script for the page and its worker."""
    stems = json.loads((_TABLES / "stems.json").read_text(encoding="utf-8"))
    ranking = json.loads((_TABLES / "ranking.json").read_text(encoding="utf-8"))
    words = json.loads((_TABLES / "vocabulary.json").read_text(encoding="utf-8"))
    stems.pop("comment")
    ranking.pop("comment")
    tables = {
        "stems": stems,
        "ranking": ranking,
        "concepts": [[c["key"], c["terms"], c["asked"]] for c in words["concepts"]],
        "light": words["light"],
        "ordinary": words["ordinary"],
    }
    said = json.dumps(tables, ensure_ascii=False, separators=(",", ":"))
    pieces = [(_SCRIPTS / f"{name}.js").read_text(encoding="utf-8") for name in PARTS]
    return "".join(
        ['"use strict";\nvar RS = globalThis.RS = globalThis.RS || {};\n', f"RS.tables = {said};\n", *pieces]
    ).encode()


def pages(parts: Parts, data: SearchData | None) -> Iterator[Page]:
    """The data files and the engine."""
    keys = parts.keys
    yield Page("search engine", keys.of("search engine"), lambda: [("search/engine.js", engine())])
    if data is None:
        nothing = b'RS.put("start","",null);\n'
        yield Page("search start", keys.of("no search"), lambda: [("search/data/start.js", nothing)])
        return
    costs = {name: card.mana_cost for (name, _), card in parts.catalogue.cards.items()}
    groups: tuple[tuple[str, Callable[[], Files]], ...] = (
        ("start", lambda: [script("start", data.numbering, start(parts, data))]),
        ("terms", lambda: client_words.terms(data)),
        ("places", lambda: client_words.places(data)),
        ("words", lambda: client_words.words(data)),
        ("names", lambda: client_cards.names(data)),
        ("typed", lambda: client_cards.typed(data, costs)),
        ("oracle", lambda: client_cards.oracle(data)),
        ("oracle terms", lambda: client_cards.oracle_terms(data)),
        ("lists", lambda: client_cards.lists(data)),
        ("texts", lambda: client_texts.texts(data)),
        ("ids", lambda: client_texts.ids(data)),
        ("rules", lambda: client_texts.rules(data)),
        ("facts", lambda: [*client_texts.facts(data), _titles(parts, data)]),
    )
    for name, make in groups:
        yield Page(f"search {name}", keys.of("search", name, data.content), make)


def start(parts: Parts, data: SearchData) -> dict[str, Any]:
    """What every question needs: sizes, the number of cards of each document, which are superseded, names that are
    ordinary words, keywords, type words, and a filter that says which names are worth looking up."""
    usual: dict[int, list[str]] = {}
    for key, n in data.usual:
        usual.setdefault(min(n, MOST_USUAL), []).append(key)
    size, ones = client_words.filter_of([*(k for k, _, _ in data.names), *(w for w, _ in data.name_words)])
    slugs = parts.catalogue.slugs.of
    odd = {}
    for name, _ in slugs:
        address = parts.catalogue.card_slug(name) or next(slugs[key] for key in slugs if key[0] == name)
        if address != client_cards.plain_slug(name):
            odd[name] = address
    return {
        "numbering": data.numbering,
        "size": data.size,
        "shards": {
            "t": client_words.term_shards(data),
            "p": client_words.place_shards(data),
            "n": client_cards.name_shards(data),
            "x": client_cards.word_shards(data),
            "y": client_cards.typed_shards(data),
            "o": client_cards.oracle_shards(data),
            "i": client_texts.id_shards(data),
            "r": client_texts.RULE_SHARDS,
            "k": client_cards.oracle_term_shards(data),
        },
        "texts": client_texts.TEXTS,
        "heavy": " ".join(client_words.heavy_terms(data)),
        "heavyPlaces": " ".join(client_words.heavy_places(data)),
        "lengths": numbers(data.lengths),
        "cards": numbers(len(doc["cards"]) for doc in data.documents),
        "superseded": rising(
            [n for n, doc in enumerate(data.documents) if doc["status"] == "superseded" or doc["superseded_by"]]
        ),
        "usual": {str(n): " ".join(found) for n, found in sorted(usual.items())},
        "keywords": " ".join(sorted(term for term, _, _ in data.terms if term[0] == "@")),
        "types": " ".join(data.type_words),
        "filter": [size, ones],
        "slugs": odd,
        "compact": parts.site.compact,
    }


def _titles(parts: Parts, data: SearchData) -> tuple[str, bytes]:
    titles = {key: parts.catalogue.topic_title(key) for key in parts.catalogue.topics}
    return script("f/titles", data.numbering, titles)
