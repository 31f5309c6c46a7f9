"""The search index of a base: Whoosh for exact sets, SQLite for ranking, facets, names and what is shown.

    write_index(knowledge, directory, previous=old)   everything, or what changed since `old`
    update_index(directory, changed, cards=cards)     a few edited rulings, in place

In: a Knowledge. Out: a folder with `whoosh/`, `search.sqlite` and `manifest.json` (sizes and checksums). The folder
is written once and never changed by a reader. An update copies the old folder and gives the same answers and scores
as a full build: no stored number depends on the base as a whole.
"""

from __future__ import annotations

import contextlib
import gc
import hashlib
import shutil
import sqlite3
from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from indexer import index_words
from indexer.index_document import Document, documents, exact_words, lower_case_keys, stream, terms
from indexer.index_facts import Facts
from indexer.index_format import MANIFEST, looks_whole, write_manifest
from indexer.index_names import Names, names
from indexer.index_update import Change, connect
from rulings.language.tokens import stem
from rulings.model import Card, Knowledge, Ruling

if TYPE_CHECKING:
    from rulings.rules import ComprehensiveRules

MOST_CHANGES = 400
MOST_SEGMENTS = 6
Progress = Callable[[str, int, int], None]

_SCHEMA = """
create table meta (key text primary key, value text not null) without rowid;
create table doc (n integer primary key, id text not null, source text not null);
create unique index doc_id on doc (id);
create table stream (n integer primary key, text text not null);
create table term (term text primary key, df integer not null, docs blob not null,
    impacts blob not null) without rowid;
create table word (word text primary key, stem text not null, df integer not null) without rowid;
create table usual (key text primary key, n integer not null) without rowid;
create table card (n integer primary key, name text not null, stems text not null, oracle text not null,
    docs blob not null);
create unique index card_name on card (name);
create table name (key text not null, card integer not null, kind integer not null,
    primary key (key, card)) without rowid;
create table spelt (key text not null, name text not null, card integer not null);
create table nameword (word text primary key, cards blob not null) without rowid;
create table typeword (word text primary key) without rowid;
create table oracle (word text primary key, cards blob not null) without rowid;
create table arrays (name text primary key, code text not null, data blob not null) without rowid;
create table lists (name text primary key, labels text not null, starts blob not null,
    members blob not null) without rowid;
"""


def write_index(
    knowledge: Knowledge,
    directory: Path,
    *,
    rules: ComprehensiveRules | None = None,
    bears: Mapping[str, Sequence[str]] | None = None,
    progress: Progress | None = None,
    previous: Path | None = None,
) -> None:
    """Write the index of `knowledge` into the empty or missing folder `directory`.

    `bears` gives, by ruling id, rules that bear on a ruling besides its `see`; `rules` is not needed today.
    `previous` is an index of an earlier state; where little changed it is copied and brought up to date.
    """
    tell = progress or (lambda *_: None)
    directory.mkdir(parents=True, exist_ok=True)
    collecting = gc.isenabled()
    gc.disable()  # millions of small objects, none of them cyclic: a quarter of the time
    try:
        docs = list(documents(knowledge, bears))
        print_of_cards = _fingerprint(knowledge, docs)
        if previous is None or not _updated(docs, print_of_cards, previous, directory, tell):
            _written(knowledge, docs, print_of_cards, directory, tell)
        write_manifest(directory)
    finally:
        if collecting:
            gc.enable()


def _fingerprint(knowledge: Knowledge, docs: Iterable[Document]) -> str:
    """Of all that the name tables are made from."""
    digest = hashlib.blake2b()
    for card in knowledge.cards:
        faces = [text for f in card.faces for text in (f.name, f.type_line, f.oracle_text)]
        names = (card.name, *card.former_names, "", *card.foreign_names, "", *faces)
        digest.update("\0".join((*names, card.type_line, card.oracle_text)).encode())
    digest.update("\n".join(sorted({name for doc in docs for name in doc.cards})).encode())
    return digest.hexdigest()


# --- everything ---------------------------------------------------------------------------------------------------


def _written(knowledge: Knowledge, docs: list[Document], fingerprint: str, directory: Path, tell: Progress) -> None:
    card_names = names(knowledge.cards, {name for doc in docs for name in doc.cards})
    db = connect(directory)
    db.executescript(_SCHEMA)
    postings: dict[str, tuple[array[int], bytearray]] = defaultdict(lambda: (array("I"), bytearray()))
    word_counts: Counter[str] = Counter()
    usual: Counter[str] = Counter()
    by_card: dict[str, list[int]] = defaultdict(list)
    streams: list[str] = []

    def rows() -> Iterable[dict[str, list[str]]]:
        for n, doc in enumerate(docs):
            if n % 500 == 0:
                tell("indexing rulings", n, len(docs))
            found = terms(doc)
            for term, weight in found.items():
                numbers, impacts = postings[term]
                numbers.append(n)
                impacts.append(weight)
            word_counts.update(exact_words(doc))
            usual.update(lower_case_keys(doc, card_names.wanted))
            streams.append(stream(doc))
            for card in doc.cards:
                by_card[card].append(n)
            yield index_words.fields_of(doc, found)

    index_words.create(directory / "whoosh", rows())
    tell("writing the index", 0, 0)
    with db:
        db.executemany("insert into doc values (?,?,?)", ((n, d.id, d.to_json()) for n, d in enumerate(docs)))
        db.executemany("insert into stream values (?,?)", enumerate(streams))
        db.executemany(
            "insert into term values (?,?,?,?)",
            ((t, len(p[0]), p[0].tobytes(), bytes(p[1])) for t, p in sorted(postings.items())),
        )
        db.executemany("insert into word values (?,?,?)", ((w, stem(w), n) for w, n in sorted(word_counts.items())))
        db.executemany("insert into usual values (?,?)", sorted(usual.items()))
        _write_names(db, card_names, by_card)
        facts = Facts(dict(db.execute("select name, n from card")))
        for n, doc in enumerate(docs):
            facts.put(n, doc)
        facts.arrays["whoosh"] = array("I", range(len(docs)))
        facts.write(db)
        db.execute("insert into meta values ('cards', ?)", (fingerprint,))
    db.close()


def _write_names(db: sqlite3.Connection, found: Names, by_card: Mapping[str, Sequence[int]]) -> None:
    db.executemany(
        "insert into card values (?,?,?,?,?)",
        (
            (n, name, stems, oracle, array("I", by_card.get(name, ())).tobytes())
            for n, name, stems, oracle in found.cards
        ),
    )
    db.executemany(
        "insert into name values (?,?,?)",
        ((key, c, kind) for key, entries in sorted(found.keys.items()) for c, kind in entries),
    )
    db.executemany("insert into spelt values (?,?,?)", sorted(found.spelt))
    db.executemany("insert into typeword values (?)", ((word,) for word in sorted(found.types)))
    for table, lists in (("nameword", found.words), ("oracle", found.oracle)):
        rows = ((word, array("I", numbers).tobytes()) for word, numbers in sorted(lists.items()))
        db.executemany(f"insert into {table} values (?,?)", rows)


# --- only what changed --------------------------------------------------------------------------------------------


def update_index(
    directory: Path,
    changed: Sequence[Ruling],
    *,
    cards: Iterable[Card],
    bears: Mapping[str, Sequence[str]] | None = None,
) -> bool:
    """Put edited rulings into the index in `directory`, in place. They must be in it, on the same cards and dates;
    `cards` are the data of their cards. False, and nothing changed, where a full build is called for."""
    if not looks_whole(directory) or len(changed) > MOST_CHANGES or _segments(directory) >= MOST_SEGMENTS:
        return False
    with contextlib.closing(connect(directory)) as db, db:
        known = "select 1 from doc where id = ?"
        if not all(db.execute(known, (ruling.id,)).fetchone() for ruling in changed):
            return False
        docs = list(documents(Knowledge(rulings=tuple(changed), cards=tuple(cards)), bears))
        if len(docs) != len(changed):
            return False
        (directory / MANIFEST).unlink()
        Change(db, directory).apply((), docs)
    write_manifest(directory)
    return True


def _segments(directory: Path) -> int:
    return len(list((directory / "whoosh").glob("*.seg")))


def _updated(docs: list[Document], fingerprint: str, previous: Path, directory: Path, tell: Progress) -> bool:
    """Bring a copy of `previous` up to date. False, and nothing left behind, where a full build is called for."""
    if not looks_whole(previous):
        return False
    with contextlib.closing(sqlite3.connect(f"file:{previous / 'search.sqlite'}?mode=ro", uri=True)) as old_db:
        if old_db.execute("select value from meta where key = 'cards'").fetchone() != (fingerprint,):
            return False
        old = dict(old_db.execute("select id, source from doc"))
    new = {doc.id for doc in docs}
    gone = [i for i in old if i not in new]
    changed = [doc for doc in docs if old.get(doc.id) != doc.to_json()]
    if len(gone) + len(changed) > MOST_CHANGES or _segments(previous) >= MOST_SEGMENTS:
        return False
    tell("updating the index", 0, 0)
    shutil.copytree(previous, directory, dirs_exist_ok=True, ignore=shutil.ignore_patterns(MANIFEST, "*LOCK"))
    if gone or changed:
        with contextlib.closing(connect(directory)) as db, db:
            Change(db, directory).apply(gone, changed)
    return True
