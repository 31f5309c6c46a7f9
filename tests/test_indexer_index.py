"""The search index: an update gives what a full build gives, and damage is noticed."""

from __future__ import annotations

import random
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from indexer.index import update_index, write_index
from indexer.index_document import Document, documents, lower_case_keys, stream, terms
from indexer.index_format import is_whole, looks_whole
from rulings import store
from rulings.ids import mint
from rulings.model import Card, Knowledge, Occurrence, Ruling, Variant
from search.results import Searcher

WORDS = "energy counter target creature can't resolve exile copy token {E} +1/+1 the a card spell".split()


def made(seed: int, size: int = 40) -> tuple[Ruling, ...]:
    rng = random.Random(seed)
    found = {}
    for _ in range(size):
        text = " ".join(rng.choices(WORDS, k=rng.randint(3, 9)))
        cards = rng.sample(["Opt", "Fog", "Grave Pact", "Lim-Dûl's Vault", "Zuran Orb"], rng.randint(1, 3))
        occurrences = tuple(Occurrence(card, f"20{rng.randint(10, 24)}-01-01", "wotc") for card in cards)
        found[mint(text)] = Ruling(
            mint(text), text, occurrences=occurrences, topics=(rng.choice(["energy", "copying"]),)
        )
    return tuple(found.values())


CARDS = tuple(Card(name) for name in ("Opt", "Fog", "Grave Pact", "Lim-Dûl's Vault", "Zuran Orb"))
QUERIES = (
    "energy counter",
    "exile copy token",
    "{E}",
    '"target creature"',
    "topic:energy",
    "opt resolve",
    "grave pact",
    "date:2012..2018",
)


def answers(folder: Path) -> list[object]:
    searcher = Searcher(folder)
    found = [searcher.search(query, limit=50, facets=True).to_json() for query in QUERIES]
    searcher.close()
    return found


@pytest.mark.parametrize("seed", range(4))
def test_an_update_answers_as_a_full_build_does(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    rulings = list(made(seed))
    write_index(Knowledge(rulings=tuple(rulings), cards=CARDS), tmp_path / "0")
    for step in range(1, 4):
        rulings.pop(rng.randrange(len(rulings)))
        at = rng.randrange(len(rulings))
        old = rulings[at]
        rulings[at] = replace(
            old, text=f"{old.text} exile Energy", variants=(Variant("v1", "older-wording", old.text),)
        )
        rulings.append(
            Ruling(
                mint(f"New token {step} copies"),
                f"New token {step} copies",
                occurrences=(Occurrence("Opt", None, "x"),),
            )
        )
        knowledge = Knowledge(rulings=tuple(rulings), cards=CARDS)
        write_index(knowledge, tmp_path / str(step), previous=tmp_path / str(step - 1))
        write_index(knowledge, tmp_path / f"full{step}")
        assert is_whole(tmp_path / str(step))
        assert answers(tmp_path / str(step)) == answers(tmp_path / f"full{step}")


@pytest.mark.parametrize("seed", range(3))
def test_edited_rulings_are_put_in_place(tmp_path: Path, seed: int) -> None:
    rulings = list(made(seed))
    write_index(Knowledge(rulings=tuple(rulings), cards=CARDS), tmp_path / "i")
    edited = [replace(r, text=f"{r.text} You opt.", topics=("life",), see=("107.14",)) for r in rulings[3:6]]
    assert update_index(tmp_path / "i", edited, cards=CARDS, bears={edited[0].id: ["608.2b"]})
    knowledge = Knowledge(rulings=(*rulings[:3], *edited, *rulings[6:]), cards=CARDS)
    write_index(knowledge, tmp_path / "full", bears={edited[0].id: ["608.2b"]})
    assert is_whole(tmp_path / "i")
    assert answers(tmp_path / "i") == answers(tmp_path / "full")
    assert not update_index(tmp_path / "i", [replace(edited[0], id="r-00000000")], cards=CARDS)
    assert is_whole(tmp_path / "i")


def test_changed_cards_call_for_a_full_build(tmp_path: Path) -> None:
    rulings = made(1)
    write_index(Knowledge(rulings=rulings, cards=CARDS), tmp_path / "0")
    cards = (*CARDS[1:], Card("Opt", foreign_names=("Opter",)))
    write_index(Knowledge(rulings=rulings, cards=cards), tmp_path / "1", previous=tmp_path / "0")
    assert Searcher(tmp_path / "1").search("card:Opter").total == Searcher(tmp_path / "0").search("card:Opt").total


def test_an_empty_base_has_an_index(tmp_path: Path) -> None:
    write_index(Knowledge(), tmp_path / "i")
    assert Searcher(tmp_path / "i").search("energy", facets=True).total == 0


def test_one_flipped_byte_is_noticed(tmp_path: Path) -> None:
    write_index(Knowledge(rulings=made(2)), tmp_path / "i")
    assert is_whole(tmp_path / "i")
    for path in sorted(p for p in (tmp_path / "i").rglob("*") if p.is_file()):
        data = bytearray(path.read_bytes())
        data[len(data) // 2] ^= 1
        path.write_bytes(data)
        assert not is_whole(tmp_path / "i"), path
        data[len(data) // 2] ^= 1
        path.write_bytes(data)
    assert is_whole(tmp_path / "i") and looks_whole(tmp_path / "i")
    assert not is_whole(tmp_path / "nothing")


def test_no_pickle_of_ours_and_plain_tables(tmp_path: Path) -> None:
    write_index(Knowledge(rulings=made(3)), tmp_path / "i")
    with sqlite3.connect(tmp_path / "i/search.sqlite") as db:
        types = {row[0] for row in db.execute("select distinct typeof(source) from doc")}
    assert types == {"text"}


def test_documents_survive_json(sample: Path) -> None:
    for document in documents(store.load(sample).knowledge):
        assert Document.from_json(document.to_json()) == document
        assert all(0 < weight <= 220 for weight in terms(document).values())
        assert stream(document).startswith(" ") and stream(document).endswith(" ")


def test_a_name_in_lower_case_is_an_ordinary_use() -> None:
    document = next(iter(documents(Knowledge(rulings=(Ruling("r-1", "Opt resolves. You opt for fog or Fog."),)))))
    assert lower_case_keys(document, lambda key: key in ("opt", "fog", "resolv")) == {"opt", "fog", "resolv"}
