"""The N-th ruling of a card is the same on its page of the site, in `show`, in `cite CARD N` and in the service."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from indexer import build
from rulings import store
from rulings.card_page import pages_of
from rulings.ids import mint
from rulings.model import Card, Change, Knowledge, Occurrence, Ruling, Source
from search.citing import citations
from search.cli.site_command import write_site
from search.service.app import App, Request
from search.showing import CardView

TEXTS = sorted((f"The {n} of them may be said at any time." for n in ("first", "second", "third", "fourth")), key=mint)
OWN = TEXTS[::-1]  # so that ids sort otherwise than positions
SHARED = sorted((f"Cards share what is said {n}." for n in ("here", "there", "now", "then")), key=mint)[::-1]
GONE = "Was said once."


def on(text: str, date: str, position: int, *cards: str, topic: str = "energy", **more: object) -> Ruling:
    stands = tuple(Occurrence(card, date, "src", position=position) for card in cards)
    return Ruling(mint(text), text, topics=(topic,), occurrences=stands, **more)  # type: ignore[arg-type]


def knowledge() -> Knowledge:
    own = [on(text, "2020-01-01", n, "Opt") for n, text in enumerate(OWN)]
    # Of the topics on the card's page the one with more rulings comes first, wherever these stand.
    topics = ("combat", "energy", "energy", "energy")
    shared = [on(t, "2020-01-01", 9 + n, "Opt", "Shock", topic=topics[n]) for n, t in enumerate(SHARED)]
    gone = on(GONE, "2010-01-01", 0, "Opt", status="withdrawn", history=(Change("2021-01-01", "withdrawn"),))
    # With the first and the last day left to others, a site need not be arranged anew for a ruling of a new day.
    others = [on(f"Another of {day}.", day, 0, "Shock") for day in ("2015-01-01", "2023-01-01")]
    cards = (Card("Opt", oracle_text="Draw a card."), Card("Shock", oracle_text="{R}"))
    sources = (Source("src", "2024-01-01"),)
    return Knowledge(tuple(sorted((*own, *shared, gone, *others), key=lambda r: r.id)), cards, sources)


class Base:
    """A base, and the texts of a card by their numbers, wherever it counts them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        store.save(folder, knowledge())
        self.text = {r.id: r.text for r in knowledge().rulings}

    def shown(self) -> list[str]:
        with_numbers = CardView(*self._opt()).rulings()
        assert [n for n, _, _ in with_numbers] == list(range(1, len(with_numbers) + 1))
        return [r.id for _, r, _ in with_numbers]

    def _opt(self) -> tuple[build.snapshot.Snapshot, Card]:
        snapshot = build.ensure(self.folder).snapshot()
        return snapshot, snapshot.find_cards("Opt")[0]

    def cited(self) -> list[str]:
        snapshot, _ = self._opt()
        return [citations(snapshot, "Opt", number=n + 1)[0].id for n in range(len(self.shown()))]

    def served(self) -> list[str]:
        rows = App(self.folder).answer(Request("GET", "/api/v1/cards/Opt/rulings", {})).body["rulings"]
        return [row["id"] for row in sorted(rows, key=lambda row: int(row["number"]))]

    def on_site(self, name: str, compact: bool) -> list[str]:
        out = self.folder / name
        write_site(self.folder, build.ensure(self.folder), out, compact=compact)
        page = (out / "card/opt/index.html").read_text(encoding="utf-8")
        rows = re.findall(r'<li class="ruling[^"]*" id="(r-\w+)">.*?>Ruling </span>(\d+)</b>', page, re.S)
        own = rows[: len(OWN)]
        assert [number for _, number in own] == [str(n + 1) for n in range(len(own))]
        return [ruling_id for ruling_id, number in sorted(rows, key=lambda row: int(row[1]))]


def in_file(base: Base, text: str, edit: Callable[[str], str]) -> None:
    """Edits a ruling where it lies, as a person would."""
    for path in (base.folder / "rulings").rglob("*.yaml"):
        head, *rulings = re.split(r"(?m)^(?=- id: )", path.read_text(encoding="utf-8"))
        edited = [edit(r) if text in r else r for r in rulings]
        path.write_text(head + "".join(edited), encoding="utf-8")


def reworded(base: Base) -> list[str]:
    in_file(base, OWN[1], lambda r: r.replace(OWN[1], "It is worded anew."))
    return [*OWN, *SHARED]


def dated(base: Base) -> list[str]:
    in_file(base, OWN[0], lambda r: r.replace("2020-01-01", "2022-02-02"))
    in_file(base, SHARED[2], lambda r: r.replace("2020-01-01", "2019-02-02"))
    return [*OWN[1:], OWN[0], SHARED[2], SHARED[0], SHARED[1], SHARED[3]]


def placed(base: Base) -> list[str]:
    """A newer state of the source has them in another order."""
    path = base.folder / "cards.jsonl"
    cards = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    opt = next(card for card in cards if card["name"] == "Opt")
    opt["page"] = opt["page"][::-1]
    path.write_text("".join(json.dumps(card) + "\n" for card in cards), encoding="utf-8")
    return [*OWN[::-1], *SHARED[::-1]]


def nothing(base: Base) -> list[str]:
    return [*OWN, *SHARED]


@pytest.mark.parametrize("compact", [False, True])
@pytest.mark.parametrize("edit", [nothing, reworded, dated, placed])
def test_a_number_means_the_same_ruling_everywhere(
    edit: Callable[[Base], list[str]], compact: bool, tmp_path: Path
) -> None:
    base = Base(tmp_path / "kb")
    assert base.on_site("site", compact) == [mint(text) for text in (*OWN, *SHARED)]
    live = [mint(text) for text in edit(base)]  # an edited ruling keeps the id of its first wording
    assert base.on_site("site", compact) == live
    assert base.shown() == base.cited() == base.served() == [*live, mint(GONE)]
    assert base.on_site("fresh", compact) == live
    trees = [
        {p.relative_to(base.folder / name): p.read_bytes() for p in (base.folder / name).rglob("*") if p.is_file()}
        for name in ("site", "fresh")
    ]
    assert trees[0] == trees[1]


def test_an_old_date_comes_first_and_none_last() -> None:
    rulings = [
        on("a", "2020-01-01", 5, "X"),
        replace(on("b", "", 0, "X"), occurrences=(Occurrence("X", None, "src"),)),
        on("c", "2019-01-01", 9, "X"),
        on("d", "2020-01-01", 4, "X"),
    ]
    assert pages_of(rulings, ()) == {("X", ""): tuple(mint(text) for text in "cdab")}


def test_a_ruling_that_does_not_tell_which_card_of_a_name_stands_on_each() -> None:
    told = replace(on("a", "", 0, "X"), occurrences=(Occurrence("X", None, "src", oracle_id="2"),))
    untold = on("b", "2020-01-01", 0, "X")
    pages = pages_of([told, untold], (Card("X", "1"), Card("X", "2")))
    assert pages == {("X", "1"): (untold.id,), ("X", "2"): (untold.id, told.id)}
