"""Checking a text against a small base: one verdict for each quotation, with offsets that hold."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from indexer.lookup_index import write_lookup
from rulings import snapshot
from rulings.errors import UsageError
from rulings.ids import mint
from rulings.model import Card, Knowledge, Link, Occurrence, Ruling, Source, Variant
from search.lookup import Finding, Lookup

ENERGY = "{E} is the energy symbol. It represents one energy counter."
SCRY = "You choose how to order cards returned to your library after scrying no matter where you put them."
UMBRA = "Umbra armor has no effect if the enchanted creature is sacrificed or if its toughness is 0 or less."
TARGETS = "You must target three different creatures. If you can’t, you can’t cast Incremental Blight."
USUALLY = "Notably, if an Equipment becomes an artifact creature, it usually can't be attached to another creature."
NEVER = "Notably, if an Equipment becomes an artifact creature, it can't be attached to another creature."
OWN = "If ~ leaves the battlefield before its last ability resolves, you won't gain control of the target."
NOT_KEYWORD = "Shield counters are not keyword counters. They stay if the creature loses its abilities."
COUNTERED = "If its target is illegal, the spell is countered and none of its effects will happen to anyone."
SEARCH = "Only effects that use the word “search” are affected by this one."
QUOTED = 'The words “target” and "choose" in this ability don\'t target anything at all, (see above).'


def ruling(text: str, *occurrences: Occurrence, **fields: object) -> Ruling:
    return Ruling(mint(text), text, occurrences=occurrences, **fields)  # type: ignore[arg-type]


def on(card: str, date: str | None = "2020-01-01", **fields: object) -> Occurrence:
    return Occurrence(card, date, "mtgjson", **fields)  # type: ignore[arg-type]


BASE = Knowledge(
    rulings=(
        ruling(ENERGY, on("Aether Hub"), on("Confiscation Coup")),
        ruling(SCRY, on("Portent of Betrayal"), on("Omenspeaker")),
        ruling(UMBRA, on("Umbra Mystic")),
        ruling(TARGETS, on("Incremental Blight")),
        ruling(
            USUALLY,
            on("Tezzeret, Cruel Machinist", "2017-07-14"),
            on("Tezzeret, Cruel Machinist", "2017-07-14", variant="v2", missing_since="2022-04-25"),
            on("Karn, Silver Golem", variant="v2"),
            variants=(Variant("v2", "older-wording", NEVER),),
        ),
        ruling(OWN, on("Merieke Ri Berit"), on("Fire // Ice", stands_for="Ice")),
        ruling(NOT_KEYWORD, on("Ultra Magnus, Tactician // Ultra Magnus, Armored Carrier")),
        ruling(COUNTERED, on("Doom Blade"), links=(Link("outdated-by", "r-11111111"),)),
        ruling(SEARCH, on("Stranglehold")),
        ruling(QUOTED, on("Wash Away")),
    ),
    cards=(
        Card("Umbra Mystic"),
        Card("Preordain"),
        Card("It"),
        Card("Shock"),
        Card("Karn, Silver Golem", type_line="Legendary Artifact Creature — Golem"),
        Card("Stranglehold", former_names=("Chokehold of Search",)),
    ),
    sources=(Source("mtgjson", "2026-01-03"),),
)


@pytest.fixture(scope="module")
def lookup(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lookup]:
    folder = tmp_path_factory.mktemp("lookup")
    write_lookup(BASE, folder / "lookup.sqlite")
    snapshot.write(folder / "snapshot.sqlite", BASE, lines={}, meta={"as_of": "2026-01-03"})
    base = snapshot.Snapshot(folder / "snapshot.sqlite")
    opened = Lookup(folder / "lookup.sqlite", ids=base)
    yield opened
    opened.close()
    base.close()


def quotations(lookup: Lookup, text: str) -> list[Finding]:
    return [f for f in lookup.check(text) if f.kind == "ruling"]


def only(lookup: Lookup, text: str) -> Finding:
    (finding,) = quotations(lookup, text)
    return finding


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        (f'Umbra Mystic says "{UMBRA}"', UMBRA),
        (f"«{UMBRA}» (rulings, Umbra Mystic)", UMBRA),
        (f"The ruling for Umbra Mystic: {UMBRA}\n\nThanks.", UMBRA),
        (f"On Umbra Mystic:\n\n> {UMBRA}\n\nSo there.", UMBRA),
        # Broken lines in a block: the marks of the block belong to the quotation.
        (
            "On Umbra Mystic:\n\n> Umbra armor has no effect if the enchanted\n> creature is sacrificed or if its\n"
            "> toughness is 0 or less.\n\nSo there.",
            "Umbra armor has no effect if the enchanted\n> creature is sacrificed or if its\n> toughness is 0 or less.",
        ),
        # A line that begins with a number and a full stop is no list.
        (
            "Umbra Mystic: \"Umbra armor has no effect if the enchanted creature is sacrificed or if its toughness is\n"
            '0 or less."',
            "Umbra armor has no effect if the enchanted creature is sacrificed or if its toughness is\n0 or less.",
        ),
        # Quotes of the other kind, and the other apostrophe.
        ('Wash Away: “The words "target" and “choose” in this ability don’t target anything at all, (see above).”',
         'The words "target" and “choose” in this ability don’t target anything at all, (see above).'),
        ("Stranglehold: 'Only effects that use the word \"search\" are affected by this one.'",
         "Only effects that use the word \"search\" are affected by this one."),
        # The forms of a symbol.
        ('Aether Hub says "(E) is the energy symbol. It represents one energy counter."',
         "(E) is the energy symbol. It represents one energy counter."),
        ('Aether Hub says ":e: is the energy symbol. It represents one energy counter."',
         ":e: is the energy symbol. It represents one energy counter."),
        # The name of the right card where the base keeps the text once for all.
        ('Merieke Ri Berit has “If Merieke Ri Berit leaves the battlefield before its last ability resolves, you won’t '
         'gain control of the target.”',
         "If Merieke Ri Berit leaves the battlefield before its last ability resolves, you won’t gain control of the "
         "target."),
        ('Ice: “If Ice leaves the battlefield before its last ability resolves, you won’t gain control of the target.”',
         "If Ice leaves the battlefield before its last ability resolves, you won’t gain control of the target."),
    ],
)  # fmt: skip
def test_exact(lookup: Lookup, text: str, quoted: str) -> None:
    finding = only(lookup, text)
    assert finding.verdict == "exact", finding.message
    assert text[finding.start : finding.end] == quoted
    assert not finding.partial


def test_whole_sentences_out_of_a_ruling_are_partial(lookup: Lookup) -> None:
    finding = only(lookup, 'Ultra Magnus, Tactician: "Shield counters are not keyword counters." Fine.')
    assert (finding.verdict, finding.partial) == ("exact", True)
    assert finding.card == "Ultra Magnus, Tactician // Ultra Magnus, Armored Carrier"


class TestOlderWording:
    def test_on_the_card_that_had_it(self, lookup: Lookup) -> None:
        finding = only(lookup, f"Tezzeret, Cruel Machinist has “{NEVER}”")
        assert finding.verdict == "older-wording"
        assert (finding.since, finding.until) == ("2017-07-14", "2022-04-25")
        assert finding.today == USUALLY
        assert "Today’s is: Notably" in finding.message

    def test_the_same_words_are_exact_on_a_card_that_still_has_them(self, lookup: Lookup) -> None:
        assert only(lookup, f"Karn, Silver Golem has “{NEVER}”").verdict == "exact"

    def test_outdated(self, lookup: Lookup) -> None:
        finding = only(lookup, f'Doom Blade: "{COUNTERED}"')
        assert finding.verdict == "outdated"
        assert "r-11111111" in finding.message


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        (UMBRA.replace("has no effect", "still works"), "negation"),
        (UMBRA.replace("sacrificed", "exiled"), "zone"),
        (UMBRA.replace("0 or less", "1 or less"), "number"),
        (TARGETS.replace("three", "two"), "number"),
        (TARGETS.replace("you can’t cast", "you can cast"), "negation"),
        (NOT_KEYWORD.replace("are not", "are"), "negation"),
        (ENERGY.replace("{E}", "{W}"), "symbol"),
        (USUALLY.replace("Equipment", "Aura"), "type"),
        (USUALLY.replace("another", "that"), "number"),
    ],
)
def test_altered_dangerously(lookup: Lookup, said: str, kind: str) -> None:
    card = next(r.cards[0] for r in BASE.rulings if set(r.text.split()[-4:]) & set(said.split()[-4:]))
    finding = only(lookup, f"{card} says “{said}” and that is it.")
    assert finding.verdict == "altered-dangerous", finding
    assert kind in {d.kind for d in finding.differences}


@pytest.mark.parametrize(
    "said",
    [
        SCRY.replace("no matter where", "regardless of where"),
        SCRY.replace("You choose", "You decide"),
        UMBRA.replace("or less.", "or lower."),
        USUALLY.replace("Notably, if", "If"),
        USUALLY.replace("becomes", "became"),
        TARGETS.replace(". If", ", and if"),
        NOT_KEYWORD.replace("are not", "aren't"),
        QUOTED.replace("(see above)", "see above"),
    ],
)
def test_altered(lookup: Lookup, said: str) -> None:
    card = next(r.cards[0] for r in BASE.rulings if set(r.text.split()[-6:]) & set(said.split()[-6:]))
    finding = only(lookup, f"{card} says “{said}” and that is it.")
    assert finding.verdict == "altered", finding
    assert said in f"{card} says “{said}” and that is it."[finding.start : finding.end]


class TestWhoseRuling:
    def test_another_cards_ruling(self, lookup: Lookup) -> None:
        finding = only(lookup, f"I looked up Preordain and found “{SCRY}”")
        assert finding.verdict == "wrong-card"
        assert (finding.cited_card, finding.card, finding.also) == (
            "Preordain", "Omenspeaker", ("Portent of Betrayal",),
        )  # fmt: skip

    def test_another_cards_name_in_it(self, lookup: Lookup) -> None:
        said = OWN.replace("~", "Umbra Mystic")
        assert only(lookup, f"Merieke Ri Berit: “{said}”").verdict == "altered-dangerous"
        assert only(lookup, f"Umbra Mystic: “{said}”").verdict != "exact"

    @pytest.mark.parametrize(
        "text",
        [
            f"“{SCRY}” Source: the notes on Omenspeaker.",
            f"“{SCRY}” (rulings, Omenspeaker)",
            f"“{SCRY}” — Omenspeaker",
            f"Umbra Mystic is good. Omenspeaker has “{SCRY}”",
            f"Omenspeaker is what I play. It's in the notes, “{SCRY}”",
            f"Umbra Mystic has “{UMBRA}” And Omenspeaker says “{SCRY}”",
        ],
    )
    def test_the_nearest_name(self, lookup: Lookup, text: str) -> None:
        finding = quotations(lookup, text)[-1]
        assert (finding.verdict, finding.cited_card) == ("exact", "Omenspeaker")

    @pytest.mark.parametrize(
        "text",
        [
            f"Umbra Mystic: “{UMBRA}”\n\nOn Omenspeaker the ruling says “{SCRY}”",
            f"Umbra Mystic: “{UMBRA}”\n\nOn Omenspeaker, I do not know.",
            f"Umbra Mystic: “{UMBRA}” On Omenspeaker the ruling says “{SCRY}”",
            f"Umbra Mystic: “{UMBRA}” On [[Omenspeaker]] it is “{SCRY}”",
            f"Umbra Mystic: “{UMBRA}” For Omenspeaker it is not so.",
            f"Umbra Mystic: “{UMBRA}”, and on Omenspeaker it says “{SCRY}”",
            f"- Umbra Mystic: “{UMBRA}”\n- Omenspeaker: “{SCRY}”",
            f"Umbra Mystic: “{UMBRA}”\nIn the ruling on Omenspeaker: “{SCRY}”",
        ],
    )
    def test_the_name_that_begins_the_next_sentence_is_no_credit(self, lookup: Lookup, text: str) -> None:
        found = [(f.verdict, f.cited_card) for f in quotations(lookup, text)]
        assert found == [("exact", "Umbra Mystic"), ("exact", "Omenspeaker")][: len(found)]
        assert len(found) == text.count("“")

    @pytest.mark.parametrize(
        "credit",
        ["\n— Omenspeaker", " on Omenspeaker", " From the notes on Omenspeaker.", "\n(Source: Omenspeaker)"],
    )
    def test_a_credit_stands_over_the_name_before(self, lookup: Lookup, credit: str) -> None:
        finding = only(lookup, f"I play Umbra Mystic. “{SCRY}”{credit}")
        assert (finding.verdict, finding.cited_card) == ("exact", "Omenspeaker")

    def test_without_a_card_any_will_do(self, lookup: Lookup) -> None:
        finding = only(lookup, f"Somebody said “{SCRY}” once.")
        assert (finding.verdict, finding.cited_card) == ("exact", None)


class TestIds:
    def test_ids_and_short_citations(self, lookup: Lookup) -> None:
        text = "See r-0pcdnc32, [Confiscation Coup 2020-01-01 0pc], r-zzzzzzz9 and r-strategy."
        found = {text[f.start : f.end]: f.verdict for f in lookup.check(text) if f.kind == "id"}
        assert found == {
            "r-0pcdnc32": "ok",
            "[Confiscation Coup 2020-01-01 0pc]": "ok",
            "r-zzzzzzz9": "unknown",
        }

    def test_the_id_of_another_wording_is_an_alias(self, lookup: Lookup) -> None:
        (finding,) = [f for f in lookup.check(f"See {mint(NEVER)}.") if f.kind == "id"]
        assert (finding.verdict, finding.today) == ("alias", mint(USUALLY))


def test_card_names(lookup: Lookup) -> None:
    text = "I cast Umbra Mystic, then [[Shock]]. It shocks me. Shock is fun, stranglehold less so, Stranglehold more."
    assert [text[f.start : f.end] for f in lookup.check(text) if f.kind == "card"] == [
        "Umbra Mystic", "Shock", "Stranglehold",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "",
        "> ",
        "“”",
        'Whenever someone says "in response" at our table, everyone groans.',
        "He said “you can’t cast that” and I said “let me check”.",
        "If the enchanted creature is gone, nothing happens, as far as I know.",
        "The ruling was simple: we had to replay the whole match.",
        "You choose how many cards you put back. Order does not matter to me.",
        "Only effects that I like are in this deck.",
        "I lost 2-1, it took 4.5 hours and cost $104.30, in room 702.5.",
    ],
)
def test_ordinary_prose_yields_nothing(lookup: Lookup, text: str) -> None:
    assert lookup.check(text) == ()


def test_what_is_called_a_ruling_and_is_none(lookup: Lookup) -> None:
    text = "The ruling on Umbra Mystic says “Your opponents skip their next turn if they blink.” Really."
    (finding,) = quotations(lookup, text)
    assert finding.verdict == "not-found"
    assert text[finding.start : finding.end].startswith("Your opponents")


def test_a_book_is_too_long(lookup: Lookup) -> None:
    with pytest.raises(UsageError, match="too long"):
        lookup.check("word " * 300_000)


def test_a_hostile_text_does_not_stop_us(lookup: Lookup) -> None:
    lookup.check(("no effect if the enchanted creature is sacrificed or " * 3000) + "“" * 2000)


PIECES = st.lists(
    st.sampled_from(
        [r.text.replace("~", "Umbra Mystic") for r in BASE.rulings]
        + [
            "“",
            "”",
            '"',
            "«",
            "»",
            "\n> ",
            "\n\n",
            ": ",
            " Umbra Mystic ",
            "- ",
            "1. ",
            "*",
            "r-0pcdnc32",
            "not ",
            "{",
            "é",
        ]
    ),
    max_size=8,
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(PIECES)
def test_offsets_slice_back(lookup: Lookup, pieces: list[str]) -> None:
    text = "".join(pieces)
    for finding in lookup.check(text):
        assert 0 <= finding.start < finding.end <= len(text)
        for d in finding.differences:
            assert finding.start <= d.start <= d.end <= finding.end
            if d.kind not in ("punctuation",) and d.said and "\n" not in d.said:
                assert d.said.split()[0] in text[d.start : d.end]
    found = [f for f in lookup.check(text) if f.kind == "ruling"]
    assert all(a.end <= b.start for a, b in pairwise(found))


FRAMES = ["{c} says “{q}”.", '{c}: "{q}"', "{c}:\n\n> {q}\n\nOk.", "«{q}» ({c})", "The ruling for {c}: {q}\n\nOk."]


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("number", range(len(BASE.rulings)))
def test_a_verbatim_ruling_is_always_exact_and_without_not_never(lookup: Lookup, frame: str, number: int) -> None:
    one = BASE.rulings[number]
    card, text = one.occurrences[0].card, one.verbatim(one.occurrences[0])
    finding = only(lookup, frame.format(c=card, q=text))
    assert finding.verdict in ("exact", "outdated")
    for negated, positive in (
        ("can’t", "can"),
        ("can't", "can"),
        ("won't", "will"),
        (" not ", " "),
        ("has no ", "has an "),
    ):
        if negated in text:
            found = quotations(lookup, frame.format(c=card, q=text.replace(negated, positive)))
            assert [f.verdict for f in found] == ["altered-dangerous"]
