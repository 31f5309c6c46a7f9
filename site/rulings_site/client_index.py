"""The data that the search in the page reads, as pages of the site; and the engine that reads it.

In: the search index of a build, opened as `SearchData`, and the catalogue for addresses and titles. Out: the start
data, shards (see `client_words`, `client_cards`, `client_texts`), the scripts joined to one, the list of files that
searching without a network needs. Without an index the page says that it cannot search.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from rulings_site import client_cards, client_texts, client_words
from rulings_site.client_base import SearchData
from rulings_site.client_codes import numbers, rising, script
from rulings_site.client_engine import AT_ONCE, engine
from rulings_site.client_texts import Arrangement
from rulings_site.page import Files, Page, digest
from rulings_site.pages.fixed import symbols_script
from rulings_site.parts import Parts
from rulings_site.render import ASSETS

MOST_USUAL = 61
"""A name used in lower case by more rulings than any limit of the ranking is written as this many."""


def pages(parts: Parts, data: SearchData | None) -> Iterator[Page]:
    """The data files and the engine."""
    keys = parts.keys
    yield Page("search page", keys.of("search page"), lambda: [("search/page.js", _page())])
    if data is None:
        nothing = b'RS.put("start","",null);\n'
        files = (*_begun("search/data/start.js", nothing), ("search/each.js", b""))
        yield Page("search start", keys.of("no search"), lambda: files)
        return
    arrangement = client_texts.arranged(data)
    costs = parts.catalogue.costs
    titles = {key: parts.catalogue.topic_title(key) for key in parts.catalogue.topics}
    # Each group with what it is made from: after an edit only what it touches is made again.
    groups: tuple[tuple[str, tuple[str, ...], Callable[[], Files]], ...] = (
        ("places", (data.of_texts,), lambda: client_words.places(data)),
        ("words", (repr(data.words), data.of_names), lambda: client_words.words(data)),
        ("names", (data.of_names,), lambda: client_cards.names(data)),
        ("typed", (data.of_names, repr(costs)), lambda: client_cards.typed(data, costs)),
        ("oracle", (data.of_cards,), lambda: client_cards.oracle(data)),
        ("oracle terms", (data.of_cards, data.of_idf), lambda: client_cards.oracle_terms(data)),
        ("lists", (data.of_names,), lambda: client_cards.lists(data)),
        ("ids", (data.of_facts,), lambda: client_texts.ids(data)),
        ("rules", (data.of_facts, data.of_texts), lambda: client_texts.rules(data)),
        (
            "facts",
            (data.of_facts, repr(titles)),
            lambda: [*client_texts.facts(data), script("f/titles", data.numbering, titles)],
        ),
    )
    # The list of files for a device is made from keys, and has to know both versions.
    first = f"{keys.of('search start', data.content)} {data.numbering} {arrangement.version}"
    begun = partial(start, parts, data, arrangement)
    yield Page("search start", first, lambda: _begun(*script("start", data.numbering, begun())))
    yield Page("search each", keys.of("search each", data.content), lambda: _each(data, arrangement))
    for name, made_from, make in groups:
        yield Page(f"search {name}", keys.of("search", name, *made_from), make)
    for shard in client_words.term_files(data):
        yield Page(
            f"search {shard.name}", keys.of("search", shard.key), partial(_one, client_words.term_file, data, shard)
        )
    for name, key, make in client_texts.text_files(data, arrangement):
        yield Page(f"search {name}", keys.of("search", key), make)


def _one(
    make: Callable[[SearchData, client_words.TermShard], tuple[str, bytes]],
    data: SearchData,
    shard: client_words.TermShard,
) -> Files:
    return [make(data, shard)]


def _begun(name: str, said: bytes) -> Files:
    """The start data, and the engine with it as its last line: a phone asks for both at once."""
    return [(name, said), ("search/engine.js", engine() + b"Rulings.begin([%b]);\n" % _inner(said))]


def _inner(said: bytes) -> bytes:
    """Name, numbering and value of a shard, without the call around them."""
    return said.removeprefix(b"RS.put(").removesuffix(b");\n")


def _each(data: SearchData, arrangement: Arrangement) -> Files:
    """The shard `each`, and the same for the head of the search page, which does not know its version."""
    name, said = script("each", arrangement.version, each(data, arrangement))
    given = b"(window.RulingsGiven = window.RulingsGiven || []).push([%b]);\n" % _inner(said)
    return [(name, said), ("search/each.js", given)]


def _page() -> bytes:
    """The scripts of the search page as one: six requests at once are what a browser makes."""
    parts = ("text.js", "results.js")
    had = json.dumps(["assets/symbols.js", *(f"assets/{name}" for name in parts)])
    had = f"{AT_ONCE}Rulings.have({had});\n"
    return b"".join([had.encode(), symbols_script(), *((ASSETS / name).read_bytes() for name in parts)])


def start(parts: Parts, data: SearchData, arrangement: Arrangement) -> dict[str, Any]:
    """What every question needs to ask for the shards of its terms: how many there are, words with one of their own,
    keywords; and the addresses that do not follow from names."""
    slugs = parts.catalogue.slugs.of
    odd: dict[str, str] = {}
    for (name, _), address in slugs.items():
        # Of several cards with one name the first; a name that works out by itself is left out.
        odd.setdefault(name, address)
    odd = {name: address for name, address in odd.items() if address != client_cards.plain_slug(name)}
    return {
        "numbering": data.numbering,
        "arranged": arrangement.version,
        "size": data.size,
        "shards": {
            "t": client_words.term_shards(data),
            "p": client_words.place_shards(data),
            "n": client_cards.name_shards(data),
            "x": client_cards.word_shards(data),
            "y": client_cards.typed_shards(data),
            "o": client_cards.oracle_shards(data),
            "i": client_texts.id_shards(data),
            "r": data.sizes.rules,
            "k": client_cards.oracle_term_shards(data),
        },
        "heavy": " ".join(client_words.heavy_terms(data)),
        "spread": rising(client_words.spread_concepts(data)),
        "heavyPlaces": " ".join(client_words.heavy_places(data)),
        "keywords": " ".join(sorted(term for term, _, _ in data.terms if term[0] == "@")),
        "slugs": odd,
        "compact": parts.site.compact,
    }


def each(data: SearchData, arrangement: Arrangement) -> dict[str, Any]:
    """What every question needs besides, while its terms are on their way: filters that say which names are worth
    looking up, names that are ordinary words, type words; lengths, numbers of cards and shards of text of the
    documents, and which are superseded."""
    usual: dict[int, list[str]] = {}
    for key, n in data.usual:
        usual.setdefault(min(n, MOST_USUAL), []).append(key)
    superseded = [n for n, doc in enumerate(data.documents) if doc["status"] == "superseded" or doc["superseded_by"]]
    return {
        "lengths": numbers(data.lengths),
        "cards": numbers(len(doc["cards"]) for doc in data.documents),
        "superseded": rising(superseded),
        "where": numbers(arrangement.shard_of_each(data.sizes.texts)),
        "usual": {str(n): " ".join(found) for n, found in sorted(usual.items())},
        "types": " ".join(data.type_words),
        # A long question has a hundred and more runs of words that could be names, and few words that could be in one.
        "called": client_words.filter_of((key for key, _, _ in data.names), 32),
        "words": client_words.filter_of((word for word, _ in data.name_words), 16),
    }


_SHELL = ("", "search/")
"""Pages that searching without a network needs, as addresses."""


def offline(manifest: Mapping[str, tuple[str, int, tuple[str, ...]]]) -> Files:
    """`search/files.json`: what searching without a network needs, for the button that keeps it on a device.

    `manifest` is the build's: page -> (key, bytes, paths). The content is named by the keys, so that a device sees
    whether what it has is still right without comparing files.
    """
    wanted = {name: entry for name, entry in manifest.items() if name.startswith("search") or name == "assets"}
    start = next((key for name, (key, _, _) in wanted.items() if name == "search start"), "")
    versions = ["", "", *start.split(" ")]
    files = sorted(path for _, _, paths in wanted.values() for path in paths if not path.endswith(".html"))
    said = {
        "numbering": versions[-2],
        "arranged": versions[-1],
        "content": digest(key for _, (key, _, _) in sorted(wanted.items())),
        "bytes": sum(size for _, size, _ in wanted.values()),
        "files": [*_SHELL, *files],
    }
    return [("search/files.json", (json.dumps(said, separators=(",", ":")) + "\n").encode())]
