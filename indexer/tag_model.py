"""How likely a topic is, given what in the text speaks for it: a small linear model with weights from a file.

In: the evidence by topic, the card. Out: a likelihood from 0 to 1 for each topic. The weights were learned from 1,790
rulings labelled by reading (`tests/topic_labels.tsv`, `tests/fit_topics.py`); a topic or phrase that was not there,
such as one that a base adds, is judged by what holds for all. Never: a topic that nothing in the text speaks for,
except that a ruling on a card of an Un-set is about Un-cards.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from math import exp

from indexer.tag_evidence import KEYWORD_GROUPS, Evidence
from rulings.model import Card
from rulings.topics import Topic, Topics

SET = "(the card's set)"
"""The phrase of evidence that is no phrase: all printings are in sets the topic names."""
# Keyword actions that half of all cards have: their names are as common as *damage*.
_EVERYDAY = frozenset(
    {"destroy", "sacrifice", "discard", "reveal", "tap-untap", "search-library", "create-token", "shuffle"}
)
_ASIDE = 0.5


@dataclass(frozen=True)
class Weights:
    """By kind: `all` features, then by topic `topic`, `early` (a strong phrase in the first sentence), `card` (the card
    is of such a type), `phrase` (topic, phrase) and `beside` (topic, other topic with a strong phrase)."""

    all: Mapping[str, float]
    topic: Mapping[str, float]
    early: Mapping[str, float]
    card: Mapping[str, float]
    phrase: Mapping[str, Mapping[str, float]]
    beside: Mapping[str, Mapping[str, float]]

    @cached_property
    def flat(self) -> Mapping[tuple[str, str, str], float]:
        """The weight of each feature as `features` names it."""
        flat = {("all", "", name): weight for name, weight in self.all.items()}
        for kind, table in (("topic", self.topic), ("early", self.early), ("card", self.card)):
            flat |= {(kind, topic, ""): weight for topic, weight in table.items()}
        for kind, tables in (("phrase", self.phrase), ("beside", self.beside)):
            flat |= {(kind, topic, rest): w for topic, found in tables.items() for rest, w in found.items()}
        return flat


@cache
def weights() -> Weights:
    """The weights that come with the program."""
    data = json.loads((files("indexer") / "tag_weights.json").read_text(encoding="utf-8"))
    return Weights(*(data[kind] for kind in ("all", "topic", "early", "card", "phrase", "beside")))


def likelihoods(
    found: Mapping[str, list[Evidence]], topics: Topics, card: Card | None, length: int, by: Weights
) -> dict[str, float]:
    """How likely each topic of `found` is; `length` is that of the text."""
    weight = by.flat.get
    return {
        key: 1 / (1 + exp(-sum([value * weight(name, 0.0) for name, value in named])))
        for key, named in features(found, topics, card, length).items()
    }


def features(
    found: Mapping[str, list[Evidence]], topics: Topics, card: Card | None, length: int
) -> dict[str, list[tuple[tuple[str, str, str], float]]]:
    """What the model knows of each topic: (kind, topic, rest) and how much of it."""
    strong = {key for key, evidence in found.items() if any(e.strong and not e.aside for e in evidence)}
    begins = {key: evidence[0].start for key, evidence in found.items()}
    first = min(begins, key=lambda key: (begins[key], key), default="")
    types = _type_words(card)
    keywords = {keyword.casefold() for keyword in card.keywords} if card else set()
    made = {}
    for key, evidence in found.items():
        topic = topics.by_key[key]
        named = [(("all", "", name), value) for name, value in _shape(evidence)]
        kind = "keyword" if topic.group in KEYWORD_GROUPS and key not in _EVERYDAY else "concept"
        named += [(("all", "", f"{kind} {name}"), value) for (_, _, name), value in named if name in _BY_KIND]
        late = min(1.0, begins[key] / max(1, length))
        named += [(("all", "", kind), 1.0), (("all", "", f"{kind} late"), late), (("all", "", "late"), late)]
        named += [(("all", "", name), value) for name, value in _around(key, first, strong, begins[key], length)]
        named += [(("all", "", "narrower beside"), 1.0)] if any(topics.by_key[o].parent == key for o in strong) else []
        named += [(("all", "", "card has it"), 1.0)] if topic.label.casefold() in keywords else []
        named += [(("topic", key, ""), 0.8)]
        named += [(("early", key, ""), 0.4)] if any(e.strong and e.first and not e.aside for e in evidence) else []
        named += [(("card", key, ""), 1.0)] if types.intersection(topic.cards) else []
        named += [(("phrase", key, e.phrase), 0.35 if e.aside else 0.7) for e in evidence]
        named += [(("beside", key, other), 0.5) for other in sorted(strong - {key})]
        made[key] = named
    return made


_BY_KIND = frozenset({"strong early", "strong later", "strong aside", "weak"})


def _shape(evidence: list[Evidence]) -> Iterator[tuple[str, float]]:
    early = sum(e.strong and not e.aside and e.first for e in evidence)
    later = sum(e.strong and not e.aside and not e.first for e in evidence)
    aside = sum(e.strong and e.aside for e in evidence)
    weak = sum(not e.strong and not e.aside for e in evidence)
    for name, count in (("strong early", early), ("strong later", later), ("strong aside", aside), ("weak", weak)):
        if count:
            yield name, 1.0
        if count > 1 and name != "strong aside":
            yield f"{name}, several", 1.0
    if not early and not later:
        yield ("only aside" if aside else "only weak"), 1.0


def _around(key: str, first: str, strong: set[str], begin: int, length: int) -> Iterator[tuple[str, float]]:
    yield "place", min(1.0, begin / 200)
    yield "rivals", min(len(strong), 10) / 5
    if len(strong) <= 2:
        yield "few rivals", 1.0
    if len(strong) >= 7:
        yield "many rivals", 1.0
    yield "length", min(length, 500) / 300
    if key == first:
        yield "comes first", 1.0


def _type_words(card: Card | None) -> frozenset[str]:
    """The words of the type line, `//` where there are two faces."""
    if card is None:
        return frozenset()
    return frozenset((card.type_line or " // ".join(face.type_line for face in card.faces)).split())


def in_sets(card: Card | None, topic: Topic) -> bool:
    """Whether every printing of the card is in one of the sets that the topic is tied to."""
    if card is None or not topic.sets or not card.printings:
        return False
    return all(printing.set.upper() in topic.sets for printing in card.printings)
