"""No page is larger than it may be, in a base where everything is very much, and nothing is left off for it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache

import pytest

from rulings.ids import mint
from rulings.model import (
    Card,
    Change,
    Knowledge,
    Link,
    Occurrence,
    Printing,
    Review,
    Ruling,
    Source,
    Tombstone,
    Variant,
)
from rulings.rules import Versions, parse
from rulings.symbols import HYBRIDS
from rulings_site.catalogue import Catalogue
from rulings_site.page import Page
from rulings_site.pages import card, compact, coverage, days, fixed, names, news, rule, ruling, topics
from rulings_site.parts import Parts
from rulings_site.render import Site
from rulings_site.room import PAGE, cut
from rulings_site.rows import Row

LONG_NAME = "Our Market Research Shows That Players Like Really Long Card Names So We Made this Card to Have Number {}"
SYMBOLS = [f"{{{pair[0]}/{pair[1]}}}" for pair in HYBRIDS] + [f"{{{n}}}" for n in range(21)]
LOADED, WIDE = "Everything at Once", "It stands on a thousand cards, and has had many wordings."
RULES = """Magic: The Gathering Comprehensive Rules

These rules are effective as of April 17, 2026.

Contents

1. Game Concepts
107. Numbers and Symbols

Glossary

Credits

1. Game Concepts

107. Numbers and Symbols

107.1. The symbols of the game.

{}

Glossary

Credits

Nobody
"""


def sentences(start: str, length: int, symbols: int = 0) -> str:
    """A text of about `length` characters with some symbols in it; another one for each `start`."""
    said = [start, *(SYMBOLS[(len(start) * 7 + n + hash_of(start)) % len(SYMBOLS)] for n in range(symbols))]
    return " ".join([*said, *(["You can’t do that “here”."] * (length // 26))])


def hash_of(text: str) -> int:
    return sum(map(ord, text))


def made(text: str, *cards: str, date: str | None = "2024-03-08", **more: object) -> Ruling:
    stands = tuple(Occurrence(name, date, "src-0", position=n) for n, name in enumerate(cards))
    return Ruling(mint(text), text, occurrences=stands, **{"topics": ("energy",), **more})  # type: ignore[arg-type]


@cache
def base() -> Knowledge:
    """A card with 300 rulings, a ruling on 1,000 cards with 60 wordings and 80 links, a topic of 2,900, and so on."""
    wide = [LONG_NAME.format(n) for n in range(1000)]
    many = [made(sentences(f"Ruling {n} of one card", 60 * (n % 12), n % 5), LOADED) for n in range(300)]
    others = [("energy", f"a topic that has a long name {n}") for n in range(500)]
    topic = [made(f"Of the topic, number {n}.", f"Card {n % 700}", topics=others[n % 500]) for n in range(2700)]
    # The rulings of one stretch of the topic are much longer than those of others.
    topic += [made(sentences(f"Long {n}", 2400, 12), f"Card {n}", wide[n]) for n in range(120)]
    topic += [made(sentences(f"On no card, number {n}", 900), topics=("energy",)) for n in range(90)]
    variants = tuple(Variant(f"v{n}", "older-wording", sentences(f"It stood, {n}", 700, 3)) for n in range(2, 62))
    stands = tuple(
        Occurrence(name, f"20{10 + n % 15}-02-01", "src-0", None if n % 61 == 0 else f"v{n % 61 + 1}", position=n)
        for n, name in enumerate(wide)
    )
    linked = tuple(Link("related", r.id) for r in topic[2700:2780])
    big = Ruling(mint(WIDE), WIDE, occurrences=stands, variants=variants, links=linked, topics=("energy", "x"))
    gone = [
        made(
            f"Gone {n}.",
            "Card 1",
            date="2001-01-01",
            status="withdrawn",
            history=(Change(f"20{n // 10 + 10}-05-{n % 10 + 10}", "withdrawn", "why " * 300),),
        )
        for n in range(100)
    ]
    cards = [Card(name, oracle_text="{T}: Add {1}.", printings=(Printing("BIG"),)) for name in wide]
    cards += [
        Card(LOADED, oracle_text=sentences("Text", 1500, 30), foreign_names=tuple(map(LONG_NAME.format, range(9))))
    ]
    cards += [Card(f"Set card {n}", printings=(Printing(f"S{n:04}"),)) for n in range(1200)]
    sources = tuple(
        Source(f"src-{n}", "2026-01-03", "A source " * 9, "https://x.example/" + "a" * 99) for n in range(150)
    )
    reviews = tuple(
        Review(sentences(f"a{n}", 2000), sentences(f"b{n}", 2000, 4), topic[n].id, topic[n + 1].id, "same", "why " * 30)
        for n in range(70)
    )
    stones = tuple(Tombstone(mint(f"stone {n}"), "2020-01-01", "why " * 200) for n in range(9))
    everything = (*many, *topic, big, *gone)
    return Knowledge(everything, tuple(cards), sources=sources, reviews=reviews, tombstones=stones)


@cache
def versions() -> Versions:
    under = "\n\n".join(f"107.{n}. {sentences('It says', 500, 9)}" for n in range(2, 200))
    return Versions([parse(RULES.replace("{}", under, 1))[0]])


@cache
def parts(in_compact: bool) -> Parts:
    found = Catalogue(base(), rules=versions().latest)
    site = Site("https://x.example/", found.as_of, found.effective, in_compact, bool(found.sets) and not in_compact)
    return Parts(found, site, versions())


def planned(of: Parts) -> Iterator[Page]:
    """All kinds of pages; of cards and rulings only the heavy ones, since there are thousands of small ones."""
    for kind in (fixed, coverage, news, rule, days):
        yield from kind.pages(of)
    yield from (page for page in topics.pages(of) if not page.name.startswith("topic/a-"))
    yield from (page for page in names.pages(of) if not page.name.startswith("set/S"))
    heavy = {"card/everything-at-once", f"r/{mint(WIDE)}"}
    if of.site.compact:
        yield from compact.pages(of)
    else:
        yield from (page for page in ruling.pages(of) if page.name in heavy)
    yield from (page for page in card.pages(of) if page.name in heavy)


@cache
def written(in_compact: bool) -> dict[str, bytes]:
    return dict(file for page in planned(parts(in_compact)) for file in page.make())


@pytest.mark.parametrize("in_compact", [False, True], ids=["full", "compact"])
def test_no_page_is_too_large(in_compact: bool) -> None:
    files = {path: data for path, data in written(in_compact).items() if path.endswith(".html")}
    assert {path: len(data) for path, data in files.items() if len(data) > PAGE} == {}
    kinds = {path.split("/")[0] for path in files}
    assert {"card", "cards", "changes", "coverage", "date", "r", "rule", "topic", "year"} <= kinds


def on(files: dict[str, bytes], folder: str, pattern: str) -> Counter[str]:
    return Counter(
        found for path, data in files.items() if path.startswith(folder) for found in re.findall(pattern, data.decode())
    )


@pytest.mark.parametrize("in_compact", [False, True], ids=["full", "compact"])
def test_what_has_no_room_is_on_a_further_page(in_compact: bool) -> None:
    files = written(in_compact)
    of_card = on(files, "card/everything-at-once/", r'<li class="ruling folio" id="(r-\w+)"')
    assert len(of_card) == 300 and set(of_card.values()) == {1}
    days_pages = on(files, "topic/energy/", r'<p class="text">Of the topic, number|<p class="text">Long')
    assert days_pages['<p class="text">Long'] == 120
    kin = on(files, "rule/107/", r'id="(r107\.\d+)"')
    assert len(kin) == 199 and set(kin.values()) == {1}
    assert len(on(files, "topics/", r"topic/a-topic[\w-]+/")) == 500
    if in_compact:
        assert on(files, "topic/energy/", r"On no card, number \d+").keys() == {
            f"On no card, number {n}" for n in range(90)
        }
        return
    assert days_pages['<p class="text">Of the topic, number'] == 2700
    own = f"r/{mint(WIDE)}/"
    assert len(on(files, own + "cards", r"card/our-market-research-[\w-]+/")) == 1000
    assert len(on(files, own + "wordings", r'<p class="label">Older wording')) == 1
    assert on(files, own + "wordings", r'<li class="ruling folio"><')['<li class="ruling folio"><'] == 61
    assert len(on(files, own + "related", r'<li class="ruling folio" id="(r-\w+)"')) == 80
    assert len(on(files, "sets/", r'href="../set/(s\d+)/')) == 1200
    assert len(on(files, "set/big/", r"card/our-market-research-[\w-]+/")) == 1000
    assert len(on(files, "coverage/", r"<dt>Address</dt>")) == 1
    assert on(files, "coverage/", r"<dt>Address</dt>").total() == 150


@pytest.mark.parametrize("in_compact", [False, True], ids=["full", "compact"])
def test_every_further_page_is_linked_from_the_one_before(in_compact: bool) -> None:
    files = written(in_compact)
    for path in files:
        folder, _, name = path.rpartition("/")
        if not (found := re.fullmatch(r"(page|cards|wordings|related)-(\d+)(?:-(\d+))?\.html", name)):
            continue
        number, piece = int(found[2]), int(found[3] or 1)
        first = "index.html" if found[1] == "page" else f"{found[1]}.html"
        near = (number - 1, 1) if piece == 1 else (number, piece - 1)
        before = first if near == (1, 1) else f"{found[1]}-{near[0]}{f'-{near[1]}' if near[1] > 1 else ''}.html"
        assert f'href="{name}"' in files[f"{folder}/{before}"].decode(), path


def test_every_id_leads_to_the_page_that_holds_it() -> None:
    files = written(True)
    found = compact.places(parts(True))
    heavy = [r.id for r in base().rulings if r.status != "withdrawn" and (LOADED in r.cards or not r.cards)]
    assert len(heavy) == 390
    assert [i for i in heavy if f'id="{i}"' not in files[found[i]].decode()] == []
    assert len({found[i] for i in heavy}) > 6


def test_rows_are_cut_where_the_next_has_no_room() -> None:
    rows = [Row("x" * 40) for _ in range(5)]
    assert cut(rows, room=100) == [slice(0, 2), slice(2, 4), slice(4, 5)]
    assert cut(rows, room=100, beside=50) == [slice(0, 1), slice(1, 3), slice(3, 5)]
    assert cut(rows, room=100, most=1)[0] == slice(0, 1)
    assert cut([Row("x" * 40, data=30)] * 3, room=100) == [slice(n, n + 1) for n in range(3)]
    assert cut([Row("x" * 400)], room=100) == [slice(0, 1)]  # a row by itself is never cut
    assert cut([], room=100) == [slice(0, 0)]
    drawn = [Row("x" * 40, ("W",)), Row("x" * 40, ("W",)), Row("x" * 40, ("U",))]
    assert cut(drawn, room=600) == [slice(0, 3)]
    assert cut(drawn, room=480) == [slice(0, 2), slice(2, 3)]  # a drawing weighs once on each page
