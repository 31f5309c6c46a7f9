"""A base in a folder: what is saved is loaded, the same base is the same bytes, and hand edits are told from faults."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rulings import store
from rulings.errors import RulingsError
from rulings.ids import mint
from rulings.model import (
    Card,
    Change,
    Decision,
    Face,
    Knowledge,
    Link,
    Occurrence,
    Printing,
    Retag,
    Ruling,
    Source,
    Tombstone,
    Variant,
)
from rulings.text import fold1

WORDS = st.text(st.characters(codec="utf-8", exclude_characters="~"), min_size=1, max_size=40).filter(fold1)
NAMES = st.sampled_from(
    [
        "Opt",
        "No",
        "+2 Mace",
        "_____",
        'Kongming, "Sleeping Dragon"',
        "Lim-Dûl's Vault",
        "X",
        "1996",
        "a\x85b\u2028c",
        "\x1b[31mRed",
    ]
)
DATES = st.sampled_from([None, "2004-10-04", "2016-09-20", "2024-06-07"])


@st.composite
def rulings(draw: st.DrawFn) -> Ruling:
    text = draw(WORDS)
    other = draw(WORDS)
    variants = (Variant("v2", "typo", other, draw(st.sampled_from(["", "theme for them"]))),) if other != text else ()
    cards = draw(st.lists(NAMES, min_size=1, max_size=3, unique=True))
    occurrences = tuple(
        Occurrence(
            card,
            draw(DATES),
            draw(st.sampled_from(["mtgjson", "on"])),
            draw(st.sampled_from([None, *(v.key for v in variants)])),
            stands_for=draw(st.sampled_from([None, "~", "Kongming"])),
            missing_since=draw(st.sampled_from([None, "2026-01-03"])),
            as_of=draw(st.sampled_from([None, "2018-11"])),
        )
        for card in cards
    )
    return Ruling(
        id=mint(text),
        text=text,
        topics=("energy", "no"),
        see=("107.10",),
        links=(Link("covers", mint("x"), "says more"),),
        variants=variants,
        occurrences=occurrences,
        aliases=(mint("an alias"),),
        status=draw(st.sampled_from(["current", "superseded"])),
        history=(Change("2024-01-01", "merged", "me", "yes"),),
        retag=draw(st.sampled_from([None, Retag(("on",), ("off",))])),
        damage=("symbol-loss",),
    )


def order(r: Ruling) -> Ruling:
    """As a base keeps it: occurrences in their order, without positions."""
    from dataclasses import replace

    key = lambda o: (  # noqa: E731
        o.date is None,
        o.date or "",
        o.source,
        o.variant or "",
        o.missing_since or "",
        o.as_of or "",
        o.card,
        o.stands_for or "",
    )
    return replace(r, occurrences=tuple(replace(o, position=0) for o in sorted(r.occurrences, key=key)))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(st.lists(rulings(), max_size=4, unique_by=lambda r: r.id))
def test_what_is_saved_is_loaded(tmp_path_factory: pytest.TempPathFactory, given_rulings: list[Ruling]) -> None:
    folder = tmp_path_factory.mktemp("base")
    knowledge = Knowledge(
        rulings=tuple(sorted(given_rulings, key=lambda r: r.id)),
        sources=(Source("mtgjson", "2026-01-03"), Source("on")),
        decisions=(Decision("merge", "a", "b", actor="me", date="2024-01-01"),),
        tombstones=(Tombstone("r-00000000", "printed by mistake"),),
        name="yes",
    )
    store.save(folder, knowledge)
    loaded = store.load(folder)
    assert loaded.problems == ()
    assert [order(r) for r in loaded.knowledge.rulings] == [order(r) for r in knowledge.rulings]
    assert loaded.knowledge.decisions == knowledge.decisions
    assert loaded.knowledge.tombstones == knowledge.tombstones
    assert loaded.knowledge.sources == knowledge.sources
    assert store.save(folder, loaded.knowledge) == ()


def test_cards_survive(tmp_path: Path) -> None:
    card = Card(
        "Fire // Ice",
        "o-1",
        "Instant // Instant",
        "",
        "{1}{R} // {1}{U}",
        ("Cycling",),
        (Face("Fire", "Instant", "2 damage", "{1}{R}"), Face("Ice", "Instant", "Tap", "{1}{U}")),
        ("Flame",),
        ("Feuer",),
        (Printing("APC", "128", "2001-06-04"),),
        "2001-06-04",
        "split",
    )
    store.save(tmp_path, Knowledge(cards=(card,)))
    assert store.load(tmp_path).knowledge.cards == (card,)


def test_cards_yaml_corrects_card_data(tmp_path: Path) -> None:
    store.save(tmp_path, Knowledge(cards=(Card("Opt", type_line="Instnat", mana_cost="{U}"),)))
    (tmp_path / "cards.yaml").write_text("schema: 1\ncards:\n- name: Opt\n  type_line: Instant\n", encoding="utf-8")
    (card,) = store.load(tmp_path).knowledge.cards
    assert (card.type_line, card.mana_cost) == ("Instant", "{U}")


def test_a_ruling_lives_in_the_file_of_its_earliest_date() -> None:
    dated = Ruling(
        "r-0pcdnc32", "x", occurrences=(Occurrence("A", "2024-06-07", "s"), Occurrence("B", "2016-09-20", "s"))
    )
    undated = Ruling("r-0pcdnc32", "x", occurrences=(Occurrence("A", None, "s"),))
    assert store.ruling_file(dated) == "rulings/2016/2016-09-20.yaml"
    assert store.ruling_file(undated) == "rulings/undated.yaml"


HEAD = "schema: 1\nrulings:\n- id: r-0pcdnc32\n  text: a\n"
STANDS = f"{HEAD}  occurrences:\n  - "
BROKEN = [
    ("schema: 1\nrulings:\n- id: r-0pcdnc32\n", 3, "without text"),
    ("schema: 1\nrulings:\n- id: r-1\n  text: a\n", 3, "no id"),
    ("schema: 1\nrulings:\n- id: r-0pcdnc32\n  text: a\n  txet: b\n", 3, "unknown key 'txet'"),
    ("schema: 1\nrulings:\n- id: r-0pcdnc32\n  text: a\n  status: maybe\n", 3, "status is 'maybe'"),
    (
        f"{STANDS}date: 20.9.2016\n    source: s\n    cards: [A]\n",
        6,
        "date is '20.9.2016'",
    ),
    (
        f"{STANDS}date: 2016-02-30\n    source: s\n    cards: [A]\n",
        6,
        "date is '2016-02-30'",
    ),
    (
        f"{STANDS}date: null\n    source: s\n    variant: v9\n",
        6,
        "'v9' is not among",
    ),
    ("schema: 2\nrulings: []\n", 1, "schema 1"),
    ("schema: 1\nrulings: 7\n", 1, "not a list"),
    ("schema: 1\nrulings:\n- a\n", 1, "not a mapping"),
]


@pytest.mark.parametrize(("text", "line", "message"), BROKEN)
def test_a_broken_record_is_reported_with_its_line_and_the_rest_goes_on(
    tmp_path: Path, text: str, line: int, message: str
) -> None:
    good = Ruling("r-f1fzfjax", "good", occurrences=(Occurrence("A", "2016-09-20", "s"),))
    store.save(tmp_path, Knowledge(rulings=(good,), sources=(Source("s"),)))
    (tmp_path / "rulings/2024").mkdir(parents=True)
    (tmp_path / "rulings/2024/2024-01-01.yaml").write_text(text, encoding="utf-8")
    loaded = store.load(tmp_path)
    assert any(message in p.message and p.line == line for p in loaded.problems), loaded.problems
    assert "good" in [r.text for r in loaded.knowledge.rulings]


def test_one_id_in_two_files_is_a_problem(tmp_path: Path) -> None:
    ruling = Ruling("r-f1fzfjax", "good", occurrences=(Occurrence("A", "2016-09-20", "s"),))
    store.save(tmp_path, Knowledge(rulings=(ruling,)))
    copy = (tmp_path / "rulings/2016/2016-09-20.yaml").read_text(encoding="utf-8")
    (tmp_path / "rulings/undated.yaml").write_text(copy, encoding="utf-8")
    (problem,) = store.load(tmp_path).problems
    assert problem.kind == "duplicate-id" and problem.line == 3


def test_a_bad_line_of_cards_is_reported(tmp_path: Path) -> None:
    store.save(tmp_path, Knowledge(cards=(Card("Opt"),)))
    with (tmp_path / "cards.jsonl").open("a", encoding="utf-8") as lines:
        lines.write("{broken\n" + json.dumps({"no": "name"}) + "\n")
    problems = store.load(tmp_path).problems
    assert [p.line for p in problems] == [2, 3]


def test_no_base_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(RulingsError) as caught:
        store.load(tmp_path)
    assert "rulings init" in caught.value.hint
