"""What a card is called: keys, faces, short names, plurals, and the masking of all of them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulings.model import Card, Face
from rulings.names import CardIndex, card_key, faces, is_legendary, mask, own_names, plural, short_name


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("Lim-Dûl's Vault", "limdulsvault"),
        ("lim dul’s vault", "limdulsvault"),
        ("Ætherize", "aetherize"),
        ("_____", "_____"),  # a name of signs alone keeps them
        ("+2 Mace", "2mace"),
    ],
)
def test_keys(name: str, key: str) -> None:
    assert card_key(name) == key


@pytest.mark.parametrize(
    ("name", "legendary", "short"),
    [
        ("Ajani, Caller of the Pride", None, "Ajani"),
        ("Gerrard Capashen", True, "Gerrard"),
        ("Gerrard Capashen", None, None),  # without card data a first word may be any word
        ("Nissa of Shadowed Boughs", True, "Nissa"),
        ("The Ur-Dragon", True, None),
        ("Umezawa's Jitte", True, None),
        ("Borrowing 100,000 Arrows", False, None),
    ],
)
def test_short_names(name: str, legendary: bool | None, short: str | None) -> None:
    assert short_name(name, legendary) == short


@pytest.mark.parametrize(
    ("name", "many"),
    [
        ("Herald of Hope", "Heralds of Hope"),
        ("Plague Rat", "Plague Rats"),
        ("Panharmonicon", "Panharmonicons"),
        ("Faerie Party", "Faerie Parties"),
        ("Plague Rats", None),
    ],
)
def test_plurals(name: str, many: str | None) -> None:
    assert plural(name) == many


@pytest.mark.parametrize(
    ("text", "name", "legendary", "masked"),
    [
        # the full name before the short one
        (
            "Naru Meha, Master Wizard sees Naru Meha; Naru's ability",
            "Naru Meha, Master Wizard",
            True,
            "~ sees ~; ~'s ability",
        ),
        (
            "If you control two Panharmonicons, a third Panharmonicon",
            "Panharmonicon",
            False,
            "If you control two ~s, a third ~",
        ),
        ("Any Herons of Hope or Heron of Hope", "Heron of Hope", False, "Any ~s or ~"),
        ("Fire and Ice aren't Firefly or Icetill", "Fire // Ice", False, "~ and ~ aren't Firefly or Icetill"),
        ("Lim-Dul's Vault, Lim-Dûl's Vault", "Lim-Dûl's Vault", False, "~, ~"),
        ("X is 0. The value of X", "X", False, "X is 0. The value of X"),  # the card X
        ("Masses's power", "Masses", False, "~'s power"),
    ],
)
def test_own_names_are_masked(text: str, name: str, legendary: bool, masked: str) -> None:
    assert mask(text, own_names(name, legendary)) == masked


@given(st.text(max_size=60), st.sampled_from(["Fire // Ice", "Naban, Dean of Iteration", "Plague Rats"]))
def test_masking_twice_is_masking_once(text: str, name: str) -> None:
    once = mask(text, own_names(name, True))
    assert mask(once, own_names(name, True)) == once


def test_legendary_by_card_data_or_unknown() -> None:
    assert is_legendary(None) is None
    assert is_legendary(Card("X")) is None
    assert is_legendary(Card("A", type_line="Legendary Creature — Cat")) is True
    assert is_legendary(Card("A // B", faces=(Face("A", "Creature"), Face("B", "Legendary Land")))) is True


def test_names_are_found_by_any_spelling_and_face() -> None:
    index = CardIndex([Card("Fire // Ice"), Card("Ice"), Card("Zilortha", former_names=("Godzilla",))])
    assert [card.name for card in index.find("ice")] == ["Ice", "Fire // Ice"]  # a full name before a face
    assert [card.name for card in index.find("GODZILLA")] == ["Zilortha"]
    assert faces("Who // What // When") == ("Who", "What", "When")
    assert index.find("Water") == ()
