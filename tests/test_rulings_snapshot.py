"""The snapshot gives back what the base holds, and says what an id means."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulings import snapshot
from rulings.ids import mint
from rulings.model import Card, Face, Knowledge, Occurrence, Review, Ruling, Tombstone, Variant

SHARED_TEXT = "~ can't attack."
KNOWLEDGE = Knowledge(
    rulings=(
        Ruling(
            "r-0pcdnc32",
            SHARED_TEXT,
            variants=(Variant("v2", "typo", "~ cant attack."),),
            occurrences=(Occurrence("Fire // Ice", "2020-01-01", "s"), Occurrence("Opt", None, "s", "v2")),
            aliases=("r-00000001",),
        ),
        Ruling("r-f1fzfjax", "Alone.", occurrences=(Occurrence("Opt", "2016-01-01", "s", position=1),)),
    ),
    cards=(
        Card("Fire // Ice", "o-1", faces=(Face("Fire"), Face("Ice")), foreign_names=("Feuer",)),
        Card("Opt", "o-2", former_names=("Choose",)),
        Card("Twin", "o-3"),
        Card("Twin", "o-4"),
    ),
    tombstones=(Tombstone("r-11111111", "printed by mistake"),),
    reviews=(Review("~ can't attack.", "Alone.", "r-0pcdnc32", "r-f1fzfjax", "reworded", "nothing in common"),),
)


@pytest.fixture
def written(tmp_path: Path) -> snapshot.Snapshot:
    bears = {"r-f1fzfjax": [snapshot.Bearing("608.2b", "because", 0.9)]}
    path = tmp_path / "s.sqlite"
    lines = {"r-f1fzfjax": ("rulings/2016/2016-01-01.yaml", 3)}
    snapshot.write(path, KNOWLEDGE, lines=lines, meta={"as_of": "2024"}, bears=bears, why_topics={})
    return snapshot.Snapshot(path)


# (asked, kind, id)
IDS = [
    ("r-0pcdnc32", "current", "r-0pcdnc32"),
    ("R-OPCDNC32", "current", "r-0pcdnc32"),
    ("r-00000001", "alias", "r-0pcdnc32"),
    (mint("Opt cant attack."), "alias", "r-0pcdnc32"),
    (mint("Fire // Ice can't attack."), "alias", "r-0pcdnc32"),
    (mint("~ can't attack."), "unknown", None),  # how it is kept, not what a page says
    ("r-11111111", "tombstone", None),
    ("r-zzzzzzzz", "unknown", None),
    ("nonsense", "unknown", None),
]


@pytest.mark.parametrize(("asked", "kind", "meant"), IDS)
def test_what_an_id_means(written: snapshot.Snapshot, asked: str, kind: str, meant: str | None) -> None:
    found = written.resolve(asked)
    assert (found.kind, found.id) == (kind, meant)


def test_rulings_and_cards_come_back(written: snapshot.Snapshot) -> None:
    assert [r.text for r in written.rulings()] == [SHARED_TEXT, "Alone."]
    assert list(written.cards()) == list(KNOWLEDGE.cards)
    assert written.bearing_on("608.2b") == ("r-f1fzfjax",)
    assert written.place("r-f1fzfjax") == ("rulings/2016/2016-01-01.yaml", 3)
    assert written.as_of == "2024"
    assert written.reviews == KNOWLEDGE.reviews
    assert written.card("Twin", "o-4") == KNOWLEDGE.cards[3] and written.card("Twin", "o-9") is None
    assert {i: [b.number for b in found] for i, found in written.all_bears().items()} == {"r-f1fzfjax": ["608.2b"]}


def test_a_page_is_by_date_with_undated_last(written: snapshot.Snapshot) -> None:
    (card,) = written.find_cards("opt")
    assert written.page(card) == ("r-f1fzfjax", "r-0pcdnc32")


# (written, names found)
NAMES = [
    ("Ice", ["Fire // Ice"]),
    ("fire//ice", ["Fire // Ice"]),
    ("feuer", ["Fire // Ice"]),
    ("choose", ["Opt"]),
    ("twin", ["Twin", "Twin"]),
    ("nobody", []),
]


@pytest.mark.parametrize(("name", "found"), NAMES)
def test_cards_are_found_by_every_name(written: snapshot.Snapshot, name: str, found: list[str]) -> None:
    assert [card.name for card in written.find_cards(name)] == found


def test_an_edited_ruling_is_put_in(tmp_path: Path, written: snapshot.Snapshot) -> None:
    from dataclasses import replace

    before = written.prints()
    written.close()
    edited = replace(KNOWLEDGE.rulings[1], text="Alone and changed.")
    why = {"r-f1fzfjax": {"energy": "the words"}}
    snapshot.update(
        tmp_path / "s.sqlite",
        [edited],
        lines={"r-f1fzfjax": ("rulings/2016/2016-01-01.yaml", 9)},
        bears={"r-f1fzfjax": []},
        why_topics=why,
    )
    after = snapshot.Snapshot(tmp_path / "s.sqlite")
    found = after.ruling("r-f1fzfjax")
    assert found is not None and found.text == "Alone and changed."
    prints = after.prints()
    assert {i for i in before if before[i] != prints[i]} == {"r-f1fzfjax"}  # a print tells of a change
    fresh = tmp_path / "fresh.sqlite"
    again = replace(KNOWLEDGE, rulings=(KNOWLEDGE.rulings[0], edited))
    snapshot.write(fresh, again, lines={}, meta={})
    assert snapshot.Snapshot(fresh).prints() == prints  # and not of how the snapshot came to be
    assert after.resolve(mint("Alone and changed.")).id == "r-f1fzfjax"
    assert after.bearing_on("608.2b") == ()
    assert after.place("r-f1fzfjax") == ("rulings/2016/2016-01-01.yaml", 9)
