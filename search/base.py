"""Reading a search index: postings, names, arrays, documents. One object a process; everything is read when asked.

In: a folder written by `indexer.index.write_index`. Nothing here ranks or understands.
"""

from __future__ import annotations

import json
import sqlite3
from array import array
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from pathlib import Path

from indexer.index_document import Document
from indexer.index_format import LIVE, SELF, SUPERSEDED, looks_whole
from rulings.errors import RulingsError

Posting = tuple[Sequence[int], bytes]
_EMPTY: Posting = (array("I"), b"")


class Base:
    """The tables of one index."""

    def __init__(self, directory: Path) -> None:
        if not looks_whole(directory):
            raise RulingsError(
                f"the search index in {directory} is damaged or of another version", "run: rulings build --force"
            )
        self.directory = directory
        uri = f"{(directory / 'search.sqlite').resolve().as_uri()}?mode=ro&immutable=1"
        self._db = sqlite3.connect(uri, uri=True, check_same_thread=False)
        self.posting = lru_cache(maxsize=512)(self._posting)
        self.usual = lru_cache(maxsize=4096)(self._usual)
        self.cards_called = lru_cache(maxsize=4096)(self._cards_called)
        self.cards_with_word = lru_cache(maxsize=4096)(self._cards_with_word)
        self.frequency = lru_cache(maxsize=8192)(self._frequency_now)
        self.card = lru_cache(maxsize=2048)(self._card_now)
        self.card_documents = lru_cache(maxsize=2048)(self._card_documents_now)
        self.list_of = lru_cache(maxsize=16)(self._list_of)

    def close(self) -> None:
        self._db.close()

    # --- documents ---

    def _array(self, name: str) -> array[int]:
        code, data = self._db.execute("select code, data from arrays where name = ?", (name,)).fetchone()
        found = array(code)
        found.frombytes(data)
        return found

    @cached_property
    def newest(self) -> array[int]:
        """The newest date of each document as yyyymmdd, 0 where it has none."""
        return self._array("newest")

    @cached_property
    def oldest(self) -> array[int]:
        return self._array("oldest")

    @cached_property
    def cards(self) -> array[int]:
        """The number of cards of each document."""
        return self._array("cards")

    @cached_property
    def first_card(self) -> array[int]:
        """The number of the alphabetically first card of each document."""
        return self._array("first")

    @cached_property
    def state(self) -> array[int]:
        """Bits of `indexer.index`: LIVE, SUPERSEDED, SELF."""
        return self._array("state")

    @cached_property
    def whoosh(self) -> array[int]:
        """Whoosh's document numbers -> ours."""
        return self._array("whoosh")

    @cached_property
    def ids(self) -> list[str]:
        data: bytes = self._db.execute("select data from arrays where name = 'ids'").fetchone()[0]
        return data.decode().split("\n")

    @cached_property
    def size(self) -> int:
        """How many documents there are."""
        return len(self.state) - self.state.count(0)

    def live(self) -> set[int]:
        return {n for n, bits in enumerate(self.state) if bits & LIVE}

    def names_itself(self, n: int) -> bool:
        return bool(self.state[n] & SELF)

    def superseded(self, n: int) -> bool:
        return bool(self.state[n] & SUPERSEDED)

    def document(self, n: int) -> Document:
        return Document.from_json(self._db.execute("select source from doc where n = ?", (n,)).fetchone()[0])

    def streams(self, numbers: Iterable[int]) -> list[tuple[int, str]]:
        """The exact token streams of some documents."""
        wanted = list(numbers)
        if len(wanted) > 8000:
            keep = set(wanted)
            return [row for row in self._db.execute("select n, text from stream") if row[0] in keep]
        query = f"select n, text from stream where n in ({','.join(map(str, wanted))})"
        return list(self._db.execute(query))

    def sources(self, numbers: Iterable[int]) -> list[tuple[int, str]]:
        """The documents as JSON, unread."""
        keep = set(numbers)
        return [row for row in self._db.execute("select n, source from doc") if row[0] in keep]

    # --- words ---

    def _posting(self, term: str) -> Posting:
        row = self._db.execute("select docs, impacts from term where term = ?", (term,)).fetchone()
        if not row:
            return _EMPTY
        numbers = array("I")
        numbers.frombytes(row[0])
        return numbers, row[1]

    def _frequency_now(self, term: str) -> int:
        """In how many documents a term is."""
        row = self._db.execute("select df from term where term = ?", (term,)).fetchone()
        return row[0] if row else 0

    def exact_words(self) -> list[tuple[str, str, int]]:
        """The exact vocabulary: (word, stem, number of documents)."""
        return self._words

    @cached_property
    def _words(self) -> list[tuple[str, str, int]]:
        return list(self._db.execute("select word, stem, df from word"))

    def _usual(self, key: str) -> int:
        """In how many documents a name's key is used as ordinary words."""
        row = self._db.execute("select n from usual where key = ?", (key,)).fetchone()
        return row[0] if row else 0

    # --- cards ---

    def _cards_called(self, key: str) -> tuple[tuple[int, int], ...]:
        """The cards with this name key: (card, kind of name)."""
        return tuple(self._db.execute("select card, kind from name where key = ? order by card", (key,)))

    def _cards_with_word(self, stem: str) -> Sequence[int]:
        row = self._db.execute("select cards from nameword where word = ?", (stem,)).fetchone()
        found = array("I")
        if row:
            found.frombytes(row[0])
        return found

    @cached_property
    def _types(self) -> frozenset[str]:
        return frozenset(word for (word,) in self._db.execute("select word from typeword"))

    def is_type(self, stem: str) -> bool:
        """Whether the word stands in a type line: goblin, forest, artifact."""
        return stem in self._types

    @cached_property
    def name_words(self) -> list[str]:
        return [word for (word,) in self._db.execute("select word from nameword")]

    def _card_now(self, n: int) -> tuple[str, list[str]]:
        """A card's name and the stems of its words."""
        name, stems = self._db.execute("select name, stems from card where n = ?", (n,)).fetchone()
        return name, stems.split()

    def oracle(self, n: int) -> str:
        """The exact token stream of a card's Oracle text and type line."""
        text: str = self._db.execute("select oracle from card where n = ?", (n,)).fetchone()[0]
        return text

    def _card_documents_now(self, n: int) -> Sequence[int]:
        found = array("I")
        found.frombytes(self._db.execute("select docs from card where n = ?", (n,)).fetchone()[0])
        return found

    def oracle_cards(self, stems: Iterable[str], phrase: str | None) -> set[int]:
        """The cards whose Oracle text has all stems, and the exact phrase where one is given."""
        found: set[int] | None = None
        for stem in stems:
            row = self._db.execute("select cards from oracle where word = ?", (stem,)).fetchone()
            numbers = array("I")
            if row:
                numbers.frombytes(row[0])
            found = set(numbers) if found is None else found & set(numbers)
        found = found or set()
        if phrase is None or not found:
            return found
        rows = self._db.execute("select n, oracle from card")
        return {n for n, oracle in rows if n in found and phrase in oracle}

    def spelt(self) -> list[tuple[str, int]]:
        """Every name that a card goes by, as written, with its card."""
        return list(self._db.execute("select name, card from spelt"))

    # --- facets ---

    def _list_of(self, name: str) -> tuple[list[str], array[int], array[int]]:
        """A many-valued fact: labels, and for each document where its members start and what they are."""
        labels, starts, members = self._db.execute(
            "select labels, starts, members from lists where name = ?", (name,)
        ).fetchone()
        first, inside = array("I"), array("H")
        first.frombytes(starts)
        inside.frombytes(members)
        return json.loads(labels), first, inside
