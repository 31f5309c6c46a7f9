"""Normalising: each step named, nothing said is lost, square brackets survive."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.normalise import normalise, repair_mojibake

SHARED = Path(__file__).parents[2] / "shared"

STEPS = [
    # scryfall/gatherer-bugs#53, #73: tags shown as text
    ("&lt;i&gt;word&lt;/i&gt;", "word", ("html-entity", "html-tag")),
    ("&amp;lt;i&amp;gt;word&amp;lt;/i&amp;gt;", "word", ("html-entity", "html-tag")),
    ("one<br>two", "one two", ("html-tag",)),
    ("<b class=x>Note:</b> R&amp;D", "Note: R&D", ("html-entity", "html-tag")),
    # mtgjson/mtgjson3#279: text between two images survives
    (
        'When <img alt="Energy"> stands for energy. With <img src="x" alt=\'Variable Colorless\'/> in a cost, use X.',
        "When {E} stands for energy. With {X} in a cost, use X.",
        ("symbol-image",),
    ),
    ("{g/u} and (W/U)", "{G/U} and {W/U}", ("symbol-form",)),
    ("a\u00a0b", "a b", ("no-break-space",)),
    ("a\u200bb\x07", "ab", ("invisible",)),
    ("a\tb", "a b", ("tab",)),
    ("  a  b ", "a b", ("double-space", "outer-space")),
    ("a\r\n\r\n\r\nb", "a\n\nb", ("line-ends", "line-breaks")),
]


@pytest.mark.parametrize(("raw", "text", "steps"), STEPS)
def test_steps(raw: str, text: str, steps: tuple[str, ...]) -> None:
    done = normalise(raw)
    assert (done.text, done.steps, done.refused) == (text, steps, "")
    assert len(done.details) >= len(done.steps)


UNTOUCHED = [
    "[+1]: Draw a card. [basic land] [Cost]: [Effect].",  # scryfall/gatherer-bugs#107, #170: brackets lost twice
    "power < 3 and toughness > 2",
    "R&D, D&D; AT&T",
    "Juzám Djinn’s “café…” — ™ ® ½ Ætherize Lim-Dûl “Séance”",
    "http://www.mtgstory.com/?a=1&b=2",
    "<script>alert(1)</script>",  # inert text: whoever shows it escapes it
    "x <unknown> y",
]


@pytest.mark.parametrize("text", UNTOUCHED)
def test_what_is_right_is_left_alone(text: str) -> None:
    done = normalise(text)
    assert (done.text, done.steps, done.warnings, done.refused) == (text, (), (), "")


MOJIBAKE = [
    ("a â€” b", "a — b"),  # mtgatracker/python-mtga#1
    ("§Â\u00a046", "§\u00a046"),  # freelawproject/recap#35
    ("§Â 46", "§ 46"),  # the same, after the space was made an ordinary one
    ("donâ€™t", "don’t"),
    ("â€œyesâ€\x9d", "“yes”"),
    ("â€œyesâ€", "“yes”"),
    ("Lim-DÃ»l", "Lim-Dûl"),
    ("Ã†therize", "Ætherize"),
    ("Ã¢â‚¬â„¢", "’"),  # twice
    ("ï»¿Text", "\ufeffText"),
    ("Â½", "½"),
]


@pytest.mark.parametrize(("raw", "likely"), MOJIBAKE)
def test_mojibake_is_refused_with_the_likely_repair(raw: str, likely: str) -> None:
    assert repair_mojibake(raw)[0] == likely
    done = normalise(raw)
    assert done.refused and done.steps[0] == "mojibake"


def test_a_replacement_character_cannot_be_repaired() -> None:
    assert normalise("don�t").refused


@given(st.text(alphabet="aé—’“”…½™ÆûSé .", max_size=12))
def test_mojibake_of_real_text_is_found_and_repaired(text: str) -> None:
    broken = text.encode().decode("cp1252", "ignore") if all(c in "aé—’“…½™û ." for c in text) else ""
    if broken and not text.isascii():
        assert repair_mojibake(broken) == (text, repair_mojibake(broken)[1])
    assert repair_mojibake(text) == (text, ())


def test_an_unclosed_tag_is_a_warning() -> None:
    assert normalise("<i>word").warnings == ("html-left: <i> is not closed",)
    assert normalise("word</i>").warnings
    assert normalise('<img alt="Fancy"> here').warnings[0].startswith("symbol-image: ")
    assert normalise('<img alt="Fancy"> here').text == '<img alt="Fancy"> here'


@given(st.text(max_size=60) | st.text(alphabet="Â \x1b\u200b&lt;ai</i>{}E\u00a0\n", max_size=20))
def test_idempotent(text: str) -> None:
    once = normalise(text).text
    assert normalise(once).text == once


def test_the_corpus_is_hardly_touched() -> None:
    path = SHARED / "corpus" / "rulings.jsonl.gz"
    if not path.exists():
        pytest.skip("the corpus is not beside the project")
    with gzip.open(path, "rt", encoding="utf-8") as file:
        texts = {json.loads(line)["comment"] for line in file}
    counts: dict[str, int] = {}
    for text in texts:
        done = normalise(text)
        assert not done.refused and not done.warnings
        for step in done.steps:
            counts[step] = counts.get(step, 0) + 1
    assert "html-tag" not in counts and "mojibake" not in counts
    assert counts.get("symbol-form", 0) <= 3  # {g/u} and {(b/r)}
    assert counts["double-space"] <= 20
