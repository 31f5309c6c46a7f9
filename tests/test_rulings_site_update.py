"""A site brought up to date is byte for byte the site made anew, whatever was edited; and a kill at any moment leaves
the old site or the new one."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from indexer.index import write_index
from rulings import snapshot, topics
from rulings.errors import RulingsError, UsageError
from rulings.ids import mint
from rulings.model import Card, Change, Knowledge, Link, Occurrence, Retag, Review, Ruling, Source, Variant
from rulings.rules import Versions, parse
from rulings_site import BuildReport, build_snapshot, client_cards, client_texts
from rulings_site.client_before import BEFORE
from rulings_site.page import digest
from rulings_site.writing import STATE, recover

RULES = """Magic: The Gathering Comprehensive Rules

These rules are effective as of {date}.

Contents

1. Game Concepts
107. Numbers and Symbols

Glossary

Credits

1. Game Concepts

107. Numbers and Symbols

107.1. The only numbers the game uses are integers. See rule 107.14.

107.14. {text}

Glossary

Credits

Nobody
"""
OLD = parse(RULES.format(date="April 17, 2026", text="The energy symbol is {E}."))[0]
NEW = parse(RULES.format(date="May 1, 2026", text="The energy symbol is {E}. It is one counter."))[0]
CARDS = tuple(f"Card {n:02}" for n in range(30))


def ruling(text: str, *cards: str, date: str | None = "2024-03-08", **more: object) -> Ruling:
    stands = tuple(Occurrence(card, date, "src", position=n) for n, card in enumerate(cards))
    return Ruling(mint(text), text, occurrences=stands, **{"topics": ("energy",), **more})  # type: ignore[arg-type]


def base() -> Knowledge:
    """Rulings in each state that an edit may touch."""
    own = [
        ruling(f"Ruling {n} is of one card, with {{E}}.", CARDS[n], date=f"20{10 + n}-01-0{n + 1}") for n in range(8)
    ]
    shared = ruling("All of these cards share a ruling.", *CARDS, see=("107.14",), topics=("energy", "combat"))
    named = ruling("~ can't attack.", CARDS[0], CARDS[1], date="2019-01-01")
    worded = replace(
        ruling("It is worded so now.", CARDS[2], date="2023-01-01"),
        variants=(Variant("v2", "older-wording", "It was worded so."), Variant("v3", "typo", "It is wordet so now.")),
    )
    worded = replace(
        worded,
        occurrences=(*worded.occurrences, Occurrence(CARDS[3], "2018-01-01", "src", "v2", missing_since="2024-01-01")),
    )
    linked = replace(ruling("It says less.", CARDS[4]), links=(Link("part-of", shared.id),))
    general = ruling("A general note.", mechanic="energy")
    gone = ruling("Was said.", CARDS[0], status="withdrawn", history=(Change("2020-05-05", "withdrawn"),))
    return Knowledge(
        rulings=tuple(sorted((*own, shared, named, worded, linked, general, gone), key=lambda r: r.id)),
        cards=tuple(Card(name, oracle_text="Draw a card.", keywords=("Energy",)) for name in CARDS),
        sources=(Source("src", "2025-06-01"),),
        reviews=(Review(own[0].text, own[1].text, own[0].id, own[1].id, "different", "other: 0 | 1"),),
    )


class Site:
    """A folder, and how its site is written from a base."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.out = folder / "out"

    def write(self, knowledge: Knowledge, versions: Versions, **options: object) -> BuildReport:
        self.folder.mkdir(exist_ok=True)
        here = Path(tempfile.mkdtemp(prefix="base-", dir=self.folder))
        write_index(knowledge, here / "index")
        bears = {r.id: [snapshot.Bearing("107.1", "numbers", 0.9)] for r in knowledge.rulings if "one card" in r.text}
        snapshot.write(here / "s.sqlite", knowledge, lines={}, meta={}, bears=bears)
        read = snapshot.Snapshot(here / "s.sqlite")
        try:
            return build_snapshot(
                read,
                self.out,
                around=digest((repr(knowledge.cards), repr(knowledge.reviews), repr(versions.dates))),
                versions=versions,
                topics=topics.load(),
                search=here / "index" / "search.sqlite",
                **options,  # type: ignore[arg-type]
            )
        finally:
            read.close()

    def tree(self) -> dict[str, bytes]:
        return {p.relative_to(self.out).as_posix(): p.read_bytes() for p in self.out.rglob("*") if p.is_file()}


Edit = Callable[[Ruling], Ruling]


def with_edit(starts: str, edit: Edit) -> Knowledge:
    """The base with one ruling edited."""
    before = base()
    assert sum(r.text.startswith(starts) for r in before.rulings) == 1
    rulings = tuple(edit(r) if r.text.startswith(starts) else r for r in before.rulings)
    return replace(before, rulings=rulings)


def reworded(words: str) -> Edit:
    return lambda r: replace(r, text=f"{r.text} {words}")


def without(starts: str) -> Knowledge:
    before = base()
    return replace(before, rulings=tuple(r for r in before.rulings if not r.text.startswith(starts)))


def told_apart() -> Knowledge:
    """One wording becomes a ruling of its own: as many places as before, with one ruling more."""
    before = with_edit("It is worded", lambda r: replace(r, variants=r.variants[1:], occurrences=r.occurrences[:1]))
    own = replace(
        ruling("It was worded so."),
        occurrences=(Occurrence(CARDS[3], "2018-01-01", "src", missing_since="2024-01-01"),),
    )
    return replace(before, rulings=tuple(sorted((*before.rulings, own), key=lambda r: r.id)))


EDITS: dict[str, Knowledge] = {
    "nothing": base(),
    "a text": with_edit("Ruling 3", reworded("Indeed.")),
    "a text in doubt": with_edit("Ruling 0", reworded("Indeed.")),
    "a text of many cards": with_edit("All of these", reworded("Indeed.")),
    "a text with the card's name": with_edit("~ can't", reworded("Indeed.")),
    "a text with other wordings": with_edit("It is worded", reworded("Indeed.")),
    "another wording": with_edit(
        "It is worded", lambda r: replace(r, variants=(replace(r.variants[0], text="It was said so."), r.variants[1]))
    ),
    "a text that a ruling points to": with_edit("It says less", reworded("See rule 107.14.")),
    "a general note": with_edit("A general", reworded("Indeed.")),
    "a withdrawn text": with_edit("Was said", reworded("Indeed.")),
    "the rules of a text": with_edit("Ruling 3", lambda r: replace(r, text="It says nothing of cards.")),
    "topics": with_edit("Ruling 3", lambda r: replace(r, topics=("combat",), retag=Retag(("combat",), ("energy",)))),
    "a topic of all": with_edit("All of these", lambda r: replace(r, topics=("combat",))),
    "rules that a person tied to it": with_edit("All of these", lambda r: replace(r, see=("107.1", "107.14"))),
    "a date that another ruling has": with_edit(
        "Ruling 3", lambda r: replace(r, occurrences=(replace(r.occurrences[0], date="2015-01-06"),))
    ),
    "the dates of a shared ruling": with_edit(
        "~ can't", lambda r: replace(r, occurrences=(r.occurrences[0], replace(r.occurrences[1], date="2018-01-01")))
    ),
    "no date": with_edit("Ruling 3", lambda r: replace(r, occurrences=(replace(r.occurrences[0], date=None),))),
    "another card": with_edit(
        "Ruling 3", lambda r: replace(r, occurrences=(replace(r.occurrences[0], card=CARDS[20]),))
    ),
    "a date": with_edit("Ruling 3", lambda r: replace(r, occurrences=(replace(r.occurrences[0], date="2022-02-02"),))),
    "superseded": with_edit(
        "Ruling 3",
        lambda r: replace(
            r, status="superseded", superseded_by=mint("It says less."), history=(Change("2025-05-05", "superseded"),)
        ),
    ),
    "withdrawn": with_edit(
        "Ruling 3", lambda r: replace(r, status="withdrawn", history=(Change("2025-05-05", "withdrawn"),))
    ),
    "a ruling less": without("Ruling 3"),
    "a ruling more": replace(base(), rulings=(*base().rulings, ruling("A new one.", CARDS[3]))),
    "a card more": replace(base(), cards=(*base().cards, Card("Card 99", oracle_text="{T}: Add {E}."))),
    "no doubt": replace(base(), reviews=()),
    "a ruling told apart": told_apart(),
    "the name of the base": replace(base(), name="other-rulings"),
}


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> dict[bool, Path]:
    """The site of the base, whole and compact."""
    folder = tmp_path_factory.mktemp("written")
    for compact in (False, True):
        Site(folder / str(compact)).write(base(), Versions([OLD]), compact=compact)
    return {compact: folder / str(compact) / "out" for compact in (False, True)}


def copied(out: Path, folder: Path) -> Site:
    """A site of which `out` is the last build."""
    shutil.copytree(out, folder / "out")
    return Site(folder)


@pytest.mark.parametrize(
    ("what", "compact"),
    [*((what, False) for what in EDITS), ("a text", True), ("topics", True), ("a ruling less", True)],
)
def test_an_update_is_a_fresh_site(what: str, compact: bool, tmp_path: Path, written: dict[bool, Path]) -> None:
    versions = Versions([OLD])
    updated, fresh = copied(written[compact], tmp_path / "updated"), Site(tmp_path / "fresh")
    before = updated.tree()
    report = updated.write(EDITS[what], versions, compact=compact)
    fresh.write(EDITS[what], versions, compact=compact)
    after = updated.tree()
    assert after == fresh.tree()
    touched = {name for name in after if before.get(name) != after[name] and not name.startswith(".rulings-site")}
    assert report.written == len(touched) and report.removed == len(before.keys() - after.keys())
    # And from there back to where it was.
    updated.write(base(), versions, compact=compact)
    assert updated.tree() == before


def dead_links(out: Path) -> list[str]:
    """Links of pages to pages that are not there."""
    return [
        f"{page.relative_to(out)}: {link}"
        for page in out.glob("*/**/*.html")
        for link in re.findall(r'href="([^"#?:]*)', page.read_text(encoding="utf-8"))
        if not (page.parent / link).exists()
    ]


def with_a_lone(**more: object) -> Knowledge:
    """The base with a ruling that has a topic and a day alone, on a card of the base and on two that it alone names."""
    lone = ruling("Alone with ~.", CARDS[7], "Nowhere", "Never", topics=("venture",), date="1999-01-01", **more)
    before = base()
    return replace(before, rulings=tuple(sorted((*before.rulings, lone), key=lambda r: r.id)))


@pytest.mark.parametrize("compact", [False, True])
def test_the_last_ruling_of_a_topic_a_day_and_a_card_may_be_withdrawn(compact: bool, tmp_path: Path) -> None:
    withdrawn = with_a_lone(status="withdrawn", history=(Change("2025-05-05", "withdrawn"),))
    updated, fresh = Site(tmp_path / "updated"), Site(tmp_path / "fresh")
    updated.write(with_a_lone(), Versions([OLD]), compact=compact)
    updated.write(withdrawn, Versions([OLD]), compact=compact)
    fresh.write(withdrawn, Versions([OLD]), compact=compact)
    assert updated.tree() == fresh.tree()
    assert dead_links(fresh.out) == []
    if not compact:
        page = (fresh.out / f"r/{mint('Alone with ~.')}/index.html").read_text(encoding="utf-8")
        assert 'card/card-07/index.html">Card 07</a>' in page and "<span>Venture" in page


@pytest.mark.parametrize("compact", [False, True])
def test_an_id_that_nothing_has_is_shown_without_a_link(compact: bool, tmp_path: Path) -> None:
    unknown, coming = "r-zzzzzzzz", mint("A new one.")

    def replaced_by(other: str) -> Knowledge:
        return with_edit(
            "Ruling 3",
            lambda r: replace(r, status="superseded", superseded_by=other, links=(Link("outdated-by", coming),)),
        )

    known = replace(replaced_by(coming), rulings=(*replaced_by(coming).rulings, ruling("A new one.", CARDS[3])))
    updated = Site(tmp_path / "updated")
    updated.write(replaced_by(mint("It says less.")), Versions([OLD]), compact=compact)
    for n, now in enumerate((replaced_by(unknown), replaced_by(coming), known, replaced_by(coming))):
        fresh = Site(tmp_path / f"fresh-{n}")
        updated.write(now, Versions([OLD]), compact=compact)
        fresh.write(now, Versions([OLD]), compact=compact)
        assert updated.tree() == fresh.tree(), n
        page = (fresh.out / "card/card-03/index.html").read_text(encoding="utf-8")
        assert (f'Replaced by <span class="id">{unknown if n == 0 else coming}</span>' in page) == (now is not known)
        assert dead_links(fresh.out) == []


@pytest.mark.parametrize("what", ["nothing", "a text", "a ruling less"])
def test_a_page_that_somebody_lost_or_cut_comes_back(what: str, tmp_path: Path, written: dict[bool, Path]) -> None:
    site, fresh = copied(written[False], tmp_path / "updated"), Site(tmp_path / "fresh")
    shutil.rmtree(site.out / "card/card-09")
    (site.out / "search/data/n/0.js").unlink()
    for name in ("card/card-10/index.html", "search/data/p/0.js", "sitemap.xml"):
        (site.out / name).write_bytes((site.out / name).read_bytes()[:-10])
    site.write(EDITS[what], Versions([OLD]))
    fresh.write(EDITS[what], Versions([OLD]))
    assert site.tree() == fresh.tree()


def test_a_new_version_of_the_rules(tmp_path: Path) -> None:
    updated, fresh = Site(tmp_path / "updated"), Site(tmp_path / "fresh")
    updated.write(base(), Versions([OLD]))
    updated.write(base(), Versions([OLD, NEW]))
    fresh.write(base(), Versions([OLD, NEW]))
    assert updated.tree() == fresh.tree()


def test_many_edits_one_after_the_other(tmp_path: Path) -> None:
    site = Site(tmp_path / "updated")
    for what in ("a text", "a text with the card's name", "another wording", "topics", "a text of many cards"):
        site.write(EDITS[what], Versions([OLD]))
    fresh = Site(tmp_path / "fresh")
    fresh.write(EDITS["a text of many cards"], Versions([OLD]))
    assert site.tree() == fresh.tree()


@pytest.mark.parametrize(
    "fault", ["a state cut short", "no state", "search cut short", "no search", "a twin cut short", "no twin"]
)
def test_what_is_remembered_may_be_damaged(fault: str, tmp_path: Path) -> None:
    site = Site(tmp_path / "updated")
    site.write(base(), Versions([OLD]))
    edited = next(r.id for r in base().rulings if r.text.startswith("Ruling 3"))
    path = site.out / (STATE if "state" in fault else BEFORE if "search" in fault else f"r/{edited}.json")
    if fault.startswith("no"):
        path.unlink()
    else:
        path.write_bytes(path.read_bytes()[:50])
    site.write(EDITS["a text"], Versions([OLD]))
    fresh = Site(tmp_path / "fresh")
    fresh.write(EDITS["a text"], Versions([OLD]))
    assert site.tree() == fresh.tree()


@pytest.mark.parametrize(
    "what",
    [
        "a text with other wordings",
        "topics",
        "a topic of all",
        "the rules of a text",
        "rules that a person tied to it",
        "a date",
        "a date that another ruling has",
        "superseded",
    ],
)
def test_what_is_written_without_arranging_anew(
    what: str, tmp_path: Path, written: dict[bool, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    site = copied(written[False], tmp_path / "updated")
    monkeypatch.setattr(sys.modules["rulings_site.build"], "Catalogue", None)
    assert site.write(EDITS[what], Versions([OLD])).written > 0


def test_only_touched_search_data_is_made(
    tmp_path: Path, written: dict[bool, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    site = copied(written[False], tmp_path / "updated")
    for name in ("ids", "rules", "facts", "arranged"):
        monkeypatch.setattr(client_texts, name, None)
    for name in ("names", "typed", "oracle", "lists"):
        monkeypatch.setattr(client_cards, name, None)
    before = site.tree()
    site.write(EDITS["a text"], Versions([OLD]))
    after = site.tree()
    touched = {name for name in after if before[name] != after[name] and name.startswith("search/data/")}
    assert "search/data/s/0.js" in touched and "search/data/p/0.js" in touched
    assert not any(name.startswith(("search/data/f/", "search/data/i/", "search/data/n/")) for name in touched)


def test_an_id_that_another_ruling_takes_leads_there(tmp_path: Path) -> None:
    """Two edits at once: a wording goes from one ruling to another, and its old address with it."""
    said = Variant("v2", "older-wording", "It was said so.")

    def held_by(starts: str) -> Knowledge:
        return with_edit(
            starts,
            lambda r: replace(
                r,
                variants=(*r.variants, said),
                occurrences=(*r.occurrences, Occurrence(CARDS[5], "2018-01-01", "src", "v2")),
            ),
        )

    updated, fresh = Site(tmp_path / "updated"), Site(tmp_path / "fresh")
    updated.write(held_by("Ruling 5"), Versions([OLD]))
    updated.write(held_by("Ruling 6"), Versions([OLD]))
    fresh.write(held_by("Ruling 6"), Versions([OLD]))
    assert updated.tree() == fresh.tree()


KILLED = """
import os, signal, sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from test_rulings_site_update import EDITS, OLD, Site, Versions

site, what, left, few = Site(Path(sys.argv[2])), sys.argv[3], int(sys.argv[4]), int(sys.argv[5])
sys.modules["rulings_site.build"]._FEW = few
mine = os.getpid()

def counted(real):
    def step(path, *arguments, **options):
        global left
        done = real(path, *arguments, **options)
        if os.getpid() == mine and ("/out" in str(path) or "/.out" in str(path)):
            left -= 1
            if not left:
                os.kill(mine, signal.SIGKILL)
        return done
    return step

for name in ("replace", "unlink", "open", "mkdir", "write_text"):
    setattr(Path, name, counted(getattr(Path, name)))
site.write(EDITS[what], Versions([OLD]))
print(left)
"""


def run_and_kill(site: Site, what: str, step: int, few: int) -> int:
    """A build in a process that is killed after a step; how many steps were left, where it came to its end."""
    script = [sys.executable, "-c", KILLED, str(Path(__file__).parent), str(site.folder), what, str(step), str(few)]
    done = subprocess.run(script, capture_output=True, text=True, check=False)
    assert done.returncode in (0, -signal.SIGKILL), done.stderr
    return int(done.stdout) if done.returncode == 0 else 0


def visible(site: Site) -> dict[str, bytes]:
    return {name: data for name, data in site.tree().items() if not name.startswith(".rulings-site")}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs kill -9")
@pytest.mark.parametrize("few", [3000, 0], ids=["in place", "beside"])
def test_a_kill_leaves_the_old_site_or_the_new_one(few: int, tmp_path: Path, written: dict[bool, Path]) -> None:
    what, far = "a text of many cards" if few else "a ruling less", 10**6
    whole = copied(written[False], tmp_path / "whole")
    before = visible(whole)
    steps = far - run_and_kill(whole, what, far, few)
    after = visible(whole)
    assert before != after and steps > 20
    seen = set()
    for step in (1, steps // 4, steps // 2, steps * 3 // 4, steps - 2, steps - 1, steps):
        site = copied(written[False], tmp_path / f"killed-{step}")
        assert run_and_kill(site, what, step, few) == 0
        recover(site.out)  # what the next build, or the next look, begins with
        assert visible(site) in (before, after), step
        seen.add(visible(site) == after)
        site.write(EDITS[what], Versions([OLD]))
        assert site.tree() == whole.tree(), step
        assert [p.name for p in site.folder.iterdir() if p.name.startswith(".out")] == []
    assert seen == {False, True}


@pytest.mark.parametrize(("stop", "before_it"), [(KeyboardInterrupt, False), (OSError, True)])
def test_a_stop_while_files_move_is_mended_by_the_next_build(
    stop: type[BaseException], before_it: bool, tmp_path: Path, written: dict[bool, Path]
) -> None:
    what = "topics"
    fresh = Site(tmp_path / "fresh")
    fresh.write(EDITS[what], Versions([OLD]))
    real, seen = Path.replace, set()
    for at in (1, 2, 9, 10**6):
        site = copied(written[False], tmp_path / f"stopped-{at}")
        old = visible(site)
        moves: list[str] = []

        def step(path: Path, target: Path, at: int = at, moves: list[str] = moves) -> Path:
            moves.append(target.name)
            if before_it and len(moves) == at:
                raise stop
            done = real(path, target)
            if len(moves) == at:
                raise stop
            return done

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Path, "replace", step)
            if at < 10**6:
                with pytest.raises(stop):
                    site.write(EDITS[what], Versions([OLD]))
            else:
                site.write(EDITS[what], Versions([OLD]))
                assert all(name.startswith(".rulings-site") for name in moves[-3:])
        seen.add(visible(site) in (old, visible(fresh)))
        site.write(EDITS[what], Versions([OLD]))
        assert site.tree() == fresh.tree(), at
    assert seen == {False, True}


def test_a_stop_while_a_fresh_folder_is_switched_in(
    tmp_path: Path, written: dict[bool, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules["rulings_site.build"], "_FEW", 0)
    real = Path.replace
    for at in (1, 2):
        site = copied(written[False], tmp_path / f"stopped-{at}")
        moves: list[Path] = []

        def step(path: Path, target: Path, at: int = at, moves: list[Path] = moves) -> Path:
            done = real(path, target)
            moves.append(target)
            if len(moves) == at:
                raise KeyboardInterrupt
            return done

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Path, "replace", step)
            with pytest.raises(KeyboardInterrupt):
                site.write(EDITS["a ruling less"], Versions([OLD]))
        assert (site.out / "index.html").is_file()


@pytest.mark.parametrize("few", [3000, 0], ids=["in place", "beside"])
@pytest.mark.parametrize("name", ["r", "index.html", "search/index.html", "sitemap.xml", ".rulings-site.state"])
def test_a_folder_in_the_place_of_a_file_or_the_reverse_is_named(
    name: str, few: int, tmp_path: Path, written: dict[bool, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    site = copied(written[False], tmp_path / "updated")
    moved = tmp_path / "moved"
    (site.out / name).rename(moved)
    if moved.is_dir():
        (site.out / name).write_bytes(b"mine")
    else:
        (site.out / name).mkdir()
    if few == 0:
        monkeypatch.setattr(sys.modules["rulings_site.build"], "_FEW", few)
    before = site.tree()
    what = "a ruling less"
    with pytest.raises(UsageError, match="needs its place") as told:
        site.write(EDITS[what], Versions([OLD]))
    assert str(site.out / name) in str(told.value) and ".next-" not in str(told.value)
    assert site.tree() == before
    if moved.is_dir():
        (site.out / name).unlink()
    else:
        (site.out / name).rmdir()
    site.write(EDITS[what], Versions([OLD]))
    fresh = Site(tmp_path / "fresh")
    fresh.write(EDITS[what], Versions([OLD]))
    assert site.tree() == fresh.tree()


BESIDE = """
import sys
from pathlib import Path
from rulings_site.alone import alone

with alone(Path(sys.argv[1])):
    print("writing", flush=True)
    sys.stdin.read()
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs kill -9")
@pytest.mark.parametrize("there", [True, False])
def test_one_build_at_a_time(there: bool, tmp_path: Path, written: dict[bool, Path]) -> None:
    site = copied(written[False], tmp_path / "site") if there else Site(tmp_path / "site")
    before = site.tree()
    script = [sys.executable, "-c", BESIDE, str(site.out)]
    with subprocess.Popen(script, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None and other.stdout.readline() == "writing\n"
        with pytest.raises(RulingsError, match="another build is writing") as told:
            site.write(EDITS["a ruling less"], Versions([OLD]))
        assert told.value.exit_code == 1
        assert site.tree() == before and site.out.exists() == there
        other.kill()
    site.write(EDITS["a ruling less"], Versions([OLD]))
    assert (site.out / "index.html").is_file()
    assert [p.name for p in site.folder.iterdir() if p.name.startswith(".")] == []


FOREIGN = {"CNAME": b"rulings.example", ".git/HEAD": b"ref", "card/mine.txt": b"mine", "sub/mine.txt": b"mine"}


def with_foreign_files(site: Site) -> Site:
    for name, data in FOREIGN.items():
        (site.out / name).parent.mkdir(exist_ok=True)
        (site.out / name).write_bytes(data)
    (site.out / ".git/refs").mkdir()
    (site.out / "link").symlink_to("sub")
    return site


@pytest.mark.parametrize("few", [3000, 0], ids=["in place", "beside"])
def test_foreign_files_stay(
    few: int, tmp_path: Path, written: dict[bool, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules["rulings_site.build"], "_FEW", few)
    site, fresh = with_foreign_files(copied(written[False], tmp_path / "updated")), Site(tmp_path / "fresh")
    site.write(EDITS["a ruling less"], Versions([OLD]))
    fresh.write(EDITS["a ruling less"], Versions([OLD]))
    assert (site.out / ".git/refs").is_dir() and (site.out / "link").is_symlink()
    (site.out / "link").unlink()
    assert site.tree() == fresh.tree() | FOREIGN


@pytest.mark.parametrize("manifest", [b"", b"rulings-site 1\n", b"\xff\xfe", b"rulings-site 2\nx\n", None])
def test_a_damaged_manifest_is_refused(manifest: bytes | None, tmp_path: Path, written: dict[bool, Path]) -> None:
    site = with_foreign_files(copied(written[False], tmp_path / "updated"))
    path = site.out / ".rulings-site"
    path.write_bytes(path.read_bytes()[:1000] if manifest is None else manifest)
    before = site.tree()
    with pytest.raises(UsageError, match="damaged or of another version"):
        site.write(EDITS["a text"], Versions([OLD]))
    assert site.tree() == before


@pytest.mark.parametrize("few", [3000, 0], ids=["in place", "beside"])
@pytest.mark.parametrize("name", ["card/card-99", "card/card-99/index.html"])
def test_a_foreign_file_in_the_place_of_a_page_is_refused(
    name: str, few: int, tmp_path: Path, written: dict[bool, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules["rulings_site.build"], "_FEW", few)
    site = copied(written[False], tmp_path / "updated")
    (site.out / name).parent.mkdir(exist_ok=True)
    (site.out / name).write_bytes(b"mine")
    before = site.tree()
    with pytest.raises(UsageError, match="needs its place"):
        site.write(EDITS["a card more"], Versions([OLD]))
    assert site.tree() == before
