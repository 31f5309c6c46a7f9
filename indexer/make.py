"""What goes into a build: snapshot, search index and lookup index, written into an empty folder."""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from indexer import derive
from indexer.cache import FAULTS, without_collector
from indexer.index import update_index, write_index
from indexer.lookup_index import write_lookup
from rulings import snapshot, store
from rulings.errors import DataError
from rulings.model import Card, Knowledge, Ruling
from rulings.rules import Versions, load_versions, parse
from rulings.rules.history import History, from_plain, to_plain
from rulings.rules.versions import read_text

_HISTORY = "rules-history.json"

Progress = Callable[[str, int, int], None]


def everything(base: Path, cache: Path, out: Path, progress: Progress) -> dict[str, float]:
    """Write snapshot and search index for the base into `out`. Returns seconds by step."""
    with without_collector():
        return _everything(base, cache, out, progress)


def _everything(base: Path, cache: Path, out: Path, progress: Progress) -> dict[str, float]:
    clock = _Clock()
    progress("reading the base", 0, 0)
    loaded = store.load(base)
    knowledge = replace(loaded.knowledge, rulings=tuple(map(derive.retagged, loaded.knowledge.rulings)))
    faults = [p for p in loaded.problems if p.severity == "error"]
    if faults:
        said = {"count": len(faults), "first": str(faults[0])}
        (out / FAULTS).write_text(json.dumps(said), encoding="utf-8")
    clock.step("load")
    deriver = derive.Deriver.of(base, cache)
    bears, tags = _derived(deriver, knowledge.rulings, knowledge.cards, progress)
    clock.step("rules")
    meta = {"as_of": as_of(knowledge) or "", "rules_effective": deriver.latest.effective if deriver.latest else ""}
    snapshot.write(out / "snapshot.sqlite", knowledge, lines=loaded.lines, meta=meta, bears=bears, why_topics=tags)
    clock.step("snapshot")
    progress("building the search index", 0, 0)
    numbers = {i: [b.number for b in found] for i, found in bears.items()}
    write_index(knowledge, out / "index", bears=numbers, progress=progress)
    clock.step("index")
    return clock.steps


def edited(base: Path, cache: Path, old: Path, out: Path, files: Sequence[str]) -> dict[str, float] | None:
    """The same for a base in which only the texts, topics or rules of some rulings in `files` were edited: `old` is
    copied and put right. None where more changed, so that all must be made again."""
    clock = _Clock()
    if (old / FAULTS).exists():
        return None
    changed: list[Ruling] = []
    lines: dict[str, tuple[str, int]] = {}
    before = snapshot.Snapshot(old / "snapshot.sqlite")
    try:
        for name in files:
            loaded = store.load_file(base, name)
            known = {i: before.ruling(i) for i in before.ids_in(name)}
            if loaded.problems or {r.id for r in loaded.knowledge.rulings} != known.keys():
                return None
            lines.update(loaded.lines)
            for ruling in map(derive.retagged, loaded.knowledge.rulings):
                was = known[ruling.id]
                assert was is not None
                if was == ruling:
                    continue
                if _places(was) != _places(ruling):
                    return None
                changed.append(ruling)
        names = {name for r in changed for name in r.cards}
        cards = [card for name in sorted(names) for card in before.find_cards(name)]
        effective = before.meta.get("rules_effective")
    finally:
        before.close()
    clock.step("load")
    for part in ("snapshot.sqlite", "index"):
        source = old / part
        (shutil.copytree if source.is_dir() else shutil.copy2)(source, out / part)
    clock.step("copy")
    deriver = derive.Deriver.of(base, cache)
    if (deriver.latest.effective if deriver.latest else "") != effective:
        return None
    bears, tags = _derived(deriver, changed, cards, lambda *_: None)
    snapshot.update(out / "snapshot.sqlite", changed, lines=lines, bears=bears, why_topics=tags)
    clock.step("snapshot")
    numbers = {i: [b.number for b in found] for i, found in bears.items()}
    if not update_index(out / "index", changed, cards=cards, bears=numbers):
        return None
    clock.step("index")
    return clock.steps


def _places(ruling: Ruling) -> list[tuple[str, str, str, str]]:
    """Where a ruling stands, whatever it says there."""
    return sorted((o.card, o.oracle_id or "", o.date or "", o.source) for o in ruling.occurrences)


def _derived(
    deriver: derive.Deriver, rulings: Sequence[Ruling], cards: Iterable[Card], progress: Progress
) -> tuple[dict[str, list[snapshot.Bearing]], dict[str, dict[str, str]]]:
    by_name: dict[str, Card] = {}
    for card in cards:
        by_name.setdefault(card.name, card)
    tags = deriver.tags(rulings, by_name, progress)
    computed = deriver.bears(rulings, by_name, progress)
    return {r.id: derive.bearings(r, computed[r.id]) for r in rulings}, tags


class _Clock:
    def __init__(self) -> None:
        self.steps: dict[str, float] = {}
        self._last = time.perf_counter()

    def step(self, name: str) -> None:
        now = time.perf_counter()
        self.steps[name] = now - self._last
        self._last = now


def lookup(base: Path, cache: Path, path: Path, progress: Progress) -> None:
    """Write the lookup index of a base to `path`, which appears whole or not at all."""
    progress("building the lookup index", 0, 0)
    knowledge = store.load(base).knowledge
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        write_lookup(knowledge, beside, history=history_of(base, cache))
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def as_of(knowledge: Knowledge) -> str | None:
    """When a base was current: the newest state of its sources, or its newest ruling."""
    states = [s.as_of for s in knowledge.sources if s.as_of]
    dates = [r.date for r in knowledge.rulings if r.date]
    return max([*states, *dates], default=None)


def versions_of(base: Path, cache: Path) -> Versions:
    """All versions of the Comprehensive Rules in a base. Their history is kept in the cache: comparing 29 versions
    takes many seconds."""
    versions = load_versions(base / "comprehensive-rules")
    kept = _kept_history(base, cache)
    if kept is not None and kept.dates == versions.dates:
        return Versions(versions.all, problems=versions.problems, history=kept)
    if len(versions):
        body = {"files": _rules_files(base), "history": to_plain(versions.history)}
        (cache / _HISTORY).write_text(json.dumps(body), encoding="utf-8")
    return versions


def history_of(base: Path, cache: Path) -> History | None:
    """The lives of all rules, without reading the versions where they are known; None for a base without rules."""
    if not _rules_files(base):
        return None
    return _kept_history(base, cache) or versions_of(base, cache).history


def _kept_history(base: Path, cache: Path) -> History | None:
    try:
        kept = json.loads((cache / _HISTORY).read_text(encoding="utf-8"))
        return from_plain(kept["history"]) if kept["files"] == _rules_files(base) else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _rules_files(base: Path) -> list[list[object]]:
    """Name and size of each version: a base never rewrites one."""
    return [[p.name, p.stat().st_size] for p in sorted((base / "comprehensive-rules").glob("*.txt"))]


class _Traced(Versions):
    """The newest version, and the lives of all rules through all versions."""

    def __init__(self, latest: Versions, history: History) -> None:
        super().__init__(latest.all, history=history)
        self._dates = history.dates

    @property
    def dates(self) -> tuple[str, ...]:
        return self._dates

    def __len__(self) -> int:
        return len(self._dates)


def traced(base: Path, cache: Path) -> Versions:
    """What the page of a rule shows: its newest text and its life, without reading the other versions."""
    history = history_of(base, cache)
    try:
        latest = latest_of(base)
    except DataError:
        return versions_of(base, cache)
    return latest if history is None or not len(latest) else _Traced(latest, history)


def latest_of(base: Path) -> Versions:
    """Only the newest version of the Comprehensive Rules in a base: much quicker than all of them."""
    files = sorted((base / "comprehensive-rules").glob("*.txt"))
    if not files:
        return Versions(())
    return Versions([parse(read_text(files[-1]), path=files[-1].name)[0]])
