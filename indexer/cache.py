"""The user's own cache directory: index, snapshot and remembered verdicts live there, never in the base.

Whoosh's index blocks are pickles: an index inside a folder that people share would run a stranger's code. So the
directory must belong to the user and be closed to others (mode 0700), and everything in it can be made again.
"""

from __future__ import annotations

import contextlib
import gc
import hashlib
import os
import sqlite3
import stat
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import platformdirs

from rulings.errors import RulingsError

FAULTS = "faults.json"
"""In a build of a base of which not everything could be read: how many faults, and the first."""


def cache_root() -> Path:
    """`RULINGS_CACHE`, else the platform's cache directory for this program."""
    return Path(os.environ.get("RULINGS_CACHE") or platformdirs.user_cache_dir("mtg-rulings"))


def cache_of(base: Path) -> Path:
    """The cache directory of a base, made if need be. Raises RulingsError if it is not the user's own."""
    root = cache_root()
    key = hashlib.sha256(os.fsencode(base.resolve())).hexdigest()[:16]
    folder = root / key
    try:
        root.mkdir(parents=True, exist_ok=True, mode=0o700)
        folder.mkdir(exist_ok=True, mode=0o700)
    except OSError as error:
        raise RulingsError(
            f"the cache directory {folder} cannot be made: {error.strerror}", "set RULINGS_CACHE to a folder of yours"
        ) from None
    for directory in (root, folder):
        _check_owner(directory)
    return folder


def _check_owner(directory: Path) -> None:
    if not hasattr(os, "getuid"):
        return
    state = directory.lstat()
    if state.st_uid != os.getuid() or stat.S_ISLNK(state.st_mode):
        raise RulingsError(
            f"{directory} belongs to somebody else", "an index can run code: set RULINGS_CACHE to a folder of yours"
        )
    if state.st_mode & 0o077:
        directory.chmod(0o700)


class Remembered:
    """Results of pure functions, remembered by a key that names their inputs and the version of the method."""

    def __init__(self, path: Path, table: str) -> None:
        self._table = table
        self._db = _open(path, table)

    def many(self, keys: Iterable[bytes]) -> dict[bytes, str]:
        found: dict[bytes, str] = {}
        wanted = list(keys)
        for start in range(0, len(wanted), 500):
            some = wanted[start : start + 500]
            marks = ",".join("?" * len(some))
            rows = self._db.execute(f"select key, body from {self._table} where key in ({marks})", some)
            found.update(rows.fetchall())
        return found

    def put(self, results: Mapping[bytes, str]) -> None:
        with self._db:
            self._db.executemany(f"insert or replace into {self._table} values (?,?)", results.items())

    def close(self) -> None:
        self._db.close()


def _open(path: Path, table: str) -> sqlite3.Connection:
    create = f"create table if not exists {table} (key blob primary key, body text not null) without rowid"
    try:
        db = sqlite3.connect(path, timeout=30)
        db.execute("pragma synchronous=off")
        db.execute(create)
    except sqlite3.DatabaseError:  # damaged: it is only a cache
        path.unlink(missing_ok=True)
        db = sqlite3.connect(path, timeout=30)
        db.execute(create)
    return db


def key_of(*parts: str) -> bytes:
    """A key for Remembered."""
    return hashlib.sha256("\x00".join(parts).encode("utf-8", "surrogatepass")).digest()[:16]


@contextlib.contextmanager
def without_collector() -> Iterator[None]:
    """Millions of small tuples and no cycles: the collector would only walk them again and again."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()
