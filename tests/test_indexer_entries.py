"""What a new state of a source does to the occurrences of a base."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from indexer.entries import CardNames, Entry, State, merge
from rulings.model import Card, Face


def entry(card: str, text: str, as_of: str | None = None, *, source: str = "s", date: str | None = None) -> Entry:
    return Entry(card, None, date, source, text, 0, as_of)


def state(as_of: str | None, *entries: Entry, whole: bool = True, source: str = "s") -> State:
    return State(source, as_of, whole, entries, "2030-01-01")


def missing(entries: list[Entry]) -> dict[str, str | None]:
    return {e.text: e.missing_since for e in entries}


def test_a_part_speaks_only_for_the_cards_it_names() -> None:
    old = [entry("A", "a1", "2020"), entry("A", "a2", "2020"), entry("B", "b1", "2020")]
    merged = merge(old, state("2024", entry("A", "a1", "2024"), whole=False))
    assert missing(merged.entries) == {"a1": None, "a2": "2024", "b1": None}
    assert (merged.new, merged.known, len(merged.gone)) == (0, 1, 1)


def test_a_whole_dump_speaks_for_all() -> None:
    old = [entry("A", "a1", "2020"), entry("B", "b1", "2020")]
    assert missing(merge(old, state("2024", entry("A", "a1", "2024"))).entries) == {"a1": None, "b1": "2024"}


def test_another_source_says_nothing_of_this_one() -> None:
    old = [entry("A", "a1", "2020")]
    merged = merge(old, state("2024", entry("A", "x", "2024", source="t"), source="t"))
    assert missing(merged.entries) == {"a1": None, "x": None}


def test_a_page_without_a_state_only_adds() -> None:
    old = [entry("A", "a1", "2020")]
    assert missing(merge(old, state(None, entry("A", "a2"), whole=False)).entries) == {"a1": None, "a2": None}


def test_a_dump_without_a_state_is_of_today() -> None:
    old = [entry("A", "a1"), entry("A", "a2")]
    assert missing(merge(old, state(None, entry("A", "a1"))).entries) == {"a1": None, "a2": "2030-01-01"}


def test_what_comes_back_is_not_missing_any_more() -> None:
    gone = Entry("A", None, None, "s", "a1", 0, "2018", "2020")
    (back,) = merge([gone], state("2024", entry("A", "a1", "2024"))).entries
    assert (back.missing_since, back.as_of) == (None, "2024")


def test_an_older_state_does_not_bring_it_back() -> None:
    gone = Entry("A", None, None, "s", "a1", 0, "2018", "2022")
    (still,) = merge([gone], state("2020", entry("A", "a1", "2020"))).entries
    assert (still.missing_since, still.as_of) == ("2022", "2020")


def test_a_text_that_comes_back_between_two_states_is_gone_where_the_newest_lacks_it() -> None:
    entries: list[Entry] = []
    for year, texts in (("2021", ["a1"]), ("2020", ["a1", "a2"]), ("2023", ["a1"]), ("2022", ["a1", "a2"])):
        entries = merge(entries, state(year, *(entry("A", text, year) for text in texts))).entries
    (second,) = (e for e in entries if e.text == "a2")
    assert (second.missing_since, second.as_of) == ("2023", "2022")


TEXTS = st.sets(st.sampled_from(["a1", "a2", "a3"]), min_size=1)
STATES = st.lists(TEXTS, min_size=1, max_size=4)


@given(STATES, st.randoms(use_true_random=False))
def test_states_in_any_order_leave_the_same_texts_present(states: list[set[str]], random: object) -> None:
    """Each state covers one card; whatever order they come in, the newest decides what is at the source."""
    dated = [state(str(2020 + n), *(entry("A", t, str(2020 + n)) for t in sorted(ts))) for n, ts in enumerate(states)]
    shuffled = list(dated)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    results = []
    for order in (dated, shuffled):
        entries: list[Entry] = []
        for one in order:
            entries = merge(entries, one).entries
        results.append({(e.text, e.as_of, e.missing_since is None) for e in entries})
        assert {e.text for e in entries} == set().union(*states)
    assert results[0] == results[1]
    assert {text for text, _, present in results[0] if present} == states[-1]


CARDS = (
    Card("Fire // Ice", faces=(Face("Fire"), Face("Ice"))),
    Card("Lim-Dûl's Vault"),
    Card("Very Cryptic Command", "id-1"),
    Card("Very Cryptic Command", "id-2"),
    Card("Shaman's Trance", former_names=("Old Trance",)),
)


def test_entries_are_put_on_the_card_they_mean() -> None:
    names = CardNames(CARDS)
    meant = {n: names.name(n) for n in ("Fire", "fire // ice", "Lim-Dul's Vault", "Old Trance", "Nobody")}
    assert meant == {
        "Fire": "Fire // Ice",
        "fire // ice": "Fire // Ice",
        "Lim-Dul's Vault": "Lim-Dûl's Vault",
        "Old Trance": "Shaman's Trance",
        "Nobody": "Nobody",
    }


def test_an_oracle_id_is_kept_only_where_the_name_is_not_enough() -> None:
    names = CardNames(CARDS)
    both = [names.place(Entry(c, "id-2", None, "s", "t", 0)) for c in ("Very Cryptic Command", "Fire")]
    assert [e.oracle_id for e in both] == ["id-2", None]
