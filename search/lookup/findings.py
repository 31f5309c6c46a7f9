"""What a check finds: places in the text, each with one verdict."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

RULING_VERDICTS = (
    "exact",
    "older-wording",
    "altered",
    "altered-dangerous",
    "outdated",
    "wrong-card",
    "not-found",
)
RULE_VERDICTS = ("ok", "moved", "removed", "unknown")
ID_VERDICTS = ("ok", "alias", "ambiguous", "withdrawn", "unknown")

FINE = frozenset({"exact", "ok", "named"})
"""Verdicts that need no correction."""
WORST_FIRST = (
    "altered-dangerous",
    "wrong-card",
    "unknown",
    "not-found",
    "removed",
    "withdrawn",
    "outdated",
    "moved",
    "altered",
    "older-wording",
    "ambiguous",
    "alias",
    "exact",
    "ok",
    "named",
)


@dataclass(frozen=True, slots=True)
class Difference:
    """One place where a quotation is not its ruling. `start` and `end` are characters of the text (equal where words
    are missing); `said` stands there, `meant` in the ruling. `kind`: `word`, `punctuation`, `name`, or what makes it
    dangerous: `negation`, `number`, `keyword`, `symbol`, `type`, `modal`, `colour`, `player`, `zone`, `time`,
    `action`, `meaning`."""

    kind: str
    said: str
    meant: str
    start: int
    end: int

    @property
    def dangerous(self) -> bool:
        return self.kind not in ("word", "punctuation", "name")

    def __str__(self) -> str:
        if not self.said:
            return f"{self.kind}: “{self.meant}” is missing"
        if not self.meant:
            return f"{self.kind}: “{self.said}” is not in the ruling"
        return f"{self.kind}: “{self.said}” instead of “{self.meant}”"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing found in a text. `text[start:end]` is what was found, quotation marks excluded.

    `kind`: `ruling` (a quotation), `rule`, `id` (a full id or a short citation), `card`, `policy` (MTR or IPG).
    `card` has the ruling; `cited_card` is whom the text ascribes it to. `today` is the wording on that card (a
    quotation), the number (a rule) or the id (an id) that holds today. `since` and `until` bound an older wording.
    `partial`: whole sentences out of a longer ruling. `also` are the other cards that have the ruling.
    """

    start: int
    end: int
    kind: str
    verdict: str
    card: str | None = None
    cited_card: str | None = None
    number: str | None = None
    today: str | None = None
    ruling_id: str | None = None
    ruling_text: str | None = None
    differences: tuple[Difference, ...] = ()
    message: str = ""
    also: tuple[str, ...] = ()
    partial: bool = False
    since: str | None = None
    until: str | None = None
    cited_on: str | None = None
    candidates: tuple[str, ...] = field(default=())

    @property
    def fine(self) -> bool:
        """Whether it needs no correction."""
        return self.verdict in FINE

    def to_plain(self) -> dict[str, Any]:
        """As JSON has it: empty fields left out, but never the place, kind and verdict."""
        out: dict[str, Any] = {}
        for spec in fields(self):
            value = getattr(self, spec.name)
            if spec.name == "differences":
                value = [{name: getattr(d, name) for name in ("kind", "said", "meant", "start", "end")} for d in value]
            elif isinstance(value, tuple):
                value = list(value)
            if value or spec.name in ("start", "end", "kind", "verdict"):
                out[spec.name] = value
        return out

    def for_scorer(self) -> dict[str, Any]:
        """What an evaluation compares."""
        row = {name: getattr(self, name) for name in ("start", "end", "kind", "verdict")}
        return row | {name: value for name in ("card", "number", "today") if (value := getattr(self, name))}
