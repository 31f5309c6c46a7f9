"""What became of a rule number: as cited on a day, and today; and the whole life of a rule.

A `History` and a number in, a `Resolution` or a `Trace` out. Unknown, moved and *exists but says something else now*
are three different answers.
"""

from __future__ import annotations

from dataclasses import dataclass

from rulings.rules.history import History, Life, Stage
from rulings.rules.number import RuleNumber, rule_number

STATUSES = ("same", "reworded", "moved", "now-something-else", "removed", "unknown")
"""same: number and words (typography and cross-references apart); reworded: same number, other words; moved: another
number, the old one unused; now-something-else: another number, and the old one holds a different rule; removed: no rule
says it today; unknown: never a number in any version."""


@dataclass(frozen=True, slots=True)
class Resolution:
    """Where the rule cited as `number` stands today.

    `version` is the effective date of the version that the number was read in, `today` the number now (None: removed
    or unknown), `old_number_today` says what the number is now: "same rule", "something else" or "unused".
    `last_in_these_words` is the last version that had these words under this number; `number_left_in` the first version
    in which the rule had the number no more. `note` tells what the reader should know besides.
    """

    number: str
    status: str
    today: RuleNumber | None = None
    version: str = ""
    old_number_today: str = "unused"
    last_in_these_words: str | None = None
    number_left_in: str | None = None
    note: str = ""


def resolve(history: History, number: str, cited_on: str | None = None) -> Resolution:
    """Carries `number`, as it stood on the day `cited_on` (ISO), to today. Without a day it is read as today's."""
    canonical = rule_number(number)
    if canonical is None or not history.dates or not history.holders(canonical):
        return Resolution(number, "unknown", note="no version we have has a rule of this number")
    index, note = _version(history, canonical, cited_on)
    life = history.holder(canonical, index)
    assert life is not None  # _version gives only versions that have the number
    cited = life.at(index)
    now = life.at(history.today)
    assert cited is not None
    if now is None:
        status, today = "removed", None
    elif now.number == canonical:
        status, today = ("same" if now.key == cited.key else "reworded"), now.number
    else:
        taken = history.holder(canonical, history.today) is not None
        status, today = ("now-something-else" if taken else "moved"), now.number
    holder = history.holder(canonical, history.today)
    return Resolution(
        number=canonical,
        status=status,
        today=today,
        version=history.dates[index],
        old_number_today="unused" if holder is None else "same rule" if holder is life else "something else",
        last_in_these_words=history.dates[cited.last],
        number_left_in=_left(history, life, canonical, index),
        note=note,
    )


def _version(history: History, number: RuleNumber, cited_on: str | None) -> tuple[int, str]:
    """The version to read `number` in, and a note where that is not plainly the one in force."""
    if cited_on is None:
        index = history.today
        if history.holder(number, index):
            return index, ""
        stage, _ = history.holders(number)[-1]
        return stage.last, f"read in the rules of {history.dates[stage.last]}, the last that have it"
    index = history.in_force(cited_on)
    note = ""
    if cited_on < history.dates[0]:
        note = f"older than our oldest version; read in that of {history.dates[0]}"
    after = index + 1
    if history.holder(number, index) is None:
        if after <= history.today and history.holder(number, after):
            return after, f"not yet in the rules of {history.dates[index]}; read in those of {history.dates[after]}"
        held = [stage for stage, _ in history.holders(number)]
        nearest = min(held, key=lambda s: min(abs(s.first - index), abs(s.last - index)))
        index = nearest.last if nearest.last < index else nearest.first
        return index, f"not a number on {cited_on}; read in the rules of {history.dates[index]}"
    life = history.holder(number, index)
    unseen = after <= history.today and cited_on > history.dates[index] and history.holder(number, after) is not life
    if unseen and not note:
        note = f"read in the rules of {history.dates[index]}; by {history.dates[after]} the number had another rule"
    return index, note


def _left(history: History, life: Life, number: RuleNumber, index: int) -> str | None:
    """The first version after `index` in which the rule no longer has the number, None if it still has it."""
    for version in range(index + 1, history.today + 1):
        stage = life.at(version)
        if stage is None or stage.number != number:
            return history.dates[version]
    return None


@dataclass(frozen=True, slots=True)
class Step:
    """One stage of a rule's life: from version `since` to version `until` it had this number and these words.

    `changes` says what was new at its start: "new" (or "first known" in the oldest version), "moved", "reworded",
    "back". `after` is the version before `since`: the change was made between the two.
    """

    number: RuleNumber
    since: str
    until: str
    after: str | None
    changes: tuple[str, ...]
    key: str


@dataclass(frozen=True, slots=True)
class Trace:
    """One rule's life, and the other rules that had its number. `removed_in` is set where no rule says it today."""

    number: RuleNumber
    today: RuleNumber | None
    steps: tuple[Step, ...]
    removed_in: str | None
    others: tuple[tuple[Step, RuleNumber | None], ...]  # (when it had the number, where that rule stands today)


def trace(history: History, number: str, as_of: str | None = None) -> Trace | None:
    """The life of the rule that had `number` on the day `as_of` (default: today, else the last to have it)."""
    canonical = rule_number(number)
    if canonical is None or not history.holders(canonical):
        return None
    index, _ = _version(history, canonical, as_of)
    life = history.holder(canonical, index)
    assert life is not None
    now = life.at(history.today)
    last = life.stages[-1].last
    others = []
    for stage, other in history.holders(canonical):
        if other is not life:
            then = other.at(history.today)
            others.append((_step(history, other, stage), then.number if then else None))
    return Trace(
        number=canonical,
        today=now.number if now else None,
        steps=tuple(_step(history, life, stage) for stage in life.stages),
        removed_in=None if now else history.dates[last + 1],
        others=tuple(others),
    )


def _step(history: History, life: Life, stage: Stage) -> Step:
    at = life.stages.index(stage)
    before = life.stages[at - 1] if at else None
    changes = []
    if before is None:
        changes.append("first known" if stage.first == 0 else "new")
    else:
        if before.last != stage.first - 1:
            changes.append("back")
        if before.number != stage.number:
            changes.append("moved")
        if before.key != stage.key:
            changes.append("reworded")
    after = history.dates[stage.first - 1] if stage.first else None
    since, until = history.dates[stage.first], history.dates[stage.last]
    return Step(stage.number, since, until, after, tuple(changes), stage.key)
