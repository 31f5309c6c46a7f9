"""Topics of a ruling: which words in it give which topics, and which come first.

In: a text in plain typography or not, with the card's own name or `~`; the card where it is known; the vocabulary.
Out: one to five `Tag`s, best first, each with the words that gave it. Never: a topic that is not in the vocabulary,
a topic from a card's name, a topic from the card alone.

A phrase counts in full where the ruling says something in its own voice, and half where it stands aside: in brackets,
in an example, in a quotation. What the text says first counts more, and a topic's `weight` decides between equals.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rulings.model import Card
from rulings.names import is_legendary, own_names
from rulings.phrases import Phrase, PhraseError, compile_phrase
from rulings.text import plain, sentences
from rulings.topics import OTHER_KEYWORD, Topics

MOST = 5
"""Most topics of one ruling."""
ENOUGH = 0.99
STRONG, WEAK = 1.0, 0.5
_ASIDE = 0.5
_SUPPORT = 0.25  # a keyword that the card has
_FAR_BEHIND = 0.42  # of the first topic's score: further down a topic is mentioned, not meant
_EARLY = 0.35
_MORE = 0.15
_LATIN = re.compile(r"\b(?:e\.g\.|i\.e\.)")
_ASIDES = re.compile(
    r"\([^()]*\)"
    r"|(?<=[.!?] )(?:For example|For instance|Say|Suppose)\b[^.!?]*[.!?]?"
    r"|(?:,|—|-) ?(?:for example|for instance|perhaps|most likely|probably|such as|like|possibly|usually|typically)\b[^.;!?]*"
    r"|\b(?:such as|perhaps because|most likely because|probably because|for example)\b[^.,;!?)]*"
    r'|(?<=[ (])"[^"]{25,}"'
)
_NO_LETTER = re.compile(r"[^a-z0-9']+")


@dataclass(frozen=True, slots=True)
class Tag:
    """A topic of a ruling. `reason` is for people; `weight` is the score by which tags are ordered."""

    key: str
    reason: str
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class _Hit:
    start: int
    end: int
    worth: float
    words: str


class Tagger:
    """Tags many texts with one vocabulary. `keywords`: names of keywords in the imported rules; those that no topic
    knows give `other-keyword`. Phrases that cannot be read are left out (`rulings.topics.check_phrases` names them).
    """

    def __init__(self, topics: Topics, keywords: Iterable[str] | None = None) -> None:
        self.topics = topics
        self._phrases: list[tuple[str, float, Phrase]] = []  # topic, worth (0: except), phrase
        self._by_anchor: dict[str, list[int]] = {}
        for topic in topics:
            for worth, lines in ((STRONG, topic.strong), (WEAK, topic.weak), (0.0, topic.unless)):
                for line in lines:
                    self._add(topic.key, worth, line)
        if OTHER_KEYWORD in topics:
            for line in self._new_keywords(keywords or ()):
                self._add(OTHER_KEYWORD, STRONG, line)

    def _add(self, key: str, worth: float, line: str) -> None:
        try:
            phrase = compile_phrase(line, self.topics.words)
        except PhraseError:
            return
        number = len(self._phrases)
        self._phrases.append((key, worth, phrase))
        for anchor in phrase.anchors:
            self._by_anchor.setdefault(anchor, []).append(number)

    def _new_keywords(self, keywords: Iterable[str]) -> list[str]:
        """Phrases for keywords that no topic names. A single word may be plain English (`support`, `fight`), so it
        counts only beside a word that makes it a keyword."""
        lines = []
        for keyword in keywords:
            words = _NO_LETTER.sub("_", keyword.lower()).strip("_")
            # A list read from prose may bring a sentence (mtgjson#341): no keyword has more than six words.
            if not words or words.count("_") > 5 or len(words) > 40 or self._knows(keyword):
                continue
            if "_" in words:
                lines.append(words)
            else:
                lines.append(f"{words} ability|abilities|cost|costs|action|keyword")
                lines.append(f"has|have|with|gain|gains|gained|having|lose|loses|without|instances_of|instance_of {words}")
        return lines

    def _knows(self, keyword: str) -> bool:
        name = keyword.lower()
        sayings = (name, f"{name} ability", f"has {name}")
        return self.topics.find(name) is not None or any(
            worth == STRONG and any(phrase.regex.search(saying) for saying in sayings)
            for key, worth, phrase in self._phrases
            if any(anchor in sayings[1] for anchor in phrase.anchors)
        )

    def tag(self, text: str, card: Card | None = None) -> tuple[Tag, ...]:
        """The topics of one ruling, the first one first. Empty only where nothing in the text says what it is about."""
        masked = mask(text, card)
        low = masked.lower()
        # Only phrases one of whose literals is in the text are tried: that is most of the speed.
        numbers = sorted({n for anchor, found in self._by_anchor.items() if anchor in low for n in found})
        asides = [found.span() for found in _ASIDES.finditer(masked)]
        first_end = (sentences(masked) or [(0, len(masked))])[0][1]
        hits: dict[str, list[_Hit]] = {}
        barred: dict[str, list[tuple[int, int]]] = {}
        for number in numbers:
            key, worth, phrase = self._phrases[number]
            for found in phrase.regex.finditer(masked):
                start, end = found.span()
                if not worth:
                    barred.setdefault(key, []).append((start, end))
                    continue
                aside = any(a <= start < b for a, b in asides)
                hits.setdefault(key, []).append(_Hit(start, end, worth * _ASIDE if aside else worth, found.group()))
        tags = []
        for key, all_hits in hits.items():
            kept = _apart([hit for hit in all_hits if not _inside(hit, barred.get(key, ()))])
            points = sum(hit.worth for hit in kept)
            if not kept:
                continue
            if _has_keyword(card, self.topics.by_key[key].label):
                points += _SUPPORT
            if points < ENOUGH:
                continue
            rank = min(points, STRONG) + _MORE * min(3.0, points - min(points, STRONG))
            begin = min(hit.start for hit in kept)
            if begin < first_end:
                rank += _EARLY * (1 - begin / max(1, first_end)) + 0.15
            words = list(dict.fromkeys(" ".join(hit.words.split()) for hit in kept))[:3]
            reason = "the words " + ", ".join(f'"{word}"' for word in words)
            tags.append(Tag(key, reason, round(rank * self.topics.by_key[key].weight, 3)))
        tags.sort(key=lambda tag: (-tag.weight, tag.key))
        tags = self._without_broader(tags)
        return tuple(tag for tag in tags[:MOST] if tag.weight >= _FAR_BEHIND * tags[0].weight)

    def _without_broader(self, tags: list[Tag]) -> list[Tag]:
        return tags


def tag(
    text: str, *, card: Card | None = None, topics: Topics, keywords: Sequence[str] | None = None
) -> tuple[Tag, ...]:
    """The topics of one ruling; see `Tagger.tag`. For many rulings make one `Tagger`."""
    return Tagger(topics, keywords).tag(text, card)


def mask(text: str, card: Card | None) -> str:
    """`text` in plain typography with `~` for the card's own names: a name (*Discover the Impossible*) is no word
    of the rules."""
    text = plain(_LATIN.sub(lambda found: found.group().replace(".", ""), text))
    if card is None:
        return text
    legendary = is_legendary(card)
    names = {*own_names(card.name, legendary), *(face.name for face in card.faces), *card.former_names}
    known = sorted({plain(name) for name in names if len(name) > 2}, key=lambda name: (-len(name), name))
    if not known:
        return text
    return re.sub(r"(?<!\w)(?:" + "|".join(re.escape(name) for name in known) + r")(?!\w)", "~", text)


def _inside(hit: _Hit, spans: Iterable[tuple[int, int]]) -> bool:
    return any(start < hit.end and hit.start < end for start, end in spans)


def _apart(hits: list[_Hit]) -> list[_Hit]:
    """The best hits that do not overlap: one stretch of text counts once for a topic."""
    kept: list[_Hit] = []
    for hit in sorted(hits, key=lambda h: (-h.worth, h.start, -h.end)):
        if all(hit.end <= other.start or other.end <= hit.start for other in kept):
            kept.append(hit)
    return sorted(kept, key=lambda h: h.start)


def _has_keyword(card: Card | None, label: str) -> bool:
    return card is not None and any(keyword.casefold() == label.casefold() for keyword in card.keywords)
