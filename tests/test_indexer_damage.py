"""Damage: each kind is seen with its reason, and the real corpus raises few alarms."""

from __future__ import annotations

import gzip
import json
import time
from collections import Counter
from pathlib import Path

import pytest

from indexer.damage import damage, is_damaged
from indexer.fused import fused_words
from indexer.sources import read
from rulings.model import Card, Face
from rulings.names import CardIndex, is_legendary, own_names

SHARED = Path(__file__).parents[2] / "shared"
PAGES = Path(__file__).parents[1] / "rulings" / "sample" / "pages"


def kinds(text: str, **options: object) -> list[str]:
    return [one.kind for one in damage(text, **options)]  # type: ignore[arg-type]


LOST = [
    "If an effect says you get one or more , you get that many energy counters. To pay one or more , you lose.",
    "is the energy symbol. It represents one energy counter.",
    "You won't get any .",
    'Some abilities state that you "may pay" a certain amount of describe an effect.',
    "You can't pay any even if you want to.",
    "Some spells and abilities that give you may require targets.",
    "such as {X}{X}{R} or , the companion condition isn't satisfied.",  # scryfall/gatherer-bugs#56, #69
    "For example, , it does nothing.",
    "If a permanent has in its mana cost, X is considered to be 0.",
    "An enchantment spell with converted mana cost will cost to cast.",  # taw/magic-search-engine#20
    "The spell costs less to cast.",
    "You may pay as the ability resolves.",
]


@pytest.mark.parametrize("text", LOST)
def test_lost_symbols(text: str) -> None:
    found = damage(text)
    assert [one.kind for one in found if one.kind == "symbol-loss"]
    assert is_damaged(one.kind for one in found)
    assert all(one.reason for one in found)


def test_the_damaged_seeds_are_found_and_no_other() -> None:
    found = Counter()
    for name in sorted(PAGES.iterdir()):
        for ruling in read(name).rulings:
            if is_damaged(kinds(ruling.text)):
                assert ruling.card == "Deadlock Trap"
                found["damaged"] += 1
            else:
                found["whole"] += 1
    assert found == {"damaged": 6, "whole": 36}


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("y target artifact.", "truncated-start"),  # scryfall/gatherer-bugs#185, #160
        ("hield counters don't prevent players from sacrificing creatures.", "truncated-start"),
        (", and then it resolves.", "truncated-start"),
        ("All combatdamage is dealt at once.", "fused-words"),
        ("The thirdsecond ability resolves.", "fused-words"),  # scryfall/gatherer-bugs#187
        ("It has protection from it .", "space-before-punctuation"),
        ("a â€” b resolves.", "mojibake"),
        ("<i>This ability resolves.", "html-left"),
        ("&lt;b&gt;This&lt;/b&gt; ability resolves.", "html-left"),
    ],
)
def test_kinds(text: str, kind: str) -> None:
    assert kind in kinds(text)


@pytest.mark.parametrize(
    "text",
    [
        "{E} is the energy symbol.",
        "“Enchant” is a keyword. [+1] and [basic land] stay.",
        "...and then it resolves.",
        "It triggers anywhere, anytime; whenever the battlefield is empty. Counterspell can't stop it.",
        "If Form of . . . you know . . . leaves the battlefield, so be it.",
        "You choose how much {E} to pay as the ability resolves.",
        "Abilities that add or remove counters, or put one of, or two of, them.",
        "You can get back X. X is 0.",
        "The mana cost of the spell is {2}{W}, and its mana value is 3.",
    ],
)
def test_whole_texts(text: str) -> None:
    assert kinds(text) == []


def test_a_card_may_begin_with_a_small_letter() -> None:
    assert "truncated-start" not in kinds("le Fou resolves first.", own_names=("le Fou",))


def test_hybrid_split() -> None:
    """scryfall/gatherer-bugs#263: {B/G} appears as {B}{G}."""
    cease = Card(
        "Cease // Desist", faces=(Face("Cease", mana_cost="{1}{B/G}"), Face("Desist", mana_cost="{4}{G/W}{G/W}"))
    )
    assert kinds("You may cast Cease ({1}{B}{G}).", card=cease) == ["hybrid-split"]
    assert kinds("You may cast Cease ({1}{B/G}).", card=cease) == []
    assert kinds("You may cast Cease ({1}{B}{G}).") == []


CARDS = (
    Card("Moria Marauder", type_line="Creature — Goblin Warrior", oracle_text="Double strike"),
    Card("Mount Doom", type_line="Legendary Land", oracle_text="{T}, Pay 1 life: Add {B} or {R}."),
    Card("Gaea's Cradle", type_line="Legendary Land", oracle_text="{T}: Add {G}."),
    Card("Unearthly Blizzard", type_line="Sorcery — Arcane", oracle_text="Unearthly Power — Creatures can't block."),
    Card("The Protector", type_line="Creature"),
    Card(
        "Gisela, the Broken Blade",
        type_line="Legendary Creature — Angel",
        oracle_text="melds with Bruna, the Fading Light",
    ),
    Card("Bruna, the Fading Light", type_line="Legendary Creature — Angel"),
    *(
        Card(f"Dregscape {n}", oracle_text="Unearth {B}", keywords=("Unearth",))
        for n in ("Zombie", "Sliver", "Ooze", "Rat")
    ),
)
INDEX = CardIndex(CARDS)


def suspect(text: str, name: str) -> bool:
    (card,) = INDEX.find(name)
    return "attachment-suspect" in kinds(
        text, own_names=own_names(card.name, is_legendary(card)), card=card, index=INDEX
    )


@pytest.mark.parametrize(
    ("text", "card", "expected"),
    [
        ("Mount Doom's last ability is a mana ability.", "Moria Marauder", True),  # scryfall/gatherer-bugs#176
        ("Mount Doom's last ability is a mana ability.", "Mount Doom", False),
        ("If Moria Marauder leaves the battlefield, you may still play it.", "Mount Doom", True),
        ("For example, if you tap Gaea’s Cradle, nothing is added.", "Mount Doom", False),
        ("An effect (such as that of Gaea's Cradle) may apply.", "Mount Doom", False),
        ("Gaea’s Cradle can be tapped.", "Gaea's Cradle", False),
        ("Gisela may meld with Mount Doom.", "Gisela, the Broken Blade", False),  # its short name
        ("Bruna, the Fading Light is exiled.", "Gisela, the Broken Blade", False),  # stands on the card
        ("The protector of a battle may change.", "Mount Doom", False),  # not The Protector
        # scryfall/gatherer-bugs#158: flavour words drew in Unearth rulings
        ("Activating unearth isn't casting. The unearth ability can be countered.", "Unearthly Blizzard", True),
        ("Activating unearth isn't casting. The unearth ability can be countered.", "Dregscape Zombie", False),
    ],
)
def test_attachment(text: str, card: str, expected: bool) -> None:
    assert suspect(text, card) is expected


def test_an_endless_word_takes_no_endless_time() -> None:
    started = time.perf_counter()
    assert fused_words("combatdamage is " + "x" * 1_000_000) is not None
    assert fused_words("x" * 1_000_000) is None
    assert time.perf_counter() - started < 2


def test_the_corpus_raises_few_alarms() -> None:
    corpus = SHARED / "corpus"
    if not corpus.exists():
        pytest.skip("the corpus is not beside the project")
    cards = read(corpus / "cards.jsonl.gz").cards
    index, by_name = CardIndex(cards), {card.name: card for card in cards}
    seen: dict[str, str] = {}
    with gzip.open(corpus / "rulings.jsonl.gz", "rt", encoding="utf-8") as file:
        for line in file:
            record = json.loads(line)
            seen.setdefault(record["comment"].strip(), record["card"])
    found: Counter[str] = Counter()
    for text, name in seen.items():
        card = by_name.get(name)
        found.update(kinds(text, own_names=own_names(name, is_legendary(card)), card=card, index=index))
    assert found["symbol-loss"] <= 5  # one real: "such as {X}{X}{R} or ,"
    assert found["fused-words"] <= 5  # all real
    assert found["truncated-start"] <= 5
    assert found["space-before-punctuation"] <= 10
    assert found["attachment-suspect"] <= 45  # a third real: Ebony Fly's rulings on Druid of Purification
    assert not found["mojibake"] and not found["html-left"]
