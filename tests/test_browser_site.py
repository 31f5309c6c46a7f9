"""The site in a real browser: from a disk and from a server, with and without scripts, by eye, ear and keyboard.

Needs Debian's Chromium and the extra `browser`.
"""

from __future__ import annotations

import contextlib
import functools
import http.server
import json
import re
import shutil
import threading
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rulings import store, topics
from rulings.model import Card, Face
from rulings.rules import Versions, parse

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext
    from playwright.sync_api import Page as Tab

pytestmark = pytest.mark.browser
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
PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1280, "height": 900}
RULES = """Magic: The Gathering Comprehensive Rules

These rules are effective as of April 17, 2026.

Contents

1. Game Concepts
107. Numbers and Symbols

Glossary

Credits

1. Game Concepts

107. Numbers and Symbols

107.14. The energy symbol is {E}. To pay {E}, a player removes one energy counter. See rule 107.14a.

107.14a It represents one energy counter.

Glossary

Credits

Nobody
"""
PAGES = {
    "home": "index.html",
    "card": "card/confiscation-coup/index.html",
    "card of two faces": "card/fire-ice/index.html",
    "card without rulings": "card/opt/index.html",
    "ruling": "r/r-0pcdnc32/index.html",
    "topic": "topic/energy/index.html",
    "topics": "topics/index.html",
    "rule": "rule/107.14/index.html",
    "rules": "rules/index.html",
    "day": "date/2024-06-07/index.html",
    "year": "year/2024/index.html",
    "years": "years/index.html",
    "cards": "cards/c/index.html",
    "changes": "changes/index.html",
    "coverage": "coverage/index.html",
    "about": "about/index.html",
    "lookup": "lookup/index.html",
    "search": "search/index.html?q=energy",
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, sample: Path) -> Path:
    from indexer.index import write_index
    from rulings_site import build

    knowledge = store.load(sample).knowledge
    more = (
        Card("Fire // Ice", faces=(Face("Fire", "Instant", "Fire deals 2 damage.", "{1}{R}"), Face("Ice", "Instant"))),
        Card("Opt", type_line="Instant", oracle_text="Scry 1. Draw a card.", mana_cost="{U}"),
    )
    knowledge = type(knowledge)(
        rulings=knowledge.rulings, cards=(*knowledge.cards, *more), sources=knowledge.sources, name=knowledge.name
    )
    folder = tmp_path_factory.mktemp("browser") / "with space"
    write_index(knowledge, folder / "index")
    out = folder / "site"
    versions = Versions([parse(RULES)[0]])
    build(knowledge, out, versions=versions, topics=topics.load(), search=folder / "index" / "search.sqlite")
    return out


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
def context(browser: Browser, **options: object) -> Iterator[BrowserContext]:
    """A fresh browser profile."""
    opened = browser.new_context(**options)  # type: ignore[arg-type]
    try:
        yield opened
    finally:
        opened.close()


@pytest.fixture
def tab(browser: Browser) -> Iterator[Tab]:
    """A tab of a desktop; faults of the page are faults of the test."""
    with context(browser, viewport=DESKTOP) as opened:
        page = opened.new_page()
        faults: list[str] = []
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda line: faults.append(line.text) if line.type == "error" else None)
        yield page
        assert faults == []


@pytest.fixture(scope="module")
def server(site: Path) -> Iterator[str]:
    """The address of the site on a server of this machine, under a path of its own."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *args: object) -> None: ...

        def translate_path(self, path: str) -> str:
            return super().translate_path(path.removeprefix("/sub/path"))

    handler = functools.partial(Quiet, directory=str(site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as running:
        thread = threading.Thread(target=running.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{running.server_address[1]}/sub/path/"
        running.shutdown()
        thread.join()


def test_search_works_from_a_disk(tab: Tab, site: Path) -> None:
    tab.goto((site / "index.html").as_uri())
    assert tab.evaluate("document.activeElement.type") == "search"
    tab.keyboard.type("energy symbol")
    tab.keyboard.press("Enter")
    tab.wait_for_selector("#hits .hit")
    assert "energy symbol" in tab.title()
    assert tab.locator("#hits .hit").first.get_attribute("id") == "r-0pcdnc32"


def test_three_letters_offer_the_card_and_enter_opens_it(tab: Tab, site: Path) -> None:
    tab.goto((site / "about" / "index.html").as_uri())
    tab.keyboard.press("/")
    tab.keyboard.type("conf")
    tab.wait_for_selector("[role=option]:visible")
    assert "Confiscation Coup" in tab.locator("[role=option][aria-selected=true]").inner_text()
    tab.keyboard.press("Enter")
    tab.wait_for_selector("h1.title")
    assert tab.locator("h1.title").inner_text() == "Confiscation Coup"


def test_from_a_server_under_a_path(tab: Tab, server: str) -> None:
    tab.goto(server + "card/confiscation-coup/")
    assert tab.locator(".ruling").count() == 15
    tab.locator("a.id").first.click()
    tab.wait_for_selector(".text.hero")
    assert "/sub/path/r/r-" in tab.url and "index.html" not in tab.url


def test_without_scripts_everything_can_be_browsed(browser: Browser, site: Path) -> None:
    with context(browser, java_script_enabled=False, viewport=DESKTOP) as opened:
        tab = opened.new_page()
        tab.goto((site / "index.html").as_uri())
        tab.click("text=All topics")
        tab.click("text=Energy >> nth=0")
        assert tab.locator(".ruling").count() > 5
        tab.goto((site / "index.html").as_uri())
        tab.click("footer >> text=Cards A to Z")
        tab.click("main >> text='C'")
        tab.click("text=Confiscation Coup")
        tab.locator("a[aria-label^='Cite']").first.click()
        assert tab.locator(".cite code").first.is_visible()  # the strings are there to be selected
        tab.click("text=Show to player")
        assert tab.locator(".showbar").is_visible()


def test_dark_and_light(browser: Browser, site: Path) -> None:
    paper = "getComputedStyle(document.body).backgroundColor"
    for scheme in ("light", "dark"):
        with context(browser, color_scheme=scheme) as opened:
            tab = opened.new_page()
            tab.goto((site / "index.html").as_uri())
            device = tab.evaluate(paper)
            tab.select_option("#scheme", "dark" if scheme == "light" else "light")
            other = tab.evaluate(paper)
            assert device != other
            tab.goto((site / "about/index.html").as_uri())
            assert tab.evaluate(paper) == other  # kept, and set before the page is drawn


def test_copy_buttons(browser: Browser, server: str) -> None:
    with context(browser, permissions=["clipboard-read", "clipboard-write"], viewport=DESKTOP) as opened:
        tab = opened.new_page()
        tab.goto(server + "r/r-0pcdnc32/?on=confiscation-coup#cite")
        assert tab.locator("#as").evaluate("s => s.selectedOptions[0].textContent") == "Confiscation Coup, 7 June 2024"
        for style in ("plain", "markdown", "discord", "reddit", "html", "short"):
            button = tab.locator(f"button[data-style={style}]")
            button.click()
            tab.wait_for_selector(f"button[data-style={style}].done")
            assert tab.evaluate("navigator.clipboard.readText()") == button.locator("code").text_content()
        assert tab.locator("button[data-style=short] code").text_content() == "[Confiscation Coup 2024-06-07 0pc]"
        said(tab, "Short copied")
        tab.select_option("#as", label="Behemoth of Vault 0, 8 March 2024")
        assert "[Behemoth of Vault 0 2024-03-08 0pc]" in (tab.locator("[data-style=plain] code").text_content() or "")


def said(tab: Tab, words: str) -> None:
    """Waits until the live region says `words`. (The policy of the pages forbids waiting for an expression.)"""
    tab.locator("#live", has_text=words).wait_for(state="attached")


def test_copied_text_says_the_symbols(tab: Tab, site: Path) -> None:
    tab.goto((site / "r/r-0pcdnc32/index.html").as_uri())
    chosen = tab.evaluate(
        "getSelection().selectAllChildren(document.querySelector('.hero')), getSelection().toString()"
    )
    assert chosen == "{E} is the energy symbol. It represents one energy counter."


def test_show_to_a_player(tab: Tab, site: Path) -> None:
    tab.goto((site / "card/confiscation-coup/index.html").as_uri())
    link = tab.locator("a[aria-label^='Show r-']").first
    link.click()
    box = tab.locator(".body:target").bounding_box()
    assert box and box["width"] >= 1260 and box["y"] == 0
    assert tab.evaluate("document.activeElement.textContent") == "Close"
    assert tab.evaluate("document.querySelector('header.top').inert")
    tab.click("text=Turn round")
    assert tab.locator(".body:target").evaluate("e => getComputedStyle(e).rotate") == "180deg"
    tab.keyboard.press("Escape")
    tab.locator(".body:target").wait_for(state="detached")
    assert link.evaluate("e => e === document.activeElement")


def test_old_ids_and_typed_ids_lead_on(tab: Tab, server: str, site: Path) -> None:
    tab.goto(server + "r/#R-OPCDNC32")  # capitals, O for 0
    tab.wait_for_url("**/r/r-0pcdnc32/")
    twin = json.loads((site / "r/r-z14p8eqf.json").read_text(encoding="utf-8"))
    assert twin["cards_total"] == 3
    aliases = [p for p in (site / "r").iterdir() if p.is_dir() and not (site / f"r/{p.name}.json").exists()]
    assert aliases
    tab.goto(server + f"r/{aliases[0].name}/")
    tab.wait_for_selector(".text.hero")


def test_age_is_said_and_nothing_moves(browser: Browser, site: Path) -> None:
    for size in (DESKTOP, PHONE):
        with context(browser, viewport=size) as opened:
            tab = opened.new_page()
            tab.add_init_script(
                "window.moved = 0; new PerformanceObserver(l => l.getEntries().forEach(e => window.moved += e.value))"
                ".observe({type: 'layout-shift', buffered: true})"
            )
            for path in ("index.html", "card/confiscation-coup/index.html", "r/r-0pcdnc32/index.html"):
                tab.goto((site / path).as_uri())
                tab.wait_for_timeout(150)
                assert re.search(r"\d days old", tab.locator(".asof").inner_text())
                assert tab.evaluate("window.moved") < 0.01, path


@pytest.mark.parametrize("width", [320, 390, 768, 1280])
def test_no_page_scrolls_sideways(browser: Browser, site: Path, width: int) -> None:
    with context(browser, viewport={"width": width, "height": 800}) as opened:
        tab = opened.new_page()
        for kind, path in PAGES.items():
            address, _, query = path.partition("?")
            tab.goto((site / address).as_uri() + (f"?{query}" if query else ""))
            assert tab.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, (kind, width)


def test_no_request_leaves_the_site(browser: Browser, server: str) -> None:
    with context(browser, viewport=DESKTOP, service_workers="block") as opened:
        tab = opened.new_page()
        asked: list[str] = []
        tab.on("request", lambda request: asked.append(request.url))
        for path in PAGES.values():
            tab.goto(server + path.replace("index.html", ""))
        assert len(asked) > 40
        assert all(url.startswith((server, "data:", "blob:")) for url in asked)


def test_opens_again_without_a_network(browser: Browser, server: str) -> None:
    with context(browser, viewport=DESKTOP) as opened:
        tab = opened.new_page()
        tab.goto(server)
        tab.evaluate("navigator.serviceWorker.ready.then(() => true)")
        tab.evaluate(
            "navigator.serviceWorker.controller"
            " || new Promise(done => navigator.serviceWorker.addEventListener('controllerchange', () => done(true)))"
        )
        tab.goto(server + "card/confiscation-coup/")
        opened.set_offline(True)
        tab.goto(server + "card/confiscation-coup/")
        assert tab.locator("h1.title").inner_text() == "Confiscation Coup"
        tab.goto(server)
        assert tab.locator("input[type=search]:visible").count() == 1


@pytest.mark.parametrize("look", ["light", "dark"])
def test_axe_finds_nothing(browser: Browser, site: Path, look: str) -> None:
    if find_spec("axe_playwright_python") is None:
        pytest.skip("axe-playwright-python is not installed (extra: browser)")
    from axe_playwright_python.sync_playwright import Axe

    found = []
    for size in (DESKTOP, PHONE):
        with context(browser, viewport=size, color_scheme=look, bypass_csp=True) as opened:
            tab = opened.new_page()
            for kind, path in [
                *PAGES.items(),
                ("cite", PAGES["ruling"] + "#cite"),
                ("shown", PAGES["card"] + "#show-oracle"),
            ]:
                address, _, rest = path.partition("index.html")
                tab.goto((site / address / "index.html").as_uri() + rest)
                if kind == "search":
                    tab.wait_for_selector("#hits .hit")
                result = Axe().run(tab)
                assert result.response["passes"]
                found += [
                    f"{kind} {size['width']}: {fault['id']}: {fault['nodes'][0]['html'][:160]}"
                    for fault in result.response["violations"]
                ]
    assert found == []
