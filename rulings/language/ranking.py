"""The arithmetic of the ranking: whole numbers only, so that Python and the browser agree to the last digit.

`docs/ranking.md` is the specification; the weights are data (`ranking.json`). Pure functions; the postings and the
recognised card names come from the caller.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

_PATH = Path(__file__).with_name("ranking.json")


@dataclass(frozen=True, slots=True)
class Ranking:
    """The weights of `ranking.json`."""

    weight: dict[str, int]
    impact: dict[str, int]
    idf_scale: int
    wording: dict[str, int]
    card: int
    self: int
    shared: int
    oracle: dict[str, int]
    shared_log: tuple[int, ...]
    superseded: int
    candidates: int
    tail: int
    score_unit: int


@lru_cache(maxsize=1)
def ranking() -> Ranking:
    """The shipped weights."""
    data: dict[str, Any] = json.loads(_PATH.read_text(encoding="utf-8"))
    data.pop("comment")
    data["shared_log"] = tuple(data["shared_log"])
    return Ranking(**data)


def impact(times: int, length: int, why: str | None = None) -> int:
    """How much `times` occurrences of a token weigh in a wording of `length` tokens: 0 to 220, BM25's saturation in
    whole numbers. `why` is a variant's, None for the canonical wording."""
    weights = ranking()
    rules = weights.impact
    part = times * rules["top"] // (times * 1000 + rules["saturation"] + rules["length"] * length)
    factor = weights.wording["canonical" if why is None else why if why in weights.wording else "other"]
    return part * factor // 4


def idf(documents: int, having: int) -> int:
    """How rare a token is. Computed in one place only (here); the site's index carries the result."""
    if not having:
        return 0
    return round(ranking().idf_scale * math.log(1 + (documents - having + 0.5) / (having + 0.5)))


def shared(cards: int, named: int) -> int:
    """The advantage of a ruling that stands on many cards; none of it where a card is named for sure (`named`, the
    greatest confidence in thousandths)."""
    weights = ranking()
    log = weights.shared_log[min(cards, len(weights.shared_log) - 1)]
    return weights.shared * log * (1000 - named) // 1000
