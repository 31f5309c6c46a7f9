"""Addresses of cards: every hazard name has one, no two share one, also where case does not count."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulings_site.slugs import assign, slug


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("+2 Mace", "2-mace"),  # starts with a sign
        ("1996 World Champion", "1996-world-champion"),
        ("Circle of Protection: Red", "circle-of-protection-red"),
        ('"Ach! Hans, Run!"', "ach-hans-run"),
        ('Kongming, "Sleeping Dragon"', "kongming-sleeping-dragon"),
        ("Borrowing 100,000 Arrows", "borrowing-100-000-arrows"),
        ("Look at Me, I'm R&D", "look-at-me-im-r-and-d"),
        ("B.F.M. (Big Furry Monster)", "b-f-m-big-furry-monster"),
        ("Who // What // When // Where // Why", "who-what-when-where-why"),
        ("Lim-Dûl's Vault", "lim-duls-vault"),
        ("Lim-Dûl’s Vault", "lim-duls-vault"),  # curly
        ("Juzám Djinn", "juzam-djinn"),
        ("Ætherize", "aetherize"),
        ("Erase (Not the Urza's Legacy One)", "erase-not-the-urzas-legacy-one"),
        ("X", "x"),
        ("CON", "con-0"),  # no file of this name on Windows; also the code of a set
    ],
)
def test_slug(name: str, expected: str) -> None:
    assert slug(name) == expected


def test_a_name_of_signs_alone_has_an_address() -> None:
    assert re.fullmatch(r"name-[0-9a-f]{6}", slug("_____"))
    assert slug("_____") != slug("____")


def test_a_very_long_name_is_cut() -> None:
    name = "Our Market Research Shows That Players Like Really Long Card Names So We Made this Card to Have the "
    assert len(slug(name + "Absolute Longest Card Name Ever Elemental")) <= 87
    assert slug(name + "A") != slug(name + "B")


def test_names_that_fold_to_one_all_get_a_tail_and_the_bare_slug_lists_them() -> None:
    # Six Unstable cards of one name differ in their oracle id only; Ætherize was renamed Aetherize.
    found = assign([("Very Cryptic Command", "b-id"), ("Very Cryptic Command", "a-id"), ("Opt", "")])
    assert found.of["Opt", ""] == "opt"
    addresses = {found.of["Very Cryptic Command", mark] for mark in ("a-id", "b-id")}
    assert len(addresses) == 2
    assert "very-cryptic-command" not in addresses
    assert found.shared["very-cryptic-command"] == (("Very Cryptic Command", "a-id"), ("Very Cryptic Command", "b-id"))


@given(st.lists(st.tuples(st.text(max_size=12), st.just("")), max_size=12))
def test_no_two_names_share_an_address(keys: list[tuple[str, str]]) -> None:
    found = assign(keys).of
    assert len(set(found.values())) == len(set(keys))
    assert all(re.fullmatch(r"[a-z0-9-]+", address) for address in found.values())
    assert assign(reversed(keys)).of == found


@given(st.text())
def test_an_address_is_safe_in_any_file_system(name: str) -> None:
    address = slug(name)
    assert re.fullmatch(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?", address)
    assert address == address.lower()
