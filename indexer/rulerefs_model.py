"""How likely a rule bears on a ruling, and whether any does: two small linear models with weights from a file.

In: what speaks for each rule that could be meant. Out: a likelihood from 0 to 1, which is shown as the confidence. The
weights were learned from rulings labelled by reading (`tests/rule_labels.tsv`, `tests/fit_rules.py`).
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from math import exp, log, sqrt
from operator import mul

RULE, ANY = "rule", "any"
"""The two models: this rule; any rule at all."""


@dataclass(slots=True)
class Seen:
    """What speaks for one rule: the words (`rulerefs_words`), its own words, a concept, a keyword."""

    said: float = 0.0
    own: float = 0.0
    labelled: int = 0
    unnamed: bool = False
    concept: float | None = None
    first: bool = False
    sure: bool = False
    keyword: float | None = None
    place: int = 0
    defines: bool = False
    why: str = ""
    weight: float = field(default=-9.0, repr=False)

    def because(self, why: str, weight: float) -> None:
        """Notes the reason that weighs most."""
        if weight > self.weight:
            self.why, self.weight = why, weight


@cache
def weights() -> Mapping[str, tuple[float, ...]]:
    """The weights that come with the program: by model where it starts from, then the weight of each feature."""
    found = json.loads((files("indexer") / "rulerefs_weights.json").read_text(encoding="utf-8"))
    return {
        model: (found[model][""], *(found[model][name] for name in names))
        for model, names in ((RULE, RULE_FEATURES), (ANY, ANY_FEATURES))
    }


def likelihood(features: Sequence[float], by: Sequence[float]) -> float:
    """Between 0 and 1; `by` is where the model starts from, then a weight for each feature."""
    total = by[0] + sum(map(mul, features, by[1:]))
    return 1 / (1 + exp(-max(min(total, 30.0), -30.0)))


RULE_FEATURES = (
    "said", "said, root", "said, behind", "own", "own, behind", "concept", "concept, strength", "concept, behind",
    "concept, first", "sure", "keyword", "keyword, strength", "keyword, first", "keyword, later", "keyword, defines",
    "keyword not named", "labelled", "not labelled", "best said", "best own", "best concept", "said and concept",
    "said and keyword", "concept, strong", "said, root and concept", "said, root and keyword",
)  # fmt: skip


def features(seen: Collection[Seen]) -> list[tuple[float, ...]]:
    """Of each rule that could be meant, what the model looks at (`RULE_FEATURES`), alone and beside the others."""
    said = max((s.said for s in seen), default=0.0)
    own = max((s.own for s in seen), default=0.0)
    concept = max((s.concept or 0.0 for s in seen), default=0.0)
    found: list[tuple[float, ...]] = []
    for s in seen:
        strength, spoken, keyword = s.concept, s.concept is not None, s.keyword is not None
        found.append((
            s.said, sqrt(s.said), s.said - said, s.own, s.own - own, spoken, strength or 0.0,
            -1.5 if strength is None else strength - concept, s.first, s.sure, keyword, s.keyword or 0.0,
            keyword and s.place == 0, keyword and s.place > 1, s.defines, s.unnamed, log(1 + s.labelled),
            s.labelled == 0, said, own, concept, s.said * spoken, s.said * keyword,
            max(0.0, (strength or 0.0) - 4.5), sqrt(s.said) * spoken, sqrt(s.said) * keyword,
        ))  # fmt: skip
    return found


ANY_FEATURES = (
    "best",
    "second",
    "together",
    "concept",
    "strong concept",
    "on card",
    "mostly on card",
    "note",
    "length",
    "short",
)


def any_features(found: Sequence[float], concept: float, on_card: float, note: bool, length: int) -> tuple[float, ...]:
    """What tells whether any rule bears on a ruling (`ANY_FEATURES`): the likelihoods of the rules, best first, the
    strongest concept, the share of the ruling that stands on its card, whether it is a note on printing, art or the
    story, its length."""
    best, second = (log(p / (1 - p)) for p in (min(max(p, 0.0001), 0.9999) for p in (*found[:2], 0.0, 0.0)[:2]))
    together = log(sum(found[:6]) + 0.01)
    strong, mostly = max(0.0, concept - 4.0), max(0.0, on_card - 0.5)
    return best, second, together, concept, strong, on_card, mostly, note, log(max(length, 1)), length < 60
