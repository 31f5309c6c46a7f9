"""How rule numbers are written, cited and ordered."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulings.rules.number import LETTERS, find, parent, read, rule_number, sort_key

WRITTEN = [
    # (as people write it, number, alone)
    ("702.15b", "702.15b", False),
    ("CR 702.15b", "702.15b", False),
    ("cr702.15b", "702.15b", False),
    ("c.r. 702.15b", "702.15b", False),
    ("C.R.702.15B", "702.15b", False),
    ("rule 702.15b", "702.15b", False),
    ("Rules 702.15b", "702.15b", False),
    ("§702.15b", "702.15b", False),
    ("CR §702.15b", "702.15b", False),
    ("[702.15b]", "702.15b", False),
    ("Comprehensive Rules 608.2", "608.2", False),
    ("702.15", "702.15", False),
    # the full stop asks for the rule without its children
    ("702.15.", "702.15", True),
    ("702", "702", False),
    ("rule 7", "7", False),
    # the letter apart by a dot, as some old posts have it
    ("100.1.a", "100.1a", False),
    ("702.15 b", "702.15b", False),
    # leading zeros, from sorted lists
    ("702.015b", "702.15b", False),
    # the rules skip l and o
    ("702.15l", None, False),
    ("702.15o", None, False),
    ("702.0", None, False),
    ("0", None, False),
    ("70", None, False),
    ("702.15b and more", None, False),
    ("lifelink", None, False),
    ("", None, False),
]


@pytest.mark.parametrize(("text", "number", "alone"), WRITTEN)
def test_read(text: str, number: str | None, alone: bool) -> None:
    found = read(text)
    assert (found.number if found else None, found.alone if found else False) == (number, alone)


def test_ranges() -> None:
    assert [(r.number, r.to) for r in find("See rules 510.1c–d, 712.9–10 and 601.2f-h.")] == [
        ("510.1c", "510.1d"),
        ("712.9", "712.10"),
        ("601.2f", "601.2h"),
    ]
    assert read("rules 510.1c-d").to == "510.1d"  # type: ignore[union-attr]


def test_find_takes_whole_rules_only_after_the_word() -> None:
    text = "Pay 704 life (see rule 704), CR 606, 100.2.3, 1.100 and $100.10; then 702.15b."
    assert [r.number for r in find(text)] == ["704", "606", "702.15b"]


def test_find_gives_places() -> None:
    text = "As in 702.15b."
    (found,) = find(text)
    assert text[found.start : found.end] == "702.15b"


NUMBERS = st.builds(
    lambda section, rest, middle, letter: f"{section}{rest:02}.{middle}{letter}",
    st.integers(1, 9),
    st.integers(0, 99),
    st.integers(1, 250),
    st.sampled_from(["", *LETTERS]),
)


@given(NUMBERS)
def test_a_number_reads_as_itself(number: str) -> None:
    assert rule_number(number) == number
    assert read(f"CR {number.upper()}").number == number  # type: ignore[union-attr]


@given(NUMBERS)
def test_parents_lead_to_the_section(number: str) -> None:
    at = rule_number(number)
    chain = []
    while at is not None:
        chain.append(at)
        at = parent(at)
    assert chain[-1] == number[0]
    assert sorted(chain, key=sort_key) == chain[::-1]


@given(st.text(max_size=40))
def test_read_never_fails(text: str) -> None:
    read(text)
    list(find(text))


def test_order_is_that_of_the_rules() -> None:
    numbers = ["702.15", "702.9", "702.15b", "702", "702.15a", "7", "100.1"]
    assert sorted(map(str, numbers), key=lambda n: sort_key(rule_number(n) or "")) == [  # type: ignore[arg-type]
        "100.1",
        "7",
        "702",
        "702.9",
        "702.15",
        "702.15a",
        "702.15b",
    ]
