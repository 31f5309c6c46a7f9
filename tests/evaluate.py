"""Predictions for the scorers of the gold data: one JSON object a line on standard output.

    python tests/evaluate.py pairs|clusters|topics|search|rules|moves|lookup FILE [--kb DIR]

It reads only texts, cards, dates, numbers and queries of FILE, never a label.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

Row = dict[str, Any]


def rows(path: Path) -> Iterator[Row]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            if line.strip():
                yield json.loads(line)


def pairs(path: Path, kb: Path | None) -> Iterator[Row]:
    """Each row with `predicted`: same, reworded, broader or different, as the words say; reworded too where both texts
    were read as one ruling, or stand in one of the base that is given."""
    from indexer.dedupe import relation, wording_of
    from indexer.normalise import normalise
    from rulings.text import plain

    card = card_finder(kb)
    together = same_ruling(kb)
    for row in rows(path):
        a, b = (
            wording_of(side["card"], plain(normalise(side["text"]).text), side.get("date"), card(side["card"]))
            for side in (row["a"], row["b"])
        )
        verdict = relation(a, b)
        read_as_one = verdict.relation in ("broader", "different") and not verdict.mild and together(a.text, b.text)
        yield {**row, "predicted": "reworded" if read_as_one else verdict.relation}


def clusters(path: Path, kb: Path | None) -> Iterator[Row]:
    """`{family, text, card, ruling}`: the ruling of the base that each text of the families landed in."""
    from indexer import build
    from rulings.ids import mint

    snapshot = build.ensure(needed(kb)).snapshot()
    for family in json.loads(path.read_text(encoding="utf-8"))["families"]:
        groups = [cluster["texts"] for cluster in family["clusters"]] + [family["keep_apart"]]
        for text in (text for group in groups for text in group):
            found = snapshot.resolve(mint(text["text"]))
            yield {
                "family": family["family"],
                "text": text["text"],
                "card": text.get("example_card"),
                "ruling": found.id,
            }


def topics(path: Path, kb: Path | None) -> Iterator[Row]:
    """`{id, topics}`."""
    from indexer.derive import Deriver
    from rulings.model import Occurrence, Ruling

    card = card_finder(kb)
    deriver = Deriver.of(kb)
    for row in rows(path):
        ruling = Ruling(row["id"], row["text"], occurrences=(Occurrence(row["card"], row.get("date"), "gold"),))
        known = card(row["card"])
        tags = deriver.tags([ruling], {row["card"]: known} if known else {}, lambda *_: None)
        yield {"id": row["id"], "topics": list(tags[row["id"]])}


def search(path: Path, kb: Path | None) -> Iterator[Row]:
    """`{id, query, hits}` for the queries that the scorer emits; `--top` hits each, with all wordings."""
    from indexer import build
    from rulings.errors import QueryError
    from search.results import Searcher

    searcher = Searcher(build.ensure(needed(kb)).index_path)
    for row in rows(path):
        try:
            results = searcher.search(row["query"], limit=10)
        except QueryError:  # a question with signs that mean something in the query language: its words alone
            results = searcher.search(" ".join(re.findall(r"[\w'’/{}+-]+", row["query"])), limit=10)
        hits = results.to_json()["hits"]
        yield {
            **{key: row[key] for key in ("id", "query")},
            "hits": [{"card": (hit["cards"] or [""])[0], "text": hit["text"], "texts": hit["texts"]} for hit in hits],
        }


def rules(path: Path, kb: Path | None) -> Iterator[Row]:
    """`{id, rules: [numbers, best first]}`."""
    from indexer.derive import Deriver, card_of, with_topics
    from rulings.model import Occurrence, Ruling

    card = card_finder(kb)
    deriver = Deriver.of(needed(kb))
    for row in rows(path):
        ruling = Ruling(row["id"], row["text"], occurrences=(Occurrence(row["card"], row.get("date"), "gold"),))
        known = card(row["card"])
        cards = {row["card"]: known} if known else {}
        tagged = with_topics([ruling], deriver.tags([ruling], cards, lambda *_: None))
        assert card_of(tagged[0], cards) is not None
        found = deriver.bears(tagged, cards, lambda *_: None)[row["id"]]
        yield {"id": row["id"], "rules": [b.number for b in found]}


def moves(path: Path, kb: Path | None) -> Iterator[Row]:
    """`{id, today, status}`."""
    from indexer.cache import cache_of
    from indexer.make import versions_of

    base = needed(kb)
    versions = versions_of(base, cache_of(base))
    for row in rows(path):
        found = versions.resolve(row["number"], row.get("cited_on"))
        yield {"id": row["id"], "today": found.today or found.status, "status": found.status}  # the gold says "removed"


def lookup(path: Path, kb: Path | None) -> Iterator[Row]:
    """`{id, findings: [{start, end, kind, verdict, card?, number?, today?}]}`."""
    from indexer import build
    from search.lookup import open_lookup

    base = needed(kb)
    checker = open_lookup(base, build.ensure(base))
    for row in rows(path):
        findings = checker.check(row["text"], cited_on=row.get("cited_on"))
        yield {"id": row["id"], "findings": [f.for_scorer() for f in findings if f.kind in ("ruling", "rule")]}


def card_finder(kb: Path | None) -> Callable[[str], Any]:
    """Card data by name, from the base where there is one."""
    if kb is None:
        return lambda name: None
    from indexer import build

    snapshot = build.ensure(kb).snapshot()
    return lambda name: next(iter(snapshot.find_cards(name)), None)


def same_ruling(kb: Path | None) -> Callable[[str, str], bool]:
    """Whether two texts were read as one ruling, or stand in one of the base."""
    from indexer import build
    from indexer.dedupe import reissues
    from rulings.ids import mint

    snapshot = build.ensure(kb).snapshot() if kb else None
    read = {printed: number for number, line in enumerate(reissues()) for printed in line}

    def together(a: str, b: str) -> bool:
        one, other = mint(a), mint(b)
        if one in read and read[one] == read.get(other):
            return True
        home = snapshot.resolve(one).id if snapshot else None
        return home is not None and snapshot is not None and home == snapshot.resolve(other).id

    return together


def needed(kb: Path | None) -> Path:
    if kb is None:
        sys.exit("this evaluation needs a base: --kb DIR")
    return kb


KINDS = {f.__name__: f for f in (pairs, clusters, topics, search, rules, moves, lookup)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("file", type=Path)
    parser.add_argument("--kb", type=Path)
    arguments = parser.parse_args()
    for row in KINDS[arguments.kind](arguments.file, arguments.kb):
        print(json.dumps(row, ensure_ascii=False))


if __name__ == "__main__":
    main()
