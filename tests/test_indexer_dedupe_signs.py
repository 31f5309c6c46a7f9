"""Small signs that carry an answer keep two texts of the same letters apart."""

from __future__ import annotations

import pytest

from indexer.dedupe import partition, relation, wording_of
from indexer.dedupe.signs import signs_apart


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("The creature gets -3/-3 until the end of that turn.", "The creature gets 3/3 until the end of that turn."),
        ("The creature gets +1/-1 until the end of that turn.", "The creature gets +1/1 until the end of that turn."),
        ("Its value is −X in the game for that creature.", "Its value is X in the game for that creature."),
        ("The number is X+1 for that creature.", "The number is X-1 for that creature."),
        ("The number is X - 1 for that creature.", "The number is X 1 for that creature."),
        ("Its power is 2/* in the game there.", "Its power is 2 in the game there."),
        ("It needs >5 life to do that thing.", "It needs <5 life to do that thing."),
        ("You lose 50% of the life there.", "You lose 50 of the life there."),
        ("It counts as 1½ of a creature.", "It counts as 1 of a creature."),
        ("You can't. Cast it from your hand instead of that.", "You can't cast it from your hand instead of that."),
        ("No. Creatures can attack the planeswalker.", "No creatures can attack the planeswalker."),
        ("Any creature is hit, not only yours.", "Any creature is hit not, only yours."),
        ("Draw a card; you may not reveal it.", "Draw a card, you may; not reveal it."),
        ("You gain life only if you cast it from your hand.", "You gain life if only you cast it from your hand."),
        ("Does the ability trigger once? It does so there.", "Does the ability trigger once. It does so there."),
    ],
)
def test_a_small_sign_keeps_them_apart_for_review(a: str, b: str) -> None:
    one, other = (wording_of(card, text, "2020-01-01") for card, text in (("Opt", a), ("Shock", b)))
    verdict = relation(one, other)
    assert (verdict.relation, verdict.doubtful) == ("different", True)
    assert len(partition([one, other]).groups) == 2


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("It gets −3/−3. It can’t attack.", "It gets -3/-3. It can't attack."),
        ("A well-known card—that one—isn't here.", "A well known card - that one - is not here."),
        ("You cannot cast it, but you may play it.", "You can't cast it but you may play it."),
        ("The −2 ability, and the first-strike damage.", "The -2 ability and the first strike damage."),
    ],
)
def test_typography_is_no_sign(a: str, b: str) -> None:
    assert signs_apart(a, b) == signs_apart(b, a) == ""
