"""What the search in the page is made from: the tables of the search index, documents in an order of their own.

In: the `search.sqlite` of a build (made by the indexer; this package only reads it, so that the page and the command
line rank by the same numbers). Documents are numbered newest first, then by id: the order of equal scores. The
numbering depends on the content of the base alone, never on how an index came to be.
"""

from __future__ import annotations

import json
import sqlite3
from array import array
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any

from rulings_site.page import digest

Document = dict[str, Any]
_FIELDS = (
    "id", "ids", "wordings", "cards", "named", "topics", "rules", "dates", "undated", "sources", "sets", "types",
    "kinds", "keywords", "status", "superseded_by", "damaged", "stands",
)  # fmt: skip
"""What a document of the index is written as, in this order."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """How many shards of each kind there are at most, and how many documents are in a shard of texts. More and smaller
    shards make a question cheaper, and a site has more files."""

    texts: int = 36
    terms: int = 256
    heavy: int = 300
    places: int = 128
    places_alone: int = 140
    names: int = 512
    name_words: int = 256
    typed: int = 128
    oracle: int = 64
    oracle_terms: int = 256
    ids: int = 16
    rules: int = 8


ROOMY = Sizes()
FEW = Sizes(
    texts=128, terms=64, heavy=60, places=64, places_alone=24, names=32, name_words=32, typed=32, oracle=8,
    oracle_terms=16,
    ids=4, rules=2,
)  # fmt: skip
"""For a site that has to stay under 20,000 files: about 600 in all."""


def read(source: str) -> Document:
    """A document as the index writes it."""
    return dict(zip(_FIELDS, json.loads(source), strict=True))


class SearchData:
    """The tables of one index. `at` gives the new number of a document of the index."""

    def __init__(self, path: Path, sizes: Sizes = ROOMY) -> None:
        self.sizes = sizes
        uri = f"{path.resolve().as_uri()}?mode=ro&immutable=1"
        with closing(sqlite3.connect(uri, uri=True)) as db:
            self.terms: list[tuple[str, bytes, bytes]] = list(
                db.execute("select term, docs, impacts from term order by term")
            )
            self.words: list[tuple[str, str, int]] = list(db.execute("select word, stem, df from word order by word"))
            self.usual: list[tuple[str, int]] = list(db.execute("select key, n from usual order by key"))
            self.cards: list[tuple[int, str, str, bytes]] = list(
                db.execute("select n, name, oracle, docs from card order by n")
            )  # number, name, stream of the Oracle text, documents
            self.names: list[tuple[str, int, int]] = list(
                db.execute("select key, card, kind from name order by key, card")
            )
            self.spelt: list[tuple[str, int]] = list(db.execute("select name, card from spelt order by rowid"))
            self.name_words: list[tuple[str, bytes]] = list(
                db.execute("select word, cards from nameword order by word")
            )
            self.oracle: list[tuple[str, bytes]] = list(db.execute("select word, cards from oracle order by word"))
            self.type_words: list[str] = [word for (word,) in db.execute("select word from typeword order by word")]
            rows = list(
                db.execute("select doc.n, doc.source, stream.text from doc join stream using (n) order by doc.n")
            )
        found = [(n, read(source), source, stream) for n, source, stream in rows]
        found.sort(key=lambda row: row[1]["id"])
        found.sort(key=lambda row: max(row[1]["dates"], default=""), reverse=True)
        self.documents: list[Document] = [document for _, document, _, _ in found]
        self.sources: list[str] = [source for _, _, source, _ in found]
        self.streams: list[str] = [stream for _, _, _, stream in found]
        size = max((n for n, _, _, _ in found), default=-1) + 1
        self.at = array("I", [0] * size)
        for number, (n, _, _, _) in enumerate(found):
            self.at[n] = number
        self.size = len(found)
        # Of the canonical wording, which stands first in the stream.
        self.lengths: list[int] = [len(stream.partition(" | ")[0].split()) for stream in self.streams]

    @cached_property
    def numbering(self) -> str:
        """Changes when a document has another number. Shards of different numberings must never be read together."""
        return digest(doc["id"] for doc in self.documents)[:8]

    @cached_property
    def of_cards(self) -> str:
        """A hash of the cards and their Oracle texts."""
        return digest((self.numbering, *(text for _, name, oracle, _ in self.cards for text in (name, oracle))))

    @cached_property
    def of_names(self) -> str:
        """A hash of the names, and of which rulings stand on which cards and name them."""
        named = "".join("~" if n in self.names_itself else "." for n in range(self.size))
        total = blake2b(digest_size=9)
        for blob in (*(docs for _, _, _, docs in self.cards), *(cards for _, cards in self.name_words)):
            total.update(blob)
        return digest((self.of_cards, named, total.hexdigest(), repr(self.names), repr(self.spelt)))

    @cached_property
    def names_itself(self) -> frozenset[int]:
        """The documents that name the card they stand on."""
        return frozenset(n for n, stream in enumerate(self.streams) if " ~ " in stream)

    def length_by_number(self) -> list[int]:
        """Lengths of the canonical wordings, by the index's own numbers."""
        return [self.lengths[n] if self.lengths else 0 for n in self.at]

    def numbers(self, blob: bytes) -> list[int]:
        """Document numbers of the index as ours, in rising order."""
        return sorted(map(self.at.__getitem__, numbers_of(blob)))

    def posting(self, docs: bytes, impacts: bytes) -> tuple[list[int], list[int]]:
        """The documents of a term in rising order, and their impacts."""
        at = self.at
        pairs = sorted((at[n] << 8 | impact) for n, impact in zip(numbers_of(docs), impacts, strict=True))
        return [pair >> 8 for pair in pairs], [pair & 255 for pair in pairs]

    def postings(self) -> Iterator[tuple[str, list[int], list[int]]]:
        """Every term with its posting."""
        for term, docs, impacts in self.terms:
            yield term, *self.posting(docs, impacts)


def numbers_of(blob: bytes) -> array[int]:
    """Numbers as the index writes them."""
    found = array("I")
    found.frombytes(blob)
    return found


def card_numbers(blob: bytes) -> list[int]:
    """Numbers of cards."""
    return numbers_of(blob).tolist()
