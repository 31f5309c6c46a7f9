"""Tokens of the lookup: what a quotation may change without altering it makes no difference."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.lookup_tokens import SIGN, WORD, shingle_hashes, tokenize, words_of


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        # Either apostrophe, accents, ligatures.
        ("Lim-Dûl’s Æther don’t", ["lim", "dul's", "aether", "don't"]),
        # Three forms of one symbol; what is none in braces stays words.
        ("{E} (E) :e: :manae: {2/w} {no symbol}", ["{E}", "{E}", "{E}", "{E}", "{2/W}", "no", "symbol"]),
        ("+1/+1 −1/−1 [+1] −2: */* 2-1", ["+1/+1", "-1/-1", "+1", "-2", "*/*", "2", "1"]),
        # A block of Markdown over two lines.
        ("> If it\n> does, it’s\n>> gone", ["if", "it", "does", "it's", "gone"]),
        ("enters-the-battlefield — “now”", ["enters", "the", "battlefield", "now"]),
        ("rule 702.90b, 1,000 times", ["rule", "702.90b", "1,000", "times"]),
        ("~'s ability", ["~", "s", "ability"]),
    ],
)
def test_words(text: str, keys: list[str]) -> None:
    assert words_of(tokenize(text)) == keys


@given(st.text(alphabet=st.sampled_from("ab{}(E):e’'\">-–— \n.,+1/~[]*X"), max_size=60) | st.text(max_size=60))
def test_offsets_are_in_order_and_inside_the_text(text: str) -> None:
    last = 0
    for token in tokenize(text):
        assert last <= token.start < token.end <= len(text)
        assert token.kind in (WORD, SIGN)
        last = token.end


def test_shingles_are_the_same_in_every_process() -> None:
    assert shingle_hashes("a b c d e".split()) == [1628168848, 533460910]
    assert len(shingle_hashes(["a"])) == 1
    assert shingle_hashes([]) == []
