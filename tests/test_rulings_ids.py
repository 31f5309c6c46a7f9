"""Ids are for ever: the folding and the minting are frozen by vectors."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulings.ids import mint, parse_id
from rulings.text import fold1

# (wording, folded, id). Never change a line: each id may stand in somebody's article.
FROZEN = [
    # the vector of the design
    ("{E} is the energy symbol. It represents one energy counter.", None, "r-0pcdnc32"),
    # curly quotes, an em dash: typography does not make another ruling
    ("You can’t pay “any” energy—ever.", 'You can\'t pay "any" energy-ever.', "r-f1fzfjax"),
    ('You can\'t pay "any" energy-ever.', None, "r-f1fzfjax"),
    # outer, doubled and no-break spaces; a zero-width space and a soft hyphen
    ("  Energy\u00a0counters  aren't\u200b ma\u00adna. ", "Energy counters aren't mana.", "r-94xapaza"),
    # the acute accent as an apostrophe would be broken in two by NFKC alone
    ("You can´t.", "You can't.", "r-sxfm0yh6"),
    ("½ and … and ™", "1⁄2 and ... and TM", "r-2bjqa9n1"),
    # case is kept
    ("you can't.", "you can't.", "r-6gbnstc7"),
]


@pytest.mark.parametrize(("wording", "folded", "ruling_id"), FROZEN)
def test_frozen(wording: str, folded: str | None, ruling_id: str) -> None:
    assert fold1(wording) == (folded or wording)
    assert mint(wording) == ruling_id


def test_a_longer_id_begins_with_the_shorter() -> None:
    assert mint("A ruling.", length=10).startswith(mint("A ruling."))


def test_split_by_card_is_another_id() -> None:
    assert len({mint("A ruling."), mint("A ruling.", card="Opt"), mint("A ruling.", card="Fog")}) == 3


@pytest.mark.parametrize("nothing", ["", " ", "\u200b", "\u00a0\n"])
def test_nothing_has_no_id(nothing: str) -> None:
    with pytest.raises(ValueError, match="folds to nothing"):
        mint(nothing)


@given(st.text())
def test_folding_again_changes_nothing(text: str) -> None:
    assert fold1(fold1(text)) == fold1(text)


@given(st.text(st.characters(codec="utf-8")).filter(fold1))
def test_what_is_minted_can_be_read_back(text: str) -> None:
    ruling_id = mint(text)
    assert parse_id(ruling_id) == ruling_id
    assert parse_id(f" {ruling_id.upper()} ") == ruling_id


# What people type: Crockford's look-alikes are forgiven, anything else is no id.
TYPED = [
    ("r-Opcdnc32", "r-0pcdnc32"),
    ("R0PCDNC32", "r-0pcdnc32"),
    ("r-0pcdnc3u", None),  # u is no digit
    ("r-0pcdnc3", None),  # too short
    ("r-0pcdnc322", None),  # between the two lengths
    ("x-0pcdnc32", None),
    ("", None),
]


@pytest.mark.parametrize(("typed", "meant"), TYPED)
def test_typed(typed: str, meant: str | None) -> None:
    assert parse_id(typed) == meant
