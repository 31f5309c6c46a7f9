"""The snapshot of a base: one SQLite file that show, cite, lookup and the service read instead of YAML.

It is a cache, never the truth: `indexer.build` writes it into the user's cache directory from a loaded base and can
always write it again. A command reads the rows it shows and no more.
"""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from rulings import codec
from rulings.card_page import Pages, pages_of
from rulings.ids import mint, parse_id
from rulings.model import Card, Knowledge, Review, Ruling, Source, Tombstone
from rulings.names import card_key, faces

FORMAT = "6"
"""Raised whenever the tables change; a snapshot of another format is rebuilt."""

_SCHEMA = """
create table meta (key text primary key, value text not null) without rowid;
create table ruling (id text primary key, body text not null, file text, line integer, print text not null)
    without rowid;
create index ruling_print on ruling (id, print);
create table name (key text not null, kind integer not null, card integer not null,
                   primary key (key, kind, card)) without rowid;
create table card (n integer primary key, name text not null, oracle_id text, body text not null, page text not null);
create index card_name on card (name);
create table wording (mint text not null, ruling text not null, primary key (mint, ruling)) without rowid;
create table bears (ruling text not null, n integer not null, number text not null, reason text not null,
                    confidence real not null, primary key (ruling, n)) without rowid;
create index bears_number on bears (number);
create table why_topic (ruling text not null, topic text not null, reason text not null,
                        primary key (ruling, topic)) without rowid;
"""


@dataclass(frozen=True, slots=True)
class Bearing:
    """A rule that bears on a ruling: its number, why, and how sure we are (0 to 1)."""

    number: str
    reason: str
    confidence: float


@dataclass(frozen=True, slots=True)
class Resolution:
    """What an id means now. `kind`: `current` (it is the ruling's id), `alias` (it is another wording's, or an older
    id, of the ruling), `ambiguous` (`candidates` lists the rulings), `tombstone` (`reason` says why), `unknown`."""

    kind: str
    asked: str
    id: str | None = None
    candidates: tuple[str, ...] = ()
    reason: str = ""


def wordings_of(ruling: Ruling) -> set[str]:
    """Every wording that the ruling holds: the canonical text, and what each card's page says."""
    texts = {ruling.text, *(v.text for v in ruling.variants)}
    texts |= {ruling.verbatim(o) for o in ruling.occurrences}
    return texts


def mints_of(ruling: Ruling) -> set[str]:
    """The ids that resolve to this ruling: its own, its aliases, and the mint of each wording. A text with `~` for a
    name stands on no page and has no id; two rulings may share it."""
    said = {ruling.verbatim(o) for o in ruling.occurrences}
    wordings = said | {text for text in wordings_of(ruling) - said if "~" not in text}
    return {ruling.id, *ruling.aliases, *map(mint, wordings)}


def meant_by(ruling_id: str, holders: Iterable[Ruling]) -> list[Ruling]:
    """The rulings that an id means, of those to which it may resolve (`mints_of`): the one whose own id it is, else
    the one that has it as an alias, else all of them. So the plain id of a text that was split by card is definite."""
    held = list(holders)
    own = [r for r in held if r.id == ruling_id]
    return own or [r for r in held if ruling_id in r.aliases] or held


def write(
    path: Path,
    knowledge: Knowledge,
    *,
    lines: Mapping[str, tuple[str, int]],
    meta: Mapping[str, str],
    bears: Mapping[str, Sequence[Bearing]] | None = None,
    why_topics: Mapping[str, Mapping[str, str]] | None = None,
) -> None:
    """Write a new snapshot to `path` (which must not exist)."""
    db = sqlite3.connect(path)
    try:
        db.executescript("pragma journal_mode=off; pragma synchronous=off;" + _SCHEMA)
        _write_tables(db, knowledge, lines, {**meta, "format": FORMAT}, bears or {})
        db.executemany(
            "insert into bears values (?,?,?,?,?)",
            (
                (ruling_id, n, b.number, b.reason, b.confidence)
                for ruling_id, found in (bears or {}).items()
                for n, b in enumerate(found)
            ),
        )
        db.executemany(
            "insert into why_topic values (?,?,?)",
            ((i, topic, reason) for i, whys in (why_topics or {}).items() for topic, reason in whys.items()),
        )
        db.commit()
    finally:
        db.close()


def _dumps(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _print(body: str, bears: Sequence[Bearing]) -> str:
    """A hash of all that the snapshot says of a ruling: who remembers it sees a change without reading the ruling."""
    said = body + "".join(f"\x00{b.number}\x00{b.reason}\x00{b.confidence!r}" for b in bears)
    return blake2b(said.encode("utf-8", "surrogatepass"), digest_size=9).hexdigest()


def _write_tables(
    db: sqlite3.Connection,
    knowledge: Knowledge,
    lines: Mapping[str, tuple[str, int]],
    meta: Mapping[str, str],
    bears: Mapping[str, Sequence[Bearing]],
) -> None:
    pages = pages_of(knowledge.rulings, knowledge.cards)
    rows = []
    mints: set[tuple[str, str]] = set()
    for ruling in knowledge.rulings:
        file, line = lines.get(ruling.id, (None, None))
        body = _dumps(codec.ruling_to_plain(ruling))
        rows.append((ruling.id, body, file, line, _print(body, bears.get(ruling.id, ()))))
        mints |= {(minted, ruling.id) for minted in mints_of(ruling)}
    db.executemany("insert into ruling values (?,?,?,?,?)", rows)
    db.executemany("insert into wording values (?,?)", sorted(mints))
    known = {(c.name, c.oracle_id or "") for c in knowledge.cards}
    cards = [*knowledge.cards, *(Card(n, o or None) for n, o in sorted(pages.keys() - known))]
    names: set[tuple[str, int, int]] = set()
    for n, card in enumerate(cards):
        page = pages.get((card.name, card.oracle_id or ""), ())
        row = (n, card.name, card.oracle_id, _dumps(codec.card_to_plain(card)), _dumps(page))
        db.execute("insert into card values (?,?,?,?,?)", row)
        names.add((card_key(card.name), 0, n))
        names |= {(card_key(name), 1, n) for name in (*faces(card.name), *(f.name for f in card.faces))}
        names |= {(card_key(name), 2, n) for name in (*card.former_names, *card.foreign_names)}
    db.executemany("insert into name values (?,?,?)", sorted(row for row in names if row[0]))
    small = {
        "sources": [codec.source_to_plain(s) for s in knowledge.sources],
        "tombstones": [codec.tombstone_to_plain(t) for t in knowledge.tombstones],
        "reviews": [codec.review_to_plain(r) for r in knowledge.reviews],
        "name": knowledge.name,
        "counts": {"rulings": len(rows), "cards": len(cards), "cards_with_rulings": len(pages)},
    }
    db.executemany("insert into meta values (?,?)", [*meta.items(), *((k, _dumps(v)) for k, v in small.items())])


def update(
    path: Path,
    changed: Sequence[Ruling],
    *,
    lines: Mapping[str, tuple[str, int]],
    bears: Mapping[str, Sequence[Bearing]],
    why_topics: Mapping[str, Mapping[str, str]],
) -> None:
    """Put edited rulings into a snapshot. Only what a ruling says may have changed, not the pages it stands on.

    `lines` are the places of all rulings in the edited files: an edit moves those below it.
    """
    db = sqlite3.connect(path)
    try:
        db.execute("pragma synchronous=off")
        for r in changed:
            body = _dumps(codec.ruling_to_plain(r))
            db.execute("update ruling set body=?, print=? where id=?", (body, _print(body, bears[r.id]), r.id))
            for table in ("wording", "bears", "why_topic"):
                db.execute(f"delete from {table} where ruling=?", (r.id,))
            db.executemany("insert into wording values (?,?)", [(m, r.id) for m in sorted(mints_of(r))])
            rows = [(r.id, n, b.number, b.reason, b.confidence) for n, b in enumerate(bears[r.id])]
            db.executemany("insert into bears values (?,?,?,?,?)", rows)
            whys = [(r.id, topic, reason) for topic, reason in why_topics[r.id].items()]
            db.executemany("insert into why_topic values (?,?,?)", whys)
        places = [(file, line, ruling_id) for ruling_id, (file, line) in lines.items()]
        db.executemany("update ruling set file=?, line=? where id=?", places)
        db.commit()
    finally:
        db.close()


class Snapshot:
    """Reads a snapshot. Cheap to open; every method reads only the rows it returns."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._db = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, check_same_thread=False)
        self.meta: dict[str, str] = dict(self._db.execute("select key, value from meta"))
        if self.meta.get("format") != FORMAT:
            raise sqlite3.DatabaseError(f"a snapshot of format {self.meta.get('format')}")

    def close(self) -> None:
        self._db.close()

    @property
    def name(self) -> str:
        return str(json.loads(self.meta["name"]))

    @property
    def counts(self) -> dict[str, int]:
        return dict(json.loads(self.meta["counts"]))

    @property
    def as_of(self) -> str | None:
        """When the base was current: the newest state of its sources, else its newest ruling."""
        return self.meta.get("as_of") or None

    @property
    def sources(self) -> tuple[Source, ...]:
        reader = codec.Reader(str(self.path), {})
        return tuple(codec.source_from_plain(s, reader) for s in json.loads(self.meta["sources"]))

    @property
    def tombstones(self) -> tuple[Tombstone, ...]:
        reader = codec.Reader(str(self.path), {})
        return tuple(codec.tombstone_from_plain(t, reader) for t in json.loads(self.meta["tombstones"]))

    @property
    def reviews(self) -> tuple[Review, ...]:
        """The doubtful pairs that wait for a person."""
        reader = codec.Reader(str(self.path), {})
        return tuple(codec.review_from_plain(r, reader) for r in json.loads(self.meta["reviews"]))

    def prints(self) -> dict[str, str]:
        """Of every ruling by id a hash of all that is said here of it, the rules that bear on it included."""
        return dict(self._db.execute("select id, print from ruling order by id"))

    def ruling(self, ruling_id: str) -> Ruling | None:
        """The ruling whose own id this is."""
        return next(iter(self.rulings([ruling_id])), None)

    def rulings(self, ids: Iterable[str] | None = None) -> Iterator[Ruling]:
        """The rulings with these ids, in that order (unknown ids are skipped); all of them, by id, for None."""
        if ids is None:
            for (body,) in self._db.execute("select body from ruling order by id"):
                yield self._decode(body)
            return
        for ruling_id in ids:
            row = self._db.execute("select body from ruling where id=?", (ruling_id,)).fetchone()
            if row:
                yield self._decode(row[0])

    def _decode(self, body: str) -> Ruling:
        ruling = codec.ruling_from_plain(json.loads(body), codec.Reader(str(self.path), {}))
        assert ruling is not None  # written by us from a ruling
        return ruling

    def ids_in(self, file: str) -> tuple[str, ...]:
        """Ids of the rulings in one file of the base."""
        return tuple(row[0] for row in self._db.execute("select id from ruling where file=?", (file,)))

    def place(self, ruling_id: str) -> tuple[str, int] | None:
        """The file (in the base) and line of a ruling."""
        row = self._db.execute("select file, line from ruling where id=?", (ruling_id,)).fetchone()
        return (row[0], row[1]) if row and row[0] else None

    def resolve(self, asked: str) -> Resolution:
        """What an id means now; see Resolution."""
        ruling_id = parse_id(asked)
        if ruling_id is None:
            return Resolution("unknown", asked)
        if self._db.execute("select 1 from ruling where id=?", (ruling_id,)).fetchone():
            return Resolution("current", asked, ruling_id)
        homes = [row[0] for row in self._db.execute("select ruling from wording where mint=?", (ruling_id,))]
        if len(homes) > 1:
            homes = [r.id for r in meant_by(ruling_id, self.rulings(homes))]
        if len(homes) == 1:
            return Resolution("alias", asked, homes[0])
        if homes:
            return Resolution("ambiguous", asked, None, tuple(sorted(homes)))
        for tombstone in self.tombstones:
            if tombstone.id == ruling_id:
                return Resolution("tombstone", asked, None, (), tombstone.reason)
        return Resolution("unknown", asked)

    def ids_starting(self, prefix: str) -> tuple[str, ...]:
        """Ids of rulings that begin with `prefix` (`r-0pc`)."""
        rows = self._db.execute("select id from ruling where id >= ? and id < ? order by id", (prefix, prefix + "~"))
        return tuple(row[0] for row in rows)

    def find_cards(self, name: str) -> tuple[Card, ...]:
        """The cards called `name`: by full name, else by a face, else by a former or foreign name."""
        rows = self._db.execute(
            "select kind, body from name join card on card.n = name.card where key=? order by kind, card.name",
            (card_key(name),),
        ).fetchall()
        best = [body for kind, body in rows if kind == rows[0][0]]
        return tuple(self._card(body) for body in dict.fromkeys(best))

    def cards_starting(self, prefix: str, limit: int = 10) -> tuple[str, ...]:
        """Full names of cards that have a name which begins with `prefix`, for completion."""
        key = card_key(prefix)
        rows = self._db.execute(
            "select distinct card.name from name join card on card.n = name.card "
            "where key >= ? and key < ? order by kind, length(card.name), card.name limit ?",
            (key, key + "~", limit),
        )
        return tuple(row[0] for row in rows)

    def cards(self) -> Iterator[Card]:
        for (body,) in self._db.execute("select body from card order by n"):
            yield self._card(body)

    def card(self, name: str, oracle_id: str | None) -> Card | None:
        """The card of exactly this name and oracle id."""
        row = self._db.execute("select body from card where name=? and oracle_id is ?", (name, oracle_id)).fetchone()
        return self._card(row[0]) if row else None

    def _card(self, body: str) -> Card:
        card = codec.card_from_plain(json.loads(body), codec.Reader(str(self.path), {}))
        assert card is not None
        return card

    def page(self, card: Card) -> tuple[str, ...]:
        """The ids of the rulings on a card's page, in its order."""
        row = self._db.execute(
            "select page from card where name=? and oracle_id is ?", (card.name, card.oracle_id)
        ).fetchone()
        return tuple(json.loads(row[0])) if row else ()

    def pages(self) -> Pages:
        """The page of each card that has rulings."""
        rows = self._db.execute("select name, oracle_id, page from card where page != '[]' order by n")
        return {(name, oracle_id or ""): tuple(json.loads(page)) for name, oracle_id, page in rows}

    def bears(self, ruling_id: str) -> tuple[Bearing, ...]:
        """The rules that bear on a ruling, best first."""
        rows = self._db.execute(
            "select number, reason, confidence from bears where ruling=? order by n", (ruling_id,)
        ).fetchall()
        return tuple(Bearing(*row) for row in rows)

    def all_bears(self) -> dict[str, tuple[Bearing, ...]]:
        """The rules that bear on each ruling, best first; rulings without one are left out."""
        found: dict[str, list[Bearing]] = defaultdict(list)
        for ruling_id, *row in self._db.execute(
            "select ruling, number, reason, confidence from bears order by ruling, n"
        ):
            found[ruling_id].append(Bearing(*row))
        return {ruling_id: tuple(rows) for ruling_id, rows in found.items()}

    def bearing_on(self, number: str) -> tuple[str, ...]:
        """Ids of the rulings on which the rule `number` bears, the surest first."""
        rows = self._db.execute("select ruling from bears where number=? order by confidence desc, ruling", (number,))
        return tuple(row[0] for row in rows)

    def why_topics(self, ruling_id: str) -> dict[str, str]:
        """Topic -> why it was given."""
        return dict(self._db.execute("select topic, reason from why_topic where ruling=?", (ruling_id,)))
