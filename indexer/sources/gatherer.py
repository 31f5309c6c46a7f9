"""Gatherer's card pages saved as HTML (the layout of 2008 to 2025): a table of dates and rulings.

Symbols are images and become `{E}`; an image whose name is not known quarantines its ruling, since any guess would
be a wrong ruling. The name of the card is the page's; a saved fragment without one is believed by its file name only
where the rulings themselves use that name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

from indexer.sources.batch import Collector
from indexer.sources.file_name import card_in
from indexer.sources.opening import Document
from rulings.errors import RulingsError
from rulings.symbols import UnknownSymbol, from_image

_SPACE = re.compile(r"[ \t\r\n\f]+")
_SUFFIX = re.compile(r"\s+-\s+Gatherer\b.*|\s+\([^()]*\)\s*$", re.IGNORECASE)
_VOID = frozenset(("br", "img", "hr", "input", "meta", "link", "wbr"))
_BREAKS = frozenset(("br", "p", "li", "div"))


@dataclass(slots=True)
class _Row:
    line: int
    date: str = ""
    text: str = ""
    unknown: list[str] = field(default_factory=list)


class _Page(HTMLParser):
    """Collects the rows of the rulings table and the names on the page."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.rows: list[_Row] = []
        self.title = ""
        self.subtitle = ""
        self.names: list[str] = []
        self._field = ""  # what the text now belongs to
        self._depth = 0
        self._parts: list[str] = []
        self._name_row = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        has = {key: value or "" for key, value in attrs}
        if self._field:
            if tag == "img":
                self._image(has)
            elif tag in _BREAKS:
                self._parts.append("\n")
            if tag not in _VOID:
                self._depth += 1
            return
        name = f"{has.get('id', '')} {has.get('class', '')}"
        if tag == "td" and "rulingDate" in name:
            self.rows.append(_Row(self.getpos()[0]))
            self._open("date")
        elif tag == "td" and "rulingText" in name:
            if not self.rows or self.rows[-1].text:
                self.rows.append(_Row(self.getpos()[0]))
            self._open("text")
        elif "subtitleDisplay" in name:
            self._open("subtitle")
        elif tag == "title":
            self._open("title")
        elif "nameRow" in name:
            self._name_row = True
        elif self._name_row and has.get("class") == "value":
            self._name_row = False
            self._open("name")

    def _open(self, what: str) -> None:
        self._field, self._depth, self._parts = what, 0, []

    def _image(self, has: dict[str, str]) -> None:
        said = has.get("alt") or has.get("title") or ""
        if not said and (short := re.search(r"[?&]name=([^&]+)", has.get("src", ""))):
            said = short[1]
        try:
            self._parts.append(from_image(said))
        except UnknownSymbol:
            self._parts.append(f"[{said}]")
            if self._field == "text":
                self.rows[-1].unknown.append(said)

    def handle_endtag(self, tag: str) -> None:
        if not self._field or tag in _VOID:
            return
        # A cell that was not closed ends with its row.
        if self._depth and tag not in ("td", "tr", "table"):
            self._depth -= 1
            return
        self._close()

    def handle_data(self, data: str) -> None:
        if self._field:
            self._parts.append(_SPACE.sub(" ", data))

    def close(self) -> None:
        super().close()
        if self._field:
            self._close()

    def _close(self) -> None:
        text = re.sub(r" *\n+ *", "\n", "".join(self._parts)).strip()
        text = re.sub(r"  +", " ", text)
        if self._field == "date":
            self.rows[-1].date = text
        elif self._field == "text":
            self.rows[-1].text = text
        elif self._field == "title":
            self.title = text
        elif self._field == "subtitle":
            self.subtitle = text
        else:
            self.names.append(text)
        self._field = ""


def read_gatherer(document: Document, collector: Collector) -> None:
    """Read the rulings of a saved page. Raises RulingsError where the page has no table of rulings."""
    page = _Page()
    page.feed(document.text())
    page.close()
    if not page.rows:
        raise RulingsError(
            f"{document.name}: no table of rulings was found in this HTML",
            "Gatherer's card pages of the layout before 2025 can be read; save the whole page, not a frame of it",
        )
    card = _card(page, document)
    for index, row in enumerate(page.rows):
        record = {"card": card, "comment": row.text, "published_at": row.date}
        where = f"ruling {index + 1}"
        if row.unknown:
            collector.refuse(
                f"no symbol is known for the image {row.unknown[0]!r}",
                record,
                line=row.line,
                where=where,
                kind="unknown-symbol",
                hint="write the symbol in braces in its place",
            )
        elif not card:
            collector.refuse(
                "the page does not name its card",
                record,
                line=row.line,
                where=where,
                kind="no-card",
                hint="save the whole page, or put the name into the record",
            )
        else:
            collector.offer(card, row.text, row.date, line=row.line, publisher="wotc")


def _card(page: _Page, document: Document) -> str | None:
    for name in (page.subtitle, " // ".join(page.names), _SUFFIX.sub("", _SUFFIX.sub("", page.title))):
        if name and "gatherer" not in name.lower():
            return name
    return card_in(document.path, " ".join(row.text for row in page.rows))
