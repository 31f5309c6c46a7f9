"""Topics of rulings: real cases, words that only look like keywords, and what must always hold."""

from __future__ import annotations

import gzip
import json
import math
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indexer.tag import MOST, Tagger, mask, tag
from indexer.tag_evidence import _ASIDES, Evidence, Finder
from indexer.tag_model import features, likelihoods, look, weights
from indexer.tag_words import from_rows, scores, signs_of, telling, word_weights
from rulings import topics
from rulings.model import Card, Face, Printing
from rulings.topics import Topics

SHARED = Path(__file__).parents[2] / "shared"


@pytest.fixture(scope="module")
def vocabulary() -> Topics:
    return topics.load()


@pytest.fixture(scope="module")
def tagger(vocabulary: Topics) -> Tagger:
    return Tagger(vocabulary)


def keys(tagger: Tagger, text: str, card: Card | None = None) -> list[str]:
    return [found.key for found in tagger.tag(text, card)]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("{E} is the energy symbol. It represents one energy counter.", "energy"),
        ("The kicker ability doesn't let you pay a kicker cost more than once.", "kicker"),
        ("A land that becomes a creature may be affected by \"summoning sickness.\"", "summoning-sickness"),
        ("If an adventurer card ends up in exile for any other reason than by exiling itself while resolving, it won't "
         "give you permission to cast it as a permanent spell.", "adventure"),
        ("Activated abilities include a colon and are written in this form.", "activated-abilities"),
        ("The amount of life you gain is equal to the creature's power as it last existed on the battlefield.",
         "last-known-information"),
        ("In a Two-Headed Giant game, this causes the opposing team to lose 4 life.", "two-headed-giant"),
        ("If the target creature is an illegal target by the time the spell tries to resolve, it won't resolve.",
         "targets-illegal-on-resolution"),
        ("You may target an untapped creature with this.", "targets-choosing"),
        ("If a card in a player's hand has {X} in its mana cost, X is considered to be 0.", "x-in-costs"),
        ("The value of X is calculated only once, as the ability resolves.", "x-defined-on-resolution"),
        ("Only creatures you control when the spell resolves are affected. Creatures that come under your control "
         "later in the turn won't be.", "affected-set"),
    ],
)  # fmt: skip
def test_the_first_topic(tagger: Tagger, text: str, first: str) -> None:
    assert keys(tagger, text)[0] == first


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Multiple instances of lifelink on the same creature are redundant.", {"lifelink", "multiple-instances"}),
        ("If you cast a spell \"without paying its mana cost,\" you can't pay any alternative costs. You can pay "
         "additional costs.", {"casting-without-paying", "alternative-costs", "additional-costs"}),
        ("Each poison counter is kept.", {"poison"}),
        ("The copy is created on the stack, so it's not cast. Abilities that trigger when a player casts a spell won't "
         "trigger.", {"copying-spells", "triggered-timing"}),
        ("You must follow the normal timing permissions and restrictions of the cards you cast from exile.",
         {"casting-from-other-zones", "casting-timing"}),
        # The mode, not the spell that has modes.
        ("If the copied spell is modal, the copy will have the same mode.", {"modes", "copying-spells"}),
        ("Transforming this permanent doesn't cause it to become untapped.", {"transform", "tap-untap"}),
        ("A soulbond ability lets two creatures become paired.", {"other-keyword"}),
    ],
)  # fmt: skip
def test_all_that_a_ruling_is_about(tagger: Tagger, text: str, wanted: set[str]) -> None:
    assert wanted <= set(keys(tagger, text))


@pytest.mark.parametrize(
    ("text", "never"),
    [
        # "Unearthly Power" drew in the rulings of unearth (scryfall/gatherer-bugs#158).
        ("Unearthly Power is a flavor word.", "unearth"),
        ("The two players fight over the last slice of cake.", "fight"),
        ("Effects that support your plans are fine.", "other-keyword"),
        ("Any player can enlist a judge for help.", "other-keyword"),
        ("He had no fear.", "other-keyword"),
        ("The type line is mostly there to reinforce the flavor.", "other-keyword"),
        # Words of another card's name.
        ("It does nothing if Warp World is resolving.", "warp"),
        ("An effect such as that of Doubling Season applies.", "double"),
        ("Helm of Kaldra is the third card in the Kaldra cycle.", "cycling"),
        ("Converted mana cost is an old word.", "other-keyword"),
        ("The plains of Kansas are wide.", "land-types"),
        # A planeswalker's ability, but no rule for planeswalkers.
        ("You may target any creature with the second ability.", "planeswalkers"),
        # What a target is, not what happens when it is illegal later; and the other way round.
        (
            "You may target a creature with shroud you control only if nothing forbids it.",
            "targets-illegal-on-resolution",
        ),
        # X of an effect, and X of a cost.
        ("The value of X is calculated only once, as the ability resolves.", "x-in-costs"),
        ("If a card in a library has {X} in its mana cost, X is 0.", "x-defined-on-resolution"),
        ("A spell that is countered is not destroyed.", "counters"),
        ("A creature with double strike deals damage twice.", "double"),
    ],
)
def test_words_that_only_look_like_it(tagger: Tagger, text: str, never: str) -> None:
    assert never not in keys(tagger, text)


@pytest.mark.parametrize(
    ("name", "text", "never"),
    [
        ("Cascade Bluffs", "Cascade Bluffs enters tapped only if an effect says so.", "cascade"),
        ("Discover the Impossible", "Discover the Impossible resolves before the other spell.", "discover"),
        ("Double Vision", "Double Vision triggers only once each turn.", "double"),
        ("Fork", "Fork is put into the graveyard.", "copying-spells"),
        ("Exert Influence", "Exert Influence checks the number of colors as it resolves.", "exert"),
        ("Rakdos, the Showstopper", "Each time Rakdos enters, flip a coin for each creature.", "names"),
    ],
)
def test_the_cards_own_name_gives_no_topic(tagger: Tagger, name: str, text: str, never: str) -> None:
    assert never not in keys(tagger, text, Card(name, type_line="Sorcery"))


def test_a_card_supports_but_never_makes_a_topic(tagger: Tagger) -> None:
    flier = Card("Storm Crow", type_line="Creature — Bird", keywords=("Flying",))
    assert "flying" not in keys(tagger, "You may activate this ability during any player's turn.", flier)
    text = "Only its controller may activate the ability that the enchanted creature has."
    aura = Card("Cooped Up", type_line="Enchantment — Aura")
    plain = Card("Cooped Up", type_line="Instant")
    weight = {
        card.type_line: {t.key: t.weight for t in tagger.tag(text, card)}.get("auras", 0.0) for card in (aura, plain)
    }
    assert weight[aura.type_line] > weight[plain.type_line]


def test_cards_of_un_sets(tagger: Tagger) -> None:
    text = "Water is a liquid found in lakes, oceans and pools."
    un = Card("Ignacio of Myra's Marvels", printings=(Printing("UNF"),))
    both = Card("Ignacio of Myra's Marvels", printings=(Printing("UNF"), Printing("M21")))
    assert keys(tagger, text, un)[0] == "un-cards"
    assert "only in sets of this kind" in tagger.tag(text, un)[0].reason
    assert "un-cards" not in keys(tagger, text, both)


def test_every_tag_says_which_words_gave_it(tagger: Tagger) -> None:
    found = tagger.tag("{E} is the energy symbol. It represents one energy counter.")
    assert all(t.reason.startswith("the words ") for t in found)
    assert '"energy' in found[0].reason.lower() or '"{E}"' in found[0].reason


def test_what_is_said_in_passing_says_so(tagger: Tagger) -> None:
    text = "If it leaves (perhaps because it gained protection from red), this happens as it resolves."
    reasons = {t.key: t.reason for t in tagger.tag(text)}
    assert reasons.get("protection", "(said in passing)").endswith("(said in passing)")


def test_new_keywords_of_an_imported_rules_text(vocabulary: Topics) -> None:
    text = "A creature with zorblatt can't be blocked. The zorblatt ability triggers once."
    assert "other-keyword" not in [t.key for t in tag(text, topics=vocabulary)]
    assert "other-keyword" in [t.key for t in tag(text, topics=vocabulary, keywords=["Zorblatt", "Flying"])]
    # A keyword with a topic of its own stays there, and prose is no keyword (mtgjson#341).
    prose = "Sacrifice a land or a creature or pay four life or lose the game"
    more = Tagger(vocabulary, ["Flying", "Kicker", prose, "", "—"])
    assert keys(more, "A creature with flying may block.") == keys(
        Tagger(vocabulary), "A creature with flying may block."
    )
    # One that is plain English needs a word beside it that makes it a keyword.
    plain = Tagger(vocabulary, ["Wander"])
    assert "other-keyword" not in keys(plain, "Creatures may wander about.")
    assert "other-keyword" in keys(plain, "The wander ability triggers when it attacks.")


def test_a_topic_that_a_base_adds_needs_no_learned_weight(tmp_path: Path) -> None:
    own = tmp_path / "topics.yaml"
    own.write_text("topics:\n- key: cube-night\n  label: Cube night\n  strong: |\n    cube night\n", encoding="utf-8")
    assert "cube-night" in [t.key for t in tag("At a cube night you may do so.", topics=topics.load(overrides=own))]


def test_faces_and_former_names_are_masked() -> None:
    card = Card("Fire // Ice", faces=(Face("Fire"), Face("Ice")), former_names=("Frozen Fire",))
    assert mask("Frozen Fire is Fire; Ice isn’t.", card) == "~ is ~; ~ isn't."


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            "target creature {E} X can't ~ +1/+1 counter copy token . , ( ) \" sacrifice ‘ ’ — 1 \u202e İ".split()
        ),
        max_size=40,
    ).map(" ".join)
)  # fmt: skip
def test_what_always_holds(text: str) -> None:
    found = _TAGGER.tag(text)
    assert len(found) <= MOST
    assert found == _TAGGER.tag(text)
    assert all(t.key in _TAGGER.topics and 0 < t.weight <= 1 and t.reason for t in found)
    assert len({t.key for t in found}) == len(found)
    assert [t.weight for t in found] == sorted((t.weight for t in found), reverse=True)


_TAGGER = Tagger(topics.load())


def test_the_sieve_loses_nothing(vocabulary: Topics) -> None:
    """Phrases are tried only where their words are; that must find what trying all of them finds."""
    texts = [
        'If an ability triggers "whenever you cast a historic spell," it won\'t trigger if you play a legendary land.',
        "You may put +1/+1 counters on each of them; the power/toughness is set to 0/0, and/or doubled.",
        "A face-down creature's controller can't look at others' face-down creatures (even players').",
        "~ can't be the target of its own ability. If two ~s enter at the same time, each copy's ability triggers.",
        'Adding {G} or {2/W}: mana abilities don\'t use the stack. "When it dies," return it.',
    ]
    finder = Finder(vocabulary)
    for text in texts:
        found = {(key, e.phrase) for key, evidence in finder.find(text).items() for e in evidence}
        barred = {
            entry.topic: [f.span() for f in entry.phrase.regex.finditer(text)]
            for entry in finder._entries
            if entry.kind == "except" and entry.phrase.regex.search(text)
        }
        for entry in finder._entries:
            if entry.kind != "except" and entry.topic not in barred and entry.phrase.regex.search(text):
                assert (entry.topic, entry.phrase.source) in found


def test_what_is_learned_from_is_what_judges(vocabulary: Topics) -> None:
    """`features`, which the weights are learned with, and `likelihoods`, which is faster, must agree."""
    text = "If a token enters attacking (perhaps because of goad), choose which player it's attacking as it resolves."
    card = Card("Ilharg", type_line="Creature — God")
    found, said = Finder(vocabulary).find(text), {"tokens": 0.5, "attacking": -1.0, "sagas": -3.0, "battles": -1.5}
    by = weights()
    tables = {kind: getattr(by, kind) for kind in ("phrase", "beside")}
    single = {kind: getattr(by, kind) for kind in ("topic", "early", "card", "said")}
    likely = likelihoods(found, said, vocabulary, card, len(text), by)
    assert "battles" in likely
    assert "sagas" not in likely
    for key, seen in look(found, said, vocabulary, card, len(text)).items():
        total = 0.0
        for (kind, topic, rest), value in features(seen, key):
            if kind == "all":
                total += value * by.all.get(rest, 0.0)
            elif kind in tables:
                total += value * tables[kind].get(topic, {}).get(rest, 0.0)
            else:
                total += value * single[kind].get(topic, 0.0)
        assert likely[key] == pytest.approx(1 / (1 + math.exp(-total)))


def test_words_speak_where_no_phrase_does() -> None:
    by = from_rows(["draw", "tokens"], [-3.0, -2.0], {"puppet": [0, 6], "wooden puppet": [-1, 3], "the": [0, -0.5]})
    found = {"draw": [Evidence("draw", "draw", 0, 4, strong=True, aside=False, first=False)]}
    signs = signs_of("The wooden puppets.", "Artifact", found)
    assert {"wooden puppet", "1:wooden", "T:Artifact", "P:draw:draw", "K:draw"} <= signs
    assert "1K:draw" not in signs
    assert scores(set(), by) == scores({"string"}, by) == {"draw": -3.0, "tokens": -2.0}
    assert scores(signs, by)["tokens"] > scores(signs_of("The puppets.", "", {}), by)["tokens"] - 1 > -2.0
    assert next(telling("The wooden Puppets.", "tokens", by)) == "Puppets"
    assert list(telling("", "tokens", by)) == []


def test_rows_add_up_to_what_each_sign_says() -> None:
    by = word_weights()
    signs = set(list(by.signs)[::97][:3000])
    one = by.topics.index("tokens")
    said = sum(by.row(sign)[one] - 128 for sign in signs)
    expected = by.start[one] + said * by.steps[one] * len(signs) ** -0.5
    assert scores(signs, by)["tokens"] == pytest.approx(expected)
    assert len(by.rows) == len(by.signs) * len(by.topics)


@pytest.mark.parametrize(
    ("text", "aside"),
    [
        ("It dies (perhaps because of damage).", "(perhaps because of damage)"),
        ("It dies. For example, it is sacrificed.", "For example, it is sacrificed."),
        ("It gains an ability, such as flying.", ", such as flying"),
    ],
)
def test_what_stands_aside(text: str, aside: str) -> None:
    found = _ASIDES.search(text)
    assert found is not None
    assert found.group() == aside


def test_hostile_texts_are_read_in_time(tagger: Tagger) -> None:
    for text in ("(" * 5000, "a" * 20000, "choose " * 3000, '"' * 5000, "- " * 5000):
        assert len(tagger.tag(text)) <= MOST


def test_figures_on_the_gold_rulings(tagger: Tagger) -> None:
    """Far below what is measured (0.79, 0.94), so that only a real step back fails."""
    gold = SHARED / "gold" / "topics-dev.jsonl"
    cards = SHARED / "corpus" / "cards.jsonl.gz"
    if not gold.exists() or not cards.exists():
        pytest.skip("the shared gold rulings are not beside the repository")
    rows = [json.loads(line) for line in gold.read_text(encoding="utf-8").splitlines()]
    names = {row["card"] for row in rows}
    known = {}
    with gzip.open(cards, "rt", encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            if record["name"] in names:
                printings = tuple(Printing(code.upper()) for code in record["sets"])
                known[record["name"]] = Card(record["name"], type_line=record["type_line"] or "", printings=printings)
    found = [{t.key for t in tagger.tag(row["text"], known.get(row["card"]))} for row in rows]
    hits = sum(len(tags & set(row["topics"])) for tags, row in zip(found, rows, strict=True))
    both = sum(len(tags) + len(row["topics"]) for tags, row in zip(found, rows, strict=True))
    first = sum(row["primary"] in tags for tags, row in zip(found, rows, strict=True))
    assert 2 * hits / both > 0.75
    assert first / len(rows) > 0.88
