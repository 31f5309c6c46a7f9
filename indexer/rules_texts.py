"""Texts of the Comprehensive Rules that come in: of one date, the fullest is kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from indexer.sources import Batch
from rulings.errors import Problem
from rulings.rules import ComprehensiveRules, parse
from rulings.rules.versions import read_text
from rulings.text import loose


def without_lesser(folder: Path, batches: Sequence[Batch]) -> list[Batch]:
    """The batches without those rules of which a fuller text of the same date is there: a file that was cut off must
    not take the place of a whole one. The longest come first, so that the order of files does not matter."""
    kept: dict[str, str] = {}
    result = list(batches)
    for n, batch in sorted(enumerate(batches), key=lambda item: -len(item[1].rules_text or "")):
        if batch.rules_text is None:
            continue
        new, _ = parse(batch.rules_text, path=batch.path)
        stored = folder / "comprehensive-rules" / f"{new.effective}.txt"
        if new.effective not in kept and stored.is_file():
            kept[new.effective] = read_text(stored)
        there = kept.get(new.effective)
        if there is None or there == batch.rules_text:
            kept[new.effective] = batch.rules_text
            continue
        old, _ = parse(there, path=stored.name)
        whole, part = " ".join(there.split()), " ".join(batch.rules_text.split())
        cut_off = whole != part and whole.startswith(part)
        if cut_off or _names(old) - _names(new):
            problem = Problem(
                batch.path,
                f"put aside: fuller Comprehensive Rules of {new.effective} are there ({_extent(old)}), these have "
                f"{_extent(new)}",
                f"if these are right, remove comprehensive-rules/{stored.name} and import them alone",
                kind="fuller-rules",
            )
            result[n] = replace(batch, rules_text=None, problems=(*batch.problems, problem))
        else:
            kept[new.effective] = batch.rules_text
    return result


def _names(rules: ComprehensiveRules) -> set[str]:
    return {rule.number for rule in rules.rules} | {loose(term) for entry in rules.glossary for term in entry.terms}


def _extent(rules: ComprehensiveRules) -> str:
    return f"{len(rules.rules):,} rules, {len(rules.glossary):,} glossary entries, {rules.lines.total:,} lines"
