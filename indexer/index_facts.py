"""Facts by document number: dates, numbers of cards, states; and the lists that facets count.

Arrays of numbers in SQLite, read whole. An update reads them, changes a few places and writes them again.
"""

from __future__ import annotations

import json
import sqlite3
from array import array
from collections.abc import Callable, Sequence

from indexer.index_document import Document, names_itself
from indexer.index_format import LIVE, SELF, SUPERSEDED


def _sections(doc: Document) -> list[str]:
    return sorted({number.partition(".")[0] for number in doc.rules})


FACETS: dict[str, Callable[[Document], Sequence[str]]] = {
    "topic": lambda doc: doc.topics,
    "year": lambda doc: sorted({date[:4] for date in doc.dates}),
    "source": lambda doc: doc.sources,
    "type": lambda doc: doc.kinds,
    "section": _sections,
}
_CODES = {"newest": "I", "oldest": "I", "cards": "H", "state": "B", "first": "I", "whoosh": "I"}


class Facts:
    """The arrays and lists of an index. A number without document has nothing in them."""

    def __init__(self, card_numbers: dict[str, int]) -> None:
        self.card_numbers = card_numbers
        self.arrays: dict[str, array[int]] = {name: array(code) for name, code in _CODES.items()}
        self.ids: list[str] = []
        self.facets: dict[str, list[Sequence[str]]] = {name: [] for name in FACETS}

    @classmethod
    def read(cls, db: sqlite3.Connection) -> Facts:
        """The facts that an index holds."""
        facts = cls(dict(db.execute("select name, n from card")))
        for name, data in db.execute("select name, data from arrays"):
            if name == "ids":
                facts.ids = data.decode().split("\n") if data else []
            else:
                facts.arrays[name].frombytes(data)
        for name, labels, starts, members in db.execute("select name, labels, starts, members from lists"):
            known, first, inside = json.loads(labels), array("I"), array("H")
            first.frombytes(starts)
            inside.frombytes(members)
            facts.facets[name] = [[known[m] for m in inside[first[n] : first[n + 1]]] for n in range(len(first) - 1)]
        return facts

    def put(self, n: int, doc: Document) -> None:
        """What is known of document `n`; numbers up to it are made."""
        while len(self.ids) <= n:
            self.ids.append("")
            for name, column in self.arrays.items():
                if name != "whoosh":
                    column.append(0)
            for values in self.facets.values():
                values.append(())
        days = [int(date.replace("-", "")) for date in doc.dates]
        superseded = doc.status == "superseded" or doc.superseded_by is not None
        self.ids[n] = doc.id
        self.arrays["newest"][n], self.arrays["oldest"][n] = max(days, default=0), min(days, default=0)
        self.arrays["cards"][n] = min(len(doc.cards), 65535)
        self.arrays["first"][n] = self.card_numbers[doc.cards[0]] if doc.cards else len(self.card_numbers)
        self.arrays["state"][n] = LIVE | (SUPERSEDED if superseded else 0) | (SELF if names_itself(doc) else 0)
        for name, of in FACETS.items():
            self.facets[name][n] = of(doc)

    def drop(self, n: int) -> None:
        """Document `n` is gone."""
        self.ids[n] = ""
        for name, column in self.arrays.items():
            if name != "whoosh":
                column[n] = 0
        for values in self.facets.values():
            values[n] = ()

    def write(self, db: sqlite3.Connection) -> None:
        """Put the facts into the index in place of those it has."""
        db.execute("delete from arrays")
        db.execute("delete from lists")
        rows = [(name, _CODES[name], column.tobytes()) for name, column in self.arrays.items()]
        db.executemany("insert into arrays values (?,?,?)", [*rows, ("ids", "s", "\n".join(self.ids).encode())])
        for name, values in self.facets.items():
            labels = sorted({label for found in values for label in found})
            number_of = {label: i for i, label in enumerate(labels)}
            starts, members = array("I", [0]), array("H")
            for found in values:
                members.extend(number_of[label] for label in found)
                starts.append(len(members))
            row = (name, json.dumps(labels), starts.tobytes(), members.tobytes())
            db.execute("insert into lists values (?,?,?,?)", row)
