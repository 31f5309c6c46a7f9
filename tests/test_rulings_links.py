"""Links in rulings: the punctuation of the sentence is no part of the address."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulings.links import find_links


@pytest.mark.parametrize(
    ("text", "urls"),
    [
        ("see https://x.example/a?b=1).", ["https://x.example/a?b=1"]),
        ("(see http://www.mtgstory.com.)", ["http://www.mtgstory.com"]),
        ("at http://www.mtgstory.com.", ["http://www.mtgstory.com"]),
        (
            "https://x.example/a_(b) and “https://y.example/?q=[1]”",
            ["https://x.example/a_(b)", "https://y.example/?q=[1]"],
        ),
        ("https://x.example/a, https://y.example/b; then", ["https://x.example/a", "https://y.example/b"]),
        ("http:// and https://nothing and javascript:alert(1)", []),
        ("<https://x.example/a>", ["https://x.example/a"]),
    ],
)
def test_links(text: str, urls: list[str]) -> None:
    found = find_links(text)
    assert [url for _, _, url in found] == urls
    assert all(text[start:end] == url for start, end, url in found)


@given(st.text(alphabet="htps:/.)(a ?", max_size=40))
def test_any_text(text: str) -> None:
    for start, end, url in find_links("https://" + text):
        assert ("https://" + text)[start:end] == url
