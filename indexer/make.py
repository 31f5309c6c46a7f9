"""What goes into a build: snapshot, search index and lookup index, written into an empty folder."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path

from indexer import derive
from indexer.index import write_index
from indexer.lookup_index import write_lookup
from rulings import snapshot, store
from rulings.model import Card, Knowledge
from rulings.rules import Versions, load_versions, parse
from rulings.rules.versions import read_text
from rulings.rules.history import from_plain, to_plain

Progress = Callable[[str, int, int], None]


def everything(base: Path, cache: Path, out: Path, progress: Progress) -> dict[str, float]:
    """Write all parts for the base into `out`. Returns seconds by step."""
    steps: dict[str, float] = {}
    last = time.perf_counter()

    def done(step: str) -> None:
        nonlocal last
        now = time.perf_counter()
        steps[step] = now - last
        last = now

    progress("reading the base", 0, 0)
    loaded = store.load(base)
    knowledge = loaded.knowledge
    done("load")
    cards: dict[str, Card] = {}
    for card in knowledge.cards:
        cards.setdefault(card.name, card)
    deriver = derive.Deriver.of(base, cache)
    tags = deriver.tags(knowledge.rulings, cards, progress)
    computed = deriver.bears(knowledge.rulings, cards, progress)
    bears = {r.id: derive.bearings(r, computed[r.id]) for r in knowledge.rulings}
    done("rules")
    meta = {"as_of": as_of(knowledge) or "", "rules_effective": deriver.latest.effective if deriver.latest else ""}
    snapshot.write(out / "snapshot.sqlite", knowledge, lines=loaded.lines, meta=meta, bears=bears, why_topics=tags)
    done("snapshot")
    progress("building the search index", 0, 0)
    numbers = {i: [b.number for b in found] for i, found in bears.items()}
    write_index(knowledge, out / "index", bears=numbers, progress=progress)
    done("index")
    progress("building the lookup index", 0, 0)
    write_lookup(knowledge, out / "lookup.sqlite")
    done("lookup")
    return steps


def as_of(knowledge: Knowledge) -> str | None:
    """When a base was current: the newest state of its sources, or its newest ruling."""
    states = [s.as_of for s in knowledge.sources if s.as_of]
    dates = [r.date for r in knowledge.rulings if r.date]
    return max([*states, *dates], default=None)


def versions_of(base: Path, cache: Path) -> Versions:
    """All versions of the Comprehensive Rules in a base. Their history is kept in the cache: comparing 29 versions
    takes many seconds."""
    versions = load_versions(base / "comprehensive-rules")
    path = cache / "rules-history.json"
    if path.is_file():
        try:
            kept = from_plain(json.loads(path.read_text(encoding="utf-8")))
        except ValueError:
            kept = None
        if kept is not None and kept.dates == versions.dates:
            return Versions(versions.all, problems=versions.problems, history=kept)
    if len(versions):
        path.write_text(json.dumps(to_plain(versions.history)), encoding="utf-8")
    return versions


def latest_of(base: Path) -> Versions:
    """Only the newest version of the Comprehensive Rules in a base: much quicker than all of them."""
    files = sorted((base / "comprehensive-rules").glob("*.txt"))
    if not files:
        return Versions(())
    return Versions([parse(read_text(files[-1]), path=files[-1].name)[0]])
