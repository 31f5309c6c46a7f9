"""The YAML of a base: everything that is written is read back, by us and by stock YAML; traps are refused."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from rulings import yamlfile

TEXTS = st.text(st.characters(codec="utf-8"))
# The name fixtures of the field reports, and scalars that stock YAML reads as something else.
HAZARDS = [
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
    "No",
    "on",
    "null",
    "~",
    "107.10",
    "2016-09-20",
    "12:30:45",
    "0x1F",
    "- a",
    "? b",
    "# c",
    "a #b",
    "*x",
    "&x",
    "!x",
    "a: b",
    "{E}",
    "[+1]",
    "@x",
    "%x",
    "`x`",
    "trailing ",
    " leading",
    "two\nlines",
    "tab\there",
    "bell\x07",
    "next\x85line",
    "line\u2028sep",
    "bom\ufeff",
    "emoji 🃏",
    "",
]


@pytest.mark.parametrize("value", HAZARDS)
def test_hazards_survive_both_readers(value: str) -> None:
    document = {"schema": 1, "names": [value], "text": value, "items": [{"name": value, "text": value}]}
    written = yamlfile.dump(document)
    read, _ = yamlfile.load(written, "x.yaml")
    assert read == {**document, "schema": "1"}
    assert yaml.safe_load(written) == document


@given(TEXTS, TEXTS)
def test_any_text_survives(name: str, text: str) -> None:
    document = {"records": [{"name": name, "text": text, "list": [name, text]}]}
    assert yamlfile.load(yamlfile.dump(document), "x.yaml")[0] == document


def test_a_ruling_is_one_line() -> None:
    text = "word " * 200 + "end."
    assert f"  {text}\n" in yamlfile.dump({"text": text})


def test_only_null_is_resolved() -> None:
    read, _ = yamlfile.load("a: 107.10\nb: No\nc: 2016-09-20\nd: null\ne: ~\nf:\n", "x.yaml")
    assert read == {"a": "107.10", "b": "No", "c": "2016-09-20", "d": None, "e": None, "f": None}


REFUSED = [
    ("a: 1\na: 2\n", 2, "stands twice"),
    ("a: &x b\nc: d\n", 1, "anchor"),
    ("a: &x [b]\nc: *x\n", 1, "anchor"),
    ("a: !!python/object/apply:os.system ['true']\n", 1, "tag"),
    ("a: !custom b\n", 1, "tag"),
    ("a: [b\n", 2, "not YAML"),
    ("a: b\n\tc: d\n", 2, "not YAML"),
    ("? [a]\n: b\n", 1, "not a word"),
    ("[" * 3000, None, ""),
]


@pytest.mark.parametrize(("text", "line", "message"), REFUSED)
def test_refused_with_the_line(text: str, line: int | None, message: str) -> None:
    with pytest.raises(yamlfile.YamlFault) as caught:
        yamlfile.load(text, "base/x.yaml")
    assert caught.value.problem.path == "base/x.yaml"
    assert message in caught.value.problem.message
    if line is not None:
        assert caught.value.problem.line == line


def test_texts_may_hold_what_looks_like_an_anchor() -> None:
    text = "Wear & Tear: *before* and !important"
    assert yamlfile.load(yamlfile.dump({"text": text}), "x")[0] == {"text": text}


def test_lines_of_records() -> None:
    read, lines = yamlfile.load("rulings:\n- id: a\n- id: b\n", "x.yaml")
    found: Any = read
    assert [lines[id(record)] for record in found["rulings"]] == [2, 3]
