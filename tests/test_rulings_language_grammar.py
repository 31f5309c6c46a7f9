"""The query language: a golden table of query -> reading, and errors that point at the column."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulings.errors import QueryError
from rulings.language import grammar
from rulings.language.fields import FIELDS
from rulings.language.patterns import fault
from rulings.language.query import explain

READINGS = {
    "energy symbol": "Rulings about energy and symbol.",
    # W1, W2: small words and negations are words, and a phrase keeps them
    "can't": "Rulings with can't.",
    '"will not resolve"': "Rulings with exactly “will not resolve”.",
    # W3
    "energy -life": "Rulings with energy and not with life.",
    # W4, W5
    "{E}{E}": "Rulings with {e}{e}.",
    '"+1/+1 counter" X -2': "Rulings with exactly “+1/+1 counter” and with x and with -2.",
    # W6; row 61: the ways to write a rule number
    "rule:608.2": "Rulings on rule 608.2 or its subrules.",
    "rule:608.2.": "Rulings on rule 608.2 alone.",
    "702.90b": "Rulings on rule 702.90b or its subrules.",
    "CR 702.90b": "Rulings on rule 702.90b or its subrules. “cr” before 702.90b is not searched for.",
    "c.r. 702.90b": "Rulings on rule 702.90b or its subrules. “c.r.” before 702.90b is not searched for.",
    "rule No. 702.90b": "Rulings on rule 702.90b or its subrules. “no.” before 702.90b is not searched for."
    " “rule” before 702.90b is not searched for.",
    "§702.90b": "Rulings on rule 702.90b or its subrules.",
    # row 50: lower-case and, or, not are words
    "not dead after all": "Rulings about not, dead, after and all.",
    "energy OR poison counter": "Rulings either with energy or (with poison and with counter).",
    "(energy OR poison) AND NOT counter": "Rulings (either with energy or with poison) and not with counter.",
    # row 65: punctuation
    "first-strike cost: {2} (energy)": "Rulings about first-strike, cost, {2} and energy.",
    "“can’t pay”": "Rulings with exactly “can't pay”.",
    "date:2016..2018 cards>=10": "Rulings dated 2016-01-01 to 2018-12-31 and on at least 10 cards.",
    "date:>=2024-03": "Rulings dated 2024-03-01 or later.",
    "date>2016": "Rulings dated 2017-01-01 or later.",
    "date<2016": "Rulings dated 2015-12-31 or earlier.",
    "date:2024-02": "Rulings dated 2024-02-01 to 2024-02-29.",
    "as-of:2019-06-01": "Rulings published by 2019-06-01.",
    "is:shared -card:Opt": "Rulings shared by two cards or more and not on the card Opt.",
    '"sacrifice resolves"~5 untap* wrod~': "Rulings with sacrifice and resolves at most 5 words apart and with a word"
    " like untap* and with a word spelt like wrod (up to 1 letters apart).",
    r"/\{E\}{2}/ ~": "Rulings matching the pattern /\\{E\\}{2}/ and naming the card they stand on.",
    "Fire // Ice": "Rulings about fire and ice.",
    # an id alone is the ruling; beside other words, and without its hyphen, it is a word
    " R-0PCDNC32 ": "Rulings with the id r-0pcdnc32.",
    "r-htbkdam4": "Rulings with the id r-htbkdam4.",
    "reanimate": "Rulings with reanimate.",
}


@pytest.mark.parametrize(("query", "reading"), READINGS.items())
def test_readings(query: str, reading: str) -> None:
    assert explain(grammar.parse(query)) == reading


ERRORS = [
    ('energy "open', 7, "never closed"),
    ("topi:energy", 0, "topic"),
    ("energy foo:bar", 7, "no field"),
    ("200[1-9]", 3, "square brackets"),
    ("/a(b/", 2, "never closed"),
    ("/(?=x)/", 2, "(?"),
    ("x /a[/", 4, "never closed"),
    ("a*", 0, "too many"),
    ("energy OR", 7, "missing"),
    ("OR energy", 0, "missing"),
    ("(energy", 0, "never closed"),
    ("energy)", 6, "closes nothing"),
    ("date:2016-13", 10, "month"),
    ("date:2018..2016", 5, "backwards"),
    ("cards>=many", 7, "number"),
    ("is:fun", 3, "none of"),
    ("rule:x", 5, "rule number"),
    ("id:foo", 3, "id"),
    ("card>=3", 4, "knows only"),
    ("energy|poison", 6, "OR"),
    ("   ", 0, "nothing to search"),
    ('""', 0, "no word"),
    ('"a b"~99', 5, "apart"),
]


@pytest.mark.parametrize(("query", "column", "says"), ERRORS)
def test_errors_point_at_the_column(query: str, column: int, says: str) -> None:
    with pytest.raises(QueryError) as caught:
        grammar.parse(query)
    assert caught.value.column == column
    assert says in f"{caught.value.message} {caught.value.hint}"


def test_every_example_of_the_help_parses_and_is_printed() -> None:
    text = grammar.help_text()
    examples = [e for form in grammar.SYNTAX for e in form.examples]
    examples += [e for field in FIELDS.values() for e in field.examples]
    for example in examples:
        grammar.parse(example)
        assert example in text


def test_the_documentation_holds_the_table() -> None:
    from pathlib import Path

    page = (Path(__file__).parents[1] / "docs/query-language.md").read_text(encoding="utf-8")
    assert grammar.help_text() in page


@given(st.text(alphabet='ab"()-~*/:{}[]\\ .E1OR\u201c', max_size=30))
def test_a_query_is_read_or_refused_at_a_column_inside_it(query: str) -> None:
    try:
        assert explain(grammar.parse(query))
    except QueryError as error:
        assert 0 <= error.column <= len(query)


@given(st.text(max_size=60))
def test_words_alone_never_fail_but_on_nothing(text: str) -> None:
    try:
        assert grammar.as_words(text).plain
    except QueryError as error:
        assert "nothing" in error.message


@given(st.text(alphabet="ab(|)*+?{1,}[]^-\\d.$", max_size=14))
def test_whatever_the_pattern_subset_allows_both_engines_compile(pattern: str) -> None:
    import re

    import re2

    if fault(pattern) is None:
        re2.compile(f"(?i){pattern}")
        re.compile(pattern)
