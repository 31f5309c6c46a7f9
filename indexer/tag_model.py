"""How likely a topic is, given what in the text speaks for it: a small linear model with weights from a
file.

In: the evidence by topic, the card. Out: a likelihood from 0 to 1 for each topic. The weights were learned from 26,000
rulings labelled by reading (`tests/topic_labels.tsv`, `tests/fit_topics.py`); a topic or phrase that was not there,
such as one that a base adds, is judged by what holds for all. Never: a topic that nothing in the text speaks for,
except that a ruling on a card of an Un-set is about Un-cards.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
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


@dataclass(frozen=True)
class Weights:
    """By kind: `all` features, then by topic `topic`, `early` (a strong phrase in the first sentence), `card` (the card
    is of such a type), `phrase` (topic, phrase), `beside` (topic, other topic with a strong phrase) and `said` (the
    score of `indexer.tag_words`)."""

    all: Mapping[str, float]
    topic: Mapping[str, float]
    early: Mapping[str, float]
    card: Mapping[str, float]
    phrase: Mapping[str, Mapping[str, float]]
    beside: Mapping[str, Mapping[str, float]]
    said: Mapping[str, float]


KINDS = ("all", "topic", "early", "card", "phrase", "beside", "said")


@cache
def weights() -> Weights:
    """The weights that come with the program."""
    data = json.loads((files("indexer") / "tag_weights.json").read_text(encoding="utf-8"))
    return Weights(*(data[kind] for kind in KINDS))


@dataclass(frozen=True, slots=True)
class Seen:
    """What the model knows of one topic in one text: `shared` features with how much of each, and what is the topic's
    own. `said` is None where the words say nothing of it."""

    shared: list[tuple[str, float]]
    early: bool
    card: bool
    phrases: list[tuple[str, float]]
    beside: list[str]
    said: float | None


def likelihoods(
    found: Mapping[str, list[Evidence]],
    said: Mapping[str, float],
    topics: Topics,
    card: Card | None,
    length: int,
    by: Weights,
) -> dict[str, float]:
    """How likely each topic is that a phrase of `found` or the words (`said`, `tag_words.scores`) speak for; `length`
    is that of the text."""
    made = {}
    everyone, none = by.all.get, dict[str, float]()
    for key, seen in look(found, said, topics, card, length).items():
        total = sum([value * everyone(name, 0.0) for name, value in seen.shared]) + _TOPIC * by.topic.get(key, 0.0)
        if seen.early:
            total += _EARLY * by.early.get(key, 0.0)
        if seen.card:
            total += by.card.get(key, 0.0)
        if seen.phrases:
            learned = by.phrase.get(key, none)
            total += sum([value * learned.get(phrase, 0.0) for phrase, value in seen.phrases])
        if seen.beside:
            learned = by.beside.get(key, none)
            total += _BESIDE * sum([learned.get(other, 0.0) for other in seen.beside])
        if seen.said is not None:
            total += seen.said * by.said.get(key, 0.0)
        made[key] = 1 / (1 + exp(-total))
    return made


def features(seen: Seen, key: str) -> Iterator[tuple[tuple[str, str, str], float]]:
    """The same for learning, as (kind, topic, rest) and how much of it."""
    for name, value in seen.shared:
        yield ("all", "", name), value
    yield ("topic", key, ""), _TOPIC
    if seen.early:
        yield ("early", key, ""), _EARLY
    if seen.card:
        yield ("card", key, ""), 1.0
    for phrase, value in seen.phrases:
        yield ("phrase", key, phrase), value
    for other in seen.beside:
        yield ("beside", key, other), _BESIDE
    if seen.said is not None:
        yield ("said", key, ""), seen.said


def look(
    found: Mapping[str, list[Evidence]], said: Mapping[str, float], topics: Topics, card: Card | None, length: int
) -> dict[str, Seen]:
    """What is to be known of each topic that may be one."""
    strong = sorted(key for key, evidence in found.items() if any(e.strong and not e.aside for e in evidence))
    strongly = set(strong)
    parents = {topics.by_key[key].parent for key in strong}
    begins = {key: evidence[0].start for key, evidence in found.items()}
    first = min(begins, key=lambda key: (begins[key], key), default="")
    types = set(type_line(card).split())
    keywords = {keyword.casefold() for keyword in card.keywords} if card else set()
    best = max(said.values(), default=0.0)
    third = sorted(said.values())[-3] if len(said) > 2 else best
    text = list(_text(len(strong), length))
    made = {}
    for key, evidence in found.items():
        score = said.get(key)
        if score is not None and score < HOPELESS and key not in strongly:
            continue
        topic = topics.by_key[key]
        late = min(1.0, begins[key] / max(1, length))
        kind = "keyword" if topic.group in KEYWORD_GROUPS and key not in _EVERYDAY else "concept"
        shared = list(_shape(evidence))
        shared += [(f"{kind} {name}", value) for name, value in shared if name in _BY_KIND]
        shared += [(kind, 1.0), (f"{kind} late", late), ("late", late), ("place", min(1.0, begins[key] / 200))]
        shared += text
        if key == first:
            shared.append(("comes first", 1.0))
        if key in parents:
            shared.append(("narrower beside", 1.0))
        if keywords and topic.label.casefold() in keywords:
            shared.append(("card has it", 1.0))
        shared += _said(score, best, third)
        made[key] = Seen(
            shared,
            any(e.strong and e.first and not e.aside for e in evidence),
            bool(topic.cards) and not types.isdisjoint(topic.cards),
            [(e.phrase, 0.35 if e.aside else 0.7) for e in evidence],
            [other for other in strong if other != key],
            None if score is None else _own(score),
        )
    for key, score in said.items():
        # A flavour word is no keyword: those need a phrase.
        if score > LEAST and key not in found and key in topics and topics.by_key[key].group not in KEYWORD_GROUPS:
            shared = [("words alone", 1.0), ("said, words alone", score / 3), *_said(score, best, third), *text]
            made[key] = Seen(shared, False, False, [], [], _own(score))
    return made


LEAST = -2.2
"""The least score of the words that makes a topic worth looking at where no phrase speaks for it."""
HOPELESS = -2.6
"""A score of the words below which weak phrases alone make none."""
_TOPIC, _EARLY, _BESIDE = 0.8, 0.4, 0.5
# How much of a feature there is also says how freely its weight may grow while learning.


def _own(score: float) -> float:
    return max(-1.5, score + 2) / 6


def _said(score: float | None, best: float, third: float) -> list[tuple[str, float]]:
    if score is None:
        return [("no words known", 1.0)]
    made = [("said", score / 3), ("said, likely", max(0.0, score + 2) / 3)]
    if score >= third:
        made.append(("said best" if score >= best else "said next", 1.0))
    return made


def _text(strong: int, length: int) -> Iterator[tuple[str, float]]:
    yield "rivals", min(strong, 10) / 5
    if strong <= 2:
        yield "few rivals", 1.0
    if strong >= 7:
        yield "many rivals", 1.0
    yield "length", min(length, 500) / 300


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


def type_line(card: Card | None) -> str:
    """The type line, `//` where there are two faces."""
    if card is None:
        return ""
    return card.type_line or " // ".join(face.type_line for face in card.faces)


def in_sets(card: Card | None, topic: Topic) -> bool:
    """Whether every printing of the card is in one of the sets that the topic is tied to."""
    if card is None or not topic.sets or not card.printings:
        return False
    return all(printing.set.upper() in topic.sets for printing in card.printings)
