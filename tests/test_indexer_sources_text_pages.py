"""Pages of rulings: the seeds exactly, and every natural way to write or paste such a page."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.sources import Batch, ReadOptions, read
from indexer.sources.text_pages import _title

PAGES = Path(__file__).parents[1] / "rulings" / "sample" / "pages"

A = "Energy counters are a kind of counter that a player may have."
B = "{E} is the energy symbol. It represents one energy counter."
C = "You won't get any {E}."


def page(tmp_path: Path, text: str | bytes, *, date_order: str | None = None, name: str = "page.txt") -> Batch:
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read(path, options=ReadOptions(date_order=date_order))


def facts(batch: Batch) -> list[tuple[str, str, str | None, str | None]]:
    return [(r.card, r.text, r.date, r.publisher) for r in batch.rulings]


@pytest.mark.parametrize(
    ("name", "card", "count", "dates"),
    [
        ("behemoth-of-vault-0.txt", "Behemoth of Vault 0", 11, {"2024-03-08"}),
        ("confiscation-coup.txt", "Confiscation Coup", 15, {"2024-06-07", "2018-01-19", "2016-09-20"}),
        ("deadlock-trap.txt", "Deadlock Trap", 16, {None}),
    ],
)
def test_seeds(name: str, card: str, count: int, dates: set[str | None]) -> None:
    batch = read(PAGES / name)
    assert (batch.format, batch.source, batch.coverage) == ("text-pages", "text-pages", "cards")
    assert not batch.problems
    assert {r.card for r in batch.rulings} == {card}
    assert len(batch.rulings) == count
    assert {r.date for r in batch.rulings} == dates
    assert [r.position for r in batch.rulings] == list(range(count))
    raw = (PAGES / name).read_text(encoding="utf-8").split("\n")
    for ruling in batch.rulings:  # verbatim, and where the locator says
        assert ruling.text == raw[int(ruling.locator.rpartition(":")[2]) - 1]


ATTRIBUTIONS = [
    ("Wotc — March 08, 2024", "2024-03-08", "wotc"),
    ("WOTC – March 8, 2024", "2024-03-08", "wotc"),
    ("Wotc - 2024-03-08", "2024-03-08", "wotc"),
    ("Scryfall — 8 March 2024", "2024-03-08", "scryfall"),
    ("Wizards of the Coast, 8th of March, 2024", "2024-03-08", "wotc"),
    ("(2024-03-08)", "2024-03-08", None),
    ("[Wotc, March 8th, 2024]", "2024-03-08", "wotc"),
    ("March 8, 2024 — Wotc", "2024-03-08", "wotc"),
    ("Wotc\u00a0—\u00a0Mar. 8, 2024", "2024-03-08", "wotc"),
    ("— Friday, March 8, 2024", "2024-03-08", None),
    ("13/06/2017", "2017-06-13", None),
    ("4/15/2013", "2013-04-15", None),
    ("Wotc — 6/6/2024", "2024-06-06", "wotc"),
]


@pytest.mark.parametrize(("line", "date", "publisher"), ATTRIBUTIONS)
def test_attribution_lines_after_and_before(tmp_path: Path, line: str, date: str, publisher: str | None) -> None:
    after = page(tmp_path, f"Deadlock Trap\n\n{A}\n\n{line}\n\n{B}\n\n{line}\n")
    before = page(tmp_path, f"Deadlock Trap\n\n{line}\n\n{A}\n\n{line}\n\n{B}\n")
    expected = [("Deadlock Trap", A, date, publisher), ("Deadlock Trap", B, date, publisher)]
    assert facts(after) == expected
    assert facts(before) == expected


@pytest.mark.parametrize(
    "form",
    ["{text} (2016-09-20)", "[September 20, 2016] {text}", "2016-09-20: {text}", "{text} — Wotc, September 20, 2016"],
)
def test_dates_within_the_paragraph(tmp_path: Path, form: str) -> None:
    batch = page(tmp_path, "Deadlock Trap\n\n" + "\n\n".join(form.format(text=t) for t in (A, B)))
    assert [(r.text, r.date) for r in batch.rulings] == [(A, "2016-09-20"), (B, "2016-09-20")]


def test_a_dated_ruling_may_span_paragraphs_and_bullets(tmp_path: Path) -> None:
    batch = page(tmp_path, f"Ajani\n\n{A}\n\n• one\n• two\n\nWotc — March 08, 2024\n\n{B}\nWotc — March 08, 2024\n")
    assert [r.text for r in batch.rulings] == [f"{A}\n\n• one\n• two", B]


def test_lists_and_wrapped_lines_are_the_page_not_the_ruling(tmp_path: Path) -> None:
    bullets = page(tmp_path, f"Ajani\n\n* {A}\n* {B}\n")
    numbers = page(tmp_path, f"Ajani\n\n1. {A}\n\n2. {B}\n")
    dated = page(tmp_path, f"Ajani\n\n1. {A}\nWotc — March 08, 2024\n2. {B}\nWotc — March 08, 2024\n")
    wrapped = page(tmp_path, f"Ajani\n\n{A}\n\n{B}\n".replace(" kind of ", " kind\nof "))
    tight = page(tmp_path, f"Ajani\n{A}\n{B}\n")
    for batch in (bullets, numbers, dated, tight, wrapped):
        assert [r.text for r in batch.rulings] == [A, B]


@pytest.mark.parametrize(
    "encode",
    [
        lambda t: t.replace("\n", "\r\n").encode(),
        lambda t: t.encode("utf-8-sig"),
        lambda t: t.encode("utf-16"),
        lambda t: t.replace("\n\n", "\n\u00a0\n").encode(),
        lambda t: t.replace("\n", "\r").encode(),
    ],
)
def test_what_editors_do_to_files(tmp_path: Path, encode: object) -> None:
    text = f"Deadlock Trap\n\n{A}\n\nWotc — March 08, 2024\n"
    batch = page(tmp_path, encode(text))  # type: ignore[operator]
    assert facts(batch) == [("Deadlock Trap", A, "2024-03-08", "wotc")]


@pytest.mark.parametrize(
    "text",
    [
        f"Ajani\n\n{A}\n\nLim-Dûl the Necromancer\n\n{B}\n",
        f"# Ajani\n\n{A}\n\n# Lim-Dûl the Necromancer\n\n{B}\n",
        f"Ajani\n=====\n{A}\n\nLim-Dûl the Necromancer\n-----\n\n{B}\n",
        f"Ajani\n\n{A}\n\n---\n\nLim-Dûl the Necromancer\n\n{B}\n",
        f"Ajani\n\n{A}\n\fLim-Dûl the Necromancer\n\n{B}\n",
        f"Rulings for Ajani:\n\n{A}\n\nNotes and Rules Information for Lim-Dûl the Necromancer:\n\n{B}",
    ],
)
def test_several_cards_in_one_file(tmp_path: Path, text: str) -> None:
    batch = page(tmp_path, text)
    assert [(r.card, r.text) for r in batch.rulings] == [("Ajani", A), ("Lim-Dûl the Necromancer", B)]
    assert [r.position for r in batch.rulings] == [0, 0]


def test_several_dated_cards(tmp_path: Path) -> None:
    by = "Wotc — March 08, 2024"
    batch = page(tmp_path, f"Ajani\n\n{A}\n\n{by}\n\n{B}\n\n{by}\n\nDeadlock Trap\n\n{C}\n\n{by}\n")
    assert [(r.card, r.text) for r in batch.rulings] == [("Ajani", A), ("Ajani", B), ("Deadlock Trap", C)]


def test_a_ruler_between_rulings_is_no_new_card(tmp_path: Path) -> None:
    batch = page(tmp_path, f"Ajani\n\n{A}\n\n---\n\n{B}\n")
    assert [(r.card, r.text) for r in batch.rulings] == [("Ajani", A), ("Ajani", B)]


def test_ambiguous_date_is_refused_unless_the_order_is_said(tmp_path: Path) -> None:
    text = f"Deadlock Trap\n\n{A}\n\nWotc — 8/11/2024\n\n{B}\n\nWotc — June 7, 2024\n"
    refused = page(tmp_path, text)
    assert [r.text for r in refused.rulings] == [B]  # the rest goes on
    (one,) = refused.quarantined
    assert (one.kind, one.line, one.record["comment"], one.record["card"]) == ("ambiguous-date", 5, A, "Deadlock Trap")
    assert "--date-order" in str(refused.problems[0])
    assert [r.date for r in page(tmp_path, text, date_order="dmy").rulings] == ["2024-11-08", "2024-06-07"]
    assert [r.date for r in page(tmp_path, text, date_order="mdy").rulings] == ["2024-08-11", "2024-06-07"]


@pytest.mark.parametrize(
    ("text", "kind", "line"),
    [
        (f"Deadlock Trap\n\n{A}\n\nWotc — 31 February 2024\n", "bad-date", 5),
        (f"Deadlock Trap\n\n{A}\n\nWotc — some day\n", "bad-date", 5),
        (f"Deadlock Trap\n\n{A}\n\nWotc — March 8, 1924\n", "bad-date", 5),
        ("Deadlock Trap\n\nWotc — March 08, 2024\n\nWotc — March 08, 2024\n", "no-text", 3),
        (f"Deadlock Trap\n\n{A}\n\nWotc — March 08, 2024\n\n{B}\n", "no-attribution", 7),
        ("The ability resolves after all, and nothing at all happens to it.\n\nIt is so.", "no-card", 1),
        ("Deadlock Trap\n\nThe ability â€” if any â€” resolves.\n", "mojibake", 3),
    ],
)
def test_what_cannot_be_understood_is_quarantined_with_its_line(
    tmp_path: Path, text: str, kind: str, line: int
) -> None:
    batch = page(tmp_path, text)
    assert (batch.quarantined[0].kind, batch.quarantined[0].line) == (kind, line)
    assert batch.problems[0].line == line


NAMES = [
    "+2 Mace",
    "1996 World Champion",
    "Circle of Protection: Red",
    '"Ach! Hans, Run!"',
    "_____",
    'Kongming, "Sleeping Dragon"',
    "Borrowing 100,000 Arrows",
    "Look at Me, I'm R&D",
    "B.F.M. (Big Furry Monster)",
    "Who // What // When // Where // Why",
    "Lim-Dûl's Vault",
    "Erase (Not the Urza's Legacy One)",
    "X",
    "Dr. Julius Jumblemorph",
    "Our Market Research Shows That Players Like Really Long Card Names So We Made this Card to Have the Absolute "
    "Longest Card Name Ever Elemental",
]


@pytest.mark.parametrize("name", NAMES)
def test_hard_names_head_a_page(tmp_path: Path, name: str) -> None:
    batch = page(tmp_path, f"{name}\n\n{A}\n\n{B}\n")
    assert [(r.card, r.text) for r in batch.rulings] == [(name, A), (name, B)]


@pytest.mark.parametrize("line", [A, "It resolves.", "flying", "If you do, draw a card", "You choose:", "No!"])
def test_no_titles(line: str) -> None:
    assert not _title(line)


@given(
    st.lists(st.sampled_from([A, B, C, "[+1] and [basic land] stay.", "Wotc — June 7, 2024", "", "---"]), max_size=12)
)
def test_no_text_is_ever_lost(tmp_path_factory: pytest.TempPathFactory, lines: list[str]) -> None:
    batch = page(tmp_path_factory.mktemp("pages"), "Deadlock Trap\n\n" + "\n\n".join(lines))
    kept = "\n".join([r.text for r in batch.rulings] + [str(q.record.get("comment")) for q in batch.quarantined])
    for line in lines:
        if line and line != "---" and not line.startswith("Wotc"):
            assert line in kept
