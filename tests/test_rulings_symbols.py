"""Symbols: the grammar, the folded form, the words, the images."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulings.symbols import (
    UnknownSymbol,
    canonical,
    cost_line,
    find_runs,
    find_symbols,
    fold_symbols,
    from_bare_letters,
    from_image,
    label,
)

SHARED = Path(__file__).parents[2] / "shared"

CODES = (
    "W U B R G C S X Y Z T Q E P A H PW CHAOS TK ½ ∞ HW HR 0 1 9 10 16 20 100 1000000 W/U G/U R/W 2/W 2/G C/W W/P G/U/P"
).split()


@pytest.mark.parametrize("code", CODES)
def test_every_code_is_found_as_it_is_and_has_words(code: str) -> None:
    text = f"Pay {{{code}}}."
    assert find_symbols(text) == [(4, 4 + len(code) + 2, code)]
    assert fold_symbols(text) == (text, ())
    assert label(f"{{{code}}}")


@pytest.mark.parametrize(
    "code", ["", "EE", "2W", "foo", "W/W", "W/U/B", "2/3", "P/P", "W//U", "W/", "12345678", "{", "-1", "+1"]
)
def test_what_is_no_symbol_stays_text(code: str) -> None:
    text = f"a {{{code}}} b"
    assert canonical(code) is None
    assert fold_symbols(text) == (text, ())


FOLDS = [
    ("{g/u}", "{G/U}"),  # stands so in the corpus
    ("{(b/r)}", "{B/R}"),  # stands so in the corpus
    ("(W/U)(W/U)", "{W/U}{W/U}"),  # scryfall/gatherer-bugs#59
    ("(2/w)", "{2/W}"),
    ("{e}", "{E}"),
    ("{ E }", "{E}"),
    ("{{E}}", "{E}"),
    ("｛T｝", "{T}"),
    ("{P/W}", "{W/P}"),
    ("{W/2}", "{2/W}"),
    ("{B/W}", "{W/B}"),
    ("{tap}: Add {c}.", "{T}: Add {C}."),
    ("{3}{u/r}{u/r}", "{3}{U/R}{U/R}"),
]


@pytest.mark.parametrize(("before", "after"), FOLDS)
def test_odd_forms_are_folded_and_recorded(before: str, after: str) -> None:
    text, steps = fold_symbols(before)
    assert text == after
    assert steps and all(step.startswith("symbol-form: ") for step in steps)
    assert fold_symbols(text) == (text, ())


@pytest.mark.parametrize(
    "text", ["(1/1)", "a 2/2 creature", "[+1]: Draw", "[basic land]", "(and/or)", "{foo}", "x {", "} y", "(W/U"]
)
def test_brackets_that_are_no_symbols_survive(text: str) -> None:
    assert fold_symbols(text) == (text, ())


@given(st.text(alphabet="{}()/WUBRGEPX2｛｝ a+1", max_size=30))
def test_folding_is_idempotent_and_loses_no_letter(text: str) -> None:
    folded, _ = fold_symbols(text)
    assert fold_symbols(folded) == (folded, ())
    keep = str.maketrans("", "", "{}｛｝() /")
    assert sorted(folded.translate(keep).upper()) == sorted(text.translate(keep).upper())


def test_runs() -> None:
    assert find_runs("get {E}{E}, pay {3}{U}{U}") == [(4, 10, ("E", "E")), (16, 25, ("3", "U", "U"))]


@pytest.mark.parametrize(
    ("run", "words"),
    [
        ("{E}{E}{E}{E}", "four energy"),
        ("{E}", "energy"),
        ("{3}{U}{U}", "three blue blue"),
        ("{2/W}", "two or white"),
        ("{W/P}", "Phyrexian white"),
        ("{G/U/P}", "Phyrexian green or blue"),
        ("{E}" * 25, "25 energy"),
        ("{TK}{TK}", "two ticket"),
    ],
)
def test_labels(run: str, words: str) -> None:
    assert label(run) == words


def test_labels_agree_with_the_drawings() -> None:
    path = SHARED / "look" / "make_symbols.py"
    if not path.exists():
        pytest.skip("the look is not beside the project")
    spec = importlib.util.spec_from_file_location("make_symbols", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    before, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        spec.loader.exec_module(module)
    finally:
        sys.dont_write_bytecode = before
    for code in module.TITLES:
        assert label(f"{{{code}}}") == module.label(f"{{{code}}}")
    assert label("{E}{E}") == module.label("{E}{E}")


@pytest.mark.parametrize(
    ("alt", "symbol"),
    [
        ("Energy", "{E}"),
        ("Variable Colorless", "{X}"),
        ("Colorless", "{C}"),
        ("Tap", "{T}"),
        ("Untap", "{Q}"),
        ("Red or White", "{R/W}"),
        ("White or Blue", "{W/U}"),
        ("Two or White", "{2/W}"),
        ("Phyrexian Blue", "{U/P}"),
        ("Snow", "{S}"),
        ("10", "{10}"),
        ("ten", "{10}"),
        ("{E}", "{E}"),
        ("2W", "{2/W}"),  # Gatherer's own file names
        ("Green Mana", "{G}"),
    ],
)
def test_images(alt: str, symbol: str) -> None:
    assert from_image(alt) == symbol


@pytest.mark.parametrize("alt", ["", "Fancy", "White or Fancy", "e", "Energy or Two or Tap", "White White"])
def test_an_unknown_image_is_an_error(alt: str) -> None:
    with pytest.raises(UnknownSymbol):
        from_image(alt)


@pytest.mark.parametrize(
    ("bare", "text"),
    [
        ("you get EE (two energy counters)", "you get {E}{E} (two energy counters)"),
        ("E is the energy symbol.", "{E} is the energy symbol."),
        ("one or more E, you get", "one or more {E}, you get"),
        ("You can’t pay any E even if", "You can’t pay any {E} even if"),
        ("you may pay 2G. If you do", "you may pay {2}{G}. If you do"),
        ("costs 2 less to cast", "costs {2} less to cast"),
        ("T: Add G or (W/U).", "{T}: Add {G} or (W/U)."),
    ],
)
def test_bare_letters_in_plain_context(bare: str, text: str) -> None:
    found, steps = from_bare_letters(bare)
    assert found == text
    assert steps


@pytest.mark.parametrize(
    "text",
    [
        "pay 2 life",
        "X is 0.",
        "E.g. so",
        "a U-turn",
        "Plan B works",
        "You get a copy.",
        "rule 702.1b",
        "you get {E}",
    ],
)
def test_bare_letters_elsewhere_stay(text: str) -> None:
    assert from_bare_letters(text) == (text, ())


def test_cost_lines() -> None:
    assert cost_line("2WW") == "{2}{W}{W}"
    assert cost_line("X(W/U)") == "{X}{W/U}"
    assert cost_line("10") == "{10}"
    assert cost_line("Draw") is None
    assert cost_line("2/3") is None
