"""Card data of several files and states becomes one record a card."""

from __future__ import annotations

from indexer.carddata import merge
from indexer.sources import Batch
from rulings.model import Card, Face, Printing, RawRuling

FIRE = Card("Fire // Ice", "o-1", "Instant // Instant", faces=(Face("Fire", "Instant"), Face("Ice", "Instant")))


def batch(*cards: Card, as_of: str | None = "2024", rulings: tuple[RawRuling, ...] = ()) -> Batch:
    return Batch(cards=cards, as_of=as_of, rulings=rulings)


def raw(card: str, oracle_id: str | None = None) -> RawRuling:
    return RawRuling(card, "text", None, "s", "x:1", 0, oracle_id)


def test_a_face_named_by_an_old_file_is_no_card_of_its_own() -> None:
    before = merge((), [batch(rulings=(raw("Fire", "o-1"), raw("Ice")))], newest="")
    assert [c.name for c in before] == ["Fire"]
    (card,) = merge((*before, Card("Ice")), [batch(FIRE)], newest="2019")
    assert (card.name, card.former_names) == ("Fire // Ice", ())


def test_a_renamed_card_keeps_its_old_name() -> None:
    for name, other in (("Lady of Proper Etiquette", "A Lady"), ("A Lady", "Lady of Proper Etiquette")):
        (card,) = merge((Card(name, "o-2", "Creature"),), [batch(Card(other, "o-2", "Creature"))], newest="2019")
        assert (card.name, card.former_names) == (other, (name,))


def test_one_name_with_several_oracle_ids_stays_several_cards() -> None:
    both = merge((), [batch(Card("Twin", "o-3", "Sorcery"), Card("Twin", "o-4", "Sorcery"))], newest="")
    assert [c.oracle_id for c in both] == ["o-3", "o-4"]


def test_newer_data_wins_and_printings_add_up() -> None:
    old = Card("Opt", "o-5", "Instant", "Old text.", printings=(Printing("INV", "64"),), foreign_names=("Wahl",))
    new = Card("Opt", "o-5", "Instant", "Scry 1. Draw a card.", printings=(Printing("XLN", "65"),))
    (card,) = merge((old,), [batch(new, as_of="2024")], newest="2019")
    assert card.oracle_text == "Scry 1. Draw a card."
    assert [p.set for p in card.printings] == ["INV", "XLN"]
    assert card.foreign_names == ("Wahl",)
    (still,) = merge((new,), [batch(old, as_of="2018")], newest="2024")
    assert still.oracle_text == "Scry 1. Draw a card."
    assert [p.set for p in still.printings] == ["INV", "XLN"]


def test_the_id_of_a_card_known_by_name_only() -> None:
    (card,) = merge((Card("Opt"),), [batch(rulings=(raw("Opt", "o-5"),))], newest="")
    assert card.oracle_id == "o-5"
