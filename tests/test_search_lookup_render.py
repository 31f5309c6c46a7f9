"""Reports of a check: nothing of a hostile text can act, and nothing of it is lost."""

from __future__ import annotations

import html
import json
import re

import markdown
import pytest
from hypothesis import given
from hypothesis import strategies as st

from search.lookup.findings import FINE, ID_VERDICTS, RULE_VERDICTS, RULING_VERDICTS, WORST_FIRST, Difference, Finding
from search.lookup.render import as_html, as_json, as_markdown, as_text, place, summary

TEXT = "Look:\n“You can pay <b>twice</b>.” [x](javascript:alert(1)) \x1b[31m *now*, see 702.89b."
START = TEXT.index("You")
FOUND = (
    Finding(
        START,
        TEXT.index(".”") + 1,
        "ruling",
        "altered-dangerous",
        card="A <i>card</i>",
        ruling_id="r-0pcdnc32",
        ruling_text="You can't pay twice.",
        differences=(Difference("negation", "can", "can't", START + 4, START + 7),),
        message="Altered <script>.",
    ),
    Finding(TEXT.index("702"), len(TEXT) - 1, "rule", "moved", number="702.89b", today="702.90b", message="Moved."),
)


def test_text() -> None:
    assert as_text(TEXT, FOUND, name="faq.md") == (
        "faq.md:2:2  Quotation: ALTERED, AND IT CHANGES THE MEANING\n"
        "    You [-can-] {+can't+} pay <b>twice</b>.\n"
        "    Altered <script>.\n"
        "    r-0pcdnc32\n"
        f"faq.md:{place(TEXT, TEXT.index('702'))}  Rule: moved\n"
        "    702.89b\n"
        "    Moved.\n"
        "1 altered, and it changes the meaning, 1 moved"
    )


def test_a_terminal_obeys_nothing() -> None:
    whole = Finding(0, len(TEXT), "ruling", "not-found", message="\x1b]0;x\x07")
    assert "\x1b" not in as_text(TEXT, [whole])
    assert "\x07" not in as_text(TEXT, [whole])


def test_html() -> None:
    out = as_html(TEXT, FOUND)
    assert "<del>can</del><ins>can&#x27;t</ins>" in out
    body = out.split("<body>")[1]
    assert set(re.findall(r"</?([a-z]+)", body)) <= set(
        "p pre a mark sup del ins ul li strong q br code body html".split()
    )
    assert "<script>" not in body
    shown = re.sub(r"<ins>.*?</ins>|<sup>.*?</sup>", "", body.split("<pre>")[1].split("</pre>")[0])
    assert html.unescape(re.sub(r"<[^>]*>", "", shown)) == TEXT


def test_markdown() -> None:
    made = markdown.markdown(as_markdown(TEXT, FOUND))
    assert "<script>" not in made
    assert "<b>" not in made
    whole = Finding(0, len(TEXT), "ruling", "not-found")
    assert "<a" not in markdown.markdown(as_markdown(TEXT, [whole]))


def test_json_says_everything() -> None:
    out = json.loads(json.dumps(as_json(TEXT, FOUND)))
    first = out["findings"][0]
    assert first["text"] == TEXT[FOUND[0].start : FOUND[0].end]
    assert first["differences"][0]["meant"] == "can't"
    assert out["summary"] == {"altered-dangerous": 1, "moved": 1}


def test_nothing_found() -> None:
    assert summary([]) == "nothing that is quoted or cited was found"
    assert "nothing" in as_html("x", [])


def test_every_verdict_has_a_rank() -> None:
    assert {*RULING_VERDICTS, *RULE_VERDICTS, *ID_VERDICTS, "named"} == set(WORST_FIRST)
    assert set(WORST_FIRST) > FINE


@given(st.text(max_size=80), st.lists(st.tuples(st.integers(0, 80), st.integers(1, 20)), max_size=5))
def test_html_keeps_every_character(text: str, places: list[tuple[int, int]]) -> None:
    text = text.replace("\r", "")
    found = [Finding(a, min(a + n, len(text)), "ruling", "exact") for a, n in places if a < len(text)]
    body = as_html(text, found).split("<pre>", 1)[1].split("</pre>", 1)[0]
    assert html.unescape(re.sub(r"<sup>\d+</sup>|<[^>]*>", "", body)) == text


@pytest.mark.parametrize(("offset", "where"), [(0, "1:1"), (6, "2:1"), (8, "2:3")])
def test_places(offset: int, where: str) -> None:
    assert place(TEXT, offset) == where
