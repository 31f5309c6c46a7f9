"""The search data of the site: numbers as text, shards that are the same for the same base, nothing forgotten."""

from __future__ import annotations

import json
import re
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulings import store, topics
from rulings.language.ranking import impact
from rulings.text import loose
from rulings_site import client_cards, client_texts, client_words
from rulings_site.client_base import FEW, ROOMY, SearchData, Sizes
from rulings_site.client_codes import SIGNS, fixed, numbers, rising, shards, spread
from rulings_site.client_engine import AT_ONCE, PARTS, engine
from rulings_site.client_index import offline
from rulings_site.page import Files

SCRIPTS = Path(__file__).parents[1] / "site" / "rulings_site" / "assets" / "search"


def read_numbers(text: str) -> list[int]:
    """As `RS.numbers` reads them."""
    found, number, shift = [], 0, 0
    for sign in text:
        value = SIGNS.index(sign)
        number |= (value & 31) << shift
        shift += 5
        if value < 32:
            found.append(number)
            number = shift = 0
    return found


@given(st.lists(st.integers(0, 1 << 40)))
def test_numbers_come_back(values: list[int]) -> None:
    assert read_numbers(numbers(values)) == values


@given(st.sets(st.integers(0, 1 << 20)))
def test_rising_numbers_come_back(values: set[int]) -> None:
    steps = read_numbers(rising(sorted(values)))
    assert [sum(steps[: n + 1]) for n in range(len(steps))] == sorted(values)


@given(st.lists(st.integers(0, 1 << 20), min_size=1))
def test_numbers_of_one_width_come_back(values: list[int]) -> None:
    text = fixed(values)
    width = len(text) // len(values)
    assert len(text) == width * len(values)
    signs = [[SIGNS.index(sign) for sign in text[n * width : (n + 1) * width]] for n in range(len(values))]
    assert [sum(value * 64**at for at, value in enumerate(reversed(of))) for of in signs] == values


@given(st.text())
def test_a_text_has_one_shard(text: str) -> None:
    assert 0 <= spread(text) < 1 << 32 and spread(text) == spread(text)


@pytest.mark.parametrize(("things", "count"), [(0, 1), (10, 1), (11, 2), (40, 4), (1000, 8)])
def test_shards_are_a_power_of_two(things: int, count: int) -> None:
    assert shards(things, 10, 8) == count


# --- on the sample


@pytest.fixture(scope="module")
def index(sample: Path) -> Path:
    from indexer import build

    return build.ensure(sample).index_path / "search.sqlite"


@pytest.fixture(scope="module", params=[ROOMY, FEW], ids=["roomy", "few"])
def data(index: Path, request: pytest.FixtureRequest) -> SearchData:
    return SearchData(index, request.param)


def read(files: Files) -> dict[str, Any]:
    """Shard name -> its value, read as the page reads it: without running the script."""
    found = {}
    for path, content in files:
        head = re.match(rb'RS\.put\("([^"]*)","((?:[0-9a-f]{8}){1,2})",', content)
        assert head and content.endswith(b");\n")
        assert path == f"search/data/{head[1].decode()}.js"
        found[head[1].decode()] = json.loads(content[head.end() : -3])
    return found


def test_documents_are_numbered_as_equal_scores_stand(data: SearchData) -> None:
    newest = [max(doc["dates"], default="") for doc in data.documents]
    assert newest == sorted(newest, reverse=True)
    for n in range(1, data.size):
        if newest[n] == newest[n - 1]:
            assert data.documents[n - 1]["id"] < data.documents[n]["id"]


def test_every_term_has_its_postings(data: SearchData) -> None:
    found = read(client_words.terms(data))
    count = client_words.term_shards(data)
    heavy = {word: n for n, word in enumerate(client_words.heavy_terms(data))}
    for term, documents, impacts in data.postings():
        homes = client_words.homes_of(term, len(documents))
        held = [found[f"h/{heavy[home]}" if home in heavy else f"t/{spread(home) % count}"][term] for home in homes]
        assert held and all(row == held[0] for row in held)
        _, docs, codes = held[0][:3]
        steps, read_codes = read_numbers(docs), iter(read_numbers(codes))
        assert [sum(steps[: n + 1]) for n in range(len(steps))] == documents
        back = [impact(c, data.lengths[n]) if (c := next(read_codes)) else next(read_codes) for n in documents]
        assert back == impacts


def test_every_word_has_its_places(data: SearchData) -> None:
    found = read(client_words.places(data))
    words = {word for name, shard in found.items() for word in shard if name[0] in "pq"}
    assert words == {word for stream in data.streams for word in stream.split()}


def test_texts_are_whole(data: SearchData) -> None:
    found = read(client_texts.texts(data))
    where = client_texts.arranged(data).shard_of_each(data.sizes.texts)
    rows = []
    for n in range(data.size):
        numbers_there, *rows_there = found[f"s/{where[n]}"]
        steps = read_numbers(numbers_there)
        rows.append(rows_there[[sum(steps[: i + 1]) for i in range(len(steps))].index(n)])
    assert len(rows) == sum(len(shard) - 1 for shard in found.values())
    assert [row[:2] for row in rows] == [[doc["id"], doc["wordings"][0][1]] for doc in data.documents]
    more = [row[11][1::2] if len(row) > 11 else [] for row in rows]
    assert more == [[text for _, text in doc["wordings"][1:]] for doc in data.documents]


def test_rulings_of_a_card_and_of_a_topic_lie_together(data: SearchData) -> None:
    arrangement = client_texts.arranged(data)
    assert sorted(arrangement.order) == list(range(data.size))
    cards = [(data.documents[n]["cards"] or [""])[0] for n in arrangement.order]
    assert len([name for name, _ in groupby(cards)]) == len(set(cards))


def test_another_arrangement_has_another_version(index: Path) -> None:
    data = SearchData(index, FEW)
    before = client_texts.arranged(data)
    for doc in data.documents:
        doc["topics"] = [doc["cards"][-1]]
    after = client_texts.arranged(data)
    assert after.order != before.order and after.version != before.version
    assert after.version[:8] == before.version[:8] == data.numbering


def test_each_beginning_of_a_word_of_a_name_offers_the_card(data: SearchData) -> None:
    found = read(client_cards.typed(data, {}))
    entries = {(start, entry[0]) for shard in found.values() for start, rows in shard.items() for entry in rows}
    for name, _ in data.spelt:
        for word in re.split(r"[\W_]+", re.sub("['’]", "", loose(name))):
            if len(word) >= 3:
                assert (word[:3], name) in entries


def test_the_filter_never_says_no_wrongly(data: SearchData) -> None:
    keys = [key for key, _, _ in data.names]
    size, ones = client_words.filter_of(keys, 16)
    steps = read_numbers(ones)
    on = {sum(steps[: n + 1]) for n in range(len(steps))}
    assert all(spread(key) % size in on for key in keys)


def test_a_compact_site_has_room(index: Path, sample: Path, tmp_path: Path) -> None:
    from rulings_site import build

    most = FEW.terms + FEW.heavy + FEW.places + FEW.places_alone + 27 + FEW.names + FEW.name_words + FEW.typed
    assert most + FEW.oracle + FEW.oracle_terms + FEW.ids + FEW.rules + 14 + 27_100 // FEW.texts < 830
    assert Sizes() == ROOMY
    knowledge = store.load(sample).knowledge
    build(knowledge, tmp_path / "site", topics=topics.load(), search=index, compact=True)
    start = (tmp_path / "site" / "search" / "data" / "start.js").read_text(encoding="utf-8")
    assert '"compact":true' in start


def test_same_base_same_bytes(index: Path, sample: Path, tmp_path: Path) -> None:
    from rulings_site import build

    knowledge = store.load(sample).knowledge
    for name in ("one", "two"):
        build(knowledge, tmp_path / name, topics=topics.load(), search=index)
    files = {p.relative_to(tmp_path / "one") for p in (tmp_path / "one" / "search").rglob("*") if p.is_file()}
    assert len(files) > 60
    for path in files:
        assert (tmp_path / "one" / path).read_bytes() == (tmp_path / "two" / path).read_bytes(), path
    listed = json.loads((tmp_path / "one" / "search" / "files.json").read_text(encoding="utf-8"))
    there = {p.as_posix() for p in files if p.suffix == ".js"}
    assert {name for name in listed["files"] if name.startswith("search/") and name != "search/"} == there
    assert listed["numbering"] in (tmp_path / "one" / "search" / "data" / "start.js").read_text(encoding="utf-8")
    # A second build writes nothing.
    assert build(knowledge, tmp_path / "two", topics=topics.load(), search=index).written == 0


def test_without_an_index_the_page_says_so(sample: Path, tmp_path: Path) -> None:
    from rulings_site import build

    build(store.load(sample).knowledge, tmp_path / "site", topics=topics.load())
    assert (tmp_path / "site" / "search" / "data" / "start.js").read_bytes() == b'RS.put("start","",null);\n'
    assert not (tmp_path / "site" / "search" / "data" / "t").exists()


def test_the_list_for_offline_changes_with_the_data() -> None:
    before = {
        "search start": ("k1 aabbccdd aabbccdd11223344", 10, ("search/data/start.js",)),
        "card/x": ("k", 5, ("card/x/index.html",)),
    }
    after = before | {"search start": ("k2 aabbccdd aabbccdd11223344", 10, ("search/data/start.js",))}
    one, two = (json.loads(offline(manifest)[0][1]) for manifest in (before, after))
    assert one["numbering"] == "aabbccdd" and one["arranged"] == "aabbccdd11223344" and one["bytes"] == 10
    assert one["content"] != two["content"]
    assert "card/x/index.html" not in one["files"]


def test_the_engine_is_all_scripts_and_no_comment() -> None:
    script = engine().decode().removeprefix(AT_ONCE)
    assert sorted([*PARTS, "client"]) == sorted(path.stem for path in SCRIPTS.glob("*.js"))
    assert script.startswith("var RulingsEngine = (function () {\n") and script.endswith("})();\n")
    assert not re.search(r"^\s*(?://|/\*)", script, re.MULTILINE)
    assert "eval(" not in script and "new Function" not in script  # the policy of the pages forbids both
