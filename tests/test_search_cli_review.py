"""`rulings review --decide`: what is refused, what is said, and which text a split takes out of a ruling."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from indexer import deciding, ingest
from indexer.sample import import_sample, make_base
from rulings import store
from rulings.errors import UsageError
from rulings.model import Decision, Ruling
from rulings.snapshot import mints_of, wordings_of
from search.cli import cli


@pytest.mark.parametrize("card", ["Confiscation Coup", "deadlock trap"])  # the second alone has lost the symbol
def test_a_split_by_id_takes_the_text_that_stands_on_the_card(own_cache: Path, tmp_path: Path, card: str) -> None:
    base = tmp_path / "base"
    make_base(base)
    import_sample(base)
    before = store.load(base).knowledge
    again = ["--kb", str(base), "review", "--decide", "split", "r-0pcdnc32", "--card", card]
    done = CliRunner().invoke(cli, again)
    assert done.exit_code == 0, done.output
    after = store.load(base).knowledge
    assert len(after.rulings) == len(before.rulings) + 1
    kept = next(r for r in after.rulings if r.id == "r-0pcdnc32")
    assert card.lower() not in {o.card.lower() for o in kept.occurrences}
    refused = CliRunner().invoke(cli, again)
    assert "does not stand on" in (refused.output + str(refused.exception))


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    base = tmp_path_factory.mktemp("review") / "base"
    make_base(base)
    import_sample(base)
    return base


@pytest.fixture
def base(own_cache: Path, sample: Path, tmp_path: Path) -> Path:
    return shutil.copytree(sample, tmp_path / "base")


def decide(base: Path, kind: str, *rest: str) -> tuple[int, str]:
    done = CliRunner().invoke(cli, ["--kb", str(base), "review", "--decide", kind, *rest])
    return done.exit_code, done.output + str(done.exception or "")


ENERGY = "{E} is the energy symbol. It represents one energy counter."
LOST = "is the energy symbol. It represents one energy counter."
TAPPED = "A tapped planeswalker can be attacked or dealt damage as normal."


@pytest.mark.parametrize(
    ("kind", "texts", "says"),
    [
        ("merge", ("foo", "bar"), 'no ruling here has the wording "foo"'),
        ("supersede", (ENERGY, "no such words"), 'no ruling here has the wording "no such words"'),
        ("withdraw", ("no such words",), "rulings search"),
        ("split", ("no such words", "--card", "Deadlock Trap"), "no ruling here has the wording"),
        ("merge", (ENERGY, ENERGY), "one and the same wording"),
        ("apart", ("r-0pcdnc32", f" {ENERGY}"), "one and the same wording"),
        ("supersede", (ENERGY, ENERGY), "one and the same wording"),
        ("split", ("r-4p59tnm1", "--card", "Confiscation Coup"), "does not stand on Confiscation Coup"),
        ("split", ("r-4p59tnm1", "--card", "Deadlock Trap"), "shares no such ruling"),
    ],
)
def test_what_no_ruling_holds_is_refused(base: Path, kind: str, texts: tuple[str, ...], says: str) -> None:
    done = CliRunner().invoke(cli, ["--kb", str(base), "review", "--decide", kind, *texts])
    assert isinstance(done.exception, UsageError)  # exit 2
    assert says in str(done.exception) + done.exception.hint
    assert store.load(base).knowledge.decisions == ()


def test_what_is_so_already_is_said(base: Path) -> None:
    assert "They were one ruling already." in decide(base, "merge", ENERGY, LOST)[1]
    assert "They were apart already." in decide(base, "apart", ENERGY, TAPPED)[1]
    assert "already" not in decide(base, "apart", ENERGY, LOST)[1]
    assert "already" not in decide(base, "merge", ENERGY, LOST)[1]  # the later of one day holds
    assert any({ENERGY, LOST} <= wordings_of(r) for r in store.load(base).knowledge.rulings)


@pytest.mark.parametrize("ruling_id", ["r-0pcdnc32", "r-127qvxnc", "r-z14p8eqf"])
@pytest.mark.parametrize("card", ["Behemoth of Vault 0", "Confiscation Coup", "Deadlock Trap"])
def test_a_split_takes_out_that_card_alone(base: Path, ruling_id: str, card: str) -> None:
    before = {r.id: set(r.cards) for r in store.load(base).knowledge.rulings}
    code, output = decide(base, "split", ruling_id, "--card", card)
    assert code == 0, output
    after = {r.id: set(r.cards) for r in store.load(base).knowledge.rulings}
    mine, others = {card}, before[ruling_id] - {card}
    changed = [cards for i, cards in after.items() if before.get(i) != cards]
    assert len(changed) == 2
    assert mine in changed
    assert others in changed


def test_what_was_split_by_card_can_be_merged_again(base: Path) -> None:
    before = {r.id: r.cards for r in store.load(base).knowledge.rulings}
    assert decide(base, "split", "r-ftne7yyx", "--card", "Deadlock Trap")[0] == 0
    (made,) = {r.id for r in store.load(base).knowledge.rulings} - before.keys()
    code, output = decide(base, "merge", "r-ftne7yyx", made)
    assert code == 0, output
    assert {r.id: r.cards for r in store.load(base).knowledge.rulings} == before


def undo(base: Path) -> str:
    done = CliRunner().invoke(cli, ["--kb", str(base), "review", "--undo"])
    assert done.exit_code == 0, done.output
    return done.output


def held(base: Path) -> tuple[list[Ruling], tuple[Decision, ...]]:
    """The rulings of a base without their aliases, and its decisions."""
    knowledge = store.load(base).knowledge
    return [replace(r, aliases=()) for r in knowledge.rulings], knowledge.decisions


@pytest.mark.parametrize("ruling_id", ["r-0pcdnc32", "r-127qvxnc", "r-z14p8eqf"])
@pytest.mark.parametrize("card", ["Behemoth of Vault 0", "Confiscation Coup", "Deadlock Trap"])
def test_undo_takes_a_whole_split_back_and_its_ids_still_resolve(base: Path, ruling_id: str, card: str) -> None:
    before = held(base)
    printed = set()
    for _ in range(2):  # what the cache knows of the split afterwards changes nothing
        assert decide(base, "split", ruling_id, "--card", card)[0] == 0
        printed |= {r.id for r in store.load(base).knowledge.rulings}
        assert "taken back" in undo(base)
        assert held(base) == before
    known = {i for r in store.load(base).knowledge.rulings for i in (*mints_of(r), *r.aliases, r.id)}
    assert printed <= known, "somebody may have cited them"


def test_undo_takes_back_the_last_step_alone(base: Path) -> None:
    assert decide(base, "split", "r-0pcdnc32", "--card", "Deadlock Trap")[0] == 0
    one = held(base)
    assert decide(base, "split", "r-0pcdnc32", "--card", "Confiscation Coup")[0] == 0
    undo(base)
    assert held(base) == one
    assert decide(base, "apart", ENERGY, TAPPED)[0] == 0
    undo(base)
    assert held(base) == one


def test_a_text_that_was_split_once_stands_once_on_each_card(base: Path) -> None:
    before = store.load(base).knowledge.rulings
    deciding.record(base, [Decision("split", ENERGY, card="Confiscation Coup")])
    deciding.record(base, undo=1)
    deciding.record(base, [Decision("apart", ENERGY, TAPPED)])
    assert [len(r.occurrences) for r in store.load(base).knowledge.rulings] == [len(r.occurrences) for r in before]


ENCHANTED = "A Vehicle enchanted by this becomes a 5/5 creature. Crewing it won't change its power and toughness."
TARGETED = "A Vehicle targeted by this becomes a 5/5 creature. Crewing it won't change its power and toughness."


@pytest.fixture
def doubtful(own_cache: Path, tmp_path: Path) -> Path:
    pages = [("Tezzeret's Touch", ENCHANTED), ("Tezzeret the Schemer", TARGETED)]
    for n, (card, text) in enumerate(pages):
        (tmp_path / f"{n}.txt").write_text(f"{card}\n\n{text}\n", encoding="utf-8")
    make_base(tmp_path / "doubtful")
    ingest.run(tmp_path / "doubtful", [tmp_path / "0.txt", tmp_path / "1.txt"], ingest.Options())
    return tmp_path / "doubtful"


def walk(base: Path, keys: str) -> str:
    done = CliRunner().invoke(cli, ["--kb", str(base), "review"], input="".join(f"{key}\n" for key in keys))
    assert done.exit_code == 0, done.output
    return done.output


def test_a_pair_is_shown_in_plain_words(doubtful: Path) -> None:
    said = walk(doubtful, "q")
    assert "A Vehicle [-enchanted-]{+targeted+} by this" in said
    assert "They look like two rulings." in said
    assert "proposed" not in said
    for key in "marsnq":
        assert f"\n  {key}  " in said.partition("Pair 1 of 1")[0]
    assert "m/a/s/r/n/q" in said  # nothing to take back yet
    assert walk(doubtful, "xq").count("not now: this pair waits") == 2  # a key that is none brings the help again


@pytest.mark.parametrize(
    ("keys", "rulings", "superseded"),
    [("n", 2, ()), ("q", 2, ()), ("m", 1, ()), ("a", 2, ()), ("s", 2, (ENCHANTED,)), ("r", 2, (TARGETED,))],
)
def test_each_key_does_what_it_says(doubtful: Path, keys: str, rulings: int, superseded: tuple[str, ...]) -> None:
    walk(doubtful, keys)
    after = store.load(doubtful).knowledge.rulings
    assert len(after) == rulings
    assert tuple(r.text for r in after if r.status == "superseded") == superseded
    assert ("Pair 1 of 1" in walk(doubtful, "q")) == (keys in "nq")
