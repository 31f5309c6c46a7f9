"""An import as a whole: the seeds exactly, in any order, twice, one after the other; and what newer states lack."""

from __future__ import annotations

import itertools
import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from indexer import deciding, ingest
from indexer.dedupe import partition
from indexer.losses import LossError
from indexer.sample import SOURCE, make_base, sample_pages
from indexer.sources import ReadOptions
from rulings import store
from rulings.errors import RulingsError
from rulings.ids import mint
from rulings.model import Decision, Knowledge, Ruling
from rulings.snapshot import mints_of
from rulings.text import fold1

PAGES = sorted(sample_pages().glob("*.txt"))
DEADLOCK = next(p for p in PAGES if "deadlock" in p.name)
SEEDS = ingest.Options(read=ReadOptions(source=SOURCE))
ENERGY = "{E} is the energy symbol. It represents one energy counter."


def files(folder: Path, *, imports: bool = False) -> dict[str, bytes]:
    return {
        p.relative_to(folder).as_posix(): p.read_bytes()
        for p in sorted(folder.rglob("*"))
        if p.is_file() and p.name[0] != "." and (imports or "imports" not in p.parts)
    }


def base(folder: Path, *imports: Sequence[Path], options: ingest.Options = SEEDS) -> Knowledge:
    if not store.is_base(folder):
        make_base(folder, "base")
    for paths in imports:
        ingest.run(folder, list(paths), options)
    return store.load(folder).knowledge


def holder(knowledge: Knowledge, text: str) -> Ruling:
    found = [r for r in knowledge.rulings if mint(text) in mints_of(r)]
    assert len(found) == 1, text
    return found[0]


def wordings(knowledge: Knowledge) -> set[frozenset[str]]:
    return {frozenset(fold1(r.verbatim(o)) for o in r.occurrences) for r in knowledge.rulings}


def test_the_seeds_exactly(sample: Path) -> None:
    knowledge = store.load(sample).knowledge
    assert sum(len(r.occurrences) for r in knowledge.rulings) == 42
    assert len(knowledge.rulings) == 23
    reach = sorted((len(r.cards) for r in knowledge.rulings), reverse=True)
    assert reach == [3] * 9 + [2] + [1] * 13
    own = [r.cards[0] for r in knowledge.rulings if len(r.cards) == 1]
    assert {name: own.count(name) for name in own} == {
        "Confiscation Coup": 5,
        "Behemoth of Vault 0": 2,
        "Deadlock Trap": 6,
    }
    assert holder(knowledge, ENERGY).id == "r-0pcdnc32"


def test_every_occurrence_keeps_its_text_byte_for_byte(sample: Path) -> None:
    said = {(o.card, r.verbatim(o)) for r in store.load(sample).knowledge.rulings for o in r.occurrences}
    for path in PAGES:
        name, *paragraphs = path.read_text(encoding="utf-8").split("\n\n")
        texts = {p for p in paragraphs if not p.startswith("Wotc —")}
        assert {text for card, text in said if card == name.strip()} == {t.rstrip("\n") for t in texts}


# What the seeds hold, and what it is of the canonical wording.
VARIANTS = [
    ("is the energy symbol. It represents one energy counter.", "symbol-lost", ENERGY),
    ("Some spells and abilities that give you may require targets.", "symbol-lost", "give you {E} may"),
    ("writing theme down", "typo", "writing them down"),
    ("They’re not associated with any specific permanents.", "typography", "They're not"),
]


@pytest.mark.parametrize(("said", "why", "canonical"), VARIANTS)
def test_variants_of_the_seeds(sample: Path, said: str, why: str, canonical: str) -> None:
    found = [(r, v) for r in store.load(sample).knowledge.rulings for v in r.variants if said in v.text]
    assert found
    for ruling, variant in found:
        assert variant.why == why
        assert canonical in ruling.text
        shown = {ruling.shown(o) for o in ruling.occurrences if o.variant == variant.key}
        assert shown == {ruling.text}  # the page shows the mended text


def test_the_order_of_files_changes_no_byte(tmp_path: Path) -> None:
    made = []
    for n, order in enumerate(itertools.permutations(PAGES)):
        base(tmp_path / str(n), order)
        made.append(files(tmp_path / str(n), imports=True))
    assert all(one == made[0] for one in made)


def test_the_same_import_again_changes_no_byte(tmp_path: Path) -> None:
    base(tmp_path, PAGES)
    before = files(tmp_path, imports=True)
    report = ingest.run(tmp_path, PAGES, SEEDS)
    assert (report.new, report.known, report.changed) == (0, 42, ())
    assert files(tmp_path, imports=True) == before
    shutil.rmtree(ingest.cache_of(tmp_path))  # nor without the cache
    ingest.run(tmp_path, PAGES, SEEDS)
    assert files(tmp_path, imports=True) == before


def test_names_that_only_rulings_give_change_nothing_at_the_next_import(tmp_path: Path) -> None:
    """A ruling that names another card is suspect; the other card may be known from this very import only."""
    kb = tmp_path / "kb"
    make_base(kb)
    suspect = line("Grizzly Bears", "If the target of Confiscation Coup is illegal, Confiscation Coup won't resolve.")
    path = dump(tmp_path / "x.jsonl", suspect, line("Confiscation Coup", "Confiscation Coup can take a land creature."))
    ingest.run(kb, [path], state("2024-01-01"))
    before = files(kb, imports=True)
    ingest.run(kb, [path], state("2024-01-01"))
    assert files(kb, imports=True) == before


def test_deadlock_trap_first_gives_the_same_rulings_and_every_id_resolves(tmp_path: Path) -> None:
    alone = base(tmp_path / "a", [DEADLOCK])
    printed = {r.id: r.text for r in alone.rulings}
    later = base(tmp_path / "a", [p for p in PAGES if p != DEADLOCK])
    at_once = base(tmp_path / "b", PAGES)
    assert wordings(later) == wordings(at_once)
    assert {r.text for r in later.rulings} == {r.text for r in at_once.rulings}
    for ruling_id, text in printed.items():
        for knowledge in (later, at_once):
            homes = [r for r in knowledge.rulings if ruling_id in mints_of(r)]
            assert len(homes) == 1
            assert fold1(text) in {fold1(t) for o in homes[0].occurrences for t in (homes[0].verbatim(o),)}
    assert set(printed) <= {r.id for r in later.rulings}  # a printed id stays


def line(card: str, text: str, date: str = "2020-01-01", **more: str) -> str:
    return json.dumps({"card": card, "comment": text, "published_at": date, "source": "wotc", **more})


def dump(path: Path, *lines: str) -> Path:
    path.write_text("".join(x + "\n" for x in lines), encoding="utf-8")
    return path


def state(as_of: str, **more: bool) -> ingest.Options:
    return ingest.Options(read=ReadOptions(source="dump", as_of=as_of), today="2026-01-01", **more)  # type: ignore[arg-type]


MANY = [line(f"Card {n}", f"This is what only card number {n} does, and nothing else.") for n in range(40)]


def test_a_newer_state_that_lacks_a_ruling_marks_it_and_deletes_nothing(tmp_path: Path) -> None:
    kb = tmp_path / "kb"
    make_base(kb)
    ingest.run(kb, [dump(tmp_path / "old.jsonl", *MANY)], state("2024-01-01"))
    report = ingest.run(kb, [dump(tmp_path / "new.jsonl", *MANY[1:])], state("2025-01-01"))
    assert (report.gone, report.missing) == (1, 1)
    knowledge = store.load(kb).knowledge
    assert len(knowledge.rulings) == 40
    missing = [o for r in knowledge.rulings for o in r.occurrences if o.missing_since]
    assert [(o.card, o.missing_since) for o in missing] == [("Card 0", "2025-01-01")]
    back = ingest.run(kb, [dump(tmp_path / "back.jsonl", *MANY)], state("2025-06-01"))
    assert back.new == 0
    assert not [o for r in store.load(kb).knowledge.rulings for o in r.occurrences if o.missing_since]


def test_a_large_drop_stops_and_leaves_the_base_untouched(tmp_path: Path) -> None:
    kb = tmp_path / "kb"
    make_base(kb)
    ingest.run(kb, [dump(tmp_path / "old.jsonl", *MANY)], state("2024-01-01"))
    before = files(kb, imports=True)
    with pytest.raises(LossError, match=r"in all .* 10 of .* 40"):
        ingest.run(kb, [dump(tmp_path / "new.jsonl", *MANY[10:])], state("2025-01-01"))
    assert files(kb, imports=True) == before
    report = ingest.run(kb, [tmp_path / "new.jsonl"], state("2025-01-01", accept_loss=True))
    assert report.gone == 10


def test_a_part_of_a_source_loses_nothing(tmp_path: Path) -> None:
    kb = tmp_path / "kb"
    make_base(kb)
    ingest.run(kb, [dump(tmp_path / "old.jsonl", *MANY)], state("2024-01-01"))
    report = ingest.run(kb, [dump(tmp_path / "new.jsonl", *MANY[10:])], state("2025-01-01", partial=True))
    assert report.gone == 0


def test_an_older_state_after_a_newer_one(tmp_path: Path) -> None:
    """The older words come in as what they are: no longer at the source, and never canonical."""
    kb = tmp_path / "kb"
    make_base(kb)
    new = dump(tmp_path / "new.jsonl", line("Opt", "Opt's mana value is one, whatever you pay for it."))
    old = dump(tmp_path / "old.jsonl", line("Opt", "Opt's converted mana cost is one, whatever you pay for it."))
    ingest.run(kb, [new], state("2025-01-01"))
    ingest.run(kb, [old], state("2018-01-01"))
    (ruling,) = store.load(kb).knowledge.rulings
    assert "mana value" in ruling.text
    assert {o.missing_since for o in ruling.occurrences} == {None, "2025-01-01"}


def test_a_better_method_counts_at_the_next_import_of_the_same_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kb = tmp_path / "kb"
    make_base(kb)
    texts = ("Opt's ability isn't a mana ability.", "Opt's ability is not a mana ability at all.")
    path = dump(tmp_path / "a.jsonl", line("Opt", texts[0]), line("Shock", texts[1].replace("Opt", "Shock")))
    with monkeypatch.context() as older:
        older.setattr(
            ingest, "partition", lambda words, *_: partition(words, [Decision("apart", words[0].text, words[1].text)])
        )
        older.setattr(ingest, "fingerprint", lambda: "an older one")
        ingest.run(kb, [path], state("2025-01-01"))
        assert len(store.load(kb).knowledge.rulings) == 2
    ingest.run(kb, [path], state("2025-01-01"))
    assert len(store.load(kb).knowledge.rulings) == 1


def test_own_topics_count_at_once_and_a_fault_in_them_takes_no_topic_away(tmp_path: Path) -> None:
    kb = tmp_path / "kb"
    make_base(kb)
    path = dump(tmp_path / "a.jsonl", line("Opt", "At a cube night you may do so."))
    ingest.run(kb, [path], state("2025-01-01"))
    own = kb / "topics.yaml"
    own.write_text("topics:\n- key: cube-night\n  label: Cube night\n  strong: |\n    cube night\n", encoding="utf-8")
    ingest.run(kb, [path], state("2025-01-01"))
    (ruling,) = store.load(kb).knowledge.rulings
    assert "cube-night" in ruling.topics, "the same files again, with a topic more"
    before = files(kb)
    own.write_text("topics:\n- key: Cube Night\n", encoding="utf-8")
    with pytest.raises(RulingsError, match=r"topics\.yaml"):
        ingest.run(kb, [path], state("2025-01-01"))
    own.write_bytes(before["topics.yaml"])
    assert files(kb) == before


def test_a_card_that_a_text_stood_on_once_does_not_change_how_it_is_read(tmp_path: Path) -> None:
    """The name of a text's card is `~`, unless the text stands on another card too. One that it left counts no more:
    so a base that saw an older state shows what a new base of today shows."""
    own = "Opt can be cast by its owner only, whatever else is said, as long as the stack is empty."
    like = "Shock can be cast by its owner only, whatever else is said, so long as the stack is empty."
    old = dump(tmp_path / "old.jsonl", line("Opt", own), line("Shock", own))
    new = dump(tmp_path / "new.jsonl", line("Opt", own), line("Shock", like))
    texts = []
    for name, files in (("both", [old, new]), ("today", [new])):
        make_base(tmp_path / name)
        for path in files:
            ingest.run(tmp_path / name, [path], state("2018-01-01" if path is old else "2025-01-01"))
        rulings = store.load(tmp_path / name).knowledge.rulings
        texts.append(sorted((r.text, {o.card for o in r.occurrences if not o.missing_since}) for r in rulings))
    assert texts[0] == texts[1]
    assert texts[1][0][1] == {"Opt", "Shock"}


def test_a_requoted_wording_is_replaced_and_not_missing(tmp_path: Path) -> None:
    kb = tmp_path / "kb"
    make_base(kb)
    for year, text in (("2024", "Opt doesn't target."), ("2025", "Opt doesn’t target.")):
        report = ingest.run(kb, [dump(tmp_path / f"{year}.jsonl", line("Opt", text))], state(year))
    assert (report.new, report.gone, report.missing) == (1, 1, 0)
    (ruling,) = store.load(kb).knowledge.rulings
    assert {o.missing_since for o in ruling.occurrences} == {None, "2025"}


def test_one_text_on_one_card_under_two_dates(tmp_path: Path) -> None:
    kb = tmp_path / "kb"
    make_base(kb)
    path = dump(tmp_path / "x.jsonl", line("Opt", "Scry, then draw."), line("Opt", "Scry, then draw.", "2021-01-01"))
    ingest.run(kb, [path], state("2024-01-01"))
    (ruling,) = store.load(kb).knowledge.rulings
    assert [o.date for o in ruling.occurrences] == ["2020-01-01", "2021-01-01"]


def test_cards_that_differ_only_in_their_own_name_keep_the_text_once(tmp_path: Path) -> None:
    kb = tmp_path / "kb"
    make_base(kb)
    text = "If {} leaves the battlefield, its controller chooses a new target for the ability."
    path = dump(tmp_path / "x.jsonl", line("Opt", text.format("Opt")), line("Fog", text.format("Fog")))
    ingest.run(kb, [path], state("2024-01-01"))
    (ruling,) = store.load(kb).knowledge.rulings
    assert ruling.text == text.format("~")
    assert ruling.variants == ()
    assert {ruling.verbatim(o) for o in ruling.occurrences} == {text.format("Opt"), text.format("Fog")}


def test_quarantine_can_be_mended_and_imported_again(tmp_path: Path) -> None:
    kb = tmp_path / "kb"
    make_base(kb)
    path = dump(tmp_path / "x.jsonl", line("Opt", "A good one."), line("Opt", "   "), "{broken")
    report = ingest.run(kb, [path], state("2024-01-01"))
    assert report.new == 1
    assert len(report.quarantined) == 2
    (waiting,) = (kb / "quarantine").glob("*.jsonl")
    mended = []
    for record in map(json.loads, waiting.read_text(encoding="utf-8").splitlines()):
        record["record"] = {"card": "Opt", "comment": f"Mended {len(mended)}.", "published_at": "2020-01-01"}
        mended.append(json.dumps(record))
    ingest.run(kb, [dump(tmp_path / "mended.jsonl", *mended)], state("2024-01-01"))
    assert {r.text for r in store.load(kb).knowledge.rulings} == {"A good one.", "Mended 0.", "Mended 1."}


def test_one_unreadable_file_does_not_stop_the_others(tmp_path: Path) -> None:
    kb, inbox = tmp_path / "kb", tmp_path / "inbox"
    make_base(kb)
    inbox.mkdir()
    dump(inbox / "good.jsonl", line("Opt", "A good one."))
    (inbox / "bad.bin").write_bytes(bytes(range(256)))
    report = ingest.run(kb, [inbox], state("2024-01-01"))
    assert report.new == 1
    assert [p.path for p in report.problems if p.kind == "unreadable-file"] == ["bad.bin"]
    with pytest.raises(RulingsError):
        ingest.run(kb, [inbox / "bad.bin"], state("2024-01-01"))


# --- the Comprehensive Rules -------------------------------------------------------------------------------------

RULES = """Magic: The Gathering Comprehensive Rules

These rules are effective as of May 3, 2021.

Contents

1. Game Concepts

Glossary

Credits

1. Game Concepts

100. General

100.1. These rules apply to any game with two or more players.

100.1a A two-player game is a game that begins with only two players.

100.2. To play, each player needs a deck.

Glossary

Ability
Text on an object that says what it does.

Zone
A place where objects can be during a game.

Credits

Original design: Richard Garfield
"""


MADE_UP = "".join(f"702.{n}. Frob{n}\n\n702.{n}a Frob{n} is a static ability.\n\n" for n in range(2, 110))
ENERGY_RULE = "The energy symbol is {E}. It represents one energy counter. To pay {E}, a player removes one."
LATER_RULES = RULES.replace(
    "\n\nGlossary\n\nAbility",
    f"\n\n107.15. {ENERGY_RULE}\n\n7. Additional Rules\n\n702. Keyword Abilities\n\n{MADE_UP}Glossary\n\nAbility",
).replace("May 3, 2021", "May 3, 2022")


def imported(folder: Path, path: Path, *texts: str) -> list[str]:
    """Import rules texts together, and give the kinds of the problems."""
    paths = []
    for n, text in enumerate(texts):
        paths.append(path.with_name(f"{path.name}-{n}.txt"))
        paths[-1].write_text(text, encoding="utf-8")
    return [p.kind for p in ingest.run(folder, paths, ingest.Options()).problems if p.severity == "error"]


@pytest.mark.parametrize(
    "end", ["Glossary\n\nAbility", "\nZone", "100.2.", "place where", "Original"], ids=lambda end: end.strip()[-8:]
)
def test_rules_that_were_cut_off_do_not_replace_the_whole(tmp_path: Path, end: str) -> None:
    folder, cut = tmp_path / "base", RULES[: RULES.index(end)]
    make_base(folder, "base")
    stored = folder / "comprehensive-rules" / "2021-05-03.txt"
    assert imported(folder, tmp_path / "whole", RULES) == []
    before = files(folder, imports=True)
    assert imported(folder, tmp_path / "cut", cut) == ["fuller-rules"]
    assert imported(folder, tmp_path / "whole", RULES) == []
    assert files(folder, imports=True) == before
    stored.unlink()
    assert imported(folder, tmp_path / "cut", cut) == []
    assert stored.read_text(encoding="utf-8") == cut
    assert imported(folder, tmp_path / "whole", RULES) == []  # the fuller one takes its place
    assert stored.read_text(encoding="utf-8") == RULES


def test_rules_that_end_before_their_contents_do_are_doubted(tmp_path: Path) -> None:
    make_base(tmp_path / "base", "base")
    (tmp_path / "cut.txt").write_text(RULES[: RULES.index("\nZone")], encoding="utf-8")
    report = ingest.run(tmp_path / "base", [tmp_path / "cut.txt"], ingest.Options())
    assert [(p.kind, p.severity) for p in report.problems] == [("cut-off", "warning")]
    assert "Credits" in report.problems[0].message
    assert report.rules == {"cut.txt": "2021-05-03: 5 rules, 1 glossary entries"}


def test_of_two_rules_texts_of_one_date_the_fuller_is_kept(tmp_path: Path) -> None:
    cut = RULES[: RULES.index("\nZone")]
    for n, texts in enumerate(((cut, RULES), (RULES, cut))):
        folder = tmp_path / f"base-{n}"
        make_base(folder, "base")
        assert imported(folder, tmp_path / f"rules-{n}", *texts) == ["fuller-rules"]
        assert (folder / "comprehensive-rules" / "2021-05-03.txt").read_text(encoding="utf-8") == RULES


def test_other_quotes_and_indentation_are_no_loss(tmp_path: Path) -> None:
    make_base(tmp_path / "base", "base")
    curly = RULES.replace("Zone\n", "“Zone’s End”\n")
    straight = curly.replace("“", '"').replace("”", '"').replace("’", "'").replace("\n100", "\n   100")
    assert imported(tmp_path / "base", tmp_path / "curly", curly) == []
    assert imported(tmp_path / "base", tmp_path / "straight", straight) == []
    assert imported(tmp_path / "base", tmp_path / "curly", curly) == []
    assert imported(tmp_path / "base", tmp_path / "spaced", curly.replace("\n100", "\n   100") + "\n") == []


def test_what_a_fuller_text_puts_aside_is_named_with_numbers(tmp_path: Path) -> None:
    make_base(tmp_path / "base", "base")
    imported(tmp_path / "base", tmp_path / "whole", RULES)
    (tmp_path / "cut.txt").write_text(RULES[: RULES.index("\nZone")], encoding="utf-8")
    report = ingest.run(tmp_path / "base", [tmp_path / "cut.txt"], ingest.Options())
    (problem,) = (p for p in report.problems if p.severity == "error")
    assert problem.path == "cut.txt"
    assert "5 rules, 2 glossary entries" in problem.message
    assert "5 rules, 1 glossary entries" in problem.message
    assert "remove comprehensive-rules/2021-05-03.txt" in problem.hint


@pytest.mark.parametrize(
    "text",
    [
        RULES.replace("These rules are effective as of May 3, 2021.\n", ""),
        RULES[RULES.index("1. Game") :],
        RULES[RULES.index("100.1.") : RULES.index("Glossary\n\nAb")],
    ],
    ids=["with its title", "without", "rules alone"],
)
def test_rules_without_their_date_are_never_rulings(tmp_path: Path, text: str) -> None:
    make_base(tmp_path / "base", "base")
    (tmp_path / "rules.txt").write_text(text, encoding="utf-8")
    with pytest.raises(RulingsError, match=r"rules\.txt: .*effective date .* missing"):
        ingest.run(tmp_path / "base", [tmp_path / "rules.txt"], ingest.Options())
    assert not store.load(tmp_path / "base").knowledge.rulings


def test_a_page_that_quotes_rules_stays_a_page(tmp_path: Path) -> None:
    page = "Giant Growth\n\nSee rules 702.15b and 100.1.\n\n702.15b Damage is dealt.\n\n100.1. These rules apply.\n"
    (tmp_path / "page.txt").write_text(page, encoding="utf-8")
    knowledge = base(tmp_path / "base", [tmp_path / "page.txt"])
    assert len(knowledge.rulings) == 3


def test_a_decision_outlives_imports_and_can_be_taken_back(tmp_path: Path) -> None:
    kb = tmp_path / "kb"
    make_base(kb)
    a, b = "Opt can be cast at any time you have priority.", "You may regenerate the Bear as often as you pay."
    path = dump(tmp_path / "x.jsonl", line("Opt", a), line("Fog", b))
    ingest.run(kb, [path], state("2024-01-01"))
    ids = {r.id for r in store.load(kb).knowledge.rulings}
    deciding.record(kb, [Decision("merge", a, b)])
    ingest.run(kb, [dump(tmp_path / "more.jsonl", line("Bear", "Bears like honey."))], state("2024-01-01"))
    merged = next(r for r in store.load(kb).knowledge.rulings if len(r.cards) == 2)
    assert ids == {merged.id, *merged.aliases}
    deciding.record(kb, undo=1)
    knowledge = store.load(kb).knowledge
    assert {r.id for r in knowledge.rulings} >= ids


def test_split_by_card_and_supersede(tmp_path: Path) -> None:
    kb = tmp_path / "kb"
    make_base(kb)
    text = "You choose a target for it as the ability triggers."
    path = dump(tmp_path / "x.jsonl", line("Opt", text), line("Fog", text), line("Bear", "Bears like honey."))
    ingest.run(kb, [path], state("2024-01-01"))
    (shared_id,) = {r.id for r in store.load(kb).knowledge.rulings if len(r.cards) == 2}
    deciding.record(kb, [Decision("split", text, card="Fog"), Decision("supersede", "Bears like honey.", text)])
    knowledge = store.load(kb).knowledge
    by_card = {r.cards[0]: r for r in knowledge.rulings}
    assert by_card["Opt"].id == shared_id
    assert by_card["Fog"].id == mint(text, card="Fog")
    bear = by_card["Bear"]
    assert (bear.status, bear.superseded_by) == ("superseded", shared_id)
    assert [c.what for c in bear.history] == [f"superseded by {shared_id}"]
    deciding.record(kb, undo=1, options=state("2024-01-01"))
    (bear,) = (r for r in store.load(kb).knowledge.rulings if r.cards == ("Bear",))
    assert bear.status == "current"
    assert [c.what for c in bear.history] == [f"superseded by {shared_id}", "reinstated"]


PHRASES = [
    "You may cast {} only if you control an artifact",
    "You can't cast {} if you control an artifact",
    "{} doesn't target the creature",
    "The mana value of {} is {{2}}",
    "The converted mana cost of {} is {{2}}",
    "Any number of players may respond to {}",
    "Any number of players may respond to {} and its last ability",
    "{} isn’t a creature",
    "{} isn't a creature",
]
CARDS = ["Opt", "Fog", "Grizzly Bears", "Ajani, Caller of the Pride"]
LINES = st.builds(
    lambda phrase, card, date: line(card, phrase.format(card) + ".", date),
    st.sampled_from(PHRASES),
    st.sampled_from(CARDS),
    st.sampled_from(["2016-01-01", "2020-01-01"]),
)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(LINES, min_size=1, max_size=14), st.randoms(use_true_random=False), st.integers(0, 14))
def test_shuffled_and_incremental_imports_give_the_same_rulings(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str], random: object, cut: int
) -> None:
    folder = tmp_path_factory.mktemp("bases")
    full, parts = folder / "full", folder / "parts"
    make_base(full, "base")
    ingest.run(full, [dump(folder / "all.jsonl", *lines)], state("2024-01-01", partial=True))
    shuffled = list(lines)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    make_base(parts, "base")
    printed: dict[str, str] = {}
    for n, some in enumerate((shuffled[:cut], shuffled[cut:])):
        if some:
            ingest.run(parts, [dump(folder / f"{n}.jsonl", *some)], state("2024-01-01", partial=True))
            printed.update({r.id: r.text for r in store.load(parts).knowledge.rulings})
    one, two = store.load(full).knowledge, store.load(parts).knowledge
    assert wordings(one) == wordings(two)
    assert {r.text for r in one.rulings} == {r.text for r in two.rulings}
    for knowledge in (one, two):
        resolves = [m for r in knowledge.rulings for m in mints_of(r)]
        assert len(resolves) == len(set(resolves))  # an id means one ruling
        assert set(printed) <= set(resolves)


@pytest.mark.parametrize("killed", range(4))
def test_kill_in_the_middle_of_an_import(tmp_path: Path, killed: int) -> None:
    """The base is the old or the new one, and the import can be run again."""
    import subprocess
    import sys
    import time

    kb = tmp_path / "kb"
    base(kb, [DEADLOCK])
    old = files(kb)
    base(tmp_path / "whole", [DEADLOCK], PAGES)
    new = files(tmp_path / "whole")
    code = "import sys; from search.cli import main; main()"
    process = subprocess.Popen(
        [sys.executable, "-c", code, "--kb", str(kb), "import", "--source", SOURCE, *map(str, PAGES)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    time.sleep(0.25 + 0.15 * killed)
    process.kill()
    process.wait()
    store.load(kb)
    assert files(kb) in (old, new)
    ingest.run(kb, PAGES, SEEDS)
    assert files(kb) == new


@pytest.mark.parametrize("cold", [False, True], ids=["remembered", "with an empty cache"])
def test_rules_say_the_same_of_rulings_that_came_before_and_after_them(tmp_path: Path, cold: bool) -> None:
    """A keyword that the rules alone know gives a topic, and the energy symbol has another number in these rules."""
    page = f"Frobber\n\nA creature that has frob7 can't have frob9 as well.\n\n{ENERGY}\n\nOnly one creature attacks.\n"
    (tmp_path / "page.txt").write_text(page, encoding="utf-8")
    (tmp_path / "rules.txt").write_text(RULES, encoding="utf-8")
    (tmp_path / "later.txt").write_text(LATER_RULES, encoding="utf-8")
    found = []
    for order in itertools.permutations(("page", "rules", "later")):
        folder = tmp_path / "-".join(order)
        make_base(folder, "base")
        for name in order:
            if cold:
                shutil.rmtree(ingest.cache_of(folder))
            ingest.run(folder, [tmp_path / f"{name}.txt"], SEEDS)
        found.append(files(folder))
    knowledge = store.load(folder).knowledge
    assert "other-keyword" in next(r for r in knowledge.rulings if "frob7" in r.text).topics
    assert holder(knowledge, ENERGY).see == ("107.15",)
    assert all(other == found[0] for other in found[1:])


def test_what_a_person_put_into_see_outlives_new_rules(tmp_path: Path) -> None:
    (tmp_path / "page.txt").write_text(f"Frobber\n\n{ENERGY}\n", encoding="utf-8")
    (tmp_path / "rules.txt").write_text(LATER_RULES, encoding="utf-8")
    folder = tmp_path / "base"
    base(folder, [tmp_path / "page.txt"])
    (path,) = (folder / "rulings").rglob("*.yaml")
    text = path.read_text(encoding="utf-8")
    assert "'107.14'" in text
    path.write_text(text.replace("'107.14'", "'100.2'"), encoding="utf-8")
    assert holder(base(folder, [tmp_path / "rules.txt"]), ENERGY).see == ("100.2",)
