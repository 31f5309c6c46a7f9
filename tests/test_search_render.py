"""What `rulings search` prints: text for people, other formats for programs, and nothing that steers a terminal."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from rulings.model import Card, Face
from search.cli import cli
from search.completing import complete
from search.formats import as_csv, jsonl, markdown
from search.render import render, render_hit
from search.results import Hit, Results, Searcher

HIT = Hit(
    id="r-0pcdnc32",
    text="{E} is the energy symbol. It represents one energy counter.",
    texts=("{E} is the energy symbol. It represents one energy counter.",),
    cards=("Behemoth of Vault 0", "Confiscation Coup", "Deadlock Trap"),
    cards_total=3,
    date="2024-06-07",
    first_date="2016-09-20",
    topics=("energy", "symbols"),
    rules=("107.14",),
    sources=("wotc",),
    status="current",
    superseded_by=None,
    note="",
    score=100,
    highlights=((11, 17), (18, 24)),
)


def page(*hits: Hit, **more: object) -> Results:
    return Results("q", "Rulings with q.", len(hits), hits, 10, 0, "relevance", **more)  # type: ignore[arg-type]


def test_a_hit_is_text_then_card_date_topics_id() -> None:
    assert render_hit(HIT, 1).splitlines() == [
        " 1. {E} is the energy symbol. It represents one energy counter.",
        "    Behemoth of Vault 0 and 2 more cards · 7 Jun 2024 · energy, symbols ·",
        "    r-0pcdnc32",
    ]


def test_marks_only_where_colours_are_asked_for_and_lines_keep_the_width() -> None:
    assert "\x1b" not in render_hit(HIT, 1)
    coloured = render_hit(HIT, 1, width=40, colour=True)
    assert "\x1b[1;33menergy\x1b[0m \x1b[1;33msymbol.\x1b[0m" in coloured.replace("symbol\x1b[0m.", "symbol.\x1b[0m")
    for width in (40, 60, 100):
        assert all(len(line) <= width for line in render_hit(HIT, 1, width=width).splitlines())


def test_hostile_text_is_shown_not_obeyed() -> None:
    bad = replace(
        HIT, text="\x1b[2Jgone \u202egnitset", texts=(), highlights=((0, 4),), cards=("\x1b]0;x\x07",), cards_total=1
    )
    for text in (render_hit(bad, 1), render(page(bad, card="\x1b[2J", suggestions=("\x1b[2J",)))):
        assert "\x1b" not in text and "\u202e" not in text and "\x07" not in text


def test_a_card_opens_with_its_oracle_text() -> None:
    faces = (
        Face("Fire", "Instant", "Deal 2 damage.", "{1}{R}"),
        Face("Ice", "Instant", "Tap it.\nDraw a card.", "{1}{U}"),
    )
    assert render(page(HIT, card="Fire // Ice"), card=Card("Fire // Ice", faces=faces)).startswith(
        "Fire  {1}{R}\nInstant\nDeal 2 damage.\nIce  {1}{U}\nInstant\nTap it.\nDraw a card.\n\n 1. {E} is"
    )


def test_other_formats() -> None:
    found = page(HIT, replace(HIT, text="=cmd() *bold* <b>", cards=(), cards_total=0))
    assert [json.loads(line)["id"] for line in jsonl(found).splitlines()] == [HIT.id, HIT.id]
    rows = list(csv.DictReader(io.StringIO(as_csv(found))))
    assert rows[0]["cards"].count(";") == 2 and rows[1]["text"].startswith("'=")
    assert r"\*bold\* \<b\>" in markdown(found) and markdown(found).startswith(r"> \{E\}")


def run(sample: Path, *arguments: str) -> str:
    found = CliRunner().invoke(cli, ["--kb", str(sample), "search", *arguments], catch_exceptions=False)
    assert found.exit_code == 0, found.output
    return found.output


def test_the_command(sample: Path) -> None:
    assert "energy symbol. It represents" in run(sample, "energy", "symbol").splitlines()[0]
    assert json.loads(run(sample, "{E}", "--json"))["hits"][0]["id"] == "r-0pcdnc32"
    assert "can't" in run(sample, '"can\'t pay"')
    assert "topic:" in run(sample, "topic:energy", "--facets")
    assert "No ruling fits" in run(sample, "card:Nonesuch")
    assert run(sample, "energy", "--format", "csv").startswith("id,text")
    assert "Rulings about energy and symbol." in run(sample, "energy symbol", "--explain")


def test_without_a_query_it_explains_itself(sample: Path) -> None:
    assert run(sample).count("  rulings search ") == 3
    assert "date:2016..2018" in run(sample, "--syntax")


@pytest.mark.parametrize(
    ("begun", "one"),
    [("topic:ener", "topic:energy"), ("card:Dead", 'card:"Deadlock Trap"'), ("to", "topic:"), ("is:sh", "is:shared")],
)
def test_completion(sample: Path, begun: str, one: str) -> None:
    from indexer import build

    assert one in complete(build.ensure(sample).index_path, begun)


def test_a_page_past_the_end_says_so(sample: Path) -> None:
    from indexer import build

    searcher = Searcher(build.ensure(sample).index_path)
    assert "none from number 500" in render(searcher.search("energy", offset=499))
    searcher.close()


def test_a_search_loads_no_yaml_and_the_marker_is_the_store_s() -> None:
    import subprocess
    import sys

    from rulings import store
    from search.cli import common

    assert store.MARKER == common.MARKER
    code = "import sys, search.results, search.render, search.cli.search_command; sys.exit('yaml' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
