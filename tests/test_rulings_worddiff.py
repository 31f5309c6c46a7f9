"""Word-level differences: joined again they give both texts back."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rulings.worddiff import marked, word_diff


def test_marked() -> None:
    assert marked("writing theme down", "writing them down") == "writing [-theme-]{+them+} down"
    assert marked("is the symbol", "{E} is the symbol") == "{+{E} +}is the symbol"


@given(st.text(), st.text())
def test_both_texts_come_back(old: str, new: str) -> None:
    pieces = word_diff(old, new)
    assert "".join(text for kind, text in pieces if kind != "added") == old
    assert "".join(text for kind, text in pieces if kind != "removed") == new
