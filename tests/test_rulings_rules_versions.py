"""What became of rules and their numbers."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from rulings.rules import Versions, compare, from_plain, load_versions, notes, parse, resolve, stale_terms, to_plain
from rulings.rules.compare import words

FOLDER = Path(__file__).parents[2] / "shared" / "corpus" / "comprehensive-rules"


@pytest.fixture(scope="module")
def versions() -> Versions:
    if not FOLDER.is_dir():
        pytest.skip("the shared Comprehensive Rules are not here")
    return load_versions(FOLDER)


MOVES = [
    # Infect gave its number to battle cry when Umbra's set came (2021-04)
    ("702.89", "2021-02-15", "702.90", "now-something-else"),
    ("702.90", "2021-04-22", "702.90", "same"),
    # "converted mana cost" became "mana value"
    ("202.3", "2020-04-17", "202.3", "reworded"),
    # 509.4 became 509.2, and its "Fourth" a "Second", when damage assignment order went
    ("509.4", "2022-04-29", "509.2", "now-something-else"),
    ("509.3", "2022-04-29", None, "removed"),
    # tribal became kindred in its place
    ("308", "2022-04-29", "308", "reworded"),
    ("702.15b", "2017-08-25", "702.15b", "same"),
    # the cross-reference changed from 116 to 117, the words did not
    ("507.2", "2019-06-14", "507.2", "same"),
    # a rule rewritten in its place
    ("608.3", "2022-04-29", "608.3", "reworded"),
    ("702.999", "2020-04-17", None, "unknown"),
    ("702.15l", "2020-04-17", None, "unknown"),
    # without a day: today's if there is one, else the last that was
    ("702.15b", None, "702.15b", "same"),
    ("509.6", None, None, "removed"),
    # a day after the last old version, a number that came in the gap 2022 to 2025
    ("702.155a", "2022-11-18", "702.155a", "same"),
    ("701.55a", "2023-05-01", "701.57a", "now-something-else"),
]


@pytest.mark.parametrize(("number", "cited_on", "today", "status"), MOVES)
def test_resolve(versions: Versions, number: str, cited_on: str | None, today: str | None, status: str) -> None:
    found = versions.resolve(number, cited_on)
    assert (found.today, found.status) == (today, status), found


def test_the_shared_moves(versions: Versions) -> None:
    path = FOLDER.parents[1] / "gold" / "rule-moves-dev.jsonl"
    if not path.is_file():
        pytest.skip("the shared gold data are not here")
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        found = versions.resolve(row["number"], row["cited_on"])
        assert (found.today or "removed", found.status) == (row["today"], row["status"]), row["number"]
        assert found.last_in_these_words == row["last_version_in_these_words"]
        assert found.number_left_in == row["old_number_left_in"]
        assert found.old_number_today == row["old_number_today"]


def test_trace_of_infect(versions: Versions) -> None:
    life = versions.trace("702.90")
    assert life is not None
    assert [(s.number, s.since, s.until, s.changes) for s in life.steps] == [
        ("702.89", "2017-08-25", "2021-02-15", ("first known",)),
        ("702.90", "2021-04-22", "2026-04-17", ("moved",)),
    ]
    assert [(s.until, today) for s, today in life.others] == [("2021-02-15", "702.91")]


def test_a_chain_of_versions_agrees_with_one_long_step(versions: Versions) -> None:
    """Rules followed from step to step against rules matched at once: where both name a number, it is the same."""
    start = versions.dates.index("2021-11-19")
    straight = compare(versions.all[start], versions.all[-1]).pairs
    history = versions.history
    apart = 0
    for old, new in straight.items():
        life = history.holder(old, start)
        now = life.at(history.today) if life else None
        apart += now is not None and now.number != new
    assert apart <= 0.004 * len(straight)


def test_every_rule_of_today_traces_and_resolves(versions: Versions) -> None:
    latest = versions.latest
    assert latest is not None
    for rule in random.Random(1).sample(latest.rules, 400):
        life = versions.trace(rule.number)
        assert life is not None and life.today == rule.number and life.removed_in is None
        assert versions.resolve(rule.number, versions.dates[-1]).status == "same"
        for step in life.steps:
            text = versions.text(step.number, step.until)
            assert text is not None
            again = versions.resolve(step.number, step.until)
            assert again.today == rule.number
            if again.status == "same":
                assert words(text) == words(rule.text)


def test_history_survives_json(versions: Versions) -> None:
    history = versions.history
    again = from_plain(json.loads(json.dumps(to_plain(history))))
    assert again == history
    assert resolve(history, "702.89", "2020-01-24") == versions.resolve("702.89", "2020-01-24")
    assert Versions(versions.all, history=again).history is again


@pytest.mark.parametrize(
    "junk", [None, {}, {"schema": 2}, {"schema": 1, "dates": [], "lives": [[["702.15b", "k", 0, 0]]]}]
)
def test_a_kept_history_that_is_none(junk: object) -> None:
    assert from_plain(junk) is None


def small(date: str, *rules: str) -> str:
    return f"These rules are effective as of {date}.\n\n7. More\n\n702. Keywords\n\n" + "\n\n".join(rules)


def test_layout_typography_and_cross_references_are_no_words() -> None:
    curly = "702.1a The source’s “controller” (see rules 510.1c–d) pays  {2/W}."
    plain = '      702.1a The source\'s "controller" (see rules 509.1a-b) pays {2/W}.'
    older, newer = (parse(small(f"May {n}, 2020", "702.1. One", text))[0] for n, text in ((1, curly), (2, plain)))
    assert not compare(older, newer).reworded
    assert words(curly)[:5] == ("#", "the", "source's", "controller", "see")


def test_a_rule_that_comes_back_is_the_same_rule() -> None:
    kept = "702.1a A player who does this gains one life at once."
    gone = "702.1a Nothing of the kind is said here by anybody today."
    texts = [small("May 1, 2020", "702.1. One", kept), small("May 2, 2020", "702.1. One", gone)]
    history = Versions(parse(t)[0] for t in [*texts, small("May 3, 2020", "702.1. One", kept)]).history
    found = resolve(history, "702.1a", "2020-05-01")
    assert (found.status, found.today) == ("same", "702.1a")


def test_no_versions_at_all(tmp_path: Path) -> None:
    empty = load_versions(tmp_path)
    assert empty.latest is None and empty.at("2020-01-01") is None
    assert empty.resolve("702.15b").status == "unknown"
    assert empty.trace("702.15b") is None


def test_bad_files_are_problems(tmp_path: Path) -> None:
    (tmp_path / "2020-05-01.txt").write_text(small("May 1, 2020", "702.1. One"), encoding="utf-8")
    (tmp_path / "again.txt").write_text(small("May 1, 2020", "702.1. One"), encoding="utf-8")
    (tmp_path / "diary.txt").write_text("Dear diary", encoding="utf-8")
    (tmp_path / "latin.txt").write_bytes(b"702.1. Caf\xe9")
    (tmp_path / "torn.txt.gz").write_bytes(b"\x1f\x8b\x08nonsense")
    found = load_versions(tmp_path)
    assert found.dates == ("2020-05-01",)
    assert sorted({p.path for p in found.problems}) == ["again.txt", "diary.txt", "latin.txt", "torn.txt.gz"]


STALE = [
    # (text, date, keys)
    ("Its converted mana cost is 0.", "2008-08-01", ["converted-mana-cost"]),
    ("The card is removed from the game as it resolves.", "2007-05-01", ["removed-from-the-game"]),
    # a finished dungeon is removed from the game to this day
    ("Dungeons are removed from the game as a state-based action.", "2021-07-23", []),
    ("You take mana burn for each unspent mana.", "2004-10-04", ["mana-burn"]),
    ("It is countered on resolution.", "2010-06-15", ["countered-on-resolution"]),
    (
        "If all targets for the chosen modes become illegal before it resolves, the spell will be countered.",
        "2023-11-10",
        ["countered-on-resolution"],
    ),
    # countered in its own right, not by the rules
    ("If the spell is countered or its target is illegal, you draw no card.", "2019-01-25", []),
    ("When this comes into play, choose a color.", "2006-02-01", ["in-play"]),
    ("Announce the damage assignment order.", "2010-03-01", ["damage-assignment-order"]),
    # a card's name
    ("When Bury in Books resolves, draw a card.", "2021-04-16", []),
    ("You gain 3 life.", "2021-04-16", []),
]


@pytest.mark.parametrize(("text", "date", "keys"), STALE)
def test_stale_words(text: str, date: str, keys: list[str]) -> None:
    found = notes(text, date)
    assert [n.key for n in found] == keys
    assert all(text[n.start : n.end] == n.found and n.reason and n.now for n in found)


def test_stale_words_are_dated_by_the_versions(versions: Versions) -> None:
    terms = {t.key: t for t in stale_terms(versions.all)}
    mana_value = terms["converted-mana-cost"]
    assert (mana_value.since, mana_value.after, mana_value.derived) == ("2021-04-22", "2021-02-15", True)
    # Foundations (November 2024) lies in a gap of our versions; the day is known.
    order = terms["damage-assignment-order"]
    assert (order.since, order.after) == ("2024-11-08", "2022-04-29")
    latest = versions.latest
    assert latest is not None
    assert all(t.rule is None or latest.get(t.rule) for t in terms.values())
