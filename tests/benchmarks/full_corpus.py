"""Times of the whole chain on the full corpus, with peers in the same run. Not a test: it takes some minutes.

    python tests/benchmarks/full_corpus.py --shared ../shared [--work FOLDER] [--json FILE]

Each step is its own process, so memory is the peak of that step alone. The peers do plain work of the same size:
PyYAML writing and reading the same records, and SQLite FTS5 answering the same queries.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import os
import random
import resource
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

RUN = [sys.executable, "-c", "from search.cli import main; main()"]


def command(kb: Path, *arguments: str) -> tuple[float, str]:
    """Seconds and output of one command."""
    started = time.perf_counter()
    done = subprocess.run([*RUN, "--kb", str(kb), *arguments], capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    return time.perf_counter() - started, done.stdout


def peak_mb() -> float:
    """The largest peak of any child so far, in MiB."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024


def state(kb: Path) -> str:
    hashed = hashlib.sha256()
    for path in sorted(p for p in kb.rglob("*") if p.is_file() and p.name[0] != "."):
        hashed.update(str(path.relative_to(kb)).encode() + path.read_bytes())
    return hashed.hexdigest()


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    started = time.perf_counter()
    result = work()
    return time.perf_counter() - started, result


def yaml_peer(corpus: Path) -> dict[str, float]:
    """PyYAML (C) writing and reading the corpus grouped by text: what any YAML store must do at least."""
    import yaml

    groups: dict[str, list[dict[str, Any]]] = {}
    with gzip.open(corpus / "rulings.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            groups.setdefault(row["comment"], []).append({"card": row["card"], "date": row["published_at"]})
    records = [{"text": text, "occurrences": found} for text, found in groups.items()]
    wrote, text = timed(lambda: yaml.dump(records, Dumper=yaml.CSafeDumper, allow_unicode=True, width=10**6))
    read, _ = timed(lambda: yaml.load(text, Loader=yaml.CSafeLoader))
    return {"peer: PyYAML dump s": wrote, "peer: PyYAML load s": read}


def queries(corpus: Path, n: int = 300) -> list[str]:
    """Mixed queries from the corpus itself: words, phrases, fields, prefixes, dates, misspelt words."""
    chance = random.Random(1)
    with gzip.open(corpus / "rulings.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = chance.sample([json.loads(line) for line in lines], n)
    found = []
    for i, row in enumerate(rows):
        words = [w.strip(".,()\"'“”’") for w in row["comment"].split() if w.isascii() and w.strip(".,()\"'").isalpha()]
        words = words or ["target"]
        at = chance.randrange(max(1, len(words) - 3))
        some = words[at : at + 3]
        form = i % 6
        if form == 0:
            found.append(" ".join(chance.sample(words, min(3, len(words)))))
        elif form == 1:
            found.append('"' + " ".join(row["comment"].split()[at : at + 3]).replace('"', "") + '"')
        elif form == 2:
            found.append(f'card:"{row["card"].replace(chr(34), "")}" {some[0]}')
        elif form == 3:
            found.append(f"{some[0]} year:{row['published_at'][:4]}")
        elif form == 4:
            found.append(f"{' '.join(some)} {max(words, key=len)[:5]}*")
        else:
            found.append(f"{row['card'].split(',')[0]} {some[-1]}".replace('"', "").replace("/", " "))
    return found


def search_figures(kb: Path, asked: list[str]) -> dict[str, float]:
    from indexer import build
    from search.results import Searcher

    cold = [command(kb, "search", query)[0] for query in asked[:20]]
    searcher = Searcher(build.ensure(kb).index_path)
    for query in asked[:20]:
        searcher.search(query, facets=True)
    warm = [timed(lambda q=query: searcher.search(q, facets=True))[0] * 1000 for query in asked]  # type: ignore[misc]
    return {
        "search: fresh process, median ms": statistics.median(cold) * 1000,
        "search: warm, median ms": statistics.median(warm),
        "search: warm, 95th percentile ms": statistics.quantiles(warm, n=20)[18],
    }


def fts5_peer(kb: Path, asked: list[str]) -> dict[str, float]:
    """SQLite FTS5 over the same texts: the loose words of the same queries, ten best by BM25."""
    import re

    from indexer import build

    db = sqlite3.connect(":memory:")
    db.execute("create virtual table r using fts5(text)")
    rows = ((r.text,) for r in build.ensure(kb).snapshot().rulings())
    built, _ = timed(lambda: db.executemany("insert into r values (?)", rows))
    ask = "select rowid from r where r match ? order by rank limit 10"

    def best(query: str) -> list[object]:
        words = " OR ".join(f'"{w}"' for w in re.findall(r"[A-Za-z]{2,}", query))
        return db.execute(ask, (words,)).fetchall()

    warm = [timed(lambda q=query: best(q))[0] * 1000 for query in asked]  # type: ignore[misc]
    return {
        "peer: FTS5 build s": built,
        "peer: FTS5 warm, median ms": statistics.median(warm),
        "peer: FTS5 warm, 95th percentile ms": statistics.quantiles(warm, n=20)[18],
    }


def edit_one(kb: Path) -> None:
    """Add a word to one ruling, by hand as it were."""
    path = sorted((kb / "rulings/2016").glob("*.yaml"))[0]
    lines = path.read_text(encoding="utf-8").split("\n")
    at = next(i for i, line in enumerate(lines) if line.endswith(".") and line.startswith("    "))
    lines[at] = lines[at][:-1] + " today."
    path.write_text("\n".join(lines), encoding="utf-8")


def largest_page_kb(site: Path) -> float:
    """The largest HTML file, to be held to 60 KB."""
    return max(path.stat().st_size for path in site.rglob("*.html")) / 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=Path(__file__).parents[3] / "shared")
    parser.add_argument("--work", type=Path)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--skip-site", action="store_true")
    arguments = parser.parse_args()
    corpus = arguments.shared / "corpus"
    work = arguments.work or Path(tempfile.mkdtemp(prefix="rulings-benchmark-"))
    work.mkdir(exist_ok=True)
    os.environ["RULINGS_CACHE"] = str(work / "cache")
    kb = work / "kb"
    subprocess.run([*RUN, "init", str(kb)], check=True, capture_output=True)
    figures: dict[str, float] = {}

    def tell(more: dict[str, float]) -> None:
        figures.update(more)
        for name, value in more.items():
            print(f"{name:<52} {value:10.2f}", flush=True)

    tell(yaml_peer(corpus))
    whole = [str(corpus / "rulings.jsonl.gz"), str(corpus / "cards.jsonl.gz")]
    tell({"import: full corpus from empty s": command(kb, "import", *whole)[0], "import: peak MiB": peak_mb()})
    before = state(kb)
    tell({"import: the same again s": command(kb, "import", *whole)[0]})
    assert state(kb) == before, "the same import changed bytes"
    kld = corpus / "mtgjson/v5-sets/KLD-5.2.2-20240724.json.gz"
    tell({"import: a set file (KLD) into it s": command(kb, "import", str(kld))[0]})
    rules = sorted((corpus / "comprehensive-rules").glob("*2026*"))
    tell({"import: one version of the rules s": command(kb, "import", *map(str, rules))[0]})
    tell({"build: all s": command(kb, "build", "--force")[0]})
    edit_one(kb)
    tell({"build: after one edited ruling s": command(kb, "build")[0]})
    asked = queries(corpus)
    tell(search_figures(kb, asked))
    tell(fts5_peer(kb, asked))
    if not arguments.skip_site:
        site = str(work / "site")
        tell({"site: all s": command(kb, "site", "--out", site)[0], "site: peak MiB so far": peak_mb()})
        tell({"site: largest page KB": largest_page_kb(Path(site))})
        edit_one(kb)
        command(kb, "build")
        tell({"site: after one edited ruling s": command(kb, "site", "--out", site)[0]})
        edit_one(kb)
        tell({"site: after one edited ruling, its build included s": command(kb, "site", "--out", site)[0]})
        compact = work / "compact"
        tell({"site: compact, all s": command(kb, "site", "--compact", "--out", str(compact))[0]})
        tell({"site: compact, files": sum(1 for p in compact.rglob("*") if p.is_file())})
        tell({"site: compact, largest page KB": largest_page_kb(compact)})
    print(f"load average at the end: {os.getloadavg()[0]:.1f}")
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
