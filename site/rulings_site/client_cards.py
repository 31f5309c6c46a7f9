"""The shards of cards: names that a question may hold (`n`, `x`), names while they are typed (`y`), words of Oracle
texts (`o`), their rarest terms (`k`), and what few queries need (`f/...`)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import lru_cache

from rulings.language.ranking import idf, ranking
from rulings.language.tokens import stem, words
from rulings.language.vocabulary import MARK, vocabulary
from rulings.names import card_key
from rulings.text import loose
from rulings_site.client_base import SearchData, card_numbers, numbers_of
from rulings_site.client_codes import numbers, rising, script, shards, spread
from rulings_site.client_words import placed
from rulings_site.page import Files, digest

MOST_CARDS = 60
"""A word in more names than this points at no card in a question; its cards are kept apart, for `card:`."""
_APOSTROPHE = re.compile(r"['’]")
_SIGNS = re.compile(r"[\W_]+")
_NOT_SLUG = re.compile(r"[^a-z0-9]+")

folded = lru_cache(maxsize=100_000)(loose)


def name_shards(data: SearchData) -> int:
    return shards(len(data.names), 70, data.sizes.names)


def word_shards(data: SearchData) -> int:
    return shards(len(data.name_words), 70, data.sizes.name_words)


def typed_shards(data: SearchData) -> int:
    return shards(len(data.spelt), 280, data.sizes.typed)


def oracle_shards(data: SearchData) -> int:
    return shards(sum(len(oracle) for _, _, oracle, _ in data.cards) // 5, 16000, data.sizes.oracle)


def names(data: SearchData) -> Files:
    """`n`, by name key, and `x`, by word of names: the cards a shard speaks of (number, name, its rulings with a bit
    for those that name it), and for each key its cards with the kinds of name, for each word its cards (of a word in
    many names only how many)."""
    rulings = [rising([n * 2 + (n in data.names_itself) for n in data.numbers(docs)]) for _, _, _, docs in data.cards]

    def table(wanted: set[int]) -> tuple[list[list[object]], dict[int, int]]:
        ordered = sorted(wanted)
        return [[card, data.cards[card][1], rulings[card]] for card in ordered], {c: n for n, c in enumerate(ordered)}

    count = name_shards(data)
    keys: list[dict[str, list[tuple[int, int]]]] = [defaultdict(list) for _ in range(count)]
    for key, card, kind in data.names:
        keys[spread(key) % count][key].append((card, kind))
    out = []
    for at, shard in enumerate(keys):
        rows, place = table({card for found in shard.values() for card, _ in found})
        named = {key: numbers(x for card, kind in found for x in (place[card], kind)) for key, found in shard.items()}
        out.append(script(f"n/{at}", data.numbering, [rows, named]))
    count = word_shards(data)
    in_names: list[dict[str, list[int]]] = [{} for _ in range(count)]
    for word, blob in data.name_words:
        in_names[spread(word) % count][word] = card_numbers(blob)
    for at, of_words in enumerate(in_names):
        few = {word: cards for word, cards in of_words.items() if len(cards) <= MOST_CARDS}
        rows, place = table({card for cards in few.values() for card in cards})
        said: dict[str, object] = {word: rising([place[card] for card in cards]) for word, cards in few.items()}
        said |= {word: len(cards) for word, cards in of_words.items() if word not in few}
        out.append(script(f"x/{at}", data.numbering, [rows, said]))
    return out


def typed(data: SearchData, costs: Mapping[str, str]) -> Files:
    """By the first three letters of each word of each name: name as written, the card's own name where it is another,
    number of rulings, mana cost."""
    count = typed_shards(data)
    found: list[dict[str, list[list[object]]]] = [defaultdict(list) for _ in range(count)]
    for written, card in data.spelt:
        _, name, _, docs = data.cards[card]
        parts = [part for part in _SIGNS.split(_APOSTROPHE.sub("", folded(written))) if part]
        entry: list[object] = [written, name if name != written else 0, len(docs) // 4, costs.get(name, "")]
        starts = {"".join(parts[at:])[:3] for at in range(len(parts))}
        for start in sorted(starts):  # a set of texts has another order in each process
            found[spread(start) % count][start].append(entry)
    return [script(f"y/{n}", data.numbering, shard) for n, shard in enumerate(found)]


def oracle(data: SearchData) -> Files:
    """Exact word of Oracle texts -> cards and places, as `places` of rulings are written."""
    return placed(data, "o", oracle_shards(data), (stream for _, _, stream, _ in data.cards))


def oracle_term_shards(data: SearchData) -> int:
    return shards(len(data.cards), 120, data.sizes.oracle_terms)


def of_rare(data: SearchData) -> str:
    """A hash of how rare those terms are that an Oracle text can be known by."""
    least = ranking().oracle["least_idf"]
    known = {word for word, _ in data.oracle}
    rare = ((term, idf(data.size, len(impacts))) for term, _, impacts in data.terms if term in known or term[0] == MARK)
    return digest(f"{term} {n}" for term, n in rare if n >= least)


def oracle_terms(data: SearchData) -> Files:
    """By the number of a card: the rarest terms of its Oracle text, of those that rulings have (docs/ranking.md,
    section 5). Of each shard: its terms, how rare each is, and for each card which of them."""
    limits = ranking().oracle
    rare = {term: idf(data.size, len(impacts)) for term, _, impacts in data.terms}
    holding = _oracle_terms(data)
    most = limits["terms"]
    chosen: list[list[str]] = [[] for _ in data.cards]
    # The rarest first, so that a card is done when it has enough.
    for _, term in sorted((-rare[term], term) for term in holding if rare.get(term, 0) >= limits["least_idf"]):
        for number in holding[term]:
            if len(chosen[number]) < most:
                chosen[number].append(term)
    count = oracle_term_shards(data)
    out = []
    for at in range(count):
        terms = sorted({term for of_card in chosen[at::count] for term in of_card})
        place = {term: n for n, term in enumerate(terms)}
        rows = {number: numbers(place[term] for term in chosen[number]) for number in range(at, len(data.cards), count)}
        out.append(script(f"k/{at}", data.numbering, [" ".join(terms), numbers(rare[term] for term in terms), rows]))
    return out


def _oracle_terms(data: SearchData) -> dict[str, Iterable[int]]:
    """Stem or concept -> the cards whose Oracle text has it. Concepts of several words are looked for only on cards
    that have all these words."""
    light = vocabulary().light
    stems = {word: frozenset(numbers_of(cards)) for word, cards in data.oracle}
    found: dict[str, Iterable[int]] = {word: cards for word, cards in stems.items() if word not in light}
    texts = _Stemmed(data)
    for concept in vocabulary().concepts:
        cards: set[int] = set()
        for wording in concept.terms:
            parts = [stem(word) for word in words(wording)]
            if not parts:
                continue
            having = frozenset.intersection(*(stems.get(part, frozenset()) for part in parts))
            if len(parts) > 1:
                phrase = f" {' '.join(parts)} "
                having = frozenset([number for number in having - cards if phrase in texts[number]])
            cards |= having
        found[MARK + concept.key] = cards
    return found


class _Stemmed(dict[int, str]):
    """The Oracle texts as stems, of those cards that are asked for."""

    def __init__(self, data: SearchData) -> None:
        super().__init__()
        self._cards = data.cards

    def __missing__(self, number: int) -> str:
        stream = self._cards[number][2].replace(" | ", " ")
        text = self[number] = f" {' '.join(map(stem, stream.split()))} "
        return text


def lists(data: SearchData) -> Files:
    """`f/names`: every name as written, with its card and a bit for full names, in the order of the index; `f/cards`:
    the rulings of each card (of all cards with one key); `f/many`: the cards of words that stand in many names."""
    by_key: dict[str, set[int]] = defaultdict(set)
    for _, name, _, docs in data.cards:
        by_key[card_key(name)].update(data.numbers(docs))
    of_card = [sorted(by_key[card_key(name)]) for _, name, _, _ in data.cards]
    many = {word: rising(card_numbers(blob)) for word, blob in data.name_words if len(blob) // 4 > MOST_CARDS}
    return [
        script(
            "f/names",
            data.numbering,
            [
                "\n".join(name for name, _ in data.spelt),
                numbers(card * 2 + (name == data.cards[card][1]) for name, card in data.spelt),
            ],
        ),
        script("f/cards", data.numbering, " ".join(map(rising, of_card))),
        script("f/many", data.numbering, many),
    ]


def plain_slug(name: str) -> str:
    """The address that the page works out by itself; where a card has another, the start data says so."""
    return _NOT_SLUG.sub("-", _APOSTROPHE.sub("", folded(name)).replace("&", " and ")).strip("-")
