"""`rulings review`: what a decision does to texts that are mended, against older decisions, and what it says of it."""

from __future__ import annotations

import json
import shlex
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from indexer import ingest
from indexer.sample import make_base
from rulings import store
from rulings.errors import UsageError
from rulings.ids import mint
from rulings.model import Decision, Ruling
from search.cli import cli

DRAWS = "You draw a card, then you discard a card. No player may act in between."
ANNOUNCED = "The target creature is announced when the spell is cast and can't change later."
DECLARED = "The target creature is declared when the spell is cast and can't change later."
TAGGED = "You pay life for the <i>html</i> spell when it resolves."
E, A, B, H = (mint(text) for text in (DRAWS, ANNOUNCED, DECLARED, TAGGED))
Row = tuple[str, str, str]


def make(tmp_path: Path, *rows: Row) -> Path:
    dump = tmp_path / "rows.jsonl"
    dump.write_text("".join(json.dumps({"card": c, "text": t, "date": d}) + "\n" for c, t, d in rows), encoding="utf-8")
    make_base(tmp_path / "base")
    ingest.run(tmp_path / "base", [dump], ingest.Options())
    return tmp_path / "base"


@pytest.fixture
def base(own_cache: Path, tmp_path: Path) -> Path:
    return make(
        tmp_path,
        ("Alpha Beast", DRAWS, "2020-01-01"),
        ("Beta Beast", DRAWS, "2020-01-01"),
        ("Alpha Beast", ANNOUNCED, "2020-01-01"),
        ("Alpha Beast", DECLARED, "2022-01-01"),
        ("Gamma Beast", TAGGED, "2020-01-01"),
        ("Delta Beast", TAGGED, "2020-01-01"),
    )


def review(base: Path, *options: str, keys: str = "") -> str:
    typed = "".join(f"{key}\n" for key in keys)
    done = CliRunner().invoke(cli, ["--kb", str(base), "review", *options], input=typed)
    assert done.exit_code == 0, done.output + str(done.exception)
    return done.output


def refused(base: Path, *options: str) -> str:
    """What is said of options that are refused; the base stays as it is."""
    before = store.load(base).knowledge
    done = CliRunner().invoke(cli, ["--kb", str(base), "review", *options])
    assert isinstance(done.exception, UsageError), done.output  # exit 2
    assert store.load(base).knowledge == before
    return f"{done.exception} {done.exception.hint}"


def rulings(base: Path) -> tuple[Ruling, ...]:
    return store.load(base).knowledge.rulings


def status(base: Path) -> dict[str, str]:
    """What is not current, by id: its status, or the id that supersedes it."""
    return {r.id: r.superseded_by or r.status for r in rulings(base) if r.status != "current"}


# --- texts that are mended ---


@pytest.mark.parametrize("text", [H, TAGGED, "You pay life for the html spell when it resolves."])
def test_a_text_that_is_mended_can_be_merged(base: Path, text: str) -> None:
    assert len(rulings(base)) == 4
    review(base, "--decide", "merge", text, E)
    assert len(rulings(base)) == 3
    review(base, "--decide", "apart", text, E)
    assert len(rulings(base)) == 4


def test_a_text_that_is_mended_can_be_split(base: Path) -> None:
    review(base, "--decide", "split", H, "--card", "Delta Beast")
    assert len(rulings(base)) == 5


@pytest.mark.parametrize(("key", "superseded"), [("s", "announced"), ("r", "declared")])
def test_a_text_that_is_mended_is_superseded_by_a_key(
    own_cache: Path, tmp_path: Path, key: str, superseded: str
) -> None:
    tagged = [text.replace("spell", "<i>spell</i>") for text in (ANNOUNCED, DECLARED)]
    base = make(tmp_path, ("Alpha Beast", tagged[0], "2020-01-01"), ("Alpha Beast", tagged[1], "2022-01-01"))
    review(base, keys=key)
    (gone,) = (r for r in rulings(base) if r.status == "superseded")
    assert superseded in gone.text
    assert "0 pairs waiting" in review(base, "--list")


def test_a_pair_that_was_decided_as_its_pages_have_it_waits_no_longer(own_cache: Path, tmp_path: Path) -> None:
    tagged = [text.replace("spell", "<i>spell</i>") for text in (ANNOUNCED, DECLARED)]
    base = make(tmp_path, ("Alpha Beast", tagged[0], "2020-01-01"), ("Alpha Beast", tagged[1], "2022-01-01"))
    review(base, "--decide", "apart", *tagged)
    assert "0 pairs waiting" in review(base, "--list")


# --- options that mean nothing ---


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--decide", "withdraw", E, "--card", "Alpha Beast"), "--card is for --decide split"),
        (("--decide", "apart", A, B, "--card", "Alpha Beast"), "--card is for --decide split"),
        (("--card", "Alpha Beast"), "--card is for --decide split"),
        (("--list", "--decide", "merge", A, B), "give one of them"),
        (("--undo", "--decide", "merge", A, B), "give one of them"),
        (("--undo", "--list"), "give one of them"),
        (("--undo", A), "texts are for --decide"),
        (("--list", A), "texts are for --decide"),
        (("--undo", "--reason", "so"), "--reason is for a decision"),
        (("--json",), "add --list"),
        (("--decide", "merge", A, B, "--limit", "3"), "add --list"),
    ],
)
def test_what_means_nothing_is_refused(base: Path, options: tuple[str, ...], says: str) -> None:
    review(base, "--decide", "apart", A, B)
    assert says in refused(base, *options)


def test_a_withdrawal_says_how_far_it_reaches(base: Path) -> None:
    assert "withdrawn on 2 cards." in review(base, "--decide", "withdraw", E)
    review(base, "--decide", "merge", A, E)
    assert "withdrawn on 2 cards, in 2 wordings." in review(base, "--decide", "withdraw", A)
    assert "withdrawn on 1 card." in review(base, "--decide", "withdraw", B)


# --- what supersedes what ---


def test_the_newest_of_two_on_one_pair_holds(base: Path) -> None:
    review(base, "--decide", "supersede", A, B)
    assert status(base) == {A: B}
    review(base, "--decide", "supersede", B, A)
    assert status(base) == {B: A}
    review(base, "--decide", "apart", A, B)
    assert status(base) == {}
    review(base, "--undo")
    assert status(base) == {B: A}


def test_a_ring_is_refused_with_its_ids(base: Path) -> None:
    review(base, "--decide", "supersede", A, B)
    review(base, "--decide", "supersede", B, E)
    said = refused(base, "--decide", "supersede", E, A)
    assert "ring" in said
    assert all(one in said for one in (A, B, E))
    review(base, "--decide", "supersede", A, E)  # no ring: both are replaced by one
    assert status(base) == {A: E, B: E}


def test_a_ring_through_two_wordings_of_a_ruling_is_refused(base: Path) -> None:
    review(base, "--decide", "merge", A, E)
    review(base, "--decide", "supersede", A, B)
    assert "ring" in refused(base, "--decide", "supersede", B, DRAWS)


def history(base: Path, text: str) -> list[tuple[str, str]]:
    (found,) = (r for r in rulings(base) if r.text == text)
    return [(change.what, change.reason) for change in found.history]


def test_a_history_says_taken_back_of_what_was_taken_back_alone(base: Path) -> None:
    review(base, "--decide", "supersede", A, B)
    review(base, "--decide", "supersede", B, A)
    assert history(base, ANNOUNCED)[-1] == ("reinstated", "a newer decision holds")
    review(base, "--undo")
    assert history(base, DECLARED)[-1] == ("reinstated", "the decision was taken back")


def test_what_leaves_a_withdrawn_ruling_was_not_taken_back(base: Path) -> None:
    review(base, "--decide", "merge", E, A)
    review(base, "--decide", "withdraw", E)
    review(base, "--decide", "supersede", E, ANNOUNCED)
    assert history(base, ANNOUNCED)[-1] == ("reinstated", "a newer decision holds")


# --- decisions that stand against each other ---


def test_a_merge_that_cannot_be_is_refused_and_what_overrules_it_works(base: Path) -> None:
    review(base, "--decide", "apart", E, B)
    review(base, "--decide", "merge", E, A)
    said = refused(base, "--decide", "merge", A, B)
    assert "apart" in said
    assert f"--decide merge {shlex.quote(DRAWS)} {shlex.quote(DECLARED)}" in said
    review(base, "--decide", "merge", DRAWS, DECLARED)
    assert "one ruling already" in review(base, "--decide", "merge", A, B)
    assert len(rulings(base)) == 2


def test_an_apart_that_would_break_an_older_merge_is_refused(base: Path) -> None:
    review(base, "--decide", "merge", E, A)
    review(base, "--decide", "merge", A, B)
    assert "merge" in refused(base, "--decide", "apart", DRAWS, DECLARED)
    review(base, "--decide", "apart", DRAWS, ANNOUNCED)
    assert "apart already" in review(base, "--decide", "apart", DRAWS, DECLARED)


def test_a_clash_written_by_hand_waits(base: Path) -> None:
    review(base, "--decide", "merge", E, A)
    review(base, "--decide", "merge", A, B)
    loaded = store.load(base).knowledge
    both = (*loaded.decisions, Decision("apart", DRAWS, DECLARED, date=loaded.decisions[-1].date))
    ingest.decide(base, replace(loaded, decisions=both), ingest.Options())
    assert "one decision merges what another keeps apart" in review(base, "--list")


def test_an_answer_that_cannot_hold_does_not_take_the_others_with_it(base: Path) -> None:
    review(base, "--decide", "apart", E, B)
    review(base, "--decide", "merge", E, A)
    said = review(base, keys="m")  # the pair that waits: A and B
    assert "stands against it" in said
    assert "Nothing decided." in said


# --- what is said ---


@pytest.mark.parametrize(
    ("options", "says"), [((), "was merged by a person."), (("--reason", "he said so"), "by a person: he said so.")]
)
def test_why_a_text_is_there_names_the_person_who_merged_it(base: Path, options: tuple[str, ...], says: str) -> None:
    review(base, "--decide", "merge", E, H, *options)
    said = ""
    for card in ("Alpha Beast", "Gamma Beast"):  # one of the two is the wording that is shown
        said += CliRunner().invoke(cli, ["--kb", str(base), "show", E, "--why", card]).output
    assert says in said
    assert "differs only so" not in said


def test_the_last_answer_can_be_taken_back_after_the_last_pair(base: Path) -> None:
    said = review(base, keys="mua")
    assert "u takes the last one back" in said
    assert "Kept 1 decision." in said
    assert [d.kind for d in store.load(base).knowledge.decisions] == ["apart"]
    assert "the last pair" not in review(base, keys="")  # nothing waits


def test_what_was_only_put_off_ends_without_a_question(base: Path) -> None:
    assert "That was the last pair" not in review(base, keys="n")
