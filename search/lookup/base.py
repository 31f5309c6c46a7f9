"""Reads the lookup file that `indexer.lookup_index` wrote: wordings, where they stand, names, what occurs where.

Every method reads only the rows it returns, so that looking up one short post in a fresh process costs little.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from indexer.lookup_index import FORMAT, POSITION_BITS, unpacked
from indexer.lookup_tokens import OWN, WORD, Token, tokenize
from rulings.errors import RulingsError
from rulings.model import put_name
from rulings.rules.history import History, from_plain
from rulings.text import sentences


@dataclass(frozen=True, slots=True)
class Standing:
    """A wording on a card's page; `missing_since` is set where it is there no more. `name`: what `~` stands for."""

    card: str
    name: str | None
    date: str | None
    last_seen: str | None
    missing_since: str | None


@dataclass(frozen=True, slots=True)
class Name:
    """What a run of words may name. `kind` as in `indexer.lookup_index`; `common` counts rulings of other cards
    that use the word."""

    cards: tuple[str, ...]
    kind: int
    common: int


class Text:
    """One text as read for comparing: `tokens`, the indices of the `words` among them, their `keys`."""

    __slots__ = ("keys", "text", "tokens", "words")

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens: list[Token] = tokenize(text)
        self.words: list[int] = [i for i, token in enumerate(self.tokens) if token.kind == WORD]
        self.keys: list[str] = [self.tokens[i].key for i in self.words]

    def word_at(self, offset: int) -> int:
        """The number of the first word that ends after character `offset`."""
        low, high = 0, len(self.words)
        while low < high:
            middle = (low + high) // 2
            if self.tokens[self.words[middle]].end <= offset:
                low = middle + 1
            else:
                high = middle
        return low

    def signs(self, first: int, last: int) -> list[str]:
        """All keys, signs included, from word `first` to before word `last`, without signs at either end."""
        if first >= last:
            return []
        return [token.key for token in self.tokens[self.words[first] : self.words[last - 1] + 1]]


class Wording(Text):
    """A wording of a ruling, with a name put in for `~`. `starts` are the numbers of the words that begin sentences."""

    __slots__ = ("n", "name", "ruling", "starts")

    def __init__(self, n: int, ruling: str, text: str, name: str | None) -> None:
        super().__init__(text if name is None else put_name(text, name))
        self.n = n
        self.ruling = ruling
        self.name = name
        begins = sorted({self.word_at(start) for start, _ in sentences(self.text)})
        self.starts: list[int] = [start for start in begins if start < len(self.words)] or [0]


class LookupBase:
    """The open lookup file."""

    def __init__(self, path: Path) -> None:
        self._db = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, check_same_thread=False)
        try:
            self.meta: dict[str, str] = dict(self._db.execute("select key, value from meta"))
        except sqlite3.DatabaseError as error:
            raise RulingsError(f"{path} is no lookup file", "run: rulings build --force") from error
        if self.meta.get("format") != FORMAT:
            raise RulingsError(f"{path} is a lookup file of another format", "run: rulings build --force")
        self.has_history = int(self.meta.get("older", "0")) > 0
        self._text = lru_cache(maxsize=20_000)(self._read_text)
        self.wording = lru_cache(maxsize=20_000)(self._wording)
        self.standings = lru_cache(maxsize=5_000)(self._standings)
        self.own_names = lru_cache(maxsize=5_000)(self._own_names)

    def close(self) -> None:
        self._db.close()

    def history(self) -> History | None:
        """The lives of all rules, None where the base has no Comprehensive Rules."""
        kept = self.meta.get("rules")
        return from_plain(json.loads(kept)) if kept else None

    def occurring(self, hashes: Sequence[int]) -> dict[int, Sequence[int]]:
        """hash -> postings (`wording << POSITION_BITS | position`), for those that occur at all."""
        found: dict[int, Sequence[int]] = {}
        distinct = list(dict.fromkeys(hashes))
        for start in range(0, len(distinct), 500):
            some = distinct[start : start + 500]
            marks = ",".join("?" * len(some))
            for key, data in self._db.execute(f"select hash, postings from shingle where hash in ({marks})", some):
                found[key] = unpacked(data)
        return found

    def _read_text(self, n: int) -> tuple[str, str]:
        row = self._db.execute("select ruling, text from wording where n=?", (n,)).fetchone()
        return str(row[0]), str(row[1])

    def _wording(self, n: int, name: str | None = None) -> Wording:
        """Wording `n`; `name` is put in where it has `~`."""
        ruling, text = self._text(n)
        return Wording(n, ruling, text, name if OWN in text else None)

    def is_masked(self, n: int) -> bool:
        """Whether wording `n` has `~` for the card's name."""
        return OWN in self._text(n)[1]

    def of_ruling(self, ruling: str) -> tuple[int, ...]:
        """The wordings of a ruling."""
        return tuple(row[0] for row in self._db.execute("select n from wording where ruling=?", (ruling,)))

    def state(self, ruling: str) -> tuple[str, str] | None:
        """("superseded", "withdrawn" or "outdated", by which ruling), None for a ruling in force."""
        row = self._db.execute("select status, by from state where ruling=?", (ruling,)).fetchone()
        return (row[0], row[1]) if row else None

    def _standings(self, n: int) -> tuple[Standing, ...]:
        rows = self._db.execute(
            "select card, name, date, last_seen, missing_since from standing where wording=? order by card, date", (n,)
        )
        return tuple(Standing(*row) for row in rows)

    def on_card(self, card: str, *, current: bool) -> tuple[int, ...]:
        """The wordings that stand (or ever stood) on a card's page."""
        where = " and missing_since is null" if current else ""
        rows = self._db.execute(f"select distinct wording from standing where card=?{where}", (card,))
        return tuple(row[0] for row in rows)

    def _own_names(self, card: str) -> tuple[str, ...]:
        row = self._db.execute("select own from card where name=?", (card,)).fetchone()
        return tuple(json.loads(row[0])) if row else (card,)

    def longest_from(self, words: Sequence[str]) -> dict[str, int]:
        """For each of `words` that begins a name: how many words the longest such name has."""
        found: dict[str, int] = {}
        distinct = list(dict.fromkeys(words))
        for start in range(0, len(distinct), 500):
            some = distinct[start : start + 500]
            marks = ",".join("?" * len(some))
            found.update(self._db.execute(f"select word, longest from head where word in ({marks})", some))
        return found

    def name(self, key: str) -> Name | None:
        """What these words, joined by spaces, name."""
        row = self._db.execute("select cards, kind, common from name where key=?", (key,)).fetchone()
        return Name(tuple(json.loads(row[0])), row[1], row[2]) if row else None


POSITION_MASK = (1 << POSITION_BITS) - 1
