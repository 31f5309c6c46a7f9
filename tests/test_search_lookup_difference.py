"""Kinds of difference: what a changed word does to a ruling."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.lookup_tokens import tokenize, words_of
from search.lookup.difference import changes, read, same_root


def kinds(said: str, meant: str) -> set[str]:
    def words(text: str) -> list[str]:
        return words_of(tokenize(text))

    def named(text: str) -> list[bool]:
        return [t.start > 0 and text[t.start].isupper() for t in tokenize(text) if t.kind == 0]

    return {c.kind for c in changes(read(words(said), named(said)), read(words(meant), named(meant)))}


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("You choose any target.", "You choose a target."),
        ("Because it’s exiled, it’s gone.", "Since it's exiled, it's gone."),
        ("For instance, you draw.", "For example, you draw."),
        ("You simply pay {E}.", "You pay {E}."),
        ("It cannot attack.", "It can’t attack."),
        ("The ability resolves first.", "The ability will resolve first."),
        ("You draw all the cards.", "You draw each card."),
        ("It has no effect.", "It doesn’t have any effect."),
        ("If, for example, it was blue, it counts.", "For example, if it was blue, it counts."),
        ("Regardless of who controls it.", "No matter who controls it."),
        ("A creature that enters tapped", "A creature that enters the battlefield tapped"),
        ("You may do it.", "You can do it."),
        ("It works then.", "It will work then."),
    ],
)
def test_words_that_change_nothing(said: str, meant: str) -> None:
    assert kinds(said, meant) <= {"word"}


@pytest.mark.parametrize(
    ("said", "meant", "kind"),
    [
        ("It does cause that.", "It does not cause that.", "negation"),
        ("You can use any cost.", "You can’t use any cost.", "negation"),
        ("Others are affected.", "Others are unaffected.", "negation"),
        ("Lands lose their types.", "Lands retain their types.", "negation"),
        ("You target two creatures.", "You target three creatures.", "number"),
        ("It gets +1/+1.", "It gets -1/-1.", "number"),
        ("Its first ability", "Its second ability", "number"),
        ("It pays for {2}.", "It pays for {1}.", "symbol"),
        ("If you pay {5}{R}, attack.", "If you pay {5}{R}{R}, attack.", "symbol"),
        ("Convoke can't pay.", "Improvise can't pay.", "keyword"),
        ("It has trample.", "It has flying.", "keyword"),
        ("Other Druids you control", "Other Elves you control", "type"),
        ("No creature spells", "No noncreature spells", "negation"),
        ("The least power", "The least toughness", "type"),
        ("A shield counter", "A stun counter", "type"),
        ("A white creature", "A black creature", "colour"),
        ("You must attack.", "You may attack.", "modal"),
        ("Your opponents draw.", "You draw.", "player"),
        ("From your hand", "From your graveyard", "zone"),
        ("Before blocks", "After blocks", "time"),
        ("You can do it.", "Only you can do it.", "time"),
        ("It becomes unattached.", "It remains unattached.", "meaning"),
        ("One at a time", "At the same time", "meaning"),
        ("Creatures and lands", "Creatures or lands", "meaning"),
    ],
)
def test_words_that_change_the_answer(said: str, meant: str, kind: str) -> None:
    assert kind in kinds(said, meant)


@pytest.mark.parametrize(
    ("p", "q", "same"),
    [
        ("resolve", "resolving", True),
        ("applies", "applied", True),
        ("choose", "chosen", True),
        ("elf", "elves", True),
        ("power", "powder", False),
        ("untap", "tap", False),
        ("attack", "attacker", False),
    ],
)
def test_forms_of_one_word(p: str, q: str, same: bool) -> None:
    assert same_root(p, q) is same


WORDS = st.lists(st.sampled_from("if you can not pay {E} the creature it dies each two of first".split()), max_size=14)


@given(WORDS)
def test_the_same_words_have_no_difference(words: list[str]) -> None:
    flags = [False] * len(words)
    assert changes(read(words, flags), read(words, flags)) == []


@given(WORDS, st.integers(0, 13))
def test_a_dropped_not_is_never_harmless(words: list[str], at: int) -> None:
    meant = [*words[:at], "not", *words[at:]]
    said = [*words[:at], *words[at:]]
    found = changes(read(said, [False] * len(said)), read(meant, [False] * len(meant)))
    assert any(change.kind not in ("word", "punctuation") for change in found)
