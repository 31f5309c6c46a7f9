"""Changing several files of a folder at once: after a crash at any point the folder is the old one or the new one.

New contents are written beside the folder's files, in `.staging/`; a journal, renamed into place, makes the change
take effect; then the files are moved. Who opens the folder next finishes moves that a crash cut short.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

from rulings.errors import RulingsError

try:
    import fcntl
except ImportError:  # Windows has no flock; there two writers at once are the user's to avoid
    fcntl = None  # type: ignore[assignment]

_STAGING = ".staging"
_JOURNAL = ".journal"
_LOCK = ".lock"
_WRITER = ".writer"


def _sync_folder(folder: Path) -> None:
    with contextlib.suppress(OSError):  # some file systems cannot sync a folder
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _write_synced(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as handle:
        handle.write(content)
        handle.flush()
        os.fsync(handle.fileno())


@contextlib.contextmanager
def _locked(path: Path, *, exclusive: bool, wait: bool = True) -> Iterator[bool]:
    """Holds a lock on `path`; yields False where it cannot be had (busy, or a folder that cannot be written)."""
    if fcntl is None:
        yield True
        return
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError:
        yield False
        return
    try:
        mode = (fcntl.LOCK_EX if exclusive else fcntl.LOCK_SH) | (0 if wait else fcntl.LOCK_NB)
        try:
            fcntl.flock(handle, mode)
        except OSError:
            yield False
            return
        yield True
    finally:
        os.close(handle)


@contextlib.contextmanager
def writing(folder: Path) -> Iterator[None]:
    """For one writer at a time, from reading the old state to committing the new one. Raises RulingsError if another
    command is writing."""
    with _locked(folder / _WRITER, exclusive=True, wait=False) as held:
        if not held:
            if not os.access(folder, os.W_OK):
                raise RulingsError(f"{folder} cannot be written", "check the permissions of the folder")
            raise RulingsError(f"another command is changing {folder}", "wait until it has ended, then try again")
        recover(folder)
        yield


@contextlib.contextmanager
def reading(folder: Path) -> Iterator[None]:
    """For a reader: no commit happens meanwhile, and one that a crash cut short is finished first."""
    if (folder / _JOURNAL).exists():
        recover(folder)
    with _locked(folder / _LOCK, exclusive=False):
        yield


def recover(folder: Path) -> None:
    """Finish a commit that was cut short, or throw away what never took effect."""
    journal = folder / _JOURNAL
    if journal.exists():
        with _locked(folder / _LOCK, exclusive=True):
            if journal.exists():
                _move(folder, json.loads(journal.read_text(encoding="utf-8")))


def commit(folder: Path, files: Mapping[str, bytes | None], event: tuple[str, bytes] | None = None) -> tuple[str, ...]:
    """Write `files` (path in the folder -> content, None to delete), only those that differ. Returns what changed.

    `event` (path, content) is written with them if anything changes.

    Raises OSError (a full disk, no permission) with the folder untouched.
    """
    changed: dict[str, bytes | None] = {}
    for name, content in sorted(files.items()):
        path = folder / name
        old = path.read_bytes() if path.is_file() else None
        if old != content:
            changed[name] = content
    if not changed:
        return ()
    if event:
        changed[event[0]] = event[1]
    staging = folder / _STAGING
    shutil.rmtree(staging, ignore_errors=True)
    try:
        for name, content in changed.items():
            if content is not None:
                _write_synced(staging / name, content)
        plan = {
            "write": [n for n, c in changed.items() if c is not None],
            "delete": [n for n, c in changed.items() if c is None],
        }
        _write_synced(staging / _JOURNAL, json.dumps(plan).encode())
    except OSError:
        shutil.rmtree(staging, ignore_errors=True)
        raise
    with _locked(folder / _LOCK, exclusive=True):
        (staging / _JOURNAL).replace(folder / _JOURNAL)
        _sync_folder(folder)
        _move(folder, plan)
    return tuple(changed)


def _move(folder: Path, plan: Mapping[str, list[str]]) -> None:
    staging = folder / _STAGING
    touched = set()
    for name in plan["write"]:
        source, target = staging / name, folder / name
        if source.exists():  # else it was moved before the crash
            target.parent.mkdir(parents=True, exist_ok=True)
            source.replace(target)
            touched.add(target.parent)
    for name in plan["delete"]:
        (folder / name).unlink(missing_ok=True)
        with contextlib.suppress(OSError):
            (folder / name).parent.rmdir()  # a year that holds nothing any more
    for parent in touched:
        _sync_folder(parent)
    (folder / _JOURNAL).unlink(missing_ok=True)
    _sync_folder(folder)
    shutil.rmtree(staging, ignore_errors=True)
