"""All candidate pairs are found, and whether a pair is one depends on its two texts alone."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from indexer.dedupe.candidates import Signature, candidates, near, signature, within
from indexer.dedupe.reading import read

WORDS = st.lists(st.integers(0, 12), max_size=9).map(lambda words: tuple(sorted(set(words))))
SENTENCES = st.lists(st.integers(0, 5), max_size=3).map(lambda words: tuple(sorted(set(words))))
SIGNATURES = st.lists(st.builds(Signature, WORDS, SENTENCES), max_size=25)


def pairs_one_by_one(signatures: list[Signature]) -> list[tuple[int, int]]:
    """What the index must find, without the index."""
    numbered = combinations(enumerate(signatures), 2)
    return [(i, j) for (i, a), (j, b) in numbered if near(a.words, b.words) or within(a, b)]


@given(SIGNATURES)
def test_the_index_finds_what_comparing_all_pairs_finds(signatures: list[Signature]) -> None:
    assert candidates(signatures) == pairs_one_by_one(signatures)


@given(SIGNATURES, st.data())
def test_only_fresh_texts_are_looked_up(signatures: list[Signature], data: st.DataObject) -> None:
    fresh = data.draw(st.sets(st.integers(0, max(0, len(signatures) - 1)), max_size=len(signatures)))
    fresh &= set(range(len(signatures)))
    wanted = [pair for pair in pairs_one_by_one(signatures) if fresh & set(pair)]
    assert candidates(signatures, fresh) == wanted


def test_a_text_within_another_is_a_candidate_however_short() -> None:
    short = signature(read("It isn't a mana ability."))
    long = signature(
        read("It isn't a mana ability. Players may respond to it by casting spells, by activating abilities and so on.")
    )
    assert not near(short.words, long.words)
    assert candidates([short, long]) == [(0, 1)]


def test_a_worked_example_does_not_hide_a_pair() -> None:
    texts = [
        "Delve doesn't change a spell's mana cost or mana value, whatever you exile. For example, Dig is 8.",
        "Delve doesn't change a spell's mana cost or mana value, whatever you exile. For example, if you cast "
        "Dig by exiling six cards from your graveyard and paying the rest with mana from lands, its mana value is 8.",
    ]
    assert candidates([signature(read(text)) for text in texts]) == [(0, 1)]
