"""Pages of rulings as people save or paste them: a card name, then rulings.

Dated pages close each ruling with an attribution line (or open it with one, or carry it in the paragraph); a dated
ruling may span several paragraphs. Undated pages have one ruling a paragraph. A new card in the same file is told by
a heading (`# Name`, a name underlined, a name after a line of `---` or `===` or a form feed), or by a short line in
title case without a full stop that stands where a ruling may begin and has a paragraph after it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from indexer.sources.batch import Collector
from indexer.sources.dates import Attribution, attribution, split_attribution

_RULE_LINE = re.compile(r"([-=*~—])\s*(?:\1\s*){2,}")
_HEADING = re.compile(r"#{1,6}\s+(.*?)\s*#*")
_BOLD = re.compile(r"(\*\*|__)([^*_]+)\1")
_MARKER = re.compile(r"\A\s*(?:[•‣◦▪●○·*–—-]|\(?\d{1,3}[.)])\s+(?=\S)")
_NOTES_FOR = re.compile(
    r"(?:notes and rules information|(?:card )?rulings|rules information)\s+(?:for|on|of)\s+(.+?):?", re.I
)
_FURNITURE = re.compile(r"(?:card )?rulings?:?|notes and rules information:?|rules information:?", re.IGNORECASE)
_SMALL_WORDS = frozenset(
    "a an and as at but by for from in into is it its nor of on or out so than that the to up via vs with de la".split()
)
_SENTENCE_END = (".", "!", "?", ".)", '."', ".”", ".'", ".’", '!"', "!”", '?"', "?”", "!)", "?)", ":")
_NAME_LIMIT = 150  # the longest real name has 141 characters


@dataclass(frozen=True, slots=True)
class _Name:
    number: int
    text: str


@dataclass(frozen=True, slots=True)
class _By:
    number: int
    said: Attribution
    text: str


@dataclass(frozen=True, slots=True)
class _Break:
    number: int


@dataclass(frozen=True, slots=True)
class _Paragraph:
    number: int
    lines: tuple[str, ...]

    @property
    def text(self) -> str:
        """Its lines joined: what wraps a line is the page, not the ruling. Items of a list keep their lines."""
        joined = self.lines[0]
        for line in self.lines[1:]:
            joined += ("\n" if _MARKER.match(line) else " ") + line
        return joined

    def items(self, alone: bool) -> list[_Paragraph]:
        """Its rulings on an undated page: one, or one an item of a list. `alone`: the page has no blank lines, so
        each line that is whole sentences is a ruling."""
        starts = [i for i, line in enumerate(self.lines) if _MARKER.match(line)]
        if not starts and alone and all(line.endswith(_SENTENCE_END) for line in self.lines):
            starts = list(range(len(self.lines)))
        if not starts or starts[0] != 0:
            starts.insert(0, 0)
        ends = [*starts[1:], len(self.lines)]
        return [
            _Paragraph(self.number + a, (_MARKER.sub("", self.lines[a], count=1), *self.lines[a + 1 : b]))
            for a, b in zip(starts, ends, strict=True)
        ]


_Block = _Name | _By | _Break | _Paragraph


@dataclass(slots=True)
class _Page:
    number: int
    name: str
    blocks: list[_By | _Paragraph]


def read_text_pages(text: str, collector: Collector) -> None:
    """Read every card and ruling of `text` into `collector`."""
    pages = _pages(_blocks(text, collector.options.date_order))
    if not pages:
        collector.refuse("no card name and no ruling found", {"raw": text[:2000]}, line=1, kind="no-card")
    for page in pages:
        if not page.name:
            _refuse_nameless(page, collector)
        elif any(isinstance(block, _By) for block in page.blocks):
            _read_dated(page, collector)
        else:
            _read_undated(page, collector)


def _blocks(text: str, order: str | None) -> list[_Block]:
    """The page cut into paragraphs, attribution lines, sure headings and separators."""
    blocks: list[_Block] = []
    paragraph: list[str] = []
    start = 0

    def close() -> None:
        if paragraph:
            blocks.append(_Paragraph(start, tuple(paragraph)))
            paragraph.clear()

    for number, raw in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), 1):
        if "\f" in raw:
            close()
            blocks.append(_Break(number))
        kept = raw.strip().strip("\u200b\u200e\u2060\ufeff").strip()
        line = " ".join(kept.split())
        if not line:
            close()
        elif _RULE_LINE.fullmatch(line):
            if len(paragraph) == 1 and _title(paragraph[0]):
                blocks.append(_Name(start, _name(paragraph.pop())))
            else:
                close()
                blocks.append(_Break(number))
        elif heading := _HEADING.fullmatch(line):
            close()
            blocks.append(_Name(number, _name(heading[1])))
        elif said := attribution(_MARKER.sub("", line, count=1), order):
            close()
            blocks.append(_By(number, said, kept))
        elif _FURNITURE.fullmatch(line):
            close()
        elif found := _NOTES_FOR.fullmatch(line):
            close()
            blocks.append(_Name(number, _name(found[1])))
        else:
            if not paragraph:
                start = number
            paragraph.append(kept)
    close()
    return blocks


def _pages(blocks: Sequence[_Block]) -> list[_Page]:
    """The blocks by card. What stands before any card name is a page without one."""
    pages: list[_Page] = []
    for index, block in enumerate(blocks):
        if isinstance(block, _Break):
            continue
        if isinstance(block, _Name):
            pages.append(_Page(block.number, block.text, []))
            continue
        before = blocks[index - 1] if index else None
        after = blocks[index + 1] if index + 1 < len(blocks) else None
        if isinstance(block, _Paragraph) and _opens_card(block, before, after, pages[-1] if pages else None):
            pages.append(_Page(block.number, _name(block.lines[0]), []))
            if len(block.lines) > 1:
                pages[-1].blocks.append(_Paragraph(block.number + 1, block.lines[1:]))
            continue
        if not pages:
            pages.append(_Page(block.number, "", []))
        pages[-1].blocks.append(block)
    return [page for page in pages if page.blocks or page.name]


def _opens_card(block: _Paragraph, before: _Block | None, after: _Block | None, page: _Page | None) -> bool:
    line = block.lines[0]
    if page is None:  # the first paragraph of a file: the page says that it is a card name
        words = len(line.split())
        return len(line) <= _NAME_LIMIT and not (line.endswith((".", ";", ",")) and words > 6) and words < 28
    if not _title(line):
        return False
    if isinstance(before, _Break):
        return after is not None or len(block.lines) > 1
    if len(block.lines) > 1:
        return False
    if not page.blocks:
        return False  # a name, and below it a line in title case: the ruling of that name, however short
    if isinstance(page.blocks[0], _By):  # dates stand before the texts
        return isinstance(after, _By) and isinstance(before, _Paragraph)
    dated = any(isinstance(other, _By) for other in page.blocks)
    return isinstance(after, _Paragraph) and (not dated or isinstance(before, _By))


def _title(line: str) -> bool:
    """Whether a line looks like a card name: short, in title case, without a full stop."""
    words = line.strip("*_#").split()
    if not 0 < len(words) <= 12 or len(line) > 80 or line.endswith((".", ";", ",", ":", '."', ".”", ".)")):
        return False
    if line.endswith(("!", "?")) and len(words) == 1:
        return False
    first = words[0].lstrip("\"'“‘+_({")[:1]
    return (not first or first.isupper() or first.isdigit()) and all(
        word.lower() in _SMALL_WORDS or not word.lstrip("\"'“‘(+-&/{")[:1].islower() for word in words
    )


def _name(line: str) -> str:
    """The card name in a title line, without Markdown's marks and the page's own words."""
    line = " ".join(line.split())
    if bold := _BOLD.fullmatch(line):
        line = bold[2]
    found = _NOTES_FOR.fullmatch(line)
    return (found[1] if found else line).strip()


def _record(page: _Page, text: str, said: Attribution | None = None) -> dict[str, object]:
    """For the quarantine. A date that cannot be used stays as written: without it, the record would pass as undated."""
    return {
        "card": page.name,
        "comment": text,
        "published_at": said.date or said.written if said else None,
        "source": said.publisher if said else None,
    }


def _refuse_nameless(page: _Page, collector: Collector) -> None:
    for block in page.blocks:
        if isinstance(block, _Paragraph):
            collector.refuse(
                "no card name stands above this ruling",
                _record(page, block.text),
                line=block.number,
                kind="no-card",
                hint="a page begins with the name of its card",
            )


def _put(page: _Page, parts: list[_Paragraph], by: _By | None, said: Attribution, collector: Collector) -> None:
    """One dated ruling, or its quarantine."""
    lone = len(parts) == 1 and sum(bool(_MARKER.match(line)) for line in parts[0].lines) == 1
    text = "\n\n".join(part.text for part in parts)
    if lone and _MARKER.match(text):
        text = _MARKER.sub("", text, count=1)  # the page numbers its rulings
    if said.error is not None:
        collector.refuse(
            f"the date cannot be used: {said.error}",
            {**_record(page, text, said), "raw": by.text if by else text},
            line=by.number if by else parts[-1].number,
            kind=said.error.kind,
            hint=said.error.hint,
        )
    else:
        collector.offer(page.name, text, said.date, line=parts[0].number, publisher=said.publisher)


def _read_dated(page: _Page, collector: Collector) -> None:
    """A page with attribution lines, each after its ruling, or each before it."""
    blocks = page.blocks
    leading = isinstance(blocks[0], _By) and not isinstance(blocks[-1], _By)
    parts: list[_Paragraph] = []
    open_by: _By | None = None

    def close(by: _By) -> None:
        if parts:
            _put(page, parts.copy(), by, by.said, collector)
        else:
            collector.refuse(
                "an attribution line with no ruling", _record(page, "", by.said), line=by.number, kind="no-text"
            )
        parts.clear()

    for block in blocks:
        if isinstance(block, _Paragraph):
            found = split_attribution(block.text, collector.options.date_order) if not leading else None
            if found and found[2] == "after":
                _put(page, [*parts, _Paragraph(block.number, (found[0],))], None, found[1], collector)
                parts.clear()
            else:
                parts.append(block)
        elif leading:
            if open_by:
                close(open_by)
            open_by = block
        else:
            close(block)
    if leading and open_by:
        close(open_by)
    for part in parts:
        collector.refuse(
            "no attribution line closes this ruling, though others on the page have one",
            _record(page, part.text),
            line=part.number,
            kind="no-attribution",
            hint="add its date, or import the record with published_at null if it has none",
        )


def _read_undated(page: _Page, collector: Collector) -> None:
    """A page without attribution lines: a ruling a paragraph, or dates inside the paragraphs."""
    paragraphs = [block for block in page.blocks if isinstance(block, _Paragraph)]
    items = [item for block in paragraphs for item in block.items(alone=len(paragraphs) == 1)]
    found = [split_attribution(item.text, collector.options.date_order) for item in items]
    spans = 2 * sum(one is not None for one in found) >= len(items)  # then what has no date belongs to its neighbour
    waiting: list[_Paragraph] = []
    opened: tuple[list[_Paragraph], Attribution] | None = None
    for item, one in zip(items, found, strict=True):
        if one is None and spans and opened:
            opened[0].append(item)
        elif one is None:
            waiting.append(item)
        else:
            if opened:
                _put(page, opened[0], None, opened[1], collector)
                opened = None
            part = _Paragraph(item.number, (one[0],))
            if one[2] == "before":
                opened = ([part], one[1])
            else:
                _put(page, [*(waiting if spans else []), part], None, one[1], collector)
            if spans:
                waiting = []
        if not spans and waiting:
            collector.offer(page.name, waiting.pop().text, None, line=item.number)
    if opened:
        _put(page, opened[0], None, opened[1], collector)
    for item in waiting:
        collector.refuse(
            "no date closes this ruling, though others on the page have one",
            _record(page, item.text),
            line=item.number,
            kind="no-attribution",
        )
