"""What an import did: counts, repairs, what was put aside. For people and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from indexer.sources import Batch, Quarantined
from rulings.errors import Problem
from rulings.model import Knowledge
from rulings.rules import parse


@dataclass(frozen=True, slots=True)
class Counts:
    """Occurrences: read, new, known, gone from their source; and rulings that a source lacks in any wording."""

    read: int
    new: int
    known: int
    gone: int
    missing: int


@dataclass(frozen=True, slots=True)
class Report:
    """What an import did, for people and as JSON. `gone` are occurrences that the new state of their source lacks;
    `missing` are those of them of which it has no other wording on that card."""

    files: tuple[dict[str, str], ...]
    read: int
    new: int
    known: int
    gone: int
    missing: int
    rulings: int
    shared: int
    occurrences: int
    new_rulings: int
    reviews: int
    repaired: Mapping[str, int]
    normalised: Mapping[str, int]
    damage: Mapping[str, int]
    quarantined: tuple[Quarantined, ...]
    problems: tuple[Problem, ...]
    cards: int
    rules: Mapping[str, str]  # path -> what it brought
    changed: tuple[str, ...]
    seconds: float
    steps: Mapping[str, float]

    def to_json(self) -> dict[str, Any]:
        names = (
            "read",
            "new",
            "known",
            "gone",
            "missing",
            "rulings",
            "shared",
            "occurrences",
            "new_rulings",
            "reviews",
            "cards",
        )
        return {
            "files": list(self.files),
            **{name: getattr(self, name) for name in names},
            "repaired": dict(self.repaired),
            "normalised": dict(self.normalised),
            "damage": dict(self.damage),
            "comprehensive_rules": list(self.rules),
            "quarantined": [q.as_json() for q in self.quarantined],
            "problems": [_problem_json(p) for p in self.problems],
            "changed": list(self.changed),
            "seconds": round(self.seconds, 3),
            "steps": {k: round(v, 3) for k, v in self.steps.items()},
        }


def _problem_json(p: Problem) -> dict[str, Any]:
    return {"path": p.path, "line": p.line, "where": p.where, "kind": p.kind, "message": p.message, "hint": p.hint}


def _rules_in(text: str) -> str:
    rules, _ = parse(text)
    return f"{rules.effective}: {len(rules.rules):,} rules, {len(rules.glossary):,} glossary entries"


def make_report(
    knowledge: Knowledge,
    batches: Sequence[Batch],
    counts: Counts,
    new_ids: Sequence[str],
    steps: Mapping[str, int],
    quarantined: Sequence[Quarantined],
) -> Report:
    """The report of a base after taking in `batches`."""
    return Report(
        files=tuple(
            {"path": b.path, "format": b.format, "source": b.source, "as_of": b.as_of or "", "sha256": b.sha256}
            for b in batches
        ),
        read=counts.read,
        new=counts.new,
        known=counts.known,
        gone=counts.gone,
        missing=counts.missing,
        rulings=len(knowledge.rulings),
        shared=sum(len(r.cards) > 1 for r in knowledge.rulings),
        occurrences=sum(len(r.occurrences) for r in knowledge.rulings),
        new_rulings=len(new_ids),
        reviews=len(knowledge.reviews),
        repaired=Counter(
            v.why
            for r in knowledge.rulings
            for o in r.occurrences
            if o.variant
            for v in r.variants
            if v.key == o.variant
        ),
        normalised=steps,
        damage=Counter(kind for r in knowledge.rulings for kind in r.damage),
        quarantined=tuple(quarantined),
        problems=tuple(p for b in batches for p in b.problems),
        cards=len(knowledge.cards),
        rules={b.path: _rules_in(b.rules_text) for b in batches if b.rules_text},
        changed=(),
        seconds=0.0,
        steps={},
    )
