"""Release notes as text or Markdown: general notes on mechanics, then notes on single cards.

A card is a block whose first line is its name, with its cost, type and text below, and its notes as bullets. General
notes stand before the card-specific part and belong to the mechanic of their heading: they get no card. Symbols are
bare letters there (`EE`, `2G`); they become `{E}{E}` where the words beside them leave no doubt.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

from indexer.sources.batch import Collector
from indexer.sources.dates import MONTHS, DateError, read_date
from indexer.sources.opening import Document
from rulings import topics
from rulings.symbols import from_bare_letters

_BULLET = re.compile(r"(\s*)(?:[*•●◦▪·-]|\d{1,2}[.)])\s+(?=\S)")
_RULE_LINE = re.compile(r"\s*([-=*_])\s*(?:\1\s*){2,}")
_IMAGE = re.compile(r"\s*(?:!\[[^\]]*\]\([^)]*\)|<img\b[^>]*>)\s*")
_HEADING = re.compile(r"\s*(?:#{1,6}\s+(?P<md>.+?)\s*#*|(?P<mark>\*\*|__)(?P<bold>[^*_]+)(?P=mark):?)\s*")
_CARDS = re.compile(r".*\bcard[- ]specific notes?\b.*", re.IGNORECASE)
_GENERAL = re.compile(r"general notes?:?", re.IGNORECASE)
_CAPITALS = re.compile(r"[A-Z][A-Z '’&:/-]{3,60}")
_MECHANIC = re.compile(
    r"(?:(?:new|returning|updated|modified)\s+)?(?:keyword|mechanic|ability|action|counter|rule|theme|term|card type"
    r"|subtype|concept|frame)\b(?:\s+(?:word|action|ability|mechanic))?\s*:\s*(.+)",
    re.IGNORECASE,
)
_NO_RULINGS = re.compile(r"release information|legality|sanctioned|set information|prerelease|card list", re.IGNORECASE)
_DATED = re.compile(
    r"(?:last modified|last updated|updated|compiled|posted|published|revised|effective)\b[^\d\n]{0,60}?"
    rf"((?:{'|'.join(MONTHS)})\s+\d{{1,2}},?\s+\d{{4}}|\d{{4}}-\d\d-\d\d|\d{{1,2}}\s+(?:{'|'.join(MONTHS)})\s+\d{{4}})",
    re.IGNORECASE,
)
_ALONE = re.compile(rf"\W*((?:{'|'.join(MONTHS)})\s+\d{{1,2}},?\s+\d{{4}}|\d{{4}}-\d\d-\d\d)\W*", re.IGNORECASE)
_NAME_DATE = re.compile(r"(?<!\d)(20\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))(?!\d)")
_EMPHASIS = re.compile(r"(?<![\w*\\])(\*{1,3}|_{1,3})(?=[^\s*_])([^*\n]*?[A-Za-z][^*\n]*?)(?<=[^\s*_\\])\1(?![\w*])")
_LINK = re.compile(r"\[([^\]]+)\]\(https?://[^)\s]+\)")
_ESCAPE = re.compile(r"\\([\\*_{}\[\]()#+.!-])")


@dataclass(slots=True)
class _Block:
    """A title and the notes under it."""

    line: int
    title: str
    notes: list[tuple[int, str]] = field(default_factory=list)


def read_release_notes(document: Document, collector: Collector) -> None:
    """Read all notes of the document into `collector`."""
    lines = document.text().replace("\r\n", "\n").replace("\r", "\n").split("\n")
    date = _date(lines, document.path.name)
    if date is None:
        collector.warn(
            "the document says no date; its notes are undated", kind="no-date", hint="put the date into the file's name"
        )
    collector.as_of = date
    letters = passed = 0
    for block, general in _blocks(lines):
        if not block.notes:
            continue
        mechanic: str | None = None
        if general:
            if _NO_RULINGS.search(block.title):
                passed += len(block.notes)
                continue
            mechanic = _mechanic(block)
        for number, raw in block.notes:
            text, steps = from_bare_letters(_plain(raw))
            letters += bool(steps)
            name = "" if general else block.title
            collector.offer(name, text, date, line=number, publisher="wotc", mechanic=mechanic)
    if letters:
        collector.warn(f"in {letters} notes, symbols written as letters were read as symbols", kind="symbol-letters")
    if passed:
        collector.warn(f"{passed} notes on the release itself were passed over", kind="passed-over")


def _date(lines: list[str], name: str) -> str | None:
    """The date of the document: last modified before any other; else the date in the file's name."""
    for number, line in enumerate(lines):
        found = _DATED.search(line) or (_ALONE.fullmatch(line) if number < 40 else None)
        if found:
            try:
                return read_date(found[1])
            except DateError:
                continue
    in_name = _NAME_DATE.search(name)
    return in_name[1] if in_name else None


def _blocks(lines: list[str]) -> list[tuple[_Block, bool]]:
    """The blocks in order, and whether each belongs to the general part. A document that never says where the card
    part begins is of cards alone, unless it says "general notes"."""
    starts = [i for i, line in enumerate(lines) if _CARDS.fullmatch(line) and len(line) < 90]
    part = starts[0] if starts else (len(lines) if any(_GENERAL.fullmatch(_bare(x)) for x in lines) else -1)
    blocks: list[tuple[_Block, bool]] = []
    heading = ""
    block: _Block | None = None
    after_note = False
    blank = True
    for index, raw in enumerate(lines):
        line = raw.replace("\xa0", " ").rstrip()
        general = index < part
        bullet = _BULLET.match(line)
        if not line.strip() or _IMAGE.fullmatch(line) or index in starts or _RULE_LINE.fullmatch(line):
            blank = True
            if index in starts or _RULE_LINE.fullmatch(line):
                block, after_note = None, False
        elif bullet:
            if block is None:
                block = _Block(index + 1, heading if general else "")
                blocks.append((block, general))
            if bullet[1] and after_note and not blank:  # a bullet inside a note
                number, text = block.notes[-1]
                block.notes[-1] = (number, f"{text}\n{line.strip()}")
            else:
                block.notes.append((index + 1, line[bullet.end() :].strip()))
            after_note, blank = True, False
        elif after_note and not blank and block is not None:
            number, text = block.notes[-1]
            block.notes[-1] = (number, f"{text} {line.strip()}")
        else:
            title = _heading(line)
            if title and general:
                heading, block = title, None
            elif after_note or block is None:
                block = _Block(index + 1, heading if general and heading else _bare(line))
                blocks.append((block, general))
            after_note, blank = False, False
    return blocks


def _bare(line: str) -> str:
    """A title without Markdown's marks."""
    found = _HEADING.fullmatch(line)
    return (found["md"] or found["bold"] if found else line).strip(" *_#\t")


def _heading(line: str) -> str | None:
    """The words of a heading of the general part, None if the line is none."""
    bare = _bare(line)
    if _HEADING.fullmatch(line) or _MECHANIC.fullmatch(bare) or _CAPITALS.fullmatch(bare) or _GENERAL.fullmatch(bare):
        return bare
    return None


def _mechanic(block: _Block) -> str:
    """What the general notes of a block are about: their heading says so, else the topic that most of them name."""
    if found := _MECHANIC.fullmatch(block.title):
        return found[1].strip().lower()
    notes = [text.lower() for _, text in block.notes]
    named: Counter[str] = Counter()
    for topic in topics.load():
        name = topic.label.lower()
        word = re.compile(rf"\b{re.escape(name)}\b")
        named[name] = sum(word.search(text) is not None for text in notes)
    best = max(named, key=lambda name: (named[name], len(name), name), default="")
    if best and 2 * named[best] >= len(notes) and named[best]:
        return best
    return block.title.lower() if block.title and not _GENERAL.fullmatch(block.title) else "general"


def _plain(text: str) -> str:
    """A note without Markdown's marks; `*/*` and `[+1]` are no marks."""
    text = _LINK.sub(r"\1", text)
    text = _EMPHASIS.sub(r"\2", text)
    return _ESCAPE.sub(r"\1", text)
