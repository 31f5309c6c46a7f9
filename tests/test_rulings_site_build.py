"""A whole small site: every link leads somewhere, nothing hostile acts, the same base gives the same bytes, an edit
writes only what changed."""

from __future__ import annotations

import html
import json
import os
import re
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest

from rulings import citation, citation_styles, store, topics
from rulings.errors import UsageError
from rulings.ids import mint
from rulings.model import (
    Card,
    Change,
    Face,
    Knowledge,
    Occurrence,
    Printing,
    Ruling,
    Source,
    Tombstone,
    Variant,
)
from rulings.rules import Versions, parse
from rulings_site import BuildReport, build
from rulings_site.build import MANIFEST
from rulings_site.catalogue import Catalogue
from rulings_site.changes import NEW, REMOVED, REWORDED, changes
from rulings_site.cites import MENU, on_card

HAZARDS = (
    "+2 Mace",
    "1996 World Champion",
    "Circle of Protection: Red",
    '"Ach! Hans, Run!"',
    "_____",
    'Kongming, "Sleeping Dragon"',
    "Look at Me, I'm R&D",
    "B.F.M. (Big Furry Monster)",
    "Who // What // When // Where // Why",
    "Lim-Dûl's Vault",
    "Ætherize",
    "Aetherize",
    "X",
    "Con",
    "<script>alert(1)</script>",
)
TWINS = ("Ætherize", "Aetherize")
"""One name to who types it: the library cites the first, the site each."""
SHARED = 'Any *method* of [tracking] is <b>fine</b> & "clear". See https://x.example/a?b=1).'
RULES = """Magic: The Gathering Comprehensive Rules

These rules are effective as of April 17, 2026.

Contents

1. Game Concepts
107. Numbers and Symbols

Glossary

Credits

1. Game Concepts

107. Numbers and Symbols

107.1. The only numbers the game uses are integers. See rule 107.14.

107.14. The energy symbol is {E}. It represents one energy counter.

Glossary

Energy Symbol
See rule 107.14.

Credits

Nobody
"""


def ruling(text: str, *places: tuple[str, str | None], **more: object) -> Ruling:
    stands = tuple(Occurrence(card, date, "src", position=n) for n, (card, date) in enumerate(places))
    return Ruling(mint(text), text, occurrences=stands, **{"topics": ("energy",), **more})  # type: ignore[arg-type]


def hazards() -> Knowledge:
    """Names that break addresses, texts that break pages, and a ruling in every state."""
    cards = [
        Card(name, type_line="Artifact", oracle_text="{T}: Add {1}.", printings=(Printing("CON"),)) for name in HAZARDS
    ]
    cards += [
        Card("Fire // Ice", faces=(Face("Fire", "Instant", "Fire deals 2 damage.", "{1}{R}"), Face("Ice", "Instant"))),
        Card("Very Cryptic Command", "id-a", oracle_text="Draw."),
        Card("Very Cryptic Command", "id-b", oracle_text="Untap."),
        Card("Old Card", keywords=("Energy",)),
        Card("Harald", former_names=("Old Harald",), foreign_names=("Аральд",)),
    ]
    rulings = [
        ruling(SHARED, *[(name, "2024-03-08") for name in HAZARDS], ("Fire // Ice", "2025-01-01"), see=("107.14",)),
        ruling("It gets {E}{E} when converted mana cost is paid.", ("X", "2004-10-04")),
        ruling("Only undated.", ("_____", None), topics=()),
        ruling("</script><script>alert(2)</script>", ("X", "2020-01-01"), topics=("odd/../key", "energy")),
        ruling("Was said.", ("X", "2010-01-01"), status="withdrawn", history=(Change("2020-05-05", "withdrawn"),)),
        ruling("A general note.", mechanic="energy"),
        ruling("Which one is meant?", ("Very Cryptic Command", "2018-01-01")),
        ruling("It fell away.", ("X", "2011-01-01"), damage=("attachment-suspect",)),
    ]
    old = Variant("v2", "older-wording", "It was worded {X} so.")
    worded = ruling("It is worded {X} so now.", ("Harald", "2025-01-01"), ("X", "2025-01-01"))
    rulings.append(
        replace(
            worded,
            variants=(old, Variant("v3", "typo", "It is wordet {X} so now.")),
            occurrences=(
                *worded.occurrences,
                Occurrence("Con", "2019-01-01", "src", "v2", missing_since="2024-01-01"),
                Occurrence("+2 Mace", "2025-01-01", "src", "v3"),
            ),
        )
    )
    return Knowledge(
        tuple(rulings),
        tuple(cards),
        (Source("src", "2025-06-01", title="A source & more", url="javascript:alert(1)"),),
        tombstones=(Tombstone("r-00000000", "taken <back>", "2021-01-01"),),
    )


@pytest.fixture(scope="module")
def versions() -> Versions:
    return Versions([parse(RULES)[0]])


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, versions: Versions) -> Path:
    out = tmp_path_factory.mktemp("site") / "a site"
    build(hazards(), out, versions=versions, topics=topics.load(), base_url="https://rulings.example/sub")
    return out


@pytest.fixture(scope="module")
def compact(tmp_path_factory: pytest.TempPathFactory, versions: Versions) -> Path:
    out = tmp_path_factory.mktemp("site") / "compact"
    build(hazards(), out, versions=versions, compact=True)
    return out


class Page(HTMLParser):
    """Links, ids, inline scripts and styles of one page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.ids: list[str] = []
        self.inline: list[str] = []
        self.loads: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        if "id" in found:
            self.ids.append(found["id"])
        self.inline += [name for name in found if name.startswith("on") or name == "style"]
        if tag == "style" or (tag == "script" and "src" not in found and found.get("type") != "application/json"):
            self.inline.append(tag)
        if tag in ("a", "link", "form") and found.get("rel") != "canonical":
            self.links += [found[name] for name in ("href", "action") if name in found]
        self.loads += [found["src"]] if "src" in found else []


def broken(root: Path) -> list[str]:
    """Links of all pages that lead nowhere, and repeated ids."""
    root = root.resolve()
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in root.rglob("*.html") if path.name != "404.html"}
    files = {path for path in root.rglob("*") if path.is_file()}
    faults = []
    for path, page in pages.items():
        faults += [f"{path}: id {i} twice" for i in {i for i in page.ids if page.ids.count(i) > 1}]
        for link in (*page.links, *page.loads):
            if re.match(r"https?://", link):
                continue
            address, _, anchor = link.partition("#")
            away = unquote(address.partition("?")[0])
            target = Path(os.path.normpath(path.parent / away)) if address else path
            if target not in files:
                faults.append(f"{path}: {link}")
            elif (
                anchor
                and target.name == "index.html"
                and target.parent.name != "r"
                and unquote(anchor) not in pages[target].ids
            ):
                faults.append(f"{path}: {link} has no such place")
    return faults


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@pytest.fixture(params=["whole", "compact"])
def either(request: pytest.FixtureRequest, site: Path, compact: Path) -> Path:
    return site if request.param == "whole" else compact


def test_every_link_leads_somewhere(either: Path) -> None:
    assert broken(either) == []


def test_nothing_is_inline_and_nothing_hostile_acts(either: Path) -> None:
    for path in either.rglob("*.html"):
        page = Page(read(path))
        assert page.inline == [], path
        assert not any(link.lower().startswith("javascript:") for link in page.links), path
        assert 'http-equiv="Content-Security-Policy"' in read(path)
        assert all(not re.match(r"https?:|//", src) for src in page.loads), path


def test_every_hazard_name_has_a_page(site: Path) -> None:
    found = [read(path) for path in (site / "card").rglob("index.html")]
    titles = {html.unescape(m[1]) for text in found if (m := re.search(r"<title>(.*?) · Rulings</title>", text))}
    assert set(HAZARDS) <= titles
    names = [p.name.lower() for p in (site / "card").iterdir()]
    assert len(set(names)) == len(names)


def test_faces_and_former_names_lead_to_the_card(site: Path) -> None:
    for other in ("fire", "ice"):
        assert 'url=../../card/fire-ice/index.html"' in read(site / "card" / other / "index.html")
    assert "harald/index.html" in read(site / "card/old-harald/index.html")
    both = read(site / "card/very-cryptic-command/index.html")
    assert both.count("very-cryptic-command-") == 2  # a page that lists them, since the name alone does not tell


def test_a_card_says_how_many_rulings_even_when_none(site: Path) -> None:
    none = read(site / "card/old-card/index.html")
    assert "<b>0 rulings</b>" in none and "No ruling on this card as of 1 June 2025." in none
    assert "Energy (" in none  # general rulings on its keyword, attached or not


def test_other_ids_lead_on_and_withdrawn_ones_say_so(site: Path) -> None:
    old = mint("It was worded {X} so.")
    now = mint("It is worded {X} so now.")
    assert f'url=../../r/{now}/index.html"' in read(site / "r" / old / "index.html")
    assert "taken &lt;back&gt;" in read(site / "r/r-00000000/index.html")
    withdrawn = read(site / "r" / mint("Was said.") / "index.html")
    assert "Withdrawn on 5 May 2020." in withdrawn and "struck" in withdrawn


def test_wordings_and_notes(site: Path) -> None:
    page = read(site / "r" / mint("It is worded {X} so now.") / "index.html")
    assert "Misspelt at source, mended here" in page and "First wording" in page
    assert "No longer at the source." in page
    assert "<del>" in page and "<ins>" in page
    shown = read(site / "card/2-mace/index.html")
    assert "Spelling mended" in shown and "wordet" not in shown  # damage is not shown on the card
    assert "It was worded {X} so." in re.sub("<[^>]*>", "", read(site / "card/con-0/index.html"))  # its own wording
    bulk = read(site / "r" / mint("It gets {E}{E} when converted mana cost is paid.") / "index.html")
    assert "Older than its date." in bulk and "mana value" in bulk


def test_twins_hold_the_text_as_it_is(site: Path) -> None:
    twin = json.loads(read(site / "r" / f"{mint(SHARED)}.json"))
    assert twin["text"] == SHARED
    assert twin["cards_total"] == len(HAZARDS) + 1
    assert twin["rules"] == ["107.14"]


def test_rules_link_to_rules_and_rulings(site: Path) -> None:
    page = read(site / "rule/107.14/index.html")
    assert "bears on" in page and mint(SHARED) in page
    assert '<a href="../../rule/107.14/index.html">107.14</a>' in read(site / "rule/107.1/index.html")


def test_each_copy_is_what_rulings_cite_prints(site: Path, versions: Versions) -> None:
    catalogue = Catalogue(hazards(), rules=versions.latest)
    shared = catalogue.rulings[mint(SHARED)]
    page = read(site / "r" / shared.id / "index.html")
    data = json.loads(re.search(r'id="cite-data">(.*?)</script>', page, re.DOTALL)[1])  # type: ignore[index]
    base = "https://rulings.example/sub/"
    links = re.findall(r'<li><a href="../../card/[^"]*">(.*?)</a></li>', page)
    for at, key in enumerate(catalogue.cards_of(shared)):
        if key[0] in TWINS:
            continue
        expected = citation.cite(
            shared,
            card=key[0],
            on_card=[p.ruling for p in catalogue.on_card(key)],
            sources=catalogue.sources,
            rules_effective="2026-04-17",
            base_url=base,
        )
        strings = [expected.link if s == "link" else citation_styles.render(expected, s) for s, _ in MENU]
        assert put_together(data, at, html.unescape(links[at])) == strings, key


def put_together(data: dict[str, Any], at: int, link: str) -> list[str]:
    """What app.js does, with the text of the link to the card."""
    day, pattern, short, *more = data["cards"][at]
    special = more[0] if more else {}
    if isinstance(special, list):
        return special
    name = special.get("") or link.translate(str.maketrans("‘’“”", "''\"\""))
    out = []
    for style, text in zip(data["styles"], data["patterns"][pattern], strict=True):
        shown = html.escape(name) if style == "html" else special.get(style) or name
        out.append(
            text.replace("zqcardqz", shown).replace("zqdateqz", data["days"][day][0]).replace("zqshortqz", short)
        )
    return out


def test_each_copy_in_a_list_is_what_rulings_cite_prints(compact: Path, versions: Versions) -> None:
    catalogue = Catalogue(hazards(), rules=versions.latest)
    seen = 0
    for key, placed in catalogue.placed.items():
        page = read(compact / "card" / catalogue.slugs.of[key] / "index.html")
        data = json.loads(re.search(r'id="cite-list">(.*?)</script>', page, re.DOTALL)[1])  # type: ignore[index]
        assert page.count("data-cite-of=") == len(placed)
        for p in placed if key[0] not in TWINS else ():
            expected = citation.cite(
                p.ruling,
                card=key[0],
                on_card=[q.ruling for q in placed],
                sources=catalogue.sources,
                rules_effective="2026-04-17",
            )
            strings = [citation_styles.render(expected, s) for s, _ in MENU if s != "link"]
            assert not any("/r/" in text for text in strings)  # this site does not know its address
            assert from_list(data, p.ruling.id) == strings, key
            seen += isinstance(data["rulings"][p.ruling.id][0], int)
    assert seen > 10  # not all written out
    note = read(compact / "topic/energy/index.html")
    data = json.loads(re.search(r'id="cite-list">(.*?)</script>', note, re.DOTALL)[1])  # type: ignore[index]
    assert "A general note." in data["rulings"][mint("A general note.")][0]


def from_list(data: dict[str, Any], ruling_id: str) -> list[str]:
    """What cite.js does with a list."""
    entry = data["rulings"][ruling_id]
    if isinstance(entry[0], str):
        return entry
    number, text, day, short, rules = entry
    out = []
    for style, pattern in zip(data["styles"], data["patterns"][number], strict=True):
        for mark, value in (("card", data["card"]), ("text", text), ("date", day), ("id", ruling_id)):
            if isinstance(value, dict):
                value = value.get(style) or (html.escape(value[""]) if style == "html" else value[""])
            pattern = pattern.replace(f"zq{mark}qz", value)
        out.append(pattern.replace("zqshortqz", short).replace("zqrulesqz", rules))
    return out


def test_a_ruling_on_very_many_cards_has_a_small_page(tmp_path: Path) -> None:
    names = [f"Card Number {n:04}" for n in range(900)]
    build(Knowledge((ruling("~ is one of many.", *[(name, "2024-03-08") for name in names]),)), tmp_path / "out")
    here = tmp_path / "out/r" / mint("~ is one of many.")
    assert all(path.stat().st_size < 60_000 for path in here.glob("*.html"))
    listed = [name for path in here.glob("cards*.html") for name in re.findall(r">(Card Number \d+)<", read(path))]
    assert sorted(listed) == names
    script = read(here.with_suffix(".js"))
    data = json.loads(script[script.index("{}") + 3 : script.rindex(")")])[here.name]
    assert data["names"] == names and data["slugs"][7] == "card-number-0007"
    assert broken(tmp_path / "out") == []


def test_a_citation_on_a_card_equals_the_one_of_the_library() -> None:
    catalogue = Catalogue(hazards())
    for key, placed in catalogue.placed.items():
        for p in placed if key[0] not in TWINS else ():
            whole = citation.cite(p.ruling, sources=catalogue.sources)
            on = [q.ruling for q in placed]
            assert on_card(catalogue, whole, key, p) == citation.cite(
                p.ruling, card=key[0], on_card=on, sources=catalogue.sources
            )


def test_feed_sitemap_and_search_description(site: Path) -> None:
    space = {"a": "http://www.w3.org/2005/Atom"}
    feed = ElementTree.fromstring(read(site / "changes/feed.atom"))
    ids = [entry.findtext("a:id", "", space) for entry in feed.findall("a:entry", space)]
    assert len(set(ids)) == len(ids) > 5
    assert {c.get("term") for c in feed.iterfind(".//a:category", space)} == {NEW, REWORDED, REMOVED}
    parts = [e.text or "" for e in ElementTree.fromstring(read(site / "sitemap.xml")).iter() if e.tag.endswith("loc")]
    locs = [
        e.text or ""
        for part in parts
        for e in ElementTree.fromstring(read(site / part.rsplit("/", 1)[1])).iter()
        if e.tag.endswith("loc")
    ]
    assert all(loc.startswith("https://rulings.example/sub/") for loc in locs)
    assert f"https://rulings.example/sub/r/{mint(SHARED)}/" in locs
    description = ElementTree.fromstring(read(site / "opensearch.xml"))
    url = next(e for e in description if e.tag.endswith("Url"))
    assert url.get("template") == "https://rulings.example/sub/search/?q={searchTerms}"
    manifest = json.loads(read(site / "manifest.webmanifest"))
    assert all((site / icon["src"]).is_file() for icon in manifest["icons"])


def test_kinds_of_change() -> None:
    """mtgjson feeds (netrunnerdb#722): one added, one reworded, one removed are three; a renamed card is none."""
    before = Knowledge((ruling("Old.", ("A", "2019-01-01")), ruling("Goes.", ("A", "2019-01-01"))))
    reworded = replace(
        before.rulings[0],
        text="New.",
        variants=(Variant("v2", "older-wording", "Old."),),
        occurrences=(Occurrence("A", "2024-01-01", "src"), Occurrence("A", "2019-01-01", "src", "v2")),
    )
    gone = replace(before.rulings[1], occurrences=(Occurrence("A", "2019-01-01", "src", missing_since="2024-02-02"),))
    after = Knowledge((reworded, gone, ruling("Added.", ("A", "2024-03-03"))))
    new = set(changes(after)) - set(changes(before))
    assert sorted((c.kind, c.date) for c in new) == [
        (NEW, "2024-03-03"),
        (REMOVED, "2024-02-02"),
        (REWORDED, "2024-01-01"),
    ]
    renamed = replace(before.rulings[0], occurrences=(Occurrence("B", "2019-01-01", "src"),))
    assert changes(Knowledge((renamed, before.rulings[1]))) == changes(before)


def test_what_left_is_told_in_its_words_where_they_are_known(tmp_path: Path) -> None:
    left = ruling("<b>Was</b> said.", ("A", "2020-01-01"), status="withdrawn", history=(Change("2020-05-05", "w"),))
    stone = Tombstone("r-zzzzzzzz", "Never a ruling", "2020-05-05")
    build(Knowledge((left,), tombstones=(stone,)), tmp_path / "out")
    page = read(tmp_path / "out/changes/index.html")
    assert f'Removed: <a href="../r/{left.id}/index.html">&lt;b&gt;Was&lt;/b&gt; said.</a>' in page
    assert 'Removed: <a href="../r/r-zzzzzzzz/index.html">r-zzzzzzzz</a> (Never a ruling)' in page


def tree(root: Path) -> dict[str, bytes]:
    return {str(p.relative_to(root)): p.read_bytes() for p in root.rglob("*") if p.is_file()}


def test_the_same_base_gives_the_same_bytes(site: Path, tmp_path: Path, versions: Versions) -> None:
    turned = hazards()
    turned = replace(turned, rulings=turned.rulings[::-1], cards=turned.cards[::-1])
    build(turned, tmp_path / "b", versions=versions, topics=topics.load(), base_url="https://rulings.example/sub/")
    a, b = tree(site), tree(tmp_path / "b")
    assert {name for name in a if a[name] != b.get(name)} <= {MANIFEST} and set(a) == set(b)


@pytest.fixture
def edited(tmp_path: Path, sample: Path) -> tuple[Path, Callable[[Knowledge], BuildReport], Knowledge]:
    out = tmp_path / "out"

    def write(knowledge: Knowledge) -> BuildReport:
        return build(knowledge, out)

    knowledge = store.load(sample).knowledge
    write(knowledge)
    return out, write, knowledge


def test_an_edit_writes_only_what_changed_and_equals_a_whole_build(
    edited: tuple[Path, Callable[[Knowledge], BuildReport], Knowledge], tmp_path: Path
) -> None:
    out, write, knowledge = edited
    assert write(knowledge).written == 0
    own = next(r for r in knowledge.rulings if r.cards == ("Confiscation Coup",))
    changed = replace(
        knowledge, rulings=tuple(replace(r, text=r.text + " Indeed.") if r is own else r for r in knowledge.rulings)
    )
    before = tree(out)
    report = write(changed)
    after = tree(out)
    touched = {name for name in after if before.get(name) != after[name]} - {MANIFEST}
    assert report.written == len(touched)
    assert f"r/{own.id}/index.html" in touched and "card/confiscation-coup/index.html" in touched
    assert "card/deadlock-trap/index.html" not in touched and "about/index.html" not in touched
    build(changed, tmp_path / "whole")
    assert tree(tmp_path / "whole") == after


def test_pages_that_are_no_more_are_taken_away(
    edited: tuple[Path, Callable[[Knowledge], BuildReport], Knowledge], tmp_path: Path
) -> None:
    out, write, knowledge = edited
    gone = next(r for r in knowledge.rulings if r.cards == ("Deadlock Trap",))
    fewer = replace(knowledge, rulings=tuple(r for r in knowledge.rulings if r is not gone))
    assert write(fewer).removed > 0
    assert not (out / "r" / gone.id).exists()
    build(fewer, tmp_path / "whole")
    assert tree(tmp_path / "whole") == tree(out)


def test_a_folder_of_somebody_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(UsageError):
        build(Knowledge(), tmp_path)
    assert (tmp_path / "thesis.txt").read_text() == "mine"


def test_characters_that_markup_may_not_hold_are_left_out(tmp_path: Path) -> None:
    bad = "\x00\x08\x1b\ufffe\uffff"
    name, text = f"Odd{bad}Card", f"It says{bad} nothing."
    odd = Ruling(mint(text), text, occurrences=(Occurrence(name, "2024-01-01", "src"),))
    build(Knowledge(rulings=(odd,), cards=(Card(name),), sources=(Source("src", "2024-02-02"),)), tmp_path / "out")
    feed = ElementTree.fromstring((tmp_path / "out/changes/feed.atom").read_bytes())
    assert "It says nothing." in "".join(feed.itertext())
    pages = [p for p in (tmp_path / "out").rglob("*") if p.suffix in (".html", ".atom", ".xml")]
    assert any("OddCard" in read(p) for p in pages)
    for page in pages:
        assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]", read(page)), page


def test_a_card_that_only_a_withdrawn_ruling_names_has_no_link(tmp_path: Path) -> None:
    gone = ruling("Was said of ~.", ("Nowhere", "2020-01-01"), ("Never", "2020-01-01"), status="withdrawn")
    build(Knowledge(rulings=(gone,), sources=(Source("src", "2024-02-02"),)), tmp_path / "out")
    assert "<li><a>Never</a></li><li><a>Nowhere</a></li>" in read(tmp_path / "out/r" / gone.id / "index.html")
    assert broken(tmp_path / "out") == []


def test_an_empty_base_has_a_site(tmp_path: Path) -> None:
    report = build(Knowledge(), tmp_path / "out")
    assert report.pages > 5
    assert broken(tmp_path / "out") == []


def test_compact_reaches_every_id(compact: Path) -> None:
    shards = "".join(read(path) for path in (compact / "r/data").glob("*.js"))
    for one in hazards().rulings:
        assert one.id in shards
    assert mint("It was worded {X} so.") in shards
    assert not (compact / "r" / mint(SHARED)).exists()
    assert "assets/lost.js" in read(compact / "404.html") and (compact / "assets/lost.js").is_file()


def test_pages_are_small(site: Path) -> None:
    for path in site.rglob("*.html"):
        assert path.stat().st_size < 60_000, path
