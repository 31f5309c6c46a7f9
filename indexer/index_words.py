"""The Whoosh side of the index: its schema, and writing documents into it.

One field type of our own holds ready-made terms: our tokens, never Whoosh's analysers (they drop `can't`, `{E}`, `X`
and short words). No positions and no frequencies are kept: phrases are proved on exact token streams, and ranking is
ours. Index blocks are pickles, so an index is opened only from the user's own cache directory.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from whoosh import fields, formats
from whoosh.codec.whoosh3 import W3Codec
from whoosh.filedb.filestore import FileStorage, RamStorage
from whoosh.index import Index

from indexer.index_document import Document, exact_rules, named_stems, names_itself, rule_terms
from rulings.ids import parse_id
from rulings.language.tokens import fold
from rulings.names import card_key

FIELDS = ("id", "word", "card", "topic", "rule", "source", "date", "set", "type", "flag")
MEMORY_MB = 512


class TermList(fields.FieldType):  # type: ignore[misc]
    """A field whose value is the finished list of its terms."""

    def __init__(self) -> None:
        self.analyzer = None
        self.format = formats.Existence()
        self.scorable = self.stored = self.unique = self.spelling = False
        self.vector = self.column_type = None
        self.sortable = False
        self.multitoken_query = "default"

    def index(self, value: Iterable[str], **_: Any) -> Iterator[tuple[bytes, int, float, bytes]]:
        for term in value:
            yield term.encode(), 1, 1.0, b""

    def to_bytes(self, value: Any) -> bytes:
        return value if isinstance(value, bytes) else str(value).encode()

    def from_bytes(self, value: bytes) -> str:
        return bytes(value).decode()

    def process_text(self, qstring: str, **_: Any) -> list[str]:
        return [qstring]

    def parse_query(self, fieldname: str, qstring: str, boost: float = 1.0) -> Any:
        raise NotImplementedError  # queries are built from our own typed query, never by Whoosh's parser


class LeanCodec(W3Codec):  # type: ignore[misc]
    """Whoosh's own codec without field lengths: it would look for one at every posting, and we rank by none."""

    length_stats = False


class _Memory(RamStorage):  # type: ignore[misc]
    """Memory whose temporary files are memory too: Whoosh's own would share `/tmp/MAIN.tmp` with every other process,
    and anybody could put pickles there."""

    def temp_storage(self, name: str | None = None) -> RamStorage:
        return _Memory()


def schema() -> fields.Schema:
    return fields.Schema(**{name: TermList() for name in FIELDS})


def fields_of(document: Document, terms: Iterable[str]) -> dict[str, list[str]]:
    """The terms of each field."""
    flags = [f"status:{document.status}"]
    if len(document.cards) > 1:
        flags.append("is:shared")
    if len(document.wordings) > 1:
        flags.append("is:variant")
    if document.undated or not document.dates:
        flags.append("is:undated")
    if document.damaged:
        flags.append("is:damaged")
    if names_itself(document):
        flags.append("own-name")
    return {
        "id": sorted(str(parse_id(i)) for i in document.ids if parse_id(i)),
        "word": sorted({*terms, *named_stems(document)}),
        "card": sorted({card_key(card) for card in document.cards}),
        "topic": list(document.topics),
        "rule": sorted(rule_terms(document)) + [f"={number}" for number in sorted(exact_rules(document))],
        "source": sorted({fold(part) for s in document.sources for part in (s, *s.split("-"))}),
        "date": sorted({d[:length] for d in document.dates for length in (4, 7, 10)}),
        "set": list(document.sets),
        "type": list(document.types),
        "flag": flags,
    }


def create(directory: Path, rows: Iterable[dict[str, list[str]]]) -> None:
    """A new index of one segment; document numbers are the order of `rows`.

    Built in memory and written out at the end: Whoosh asks the storage for a column file once a posting.
    """
    memory = _Memory()
    index = memory.create_index(schema())
    writer = index.writer(limitmb=MEMORY_MB, codec=LeanCodec())
    for row in rows:
        writer.add_document(**row)
    writer.commit()
    directory.mkdir(parents=True, exist_ok=True)
    for name in memory.list():
        if not name.endswith("_LOCK"):
            with memory.open_file(name) as source:
                (directory / name).write_bytes(source.read())


def change(directory: Path, removed: Iterable[int], added: Iterable[dict[str, list[str]]]) -> None:
    """Delete documents by number and add others, as one commit and a segment of its own."""
    index = open_index(directory)
    writer = index.writer(limitmb=MEMORY_MB, codec=LeanCodec())
    for number in removed:
        writer.delete_document(number)
    for row in added:
        writer.add_document(**row)
    writer.commit(merge=False)
    index.close()


def open_index(directory: Path) -> Index:
    """Opens an index for reading; tried again where a writer was just switching files."""
    for left in (2, 1, 0):
        try:
            return FileStorage(str(directory)).open_index()
        except FileNotFoundError:
            if not left:
                raise
    raise AssertionError("unreachable")
