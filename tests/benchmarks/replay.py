"""Replays the five snapshots of the corpus in order and proves what must hold for ids and wordings. Takes minutes.

    python tests/benchmarks/replay.py --shared ../shared [--work FOLDER] [--kills 20]

- every id printed at any step resolves at the end to the ruling that holds the wording it was printed with;
- importing a step again changes no byte;
- starting from 2026 alone gives the same canonical wording for every ruling whose newest wording is of 2026;
- three orders of the lines of one import, and an import in two halves, give the same rulings;
- an import that is killed leaves the old base or the new one, and can be run again.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from indexer import ingest
from indexer.sample import make_base
from indexer.sources import ReadOptions
from rulings import store
from rulings.ids import mint
from rulings.model import Knowledge
from rulings.snapshot import mints_of
from rulings.text import fold1

LOSS = ingest.Options(accept_loss=True)


def state(kb: Path) -> str:
    hashed = hashlib.sha256()
    for path in sorted(p for p in kb.rglob("*") if p.is_file() and p.name[0] != "." and "imports" not in p.parts):
        hashed.update(str(path.relative_to(kb)).encode() + path.read_bytes())
    return hashed.hexdigest()


def partition(knowledge: Knowledge) -> set[frozenset[str]]:
    return {frozenset(fold1(r.verbatim(o)) for o in r.occurrences) for r in knowledge.rulings}


def replay(snapshots: list[Path], work: Path) -> Knowledge:
    kb = work / "replay"
    make_base(kb, "replay")
    printed: dict[str, str] = {}
    for snapshot in snapshots:
        ingest.run(kb, [snapshot], LOSS)
        before = state(kb)
        ingest.run(kb, [snapshot], LOSS)
        assert state(kb) == before, f"{snapshot.name} again changed bytes"
        knowledge = store.load(kb).knowledge
        for r in knowledge.rulings:
            minted_from = (fold1(r.verbatim(o)) for o in r.occurrences)
            printed.setdefault(r.id, next((text for text in minted_from if mint(text) == r.id), fold1(r.text)))
        print(f"{snapshot.name}: {len(knowledge.rulings)} rulings, {len(printed)} ids printed so far", flush=True)
    homes: dict[str, list[int]] = {}
    held = []
    for n, r in enumerate(knowledge.rulings):
        held.append({fold1(r.verbatim(o)) for o in r.occurrences} | {fold1(r.text)})
        for minted in mints_of(r):
            homes.setdefault(minted, []).append(n)
    lost = [i for i in printed if len(homes.get(i, ())) != 1]
    strayed = [i for i, text in printed.items() if i not in lost and text not in held[homes[i][0]]]
    print(f"ids printed on the way: {len(printed)}; not resolving to one ruling: {len(lost)}; moved: {len(strayed)}")
    return knowledge


def newest_alone(snapshot: Path, work: Path, replayed: Knowledge) -> None:
    kb = work / "alone"
    make_base(kb, "replay")
    ingest.run(kb, [snapshot], LOSS)
    alone = {fold1(r.verbatim(o)): r for r in store.load(kb).knowledge.rulings for o in r.occurrences}
    shared = differ = 0
    for r in replayed.rulings:
        newest = [fold1(r.verbatim(o)) for o in r.occurrences if o.missing_since is None and o.as_of is None]
        if not newest:
            continue
        shared += 1
        differ += all(fold1(alone[t].text) != fold1(r.text) for t in newest if t in alone)
    print(f"rulings whose newest wording is of the last snapshot: {shared}; other canonical wording: {differ}")


def orders(snapshot: Path, work: Path) -> None:
    """One import in three orders, and in two halves."""
    with gzip.open(snapshot, "rt", encoding="utf-8") as stream:
        lines = stream.readlines()
    found = []
    options = ingest.Options(read=ReadOptions(source="mtgjson", as_of="2026-01"), partial=True)
    for n, seed in enumerate((None, 1, 2, 3)):
        shuffled = list(lines)
        if seed:
            random.Random(seed).shuffle(shuffled)
        cut = len(lines) // 2 if seed == 3 else len(lines)
        kb = work / f"order-{n}"
        make_base(kb, "replay")
        for half, some in enumerate((shuffled[:cut], shuffled[cut:])):
            if some:
                path = work / f"order-{n}-{half}.jsonl"
                path.write_text("".join(some), encoding="utf-8")
                ingest.run(kb, [path], options)
        found.append(partition(store.load(kb).knowledge))
    print(f"as published, shuffled twice, in two halves: the same rulings: {all(f == found[0] for f in found)}")


def kills(snapshots: list[Path], work: Path, times: int) -> None:
    """Kill an import at random moments."""
    chance = random.Random(7)
    kb, whole = work / "killed", work / "whole"
    for folder in (kb, whole):
        make_base(folder, "replay")
        ingest.run(folder, snapshots[:1], LOSS)
    old = state(kb)
    started = time.perf_counter()
    ingest.run(whole, snapshots[1:2], LOSS)
    took = time.perf_counter() - started
    new = state(whole)
    outcomes = {"old": 0, "new": 0, "neither": 0}
    arguments = ["--kb", str(kb), "import", "--accept-loss", str(snapshots[1])]
    for _ in range(times):
        run = [sys.executable, "-c", "from search.cli import main; main()", *arguments]
        process = subprocess.Popen(run, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(chance.uniform(0.1, took * 1.1))
        process.kill()
        process.wait()
        store.load(kb)  # finishes a commit that was cut short
        now = state(kb)
        outcomes["old" if now == old else "new" if now == new else "neither"] += 1
    ingest.run(kb, snapshots[1:2], LOSS)
    print(f"killed {times} times: {outcomes}; run again: {'the new base' if state(kb) == new else 'ANOTHER BASE'}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=Path(__file__).parents[3] / "shared")
    parser.add_argument("--work", type=Path)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--skip-orders", action="store_true")
    arguments = parser.parse_args()
    work = arguments.work or Path(tempfile.mkdtemp(prefix="rulings-replay-"))
    work.mkdir(exist_ok=True)
    os.environ.setdefault("RULINGS_CACHE", str(work / "cache"))
    snapshots = sorted((arguments.shared / "corpus/snapshots").glob("*.jsonl.gz"))
    replayed = replay(snapshots, work)
    newest_alone(snapshots[-1], work, replayed)
    if not arguments.skip_orders:
        orders(snapshots[-1], work)
    if arguments.kills:
        kills(snapshots, work, arguments.kills)


if __name__ == "__main__":
    main()
