"""The publisher's text on a page: nothing in it can act as markup, symbols are drawn, words that differ are marked."""

from __future__ import annotations

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulings_site.prose import Piece, cost, diff_prose, differences, prose, typeset

TAG = re.compile(r"<[^>]*>")


def read(markup: str) -> str:
    """What a reader copies: the text without tags."""
    return html.unescape(TAG.sub("", markup))


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",  # mtg-familiar#73: inert on the page
        '"><img src=x onerror=alert(1)>',
        "</p></main><style>*{display:none}</style>",
        "&lt;i&gt;word&lt;/i&gt;",
        "{<b>}",
        "http://x.example/<script>",
        'https://x.example/"onmouseover="alert(1)',
        "javascript:alert(1)",
    ],
)
def test_hostile_text_stays_text(text: str) -> None:
    out = str(prose(text).html)
    assert read(out) == typeset(text)
    tags = set(re.findall(r"<(/?[a-z]+)", out))
    assert tags <= {"a", "/a"}
    assert not re.search(r"<a [^>]*\bon[a-z]+=", out)


@given(st.text(alphabet=st.sampled_from("ab <>&\"'{}EW/[]()=:.htps\n"), max_size=60))
def test_what_is_copied_is_what_stands_there(text: str) -> None:
    assert read(str(prose(text).html)) == typeset(text)


@given(st.text(max_size=80))
def test_typesetting_keeps_places(text: str) -> None:
    shown = typeset(text)
    assert len(shown) == len(text)
    straight = str.maketrans("‘’“”", "''\"\"")
    assert shown.translate(straight) == text.translate(straight)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ('You "may pay" it.', "You “may pay” it."),
        ("can't", "can’t"),
        ("the players' hands", "the players’ hands"),
        ('"\'Tis"', "“’Tis”"),
        ('("If you do.")', "(“If you do.”)"),
        ("It's the '90s", "It’s the ’90s"),
    ],
)
def test_quotes(text: str, shown: str) -> None:
    assert typeset(text) == shown


def test_a_run_of_symbols_is_one_image_with_words_and_copies_as_its_code() -> None:
    out = prose("You get {E}{E}, then stop.")
    assert 'aria-label="two energy"' in out.html
    assert out.html.count('href="#s-e"') == 2
    assert out.codes == ("E",)
    assert read(str(out.html)) == "You get {E}{E}, then stop."
    assert '<span class="sym-w">get <span class="sym"' in out.html  # no line begins with a lone symbol


def test_a_code_without_a_drawing_stays_in_braces() -> None:
    assert str(prose("Put {TK} on it, and {foo}.").html) == "Put {TK} on it, and {foo}."


def test_square_brackets_survive() -> None:
    # scryfall/gatherer-bugs#107
    assert str(prose("Activate the [+1] ability of [basic land].").html) == "Activate the [+1] ability of [basic land]."


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("see https://x.example/a?b=1).", "https://x.example/a?b=1"),  # scryfall/gatherer-bugs#112
        ("(see http://www.mtgstory.com.)", "http://www.mtgstory.com"),
        ("at https://x.example/a_(b), now", "https://x.example/a_(b)"),
        ("“https://x.example/”", "https://x.example/"),
    ],
)
def test_links_end_before_the_punctuation(text: str, address: str) -> None:
    assert f'<a href="{address}" rel="external nofollow noopener">{address}</a>' in prose(text).html


def test_long_numbers_are_drawn() -> None:
    assert 'aria-label="1000000"' in cost("{1000000}").html


def test_differences_by_words() -> None:
    assert differences("writing theme down", "writing them down") == [
        Piece("same", "writing "),
        Piece("del", "theme"),
        Piece("ins", "them"),
        Piece("same", " down"),
    ]
    out = str(diff_prose("You can pay.", "You can't pay.").html)
    assert '<del><span class="vh">[removed: </span>can<span class="vh">]</span></del>' in out
    assert '<ins><span class="vh">[added: </span>can’t<span class="vh">]</span></ins>' in out


WORDS = st.lists(st.sampled_from(["can", "can't", "pay", "{E}", "may", ".", "target"]), max_size=12).map(" ".join)


@given(WORDS, WORDS)
def test_both_wordings_can_be_read_back(older: str, newer: str) -> None:
    pieces = differences(older, newer)
    assert "".join(p.text for p in pieces if p.kind != "ins") == older
    assert "".join(p.text for p in pieces if p.kind != "del") == newer
