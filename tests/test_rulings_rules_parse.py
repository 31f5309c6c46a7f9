"""The Comprehensive Rules, read whole from each layout they come in."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulings.errors import DataError
from rulings.rules import ComprehensiveRules, define, keywords, load_versions, lookup, parse, read_text

FOLDER = Path(__file__).parents[2] / "shared" / "corpus" / "comprehensive-rules"

SMALL = """Magic: The Gathering Comprehensive Rules

These rules are effective as of April 17, 2026.

Introduction

This document is the ultimate authority.

Contents

7. Additional Rules
702. Keyword Abilities

Glossary

Credits

7. Additional Rules

702. Keyword Abilities

702.15. Lifelink

702.15a Lifelink is a static ability.

702.15b Damage dealt by a source with lifelink causes that source’s controller to gain that much life.
Example: A 2/2 deals 2 damage.
     This goes on.

Glossary

Lifelink
A keyword ability. See rule 702.15, “Lifelink.”

Kicker, Kicked
1. A keyword ability.
2. Described as kicked.

Credits

Design: Richard Garfield
"""


@pytest.fixture(scope="module")
def latest() -> ComprehensiveRules:
    path = FOLDER / "MagicCompRules-2026-04-17.txt"
    if not path.is_file():
        pytest.skip("the shared Comprehensive Rules are not here")
    return parse(read_text(path))[0]


def dressed(text: str, layout: str) -> str:
    """`text` as people store it: with CRLF and a byte order mark, or indented with straight quotes."""
    if layout == "published":
        return "\ufeff" + text.replace("\n", "\r\n")
    lines = []
    for line in text.replace("“", '"').replace("”", '"').replace("’", "'").split("\n"):
        pad = 6 if line[:8] in ("702.15a ", "702.15b ") else 3 if line.startswith("702.15.") else 0
        lines.append(" " * (15 if line.startswith("Example") else pad) + line)
    return "\n".join(lines)


@pytest.mark.parametrize("layout", ["plain", "published", "indented"])
def test_layouts(layout: str) -> None:
    rules, problems = parse(SMALL if layout == "plain" else dressed(SMALL, layout))
    assert not problems
    assert rules.effective == "2026-04-17"
    assert [r.number for r in rules.rules] == ["7", "702", "702.15", "702.15a", "702.15b"]
    rule = rules.get("702.15b")
    assert rule is not None
    assert rule.examples == ("A 2/2 deals 2 damage.",)
    assert rule.text.endswith("\nThis goes on.")
    assert [e.terms for e in rules.glossary] == [("Lifelink",), ("Kicker, Kicked", "Kicker", "Kicked")]
    assert rules.contents == (
        ("7", "Additional Rules"),
        ("702", "Keyword Abilities"),
        ("", "Glossary"),
        ("", "Credits"),
    )
    assert rules.credits == ("Design: Richard Garfield",)
    assert rules.lines.complete


def test_structure() -> None:
    rules, _ = parse(SMALL)
    assert [r.number for r in rules.children("702.15")] == ["702.15a", "702.15b"]
    assert [r.text for r in rules.headings("702.15b")] == ["Additional Rules", "Keyword Abilities", "Lifelink"]
    assert rules.title("702.15b") == "Lifelink"
    assert rules.parent("702.15b") == rules.get("702.15")
    assert "CR 702.15b" not in rules  # written forms are `read`'s affair
    assert [r.number for r in rules.subtree("702.15")] == ["702.15", "702.15a", "702.15b"]


@pytest.mark.parametrize(
    ("line", "number", "text"),
    [
        # 2018: a full stop after the letter
        ("119.1d. In a two-player Brawl game, it is 25.", "119.1d", "In a two-player Brawl game, it is 25."),
        # 2021: no full stop after the number
        ("606.5 If the total cost is that.", "606.5", "If the total cost is that."),
        # 2025: no space either
        ("901.4.All plane cards remain.", "901.4", "All plane cards remain."),
    ],
)
def test_published_slips(line: str, number: str, text: str) -> None:
    rules, _ = parse(line)
    rule = rules.get(number)
    assert rule is not None
    assert rule.text == text


def test_a_glossary_title_glued_to_its_text() -> None:
    # 2021-06-18 has nine: "Ability1. Text on an object …"
    rules, _ = parse(SMALL.replace("Kicker, Kicked\n", "Draw"))
    entry = rules.term("draw")
    assert entry is not None
    assert entry.text == "1. A keyword ability.\n2. Described as kicked."


@pytest.mark.parametrize(
    ("damage", "kind"),
    [
        (("702.15a Life", "702.15b Life"), "repeated-rule"),
        (("702.15a Life", "702.15c Life"), "gap"),
        (("702.15. Lifelink\n", "\n"), "no-parent"),
        (("effective as of", "valid from"), "no-date"),
        (("702. Keyword Abilities\n\n702.15.", "702. Keywords\n\n702.15."), "contents"),
    ],
)
def test_damage_is_reported(damage: tuple[str, str], kind: str) -> None:
    _, problems = parse(SMALL.replace(*damage))
    assert kind in {p.kind for p in problems}


def test_what_is_no_rules_at_all() -> None:
    with pytest.raises(DataError, match="no Comprehensive Rules"):
        parse("Dear diary,\n\ntoday I drew seven lands.")


@settings(max_examples=60)
@given(
    st.lists(st.sampled_from([*SMALL.split("\n"), "", "Glossary", "Credits", "702.15z x", "§", "9.9.9"]), max_size=40)
)
def test_no_line_is_lost(lines: list[str]) -> None:
    try:
        rules, _ = parse("\n".join(lines))
    except DataError:
        return
    assert rules.lines.complete


def test_all_versions_whole() -> None:
    """29 versions; a count of the lines, made apart from the parser's, proves that none is dropped."""
    if not FOLDER.is_dir():
        pytest.skip("the shared Comprehensive Rules are not here")
    versions = load_versions(FOLDER)
    assert len(versions) == 29
    assert versions.problems == ()
    assert (versions.dates[0], versions.dates[-1]) == ("2017-08-25", "2026-04-17")
    for version, path in zip(versions.all, sorted(FOLDER.iterdir()), strict=True):
        assert version.effective in path.name
        text = read_text(path)
        assert version.lines.complete
        assert version.lines.total == text.replace("\r\n", "\n").count("\n") + (not text.endswith("\n"))
        kept = [version.effective, *(t for r in version.rules for t in (r.text, *r.examples))]
        kept += [e.title + e.text for e in version.glossary]
        kept += [*version.introduction, *version.credits, *(a + b for a, b in version.contents)]
        # Letters kept against letters in the file: nothing but numbers, "Example:" and layout may be missing.
        spare = sum(c.isalpha() for c in text) - sum(c.isalpha() for k in kept for c in k)
        examples = sum(len(r.examples) for r in version.rules) * len("Example")
        letters = sum(r.number[-1].isalpha() for r in version.rules)
        titles = len("ContentsGlossaryCredits")
        assert abs(spare - examples - letters - titles) <= 1, version.effective
        found = keywords(version)
        assert not found.problems
        assert max(len(k.name.split()) for k in found) <= 5


DEFINED = [
    # (keyword, the subrule that says what it does, not the heading and not "… is a static ability")
    ("deathtouch", "702.2b"),
    ("double strike", "702.4b"),
    ("flying", "702.9b"),
    ("lifelink", "702.15b"),
    ("protection", "702.16b"),
    ("trample", "702.19b"),
    ("ward", "702.21a"),
    ("infect", "702.90b"),
    ("cascade", "702.85a"),
    ("toxic", "702.164c"),
    ("nightbound", "702.145e"),
    ("scry", "701.22a"),
    ("mill", "701.17a"),
    ("untap", "701.26b"),
    ("planeswalk", "701.31b"),
    ("landfall", "207.2c"),
]


@pytest.mark.parametrize(("name", "number"), DEFINED)
def test_which_subrule_defines(latest: ComprehensiveRules, name: str, number: str) -> None:
    keyword = keywords(latest).get(name)
    assert keyword is not None
    assert keyword.defined_in == number


TERMS = [
    # (asked, term, number)
    ("milled", "mill", "701.17a"),
    ("Deathtouch", "deathtouch", "702.2b"),
    ("dies", "Dies", "700.4"),
    ("died", "Dies", "700.4"),
    ("ETB", "Enters the Battlefield", "403.3"),
    ("cmc", "Mana Value", "202.3"),
    ("fizzle", "Illegal Target", "608.2b"),
    ("the legend rule", "Legend Rule", "704.5j"),
    ("APNAP order", "APNAP Order", "101.4"),
    ("what is priority?", "Priority", "117.1"),
    ("mana abilities", "Mana Ability", "605.1a"),
    ("Converted Mana Cost", "Converted Mana Cost", None),
]


@pytest.mark.parametrize(("asked", "term", "number"), TERMS)
def test_glossary(latest: ComprehensiveRules, asked: str, term: str, number: str | None) -> None:
    found = define(latest, asked)
    assert found is not None
    assert (found.term, found.number) == (term, number)


def test_look_up(latest: ComprehensiveRules) -> None:
    with_children, alone = lookup(latest, "CR 702.15"), lookup(latest, "702.15.")
    assert with_children and alone
    assert [r.number[-1] for r in with_children.children] == list("abcdef")
    assert alone.children == ()
    assert [h.text for h in with_children.headings] == ["Additional Rules", "Keyword Abilities"]
    missing = lookup(latest, "702.999")
    assert missing and missing.rule is None and missing.number == "702.999"
    assert lookup(latest, "banana") is None
    symbol = lookup(latest, "107.14")
    assert symbol and symbol.rule and symbol.rule.text.startswith("The energy symbol is {E}.")


def test_a_flood_of_keywords_is_refused() -> None:
    text = SMALL.replace("702.15a", "\n\n".join(f"702.{n}. Word{n}" for n in range(16, 90)) + "\n\n702.15a")
    found = keywords(parse(text)[0])
    assert found.abilities == ()
    assert {p.kind for p in found.problems} == {"keyword-count"}
