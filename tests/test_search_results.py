"""Searching: the sample's searches, the traps of Whoosh's defaults (rows W), things that are there but were not found
(rows S3), facets, sorting, paging, offers where nothing fits."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indexer.index import write_index
from indexer.index_words import open_index
from rulings.errors import QueryError, RulingsError, UsageError
from rulings.ids import mint
from rulings.model import Card, Face, Knowledge, Occurrence, Printing, Ruling, Variant
from search.results import Searcher


def ruling(text: str, *cards: str, date: str | None = "2020-01-01", **more: object) -> Ruling:
    occurrences = tuple(Occurrence(card, date, "wotc") for card in cards or ("Some Card",))
    return Ruling(mint(text), text, occurrences=occurrences, **more)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def sample_searcher(sample: Path) -> Iterator[Searcher]:
    from indexer import build

    searcher = Searcher(build.ensure(sample).index_path)
    yield searcher
    searcher.close()


A = "You can't pay more than you have."
B = "You can pay any amount of {W/U}."
OLD_ID = mint("Pay two energy counters, then draw.")
TEXTS = (
    ruling(A, "Alpha"),
    ruling(B, "Beta"),
    ruling(
        "Pay {E}{E}, then draw.",
        "Gamma",
        date="2016-09-20",
        topics=("energy",),
        see=("107.14",),
        aliases=(OLD_ID,),
    ),
    ruling("Energy counters and life are not the same.", "Delta", date="2017-01-20", topics=("energy", "life")),
    ruling("Put a +1/+1 counter on it, where X is 3.", "Epsilon", see=("608.2b",)),
    ruling("Put a -1/-1 counter on it. Its [-2] ability", "Zeta", see=("608.2",)),
    ruling("It will resolve.", "Eta", see=("608",)),
    ruling("It will not resolve.", "Theta"),
    ruling("Lim-Dûl's zombies stay. See rule 702.90b.", "Lim-Dûl's Vault"),
    ruling("Players choose first. Landcycling works.", "Viscera Seer", date=None),
    ruling("Apply layers in order.", "Juzám Djinn"),
    ruling("The Role stays after all.", "Not Dead After All"),
    ruling("Its controller draws two cards first.", "Opt", "Fog", date="2009-10-01", topics=("life",)),
    ruling(
        "~ enters tapped.",
        "Grizzly Bears",
        "Runeclaw Bear",
        variants=(Variant("v1", "older-wording", "~ comes into play tapped."),),
    ),
)
CARDS = (
    Card("Lim-Dûl's Vault", oracle_text="Look at the top five cards.", type_line="Instant"),
    Card("Viscera Seer", type_line="Creature — Vampire Wizard", oracle_text="Sacrifice a creature: Scry 1."),
    Card("Opt", type_line="Instant", printings=(Printing("XLN"),), foreign_names=("Opter",)),
    Card("Fog", type_line="Instant"),
    Card("Fire // Ice", faces=(Face("Fire"), Face("Ice"))),
)


@pytest.fixture(scope="module")
def searcher(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Searcher]:
    folder = tmp_path_factory.mktemp("index") / "i"
    write_index(Knowledge(rulings=TEXTS, cards=CARDS), folder)
    found = Searcher(folder)
    yield found
    found.close()


SAMPLE = {
    "energy symbol": "{E} is the energy symbol. It represents one energy counter.",
    "{E}": "{E} is the energy symbol. It represents one energy counter.",
    '"can\'t pay"': "can't pay",
    "energy -target": "{E} is the energy symbol",
    'card:"Deadlock Trap" untapped': "untapped",
    "topic:energy": "{E}",
    "date:2016": "",
    "planeswalker priority": "After a planeswalker enters the battlefield, the active player receives priority",
    "can't": "can't",
}


@pytest.mark.parametrize(("query", "first"), SAMPLE.items())
def test_the_sample(sample_searcher: Searcher, query: str, first: str) -> None:
    found = sample_searcher.search(query)
    assert found.total
    assert first in found.hits[0].text


def test_the_symbol_ruling_is_on_three_cards_in_the_names_fixed_for_good(sample_searcher: Searcher) -> None:
    found = sample_searcher.search("energy symbol").to_json()
    hit = found["hits"][0]
    assert hit["id"] == "r-0pcdnc32"
    assert hit["cards_total"] == 3
    assert {"query", "total", "hits"} <= found.keys()
    assert {"id", "text", "texts", "cards", "cards_total", "date", "topics", "score"} <= hit.keys()
    assert "is the energy symbol. It represents one energy counter." in hit["texts"]


FINDS = [
    # W1, W2, W3
    ("can't", [A]),
    ("cant", [A]),
    ("CAN’T", [A]),
    ('"can\'t pay"', [A]),
    ('"will not resolve"', ["It will not resolve."]),
    ('"will resolve"', ["It will resolve."]),
    ("-energy +1/+1", ["Put a +1/+1 counter on it, where X is 3."]),
    ("energy -life", ["Pay {E}{E}, then draw."]),
    # W4, W5
    ("{E} -target", ["Pay {E}{E}, then draw.", "Energy counters and life are not the same."]),
    ('"{E}{E}"', ["Pay {E}{E}, then draw."]),
    ("{E}{E}", ["Pay {E}{E}, then draw."]),
    ('"{W/U}"', [B]),
    ('"{W}"', []),
    ('"+1/+1 counter"', ["Put a +1/+1 counter on it, where X is 3."]),
    ('"-1/-1 counter"', ["Put a -1/-1 counter on it. Its [-2] ability"]),
    ('"where x is 3"', ["Put a +1/+1 counter on it, where X is 3."]),
    ('"-2"', ["Put a -1/-1 counter on it. Its [-2] ability"]),
    # W6, rows 61 and 62
    ("rule:608.2", ["Put a +1/+1 counter on it, where X is 3.", "Put a -1/-1 counter on it. Its [-2] ability"]),
    ("rule:608.2.", ["Put a -1/-1 counter on it. Its [-2] ability"]),
    *((q, ["Lim-Dûl's zombies stay. See rule 702.90b."]) for q in ("702.90b", "CR 702.90b", "rule No. 702.90b")),
    # W7, rows 55 and 56
    *((q, ["Lim-Dûl's zombies stay. See rule 702.90b."]) for q in ("lim-dul", "Lim-Dûl", "limdul", "lim-dûls zombies")),
    # row 58: no substrings by default; *ling is asked for
    ("/erase/", []),
    ("*ling", ["Players choose first. Landcycling works."]),
    # row 59
    ('"layers"', ["Apply layers in order."]),
    # row 65
    ('"it its"~1', ["Put a -1/-1 counter on it. Its [-2] ability"]),
    # fields
    ("card:opt", ["Its controller draws two cards first."]),
    ("card:Opter", ["Its controller draws two cards first."]),
    ("set:xln", ["Its controller draws two cards first."]),
    ("type:vampire", ["Players choose first. Landcycling works."]),
    ('oracle:"scry 1"', ["Players choose first. Landcycling works."]),
    ("is:shared", ["Its controller draws two cards first.", "~ enters tapped."]),
    ("is:variant", ["~ enters tapped."]),
    ("is:undated", ["Players choose first. Landcycling works."]),
    ("cards>=2 -is:variant", ["Its controller draws two cards first."]),
    ("date:2016..2017 -life", ["Pay {E}{E}, then draw."]),
    ("as-of:2010-01-01", ["Its controller draws two cards first."]),
    ("topic:life year:2017", ["Energy counters and life are not the same."]),
    (f"id:{mint(A)}", [A]),
    (f" {mint(A).upper()}", [A]),
    (OLD_ID, ["Pay {E}{E}, then draw."]),
    ("(zombies OR layers) AND NOT order", ["Lim-Dûl's zombies stay. See rule 702.90b."]),
    # phrases with the own name, written either way; an older wording
    ('"~ enters"', ["~ enters tapped."]),
    ('"Grizzly Bears enters tapped"', ["~ enters tapped."]),
    ('"comes into play"', ["~ enters tapped."]),
    ("~", ["~ enters tapped."]),
    (r"/x is \d/", ["Put a +1/+1 counter on it, where X is 3."]),
    ("zombeis~2", ["Lim-Dûl's zombies stay. See rule 702.90b."]),
]


@pytest.mark.parametrize(("query", "texts"), FINDS)
def test_exactly_these(searcher: Searcher, query: str, texts: list[str]) -> None:
    found = searcher.search(query, limit=100)
    assert sorted(hit.id for hit in found.hits) == sorted(mint(text) for text in texts)
    assert found.total == len(texts)


FIRST = [
    ("energy symbol", "Pay {E}{E}, then draw.", 2),
    ("not dead after all", "The Role stays after all.", 1),
    ("lim dul vault", "Lim-Dûl's zombies stay. See rule 702.90b.", 1),
    ("limduls vualt", "Lim-Dûl's zombies stay. See rule 702.90b.", 1),
    ("juzam djinn", "Apply layers in order.", 1),
    ("what about the Viscera Seers", "Players choose first. Landcycling works.", 1),
]


@pytest.mark.parametrize(("query", "text", "within"), FIRST)
def test_among_the_first(searcher: Searcher, query: str, text: str, within: int) -> None:
    assert mint(text) in [hit.id for hit in searcher.search(query).hits[:within]]


def test_a_query_of_small_words_finds_something(searcher: Searcher) -> None:
    assert searcher.search("it is the").total


def test_one_word_among_small_ones_is_asked_for_alone(searcher: Searcher) -> None:
    alone = [hit.id for hit in searcher.search("energy").hits]
    assert alone
    assert [hit.id for hit in searcher.search("what is energy").hits] == alone


def test_errors_reach_the_caller(searcher: Searcher) -> None:
    with pytest.raises(QueryError):
        searcher.search('"open')
    with pytest.raises(UsageError):
        searcher.search("energy", sort="prettiest")
    assert searcher.search('"open', plain=True).query == '"open'


def test_highlights_are_exactly_what_matched(searcher: Searcher) -> None:
    def marked(query: str) -> list[str]:
        hit = searcher.search(query).hits[0]
        return [hit.text[start:end] for start, end in hit.highlights]

    assert marked('"+1/+1 counter"') == ["+1/+1 counter"]
    assert marked("zombie") == ["zombies"]
    assert marked('"it will" resolve -not') == ["It will", "resolve"]
    assert marked("lim-dul") == ["Lim-Dûl's"]
    assert marked(r"/lay\w+/") == ["layers"]
    assert marked("*cycl*") == ["Landcycling"]


def test_facets_count_what_is_listed_and_the_total_is_one_query(searcher: Searcher) -> None:
    found = searcher.search("topic:life", facets=True)
    assert found.facets is not None
    assert dict(found.facets["topic"]) == {"life": 2, "energy": 1}
    assert dict(found.facets["year"]) == {"2009": 1, "2017": 1}
    assert dict(found.facets["source"]) == {"wotc": 2}
    assert dict(found.facets["type"]) == {"instant": 1}
    assert dict(searcher.search("see:no", plain=True, facets=True).facets or {})["topic"] is not None


def test_sorting_and_stable_pages(searcher: Searcher) -> None:
    whole = [hit.id for hit in searcher.search("cards>=1", limit=100).hits]
    assert [searcher.search("cards>=1", limit=1, offset=i).hits[0].id for i in range(len(whole))] == whole
    dates = [hit.date for hit in searcher.search("cards>=1", limit=100, sort="newest").hits]
    assert dates == sorted(dates, key=lambda d: d or "", reverse=True)
    oldest = [hit.first_date for hit in searcher.search("cards>=1", limit=100, sort="oldest").hits]
    assert oldest[0] == "2009-10-01" and oldest[-1] is None
    assert searcher.search("cards>=1", sort="card").hits[0].cards[0] == "Alpha"
    assert searcher.search("cards>=1", sort="shared").hits[0].cards_total == 2


def test_where_nothing_fits_there_are_offers(searcher: Searcher) -> None:
    found = searcher.search('card:opt "zombies stay"')
    assert not found.total
    assert {offer["without"]: offer["total"] for offer in found.relaxed} == {'"zombies stay"': 1, "card:opt": 1}
    assert 'card:"Viscera Seer"' in searcher.search('card:"Visera Seer"').suggestions
    found = searcher.search("zombies layers counter")
    assert found.closest == (3, 1, 5)
    assert found.all_words == 0
    assert searcher.search("zombeis").mended == (("zombeis", "zombies"),)


@pytest.mark.parametrize(("typed", "meant"), [("zombeis", "zombies"), ("zombeis stay", "zombies stay")])
def test_a_misspelt_word_finds_what_it_is_read_as(searcher: Searcher, typed: str, meant: str) -> None:
    found, wanted = searcher.search(typed), searcher.search(meant)
    assert [hit.id for hit in found.hits] == [hit.id for hit in wanted.hits] != []
    assert found.all_words == wanted.all_words


def test_a_card_name_alone_names_the_card(searcher: Searcher) -> None:
    assert searcher.search("Viscera Seer").card == "Viscera Seer"
    assert searcher.search("viscera seer scry").card is None


def test_old_rulings_carry_a_note_where_newer_ones_treat_the_topic(searcher: Searcher) -> None:
    notes = {hit.date: hit.note for hit in searcher.search("topic:life").hits}
    assert notes == {"2017-01-20": "", "2009-10-01": "from 2009; newer rulings treat this too"}


def test_superseded_rulings_rank_down_and_say_so(tmp_path: Path) -> None:
    old = ruling("The fog lifts at dusk.", status="superseded", superseded_by=mint("The fog lifts at dawn."))
    write_index(Knowledge(rulings=(old, ruling("The fog lifts at dawn."))), tmp_path / "i")
    hits = Searcher(tmp_path / "i").search("fog lifts").hits
    assert [hit.status for hit in hits] == ["current", "superseded"]
    assert hits[0].score > hits[1].score


def test_explain_adds_up(searcher: Searcher) -> None:
    for query in ("energy life", "Lim-Dul's Vault zombies", "is:shared"):
        hit = searcher.search(query, explain=True).hits[0]
        points = sum(int(str(part["points"])) for part in hit.why)
        assert 0 <= hit.score - points <= len(hit.why)


def test_a_damaged_index_is_noticed(tmp_path: Path) -> None:
    write_index(Knowledge(rulings=TEXTS), tmp_path / "i")
    path = tmp_path / "i" / "search.sqlite"
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(RulingsError):
        Searcher(tmp_path / "i")


def test_whoosh_holds_the_index(searcher: Searcher) -> None:
    index = open_index(searcher.base.directory / "whoosh")
    assert index.doc_count() == len(TEXTS)
    assert {"word", "card", "topic", "rule", "date"} <= set(index.schema.names())
    index.close()


@given(st.text(alphabet='aelnrty{E}"~*-:/().+12 OR', max_size=24))
@settings(max_examples=150)
def test_any_text_is_answered_or_refused(sample_searcher: Searcher, query: str) -> None:
    for plain in (True, False):
        try:
            found = sample_searcher.search(query, facets=True, explain=True, plain=plain)
        except QueryError as error:
            assert 0 <= error.column <= len(query)
        else:
            assert len(found.hits) == min(10, found.total)
            for hit in found.hits:
                assert all(0 <= start < end <= len(hit.text) for start, end in hit.highlights)


FIELD_VALUES = st.text(alphabet="aeit!? -.'é{}", min_size=1, max_size=8)


@given(st.sampled_from(["card", "topic", "source", "set", "type", "oracle"]), FIELD_VALUES)
@settings(max_examples=60)
def test_any_value_of_a_field_is_answered_or_refused(sample_searcher: Searcher, field: str, value: str) -> None:
    with contextlib.suppress(QueryError):
        sample_searcher.search(f'{field}:"{value}"')


def test_threads_may_share_a_searcher(sample_searcher: Searcher) -> None:
    queries = list(SAMPLE) * 3
    alone = [sample_searcher.search(query).to_json() for query in queries]
    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(lambda query: sample_searcher.search(query).to_json(), queries)) == alone
