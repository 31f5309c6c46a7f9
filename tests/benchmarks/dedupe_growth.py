"""How dedupe grows from 10,000 to 700,000 occurrences, and what an increment costs. Not a test: it takes minutes.

    python tests/benchmarks/dedupe_growth.py --shared ../shared [--sizes 10000 70000 700000] [--json FILE]

Sizes over the corpus are made by perturbation: copy k of a wording keeps its function words and has about half of its
content words renamed, by a hash of (k, word). So each copy has the same families of close wordings as the corpus, and
the copies are near each other but not one ruling, as a larger corpus would be. Processor time, one core.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import resource
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any
from zlib import crc32

from indexer.dedupe import EdgeCache, Wording, masked, partition
from indexer.dedupe.lexicon import lexicon
from rulings.corrections import shipped
from rulings.model import Card, Face
from rulings.text import fold1, plain

_WORD = re.compile(r"[a-z]{4,}")


def corpus(shared: Path) -> list[tuple[str, str, str]]:
    """(card, date, text) of all occurrences."""
    with gzip.open(shared / "corpus" / "rulings.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return [(r["card"], r["published_at"], r["comment"]) for r in rows if r["comment"].strip()]


def card_data(shared: Path) -> dict[str, Card]:
    """Cards by name, as far as short names need them."""
    cards: dict[str, Card] = {}
    with gzip.open(shared / "corpus" / "cards.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            faces = tuple(Face(f["name"], f.get("type_line") or "") for f in row["card_faces"] or ())
            cards.setdefault(row["name"], Card(row["name"], type_line=row["type_line"] or "", faces=faces))
    return cards


def wordings(rows: list[tuple[str, str, str]], cards: dict[str, Card]) -> list[Wording]:
    """The distinct wordings of some occurrences."""
    on: dict[str, tuple[set[str], list[str], Counter[str]]] = {}
    for card, date, text in rows:
        names, dates, texts = on.setdefault(fold1(text), (set(), [], Counter()))
        names.add(card)
        dates.append(date)
        texts[text] += 1
    made = []
    for names, dates, texts in on.values():
        text = plain(min(texts, key=lambda t: (-texts[t], t)))
        form = masked(text, [(name, cards.get(name)) for name in sorted(names)])
        made.append(Wording(text, form, tuple(sorted(names)), min(dates), max(dates), recency=(max(dates), "2026-01")))
    return made


def perturbed(wording: Wording, copy: int) -> Wording:
    """Copy number `copy` of a wording: other content words, the same form."""
    function = lexicon().function

    def rename(match: re.Match[str]) -> str:
        word = match.group()
        if word in function or crc32(f"{copy} {word}".encode()) & 1:
            return word
        return word[0] + chr(97 + copy % 26) + word[1:]

    form = _WORD.sub(rename, wording.masked)
    return Wording(form, form, wording.cards, wording.first, wording.last, recency=wording.recency)


def measured(items: list[Wording], cache: EdgeCache | None = None) -> dict[str, Any]:
    """One partition: seconds and what came out."""
    started = time.process_time()
    result = partition(items, corrections=shipped(), cache=cache)
    return {
        "wordings": len(items),
        "seconds": round(time.process_time() - started, 2),
        "rulings": len(result.groups),
        "links": len(result.links),
        "reviews": len(result.reviews),
    }


def increment(items: list[Wording], size: int = 300) -> dict[str, Any]:
    """A set of `size` wordings on top of all the others: opening the cache, partition, saving."""
    shuffled = random.Random(7).sample(items, len(items))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "edges.sqlite"
        cache = EdgeCache(path)
        partition(shuffled[size:], corrections=shipped(), cache=cache)
        cache.save()
        kept = path.stat().st_size
        started = time.process_time()
        cache = EdgeCache(path)
        after = partition(shuffled, corrections=shipped(), cache=cache)
        cache.save()
        seconds = time.process_time() - started
    full = partition(shuffled, corrections=shipped())
    return {"added": size, "seconds": round(seconds, 2), "equals_full": after == full, "cache_bytes": kept}


def order_matters_not(items: list[Wording]) -> bool:
    """Whether three orders give the same groups."""
    shapes = []
    for seed in (1, 2, 3):
        shuffled = random.Random(seed).sample(items, len(items))
        groups = partition(shuffled, corrections=shipped()).groups
        shapes.append({(shuffled[g.canonical].text, frozenset(shuffled[i].text for i in g.members)) for g in groups})
    return shapes[0] == shapes[1] == shapes[2]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, required=True)
    parser.add_argument("--sizes", type=int, nargs="*", default=[10_000, 70_000])
    parser.add_argument("--skip-order", action="store_true", help="do not import the corpus in three orders")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    rows, cards = corpus(options.shared), card_data(options.shared)
    whole = wordings(rows, cards)
    report: dict[str, Any] = {"growth": []}
    for size in options.sizes:
        if size < len(rows):
            # Whole cards, as a smaller source would have them.
            names = sorted({card for card, _, _ in rows})
            random.Random(5).shuffle(names)
            wanted: set[str] = set()
            count = Counter(card for card, _, _ in rows)
            while sum(count[n] for n in wanted) < size:
                wanted.add(names.pop())
            items = wordings([row for row in rows if row[0] in wanted], cards)
        else:
            copies = max(1, round(size / len(rows)))
            items = whole + [perturbed(w, copy) for copy in range(1, copies) for w in whole]
        found = {"occurrences": size, **measured(items)}
        found["peak_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        report["growth"].append(found)
        print(found, flush=True)
    report["increment"] = increment(whole)
    print(report["increment"], flush=True)
    if not options.skip_order:
        report["three_orders_agree"] = order_matters_not(whole)
        print("three orders agree:", report["three_orders_agree"])
    if options.json:
        options.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
