"""Citations out of a base: ids, short citations, cards."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from rulings import snapshot
from rulings.errors import UsageError
from rulings.ids import mint
from rulings.model import Knowledge, Occurrence, Ruling, Source, Variant
from search.citing import citations, cite_text
from search.finding import NotFound
from search.showing import CardView

NEW = "The artifact usually can't be attached to another creature."
OLD = "The artifact can't be attached to another creature."
ENERGY = "{E} is the energy symbol. It represents one energy counter."


def on(card: str, date: str | None, variant: str | None = None, gone: str | None = None) -> Occurrence:
    return Occurrence(card, date, "mtgjson", variant, missing_since=gone)


BASE = Knowledge(
    rulings=(
        Ruling(
            mint(OLD),
            NEW,
            variants=(Variant("v2", "older-wording", OLD),),
            occurrences=(on("Karn", "2017-07-14"), on("Karn", "2017-07-14", "v2", "2022-04-25")),
        ),
        Ruling(mint(ENERGY), ENERGY, see=("107.14",), occurrences=(on("Aether Hub", "2024-03-08"), on("Karn", None))),
        Ruling("r-11111111", "Gone from the page.", occurrences=(on("Karn", "2010-01-01", None, "2019-07-21"),)),
    ),
    sources=(Source("mtgjson", "2026-01-03"),),
)


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[snapshot.Snapshot]:
    path = tmp_path_factory.mktemp("citing") / "snapshot.sqlite"
    bears = {mint(ENERGY): [snapshot.Bearing("122.1", "counters", 0.8), snapshot.Bearing("100.1", "a guess", 0.1)]}
    snapshot.write(path, BASE, lines={}, meta={"rules_effective": "2026-04-17"}, bears=bears)
    opened = snapshot.Snapshot(path)
    yield opened
    opened.close()


def test_by_id_with_the_rules_that_bear_on_it(base: snapshot.Snapshot) -> None:
    (got,) = citations(base, "r-0pcdnc32", card="Aether Hub")
    assert (got.text, got.card, got.rules, got.rules_effective) == (
        ENERGY, "Aether Hub", ("107.14", "122.1"), "2026-04-17",
    )  # fmt: skip


def test_an_alias_is_told(base: snapshot.Snapshot) -> None:
    (got,) = citations(base, mint(NEW))
    assert got.id == mint(OLD)
    assert got.notes == (f"{mint(NEW)} is now {mint(OLD)}",)


def test_a_short_citation_names_the_card(base: snapshot.Snapshot) -> None:
    (got,) = citations(base, "[Karn undated 0pc]")
    assert (got.card, got.date, got.short) == ("Karn", None, "[Karn undated 0pc]")


def test_a_card_gives_what_is_on_its_page(base: snapshot.Snapshot) -> None:
    assert [c.text for c in citations(base, "karn")] == [NEW, ENERGY]
    assert {c.text for c in citations(base, "Karn", as_of="2018-01-01")} == {OLD, ENERGY, "Gone from the page."}


def test_one_ruling_of_a_card(base: snapshot.Snapshot) -> None:
    (got,) = citations(base, "Karn", number=2)
    assert got.text == NEW
    with pytest.raises(UsageError, match="3 rulings, not 4"):
        citations(base, "Karn", number=4)


def test_errors(base: snapshot.Snapshot) -> None:
    for asked in ("r-zzzzzzzz", "Forest", "[Karn 2017-07-14 zzz]"):
        with pytest.raises(NotFound):
            citations(base, asked)
    with pytest.raises(UsageError, match="no date"):
        citations(base, "Karn", as_of="yesterday")
    with pytest.raises(UsageError, match="not on Forest"):
        citations(base, "r-0pcdnc32", card="Forest")


def test_parts(base: snapshot.Snapshot) -> None:
    text = cite_text(base, "Karn", style="discord", max_chars=300)
    assert text.count("-----") == 1
    assert cite_text(base, "Karn", style="short") == f"[Karn 2017-07-14 {mint(OLD)[2:5]}]\n[Karn undated 0pc]"


def test_a_number_counts_as_show_lists_the_rulings(base: snapshot.Snapshot) -> None:
    listed = CardView(base, base.find_cards("Karn")[0]).rulings()
    assert [n for n, _, _ in listed] == [1, 2, 3]
    assert listed[-1][1].id == mint(ENERGY)
    assert [c.id for n in range(1, 4) for c in citations(base, "Karn", number=n)] == [r.id for _, r, _ in listed]
