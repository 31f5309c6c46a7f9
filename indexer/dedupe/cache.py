"""Verdicts and signatures kept between imports, so that an import looks only at pairs that are new.

One SQLite file in the user's cache directory; it may be deleted at any time. Keys are hashes of masked texts, and
everything is thrown away when the code or the word lists of dedupe change. A file that cannot be read is ignored.
"""

from __future__ import annotations

import hashlib
import sqlite3
from array import array
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

from indexer.dedupe.candidates import Signature
from indexer.dedupe.relation import Verdict

Key = bytes

_SCHEMA = """
CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT);
CREATE TABLE IF NOT EXISTS text (key BLOB PRIMARY KEY, words BLOB, sentences BLOB) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS pair (a BLOB, b BLOB, relation TEXT, apart INTEGER, reason TEXT, why TEXT,
    direction TEXT, doubtful INTEGER, mild INTEGER, found INTEGER, PRIMARY KEY (a, b)) WITHOUT ROWID;
"""


def text_key(masked: str) -> Key:
    """The key of a masked text."""
    return hashlib.sha256(masked.encode("utf-8", "surrogatepass")).digest()[:16]


@lru_cache(maxsize=1)
def fingerprint() -> str:
    """Changes with every change of the code or data that a verdict depends on."""
    digest = hashlib.sha256()
    for package, names in (
        ("indexer.dedupe", None),
        ("rulings", ("symbols.py", "text.py")),
    ):
        folder = files(package)
        for name in names or sorted(entry.name for entry in folder.iterdir()):
            if name.endswith((".py", ".yaml", ".txt")):
                digest.update(name.encode() + b"\0" + folder.joinpath(name).read_bytes())
    return digest.hexdigest()


class EdgeCache:
    """In memory while in use; `save` writes what is new. Without a path it lives for one run."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self._texts: dict[Key, Signature] = {}
        self._pairs: dict[tuple[Key, Key], Verdict] = {}
        self._found: dict[tuple[Key, Key], bool] = {}
        self._new_texts: set[Key] = set()
        self._new_pairs: set[tuple[Key, Key]] = set()
        if path is not None and path.exists():
            try:
                self._load(path)
            except (sqlite3.Error, ValueError, TypeError):
                self._texts, self._pairs, self._found = {}, {}, {}
                path.unlink(missing_ok=True)

    def _load(self, path: Path) -> None:
        connection = sqlite3.connect(path)
        try:
            made_by = connection.execute("SELECT value FROM meta WHERE name = 'fingerprint'").fetchone()
            if made_by != (fingerprint(),):
                raise ValueError("made by another version")
            for key, words, sentences in connection.execute("SELECT key, words, sentences FROM text"):
                self._texts[key] = Signature(tuple(array("I", words)), tuple(array("I", sentences)))
            for a, b, relation, apart, reason, why, direction, doubtful, mild, found in connection.execute(
                "SELECT a, b, relation, apart, reason, why, direction, doubtful, mild, found FROM pair"
            ):
                self._pairs[a, b] = Verdict(relation, bool(apart), reason, why, direction, bool(doubtful), bool(mild))
                self._found[a, b] = bool(found)
        finally:
            connection.close()

    def signature(self, key: Key) -> Signature | None:
        """The signature of a known text."""
        return self._texts.get(key)

    def put_signature(self, key: Key, value: Signature) -> None:
        """Keeps a signature."""
        self._texts[key] = value
        self._new_texts.add(key)

    def texts(self) -> dict[Key, Signature]:
        """All known texts, those of earlier imports too."""
        return self._texts

    def verdict(self, a: Key, b: Key) -> Verdict | None:
        """A kept verdict of the pair in this order."""
        kept = self._pairs.get((a, b))
        return kept if kept is not None and kept.relation else None

    def put_unread(self, a: Key, b: Key) -> None:
        """Keeps that a pair is a candidate of which one text is not at hand now: it is compared when it comes back."""
        if (a, b) not in self._pairs:
            self.put_verdict(a, b, Verdict(""), found=True)

    def put_verdict(self, a: Key, b: Key, value: Verdict, *, found: bool) -> None:
        """Keeps a verdict. `found`: the pair is a candidate (not only two members of one group)."""
        if self._found.get((a, b)) and not found:
            found = True
        self._pairs[a, b] = value
        self._found[a, b] = found
        self._new_pairs.add((a, b))

    def found(self, a: Key, b: Key) -> None:
        """Notes that a kept pair is a candidate."""
        if not self._found[a, b]:
            self._found[a, b] = True
            self._new_pairs.add((a, b))

    def found_pairs(self) -> list[tuple[Key, Key]]:
        """All kept candidate pairs that matter (not plainly different), and those not read yet."""
        return [pair for pair, found in self._found.items() if found]

    def save(self) -> None:
        """Writes what is new to the file."""
        if self.path is None or not (self._new_texts or self._new_pairs):
            return
        self.path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(self.path)
        try:
            with connection:
                connection.executescript(_SCHEMA)
                connection.execute("INSERT OR REPLACE INTO meta VALUES ('fingerprint', ?)", (fingerprint(),))
                connection.executemany(
                    "INSERT OR REPLACE INTO text VALUES (?, ?, ?)",
                    (
                        (
                            key,
                            array("I", self._texts[key].words).tobytes(),
                            array("I", self._texts[key].sentences).tobytes(),
                        )
                        for key in sorted(self._new_texts)
                    ),
                )
                rows = []
                for pair in sorted(self._new_pairs):
                    v = self._pairs[pair]
                    flags = (v.doubtful, v.mild, self._found[pair])
                    rows.append((*pair, v.relation, v.must_not_merge, v.reason, v.why, v.direction, *flags))
                connection.executemany("INSERT OR REPLACE INTO pair VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
        finally:
            connection.close()
        self._new_texts, self._new_pairs = set(), set()
