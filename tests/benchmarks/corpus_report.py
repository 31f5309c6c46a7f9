"""Writes docs/corpus-report.md: what the full corpus became. Counts and ids, not the texts.

python tests/benchmarks/corpus_report.py --kb FOLDER [--out docs/corpus-report.md]
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from indexer import build
from rulings import store
from rulings.model import Knowledge, Ruling
from rulings.text import fold1

SIZES = ((1, 1), (2, 2), (3, 5), (6, 10), (11, 50), (51, 100), (101, 10_000))


def table(head: Iterable[str], rows: Iterable[Iterable[object]]) -> list[str]:
    names = list(head)
    return [
        "| " + " | ".join(names) + " |",
        "| " + " | ".join("---" for _ in names) + " |",
        *(
            "| " + " | ".join(f"{cell:,}" if isinstance(cell, int) else str(cell) for cell in row) + " |"
            for row in rows
        ),
    ]


def reach(rulings: Iterable[Ruling]) -> list[tuple[str, int]]:
    counts = Counter(len(r.cards) for r in rulings)
    return [
        (f"{low}" if low == high else f"{low} to {high}" if high < 10_000 else f"{low} and more", n)
        for low, high in SIZES
        if (n := sum(k for size, k in counts.items() if low <= size <= high))
    ]


def report(knowledge: Knowledge, ruled: int) -> list[str]:
    rulings = knowledge.rulings
    occurrences = [(r, o) for r in rulings for o in r.occurrences]
    raw = {r.verbatim(o) for r, o in occurrences}
    why = Counter(v.why for r in rulings for v in r.variants)
    links = Counter(link.kind for r in rulings for link in r.links)
    damage = Counter(kind for r in rulings for kind in r.damage)
    shared = sorted((r for r in rulings if len(r.cards) > 1), key=lambda r: (-len(r.cards), r.id))
    untagged = sum(not r.topics for r in rulings)
    topics = Counter(topic for r in rulings for topic in r.topics)
    as_of = ", ".join(f"{s.name} as of {s.as_of}" for s in knowledge.sources)
    facts = [
        ("occurrences (a ruling on a card)", len(occurrences)),
        ("different texts", len(raw)),
        ("after folding typography", len({fold1(text) for text in raw})),
        ("rulings", len(rulings)),
        ("on two cards or more", len(shared)),
        ("with more than one wording", sum(bool(r.variants) for r in rulings)),
        ("linked to another ruling", sum(bool(r.links) for r in rulings)),
        ("doubtful pairs that wait for a person", len(knowledge.reviews)),
        ("without a topic", untagged),
        ("with rules that bear on them", ruled),
    ]
    return [
        "# What the corpus became",
        "",
        f"Made by `tests/benchmarks/corpus_report.py` from {as_of}. Ids and counts only.",
        "",
        *table(("", "number"), facts),
        "",
        "## Cards of a ruling",
        "",
        *table(("cards", "rulings"), reach(rulings)),
        "",
        "## Why a wording is a variant",
        "",
        *table(("why", "wordings"), why.most_common()),
        "",
        "## Links",
        "",
        *table(("kind", "number"), links.most_common()),
        "",
        "## Damage and doubt that are still open",
        "",
        *table(("kind", "rulings"), damage.most_common()),
        "",
        "## The 30 most shared rulings",
        "",
        *table(
            ("id", "cards", "wordings", "first", "newest", "topics"),
            (
                (f"`{r.id}`", len(r.cards), len(r.variants) + 1, r.first_date, r.date, ", ".join(r.topics[:3]))
                for r in shared[:30]
            ),
        ),
        "",
        "## The 30 commonest topics",
        "",
        *table(("topic", "rulings"), topics.most_common(30)),
        "",
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kb", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=Path(__file__).parents[2] / "docs/corpus-report.md")
    arguments = parser.parse_args()
    snapshot = build.ensure(arguments.kb).snapshot()
    knowledge = store.load(arguments.kb).knowledge
    ruled = sum(bool(snapshot.bears(r.id)) for r in knowledge.rulings)
    arguments.out.write_text("\n".join(report(knowledge, ruled)), encoding="utf-8")


if __name__ == "__main__":
    main()
