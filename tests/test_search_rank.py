"""Ranking to the last digit: a golden file that the browser's search must reproduce as well.

After a change of the ranking: `python tests/test_search_rank.py` writes it anew; look at the difference.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from search import rank
from search.base import Base
from search.results import Searcher

GOLDEN = Path(__file__).with_name("golden-ranking.json")
QUERIES = (
    "energy symbol",
    "{E}",
    "can't",
    '"can\'t pay"',
    "energy -target",
    'card:"Deadlock Trap" untapped',
    "topic:energy",
    "date:2016",
    "planeswalker priority",
    "do i lose my energy at end of turn",
    "Deadlok Trap planeswalker",
    "confiscation coup vs behemoth of vault 0",
    "the coup steals a clone, whose cmc counts",
    "can I respond to energy",
    "energi counters",
    "is:shared",
    "writing them down OR tapped",
    "mana value of token",
    "behemoth",
)


def ranked(directory: Path) -> dict[str, list[list[object]]]:
    searcher = Searcher(directory)
    found = {q: [[hit.id, hit.score] for hit in searcher.search(q).hits] for q in QUERIES}
    searcher.close()
    return found


def test_the_golden_file(sample: Path) -> None:
    from indexer import build

    assert ranked(build.ensure(sample).index_path) == json.loads(GOLDEN.read_text(encoding="utf-8"))


def test_equal_scores_stand_newest_first_then_by_id(sample: Path) -> None:
    from indexer import build

    base = Base(build.ensure(sample).index_path)
    order = rank.best(base, dict.fromkeys(base.live(), 7))
    assert order == sorted(order, key=lambda n: (-base.newest[n], base.ids[n]))
    assert rank.best(base, dict.fromkeys(base.live(), 7), 5) == order[:5]
    base.close()


@pytest.mark.parametrize("query", QUERIES)
def test_the_reasons_of_a_score_add_up(sample: Path, query: str) -> None:
    from indexer import build

    searcher = Searcher(build.ensure(sample).index_path)
    for hit in searcher.search(query, explain=True).hits[:3]:
        assert 0 <= hit.score - sum(int(str(part["points"])) for part in hit.why) <= len(hit.why)
    searcher.close()


if __name__ == "__main__":
    from indexer import build
    from indexer.sample import sample_base

    made = ranked(build.ensure(sample_base()).index_path)
    lines = [f"{json.dumps(q)}: {json.dumps(hits)}" for q, hits in made.items()]
    GOLDEN.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
