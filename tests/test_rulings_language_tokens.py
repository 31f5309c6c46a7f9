"""The tokeniser and the stemmer: the words of rules English, none lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulings.language.tokens import fold, stem, stems, tokenize, words

CASES = {
    "contractions are one word, whatever the apostrophe": ("You can’t, won`t", ["you", "can't", "won't"]),
    "symbols": ("Pay {E}{E} or {2/W}, {W/P}.", ["pay", "{e}", "{e}", "or", "{2/w}", "{w/p}"]),
    "power and toughness, loyalty, X": (
        "+1/+1, −1/−1, 2/2, */*, [−2]: X",
        ["+1/+1", "-1/-1", "2/2", "*/*", "-2", "x"],
    ),
    "rule numbers": ("rules 702.19b, 608.2. and 704", ["rules", "702.19b", "608.2", "and", "704"]),
    "accents and ligatures": ("Æther Juzám Lim-Dûl™", ["aether", "juzam", "lim", "dul"]),
    "one-letter words": ("Plan A or B", ["plan", "a", "or", "b"]),
    "the own name": ("When ~ dies, ~'s", ["when", "~", "dies", "~", "s"]),
    "punctuation": ("(energy) cost: {2}; first—strike", ["energy", "cost", "{2}", "first", "strike"]),
}


@pytest.mark.parametrize(("text", "expected"), CASES.values(), ids=CASES.keys())
def test_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_a_word_of_parts_is_also_one_word_at_its_first_part() -> None:
    tokens = tokenize("a Lim-Dûl's face-down D'Avenant")
    assert [t.text for t in tokens if t.joined] == ["limdul's", "facedown", "davenant"]
    assert [(t.text, t.position) for t in tokens if not t.joined][1:3] == [("lim", 1), ("dul's", 2)]


def test_places_are_those_of_the_text_as_given() -> None:
    text = "Æther can’t ½ {E}"
    assert [text[t.start : t.end] for t in tokenize(text) if not t.joined][:2] == ["Æther", "can’t"]
    assert text[tokenize(text)[-1].start :] == "{E}"


STEMS = [
    ("abilities ability", "ability"),
    ("sacrifice sacrifices sacrificed sacrificing", "sacrific"),
    ("tap taps tapped tapping", "tap"),
    ("die dies died dying", "die"),
    ("copy copies copied copying", "copy"),
    ("player player's players", "player"),
    ("can't cant cannot", "can't"),
    ("pay paid paying", "pay"),
    ("enters entering entered", "enter"),
]


@pytest.mark.parametrize(("forms", "expected"), STEMS)
def test_forms_of_a_word_have_one_stem(forms: str, expected: str) -> None:
    assert {stem(form) for form in forms.split()} == {expected}


def test_words_that_must_not_be_one() -> None:
    for pair in ("can't can", "can may", "{w} {w/u}", "+1/+1 -1/-1", "layer player", "tap untap", "2 {2}"):
        a, b = pair.split()
        assert stem(a) != stem(b), pair


@given(st.text(max_size=80))
def test_every_letter_and_digit_is_in_a_token(text: str) -> None:
    inside = set()
    for token in tokenize(text):
        assert 0 <= token.start < token.end <= len(text)
        inside.update(range(token.start, token.end))
    for i, char in enumerate(text):
        if any(c.isalnum() for c in fold(char)):
            assert i in inside, (char, text)


@given(st.text(alphabet="abcsidengpxy'", min_size=1, max_size=12))
def test_a_stem_is_never_empty_and_stems_never_fail(word: str) -> None:
    assert all(stems(word)) or not words(word)


@given(st.text(max_size=60))
def test_folding_again_changes_nothing_for_tokens(text: str) -> None:
    assert words(fold(text)) == words(text)
