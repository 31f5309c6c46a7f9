"""Problems in data, and errors of use.

Faults in data are values (`Problem`): they are collected and all reported at once, and the rest of the data goes
on. Exceptions are for what cannot go on at all; `search.cli` alone turns them into exit codes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault in somebody's data: where it is, what was found, what to do about it.

    `line` is 1-based, or None where the place is named in `where` (a JSON path, a ruling id).
    `kind` is a short stable key (`ambiguous-date`, `symbol-loss`), for reports and tests.
    """

    path: str
    message: str
    hint: str = ""
    line: int | None = None
    where: str = ""
    kind: str = "problem"
    severity: str = "error"  # "error" | "warning"

    def __str__(self) -> str:
        place = self.path
        if self.line is not None:
            place += f":{self.line}"
        if self.where:
            place += f" {self.where}"
        text = f"{place}: {self.message}"
        return f"{text} ({self.hint})" if self.hint else text


class RulingsError(Exception):
    """Something that stops a command. `hint` says what to do next."""

    exit_code = 1

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageError(RulingsError):
    """The command or the query was written wrongly (exit code 2)."""

    exit_code = 2


class QueryError(UsageError):
    """A query that cannot be understood. `column` is the 0-based offset of the fault in the query."""

    def __init__(self, message: str, query: str, column: int, hint: str = "") -> None:
        super().__init__(message, hint)
        self.query = query
        self.column = column


class DataError(RulingsError):
    """The data cannot be used at all; `problems` says why, one by one (exit code 1)."""

    def __init__(self, message: str, problems: Sequence[Problem] = (), hint: str = "") -> None:
        super().__init__(message, hint)
        self.problems = tuple(problems)
