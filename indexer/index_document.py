"""A ruling as the search index sees it: one document with all its wordings, cards, topics, rules and dates.

In: a Ruling and what is known of its cards. Out: `Document` (plain data, compared to see what changed), its terms
with their impact, its exact token streams. Pure; nothing here knows Whoosh or SQLite.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any

from rulings.language.ranking import impact
from rulings.language.tokens import TOKEN, fold, is_rule_number, joined_apostrophe, stem, words
from rulings.language.vocabulary import MARK, vocabulary
from rulings.model import Card, Knowledge, Ruling, put_name
from rulings.names import SEPARATOR, is_legendary, own_names

KEYWORD = "@"
"""Before a keyword that the ruling's cards have, where it stands among terms."""
_FULL = 100
_YEAR = 25
_NAMED = 8
"""Up to this many cards a text with `~` is also kept with each card's name in its place, for phrases."""
_TYPE_WORD = re.compile(r"[^\W_]+(?:[-'][^\W_]+)*")


@dataclass(frozen=True, slots=True)
class Document:
    """What is searched of one ruling. `wordings` are (why, text), the canonical one first with why ""."""

    id: str
    ids: tuple[str, ...]
    wordings: tuple[tuple[str, str], ...]
    cards: tuple[str, ...]
    named: tuple[str, ...]  # what the texts call their own card, longest first
    topics: tuple[str, ...]
    rules: tuple[str, ...]
    dates: tuple[str, ...]
    undated: bool
    sources: tuple[str, ...]
    sets: tuple[str, ...]
    types: tuple[str, ...]
    kinds: tuple[str, ...]  # card types alone: creature, instant; a facet
    keywords: tuple[str, ...]
    status: str
    superseded_by: str | None
    damaged: bool
    stands: tuple[tuple[str, str], ...] = ()  # (card, what stands for `~` on it) where that is not its full name

    def to_json(self) -> str:
        return json.dumps([getattr(self, name) for name in _FIELDS], ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Document:
        data: dict[str, Any] = dict(zip(_FIELDS, json.loads(text), strict=True))
        for name in ("wordings", "stands"):
            data[name] = [tuple(pair) for pair in data[name]]
        values: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in data.items()}
        return cls(**values)


_FIELDS = tuple(field.name for field in fields(Document))
CARD_TYPES = (
    "artifact", "battle", "conspiracy", "creature", "dungeon", "enchantment", "instant", "kindred", "land",
    "phenomenon", "plane", "planeswalker", "scheme", "sorcery", "tribal", "vanguard",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _About:
    """What a card gives to its rulings' documents."""

    sets: frozenset[str]
    types: frozenset[str]
    keywords: frozenset[str]
    names: tuple[str, ...]


def _about(card: Card) -> _About:
    lines = " ".join((card.type_line, *(face.type_line for face in card.faces)))
    return _About(
        sets=frozenset(p.set.lower() for p in card.printings if p.set),
        types=frozenset(_TYPE_WORD.findall(fold(lines))),
        keywords=frozenset("".join(stem(w) for w in words(k)) for k in card.keywords),
        names=own_names(card.name, is_legendary(card)),
    )


def documents(knowledge: Knowledge, bears: Mapping[str, Sequence[str]] | None = None) -> Iterable[Document]:
    """The documents of a base, by id. `bears` gives further rules that bear on a ruling."""
    cards: dict[str, Card] = {}
    for card in knowledge.cards:
        cards.setdefault(card.name, card)
    known: dict[str, _About] = {}

    def about(name: str) -> _About:
        found = known.get(name)
        if found is None:
            card = cards.get(name)
            found = known[name] = (
                _about(card) if card else _About(frozenset(), frozenset(), frozenset(), own_names(name))
            )
        return found

    for ruling in sorted(knowledge.rulings, key=lambda r: r.id):
        if ruling.status != "withdrawn":
            yield _document(ruling, about, (bears or {}).get(ruling.id, ()))


def _document(ruling: Ruling, about: Callable[[str], _About], bears: Sequence[str]) -> Document:
    names = ruling.cards
    sets: set[str] = set()
    types: set[str] = set()
    keywords: Counter[str] = Counter()
    for name in names:
        card = about(name)
        sets |= card.sets
        types |= card.types
        keywords.update(card.keywords)
    dates = sorted({o.date for o in ruling.occurrences if o.date})
    wordings = [("", ruling.text), *((v.why, v.text) for v in ruling.variants)]
    named = (
        _named(wordings, [name for card in names[:_NAMED] for name in about(card).names])
        if len(names) <= _NAMED
        else ()
    )
    return Document(
        id=ruling.id,
        ids=(ruling.id, *ruling.aliases),
        wordings=tuple(wordings),
        cards=names,
        named=named,
        topics=ruling.topics,
        rules=tuple(dict.fromkeys((*ruling.see, *bears))),
        dates=tuple(dates),
        undated=any(o.date is None for o in ruling.occurrences),
        sources=tuple(sorted({o.source for o in ruling.occurrences})),
        sets=tuple(sorted(sets)),
        types=tuple(sorted(types)),
        kinds=tuple(kind for kind in CARD_TYPES if kind in types),
        keywords=tuple(sorted(k for k, n in keywords.items() if n * 2 >= len(names))),
        status=ruling.status,
        superseded_by=ruling.superseded_by,
        damaged=bool(ruling.damage),
        stands=tuple(sorted({(o.card, o.stands_for) for o in ruling.occurrences if o.stands_for})),
    )


def _named(wordings: Iterable[tuple[str, str]], names: Iterable[str]) -> tuple[str, ...]:
    texts = [text for _, text in wordings]
    found = {name for name in names if any(name in text for text in texts)}
    return tuple(sorted(found, key=lambda n: (-len(n), n)))


def names_itself(document: Document) -> bool:
    """Whether a text of the ruling names the card it stands on."""
    return bool(document.named) or any("~" in text for _, text in document.wordings)


@lru_cache(maxsize=64)
def _tokens(text: str) -> tuple[list[str], list[str], list[bool]]:
    """(exact tokens in order, joined ones, which exact ones begin in lower case) of a text; quicker than `tokenize`,
    which also gives places."""
    folded = fold(text)
    aligned = len(folded) == len(text)
    exact: list[str] = []
    joined: list[str] = []
    lower: list[bool] = []
    chain: list[str] = []
    end = -1
    for m in TOKEN.finditer(folded):
        word = m.group()
        start = m.start()
        if start == end + 1 and folded[end] == "-" and exact:
            chain = [*chain, word] if chain else [exact[-1], word]
        elif chain:
            joined.append("".join(chain))
            chain = []
        exact.append(word)
        lower.append(text[start].islower() if aligned else False)
        if "'" in word and (whole := joined_apostrophe(word)):
            joined.append(whole)
        end = m.end()
    if chain:
        joined.append("".join(chain))
    return exact, joined, lower


def exact_words(document: Document) -> set[str]:
    """All exact tokens of all wordings."""
    return {word for _, text in document.wordings for word in _tokens(text)[0]}


def terms(document: Document) -> dict[str, int]:
    """The ranking terms of a document with their impact: stems, concepts, keywords of its cards, rules, years."""
    found: dict[str, int] = {}
    for why, text in document.wordings:
        exact, joined, _ = _tokens(text)
        stems = [stem(word) for word in exact]
        counts = Counter(stems)
        counts.update(stem(word) for word in joined)
        for key in vocabulary().in_ruling(stems):
            counts[MARK + key] = 1
        length = len(exact)
        for term, times in counts.items():
            weight = impact(times, length, why or None)
            if weight > found.get(term, 0):
                found[term] = weight
    for keyword in document.keywords:
        found[KEYWORD + keyword] = _FULL
    for number in rule_terms(document):
        found[number] = max(_FULL, found.get(number, 0))
    for year in {date[:4] for date in document.dates}:
        found[year] = max(_YEAR, found.get(year, 0))
    if names_itself(document):
        found["~"] = _FULL
    return found


def rule_terms(document: Document) -> set[str]:
    """The rule numbers of a document with their parents: 608.2b, 608.2, 608."""
    numbers = set(document.rules)
    numbers |= {word for word in exact_words(document) if is_rule_number(word)}
    found: set[str] = set()
    for number in numbers:
        found.add(number)
        if "." in number:
            found.add(number.rstrip("abcdefghijklmnopqrstuvwxyz"))
            found.add(number.partition(".")[0])
    return found


def exact_rules(document: Document) -> set[str]:
    """The rule numbers of a document themselves."""
    return set(document.rules) | {word for word in exact_words(document) if is_rule_number(word)}


def stream(document: Document) -> str:
    """The exact token streams of all wordings, ` token token | token `, for phrases: as written, with the own name
    as `~`, and for texts with `~` with each card's name (up to eight cards)."""
    streams: dict[str, None] = {}
    for _, text in document.wordings:
        streams[" ".join(_tokens(text)[0])] = None
        if "~" in text and len(document.cards) <= _NAMED:
            for card in document.cards:
                for name in card.split(SEPARATOR):
                    streams[" ".join(words(put_name(text, name)))] = None
        masked = text
        for name in document.named:
            masked = masked.replace(name, "~")
        if masked != text:
            streams[" ".join(words(masked))] = None
    return f" {' | '.join(streams)} "


def named_stems(document: Document) -> set[str]:
    """The stems of the card names that stand in the streams in place of `~`, so that phrases with them are found."""
    if len(document.cards) > _NAMED or not any("~" in text for _, text in document.wordings):
        return set()
    return {stem(word) for card in document.cards for word in words(card)}


def lower_case_keys(document: Document, wanted: Callable[[str], bool]) -> set[str]:
    """Name keys (stems run together) that the canonical text uses as ordinary words, in lower case."""
    exact, _, lower = _tokens(document.wordings[0][1])
    stems = [stem(word) for word in exact]
    found: set[str] = set()
    for i, ordinary in enumerate(lower):
        if not ordinary:
            continue
        key = ""
        for part in stems[i : i + 4]:
            key += part
            if wanted(key):
                found.add(key)
    return found
