"""The stylesheet and the scripts: two equal dark blocks, nothing from elsewhere, drawings for the common symbols."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

from rulings_site import symbols
from rulings_site.render import CSP

ASSETS = files("rulings_site") / "assets"
STYLE = (ASSETS / "style.css").read_text(encoding="utf-8")
SCRIPTS = [entry for entry in ASSETS.iterdir() if entry.name.endswith(".js")]


def declarations(block: str) -> dict[str, str]:
    return dict(re.findall(r"(--[\w-]+):\s*([^;]+);", block))


def test_the_two_dark_blocks_are_equal() -> None:
    system = re.search(r":root:not\(\[data-scheme=\"light\"\]\) \{(.*?)\n  \}", STYLE, re.DOTALL)
    forced = re.search(r"@media screen \{\s*:root\[data-scheme=\"dark\"\] \{(.*?)\n  \}", STYLE, re.DOTALL)
    assert system and forced
    assert declarations(system[1]) == declarations(forced[1])
    assert len(declarations(system[1])) > 20


def test_dark_redefines_only_tokens_that_exist() -> None:
    light = declarations(STYLE[: STYLE.index("@media")])
    forced = re.search(r":root\[data-scheme=\"dark\"\] \{(.*?)\n  \}", STYLE, re.DOTALL)
    assert forced and set(declarations(forced[1])) <= set(light)


def luminance(colour: str) -> float:
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    ("ink", "paper"),
    [
        ("--ink", "--paper"),
        ("--soft", "--paper"),
        ("--faint", "--paper"),
        ("--accent", "--paper"),
        ("--warn", "--paper"),
        ("--bad", "--bad-wash"),
        ("--good", "--good-wash"),
        ("--main-ink", "--main"),
        ("--ink", "--mark"),
    ],
)
def test_text_has_enough_contrast(scheme: str, ink: str, paper: str) -> None:
    tokens = declarations(STYLE[: STYLE.index("@media")])
    if scheme == "dark":
        dark = re.search(r":root\[data-scheme=\"dark\"\] \{(.*?)\n  \}", STYLE, re.DOTALL)
        assert dark
        tokens |= declarations(dark[1])
    one, two = sorted((luminance(tokens[ink]), luminance(tokens[paper])))
    assert (two + 0.05) / (one + 0.05) >= 4.5


def test_nothing_is_fetched_from_elsewhere() -> None:
    for entry in [*SCRIPTS, ASSETS / "style.css"]:
        text = entry.read_text(encoding="utf-8")
        assert not re.search(r"https?://(?!www\.w3\.org/)", text), entry.name
    assert "@import" not in STYLE
    assert "url(" not in STYLE


def test_the_policy_forbids_what_is_inline() -> None:
    assert "unsafe" not in CSP
    assert CSP.startswith("default-src 'none'")


def test_no_script_makes_code_from_text() -> None:
    for entry in SCRIPTS:
        assert not re.search(r"\beval\(|new Function\(|document\.write", entry.read_text(encoding="utf-8")), entry.name


def test_every_common_symbol_has_a_drawing_and_words() -> None:
    for code in symbols.common_codes():
        assert symbols.drawing(code), code
        assert symbols.words([code])[code]
    ids = [symbols.symbol_id(code) for code in symbols.common_codes()]
    assert len(set(ids)) == len(ids)


def test_a_sprite_holds_only_what_a_page_uses() -> None:
    assert symbols.sprite(["E"]).count("<symbol") == 1
    assert symbols.sprite(["TK"]) == ""  # no drawing: the text keeps its braces
