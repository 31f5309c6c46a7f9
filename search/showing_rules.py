"""The view of a rule or a glossary term: text, children, effective date, life, and the rulings it bears on."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rulings.errors import UsageError
from rulings.rules import Found, Resolution, Rule, Trace, Versions, lookup
from rulings.rules.number import read
from rulings.snapshot import Snapshot
from rulings.text import printable

_MOST_RULINGS = 10
_MOST_CHILDREN = 60


def find_rule(
    base: Path, snapshot: Snapshot, asked: str, *, as_of: str | None, trace: bool, terms: bool
) -> RuleView | None:
    """The rule that `asked` names; with `terms`, also the keyword or glossary entry. None where it names none.

    Raises UsageError where it does but the base holds no Comprehensive Rules (of that day).
    """
    if not terms and read(asked) is None:
        return None
    from indexer.cache import cache_of
    from indexer.make import latest_of, versions_of

    versions = versions_of(base, cache_of(base)) if as_of or trace else latest_of(base)
    rules = versions.at(as_of) if as_of else versions.latest
    if rules is None:
        if terms:
            return None
        what = f"no Comprehensive Rules of {as_of} or before" if as_of else "no Comprehensive Rules"
        raise UsageError(f"the base holds {what}", "get them: rulings fetch rules && rulings import rulings-downloads")
    found = lookup(rules, asked)
    if found is None:
        return None
    number = str(found.number) if found.number else None
    life = versions.trace(number, as_of) if trace and number else None
    moved = None
    if number and found.rule is None:
        versions = versions_of(base, cache_of(base))
        moved = versions.resolve(number, as_of)
    elif number and as_of:
        moved = versions.resolve(number, as_of)
    return RuleView(snapshot, asked, found, versions, life, moved)


def has_rules(base: Path) -> bool:
    """Whether the base holds Comprehensive Rules of any day."""
    from indexer.make import latest_of

    return latest_of(base).latest is not None


@dataclass
class RuleView:
    """One rule, or a term with the rule that defines it."""

    snapshot: Snapshot
    asked: str
    found: Found
    versions: Versions
    life: Trace | None = None
    moved: Resolution | None = None

    @property
    def exit_code(self) -> int:
        return 0 if self.found.rule or self.found.definition else 1

    def lines(self, options: object) -> Iterator[str]:
        f = self.found
        definition = f.definition
        if definition is not None:
            yield printable(definition.term)
            if definition.entry is not None:
                yield from _wrap(definition.entry.text, "  ")
            yield ""
        for heading in f.headings:
            yield printable(f"{heading.number}. {heading.text}")
        if f.rule is not None:
            yield from _rule_lines(f.rule)
            for child in f.children[:_MOST_CHILDREN]:
                yield from _rule_lines(child)
            if len(f.children) > _MOST_CHILDREN:
                yield f"  and {len(f.children) - _MOST_CHILDREN} more"
        elif self.moved is not None and self.moved.status == "unknown":
            others = "; nor has any other version here" if len(self.versions) > 1 else ""
            yield f"{f.number}: no rule has this number in the rules of {f.effective}{others}"
            return
        elif f.number:
            yield f"{f.number}: no rule has this number in the rules of {f.effective}"
        yield f"effective {f.effective}"
        if self.moved is not None:
            yield from _moved_lines(self.moved)
        if self.life is not None:
            yield ""
            yield from self._trace(self.life)
        if f.number:
            yield from self._rulings(str(f.number))

    def _rulings(self, number: str) -> Iterator[str]:
        ids = self.snapshot.bearing_on(number)
        if not ids:
            return
        yield ""
        yield f"{len(ids)} ruling{'s' if len(ids) != 1 else ''} on which {number} bears:"
        for r in self.snapshot.rulings(ids[:_MOST_RULINGS]):
            name = r.cards[0] if len(r.cards) == 1 else f"on {len(r.cards)} cards"
            text = r.text.replace("~", "[this card]" if len(r.cards) > 1 else r.cards[0])
            yield f"  {r.id}  {printable(name)}: {textwrap.shorten(printable(text), 90, placeholder=' …')}"
        if len(ids) > _MOST_RULINGS:
            yield f"  all of them: rulings search rule:{number}"

    def _trace(self, life: Trace) -> Iterator[str]:
        yield f"The life of {life.number}:"
        for step in life.steps:
            what = ", ".join(step.changes)
            yield f"  {step.since} to {step.until}  {step.number}  {what}"
            text = self.versions.text(str(step.number), step.since)
            if text and "reworded" not in step.changes:
                yield f"      {textwrap.shorten(printable(text), 90, placeholder=' …')}"
        if life.removed_in:
            yield f"  removed in the rules of {life.removed_in}"
        elif life.today:
            yield f"  today {life.today}"
        for step, today in life.others:
            where = f"today {today}" if today else "removed since"
            yield f"  {step.since} to {step.until}  {step.number} was another rule ({where})"

    def to_json(self) -> dict[str, Any]:
        f = self.found
        number = str(f.number) if f.number else None
        return {
            "asked": self.asked,
            "number": number,
            "effective": f.effective,
            "text": f.rule.text if f.rule else None,
            "examples": list(f.rule.examples) if f.rule else [],
            "headings": [{"number": str(h.number), "text": h.text} for h in f.headings],
            "children": [{"number": str(c.number), "text": c.text} for c in f.children],
            "term": f.definition.term if f.definition else None,
            "glossary": f.definition.entry.text if f.definition and f.definition.entry else None,
            "rulings": list(self.snapshot.bearing_on(number)) if number else [],
            "today": str(self.moved.today) if self.moved and self.moved.today else None,
            "status": self.moved.status if self.moved else None,
            "trace": [
                {"number": str(s.number), "since": s.since, "until": s.until, "changes": list(s.changes)}
                for s in self.life.steps
            ]
            if self.life
            else None,
        }


def _moved_lines(moved: Resolution) -> Iterator[str]:
    said = {
        "same": "it stands so today",
        "reworded": "the same number today, in other words",
        "moved": f"today it is {moved.today}",
        "now-something-else": f"today it is {moved.today}; {moved.number} is another rule now",
        "removed": "no rule says it today",
    }[moved.status]
    yield f"{moved.number}: {said}" + (f" ({printable(moved.note)})" if moved.note else "")


def _rule_lines(rule: Rule) -> Iterator[str]:
    text = re.sub(r"\n+", "\n", rule.text)
    dot = "." if str(rule.number)[-1].isdigit() else ""
    yield from _wrap(f"{rule.number}{dot} {text}", "  ")
    for example in rule.examples:
        yield from _wrap(example if example.startswith("Example") else f"Example: {example}", "      ")


def _wrap(text: str, indent: str) -> Iterator[str]:
    for line in printable(text).split("\n"):
        yield from textwrap.wrap(line, 100, initial_indent=indent, subsequent_indent=indent + "  ") or [""]
