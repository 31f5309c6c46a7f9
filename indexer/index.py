"""The search index of a base: Whoosh for exact sets, SQLite for ranking, facets, names and what is shown.

    write_index(knowledge, directory, previous=old)   everything, or what changed since `old`

In: a Knowledge. Out: a folder with `whoosh/`, `search.sqlite` and `manifest.json` (sizes and checksums). The folder
is written once and never changed by a reader. An update copies the old folder and gives the same answers and scores
as a full build: no stored number depends on the base as a whole.
"""

from __future__ import annotations

import contextlib
import gc
import hashlib
import json
import shutil
import sqlite3
from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from indexer import index_words
from indexer.index_document import Document, documents, exact_words, lower_case_keys, names_itself, stream, terms
from indexer.index_format import LIVE, MANIFEST, SELF, SUPERSEDED, looks_whole, write_manifest
from indexer.index_names import Names, names
from rulings.language.tokens import stem
from rulings.model import Knowledge

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


def _connect(directory: Path) -> sqlite3.Connection:
    db = sqlite3.connect(directory / "search.sqlite")
    db.executescript("pragma journal_mode = off; pragma synchronous = off; pragma temp_store = memory;")
    return db


# --- everything ---------------------------------------------------------------------------------------------------


def _written(knowledge: Knowledge, docs: list[Document], fingerprint: str, directory: Path, tell: Progress) -> None:
    card_names = names(knowledge.cards, {name for doc in docs for name in doc.cards})
    db = _connect(directory)
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
        _write_arrays(db, dict(enumerate(docs)), list(range(len(docs))))
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


def _write_arrays(db: sqlite3.Connection, docs: Mapping[int, Document], whoosh: Sequence[int]) -> None:
    """Facts by document number for ranking, sorting, filters and facets. A number without document has none."""
    size = max(docs, default=-1) + 1
    newest, oldest, cards = array("I", [0] * size), array("I", [0] * size), array("H", [0] * size)
    first = array("I", [0] * size)
    card_number = dict(db.execute("select name, n from card"))
    state = bytearray(size)
    facets: dict[str, list[Sequence[str]]] = {name: [()] * size for name in FACETS}
    for n, doc in docs.items():
        days = [int(date.replace("-", "")) for date in doc.dates]
        newest[n], oldest[n] = max(days, default=0), min(days, default=0)
        cards[n] = min(len(doc.cards), 65535)
        first[n] = card_number[doc.cards[0]] if doc.cards else len(card_number)
        superseded = doc.status == "superseded" or doc.superseded_by is not None
        state[n] = LIVE | (SUPERSEDED if superseded else 0) | (SELF if names_itself(doc) else 0)
        for name, of in FACETS.items():
            facets[name][n] = of(doc)
    db.execute("delete from arrays")
    db.execute("delete from lists")
    columns: tuple[tuple[str, str, bytes], ...] = (
        ("newest", "I", newest.tobytes()),
        ("oldest", "I", oldest.tobytes()),
        ("cards", "H", cards.tobytes()),
        ("state", "B", bytes(state)),
        ("first", "I", first.tobytes()),
        ("whoosh", "I", array("I", whoosh).tobytes()),
        ("ids", "s", "\n".join(docs[n].id if n in docs else "" for n in range(size)).encode()),
    )
    db.executemany("insert into arrays values (?,?,?)", columns)
    for name, values in facets.items():
        labels = sorted({label for found in values for label in found})
        number_of = {label: i for i, label in enumerate(labels)}
        starts, members = array("I", [0]), array("H")
        for found in values:
            members.extend(number_of[label] for label in found)
            starts.append(len(members))
        db.execute(
            "insert into lists values (?,?,?,?)", (name, json.dumps(labels), starts.tobytes(), members.tobytes())
        )


def _sections(doc: Document) -> list[str]:
    return sorted({number.partition(".")[0] for number in doc.rules})


FACETS: dict[str, Callable[[Document], Sequence[str]]] = {
    "topic": lambda doc: doc.topics,
    "year": lambda doc: sorted({date[:4] for date in doc.dates}),
    "source": lambda doc: doc.sources,
    "type": lambda doc: doc.kinds,
    "section": _sections,
}


# --- only what changed --------------------------------------------------------------------------------------------


def _updated(docs: list[Document], fingerprint: str, previous: Path, directory: Path, tell: Progress) -> bool:
    """Bring a copy of `previous` up to date. False, and nothing left behind, where a full build is called for."""
    if not looks_whole(previous):
        return False
    with contextlib.closing(sqlite3.connect(f"file:{previous / 'search.sqlite'}?mode=ro", uri=True)) as old_db:
        if old_db.execute("select value from meta where key = 'cards'").fetchone() != (fingerprint,):
            return False
        old = {i: (n, text) for n, i, text in old_db.execute("select n, id, source from doc")}
    new = {doc.id: doc for doc in docs}
    gone = [i for i in old if i not in new]
    changed = [doc for doc in docs if doc.id not in old or old[doc.id][1] != doc.to_json()]
    segments = len(list((previous / "whoosh").glob("*.seg")))
    if len(gone) + len(changed) > MOST_CHANGES or segments >= MOST_SEGMENTS:
        return False
    tell("updating the index", 0, 0)
    shutil.copytree(previous, directory, dirs_exist_ok=True, ignore=shutil.ignore_patterns(MANIFEST, "*LOCK"))
    if not gone and not changed:
        return True
    with contextlib.closing(_connect(directory)) as db, db:
        _Change(db, directory, docs, old).apply(gone, changed)
    return True


class _Change:
    """The rows that a few changed documents touch."""

    def __init__(
        self, db: sqlite3.Connection, directory: Path, docs: list[Document], old: dict[str, tuple[int, str]]
    ) -> None:
        self.db = db
        self.directory = directory
        self.old = old
        self.docs = docs
        self.postings: dict[str, dict[int, int]] = {}

    def apply(self, gone: list[str], changed: list[Document]) -> None:
        whoosh = array("I")
        whoosh.frombytes(self.db.execute("select data from arrays where name = 'whoosh'").fetchone()[0])
        removed = {self.old[i][0] for i in (*gone, *(d.id for d in changed if d.id in self.old))}
        for i in (*gone, *(d.id for d in changed if d.id in self.old)):
            n, text = self.old[i]
            self._forget(n, Document.from_json(text))
        next_n = max((n for n, _ in self.old.values()), default=-1) + 1
        numbers = {i: n for i, (n, _) in self.old.items()}
        rows = []
        for doc in changed:
            if doc.id not in numbers:
                numbers[doc.id] = next_n
                next_n += 1
            rows.append(self._add(numbers[doc.id], doc))
        last = {n: place for place, n in enumerate(whoosh)}
        index_words.change(self.directory / "whoosh", [last[n] for n in removed], rows)
        whoosh.extend(numbers[doc.id] for doc in changed)
        self._store_postings()
        _write_arrays(self.db, {numbers[doc.id]: doc for doc in self.docs}, whoosh)

    def _posting(self, term: str) -> dict[int, int]:
        if term not in self.postings:
            row = self.db.execute("select docs, impacts from term where term = ?", (term,)).fetchone()
            numbers = array("I")
            if row:
                numbers.frombytes(row[0])
            self.postings[term] = dict(zip(numbers, row[1] if row else b"", strict=True))
        return self.postings[term]

    def _store_postings(self) -> None:
        for term, found in self.postings.items():
            self.db.execute("delete from term where term = ?", (term,))
            if found:
                ordered = sorted(found.items())
                numbers, impacts = array("I", (n for n, _ in ordered)).tobytes(), bytes(i for _, i in ordered)
                self.db.execute("insert into term values (?,?,?,?)", (term, len(ordered), numbers, impacts))

    def _count(self, table: str, key: str, by: int, *more: Any) -> None:
        row = self.db.execute(
            f"select * from {table} where {'word' if table == 'word' else 'key'} = ?", (key,)
        ).fetchone()
        self.db.execute(f"delete from {table} where {'word' if table == 'word' else 'key'} = ?", (key,))
        total = (row[-1] if row else 0) + by
        if total > 0:
            marks = ",".join("?" * (2 + len(more)))
            self.db.execute(f"insert into {table} values ({marks})", (key, *more, total))

    def _counts(self, doc: Document, by: int) -> None:
        for word in exact_words(doc):
            self._count("word", word, by, stem(word))
        known = "select 1 from name where key = ? union all select 1 from nameword where word = ? limit 1"
        for key in lower_case_keys(doc, lambda k: self.db.execute(known, (k, k)).fetchone() is not None):
            self._count("usual", key, by)

    def _forget(self, n: int, doc: Document) -> None:
        for term in terms(doc):
            self._posting(term).pop(n, None)
        self._counts(doc, -1)
        self.db.execute("delete from doc where n = ?", (n,))
        self.db.execute("delete from stream where n = ?", (n,))
        self._cards(n, doc, present=False)

    def _add(self, n: int, doc: Document) -> dict[str, list[str]]:
        found = terms(doc)
        for term, weight in found.items():
            self._posting(term)[n] = weight
        self._counts(doc, 1)
        self.db.execute("insert into doc values (?,?,?)", (n, doc.id, doc.to_json()))
        self.db.execute("insert into stream values (?,?)", (n, stream(doc)))
        self._cards(n, doc, present=True)
        return index_words.fields_of(doc, found)

    def _cards(self, n: int, doc: Document, *, present: bool) -> None:
        for card in doc.cards:
            row = self.db.execute("select docs from card where name = ?", (card,)).fetchone()
            numbers = array("I")
            numbers.frombytes(row[0])
            kept = sorted({*numbers, n} if present else {*numbers} - {n})
            self.db.execute("update card set docs = ? where name = ?", (array("I", kept).tobytes(), card))
