"""Notes on vocabulary that the rules have retired: what is meant today, since when, and why.

A ruling's text and date in, `StaleNote`s out; the terms are data (`stale.yaml`). A note never hides a ruling.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise

import yaml

from rulings.rules.model import ComprehensiveRules


@dataclass(frozen=True, slots=True)
class StaleTerm:
    """A retired expression. `since`: when the rules changed; `derived` says that a version without it showed that.

    `after` is set with a derived date: the last version that still had it, so the change came between the two.
    """

    key: str
    pattern: re.Pattern[str]
    now: str
    reason: str
    since: str | None = None
    before: bool = False
    rule: str | None = None
    gone: re.Pattern[str] | None = None
    derived: bool = False
    after: str | None = None


@dataclass(frozen=True, slots=True)
class StaleNote:
    """One retired expression in a text, at characters `start` to `end`. `found` is what stands there."""

    key: str
    found: str
    start: int
    end: int
    now: str
    since: str | None
    reason: str
    rule: str | None = None
    published_before: bool = True

    def __str__(self) -> str:
        when = f", since {self.since}" if self.since else ""
        return f'"{self.found}": now {self.now}{when}. {self.reason}'


@cache
def shipped_terms() -> tuple[StaleTerm, ...]:
    """The terms of `stale.yaml`, with the dates that are written there."""
    rows = yaml.safe_load(files("rulings.rules").joinpath("stale.yaml").read_text(encoding="utf-8"))
    return tuple(
        StaleTerm(
            key=row["key"],
            pattern=re.compile(row["pattern"], re.IGNORECASE),
            now=row["now"],
            reason=row["reason"],
            since=row.get("since"),
            before=bool(row.get("before")),
            rule=row.get("rule"),
            gone=re.compile(row["gone"], re.IGNORECASE | re.MULTILINE) if row.get("gone") else None,
        )
        for row in rows
    )


def stale_terms(versions: Sequence[ComprehensiveRules] = ()) -> tuple[StaleTerm, ...]:
    """The terms, those that vanished from the rules dated by the versions (oldest first).

    A day that is known is kept where it lies between the last version with the term and the first without it.
    """
    texts = {v.effective: "\n".join(rule.text for rule in v.rules).translate(_STRAIGHT) for v in versions}
    return tuple(_dated(term, texts) for term in shipped_terms())


def _dated(term: StaleTerm, texts: dict[str, str]) -> StaleTerm:
    if term.gone is None or len(texts) < 2:
        return term
    says = [(date, term.gone.search(text) is not None) for date, text in texts.items()]
    for (last, had), (first, has) in pairwise(says):
        if had and not has and not any(later for date, later in says if date > first):
            known = term.since if term.since and last < term.since <= first else first
            return StaleTerm(term.key, term.pattern, term.now, term.reason, known, term.before, term.rule, term.gone,
                             derived=True, after=last)  # fmt: skip
    return term


def notes(text: str, date: str | None = None, terms: Sequence[StaleTerm] | None = None) -> tuple[StaleNote, ...]:
    """The retired expressions in a ruling's text, in order, one a term. `date`: when it was published, None unknown.

    `published_before` of a note is False where the ruling is younger than the change and says the old word anyway.
    """
    found = []
    plain = text.translate(_STRAIGHT)
    for term in terms if terms is not None else shipped_terms():
        younger = bool(date and term.since and date >= term.since)
        if term.before and younger:
            continue
        match = term.pattern.search(plain)
        if match:
            start, end = match.span()
            found.append(
                StaleNote(
                    term.key, text[start:end], start, end, term.now, term.since, term.reason, term.rule, not younger
                )
            )
    return tuple(sorted(found, key=lambda note: note.start))


_STRAIGHT = str.maketrans("’‘“”", "''\"\"")
