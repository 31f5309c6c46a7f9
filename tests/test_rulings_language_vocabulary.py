"""Synonyms and ranking weights as data: each entry with its reason, and what must and must not be one."""

from __future__ import annotations

import pytest

from rulings.language.ranking import idf, impact, ranking, shared
from rulings.language.tokens import stems
from rulings.language.vocabulary import vocabulary

SLANG = [
    ("cmc", "mana value"),
    ("converted mana cost", "mana value"),
    ("etb", "enters the battlefield"),
    ("comes into play", "enters"),
    ("removed from the game", "exile"),
    ("fizzles", "all targets are illegal"),
    ("bounce", "returned to its owner's hand"),
    ("sac", "sacrifice"),
    ("summoning sick", "summoning sickness"),
    ("swing", "attack"),
    ("scooped", "concede"),
    ("unmorph", "turned face up"),
    ("mill", "from library into graveyard"),
]


@pytest.mark.parametrize(("asked", "written"), SLANG)
def test_slang_and_old_words_meet_today_s(asked: str, written: str) -> None:
    question = {key for key, _, _ in vocabulary().in_question(stems(asked))}
    assert question & vocabulary().in_ruling(stems(written))


def test_slang_that_no_ruling_uses_stays_out_of_rulings() -> None:
    assert "creature" not in vocabulary().in_ruling(stems("my guy"))
    assert "creature" in {key for key, _, _ in vocabulary().in_question(stems("my guy"))}


def test_every_entry_has_a_reason_and_a_key_of_its_own() -> None:
    concepts = vocabulary().concepts
    assert len({c.key for c in concepts}) == len(concepts) >= 300
    assert all(len(c.reason) >= 5 and c.terms for c in concepts)


def test_content_words_are_not_light() -> None:
    assert not {"can", "can't", "may", "not", "if", "until"} & vocabulary().light


def test_impact_grows_with_occurrences_and_falls_with_length() -> None:
    assert impact(1, 10) > impact(1, 40) > impact(1, 200) > 0
    assert impact(3, 40) > impact(2, 40) > impact(1, 40)
    assert impact(1, 36) > impact(1, 36, "older-wording") > impact(1, 36, "typo")
    assert impact(10_000, 1) <= 220


def test_weights_are_whole_numbers_and_large_enough_sums_stay_exact_in_the_browser() -> None:
    weights = ranking()
    assert all(isinstance(w, int) for w in weights.weight.values())
    most = max(weights.weight.values()) * idf(100_000, 1) * 220 * 200 + weights.card + weights.self
    assert most < 2**53
    assert shared(10, 0) > shared(2, 0) > 0 == shared(1000, 1000)
