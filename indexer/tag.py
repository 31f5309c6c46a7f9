"""Topics of a ruling: what it is about, best first, each with the words that say so.

In: a text in plain typography or not, with the card's own name or `~`; the card where it is known; the vocabulary.
Out: one to five `Tag`s. Never: a topic that is not in the vocabulary, one from a card's name, one from the card's own
keywords alone. `tag_evidence` finds the phrases and `tag_words` hears the words; `tag_model` weighs them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from indexer.tag_evidence import KEYWORD_GROUPS, Evidence, Finder
from indexer.tag_model import SET, Weights, in_sets, likelihoods, type_line, weights
from indexer.tag_words import WordWeights, scores, signs_of, telling, word_weights
from rulings.model import Card
from rulings.names import is_legendary, own_names
from rulings.names import mask as mask_names
from rulings.text import plain
from rulings.topics import OTHER_KEYWORD, Topics

_BARS = (0.05, 0.2, 0.42, 0.45, 0.5)
"""How likely the first topic must be, the second and so on. Most rulings have two topics or three."""
MOST = len(_BARS)
"""Most topics of one ruling."""
_NEW = 0.5
"""The least likelihood of a topic the weights do not know, where a strong phrase of it stands in the open."""
_LATIN = re.compile(r"\b(?:e\.g\.|i\.e\.)")
_NO_LETTER = re.compile(r"[^a-z0-9']+")


@dataclass(frozen=True, slots=True)
class Tag:
    """A topic of a ruling. `reason` is for people; `weight` is how likely it is, from 0 to 1."""

    key: str
    reason: str
    weight: float = 1.0


class Tagger:
    """Tags many texts with one vocabulary. `keywords`: names of the keywords in the imported rules (or the list of
    `rulings.rules.keywords`); those that no topic knows give `other-keyword`."""

    def __init__(
        self,
        topics: Topics,
        keywords: Iterable[object] | None = None,
        by: Weights | None = None,
        words: WordWeights | None = None,
    ) -> None:
        self.topics = topics
        self._by = by or weights()
        self._words = words or word_weights()
        self._tied = [topic for topic in topics if topic.sets]
        names = [str(getattr(keyword, "name", keyword)) for keyword in keywords or ()]
        extra = [(OTHER_KEYWORD, line) for name in names for line in _keyword_phrases(name)]
        self._finder = Finder(topics)
        self._keywords = Finder(Topics((), words=topics.words))
        if OTHER_KEYWORD in topics and extra:
            fresh = [(key, line) for (key, line) in extra if not self._knows(line)]
            self._finder.extend(fresh)
            self._keywords.extend(fresh)

    def _knows(self, line: str) -> bool:
        name = line.split()[-1] if line.startswith("has|") else line.split()[0]
        saying = f"The {name.replace('_', ' ')} ability. It has {name.replace('_', ' ')}."
        found = self._finder.find(saying)
        return self.topics.find(name.replace("_", " ")) is not None or any(
            name.replace("_", " ") in e.words.lower()
            for key, evidence in found.items()
            for e in evidence
            if e.strong and self.topics.by_key[key].group in KEYWORD_GROUPS
        )

    def hears_keywords(self, text: str, card: Card | None = None) -> bool:
        """Whether the text has a phrase that is there for a keyword of the rules alone."""
        return bool(self._keywords.find(mask(text, card)))

    def evidence(self, text: str, card: Card | None = None) -> dict[str, list[Evidence]]:
        """By topic, the phrases that speak for it."""
        return self._evidence(mask(text, card), card)

    def _evidence(self, masked: str, card: Card | None) -> dict[str, list[Evidence]]:
        found = self._finder.find(masked)
        for topic in self._tied:
            if in_sets(card, topic):
                here = Evidence(SET, "", 0, 0, strong=True, aside=False, first=True)
                found[topic.key] = [here, *found.get(topic.key, ())]
        return found

    def tag(self, text: str, card: Card | None = None) -> tuple[Tag, ...]:
        """The topics of one ruling, the first one first. Empty where nothing in the text says what it is about."""
        masked = mask(text, card)
        found = self._evidence(masked, card)
        said = scores(signs_of(masked, type_line(card), found), self._words)
        likely = likelihoods(found, said, self.topics, card, len(text), self._by)
        for key, evidence in found.items():
            if key not in self._by.topic and any(e.strong and not e.aside for e in evidence):
                likely[key] = max(likely[key], _NEW)
        ranked = sorted(likely, key=lambda key: (-likely[key], key))[:MOST]
        tags = []
        for key, bar in zip(ranked, _BARS, strict=False):
            if likely[key] < bar:
                continue
            reason = self._reason(key, found[key]) if key in found else self._said(key, masked)
            if reason:
                tags.append(Tag(key, reason, round(likely[key], 3)))
        return tuple(tags)

    def _reason(self, key: str, evidence: list[Evidence]) -> str:
        """The words that say most for the topic, at most three, and that they stand aside where they all do."""
        if any(e.phrase == SET for e in evidence):
            return "the card is printed only in sets of this kind"
        learned = self._by.phrase.get(key, {})
        best = sorted(evidence, key=lambda e: (e.aside, not e.strong, -learned.get(e.phrase, 0.0), e.start))
        return _quoted(e.words for e in best) + (" (said in passing)" if all(e.aside for e in evidence) else "")

    def _said(self, key: str, masked: str) -> str:
        """The words that say most for a topic that no phrase speaks for; nothing where there are none."""
        return _quoted(telling(masked, key, self._words))


def _quoted(said: Iterable[str]) -> str:
    words: list[str] = []
    for one in said:
        if all(one.lower() not in w.lower() and w.lower() not in one.lower() for w in words):
            words.append(one)
        if len(words) == 3:
            break
    return "the words " + ", ".join(f'"{word}"' for word in words) if words else ""


def _keyword_phrases(name: str) -> list[str]:
    """Phrases for a keyword of the imported rules. A single word may be plain English (`support`, `fight`), so it
    counts only beside a word that makes it a keyword. A list read from prose may bring a sentence (mtgjson#341): no
    keyword has more than six words."""
    words = _NO_LETTER.sub("_", name.lower()).strip("_'")
    if not words or words.count("_") > 5 or len(words) > 40:
        return []
    if "_" in words:
        return [words]
    return [
        f"{words} ability|abilities|cost|costs|action|keyword",
        f"has|have|with|gain|gains|gained|having|lose|loses|without|instances_of|instance_of {words}",
    ]


def tag(
    text: str, *, card: Card | None = None, topics: Topics, keywords: Iterable[object] | None = None
) -> tuple[Tag, ...]:
    """The topics of one ruling; see `Tagger.tag`. For many rulings make one `Tagger`."""
    return Tagger(topics, keywords).tag(text, card)


def mask(text: str, card: Card | None) -> str:
    """`text` in plain typography with `~` for the card's own names: a name (*Discover the Impossible*) is no word
    of the rules."""
    text = plain(_LATIN.sub(lambda found: found.group().replace(".", ""), text))
    if card is None:
        return text
    names = (*own_names(card.name, is_legendary(card)), *(face.name for face in card.faces), *card.former_names)
    return mask_names(text, tuple(sorted({name for name in names if len(name) > 2}, key=lambda n: (-len(n), n))))
