"""From a base to what reading commands use: snapshot, search index and lookup index; in the user's cache directory.

Built beside the old ones and switched in at once, so that a reader never sees half. A build is named by the content
it was made from; a reader compares file sizes and times (a few milliseconds) and reads contents only if they differ.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from indexer import index_format
from indexer.cache import FAULTS, cache_of
from rulings import __version__, snapshot

Progress = Callable[[str, int, int], None]

FORMAT = f"{__version__}-1-{index_format.FORMAT}-{snapshot.FORMAT}"
"""Raised when a build looks different from the same base; older builds are then made again."""
_POINTER = "current.json"
_PARTS = (
    "kb.yaml",
    "sources.yaml",
    "corrections.yaml",
    "decisions.yaml",
    "topics.yaml",
    "tombstones.yaml",
    "review.yaml",
    "cards.jsonl",
    "cards.yaml",
)
_TREES = ("rulings", "comprehensive-rules")
_FEW = 20
"""With more edited files than this, making everything again is as quick."""


@dataclass(frozen=True, slots=True)
class Build:
    """A finished build. `made` says whether this call made it, in `seconds`; `steps` are seconds by step."""

    folder: Path
    made: bool = False
    seconds: float = 0.0
    steps: tuple[tuple[str, float], ...] = ()

    @property
    def snapshot_path(self) -> Path:
        return self.folder / "snapshot.sqlite"

    @property
    def index_path(self) -> Path:
        return self.folder / "index"

    @property
    def faults(self) -> str | None:
        """What of the base could not be read and so is missing here, in a sentence; None if nothing is."""
        try:
            said = json.loads((self.folder / FAULTS).read_text(encoding="utf-8"))
            return f"the base has faults ({said['count']}), so that something may be missing; first: {said['first']}"
        except (OSError, ValueError, TypeError, KeyError):
            return None

    @property
    def rulings(self) -> int:
        """How many rulings the base holds."""
        with contextlib.closing(self.snapshot()) as opened:
            return opened.counts["rulings"]

    def snapshot(self) -> snapshot.Snapshot:
        return snapshot.Snapshot(self.snapshot_path)

    @property
    def around(self) -> str:
        """A hash of the whole base but its rulings: of cards, sources, Comprehensive Rules, decisions and the like."""
        hashes = json.loads((self.folder / "files.json").read_text(encoding="utf-8"))
        return _name({name: value for name, value in hashes.items() if not name.startswith("rulings/")})


def files_of(base: Path) -> dict[str, os.stat_result]:
    """The files that a build is made from, with their state. Cheap: no content is read."""
    found = {}
    for name in _PARTS:
        with contextlib.suppress(FileNotFoundError):
            found[name] = (base / name).stat()
    for tree in _TREES:
        stack = [base / tree]
        while stack:
            with contextlib.suppress(FileNotFoundError), os.scandir(stack.pop()) as entries:
                for entry in entries:
                    if entry.is_dir():
                        stack.append(Path(entry.path))
                    elif entry.name.endswith((".yaml", ".txt")):
                        found[Path(entry.path).relative_to(base).as_posix()] = entry.stat()
    return dict(sorted(found.items()))


def _looks(files: dict[str, os.stat_result]) -> str:
    text = "".join(f"{name}\x00{s.st_size}\x00{s.st_mtime_ns}\x00" for name, s in files.items())
    return hashlib.sha256(f"{FORMAT}{text}".encode()).hexdigest()


def content_hashes(base: Path, names: list[str]) -> dict[str, str]:
    return {name: hashlib.sha256((base / name).read_bytes()).hexdigest() for name in names}


def _name(hashes: dict[str, str]) -> str:
    return hashlib.sha256((FORMAT + json.dumps(hashes, sort_keys=True)).encode()).hexdigest()[:24]


def _pointer(cache: Path) -> dict[str, Any]:
    with contextlib.suppress(OSError, ValueError):
        found = json.loads((cache / _POINTER).read_text(encoding="utf-8"))
        if isinstance(found, dict):
            return found
    return {}


def _point(cache: Path, name: str, looks: str) -> None:
    handle, temporary = tempfile.mkstemp(dir=cache, prefix=".pointer-")
    with os.fdopen(handle, "w", encoding="utf-8") as out:
        json.dump({"build": name, "looks": looks}, out)
    Path(temporary).replace(cache / _POINTER)


def is_whole(folder: Path) -> bool:
    """Whether a build is finished and its files have the sizes they were written with."""
    try:
        sizes = json.loads((folder / "sizes.json").read_text(encoding="utf-8"))
        return all((folder / name).stat().st_size == size for name, size in sizes.items())
    except (OSError, ValueError):
        return False


def ensure(base: Path, progress: Progress | None = None, *, force: bool = False) -> Build:
    """The build of a base as it is now; made if there is none, if the base changed, or if it is damaged."""
    cache = cache_of(base)
    looks = _looks(files_of(base))
    pointer = _pointer(cache)
    if not force and pointer.get("looks") == looks and is_whole(cache / "builds" / str(pointer.get("build"))):
        return Build(cache / "builds" / str(pointer["build"]))
    files = files_of(base)
    looks = _looks(files)  # before reading: a change while we read shows as stale next time
    hashes = content_hashes(base, list(files))
    name = _name(hashes)
    folder = cache / "builds" / name
    if not force and is_whole(folder):
        _point(cache, name, looks)
        return Build(folder)
    started = time.perf_counter()
    old = cache / "builds" / str(pointer.get("build"))
    usable = old if not force and old != folder and is_whole(old) else None
    steps = _make(base, cache, folder, hashes, usable, progress or (lambda *_: None))
    _point(cache, name, looks)
    _sweep(cache, keep=name)
    return Build(folder, True, time.perf_counter() - started, tuple(steps.items()))


def lookup_path(base: Path, build: Build, progress: Progress | None = None) -> Path:
    """The lookup index of a build, made at first use: most commands never need it."""
    path = build.folder / "lookup.sqlite"
    if not path.exists():
        from indexer import make

        make.lookup(base, cache_of(base), path, progress or (lambda *_: None))
    return path


def _edited_files(old: Path, hashes: dict[str, str]) -> list[str] | None:
    """The files of rulings that differ from those an older build was made from; None where anything else does."""
    try:
        before: dict[str, str] = json.loads((old / "files.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    if before.keys() != hashes.keys():
        return None
    changed = [name for name, value in hashes.items() if before[name] != value]
    return changed if all(name.startswith("rulings/") for name in changed) and len(changed) <= _FEW else None


def _make(
    base: Path, cache: Path, folder: Path, hashes: dict[str, str], old: Path | None, progress: Progress
) -> dict[str, float]:
    from indexer import make  # loads YAML, Whoosh and all: only where something is built

    folder.parent.mkdir(exist_ok=True, mode=0o700)
    beside = Path(tempfile.mkdtemp(dir=folder.parent, prefix=".new-"))
    try:
        steps = None
        if old is not None and (few := _edited_files(old, hashes)):
            steps = make.edited(base, cache, old, beside, few)
            if steps is None:
                shutil.rmtree(beside)
                beside.mkdir(mode=0o700)
        if steps is None:
            steps = make.everything(base, cache, beside, progress)
        (beside / "files.json").write_text(json.dumps(hashes), encoding="utf-8")
        sizes = {p.relative_to(beside).as_posix(): p.stat().st_size for p in sorted(beside.rglob("*")) if p.is_file()}
        (beside / "sizes.json").write_text(json.dumps(sizes), encoding="utf-8")
        if folder.exists():
            folder.replace(Path(tempfile.mkdtemp(dir=folder.parent, prefix=".old-")) / "build")
        beside.replace(folder)
    finally:
        shutil.rmtree(beside, ignore_errors=True)
    return steps


def _sweep(cache: Path, keep: str) -> None:
    """Throw away builds of earlier states; one is kept for readers that have it open."""
    builds = sorted((cache / "builds").iterdir(), key=lambda p: p.stat().st_mtime, reverse=True)
    spared = 0
    for folder in builds:
        if folder.name == keep:
            continue
        if not folder.name.startswith(".") and spared < 1:
            spared += 1
            continue
        if not folder.name.startswith(".") or time.time() - folder.stat().st_mtime > 3600:
            shutil.rmtree(folder, ignore_errors=True)
