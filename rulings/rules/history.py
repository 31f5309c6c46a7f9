"""The lives of rules: each rule followed through all versions, by content.

Built once from the versions (a few seconds), kept as plain data (`to_plain`, `from_plain`), so that `resolve` and
`trace` need no rules text. A life is a list of stages; a stage is a run of versions in which the rule had one number
and one wording.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from rulings.rules.compare import compare, content_key, words_of
from rulings.rules.model import ComprehensiveRules
from rulings.rules.number import RuleNumber, rule_number

SCHEMA = 1


@dataclass(frozen=True, slots=True)
class Stage:
    """One number and one wording, from version `first` to version `last` (indices, both included)."""

    number: RuleNumber
    key: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Life:
    """One rule through the versions, oldest stage first. It may pause: a rule taken out can come back."""

    stages: tuple[Stage, ...]

    def at(self, version: int) -> Stage | None:
        """The stage in that version, None where the rule was not in it."""
        return next((s for s in self.stages if s.first <= version <= s.last), None)


@dataclass(frozen=True, slots=True)
class History:
    """All lives, and the effective dates of the versions, oldest first."""

    dates: tuple[str, ...]
    lives: tuple[Life, ...]
    _holders: dict[RuleNumber, list[tuple[Stage, Life]]] = field(init=False, repr=False, compare=False, hash=False)

    def __post_init__(self) -> None:
        holders: dict[RuleNumber, list[tuple[Stage, Life]]] = defaultdict(list)
        for life in self.lives:
            for stage in life.stages:
                holders[stage.number].append((stage, life))
        for held in holders.values():
            held.sort(key=lambda pair: pair[0].first)
        object.__setattr__(self, "_holders", dict(holders))

    @property
    def today(self) -> int:
        """The index of the newest version."""
        return len(self.dates) - 1

    def in_force(self, date: str) -> int:
        """The version in force on that day: the newest that was effective by then, or the oldest of all."""
        return max(bisect_right(self.dates, date) - 1, 0)

    def holder(self, number: RuleNumber, version: int) -> Life | None:
        """The rule that had this number in that version."""
        for stage, life in self._holders.get(number, ()):
            if stage.first <= version <= stage.last:
                return life
        return None

    def holders(self, number: RuleNumber) -> list[tuple[Stage, Life]]:
        """Every stage that had this number, oldest first, with its life."""
        return list(self._holders.get(number, ()))


def build_history(versions: Sequence[ComprehensiveRules]) -> History:
    """Follows each rule through `versions` (oldest first)."""
    lives: list[list[Stage]] = []
    at: dict[RuleNumber, int] = {}  # number in the version before -> index of its life
    ended: dict[str, int] = {}  # words of a rule taken out -> its life
    said_before: dict[RuleNumber, tuple[str, ...]] = {}
    for index, version in enumerate(versions):
        said = words_of(version)
        comparison = compare(versions[index - 1], version, (said_before, said)) if index else None
        said_before = said
        came_from = {new: old for old, new in comparison.pairs.items()} if comparison else {}
        if comparison:
            for number in comparison.removed:
                ended[lives[at[number]][-1].key] = at[number]
        now: dict[RuleNumber, int] = {}
        for rule in version.rules:
            if rule.number in now:
                continue
            key = content_key(said[rule.number])
            before = came_from.get(rule.number)
            life = at[before] if before is not None else None
            if life is None and key in ended and len(said[rule.number]) > 4:
                life = ended.pop(key)
            if life is None:
                life = len(lives)
                lives.append([])
            now[rule.number] = life
            _extend(lives[life], rule.number, key, index)
        at = now
    return History(tuple(v.effective for v in versions), tuple(Life(tuple(stages)) for stages in lives))


def _extend(stages: list[Stage], number: RuleNumber, key: str, index: int) -> None:
    last = stages[-1] if stages else None
    if last and last.number == number and last.key == key and last.last == index - 1:
        stages[-1] = Stage(number, key, last.first, index)
    else:
        stages.append(Stage(number, key, index, index))


def to_plain(history: History) -> dict[str, Any]:
    """`history` as what JSON can hold (about 250 KB for 29 versions)."""
    lives = [[[s.number, s.key, s.first, s.last] for s in life.stages] for life in history.lives]
    return {"schema": SCHEMA, "dates": list(history.dates), "lives": lives}


def from_plain(data: Any) -> History | None:
    """What `to_plain` gave, or None where `data` is something else or of another schema (then build it again)."""
    try:
        if data["schema"] != SCHEMA:
            return None
        dates = tuple(str(date) for date in data["dates"])
        lives = []
        for stages in data["lives"]:
            made = []
            for number, key, first, last in stages:
                canonical = rule_number(number)
                if canonical is None or not 0 <= int(first) <= int(last) < len(dates):
                    return None
                made.append(Stage(canonical, str(key), int(first), int(last)))
            lives.append(Life(tuple(made)))
    except (TypeError, KeyError, ValueError, AttributeError):
        return None
    return History(dates, tuple(lives))
