"""Reading what people really have: one file in, a `Batch` of raw rulings and cards out.

`read` opens a file, tells its format from its content and hands it to the reader of that format. A file that cannot
be used at all raises RulingsError; a record that cannot is quarantined with its reason, and the rest goes on.
"""

from __future__ import annotations

import datetime
import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from indexer.sources.batch import Batch, Collector, Quarantined, ReadOptions
from indexer.sources.detect import FORMATS, detect
from indexer.sources.file_name import date_in, source_in
from indexer.sources.gatherer import read_gatherer
from indexer.sources.jsonl import read_jsonl
from indexer.sources.mtgjson import read_mtgjson
from indexer.sources.opening import Document, open_document
from indexer.sources.release_notes import read_release_notes
from indexer.sources.scryfall import read_scryfall
from indexer.sources.table import read_table
from indexer.sources.text_pages import read_text_pages
from rulings.codec import is_date
from rulings.errors import RulingsError, UsageError
from rulings.rules.parse import parse

__all__ = ["FORMATS", "Batch", "Quarantined", "ReadOptions", "read", "read_many", "walk"]

Reader = Callable[[Document, Collector], None]


def _pages(document: Document, collector: Collector) -> None:
    read_text_pages(document.text(), collector)


def _rules(document: Document, collector: Collector) -> None:
    """Raises RulingsError for what the base could not use afterwards: no rules, or no date to file them under."""
    text = document.text()
    rules, _ = parse(text, path=document.name)
    here = {"Glossary": rules.glossary, "Credits": rules.credits}
    lost = [title for number, title in rules.contents if not number and not here.get(title, True)]
    if lost:
        collector.warn(f"the contents promise {' and '.join(lost)}, not found", kind="cut-off", hint="is it whole?")
    try:
        datetime.date.fromisoformat(rules.effective)
    except ValueError:
        raise RulingsError(
            f"{document.name}: the effective date line of these rules is missing or not readable",
            "a line is expected like: These rules are effective as of September 20, 2024.",
        ) from None
    collector.rules_text = text


_OF_A_BASE = re.compile(r"(?:#[^\n]*\n)*schema: 1\r?\n[a-z]+:")
_EXPECTED = "is it the right file? --format reads it as something else"

READERS: dict[str, tuple[Reader, str]] = {
    "text-pages": (_pages, "text-pages"),
    "scryfall": (read_scryfall, "scryfall"),
    "mtgjson": (read_mtgjson, "mtgjson"),
    "jsonl": (read_jsonl, "jsonl"),
    "csv": (read_table, "csv"),
    "gatherer": (read_gatherer, "gatherer"),
    "release-notes": (read_release_notes, "release-notes"),
    "comprehensive-rules": (_rules, "comprehensive-rules"),
}
"""The reader of each format, and the name of the source where neither the file nor the user names one."""


def read(path: Path, *, options: ReadOptions | None = None) -> Batch:
    """Read one file. Raises RulingsError where it cannot be used at all, UsageError for an unknown `options.format`."""
    options = options or ReadOptions()
    if options.format is not None and options.format not in READERS:
        raise UsageError(f"no format is called {options.format!r}", f"formats: {', '.join(READERS)}")
    if options.as_of is not None and not is_date(options.as_of):
        raise UsageError(f"{options.as_of!r} is no date", "write it as 2024-06-07")
    document = open_document(path, options.display_name)
    if _OF_A_BASE.match(document.head):
        raise RulingsError(
            f"{document.name}: is a file of a base, not a source",
            "rulings --kb FOLDER uses a base; rulings export writes what can be imported into another",
        )
    format = options.format or detect(document.head)
    reader, source = READERS[format]
    if format == "jsonl":
        source = source_in(path) or source
    collector = Collector(document.name, options, options.source or source)
    reader(document, collector)
    document.check_unchanged()
    if collector.as_of is None:
        collector.as_of = date_in(path)
    found = collector.rulings or collector.cards or collector.quarantined or collector.problems
    if not found and collector.rules_text is None:
        collector.warn(f"nothing to import stands in it (read as {format})", kind="nothing", hint=_EXPECTED)
    return collector.batch(format=format, sha256=document.sha256)


def walk(path: Path) -> list[Path]:
    """The files that a path means: itself, or those of a folder in sorted order. What begins with a dot is passed
    over. Raises RulingsError for a folder that is empty or cannot be read."""
    if not path.is_dir():
        return [path]
    faults: list[OSError] = []
    found = []
    for folder, folders, names in os.walk(path, onerror=faults.append):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        found += [Path(folder) / name for name in names if not name.startswith(".")]
    if faults:
        raise RulingsError(f"{path.name}: the folder cannot be read: {faults[0].strerror or faults[0]}")
    if not found:
        raise RulingsError(f"{path.name}: no file is in the folder")
    return sorted(file for file in found if file.is_file())


def read_many(paths: Iterable[Path], *, options: ReadOptions | None = None) -> Iterator[Batch | RulingsError]:
    """Read all files, folders too, one after the other: a batch, or the error of the file that cannot be used."""
    options = options or ReadOptions()
    for path in paths:
        for file in walk(path):
            name = file.relative_to(path).as_posix() if file != path else file.name
            try:
                yield read(file, options=replace(options, display_name=options.display_name or name))
            except UsageError:
                raise
            except RulingsError as error:
                yield error
