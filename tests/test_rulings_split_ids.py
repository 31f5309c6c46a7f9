"""What the ids of a text mean once a person has split it by card: in all that resolves ids, and in decisions."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from indexer import deciding, ingest
from indexer.sample import make_base
from rulings import store
from rulings.errors import Problem
from rulings.ids import mint
from rulings.model import Decision
from rulings.validate import validate
from rulings_site.catalogue import Catalogue
from search.cli import cli

# One text on two cards, and a text in two wordings on one of them. No two of them are one ruling.
DRAWS = "You draw a card, then you discard a card. No player may act in between."
ANNOUNCED = "The target creature is announced when the spell is cast and can't change later."
DECLARED = ANNOUNCED.replace("announced", "declared")
PLAIN, SPLIT = mint(DRAWS), mint(DRAWS, card="Beta Beast")
ALPHA, BETA = (DRAWS, "Alpha Beast"), (DRAWS, "Beta Beast")


def fill(base: Path) -> None:
    rows = [
        ("Alpha Beast", DRAWS, "2020-01-01"),
        ("Beta Beast", DRAWS, "2020-01-01"),
        ("Alpha Beast", ANNOUNCED, "2020-01-01"),
        ("Alpha Beast", DECLARED, "2022-01-01"),
    ]
    dump = base.parent / "three.jsonl"
    dump.write_text("".join(json.dumps({"card": c, "text": t, "date": d}) + "\n" for c, t, d in rows), encoding="utf-8")
    ingest.run(base, [dump], ingest.Options())


@pytest.fixture
def three(own_cache: Path, tmp_path: Path) -> Path:
    make_base(tmp_path / "base")
    fill(tmp_path / "base")
    return tmp_path / "base"


def run(base: Path, *rest: str) -> str:
    done = CliRunner().invoke(cli, ["--kb", str(base), *rest])
    assert done.exit_code == 0, done.output + str(done.exception or "")
    return done.output


def decide(base: Path, kind: str, *rest: str) -> None:
    run(base, "review", "--decide", kind, *rest)


def found_in(base: Path) -> list[Problem]:
    knowledge = store.load(base).knowledge
    topics = {topic for r in knowledge.rulings for topic in r.topics}
    return [p for p in validate(knowledge, {}, topics) if p.severity == "error"]


def meant(base: Path, asked: str) -> set[tuple[str, str]]:
    """The texts, with their cards, of the ruling that an id means."""
    own = json.loads(run(base, "show", asked, "--json"))["id"]
    (r,) = (r for r in store.load(base).knowledge.rulings if r.id == own)
    return {(r.verbatim(o), o.card) for o in r.occurrences}


def test_the_id_of_a_split_goes_with_its_wording_when_all_is_taken_back(three: Path) -> None:
    decide(three, "merge", mint(ANNOUNCED), mint(DECLARED))
    decide(three, "merge", mint(ANNOUNCED), mint(DRAWS))
    decide(three, "split", mint(DRAWS), "--card", "Beta Beast")
    assert meant(three, SPLIT) == {BETA}
    run(three, "review", "--undo")
    assert BETA in meant(three, SPLIT)
    run(three, "review", "--undo")
    assert meant(three, SPLIT) == {ALPHA, BETA}
    assert PLAIN in {r.id for r in store.load(three).knowledge.rulings}  # the id printed first is its own again
    run(three, "review", "--undo")
    assert meant(three, SPLIT) == {ALPHA, BETA}


def test_a_text_that_was_split_once_has_its_plain_id_again(three: Path) -> None:
    before = {r.id for r in store.load(three).knowledge.rulings}
    decide(three, "split", PLAIN, "--card", "Beta Beast")
    run(three, "review", "--undo")
    assert {r.id for r in store.load(three).knowledge.rulings} == before


@pytest.mark.parametrize("born_as_one", [False, True])  # then the plain id was never printed
def test_the_plain_id_of_a_split_text_stays_with_the_rest(own_cache: Path, tmp_path: Path, born_as_one: bool) -> None:
    base = tmp_path / "base"
    make_base(base)
    if born_as_one:
        deciding.record(base, [Decision("merge", ANNOUNCED, DRAWS)])
    fill(base)
    if not born_as_one:
        decide(base, "merge", mint(ANNOUNCED), PLAIN)
    rest = mint(ANNOUNCED)
    decide(base, "split", PLAIN, "--card", "Beta Beast")
    assert meant(base, PLAIN) == {ALPHA, (ANNOUNCED, "Alpha Beast")}
    assert rest in run(base, "cite", PLAIN) and SPLIT not in run(base, "cite", PLAIN)
    assert meant(base, SPLIT) == {BETA}
    knowledge = store.load(base).knowledge
    assert Catalogue(knowledge).redirects.get(PLAIN) == (rest,)
    assert not [p for p in found_in(base) if p.kind == "several-homes"]
    before = {p: p.read_bytes() for p in base.rglob("*.yaml")}
    fill(base)
    assert {p: p.read_bytes() for p in base.rglob("*.yaml")} == before
    decide(base, "merge", SPLIT, mint(DECLARED))  # a ruling that holds the wording too, as one of several
    assert meant(base, PLAIN) == {ALPHA, (ANNOUNCED, "Alpha Beast")}
    assert Catalogue(store.load(base).knowledge).redirects.get(PLAIN) == (rest,)


def test_the_plain_id_is_definite_when_every_card_was_split(three: Path) -> None:
    decide(three, "merge", mint(ANNOUNCED), PLAIN)
    decide(three, "split", PLAIN, "--card", "Beta Beast")
    deciding.record(three, [Decision("split", DRAWS, card="Alpha Beast")])
    assert ALPHA in meant(three, PLAIN)
    assert not found_in(three)


def test_check_names_an_id_that_means_several_rulings(three: Path) -> None:
    decide(three, "merge", mint(ANNOUNCED), PLAIN)
    decide(three, "split", PLAIN, "--card", "Beta Beast")
    knowledge = store.load(three).knowledge
    forgot = replace(knowledge, rulings=tuple(replace(r, aliases=()) for r in knowledge.rulings))
    (problem,) = (p for p in validate(forgot, {}, ()) if p.kind == "several-homes")
    assert PLAIN in problem.message and SPLIT in problem.message


def status(base: Path) -> dict[str, str]:
    """What is not current, by id: its status, or the id that supersedes it."""
    return {r.id: r.superseded_by or r.status for r in store.load(base).knowledge.rulings if r.status != "current"}


def test_a_decision_on_the_id_of_a_split_text_is_about_that_card_alone(three: Path) -> None:
    decide(three, "split", PLAIN, "--card", "Beta Beast")
    assert "withdrawn on 1 card." in run(three, "review", "--decide", "withdraw", SPLIT)
    assert status(three) == {SPLIT: "withdrawn"}
    run(three, "review", "--undo")
    decide(three, "supersede", SPLIT, mint(ANNOUNCED))
    assert status(three) == {SPLIT: mint(ANNOUNCED)}
    run(three, "review", "--undo")
    decide(three, "supersede", mint(ANNOUNCED), SPLIT)
    assert status(three) == {mint(ANNOUNCED): SPLIT}
    decide(three, "supersede", PLAIN, SPLIT)
    assert status(three) == {mint(ANNOUNCED): SPLIT, PLAIN: SPLIT}


def test_a_decision_on_the_plain_id_is_about_the_rest_alone(three: Path) -> None:
    decide(three, "split", PLAIN, "--card", "Beta Beast")
    decide(three, "withdraw", PLAIN)
    assert status(three) == {PLAIN: "withdrawn"}
    run(three, "review", "--undo")
    decide(three, "merge", PLAIN, mint(DECLARED))
    assert meant(three, PLAIN) == {ALPHA, (DECLARED, "Alpha Beast")}
    assert meant(three, SPLIT) == {BETA}
    decide(three, "withdraw", PLAIN)  # now an alias
    assert SPLIT not in status(three) and len(status(three)) == 1


@pytest.mark.parametrize("turned", [False, True])
def test_the_text_of_one_card_is_merged_without_the_rest(three: Path, turned: bool) -> None:
    decide(three, "split", PLAIN, "--card", "Beta Beast")
    both = [SPLIT, mint(ANNOUNCED)]
    decide(three, "merge", *(reversed(both) if turned else both))
    merged = {BETA, (ANNOUNCED, "Alpha Beast")}
    assert meant(three, SPLIT) == meant(three, mint(ANNOUNCED)) == merged
    assert meant(three, PLAIN) == {ALPHA}
    before = {p: p.read_bytes() for p in three.rglob("*.yaml")}
    fill(three)
    assert {p: p.read_bytes() for p in three.rglob("*.yaml")} == before
    decide(three, "merge", PLAIN, mint(DECLARED))
    assert meant(three, SPLIT) == merged
    assert meant(three, PLAIN) == {ALPHA, (DECLARED, "Alpha Beast")}
    assert not found_in(three)
    run(three, "review", "--undo")
    run(three, "review", "--undo")
    assert meant(three, SPLIT) == {BETA}


def test_what_was_split_is_merged_again_by_its_ids_or_by_its_text(three: Path) -> None:
    for given in ((PLAIN, SPLIT), (SPLIT, PLAIN), (DRAWS, DRAWS)):
        decide(three, "split", PLAIN, "--card", "Beta Beast")
        assert "already" not in run(three, "review", "--decide", "merge", *given)
        assert meant(three, SPLIT) == {ALPHA, BETA}
        run(three, "review", "--undo")
        assert meant(three, SPLIT) == {BETA}
        run(three, "review", "--undo")
