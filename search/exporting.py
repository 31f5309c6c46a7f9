"""Writing a base for other tools: JSONL, CSV, and one archive of everything.

Each line of JSONL holds one record with the names that every output uses; the importer reads occurrences again. The
same base gives the same bytes.
"""

from __future__ import annotations

import contextlib
import csv as csv_format
import gzip
import io
import json
import os
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from indexer.build import files_of
from rulings import codec, transaction
from rulings.snapshot import Snapshot
from search.showing import ruling_json

OCCURRENCE_FIELDS = ("id", "oracle_id", "card", "source", "published_at", "comment", "shown", "missing_since")
_SPREADSHEET_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def records(snapshot: Snapshot, what: str, since: str | None = None) -> Iterator[dict[str, Any]]:
    """The records of an export, by id or name."""
    if what == "cards":
        for card in snapshot.cards():
            yield codec.card_to_plain(card)
        return
    oracle_ids = {card.name: card.oracle_id for card in snapshot.cards()}
    for r in snapshot.rulings():
        if what == "rulings":
            if since is None or (r.date or "") >= since:
                yield ruling_json(snapshot, r)
            continue
        for o in r.occurrences:
            if since is not None and (o.date or "") < since:
                continue
            row = (
                r.id,
                o.oracle_id or oracle_ids.get(o.card),
                o.card,
                o.source,
                o.date,
                r.verbatim(o),
                r.shown(o),
                o.missing_since,
            )
            yield dict(zip(OCCURRENCE_FIELDS, row, strict=True))


def table(snapshot: Snapshot, out: Path, what: str, *, csv: bool, since: str | None = None) -> int:
    """Write records to `out`; returns their number. CSV of rulings joins lists with ` | `."""
    n = 0
    with _text_file(out) as handle:
        writer = None
        for n, record in enumerate(records(snapshot, what, since), 1):  # noqa: B007
            if not csv:
                handle.write(json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n")
                continue
            flat = {key: _cell(value) for key, value in record.items()}
            if writer is None:
                fields = (
                    list(flat) if what != "cards" else ["name", "oracle_id", "mana_cost", "type_line", "oracle_text"]
                )
                writer = csv_format.DictWriter(handle, fields, extrasaction="ignore", lineterminator="\n")
                writer.writeheader()
            writer.writerow(flat)
    return n


def _cell(value: Any) -> str:
    """A value for a spreadsheet. A leading apostrophe keeps a text from being run as a formula."""
    if value is None:
        return ""
    if isinstance(value, list):
        value = " | ".join(v if isinstance(v, str) else json.dumps(v, ensure_ascii=False) for v in value)
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return "'" + text if text.startswith(_SPREADSHEET_FORMULA) else text


@contextlib.contextmanager
def _text_file(out: Path) -> Iterator[IO[str]]:
    """A text file that appears whole or not at all; gzipped (without a time stamp) where the name says so."""
    with _beside(out) as raw:
        stream: Any = gzip.GzipFile(filename="", fileobj=raw, mode="wb", mtime=0) if out.name.endswith(".gz") else raw
        text = io.TextIOWrapper(stream, encoding="utf-8", newline="")
        yield text
        text.detach()  # flushes, and leaves the stream open
        if stream is not raw:
            stream.close()


@contextlib.contextmanager
def _beside(out: Path) -> Iterator[IO[bytes]]:
    handle, name = tempfile.mkstemp(dir=out.parent, prefix=f".{out.name}.")
    try:
        with os.fdopen(handle, "wb") as raw:
            yield raw
        Path(name).chmod(0o644)
        Path(name).replace(out)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def archive(base: Path, out: Path) -> int:
    """All files of a base in one .tar.gz that rebuilds it; returns their number. No index is in it."""
    with transaction.reading(base):
        names = [*files_of(base), *_also(base)]
        with (
            _beside(out) as raw,
            gzip.GzipFile(filename="", fileobj=raw, mode="wb", mtime=0) as packed,
            tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as tar,
        ):
            for name in sorted(names):
                body = (base / name).read_bytes()
                entry = tarfile.TarInfo(f"rulings-base/{name}")
                entry.size = len(body)
                tar.addfile(entry, io.BytesIO(body))
    return len(names)


def _also(base: Path) -> list[str]:
    found = [p for tree in ("imports", "quarantine") for p in sorted((base / tree).glob("*")) if p.is_file()]
    return [p.relative_to(base).as_posix() for p in found] + ([".gitignore"] if (base / ".gitignore").is_file() else [])
