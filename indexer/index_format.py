"""What an index looks like from outside: its format, the bits of its state array, whether it is whole.

Imported at every start, so it imports nothing heavy.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

FORMAT = "5"
"""Raised whenever the tables or the terms change; an index of another format is written anew."""
LIVE, SUPERSEDED, SELF = 1, 2, 4
"""Bits of the array `state`: there is a document, it is superseded, a text of it names its own card."""
MANIFEST = "manifest.json"


def is_whole(directory: Path) -> bool:
    """Whether the index is complete and every file is as it was written (checksums are compared)."""
    try:
        manifest = json.loads((directory / MANIFEST).read_text(encoding="utf-8"))
        if manifest["format"] != FORMAT:
            return False
        return all(_checksum(directory / name) == digest for name, (_, digest) in manifest["files"].items())
    except (OSError, ValueError, KeyError, TypeError):
        return False


def looks_whole(directory: Path) -> bool:
    """As `is_whole`, but compares sizes only: quick enough for every start."""
    try:
        manifest = json.loads((directory / MANIFEST).read_text(encoding="utf-8"))
        sizes = all((directory / name).stat().st_size == size for name, (size, _) in manifest["files"].items())
        return bool(manifest["format"] == FORMAT) and sizes
    except (OSError, ValueError, KeyError, TypeError):
        return False


def write_manifest(directory: Path) -> None:
    """Sizes and checksums of all files of a finished index."""
    files = sorted(p for p in directory.rglob("*") if p.is_file() and p.name != MANIFEST and "LOCK" not in p.name)
    found = {p.relative_to(directory).as_posix(): (p.stat().st_size, _checksum(p)) for p in files}
    (directory / MANIFEST).write_text(json.dumps({"format": FORMAT, "files": found}), encoding="utf-8")


def _checksum(path: Path) -> str:
    with path.open("rb") as source:
        return hashlib.file_digest(source, "blake2b").hexdigest()
