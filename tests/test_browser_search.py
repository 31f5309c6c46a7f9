"""The search in the page gives what the command line gives: one golden file, held by Python and by Chromium.

After a change of language or ranking: `python tests/test_browser_search.py` writes it anew; look at the difference.
The base is made here, from a fixed seed: four hundred rulings with variants, own names, shared cards, old names,
symbols, rules and dates. The sample is asked too.
"""

from __future__ import annotations

import contextlib
import functools
import http.server
import json
import random
import shutil
import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from rulings import topics
from rulings.ids import mint
from rulings.model import Card, Face, Knowledge, Occurrence, Printing, Ruling, Source, Variant

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext
    from playwright.sync_api import Page as Tab

GOLDEN = Path(__file__).with_name("golden") / "search.json"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
LIMIT = 12

# --- a base

WORDS = """energy counter counters target targets creature creatures can can't resolve resolves exile exiled copy copies
token tokens {E} {2/W} {T} +1/+1 -1/-1 X the a an of if until may spell spells ability trigger triggers combat damage
life planeswalker player's opponent isn't won't doesn't mana value converted cost battlefield comes into play graveyard
untap untapped attack attacking discard 702.19b 608.2b flying trample hexproof lim-dûl's double-faced d'avenant ½ Æther
“quoted” sacrifice sacrificed return owner's hand countered legend rule turn step priority cast casting""".split()
PARTS = """Zuran Lim-Dûl's Æther Deadlock Grave Serra Urza Storm Night Goblin Jötun Opal Bone Quick Silver Counter
Energy Fire Ice Dance Pact Orb Trap Vault Angel Mage Knight Coup Spark Song of the to Wolf Sphinx Vial""".split()
TYPES = (
    "Instant",
    "Sorcery",
    "Creature — Goblin Wizard",
    "Legendary Creature — Human",
    "Artifact",
    "Planeswalker — Urza",
)
KEYWORDS = ("Flying", "Trample", "Hexproof", "Split second", "First strike")


def made_base() -> Knowledge:
    """The same base at every call."""
    rng = random.Random(20161)
    cards: dict[str, Card] = {}
    while len(cards) < 160:
        name = " ".join(rng.sample(PARTS, rng.choice((1, 2, 2, 2, 3))))
        if rng.random() < 0.1:
            name += ", the " + rng.choice(PARTS)
        faces: tuple[Face, ...] = ()
        if rng.random() < 0.06:
            other = " ".join(rng.sample(PARTS, 2))
            faces, name = (Face(name, "Instant"), Face(other, "Sorcery", "Draw a card.")), f"{name} // {other}"
        cards[name] = Card(
            name,
            type_line=rng.choice(TYPES),
            oracle_text=" ".join(rng.choices(WORDS, k=rng.randint(4, 30))),
            keywords=tuple(rng.sample(KEYWORDS, rng.choice((0, 0, 1, 2)))),
            faces=faces,
            former_names=("Old " + name,) if rng.random() < 0.05 else (),
            foreign_names=("Straße des " + name.split()[0],) if rng.random() < 0.1 else (),
            printings=(Printing(rng.choice(("kld", "aer", "con"))),),
        )
    names = sorted(cards)
    rulings: dict[str, Ruling] = {}
    while len(rulings) < 400:
        words = rng.choices(WORDS, k=rng.randint(4, 45))
        on = rng.sample(names, rng.choice((1, 1, 1, 2, 3, 9, 30)))
        if rng.random() < 0.3:
            words[rng.randrange(len(words))] = "~"
        elif rng.random() < 0.3:
            words[rng.randrange(len(words))] = on[0].split(" // ")[0]
        words[0] = words[0].capitalize()
        text = " ".join(words) + "."
        dates = rng.sample(("2004-10-04", "2009-05-01", "2012-07-01", "2016-09-20", "2018-01-19", "2024-06-07"), 2)
        variants = ()
        if rng.random() < 0.2:
            why = rng.choice(("older-wording", "typo", "symbol-lost"))
            variants = (Variant("v2", why, " ".join([*words[1:], "comes into play"])),)
        rulings[mint(text)] = Ruling(
            mint(text),
            text,
            topics=tuple(rng.sample(("energy", "copying", "combat-damage", "targets"), rng.choice((0, 1, 2)))),
            see=tuple(rng.sample(("107.14", "608.2b", "702.19", "702.19b"), rng.choice((0, 0, 1, 2)))),
            variants=variants,
            occurrences=tuple(
                Occurrence(card, None if rng.random() < 0.05 else dates[n % 2], rng.choice(("wotc", "wotc-faq")))
                for n, card in enumerate(on)
            ),
            status="superseded" if rng.random() < 0.05 else "current",
        )
    sources = (Source("wotc", as_of="2024-06-07"), Source("wotc-faq"))
    return Knowledge(rulings=tuple(rulings.values()), cards=tuple(cards.values()), sources=sources, name="made")


SAMPLE_QUERIES = (
    "energy symbol", "{E}", "can't", '"can\'t pay"', "energy -target", 'card:"Deadlock Trap" untapped', "topic:energy",
    "date:2016", "planeswalker priority", "do i lose my energy at end of turn", "Deadlok Trap planeswalker",
    "confiscation coup vs behemoth of vault 0", "can I respond to energy", "energi counters", "is:shared", "rule:107",
    "writing them down OR tapped", "mana value of token", "NOT energy", "oracle:energy", "as-of:2016-12-31", "etb cmc",
    "r-0pcdnc32", " R-OPCDNC32", "reanimate",
)  # fmt: skip
FORMS = (
    "energy counter", "{E}", "{2/W}", "{E}{E}", "+1/+1 counter", "-1/-1", "-2", "X", "can't", "cant", "isn’t", "~",
    '"target creature"', '"~ resolves"', '"mana value"', '"until may spell"', '"the creature"', "lim-dul", "davenant",
    "double-faced", "untap*", "*ing", "c*t", "energyy~", "creatur~2", '"energy token"~3', '"can\'t target"~5', "½",
    "/tar.et/", r"/\bmay\b.*\{E\}/ exile", "/(a|b){2}c?/", "energy -target", "NOT energy", "-energy -creature",
    "(poison OR energy) counter", "energy OR exile OR copy", "rule:608", "rule:608.2b.", "608.2b", "CR 702.19",
    "rule 702", "date:2016", "date:2009..2012", "date>=2018 energy", "year:2004", "as-of:2010-01-01", "is:shared",
    "is:variant", "is:undated", "status:superseded", "cards>=10", "cards:1", "cards:2..5", "topic:energy",
    "topic:combat-damage",
    "source:faq", "set:kld", "type:goblin", 'type:"legendary creature"', "card:goblin", "card:serra", "oracle:flying",
    'oracle:"of the"', "id:r-0pcdnc32", "mana value", "cmc", "etb", "comes into play", "converted mana cost", "fizzle",
    "bounce", "sac a creature", "enrgy", "enrgy countr", "planeswalkr damage", "xyzzyq", "xyzzyq energy",
    "split second", "hexproof", "first strike damage", "topic:enrgy", "card:zuron", "the of a", "energy rule 608.2b",
)  # fmt: skip
FAULTS = (
    "", "()", "(energy", "energy)", '"energy', "energy AND", "OR energy", "foo:bar", "topc:energy", "date:2016-13",
    "date:2018..2016", "cards>=x", "rule:abc", "is:odd", "/a(/", "/a", r"/\q/", "a*", "[x]y", "x[y]", "energy | target",
    "id:zz", '""', "NOT", "energy && target", "source:", "date:>=", '"a b"~99',
)  # fmt: skip


def made_queries(knowledge: Knowledge) -> list[str]:
    """Questions with names in many forms, and words."""
    rng = random.Random(7)
    found = list(FORMS)
    for card in rng.sample(sorted(card.name.replace(" // ", " ") for card in knowledge.cards), 40):
        words = rng.sample(WORDS, 4)
        other = rng.choice(knowledge.cards).name.replace(" // ", " ")
        name = rng.choice((card, card.lower(), card.split(" ")[0], card.split(",")[0], card[:4] + card[5:]))
        found.append(rng.choice((f"does {name} {words[0]} {words[1]}", f"{name} vs {other} {words[2]}", name)))
    found += [" ".join(rng.sample(WORDS, rng.randint(2, 7))) for _ in range(40)]
    return list(dict.fromkeys(query for query in found if "“" not in query))


def index_of(knowledge: Knowledge, folder: Path) -> Path:
    from indexer.index import write_index

    write_index(knowledge, folder)
    return folder


def python_answers(index: Path, queries: list[str] | tuple[str, ...]) -> dict[str, Any]:
    """query -> [[id, score], ...], or the message and column of its fault."""
    from rulings.errors import QueryError
    from search.results import Searcher

    searcher = Searcher(index)
    found: dict[str, Any] = {}
    for query in queries:
        try:
            found[query] = [[hit.id, hit.score] for hit in searcher.search(query, limit=LIMIT).hits]
        except QueryError as error:
            found[query] = {"fault": error.message, "column": error.column, "hint": error.hint}
    searcher.close()
    return found


def all_answers(sample_index: Path, made_index: Path) -> dict[str, dict[str, Any]]:
    return {
        "sample": python_answers(sample_index, SAMPLE_QUERIES),
        "made": python_answers(made_index, [*made_queries(made_base()), *FAULTS]),
    }


@pytest.fixture(scope="module")
def indexes(sample: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    from indexer import build

    folder = tmp_path_factory.mktemp("made") / "index"
    return {"sample": build.ensure(sample).index_path, "made": index_of(made_base(), folder)}


def test_python_holds_the_golden_file(indexes: dict[str, Path]) -> None:
    golden = json.loads(GOLDEN.read_text(encoding="utf-8"))
    found = all_answers(indexes["sample"], indexes["made"])
    for base, answers in found.items():
        for query, answer in answers.items():
            assert golden[base][query] == answer, query
        assert golden[base].keys() == answers.keys()


# --- in a browser


@pytest.fixture(scope="module")
def sites(indexes: dict[str, Path], sample: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    from rulings import store
    from rulings_site import build

    found = {}
    for name, knowledge in (("sample", store.load(sample).knowledge), ("made", made_base())):
        found[name] = tmp_path_factory.mktemp("search site") / name
        build(knowledge, found[name], topics=topics.load(), search=indexes[name] / "search.sqlite")
    return found


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("no chromium on this machine")
    if find_spec("playwright") is None:
        pytest.skip("playwright is not installed (extra: browser)")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield opened
        opened.close()


@contextlib.contextmanager
def server(folder: Path) -> Iterator[str]:
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *args: object) -> None: ...

        def translate_path(self, path: str) -> str:
            return super().translate_path(path.removeprefix("/sub"))

    handler = functools.partial(Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{running.server_address[1]}/sub/"
        running.shutdown()


@contextlib.contextmanager
def opened_tab(browser: Browser, **options: object) -> Iterator[tuple[BrowserContext, Tab]]:
    """A fresh profile with one tab; faults of the page are faults of the test."""
    context = browser.new_context(**options)  # type: ignore[arg-type]
    faults: list[str] = []
    try:
        tab = context.new_page()
        tab.on("pageerror", lambda error: faults.append(str(error)))
        tab.on("console", lambda line: faults.append(line.text) if line.type == "error" else None)
        yield context, tab
        assert [fault for fault in faults if "ERR_INTERNET_DISCONNECTED" not in fault] == []
    finally:
        context.close()


ASK = """
async queries => {
  const found = {};
  for (const query of queries) {
    try {
      const answer = await Rulings.ask("search", query, {limit: LIMIT});
      found[query] = answer.hits.map(hit => [hit.id, hit.score]);
    } catch (error) {
      found[query] = {fault: error.message, column: error.column, hint: error.hint};
    }
  }
  return found;
}
""".replace("LIMIT", str(LIMIT))


@pytest.mark.browser
@pytest.mark.parametrize("way", ["worker", "disk"])
def test_the_browser_holds_the_golden_file(browser: Browser, sites: dict[str, Path], way: str) -> None:
    golden = json.loads(GOLDEN.read_text(encoding="utf-8"))
    for base, site in sites.items():
        with contextlib.ExitStack() as stack:
            start = stack.enter_context(server(site)) if way == "worker" else (site / "index.html").as_uri()[:-10]
            _, tab = stack.enter_context(opened_tab(browser, service_workers="block"))
            tab.goto(start + "search/index.html")
            found = tab.evaluate(ASK, list(golden[base]))
            assert len(tab.workers) == (way == "worker")
        for query, answer in golden[base].items():
            assert found[query] == answer, query


@pytest.mark.browser
def test_everything_else_agrees_too(browser: Browser, sites: dict[str, Path], indexes: dict[str, Path]) -> None:
    """Totals, readings, marks, cards, offers, facets and orders."""
    from search.results import SORTS, Searcher

    searcher = Searcher(indexes["made"])
    with opened_tab(browser, service_workers="block") as (_, tab):
        tab.goto((sites["made"] / "search" / "index.html").as_uri())
        for at, query in enumerate(made_queries(made_base())):
            sort = SORTS[at % len(SORTS)]
            ours = searcher.search(query, limit=8, offset=at % 3, sort=sort, facets=True).to_json()
            theirs = tab.evaluate(
                "([q, o]) => Rulings.ask('search', q, o)", [query, {"limit": 8, "offset": at % 3, "sort": sort}]
            )
            facets = tab.evaluate("q => Rulings.ask('facets', q, {})", query)["facets"]
            for name in ("total", "reading", "card", "cards", "mended", "relaxed", "suggestions"):
                assert theirs[name] == ours[name], (query, name)
            assert theirs["allWords"] == ours["all_words"], query
            for ours_hit, theirs_hit in zip(ours["hits"], theirs["hits"], strict=True):
                for name in ("id", "text", "highlights", "cards", "date", "note", "score"):
                    assert theirs_hit[name] == ours_hit[name], (query, name)
            wanted = {
                name: [[entry["value"], entry["count"]] for entry in values] for name, values in ours["facets"].items()
            }
            assert facets == wanted, query
    searcher.close()


COUNT = """
window.asked = [];
const post = Worker.prototype.postMessage;
Worker.prototype.postMessage = function (message) { window.asked.push(message.kind); return post.call(this, message); };
"""


@pytest.mark.browser
def test_an_address_is_asked_for_once(browser: Browser, sites: dict[str, Path]) -> None:
    """The engine asks before the page is there, and the page takes that answer; each file comes once."""
    with server(sites["made"]) as address, opened_tab(browser, service_workers="block") as (_, tab):
        tab.add_init_script(COUNT)
        tab.goto(address + "search/?q=energy%20counter")
        tab.locator("#hits .hit").first.wait_for()
        assert tab.evaluate("asked").count("search") == 1
        names = tab.evaluate("performance.getEntriesByType('resource').map(e => e.name.split('?')[0])")
        assert len(names) == len(set(names)) and not any(name.endswith("/data/each.js") for name in names)
        # A filter in the address is another question.
        tab.goto(address + "search/?q=energy%20counter&on=one")
        tab.locator("#hits .hit").first.wait_for()
        assert tab.locator("#tally").inner_text().endswith("in one card.")


@pytest.mark.browser
def test_results_come_without_what_the_page_brings(browser: Browser, sites: dict[str, Path]) -> None:
    with server(sites["made"]) as address, opened_tab(browser, service_workers="block") as (_, tab):
        tab.route("**/search/each.js*", lambda route: route.fulfill(content_type="text/javascript", body=""))
        tab.goto(address + "search/?q=energy%20counter")
        tab.locator("#hits .hit").first.wait_for()


ORDER = """
async query => {
  RS.forget();
  performance.clearResourceTimings();
  await Rulings.ask("search", query, {limit: 10});
  const all = performance.getEntriesByType("resource").sort((a, b) => a.startTime - b.startTime);
  return all.map(e => e.name.split("/data/")[1].split("/")[0]);
}
"""


HOMES = """
() => {
  const homes = () => RS.tables.concepts.map(concept => RS.homeOf("#" + concept[0])).join();
  const before = homes();
  for (const [first, rest] of Object.entries(RS.tables.wordings))
    for (const wording of rest.split("|")) RS.conceptsInRuling([first].concat(wording.split(" ").slice(1)));
  return before === homes();
}
"""


@pytest.mark.browser
def test_texts_are_the_last_round(browser: Browser, sites: dict[str, Path]) -> None:
    """What a question needs of terms and names is there before its texts are asked for: each round costs a phone."""
    with server(sites["made"]) as address, opened_tab(browser, service_workers="block") as (_, tab):
        tab.add_init_script("delete window.Worker")
        tab.goto(address + "search/")
        tab.evaluate("Rulings.ask('warm', '')")
        for query in (q for q in made_queries(made_base()) if q.replace(" ", "").isalpha() and q == q.lower()):
            kinds = tab.evaluate(ORDER, query)
            after = kinds[kinds.index("s") :] if "s" in kinds else []
            assert not set(after) & set("thnx"), (query, kinds)
        assert tab.evaluate(HOMES), "reading a ruling changes where a question's concepts are looked for"


ROUNDS = """
async query => {
  RS.forget();
  const load = RS.load, kinds = [];
  RS.load = function (names) { kinds.push(names.map(name => name.slice(0, 2))); return load.apply(this, arguments); };
  await Rulings.ask("search", query, {limit: 10});
  RS.load = load;
  return kinds;
}
"""


@pytest.mark.browser
def test_two_named_cards_cost_no_round_more(browser: Browser, tmp_path: Path) -> None:
    """What the cards say is asked for together with the texts that will most likely be shown."""
    from rulings_site import build

    # On one card each, so that beside the rulings of the named cards others are shown.
    rulings = tuple(replace(ruling, occurrences=ruling.occurrences[:1]) for ruling in made_base().rulings)
    knowledge = replace(made_base(), rulings=rulings)
    build(knowledge, tmp_path / "site", search=index_of(knowledge, tmp_path / "index") / "search.sqlite")
    on = Counter(ruling.occurrences[0].card for ruling in rulings)
    names = sorted(card for card in on if len(card.split()) == 3 and on[card] < 4)
    with server(tmp_path / "site") as address, opened_tab(browser, service_workers="block") as (_, tab):
        tab.add_init_script("delete window.Worker")
        tab.goto(address + "search/")
        tab.evaluate("Rulings.ask('warm', '')")
        rounds = [tab.evaluate(ROUNDS, f"energy {a} vs {b}") for a, b in pairwise(names[:6])]
    with_texts = [[kinds for kinds in of if "s/" in kinds] for of in rounds]
    assert any("k/" in kinds for of in with_texts for kinds in of)
    assert [len(of) for of in with_texts] == [1] * len(rounds)


@pytest.mark.browser
def test_results_come_while_one_types(browser: Browser, sites: dict[str, Path]) -> None:
    with server(sites["sample"]) as address, opened_tab(browser, viewport={"width": 1280, "height": 900}) as (_, tab):
        tab.goto(address + "search/")
        assert tab.locator("#forms").is_visible()
        tab.keyboard.press("/")
        tab.keyboard.type("energy symbol")
        tab.locator("#r-0pcdnc32").wait_for()
        assert tab.url.endswith("?q=energy+symbol") and tab.title().startswith("energy symbol")
        assert "1 ruling with" in tab.locator("#tally").inner_text()
        assert tab.locator("#r-0pcdnc32 mark").first.is_visible()
        # A facet narrows, stands in the address, and goes again.
        tab.locator("#facets a", has_text="2016").click()
        tab.locator("#facets a[aria-current]", has_text="2016").wait_for()
        assert "year=2016" in tab.url and tab.locator("#hits .hit").count() == 1
        tab.go_back()
        tab.locator("#r-0pcdnc32").wait_for()
        tab.select_option("#order", "newest")
        tab.wait_for_url("**sort=newest*")
        # The address alone gives the same page.
        tab.goto(address + "search/?q=topic%3Aenergy&sort=oldest")
        tab.locator("#hits .hit").first.wait_for()
        assert tab.locator("#order").input_value() == "oldest"
        assert tab.locator("input[type=search]:visible").input_value() == "topic:energy"


@pytest.mark.browser
def test_keys_alone_suffice(browser: Browser, sites: dict[str, Path]) -> None:
    with opened_tab(browser, viewport={"width": 1280, "height": 900}) as (_, tab):
        tab.goto((sites["sample"] / "search" / "index.html").as_uri() + "?q=topic:energy")
        tab.locator("#hits .hit").first.wait_for()
        tab.keyboard.press("/")
        tab.keyboard.press("ArrowDown")
        assert tab.locator("#hits .hit.on").count() == 1
        tab.keyboard.press("ArrowDown")
        assert tab.locator("#hits .hit.on").get_attribute("id") == tab.locator("#hits .hit").nth(1).get_attribute("id")
        tab.keyboard.press("Escape")
        assert tab.evaluate("document.activeElement.type") == "search"
        tab.keyboard.press("Escape")
        tab.locator("#forms").wait_for()
        assert tab.locator("#hits .hit").count() == 0


@pytest.mark.browser
def test_a_fault_points_at_its_column(browser: Browser, sites: dict[str, Path]) -> None:
    with opened_tab(browser) as (_, tab):
        tab.goto((sites["sample"] / "search" / "index.html").as_uri() + "?q=energy+AND+(target")
        tab.locator("#fault").wait_for()
        assert "never closed" in tab.locator("#fault-what").inner_text()
        assert tab.locator("#fault-where").text_content() == "energy AND (target\n" + " " * 11 + "^"
        tab.locator("#fault-plain a").click()
        tab.locator("#hits .hit").first.wait_for()
        tab.goto((sites["sample"] / "search" / "index.html").as_uri() + "?q=card:%22deadlok+trap%22")
        tab.locator("#did a", has_text="Deadlock Trap").click()
        tab.locator("#hits .hit").first.wait_for()
        assert "Deadlock" in tab.url


@pytest.mark.browser
@pytest.mark.parametrize(
    ("typed", "card", "slug"),
    [
        ("conf", "Confiscation Coup", "confiscation-coup"),
        ("vault", "Behemoth of Vault 0", "behemoth-of-vault-0"),
        ("conficsation", "Confiscation Coup", "confiscation-coup"),  # misspelt
    ],
)
def test_letters_offer_the_card(browser: Browser, sites: dict[str, Path], typed: str, card: str, slug: str) -> None:
    with opened_tab(browser, viewport={"width": 390, "height": 844}) as (_, tab):
        tab.goto((sites["sample"] / "index.html").as_uri())
        tab.locator("input[type=search]:visible").focus()
        tab.keyboard.type(typed)
        tab.locator("[role=option][aria-selected=true]", has_text=card).wait_for()
        tab.keyboard.press("Enter")
        tab.wait_for_url(f"**/card/{slug}/index.html")


@pytest.mark.browser
def test_a_foreign_name_offers_the_card(browser: Browser, sites: dict[str, Path]) -> None:
    card = next(card for card in made_base().cards if card.foreign_names)
    with opened_tab(browser) as (_, tab):
        tab.goto((sites["made"] / "about" / "index.html").as_uri())
        tab.locator("input[type=search]:visible").focus()
        tab.keyboard.type(card.foreign_names[0].lower().replace("ß", "ss"))
        row = tab.locator("[role=option]", has_text=card.foreign_names[0]).first
        row.wait_for()
        assert row.locator("small").inner_text().startswith("Straße des")


@pytest.fixture(scope="module")
def offers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site whose cards are called like topics, like keywords, or begin alike in two languages."""
    from rulings_site import build

    cards = (
        Card("Energy Arc"),
        Card("Hero of Iroas"),
        Card("Shield Mage", keywords=("Hexproof",)),
        Card("Deadlock Trap", foreign_names=("Blockadefalle",)),
        Card("Chill Blossom"),
        Card("Blossom Thief"),
        Card("Fire // Ice", faces=(Face("Fire"), Face("Ice"))),
    )
    # The card with the foreign name has most rulings, the one whose name begins so has none.
    texts = {"Deadlock Trap": 5, "Chill Blossom": 3, "Energy Arc": 2, "Shield Mage": 1, "Fire // Ice": 1}
    rulings = []
    for name, count in texts.items():
        for n in range(count):
            text = f"{'Target ' * (n + 1)}{name} gives energy."
            on = (Occurrence(name, "2016-09-20", "wotc"),)
            rulings.append(Ruling(mint(text), text, topics=("energy",), occurrences=on))
    knowledge = Knowledge(rulings=tuple(rulings), cards=cards, sources=(Source("wotc"),), name="offers")
    folder = tmp_path_factory.mktemp("offers")
    index = index_of(knowledge, folder / "index")
    build(knowledge, folder / "site", topics=topics.load(), search=index / "search.sqlite")
    return folder / "site"


@pytest.mark.browser
@pytest.mark.parametrize(
    ("typed", "rows", "chosen"),
    [
        ("blo", ["Blossom Thief", "Chill Blossom", "Deadlock Trap Blockadefalle"], True),
        ("energy", ["Energy Arc"], False),  # a topic
        ("energy a", ["Energy Arc"], True),
        ("hexproof", ["Hero of Iroas spelt nearly so"], False),  # a keyword
        ("hero of iraos", ["Hero of Iroas spelt nearly so"], True),
        ("fire // ice", ["Fire // Ice"], True),
        ("FIRE // I", ["Fire // Ice"], True),
    ],
)
def test_what_is_offered_and_what_enter_opens(
    browser: Browser, offers: Path, typed: str, rows: list[str], chosen: bool
) -> None:
    with opened_tab(browser, viewport={"width": 1280, "height": 900}) as (_, tab):
        tab.goto((offers / "about" / "index.html").as_uri())
        tab.locator("input[type=search]:visible").fill(typed)
        tab.locator("[role=option] .nm", has_text=f"Search all rulings for “{typed}”").wait_for()
        assert tab.locator("[role=option] .nm").all_inner_texts()[:-1] == rows
        assert tab.locator("[role=option][aria-selected=true]").count() == chosen
        tab.keyboard.press("Enter")
        tab.wait_for_url("**/card/*/index.html" if chosen else f"**/search/index.html?q={typed}")


@pytest.mark.browser
def test_saved_for_offline(browser: Browser, sites: dict[str, Path], tmp_path: Path) -> None:
    site = tmp_path / "site"
    shutil.copytree(sites["made"], site)
    with server(site) as address, opened_tab(browser, viewport={"width": 1280, "height": 900}) as (context, tab):
        tab.goto(address)
        tab.evaluate("navigator.serviceWorker.ready.then(() => true)")
        tab.reload()  # now the service worker is behind the page
        state = tab.locator("[data-offline-state]")
        tab.locator("[data-offline-state]", has_text="MB").wait_for()
        tab.locator("[data-offline]").click()
        tab.locator("[data-offline-state]", has_text="Saved on this device,").wait_for(timeout=20_000)
        context.set_offline(True)
        tab.goto(address + "search/?q=%22target+creature%22+OR+untap*")
        tab.locator("#hits .hit").first.wait_for()
        tab.keyboard.press("/")
        tab.keyboard.press("Control+A")
        tab.keyboard.type("serra")
        tab.locator("[role=option]", has_text="Serra").first.wait_for()
        context.set_offline(False)
        # A new build: other numbering, other shards. What was saved is saved anew.
        from rulings_site import build

        knowledge = made_base()
        fewer = Knowledge(rulings=knowledge.rulings[:300], cards=knowledge.cards, sources=knowledge.sources)
        index = index_of(fewer, tmp_path / "index")
        build(fewer, site, topics=topics.load(), search=index / "search.sqlite")
        tab.goto(address)
        state.filter(has_text="Saved on this device,").wait_for(timeout=20_000)
        context.set_offline(True)
        tab.goto(address + "search/?q=topic:energy")
        tab.locator("#hits .hit").first.wait_for()
        found = tab.evaluate("Rulings.ask('search', 'topic:energy', {limit: 1})")
        # A page that was never seen leads on to one that works at its own address.
        tab.goto(address + "card/deadlock-trap/index.html")
        tab.wait_for_url(address + "search/?q=deadlock%20trap")
        tab.locator("#hits .hit").first.wait_for()
        ruling = fewer.rulings[0].id
        tab.goto(f"{address}r/{ruling}/")
        tab.locator("#hits .hit").first.wait_for()
        assert tab.url == f"{address}search/?q=id:{ruling}"
        tab.goto(address + "topic/energy/")
        assert tab.url == address
    assert found["total"] == sum("energy" in ruling.topics for ruling in fewer.rulings)


@pytest.mark.browser
def test_nothing_moves_when_results_come(browser: Browser, sites: dict[str, Path]) -> None:
    for size in ({"width": 1280, "height": 900}, {"width": 390, "height": 844}):
        with server(sites["sample"]) as address, opened_tab(browser, viewport=size) as (_, tab):
            tab.add_init_script(
                "window.moved = 0; new PerformanceObserver(l => l.getEntries().forEach(e => window.moved += e.value))"
                ".observe({type: 'layout-shift', buffered: true})"
            )
            tab.goto(address + "search/?q=energy")
            tab.locator("#hits .hit").first.wait_for()
            tab.locator("#facets-phone button, #facets a").first.wait_for(state="attached")
            tab.wait_for_timeout(200)
            assert tab.evaluate("window.moved") < 0.02, size


if __name__ == "__main__":
    import tempfile

    from indexer import build
    from indexer.sample import sample_base

    with tempfile.TemporaryDirectory() as folder:
        answers = all_answers(build.ensure(sample_base()).index_path, index_of(made_base(), Path(folder) / "index"))
    lines = []
    for base, of_base in answers.items():
        rows = ",\n".join(
            f"{json.dumps(query, ensure_ascii=False)}: {json.dumps(hits)}" for query, hits in of_base.items()
        )
        lines.append(f"{json.dumps(base)}: {{\n{rows}\n}}")
    GOLDEN.parent.mkdir(exist_ok=True)
    GOLDEN.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
