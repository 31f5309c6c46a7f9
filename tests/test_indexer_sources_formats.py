"""The structured formats: detection from content, what each reader takes, what it puts aside."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from indexer.sources import Batch, ReadOptions, read, read_many
from indexer.sources.detect import detect
from rulings.errors import RulingsError, UsageError
from rulings.model import Printing

SHARED = Path(__file__).parents[2] / "shared"
CORPUS = SHARED / "corpus"
TEXT = "You won't get any {E}."
OTHER = "{E} is the energy symbol. It represents one energy counter."
ORACLE = "c64c31f2-c1be-414e-9dff-c3b77ba97545"


def corpus(*parts: str) -> Path:
    path = CORPUS.joinpath(*parts)
    if not path.exists():
        pytest.skip("the corpus is not beside the project")
    return path


def load(tmp_path: Path, content: object, name: str = "file", **options: str) -> Batch:
    """Write `content` (JSON unless it is text) and read it."""
    path = tmp_path / name
    text = content if isinstance(content, str) else json.dumps(content)
    path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
    return read(path, options=ReadOptions(**options))


def facts(batch: Batch) -> list[tuple[str, str, str | None]]:
    return [(r.card, r.text, r.date) for r in batch.rulings]


# --- Scryfall ---

RULING = {"object": "ruling", "oracle_id": ORACLE, "source": "wotc", "published_at": "2024-06-07", "comment": TEXT}
CARD = {
    "object": "card",
    "oracle_id": ORACLE,
    "name": "Ajani",
    "layout": "normal",
    "type_line": "Legendary Planeswalker — Ajani",
    "oracle_text": "+1: Draw.",
    "mana_cost": "{1}{W}",
    "keywords": [],
    "set": "xyz",
    "collector_number": "7",
    "released_at": "2016-09-30",
    "lang": "en",
}


@pytest.mark.parametrize("name", ["rulings.json", "rulings.json.gz", "no-ending"])
@pytest.mark.parametrize("wrap", [lambda x: x, lambda x: {"object": "list", "has_more": False, "data": x}])
def test_scryfall_rulings(tmp_path: Path, name: str, wrap: object) -> None:
    batch = load(tmp_path, wrap([RULING]), name)  # type: ignore[operator]
    assert (batch.format, batch.source, batch.coverage) == ("scryfall", "scryfall", "cards")
    (one,) = batch.rulings
    assert (one.card, one.oracle_id, one.publisher, one.date, one.text) == ("", ORACLE, "wotc", "2024-06-07", TEXT)


def test_scryfall_names_rulings_where_the_card_is_in_the_file(tmp_path: Path) -> None:
    assert load(tmp_path, [RULING, CARD]).rulings[0].card == "Ajani"


def test_a_bulk_file_covers_all_cards(tmp_path: Path) -> None:
    many = [{**RULING, "comment": f"{TEXT} {n}"} for n in range(6000)]
    assert load(tmp_path, many).coverage == "all"


def test_scryfall_lists_that_go_on_and_errors(tmp_path: Path) -> None:
    batch = load(tmp_path, {"object": "list", "has_more": True, "data": [RULING]})
    assert [p.kind for p in batch.problems] == ["partial-list", "names-wanted"]
    with pytest.raises(RulingsError, match="No card found"):
        load(tmp_path, {"object": "error", "status": 404, "details": "No card found"})
    with pytest.raises(RulingsError, match="list of Scryfall's bulk files"):
        load(tmp_path, {"object": "list", "data": [{"object": "bulk_data", "type": "rulings"}]})


def test_scryfall_ruling_without_a_card(tmp_path: Path) -> None:
    bare = {k: v for k, v in RULING.items() if k != "oracle_id"}
    assert load(tmp_path, {"object": "list", "data": [bare]}).quarantined[0].kind == "no-card"
    named = load(
        tmp_path, {"object": "list", "data": [{**bare, "comment": "Budoka Gardener flips."}]}, "budoka-gardener.json"
    )
    assert named.rulings[0].card == "Budoka Gardener"


def test_scryfall_cards_and_printings(tmp_path: Path) -> None:
    older = {**CARD, "set": "abc", "collector_number": "1", "released_at": "2012-01-01", "oracle_text": "old"}
    german = {**CARD, "lang": "de", "printed_name": "Ajani der Große"}
    token = {**CARD, "layout": "token", "oracle_id": "t"}
    reskin = {**CARD, "flavor_name": "Simba", "collector_number": "9"}
    batch = load(tmp_path, [CARD, older, german, token, reskin])
    (card,) = batch.cards
    assert (card.oracle_text, card.released) == ("+1: Draw.", "2012-01-01")
    assert card.foreign_names == ("Ajani der Große",)
    assert card.former_names == ("Simba",)
    assert [(p.set, p.number) for p in card.printings] == [("ABC", "1"), ("XYZ", "7"), ("XYZ", "9")]
    assert [p.kind for p in batch.problems] == ["passed-over"]


def test_faces_and_reversible_cards(tmp_path: Path) -> None:
    face = {"object": "card_face", "type_line": "Instant", "mana_cost": "{R}"}
    fire = {**CARD, "name": "Fire // Ice", "oracle_text": None}
    fire["card_faces"] = [
        {**face, "name": "Fire", "oracle_text": "Burn."},
        {**face, "name": "Ice", "oracle_text": "Tap."},
    ]
    thumb = {k: v for k, v in CARD.items() if k != "oracle_id"} | {"name": "Krark's Thumb // Krark's Thumb"}
    thumb["card_faces"] = [{**face, "name": "Krark's Thumb", "oracle_id": "kt", "oracle_text": "Flip."}] * 2
    thumb["oracle_text"] = None
    one, two = load(tmp_path, [fire, thumb]).cards
    assert [(f.name, f.oracle_text) for f in one.faces] == [("Fire", "Burn."), ("Ice", "Tap.")]
    assert (two.name, two.oracle_id, two.faces, two.oracle_text) == ("Krark's Thumb", "kt", (), "Flip.")


# --- MTGJSON ---


def entry(name: str, *texts: str, **more: object) -> dict[str, object]:
    rulings = [{"date": "2016-09-20", "text": text} for text in texts]
    return {"name": name, "number": "1", "type": "Creature", "layout": "normal", "rulings": rulings, **more}


def test_mtgjson_shapes(tmp_path: Path) -> None:
    meta = {"date": "2024-07-24", "version": "5.2.2+20240724"}
    cards = [entry("Ajani", TEXT, identifiers={"scryfallOracleId": ORACLE}, setCode="XYZ")]
    this = {"code": "XYZ", "cards": cards, "releaseDate": "2016-09-30", "translations": {"Ajani": "x"}}
    shapes: dict[str, tuple[object, str, str | None]] = {
        "set, version 5": ({"meta": meta, "data": this}, "cards", "2024-07-24"),
        "set, version 4": ({**this, "meta": meta}, "cards", "2024-07-24"),
        "set, version 3": (this, "cards", None),
        "deck": ({"meta": meta, "data": {"code": "XYZ", "mainBoard": cards, "commander": []}}, "cards", "2024-07-24"),
        "AllPrintings": ({"meta": meta, "data": {"XYZ": this, "ABC": {**this, "cards": []}}}, "all", "2024-07-24"),
        "AllSets, version 3": ({"XYZ": this}, "all", None),
        "AtomicCards": ({"meta": meta, "data": {"Ajani": cards}}, "all", "2024-07-24"),
        "AllCards, version 4": ({"Ajani": cards[0]}, "all", None),
    }
    for shape, (content, coverage, as_of) in shapes.items():
        batch = load(tmp_path, content)
        assert (batch.format, batch.source) == ("mtgjson", "mtgjson"), shape
        assert facts(batch) == [("Ajani", TEXT, "2016-09-20")], shape
        assert (batch.coverage, batch.as_of) == (coverage, as_of), shape
        assert [card.name for card in batch.cards] == ["Ajani"], shape
        assert batch.rulings[0].oracle_id == ORACLE, shape


def test_mtgjson_printings_that_differ(tmp_path: Path) -> None:
    """mtgjson/mtgjson3#229: `[r1]`, nil, `[r1, r2]` -> `[r1, r2]` and a note."""
    nothing = entry("Ajani", number="2")
    del nothing["rulings"]
    cards = [entry("Ajani", TEXT), nothing, entry("Ajani", TEXT, OTHER, number="3")]
    batch = load(tmp_path, {"code": "XYZ", "cards": cards})
    assert [r.text for r in batch.rulings] == [TEXT, OTHER]
    assert [r.position for r in batch.rulings] == [0, 1]
    (note,) = batch.problems
    assert (note.kind, note.severity) == ("printings-differ", "warning")
    assert "Ajani" in note.message and "XYZ 2 lacks 2" in note.message
    same = load(tmp_path, {"code": "XYZ", "cards": [entry("Ajani", TEXT), entry("Ajani", TEXT, number="2")]})
    assert not same.problems and len(same.rulings) == 1


def test_one_text_under_two_dates_is_two_rulings(tmp_path: Path) -> None:
    card = entry("Ajani", TEXT)
    card["rulings"] += [{"date": "2024-06-07", "text": TEXT}]  # type: ignore[operator]
    assert [r.date for r in load(tmp_path, {"code": "X", "cards": [card]}).rulings] == ["2016-09-20", "2024-06-07"]


def test_mtgjson_faces(tmp_path: Path) -> None:
    old = [
        entry("Dusk", TEXT, names=["Dusk", "Dawn"], number="210a", layout="aftermath"),
        entry("Dawn", OTHER, names=["Dusk", "Dawn"], number="210b", layout="aftermath"),
    ]
    foreign = [{"language": "German", "name": "Sonnenuntergang // Morgen", "faceName": "Sonnenuntergang"}]
    new = [
        entry("Dusk // Dawn", OTHER, TEXT, faceName="Dawn", side="b"),
        entry("Dusk // Dawn", OTHER, TEXT, faceName="Dusk", side="a", foreignData=foreign),
    ]
    for cards in (old, new):
        batch = load(tmp_path, {"code": "AKH", "cards": cards})
        (card,) = batch.cards
        assert (card.name, [f.name for f in card.faces]) == ("Dusk // Dawn", ["Dusk", "Dawn"])
        assert {r.text for r in batch.rulings} == {TEXT, OTHER} and len(batch.rulings) == 2
        assert not batch.problems
    assert card.foreign_names == ("Sonnenuntergang", "Sonnenuntergang // Morgen")
    reversible = load(tmp_path, {"code": "SLD", "cards": [entry("X // X", TEXT, faceName="X", side="a")]})
    assert reversible.cards[0].name == "X"


def test_mtgjson_real_files() -> None:
    v3 = read(corpus("mtgjson", "v3-sets", "AKH.json.gz"))
    v5 = read(corpus("mtgjson", "v5-sets", "KLD-5.2.2-20240724.json.gz"))
    deck = read(corpus("mtgjson", "v5-decks", "Science_PIP.json.gz"))
    assert "Dusk // Dawn" in {card.name for card in v3.cards}
    assert all(card.oracle_id for card in v5.cards)
    coup = next(card for card in v5.cards if card.name == "Confiscation Coup")
    assert Printing("KLD", "41", "2016-09-30") in coup.printings
    assert len(coup.foreign_names) > 5
    assert (v5.as_of, deck.as_of, deck.coverage) == ("2024-07-24", "2026-01-03", "cards")
    for batch in (v3, v5, deck):
        assert len(batch.rulings) > 200 and not batch.quarantined


# --- JSONL ---

LINE = {"oracle_id": ORACLE, "card": "Ajani", "source": None, "published_at": "2024-06-07", "comment": TEXT}


def lines(*records: object) -> str:
    return "".join((r if isinstance(r, str) else json.dumps(r)) + "\n" for r in records)


def test_jsonl(tmp_path: Path) -> None:
    origin = {"origin": "mtgjson-5.2.2-20260103"}
    batch = load(tmp_path, lines({**LINE, **origin}, {**LINE, "comment": OTHER, "origin": "mtgjson-5.2.2-20240724"}))
    assert (batch.format, batch.source, batch.as_of, batch.coverage) == ("jsonl", "mtgjson", "2026-01-03", "all")
    assert {r.source for r in batch.rulings} == {"mtgjson"}
    named = load(tmp_path, lines(LINE, LINE), "rulings-2018-11-mtgjson-v3.jsonl.gz")
    assert (named.source, named.as_of, len(named.rulings)) == ("mtgjson", "2018-11", 1)
    plain = load(tmp_path, lines(LINE), source="mine", as_of="2020-01-01")
    assert (plain.source, plain.as_of, plain.rulings[0].source) == ("mine", "2020-01-01", "mine")
    assert load(tmp_path, [LINE]).format == "jsonl"


def test_jsonl_other_names_and_cards(tmp_path: Path) -> None:
    batch = load(
        tmp_path,
        lines(
            {"card": "Ajani", "text": TEXT, "date": "2024-06-07", "publisher": "scryfall"},
            {"text": OTHER, "card": None, "mechanic": "energy"},
            {"name": "Ajani", "layout": "normal", "sets": ["XYZ"], "oracle_text": "Draw.", "card_faces": None},
            {
                "name": "Fire // Ice",
                "faces": [{"name": "Fire"}, {"name": "Ice"}],
                "printings": [{"set": "APC", "number": "1"}],
            },
        ),
    )
    assert [(r.card, r.mechanic, r.publisher) for r in batch.rulings] == [
        ("Ajani", None, "scryfall"),
        ("", "energy", None),
    ]
    assert [c.name for c in batch.cards] == ["Ajani", "Fire // Ice"]
    assert batch.cards[1].printings == (Printing("APC", "1"),)


@pytest.mark.parametrize(
    ("record", "kind"),
    [
        ({**LINE, "comment": " \u00a0"}, "no-text"),  # one such stands in the corpus
        ({**LINE, "comment": None}, "wrong-type"),
        ({**LINE, "comment": 7}, "wrong-type"),
        ({**LINE, "comment": ["a"]}, "wrong-type"),
        ({**LINE, "card": "", "oracle_id": None}, "no-card"),
        ({**LINE, "card": 5}, "no-card"),
        ({**LINE, "oracle_id": 5}, "wrong-type"),
        ({**LINE, "published_at": "8/11/2024"}, "ambiguous-date"),
        ({**LINE, "published_at": "soon"}, "bad-date"),
        ({**LINE, "published_at": 20240607}, "bad-date"),
        ({**LINE, "comment": "a â€” b"}, "mojibake"),
        ('{"card":"Ajani","comment":"\\ud800 half"}', "encoding"),
        ({**LINE, "card": "\u200b", "oracle_id": None}, "no-card"),
        ({**LINE, "comment": "a" * 30_000}, "too-long"),
        ('{"card":"Ajani","oracle_id":"\\ud800","comment":"Text."}', "encoding"),
        ("not json", "bad-json"),
        ('{"card": "Ajani", "comment": "cut of', "bad-json"),
        ("[1, 2]", "wrong-type"),
        ("[" * 50_000, "bad-json"),
        ({"name": "", "layout": "normal"}, "bad-card"),
    ],
)
def test_what_cannot_be_taken_is_quarantined_and_can_be_mended(tmp_path: Path, record: object, kind: str) -> None:
    batch = load(tmp_path, lines(LINE, record, {**LINE, "comment": OTHER}))
    assert [r.text for r in batch.rulings] == [TEXT, OTHER]
    (one,) = batch.quarantined
    assert (one.kind, one.line) == (kind, 2)
    assert batch.problems[0].kind == kind and batch.problems[0].line == 2
    out = one.as_json(batch.source)
    assert json.loads(json.dumps(out)) == out
    mended = {**out, "record": {**out["record"], **LINE, "comment": "Mended."}}  # type: ignore[dict-item]
    again = load(tmp_path, lines(mended))
    assert (again.rulings[0].text, again.coverage, again.source) == ("Mended.", "cards", batch.source)
    unmended = load(tmp_path, lines(out))
    assert not unmended.rulings or kind in ("wrong-type",)


def test_quarantined_mojibake_proposes_the_repair(tmp_path: Path) -> None:
    (one,) = load(tmp_path, lines({**LINE, "comment": "a â€” b"}, LINE)).quarantined
    assert one.record["likely"] == "a — b" and one.record["comment"] == "a â€” b"


# --- tables ---


@pytest.mark.parametrize(
    "text",
    [
        f'card,date,text\nAjani,2024-06-07,"{TEXT}"\n',
        f"\ufefftext;card;published_at\r\n{TEXT};Ajani;2024-06-07\r\n",
        f"oracle_id\tcomment\tname\tdate\n{ORACLE}\t{TEXT}\tAjani\tJune 7, 2024\n",
        f'Date|Card|Ruling\n13/06/2017|"Ajani"|{TEXT}\n'.replace("13/06/2017", "2024/06/07"),
    ],
)
def test_tables(tmp_path: Path, text: str) -> None:
    batch = load(tmp_path, text)
    assert (batch.format, batch.source) == ("csv", "csv")
    assert facts(batch) == [("Ajani", TEXT, "2024-06-07")]


def test_rows_that_do_not_fit(tmp_path: Path) -> None:
    batch = load(tmp_path, f'card,text\nAjani,"{TEXT}"\nAjani,one,two\n"Karn","two\nlines"\nAjani\nAjani,""\n')
    assert [r.text for r in batch.rulings] == [TEXT, "two\nlines"]
    assert [(q.kind, q.line) for q in batch.quarantined] == [("bad-row", 3), ("bad-row", 6), ("no-text", 7)]
    with pytest.raises(RulingsError, match="two columns are called 'text'"):
        load(tmp_path, "card,text,text\na,b,c\n")
    with pytest.raises(RulingsError, match="no column for the text"):
        load(tmp_path, "card,words\na,b\n", format="csv")


def test_a_quote_left_open_loses_nothing(tmp_path: Path) -> None:
    batch = load(tmp_path, f'card,text\nAjani,"{TEXT}"\nAjani,"one\nKarn,two\n')
    assert [r.text for r in batch.rulings] == [TEXT]
    (one,) = batch.quarantined
    assert (one.line, one.record["raw"]) == (3, 'Ajani,"one\nKarn,two\n')


def test_a_file_with_nothing_in_it_says_so(tmp_path: Path) -> None:
    for text in ("[1, 2, null]", '"x"', "[]"):
        assert [p.kind for p in load(tmp_path, text).problems] == ["nothing"]


def test_a_card_with_half_a_character_is_put_aside(tmp_path: Path) -> None:
    batch = load(tmp_path, '[{"object":"card","name":"A"},{"object":"card","name":"B","oracle_text":"\\ud800"}]')
    assert [c.name for c in batch.cards] == ["A"]
    assert [q.kind for q in batch.quarantined] == ["encoding"]


def test_a_date_of_the_file_that_is_none(tmp_path: Path) -> None:
    body = '{"meta":{"date":"soon"},"data":{"code":"KLD","cards":[{"name":"Ajani","rulings":[]}]}}'
    batch = load(tmp_path, body)
    assert batch.as_of is None and [p.kind for p in batch.problems] == ["no-date"]


# --- Gatherer ---

ROW = '<tr><td id="x_rulingDate">{date}</td><td id="x_rulingText">{text}</td></tr>'


def gatherer(*rows: tuple[str, str], name: str = "Deadlock Trap") -> str:
    table = "".join(ROW.format(date=date, text=text) for date, text in rows)
    return (
        f"<html><head><title>{name} (Kaladesh) - Gatherer - Magic: The Gathering</title></head><table>{table}</table>"
    )


def test_gatherer(tmp_path: Path) -> None:
    image = '<img src="/Handlers/Image.ashx?size=small&amp;name=E&amp;type=symbol" alt="Energy" />'
    text = f"You won&#39;t get any\n   {image}. <i>Really</i> [+1]"
    batch = load(tmp_path, gatherer(("13/06/2017", text), ("9/20/2016", "An <b>open tag.")))
    assert (batch.format, batch.source) == ("gatherer", "gatherer")
    assert facts(batch) == [
        ("Deadlock Trap", "You won't get any {E}. Really [+1]", "2017-06-13"),
        ("Deadlock Trap", "An open tag.", "2016-09-20"),
    ]


def test_gatherer_keeps_the_text_between_and_after_symbols(tmp_path: Path) -> None:
    """mtgjson/mtgjson3#279 ate it; AEFeinstein/mtg-familiar#147 cut the ruling at the first symbol."""
    e, x = '<img alt="Energy">', '<img alt="Variable Colorless">'
    batch = load(
        tmp_path, gatherer(("9/20/2016", f"{e} stands for energy. With {x} in a cost (like {x}), use X, then draw."))
    )
    assert batch.rulings[0].text == "{E} stands for energy. With {X} in a cost (like {X}), use X, then draw."


def test_gatherer_refuses_what_it_would_have_to_guess(tmp_path: Path) -> None:
    batch = load(
        tmp_path, gatherer(("9/20/2016", 'Pay <img alt="Mystery">.'), ("8/11/2024", TEXT), ("9/21/2016", OTHER))
    )
    assert [r.text for r in batch.rulings] == [OTHER]
    assert [q.kind for q in batch.quarantined] == ["unknown-symbol", "ambiguous-date"]
    assert "Mystery" in batch.quarantined[0].reason
    assert load(tmp_path, gatherer(("8/11/2024", TEXT)), date_order="dmy").rulings[0].date == "2024-11-08"
    nameless = load(tmp_path, gatherer(("9/20/2016", TEXT), name="x").replace("<title>", "<h1>"))
    assert nameless.quarantined[0].kind == "no-card"
    with pytest.raises(RulingsError, match="no table of rulings"):
        load(tmp_path, "<html><body>Hello</body></html>")


def test_gatherer_real_page() -> None:
    path = corpus("gatherer-html", "act-of-aggression-230076-2012-rulings-block.html")
    assert [q.kind for q in read(path).quarantined] == ["ambiguous-date"] * 7
    batch = read(path, options=ReadOptions(date_order="mdy"))
    assert {(r.card, r.date) for r in batch.rulings} == {("Act of Aggression", "2011-06-01")}
    assert len(batch.rulings) == 7


# --- release notes ---

NOTES = f"""Kaladesh Release Notes

Compiled by a judge. Document last modified September 1, 2016

GENERAL NOTES

**Release Information**

* The Kaladesh set becomes legal on its release date.

**New Keyword Ability: Crew**

* You may tap any untapped creature *you* control.
* A crewed Vehicle
  stays one.

CARD-SPECIFIC NOTES

Aether Meltdown
1U
Enchantment — Aura
When Aether Meltdown enters the battlefield, you get EE *(two energy counters)*.

* You won’t get EE. Its power is */*, with [+1].
* {OTHER.replace("{E}", "E")}

-----

![](https://example.invalid/a.png)

Acrobatic Maneuver
2W
Instant
* It’s a new object.

Magic and Kaladesh are trademarks.
"""


def test_release_notes(tmp_path: Path) -> None:
    batch = load(tmp_path, NOTES)
    assert (batch.format, batch.source, batch.as_of) == ("release-notes", "release-notes", "2016-09-01")
    assert [(r.card, r.mechanic, r.text) for r in batch.rulings] == [
        ("", "crew", "You may tap any untapped creature you control."),
        ("", "crew", "A crewed Vehicle stays one."),
        ("Aether Meltdown", None, "You won’t get {E}{E}. Its power is */*, with [+1]."),
        ("Aether Meltdown", None, OTHER),
        ("Acrobatic Maneuver", None, "It’s a new object."),
    ]
    assert {r.date for r in batch.rulings} == {"2016-09-01"}
    assert sorted(p.kind for p in batch.problems) == ["passed-over", "symbol-letters"]


def test_release_notes_real_excerpt() -> None:
    batch = read(corpus("release-notes", "kaladesh-release-notes-2016-09-16-excerpt.md"))
    assert {r.mechanic for r in batch.rulings if not r.card} == {"energy"}
    assert [r.card for r in batch.rulings if r.card] == (
        ["Acrobatic Maneuver"] * 2 + ["Aether Meltdown", "Aether Tradewinds"] + ["Aetherstorm Roc"] * 3
    )
    assert batch.rulings[0].text == OTHER
    assert {r.date for r in batch.rulings} == {"2016-09-16"}


# --- Comprehensive Rules, detection, forcing ---


def test_rules_text_is_handed_on(tmp_path: Path) -> None:
    text = (
        "Magic: The Gathering Comprehensive Rules\r\n\r\nThese rules are effective as of June 6, 2025.\r\n\r\n1. X\r\n"
    )
    batch = load(tmp_path, "\ufeff" + text)
    assert (batch.format, batch.rules_text, batch.rulings) == ("comprehensive-rules", text, ())


def test_detection_of_real_files() -> None:
    expected = {
        "rulings.jsonl.gz": "jsonl",
        "cards.jsonl.gz": "jsonl",
        "comprehensive-rules/MagicCompRules-2017-08-25.txt.gz": "comprehensive-rules",
        "comprehensive-rules/MagicCompRules-2026-04-17.txt": "comprehensive-rules",
        "scryfall-api/oracle-cards-sample.json": "scryfall",
        "scryfall-api/cards-named.json": "scryfall",
        "scryfall-api/rulings-by_id.json": "scryfall",
        "mtgjson/v3-sets/KLD.json.gz": "mtgjson",
        "mtgjson/v4-sets/AER-4.4.2-20190721.json.gz": "mtgjson",
        "mtgjson/v5-decks/HailCaesar_PIP.json.gz": "mtgjson",
    }
    for name, format in expected.items():
        path = corpus(name)
        with (
            gzip.open(path, "rt", encoding="utf-8-sig")
            if path.suffix == ".gz"
            else path.open(encoding="utf-8-sig") as file
        ):
            assert detect(file.read(65536)) == format, name


def test_a_format_can_be_forced(tmp_path: Path) -> None:
    assert load(tmp_path, f"Ajani\n\n{TEXT}\n", format="text-pages").rulings
    with pytest.raises(UsageError, match="no format is called 'word'"):
        load(tmp_path, "Ajani", format="word")
    with pytest.raises(RulingsError, match="not valid JSON"):
        load(tmp_path, "Ajani\n\ntext", format="scryfall")


def test_folders_are_walked_in_order(tmp_path: Path) -> None:
    for name in ("b.txt", "a/z.txt", "a/.hidden", "a/bad.txt"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("" if "bad" in name else f"Ajani {name[0].upper()}\n\n{TEXT}\n", encoding="utf-8")
    found = list(read_many([tmp_path]))
    names = [b.path if isinstance(b, Batch) else b.message for b in found]
    assert names == ["a/bad.txt: the file is empty", "a/z.txt", "b.txt"]
    (tmp_path / "none").mkdir()
    with pytest.raises(RulingsError, match="no file is in the folder"):
        list(read_many([tmp_path / "none"]))
