"""From a base to the file that looks up quotations: `write_lookup(knowledge, path)`.

One SQLite file in the cache directory: every wording of every ruling (as it is shown, as its source has it, and as it
was), where each stands or stood, which words in a row occur in which wording, and what cards are called. Read by
`search.lookup`. A cache, never the truth: it can always be written again.
"""

from __future__ import annotations

import json
import sqlite3
import sys
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from indexer.lookup_tokens import OWN, fold_word, shingle_hashes, tokenize, words_of
from rulings.model import Card, Knowledge, Occurrence, Ruling
from rulings.names import faces, is_legendary, own_names
from rulings.rules.history import History, to_plain

FORMAT = "2"
"""Raised whenever the tables or the way of reading text change; a file of another format is written anew."""

POSITION_BITS = 10
FULL, FACE, SHORT, OTHER = range(4)
"""Kinds of a name, the surest first: the card's, one face's, a legend's short one, a former or foreign one."""

_SCHEMA = """
create table meta (key text primary key, value text not null) without rowid;
create table wording (n integer primary key, ruling text not null, text text not null);
create table standing (wording integer not null, card text not null, name text, date text, last_seen text,
                       missing_since text);
create table shingle (hash integer primary key, postings blob not null);
create table name (key text primary key, kind integer not null, common integer not null, cards text not null)
  without rowid;
create table head (word text primary key, longest integer not null) without rowid;
create table state (ruling text primary key, status text not null, by text not null) without rowid;
create table card (name text primary key, own text not null) without rowid;
"""


def write_lookup(knowledge: Knowledge, path: Path, *, history: History | None = None) -> None:
    """Write the lookup file of `knowledge` to `path`, which must not exist. `history` are the lives of all rules."""
    db = sqlite3.connect(path)
    try:
        db.executescript("pragma journal_mode=off; pragma synchronous=off;" + _SCHEMA)
        postings, used = _write_wordings(db, knowledge)
        db.executemany(
            "insert into shingle values (?,?)", ((key, _packed(found)) for key, found in sorted(postings.items()))
        )
        _write_names(db, knowledge, used)
        db.executemany("insert into state values (?,?,?)", (row for r in knowledge.rulings if (row := _state(r))))
        db.execute("create index standing_wording on standing (wording)")
        db.execute("create index standing_card on standing (card)")
        db.execute("create index wording_ruling on wording (ruling)")
        older = db.execute("select count(*) from standing where missing_since is not null").fetchone()[0]
        meta = {"format": FORMAT, "older": str(older)}
        if history is not None:
            meta["rules"] = json.dumps(to_plain(history))
        db.executemany("insert into meta values (?,?)", meta.items())
        db.commit()
    finally:
        db.close()


def _write_wordings(db: sqlite3.Connection, knowledge: Knowledge) -> tuple[dict[int, array[int]], Counter[str]]:
    """Writes wordings and standings. Returns where every shingle occurs, and how many wordings of other cards use each
    word: a word that only the rulings of the card of that name use is a name."""
    postings: dict[int, array[int]] = defaultdict(lambda: array("I"))
    used: Counter[str] = Counter()
    as_of = {source.name: source.as_of for source in knowledge.sources}
    n = 0
    for ruling in knowledge.rulings:
        for text, standings in wordings(ruling):
            n += 1
            db.execute("insert into wording values (?,?,?)", (n, ruling.id, text))
            db.executemany(
                "insert into standing values (?,?,?,?,?,?)",
                ((n, o.card, o.stands_for, o.date, o.as_of or as_of.get(o.source), o.missing_since) for o in standings),
            )
            tokens = tokenize(text)
            used.update({token.key for token in tokens} - {fold_word(o.card) for o in standings})
            for position, key in enumerate(shingle_hashes(words_of(tokens))):
                postings[key].append(n << POSITION_BITS | min(position, (1 << POSITION_BITS) - 1))
    return postings, used


def wordings(ruling: Ruling) -> Iterator[tuple[str, tuple[Occurrence, ...]]]:
    """The wordings of a ruling, `~` kept, each with where it stands or stood.

    A damaged wording stands on its card twice: as the source has it, and mended, as our page shows it.
    """
    by_text: dict[str, list[Occurrence]] = {}
    why = {variant.key: variant.why for variant in ruling.variants}
    for occurrence in ruling.occurrences:
        by_text.setdefault(ruling.wording(occurrence.variant), []).append(occurrence)
        if occurrence.variant is not None and why.get(occurrence.variant) in _MENDED:
            by_text.setdefault(ruling.text, []).append(occurrence)
    by_text.setdefault(ruling.text, [])
    for text, standings in by_text.items():
        yield text, tuple(dict.fromkeys(standings))


def _state(ruling: Ruling) -> tuple[str, str, str] | None:
    """What takes a ruling out of force: a person's word, or a ruling that outdates it."""
    if ruling.status != "current":
        return ruling.id, ruling.status, ruling.superseded_by or ""
    by = next((link.id for link in ruling.links if link.kind == "outdated-by"), None)
    return (ruling.id, "outdated", by) if by else None


_MENDED = frozenset({"typography", "typo", "symbol-lost", "encoding", "symbol-form", "damaged"})


def _packed(numbers: array[int]) -> bytes:
    if sys.byteorder == "big":
        numbers = array("I", numbers)
        numbers.byteswap()
    return numbers.tobytes()


def unpacked(data: bytes) -> array[int]:
    """The postings of one shingle: `wording << POSITION_BITS | position of its first word`."""
    numbers = array("I", data)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


def name_key(name: str) -> str:
    """A name as the words that a text would have for it: `Lim-Dûl's Vault` -> `lim dul's vault`."""
    return " ".join(words_of(tokenize(name)))


def _names(card: Card) -> Iterable[tuple[str, int]]:
    yield card.name, FULL
    for face in dict.fromkeys((*faces(card.name), *(face.name for face in card.faces))):
        yield face, FACE
    for name in own_names(card.name, is_legendary(card)):
        yield name, SHORT
    for name in (*card.former_names, *card.foreign_names):
        yield name, OTHER


def _write_names(db: sqlite3.Connection, knowledge: Knowledge, used: Counter[str]) -> None:
    """Names by the words they are made of. `common` counts the wordings of other cards that use a one-word name."""
    cards = {card.name: card for card in knowledge.cards}
    for ruling in knowledge.rulings:
        for name in ruling.cards:
            cards.setdefault(name, Card(name))
    best: dict[str, tuple[int, list[str]]] = {}
    for card in cards.values():
        for name, kind in _names(card):
            key = name_key(name)
            if not key or key == OWN:
                continue
            # A face may have the name of a whole card where an old source knew that face only: both are meant then.
            rank = max(kind, FACE)
            kept, names = best.get(key, (rank, []))
            if rank == kept and card.name not in names:
                best[key] = (rank, [*names, card.name])
            elif rank < kept:
                best[key] = (rank, [card.name])
    longest: dict[str, int] = {}
    rows = []
    for key, (kind, names) in sorted(best.items()):
        head, _, rest = key.partition(" ")
        longest[head] = max(longest.get(head, 0), 1 + (rest.count(" ") + 1 if rest else 0))
        rows.append((key, kind, 0 if rest else used[key], json.dumps(sorted(names), ensure_ascii=False)))
    db.executemany("insert into name values (?,?,?,?)", rows)
    db.executemany("insert into head values (?,?)", sorted(longest.items()))
    db.executemany(
        "insert into card values (?,?)",
        ((c.name, json.dumps(own_names(c.name, is_legendary(c)), ensure_ascii=False)) for c in cards.values()),
    )
