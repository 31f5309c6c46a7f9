"""The data that the search in the page reads, as pages of the site; and the engine that reads it.

In: the search index of a build, opened as `SearchData`, and the catalogue for addresses and titles. Out: the start
data, shards (see `client_words`, `client_cards`, `client_texts`), the scripts joined to one, the list of files that
searching without a network needs. Without an index the page says that it cannot search.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from hashlib import blake2b
from typing import Any

from rulings_site import client_before, client_cards, client_texts, client_words
from rulings_site.client_base import SearchData
from rulings_site.client_before import ARRANGED, Before
from rulings_site.client_codes import fixed, numbers, rising, script
from rulings_site.client_engine import AT_ONCE, engine
from rulings_site.client_texts import Arrangement
from rulings_site.page import Files, Page, digest
from rulings_site.pages.fixed import symbols_script
from rulings_site.parts import Parts
from rulings_site.render import ASSETS

MOST_USUAL = 61
"""A name used in lower case by more rulings than any limit of the ranking is written as this many."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The pages in groups, each for one process since its pages share work, the dearest first: they are planned as they
    are asked for; which of what they show can have changed (None: all); and what is to be remembered."""

    groups: Iterator[Sequence[Page]]
    touched: set[str] | None
    state: Before | None


def plan(parts: Parts, data: SearchData | None, before: Before | None = None, lost: Collection[str] = ()) -> Plan:
    """The data files and the engine. `before` is what is remembered of the last time; `lost` are pages that have to be
    made in any case."""
    if data is None:
        return Plan(iter([_without_data()]), None, None)
    around = _around(parts, data)
    if before is not None and before.around != around:
        before = None
    given = before.given if before else _given(parts, data)
    seen = client_before.touched(before, data) if before else None
    lies = before.arranged if before and seen is not None and ARRANGED not in seen else client_texts.arranged(data)
    state = Before(around, given, client_words.heavy_places(data), lies, data.sources, data.streams)
    if seen is not None:
        seen |= {_ALWAYS, *(name.removeprefix("search ") for name in lost)}
    return Plan(_groups(parts, data, state, seen), seen, state)


def _without_data() -> list[Page]:
    nothing = b'RS.put("start","",null);\n'
    files = (*_begun("search/data/start.js", nothing), ("search/each.js", b""))
    return [_search_page(), _held("search start", lambda: files)]


def _search_page() -> Page:
    return _held("search page", lambda: [("search/page.js", _page())])


def _groups(parts: Parts, data: SearchData, state: Before, touched: set[str] | None) -> Iterator[list[Page]]:
    keys, arrangement, given = parts.keys, state.arranged, state.given
    made = cache(lambda: dict(client_words.places(data, touched)))
    homes = client_words.Homes("p", client_words.place_shards(data), state.alone)
    yield [_held(f"search {name}", partial(_of_place, made, name), (name,)) for name in homes.names]
    costs = parts.catalogue.costs
    titles = {key: parts.catalogue.topic_title(key) for key in parts.catalogue.topics}
    # The list of files for a device is made from keys, and has to know both versions.
    begun = _begun(*script("start", data.numbering, start(parts, data, arrangement, given)))
    yield [
        _search_page(),
        Page("search start", f"{content(begun)} {data.numbering} {arrangement.version}", lambda: begun),
        _held("search each", lambda: _each(data, arrangement, given)),
        _held("search words", lambda: client_words.words(data)),
    ]
    for name, made_from, make in (
        ("names", (data.of_names,), lambda: client_cards.names(data)),
        ("typed", (data.of_names, repr(costs)), lambda: client_cards.typed(data, costs)),
        ("oracle", (data.of_cards,), lambda: client_cards.oracle(data)),
        ("oracle terms", (data.of_cards, client_cards.of_rare(data)), lambda: client_cards.oracle_terms(data)),
        ("lists", (data.of_names,), lambda: client_cards.lists(data)),
    ):
        yield [Page(f"search {name}", keys.of("search", name, *made_from), make)]
    yield [_held("search ids", lambda: client_texts.ids(data), ("ids",))]
    yield [_held("search rules", lambda: client_texts.rules(data), ("rules",))]
    yield [_held(f"search {name}", make, (name,)) for name, _, make in client_texts.fact_files(data)]
    yield [_held("search f/titles", lambda: [script("f/titles", data.numbering, titles)])]
    shards = client_words.term_files(data)
    yield [
        Page(
            f"search {shard.name}",
            keys.of("search", shard.key),
            partial(_one, client_words.term_file, data, shard),
        )
        for shard in shards
    ]
    yield [
        Page(f"search {name}", keys.of("search", key), make)
        for name, key, make in client_texts.text_files(data, arrangement)
    ]


_ALWAYS = "always"
"""What a page shows whose key is worked out each time, since that costs little."""


def _held(name: str, make: Callable[[], Files], shows: Sequence[str] = (_ALWAYS,)) -> Page:
    """A page whose key is what it holds."""
    files = cache(make)
    return Page(name, lambda: content(files()), files, shows)


def content(files: Files) -> str:
    """A hash of files."""
    total = blake2b(digest_size=9)
    for path, said in files:
        total.update(f"{path} {len(said)} ".encode() + said)
    return total.hexdigest()


def _of_place(made: Callable[[], dict[str, bytes]], name: str) -> Files:
    path = f"search/data/{name}.js"
    return [(path, made()[path])]


def _around(parts: Parts, data: SearchData) -> str:
    """A hash of all that the files are made from but the documents, their words and terms."""
    return digest(
        (
            parts.keys.base,
            data.numbering,
            repr((data.sizes, client_words.place_shards(data), client_texts.topic_labels(data))),
            data.of_cards,
            digest(key for key, _, _ in data.names),
            digest(word for word, _ in data.name_words),
        )
    )


def _given(parts: Parts, data: SearchData) -> dict[str, Any]:
    """What is worked out from names and addresses alone."""
    odd: dict[str, str] = {}
    for (name, _), address in sorted(parts.catalogue.slugs.of.items()):
        # Of several cards with one name the first; a name that works out by itself is left out.
        odd.setdefault(name, address)
    return {
        "odd": {name: address for name, address in odd.items() if address != client_cards.plain_slug(name)},
        # A long question has a hundred and more runs of words that could be names, and few words that could be in one.
        "called": client_words.filter_of((key for key, _, _ in data.names), 32),
        "words": client_words.filter_of((word for word, _ in data.name_words), 16),
    }


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


def _each(data: SearchData, arrangement: Arrangement, given: dict[str, Any]) -> Files:
    """The shard `each`, and the same for the head of the search page, which does not know its version."""
    name, said = script("each", arrangement.version, each(data, arrangement, given))
    early = b"(window.RulingsGiven = window.RulingsGiven || []).push([%b]);\n" % _inner(said)
    return [(name, said), ("search/each.js", early)]


def _page() -> bytes:
    """The scripts of the search page as one: six requests at once are what a browser makes."""
    parts = ("text.js", "results.js")
    had = json.dumps(["assets/symbols.js", *(f"assets/{name}" for name in parts)])
    had = f"{AT_ONCE}Rulings.have({had});\n"
    return b"".join([had.encode(), symbols_script(), *((ASSETS / name).read_bytes() for name in parts)])


def start(parts: Parts, data: SearchData, arrangement: Arrangement, given: dict[str, Any]) -> dict[str, Any]:
    """What every question needs to ask for the shards of its terms: how many there are, words with one of their own,
    keywords; and the addresses that do not follow from names."""
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
        "slugs": given["odd"],
        "compact": parts.site.compact,
    }


def each(data: SearchData, arrangement: Arrangement, given: dict[str, Any]) -> dict[str, Any]:
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
        "where": fixed(arrangement.shard_of_each(data.sizes.texts)),
        "usual": {str(n): " ".join(found) for n, found in sorted(usual.items())},
        "types": " ".join(data.type_words),
        "called": given["called"],
        "words": given["words"],
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
