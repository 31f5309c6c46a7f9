"""Cards in questions: short, misspelt, possessive, two at once; and ordinary words that are no card."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from indexer.index import write_index
from rulings.ids import mint
from rulings.language.grammar import as_words
from rulings.model import Card, Knowledge, Occurrence, Ruling
from search.base import Base
from search.question import understand

LEGEND = "Legendary Creature — Human Wizard"
CARDS = (
    Card("Opt", type_line="Instant"),
    Card("Fog", type_line="Instant"),
    Card("Counterspell", type_line="Instant"),
    Card("Unearth", type_line="Sorcery"),
    Card("Rhox Faithmender", type_line="Creature — Rhino Monk", keywords=("Lifelink",)),
    Card("Chalice of the Void", type_line="Artifact"),
    Card("Abrupt Decay", type_line="Instant"),
    Card("Lim-Dûl's Vault", type_line="Instant"),
    Card("Serra's Boon", type_line="Enchantment — Aura"),
    Card("Not of This World", type_line="Kindred Instant — Eldrazi"),
    Card("Karador, Ghost Chieftain", type_line="Legendary Creature — Centaur Spirit"),
    Card("Jhoira of the Ghitu", type_line=LEGEND),
    Card("Jhoira, Weatherlight Captain", type_line=LEGEND),
    Card("Second Guess", type_line="Instant"),
    Card("Goblin", type_line="Creature — Goblin"),
    Card("Oblivion Ring", type_line="Enchantment"),
    Card("Fatestitcher", type_line="Creature — Zombie Wizard", keywords=("Unearth",)),
)
# What the base itself says of ordinary words: eleven rulings opt for something.
TEXTS = [f"You may opt for the counterspell number {i}." for i in range(61)] + ["Unearth is an ability."]


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Base]:
    folder = tmp_path_factory.mktemp("names") / "i"
    rulings = [Ruling(mint(t), t, occurrences=(Occurrence("Fatestitcher", None, "x"),)) for t in TEXTS]
    rulings += [
        Ruling(mint(f"{c.name} works."), f"{c.name} works.", occurrences=(Occurrence(c.name, None, "x"),))
        for c in CARDS
    ]
    write_index(Knowledge(rulings=tuple(rulings), cards=CARDS), folder)
    found = Base(folder)
    yield found
    found.close()


NAMED = {
    "two at once": (
        "Chalice of the Void on two, does it counter Abrupt Decay?",
        {"Chalice of the Void", "Abrupt Decay"},
    ),
    "possessive, plural": ("do two Rhox Faithmender's or faithmenders stack", {"Rhox Faithmender"}),
    "without punctuation": ("lim duls vault", {"Lim-Dûl's Vault"}),
    "run together": ("limdul's vault", {"Lim-Dûl's Vault"}),
    "misspelt": ("chalise of the void", {"Chalice of the Void"}),
    "misspelt in a distinctive word": ("karadorr leaves", {"Karador, Ghost Chieftain"}),
    "short name": ("can Karador be sacrificed", {"Karador, Ghost Chieftain"}),
    "short name of two": ("does jhoira draw", {"Jhoira of the Ghitu", "Jhoira, Weatherlight Captain"}),
    "small words": ("not of this world", {"Not of This World"}),
    "a distinctive word": ("what if the Chalice is gone", {"Chalice of the Void"}),
    "nickname": ("the o-ring trick", {"Oblivion Ring"}),
    "ordinary words in a row are a card where they are its name": ("second guess which spell", {"Second Guess"}),
    "an ordinary word in capitals, inside": ("can I Opt in response", {"Opt"}),
    "an ordinary word": ("may i opt for it", set()),
    "slang": ("does a counterspell work", set()),
    "a keyword": ("unearth and storm", set()),
    "a creature type": ("my goblin dies", set()),
    "a sentence begins with a capital": ("Opt for it", set()),
    "a common word of the rules": ("what does target mean", set()),
}


@pytest.mark.parametrize(("text", "expected"), NAMED.values(), ids=NAMED.keys())
def test_named_cards(base: Base, text: str, expected: set[str]) -> None:
    found = understand(base, as_words(text)).cards
    assert {base.card(card)[0] for card, sure in found.items() if sure >= 400} == expected
