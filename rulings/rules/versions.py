"""All versions of the Comprehensive Rules that a base has, ordered by effective date.

A folder of files in (`<effective date>.txt`, also gzipped; verbatim as published), `Versions` out.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path

from rulings.errors import DataError, Problem
from rulings.rules.history import History, build_history
from rulings.rules.model import ComprehensiveRules
from rulings.rules.parse import parse
from rulings.rules.resolve import Resolution, Trace, resolve, trace

MAX_BYTES = 20_000_000
"""The newest version has under a million; a gzipped file that unpacks to more than this is refused."""


class Versions:
    """Versions ordered by date, each date once. `history` is built on first use, or given where it was kept."""

    def __init__(
        self,
        versions: Iterable[ComprehensiveRules],
        *,
        problems: Iterable[Problem] = (),
        history: History | None = None,
    ) -> None:
        by_date: dict[str, ComprehensiveRules] = {}
        for version in versions:
            by_date.setdefault(version.effective, version)
        self.all: tuple[ComprehensiveRules, ...] = tuple(by_date[date] for date in sorted(by_date))
        self.problems: tuple[Problem, ...] = tuple(problems)
        self._kept = history

    def __len__(self) -> int:
        return len(self.all)

    @property
    def dates(self) -> tuple[str, ...]:
        """Effective dates, oldest first."""
        return tuple(version.effective for version in self.all)

    @property
    def latest(self) -> ComprehensiveRules | None:
        """The newest version, None where there is none."""
        return self.all[-1] if self.all else None

    def at(self, date: str) -> ComprehensiveRules | None:
        """The version in force on that day; None where all are younger."""
        return next((version for version in reversed(self.all) if version.effective <= date), None)

    @cached_property
    def history(self) -> History:
        """The lives of all rules. A kept history of other versions is not used."""
        if self._kept is not None and self._kept.dates == self.dates:
            return self._kept
        return build_history(self.all)

    def resolve(self, number: str, cited_on: str | None = None) -> Resolution:
        """See `rulings.rules.resolve.resolve`."""
        return resolve(self.history, number, cited_on)

    def trace(self, number: str, as_of: str | None = None) -> Trace | None:
        """See `rulings.rules.resolve.trace`."""
        return trace(self.history, number, as_of)

    def text(self, number: str, date: str) -> str | None:
        """The words of a rule in the version of exactly this date."""
        version = next((v for v in self.all if v.effective == date), None)
        rule = version.get(number) if version else None
        return rule.text if rule else None


def load_versions(folder: Path) -> Versions:
    """Every version in `folder`. A file that is no rules, or repeats a date, is a problem in `.problems`."""
    versions: list[ComprehensiveRules] = []
    problems: list[Problem] = []
    paths = sorted(p for p in folder.iterdir() if p.name.endswith((".txt", ".txt.gz"))) if folder.is_dir() else []
    for path in paths:
        try:
            rules, found = parse(read_text(path), path=path.name)
        except DataError as error:
            problems.append(Problem(path.name, error.message, error.hint, kind="no-rules"))
            continue
        problems += found
        if any(rules.effective == other.effective for other in versions):
            problems.append(
                Problem(path.name, f"a second file of {rules.effective}", "remove one", kind="repeated-date")
            )
            continue
        versions.append(rules)
    return Versions(versions, problems=problems)


def read_text(path: Path) -> str:
    """The text of a rules file, gzipped or not, line ends untouched. Raises `DataError` for what is no UTF-8 text."""
    try:
        if path.name.endswith(".gz"):
            with gzip.open(path) as stream:
                data = stream.read(MAX_BYTES + 1)
        else:
            with path.open("rb") as stream:
                data = stream.read(MAX_BYTES + 1)
    except (OSError, EOFError) as error:
        raise DataError(f"{path.name}: cannot be read: {error}") from error
    if len(data) > MAX_BYTES:
        raise DataError(f"{path.name}: over {MAX_BYTES} bytes", hint="the Comprehensive Rules have about a million")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        hint = "save the file as UTF-8" if error.start else "this is no text file"
        raise DataError(f"{path.name}: byte {error.start} is not UTF-8", hint=hint) from error
