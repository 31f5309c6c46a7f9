"""Bringing a search index up to date in place: what a few changed rulings touch, and nothing else.

The folder is a copy that no reader has open yet. Answers and scores become those of a full build.
"""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from indexer import index_words
from indexer.index_document import Document, exact_words, lower_case_keys, stream, terms
from indexer.index_facts import Facts
from rulings.language.tokens import stem


def connect(directory: Path) -> sqlite3.Connection:
    """The tables of an index that is being written; a crash leaves a folder that no manifest calls whole."""
    db = sqlite3.connect(directory / "search.sqlite")
    db.executescript("pragma journal_mode = off; pragma synchronous = off; pragma temp_store = memory;")
    return db


class Change:
    """The rows that a few changed documents touch."""

    def __init__(self, db: sqlite3.Connection, directory: Path) -> None:
        self.db = db
        self.directory = directory
        self.postings: dict[str, dict[int, int]] = {}

    def apply(self, gone: Iterable[str], changed: Sequence[Document]) -> None:
        facts = Facts.read(self.db)
        numbers = {i: n for n, i in enumerate(facts.ids) if i}
        removed = {numbers[i] for i in (*gone, *(d.id for d in changed if d.id in numbers))}
        for n in removed:
            source = self.db.execute("select source from doc where n = ?", (n,)).fetchone()[0]
            self._forget(n, Document.from_json(source))
            facts.drop(n)
        rows = []
        whoosh = facts.arrays["whoosh"]
        place = {n: last for last, n in enumerate(whoosh)}
        for doc in changed:
            n = numbers.setdefault(doc.id, len(facts.ids))
            facts.put(n, doc)
            rows.append(self._add(n, doc))
            whoosh.append(n)
        index_words.change(self.directory / "whoosh", [place[n] for n in removed], rows)
        self._store_postings()
        facts.write(self.db)

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
