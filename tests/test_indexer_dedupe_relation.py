"""What two texts are to each other: tables of real pairs, each with the difference that it stands for."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from indexer.dedupe import Verdict, relation, wording_of
from indexer.dedupe.alignment import hunks
from indexer.dedupe.reading import read
from rulings.model import Card

CREATURE = "Legendary Creature — Human"


def verdict(a: str, b: str, card_a: str = "Grizzly Bears", card_b: str = "Runeclaw Bear") -> Verdict:
    """The verdict of two texts on two cards whose names they may hold."""
    wordings = [
        wording_of(name, text, card=Card(name, type_line=CREATURE)) for name, text in ((card_a, a), (card_b, b))
    ]
    return relation(*wordings)


SAME = {
    "curly quotes": ("It isn't “cast.”", 'It isn\'t "cast."', "typography"),
    "capitals": (
        "The copies will have the same mana cost as the original permanent.",
        "the copies will have the same mana cost as the original permanent.",
        "typography",
    ),
    "comma in or out of the quotation": (
        'If you cast a spell "without paying its mana cost," you can\'t choose to cast it for any alternative costs.',
        'If you cast a spell "without paying its mana cost", you can\'t choose to cast it for any alternative costs.',
        "typography",
    ),
    "digit for number word": (
        "If the copied creature has {X} in its mana cost, X is considered to be zero.",
        "If the copied creature has {X} in its mana cost, X is considered to be 0.",
        "typography",
    ),
    "contraction": (
        "You cannot sacrifice additional creatures to cast this spell.",
        "You can't sacrifice additional creatures to cast this spell.",
        "typography",
    ),
    "first letter lost": (
        "Shield counters don't prevent players from sacrificing creatures.",
        "hield counters don't prevent players from sacrificing creatures.",
        "damaged",
    ),
    "misspelt": (
        "If the targeted artifact has indestructible, it isn't destroyed.",
        "If the targeted artifact hass indestructible, it isn't destroyed.",
        "typo",
    ),
    "two English words, one of them a known slip": (
        "Ways to track this include writing them down on paper or using dice.",
        "Ways to track this include writing theme down on paper or using dice.",
        "typo",
    ),
    "fused words": (
        "Wait until the combat damage step before you activate the ability.",
        "Wait until the combatdamage step before you activate the ability.",
        "typography",
    ),
    "symbols lost": (
        "Some spells and abilities that give you {E} may require targets. You won't get any {E}.",
        "Some spells and abilities that give you may require targets. You won't get any .",
        "symbol-lost",
    ),
    "symbol at the start lost": (
        "{E} is the energy symbol. It represents one energy counter.",
        "is the energy symbol. It represents one energy counter.",
        "symbol-lost",
    ),
    "braces lost": (
        "If the card has {X} in its mana cost, you must choose 0 as its value.",
        "If the card has X in its mana cost, you must choose 0 as its value.",
        "symbol-form",
    ),
    "symbols as the first rulings wrote them": (
        "For example, if you cast a sorcery with mana cost {X}{U} and choose 4 for X, its mana value is 5.",
        "For example, if you cast a sorcery with mana cost oXoU and choose 4 for X, its mana value is 5.",
        "symbol-form",
    ),
    "symbols in round brackets": ("You get {E}{E}.", "You get (E)(E).", "symbol-form"),
    "mojibake": ("It’s a 1/1 creature as it enters.", "Itâ€™s a 1/1 creature as it enters.", "encoding"),
    "markup": (
        "It won’t assign damage (unless it has trample).",
        "It won’t assign damage <i>(unless it has trample)</i>.",
        "encoding",
    ),
    "entities": ("It’s not “cast.”", "It&rsquo;s not &ldquo;cast.&rdquo;", "encoding"),
    "own name": (
        "The ability that defines Grizzly Bears's power works in all zones.",
        "The ability that defines Runeclaw Bear's power works in all zones.",
        "card-name",
    ),
    "it, for its own name": (
        "Emmara's ability doesn't allow you to tap Emmara whenever you want.",
        "Scaretiller's ability doesn't allow you to tap it whenever you want.",
        "card-name",
    ),
}


@pytest.mark.parametrize("case", SAME)
def test_same(case: str) -> None:
    a, b, why = SAME[case]
    names = ("Emmara, Soul of the Accord", "Scaretiller") if "Emmara" in a else ("Grizzly Bears", "Runeclaw Bear")
    found = verdict(a, b, *names)
    assert (found.relation, found.must_not_merge) == ("same", False), found
    assert found.why == why
    assert verdict(b, a, *reversed(names)).relation == "same"


REWORDED = {
    "terminology of 2021": (
        "The ability doesn't change its converted mana cost.",
        "The ability doesn't change its mana value.",
    ),
    "terminology of 2024": (
        "If a creature enters the battlefield with +1/+1 counters on it, consider those counters.",
        "If a creature enters with +1/+1 counters on it, consider those counters.",
    ),
    "whose control": (
        "A landfall ability triggers whenever a land enters the battlefield under your control for any reason.",
        "A landfall ability triggers whenever a land you control enters for any reason.",
    ),
    "keyword renamed": (
        "Totem armor has no effect if the enchanted creature is put into a graveyard for any other reason.",
        "Umbra armor has no effect if the enchanted creature is put into a graveyard for any other reason.",
    ),
    "singular and plural": (
        "If the spell that's copied is modal, the copy will have the same mode.",
        "If the spell that's copied is modal, the copies will have the same mode.",
    ),
    "a function word": (
        "If you draw a card while the ability is resolving, it is put onto the stack.",
        "If you draw a card while the ability is resolving, it is put on the stack.",
    ),
    "an example card": (
        "Split second doesn't stop triggered abilities from triggering, such as that of Chalice of the Void.",
        "Split second doesn't stop triggered abilities from triggering.",
    ),
    "a worked example of another card": (
        "Delve doesn't change a spell's mana value. For example, Treasure Cruise's mana value is 8.",
        "Delve doesn't change a spell's mana value. For example, Grizzly Bears's mana value is 7.",
    ),
    "a worked example told of another card in the same words": (
        "You can't exile more cards than its generic mana. For example, you can't exile more than seven cards to cast "
        "Treasure Cruise.",
        "You can't exile more cards than its generic mana. For example, you can't exile more than six cards to cast "
        "Grizzly Bears.",
    ),
    "a purpose": (
        "If you want to draw the extra card, you must do so as the spell resolves.",
        "To draw the extra card, you must do so as the spell resolves.",
    ),
    "how a spell leaves the stack": (
        "It resolves even if that spell is countered or otherwise leaves the stack without resolving.",
        "It resolves even if that spell is countered or otherwise leaves the stack.",
    ),
    "a graveyard is a player's": (
        "If a card in a player's graveyard has {X} in its mana cost, X is 0.",
        "If a card in a graveyard has {X} in its mana cost, X is 0.",
    ),
    "what the reader fills in": (
        'Any "as [this object] enters" abilities of the chosen permanent will also work.',
        'Any "as [this] enters" abilities of the chosen permanent will also work as normal.',
    ),
    "an illegal target": (
        "If the target creature becomes an illegal target before Grizzly Bears resolves, the spell won't resolve.",
        "If the target creature is illegal as Runeclaw Bear tries to resolve, it won't resolve.",
    ),
    "examples of costs": (
        "If you cast a spell this way, you can't choose to cast it for any alternative costs such as overload costs.",
        "If you cast a spell this way, you can't pay alternative costs, such as surge costs.",
    ),
    "a mana cost reckoned with another card": (
        "When using convoke, choose X first. For example, if you cast Chord of Calling (a spell with convoke and mana "
        "cost {X}{G}{G}{G}) and choose X to be 3, the total cost is {3}{G}{G}{G}. If you tap two green creatures and "
        "two red creatures, you'll have to pay {1}{G}.",
        "When using convoke, choose X first. For example, if you cast Worldsoul Colossus (a spell with convoke and "
        "mana cost {X}{G}{W}) and choose X to be 3, the total cost is {3}{G}{W}. If you tap two green creatures and "
        "two white creatures, you'll have to pay {1}.",
    ),
    "old term within a phrase": (
        "The converted mana cost of the spell is determined only by its mana cost, no matter what you paid to cast it.",
        "The mana value of the spell remains unchanged, no matter what the total cost to cast the spell was.",
    ),
    "an ability of a keyword": (
        "If the second triggered ability of suspend (the one that lets you cast the card) is countered, it won't.",
        "If the second triggered ability is countered, it won't.",
    ),
    "which of its abilities, one of them without saying": (
        "Grizzly Bears's last ability affects only creatures you control as it resolves.",
        "Runeclaw Bear's ability affects only creatures you control as it resolves.",
    ),
    "a sentence in another place": (
        "If counters are removed from a Saga, chapter abilities will trigger again. Removing lore counters won't cause "
        "a previous chapter ability to trigger.",
        "Removing lore counters won't cause a previous chapter ability to trigger. If counters are removed from a "
        "Saga, chapter abilities will trigger again.",
    ),
    "a clause at the start or the end": (
        "You must still follow any timing restrictions when casting a spell with jump-start.",
        "When casting a spell with jump-start, you must still follow any timing restrictions.",
    ),
    "only beside its verb": (
        "You can include only cards whose color identities are found there.",
        "You can only include cards whose color identities are found there.",
    ),
    "the condition said again": (
        "You must reveal all face-down permanents you control if you leave the game or the game ends.",
        "You must reveal all face-down permanents you control if you leave the game or if the game ends.",
    ),
    "what to do": (
        "Use its toughness as it last existed to determine how much life you gain.",
        "Use its toughness as it last existed to determine how much life to gain.",
    ),
    "an ability described": (
        "Grizzly Bears's triggered ability resolves before the spell that caused it to trigger.",
        "An ability that triggers when a player casts a spell resolves before the spell that caused it to trigger.",
    ),
    "an owner before or after": (
        "If a creature is attacking a planeswalker, that planeswalker's controller is the defending player.",
        "If a creature is attacking a planeswalker, the controller of that planeswalker is the defending player.",
    ),
    "one aside for another": (
        "If you foretell a card that isn't an instant (or doesn't have flash), you'll have to wait.",
        "If you foretell a card that isn't an instant (like Runeclaw Bear), you'll have to wait.",
    ),
    "which creature": (
        "If the copied creature has {X} in its mana cost, X is 0.",
        "If the chosen creature has {X} in its mana cost, X is 0.",
    ),
}


@pytest.mark.parametrize("case", REWORDED)
def test_reworded(case: str) -> None:
    a, b = REWORDED[case]
    found = verdict(a, b)
    assert found.relation == "reworded", found
    assert found.joins
    assert found.why == "older-wording"


APART = {
    "two places on the card": (
        "Grizzly Bears's first ability resolves before the spell that caused it to trigger.",
        "Runeclaw Bear's last ability resolves before the spell that caused it to trigger.",
    ),
    "the rule changed": (
        "If all targets become illegal before the spell resolves, it will be countered.",
        "If all targets become illegal before the spell resolves, it won't resolve.",
    ),
}


@pytest.mark.parametrize("case", APART)
def test_reworded_but_wrong_on_the_other_card(case: str) -> None:
    found = verdict(*APART[case])
    assert found.relation == "reworded" and found.must_not_merge and not found.joins, found


def test_an_outdated_wording_says_which() -> None:
    old, new = APART["the rule changed"]
    assert (verdict(old, new).why, verdict(old, new).direction) == ("outdated", "a")
    assert verdict(new, old).direction == "b"


BROADER = {
    "a sentence": (
        "It resolves even if that spell is countered. You may pay {2} only once.",
        "It resolves even if that spell is countered.",
    ),
    "one more of a list": (
        "The new token is attacking the same player, planeswalker, or battle that the copied creature is attacking.",
        "The new token is attacking the same player or planeswalker that the copied creature is attacking.",
    ),
    "a clause": (
        "It resolves even if that spell is countered or otherwise leaves the stack without resolving at that time.",
        "It resolves even if that spell is countered.",
    ),
    "an aside with a denial": (
        "Unearth grants haste to the permanent that's returned to the battlefield (even if it's not a creature card).",
        "Unearth grants haste to the permanent that's returned to the battlefield.",
    ),
    "a further denial": (
        "Summoning sickness doesn't care when the permanent became a creature nor when it entered the battlefield.",
        "Summoning sickness doesn't care when the permanent became a creature.",
    ),
}


def test_broader_says_which() -> None:
    for more, less in BROADER.values():
        assert verdict(more, less).relation == "broader", verdict(more, less)
    more, less = BROADER["a sentence"]
    assert (verdict(more, less).relation, verdict(more, less).direction) == ("broader", "a")
    assert verdict(less, more).direction == "b"


DIFFERENT = {
    "negation": ("The ability is a mana ability.", "The ability is not a mana ability.", "negation"),
    "number": (
        "The ability causes the opposing team to lose 2 life.",
        "The ability causes the opposing team to lose 4 life.",
        "number",
    ),
    "number of symbols": (
        "A second ability triggers when you pay {E}{E} this way.",
        "A second ability triggers when you pay {E}{E}{E} this way.",
        "symbol",
    ),
    "colour of a symbol": (
        "You can't reduce the mana it costs to less than {G} this way.",
        "You can't reduce the mana it costs to less than {B} this way.",
        "symbol",
    ),
    "keyword": (
        "Multiple instances of infect are redundant.",
        "Multiple instances of wither are redundant.",
        "keyword",
    ),
    "type": (
        "If an artifact card is put into your graveyard, any player may remove it.",
        "If a Zombie card is put into your graveyard, any player may remove it.",
        "type",
    ),
    "may and must": (
        "You may choose a creature as the ability resolves.",
        "You must choose a creature as the ability resolves.",
        "modal",
    ),
    "opposites": (
        "Tapping an attacking creature doesn't remove it from combat.",
        "Untapping an attacking creature doesn't remove it from combat.",
        "other",
    ),
    "player": ("You draw a card.", "Your opponent draws a card.", "player"),
    "a noun that is limited": (
        "If a card in your library has no mana symbols in its upper right corner, its mana value is 0.",
        "If a permanent card in your library has no mana symbols in its upper right corner, its mana value is 0.",
        "type",
    ),
    "only, of another thing": (
        "Only you can cast the exiled spells, whoever owns them.",
        "You can cast the exiled spells only, whoever owns them.",
        "number",
    ),
    "a clause in another sentence": (
        "You may pay the cost. If you control a creature, you draw. Then the game goes on for all players.",
        "If you control a creature, you may pay the cost. You draw. Then the game goes on for all players.",
        "modal",
    ),
    "one word inside another": (
        "Use the number of Islands you control as the spell resolves.",
        "Use the number of lands you control as the spell resolves.",
        "type",
    ),
    "what it triggers on": (
        "Grizzly Bears's ability resolves before the ability that caused it to trigger.",
        "Runeclaw Bear's ability resolves before the spell that caused it to trigger.",
        "type",
    ),
    "what is copied": (
        'If the ability is modal (that is, it says "Choose one —" or the like), the copy will have the same mode.',
        'If the spell is modal (that is, it says "Choose one —" or the like), the copy will have the same mode.',
        "self-or-other",
    ),
    "worked examples that tell of each card's own effect": (
        "It counts the life gained without the life lost. For example, if you gained 4 life, Grizzly Bears will cost "
        "{3}{G}{G}.",
        "It counts the life gained without the life lost. For example, if you gained 4 life, you may pay 4 life to "
        "create a Demon.",
        "self-or-other",
    ),
    "another card": (
        "You can copy Clone with this ability at any time.",
        "You can copy Opalescence with this ability at any time.",
        "card name",
    ),
    "the card, or a thing of another name": (
        "You can't sacrifice a Clue to activate its own ability and also to activate another ability.",
        "You can't sacrifice Runeclaw Bear to activate its own ability and also to activate another ability.",
        "self-or-other",
    ),
    "the card is one, the lands are many": (
        "If the copied creature is copying something else, then the lands become copies of whatever it copied.",
        "If the copied creature is copying something else, then Runeclaw Bear becomes a copy of whatever it copied.",
        "self-or-other",
    ),
    "the token is not the card": (
        "If the copied creature is copying something else, then the token enters as whatever that creature copied.",
        "If the copied creature is copying something else, then Runeclaw Bear enters as whatever that creature copied.",
        "self-or-other",
    ),
}


TURNED = {
    "where it goes": ("Return the card to your hand.", "Return the card from your hand."),
    "whose damage": (
        "All damage that would be dealt to the creature is prevented.",
        "All damage that would be dealt by the creature is prevented.",
    ),
    "all or some": (
        "If all of the spell's targets become illegal, it won't resolve.",
        "If some of the spell's targets become illegal, it won't resolve.",
    ),
    "all or any, supposed": (
        "If you don't control any creatures, you draw.",
        "If you don't control all creatures, you draw.",
    ),
    "not just": (
        "The ability doesn't just affect attacking creatures.",
        "The ability doesn't affect attacking creatures.",
    ),
    "even if": ("You may pay {2} even if you don't control it.", "You may pay {2} if you don't control it."),
    "one of several": (
        "One of the creatures is destroyed as it resolves.",
        "The creatures are destroyed as it resolves.",
    ),
    "this turn or next": ("You may attack with it this turn if able.", "You may attack with it next turn if able."),
    "the next untap step": ("It won't untap during your next untap step.", "It won't untap during your untap step."),
    "which controller": (
        "The original controller of the spell chooses the targets.",
        "The new controller of the spell chooses the targets.",
    ),
    "a kind of damage": (
        "Combat damage is dealt at once. If the creature deals combat damage to a player, it triggers.",
        "Combat damage is dealt at once. If the creature deals damage to a player, it triggers.",
    ),
    "a kind of spell": (
        "The effect applies only to casting sorcery spells. It doesn't affect sorcery cards.",
        "The effect applies only to casting spells. It doesn't affect sorcery cards.",
    ),
    "lands are played": (
        "If you don't play the exiled card, it remains in exile.",
        "If you don't cast the exiled card, it remains in exile.",
    ),
    "while and once": ("The effect lasts while you control the card.", "The effect lasts once you control the card."),
    "what is countered": (
        "If the ability is countered, the creature isn't tapped.",
        "If the spell is countered, the creature isn't tapped.",
    ),
    "who resolves before whom": (
        "The ability resolves before the spell that caused it to trigger.",
        "The spell resolves before the ability that caused it to trigger.",
    ),
    "a range": ("You may draw 1-2 cards as it resolves.", "You may draw 12 cards as it resolves."),
    "instead of, or besides": (
        "If the creature would die, it is exiled instead.",
        "If the creature would die, it is also exiled.",
    ),
    "only whose": (
        "Only creatures you control get the bonus from ~.",
        "Creatures only you control get the bonus from ~.",
    ),
    "what comes first": (
        "Put the creature on top of the library, then shuffle.",
        "Shuffle, then put the creature on top of the library.",
    ),
    "if all are illegal": (
        "If all targets are illegal as it resolves, nothing happens.",
        "If targets are illegal as it resolves, nothing happens.",
    ),
    "base power": (
        "Its base power and toughness change. Other effects still change its base power and toughness.",
        "Its base power and toughness change. Other effects still change its power and toughness.",
    ),
    "noncombat damage": (
        "It prevents noncombat damage. If noncombat damage is dealt, it triggers.",
        "It prevents noncombat damage. If damage is dealt, it triggers.",
    ),
    "onto and off": (
        "You put the cards onto the top of your library.",
        "You put the cards off the top of your library.",
    ),
    "how often, in an aside": (
        "It triggers (only once and so usually during your turn) then.",
        "It triggers (any number of times and so usually during your turn) then.",
    ),
}


@pytest.mark.parametrize("case", TURNED)
def test_a_small_word_that_turns_the_answer_keeps_two_texts_apart(case: str) -> None:
    found = verdict(*TURNED[case])
    assert not found.joins, found


def test_a_spell_was_once_played_and_is_cast_now() -> None:
    assert verdict(
        "Whenever a player plays a spell, it triggers.", "Whenever a player casts a spell, it triggers."
    ).joins


def test_the_next_end_step_is_the_end_step() -> None:
    assert verdict(
        "Exile it at the beginning of the next end step, whoever controls it.",
        "Exile it at the beginning of the end step, whoever controls it.",
    ).joins


@pytest.mark.parametrize("case", DIFFERENT)
def test_different(case: str) -> None:
    a, b, kind = DIFFERENT[case]
    found = verdict(a, b)
    assert found.relation == "different", found
    assert kind in found.reason, found.reason
    assert not found.joins


def test_direction_of_counters_is_content() -> None:
    onto_it = "Grizzly Bears's ability puts all counters that were on the creature that died onto Grizzly Bears."
    off_it = "Runeclaw Bear's ability puts all of its counters onto the target creature."
    assert not verdict(onto_it, off_it).joins


def test_a_card_called_by_its_first_word() -> None:
    a = "If you sacrifice the Ordeal in some other way, the last ability will trigger."
    b = "If you sacrifice Ordeal of Thassa in some other way, the last ability will trigger."
    assert relation(wording_of("Ordeal of Nylea", a), wording_of("Ordeal of Thassa", b)).relation == "same"


def test_a_card_of_which_only_the_name_is_known_may_go_by_its_first_word() -> None:
    text = "While {name} is on the battlefield, each Aura stays where it is. A Rat attached to {name} is fine."
    a, b = (wording_of(*card, text.format(name=name)) for *card, name in (("Dan Lewis", "Dan"), ("Urza", "Urza")))
    assert relation(a, b).relation == "same"
    for card, text in (
        ("Rat Colony", "A Rat counts itself."),  # a type
        ("Spark Double", "A Spark of the game is left."),  # a word
        ("Karn Liberated", "Karn Kinsman is another card."),  # a longer name
        ("Jace Beleren", "If you control a Jace planeswalker, each Jace counts."),  # a kind of planeswalker
        ("Azorius Charm", "Azorius creatures are white and blue."),  # a guild
    ):
        assert wording_of(card, text).masked == text
    creature = Card("Boros Reckoner", type_line="Creature — Minotaur Wizard")
    assert (
        wording_of("Boros Reckoner", "Of Boros cards it is one.", card=creature).masked == "Of Boros cards it is one."
    )


def test_one_text_on_two_cards_that_name_each_other() -> None:
    # Partners: each page has the ruling that names one of them.
    text = "If Pir leaves the battlefield, Toothy's ability still resolves."
    assert (
        verdict(text, text.replace("'", "’"), "Pir, Imaginative Rascal", "Toothy, Imaginary Friend").relation == "same"
    )


def test_reissued_on_one_card_is_only_proposed() -> None:
    a = "Increasing the number of targets isn't possible once the spell was announced with this many targets in mind."
    b = "Increasing the number of targets isn't possible once the spell was declared with this many targets in mind."
    found = verdict(a, b, "Fork", "Fork")
    assert found.relation == "reworded" and found.doubtful and not found.joins
    assert verdict(a, b, "Fork", "Reverberate").relation == "different"


@pytest.mark.parametrize(
    ("one", "other", "asked"),
    [
        ("announced", "declared", True),
        ("discarded", "exiled", False),
        ("enchanted", "equipped", False),
        ("counted by more", "counted by fewer", False),
    ],
)
def test_nobody_is_asked_where_another_deed_is_told(one: str, other: str, asked: bool) -> None:
    text = "If the card is {} while another player has priority, that player can't respond to it at all."
    found = relation(wording_of("Opt", text.format(one)), wording_of("Think Twice", text.format(other)))
    assert found.relation == "different" and found.doubtful == asked


TEXTS = [
    text for table in (SAME, REWORDED, APART, BROADER, DIFFERENT, TURNED) for row in table.values() for text in row[:2]
]


@given(st.sampled_from(TEXTS), st.sampled_from(TEXTS))
def test_turning_the_pair_turns_the_verdict(a: str, b: str) -> None:
    one, other = wording_of("Grizzly Bears", a), wording_of("Runeclaw Bear", b)
    assert relation(one, other) == relation(other, one).turned()


@given(st.sampled_from(TEXTS), st.text(max_size=40))
def test_any_text_can_be_compared(a: str, b: str) -> None:
    assert relation(wording_of("Grizzly Bears", a), wording_of("Runeclaw Bear", b)).relation in (
        "same",
        "reworded",
        "broader",
        "different",
    )


@given(st.sampled_from(TEXTS))
def test_a_text_is_the_same_as_itself(a: str) -> None:
    assert relation(wording_of("Grizzly Bears", a), wording_of("Runeclaw Bear", a)).relation == "same"


WORDS = st.sampled_from("goblin goblin. token token. dies dies. creature exile the".split())


@given(st.lists(WORDS, min_size=2, max_size=9), st.lists(WORDS, min_size=2, max_size=9))
@example("dies token goblin".split(), "the. dies dies. the dies token".split())  # the span began before the text
def test_what_lies_between_two_differences_is_equal(a: list[str], b: list[str]) -> None:
    x, y = read(" ".join(a)), read(" ".join(b))
    i = j = 0
    for i1, i2, j1, j2 in [*hunks(x, y), (len(x.keys), len(x.keys), len(y.keys), len(y.keys))]:
        assert x.keys[i:i1] == y.keys[j:j1]
        i, j = i2, j2
