"""The shards of words: ranking terms with their impacts (`t`, `h`), places of exact words (`p`, `q`), the words by
their first letter (`w`). Each lies in the shard of its stem, so that a question reads only what it asks for."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from operator import sub

from rulings.language.ranking import idf, impact
from rulings.language.tokens import stem
from rulings.language.tokens import words as exact
from rulings.language.vocabulary import MARK, vocabulary
from rulings_site.client_base import SearchData, numbers_of
from rulings_site.client_codes import numbers, rising, script, shards, spread
from rulings_site.page import Files

HEAVY = 700
"""A word with so many documents, its concepts counted, has a shard of its own, so that a rare word never brings a
frequent one along."""
SPREAD = 900
"""A concept in at most so many documents lies with every word that its wordings begin with: a question asks for few
shards, and has few of these along."""
HEAVY_PLACES = 1500


def term_shards(data: SearchData) -> int:
    """How many shards of terms there are."""
    return shards(len(data.terms), 45, data.sizes.terms)


def place_shards(data: SearchData) -> int:
    """How many shards of places there are."""
    return shards(len(data.words), 110, data.sizes.places)


@lru_cache(maxsize=1)
def homes() -> dict[str, str]:
    """Concept term -> the word whose shard it lies in: who asks for the word asks for the concept too."""
    found = {}
    for concept in vocabulary().concepts:
        alone = (parts[0] for wording in concept.terms if len(parts := exact(wording)) == 1)
        if (word := next(alone, None)) is not None:
            found[MARK + concept.key] = stem(word)
    return found


@lru_cache(maxsize=1)
def beginnings() -> dict[str, frozenset[str]]:
    """Concept term -> the first word of each of its wordings that is not light."""
    light = vocabulary().light
    found = {}
    for concept in vocabulary().concepts:
        stems = ([stem(word) for word in exact(wording)] for wording in (*concept.terms, *concept.asked))
        first = (next((word for word in of if word not in light), "") for of in stems)
        found[MARK + concept.key] = frozenset(word for word in first if word)
    return found


def spread_concepts(data: SearchData) -> list[int]:
    """The concepts that lie with every word that they begin with, by their number in the vocabulary."""
    number = {MARK + concept.key: n for n, concept in enumerate(vocabulary().concepts)}
    return sorted(number[term] for term, _, impacts in data.terms if term in number and len(impacts) <= SPREAD)


def homes_of(term: str, documents: int) -> set[str]:
    """The words whose shards a term lies in. A concept has its own home besides: a wording may be all light words."""
    home = {homes().get(term, term)}
    return home | beginnings()[term] if term in beginnings() and documents <= SPREAD else home


def heavy_terms(data: SearchData) -> list[str]:
    """The words with a shard of their own: those with many documents."""
    total: dict[str, int] = defaultdict(int)
    for term, _, impacts in data.terms:
        for home in homes_of(term, len(impacts)):
            total[home] += len(impacts)
    heavy = sorted((-count, home) for home, count in total.items() if count >= HEAVY)
    return [home for _, home in heavy[: data.sizes.heavy]]


@dataclass(frozen=True, slots=True)
class TermShard:
    """One shard of terms: its name, a hash of all that it is made from, its terms (with their documents and impacts
    as the index has them), and the further documents of each."""

    name: str
    key: str
    terms: tuple[tuple[str, bytes, bytes], ...]
    more: tuple[tuple[str, tuple[int, ...]], ...]


def term_files(data: SearchData) -> list[TermShard]:
    """All shards of terms, not yet written: after a small edit most of them are what they were."""
    count = term_shards(data)
    own = {term: n for n, term in enumerate(heavy_terms(data))}

    def place(home: str) -> str:
        return f"h/{own[home]}" if home in own else f"t/{spread(home) % count}"

    names = [*(f"t/{n}" for n in range(count)), *(f"h/{n}" for n in range(len(own)))]
    held: dict[str, list[tuple[str, bytes, bytes]]] = {name: [] for name in names}
    more: dict[str, list[tuple[str, tuple[int, ...]]]] = {name: [] for name in names}
    for row in data.terms:
        for name in {place(home) for home in homes_of(row[0], len(row[2]))}:
            held[name].append(row)
    for stem_, documents in sorted(named_stems(data).items()):
        more[place(stem_)].append((stem_, tuple(sorted(documents))))
    length_of = data.length_by_number().__getitem__
    found = []
    for name in names:
        total = blake2b(f"{data.numbering} {data.size} {more[name]}".encode(), digest_size=9)
        for term, docs, impacts in held[name]:
            total.update(term.encode() + docs + impacts)
            # How an impact is written depends on the length of the wording.
            total.update(array("I", map(length_of, numbers_of(docs))).tobytes())
        found.append(TermShard(name, total.hexdigest(), tuple(held[name]), tuple(more[name])))
    return found


def term_file(data: SearchData, shard: TermShard) -> tuple[str, bytes]:
    """term -> how rare it is, documents, impacts, and further documents that hold the word only by a card's name in
    the place of `~` (found by it, not ranked by it).

    An impact is written as the number of occurrences in the canonical wording that it comes from (the page has the
    lengths of these wordings and the formula), or as 0 and the impact itself.
    """
    table: dict[str, list[object]] = {}
    further = dict(shard.more)
    for term, docs, impacts in shard.terms:
        documents, weights = data.posting(docs, impacts)
        codes: list[int] = []
        for n, weight in zip(documents, weights, strict=True):
            code = _codes(data.lengths[n]).get(weight)
            if code is None:
                codes += (0, weight)
            else:
                codes.append(code)
        table[term] = [idf(data.size, len(documents)), rising(documents), numbers(codes)]
        if more := further.pop(term, None):
            table[term].append(rising(sorted(set(more).difference(documents))))
    for term, more in further.items():
        table[term] = [0, "", "", rising(more)]
    return script(shard.name, data.numbering, table)


@lru_cache(maxsize=4096)
def _codes(length: int) -> dict[int, int]:
    """Impact -> occurrences, for wordings of one length."""
    return {impact(times, length): times for times in range(31, 0, -1)}


def terms(data: SearchData) -> Files:
    """All shards of terms."""
    return [term_file(data, shard) for shard in term_files(data)]


NAMED = 8
"""Up to this many cards a text with `~` is also kept with each card's name in its place."""


def named_stems(data: SearchData) -> dict[str, set[int]]:
    """Stem -> the documents that have it in a card's name in the place of `~`."""
    found: dict[str, set[int]] = defaultdict(set)
    for n, doc in enumerate(data.documents):
        if len(doc["cards"]) <= NAMED and any("~" in text for _, text in doc["wordings"]):
            for card in doc["cards"]:
                for word in exact(card):
                    found[stem(word)].add(n)
    return found


def places(data: SearchData, only: Collection[str] | None = None) -> Files:
    """exact word -> for each document that has it: the step to its number, how many places but one, the steps to
    these. `|` stands between the wordings of a document and has places too. `only` names shards."""
    return placed(data, "p", place_shards(data), data.streams, heavy_places(data), only)


def heavy_places(data: SearchData) -> list[str]:
    """The exact words whose places have a shard of their own (`q`)."""
    heavy = sorted((-df, word) for word, _, df in data.words if df >= HEAVY_PLACES)
    return [word for _, word in heavy[: data.sizes.places_alone]]


class Homes(dict[str, str]):
    """Exact word -> the shard of its places: that of its stem, or its own."""

    def __init__(self, kind: str, count: int, alone: Sequence[str] = ()) -> None:
        super().__init__({word: f"q/{n}" for n, word in enumerate(alone)})
        self.names = [*self.values(), *(f"{kind}/{n}" for n in range(count))]
        self._kind, self._count = kind, count

    def __missing__(self, word: str) -> str:
        home = self[word] = f"{self._kind}/{spread(stem(word)) % self._count}"
        return home


def placed(
    data: SearchData,
    kind: str,
    count: int,
    streams: Iterable[str],
    alone: Sequence[str] = (),
    only: Collection[str] | None = None,
) -> Files:
    """Shards of places of the words of these streams, all or `only` some."""
    homes = Homes(kind, count, alone)
    asked = _Asked(homes, homes.names if only is None else only)
    held: dict[str, list[int]] = defaultdict(list)
    last: dict[str, int] = {}
    for number, stream in enumerate(streams):
        here: dict[str, list[int]] = {}
        for place, word in enumerate(stream.split()):
            if word in here:
                here[word].append(place)
            elif asked[word]:
                here[word] = [place]
        for word, at in here.items():
            steps = held[word]
            steps += (number - last.get(word, 0), len(at) - 1, at[0])
            last[word] = number
            if len(at) > 1:
                steps.extend(map(sub, at[1:], at))
    found: dict[str, dict[str, str]] = {name: {} for name in homes.names if only is None or name in only}
    for word in sorted(held):
        found[homes[word]][word] = numbers(held[word])
    return [script(name, data.numbering, shard) for name, shard in found.items()]


class _Asked(dict[str, bool]):
    """Whether the shard of a word is to be made."""

    def __init__(self, homes: Homes, names: Collection[str]) -> None:
        super().__init__()
        self._homes, self._names = homes, frozenset(names)

    def __missing__(self, word: str) -> bool:
        asked = self[word] = self._homes[word] in self._names
        return asked


LETTERS = "abcdefghijklmnopqrstuvwxyz"


def letter(word: str) -> str:
    """The shard of a word in `w`."""
    return word[0] if word[0] in LETTERS else "_"


def words(data: SearchData) -> Files:
    """By first letter: the exact words of rulings, how many documents have each, and the words of names."""
    known: dict[str, list[tuple[str, int]]] = defaultdict(list)
    named: dict[str, list[str]] = defaultdict(list)
    for word, _, df in data.words:
        known[letter(word)].append((word, df))
    for word, _ in data.name_words:
        if word.isalpha():
            named[letter(word)].append(word)
    out = []
    for at in [*LETTERS, "_"]:
        shard = [
            " ".join(word for word, _ in known[at]),
            numbers(df for _, df in known[at]),
            " ".join(named[at]),
        ]
        out.append(script(f"w/{at}", data.numbering, shard))
    return out


FILTER_BLOCK = 4096


def filter_of(texts: Iterable[str], odds: int) -> tuple[int, str]:
    """A set that may say yes wrongly, one time in `odds`, and never no: its size, and the places of its ones, by
    blocks, so that who asks reads one of them."""
    known = set(texts)
    size = max(odds, odds * len(known))
    blocks: list[list[int]] = [[] for _ in range(0, size, FILTER_BLOCK)]
    for at in sorted({spread(text) % size for text in known}):
        blocks[at // FILTER_BLOCK].append(at % FILTER_BLOCK)
    return size, " ".join(map(rising, blocks))
