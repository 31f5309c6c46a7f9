"""Where a quotation may begin and end in a text: quotation marks, Markdown blocks, paragraphs, colons, sentences.

In: a text as read. Out: `Edges`: for words, how natural a border before (or after) them is, and the exact character.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise

from rulings.text import sentences
from search.lookup.base import Text

STRONG, COLON, SENTENCE, NONE = 0.0, 0.25, 0.5, 1.0
"""How much a border costs: a quotation mark or the border of a block nothing, the middle of a sentence most."""

_CROSSING = 1.5
_NO = (9.0, 0)

_BLOCK_BREAK = re.compile(r"\n[ \t]*(?:>[ \t]*)*\n+")
_ITEM = re.compile(r"[ \t]*(?:[-*+•]|\d{1,2}[.)])[ \t]")
_QUOTED_LINE = re.compile(r"^[ \t]*>", re.MULTILINE)
_LINE = re.compile(r"[^\n]*\n?")
_OPEN = re.compile(r"""[“„«‹‟]\s?|(?:(?<=[\s(\[{>:;,\-–—*_|])|^)["'‘`](?=\S)|(?:(?<=\s)|^)''(?=\S)""", re.MULTILINE)
_CLOSE = re.compile(
    r"""\s?[”»›‟]|(?<=[^\s])["`]+(?=[\s)\].,;:!?\-–—*_|>]|$)|(?<=[.!?,)])['’]+(?=[\s)\].,;:\-–—]|$)|(?<=\S)''"""
)
_COLON = re.compile(r":[*_]*\s+")
_BULLET = re.compile(r"(?:^|(?<=\n))[ \t]*(?:>[ \t]?)*(?:(?:[-*+•]|\d{1,2}[.)])[ \t]+)?")


@dataclass(slots=True)
class Edges:
    """`before[word]` and `after[word]` are (cost, character): a quotation may begin there, or end (`word` excluded).
    `block[word]` numbers the blocks: no quotation goes beyond its own. `quoted` holds blocks that Markdown quotes."""

    before: dict[int, tuple[float, int]] = field(default_factory=dict)
    after: dict[int, tuple[float, int]] = field(default_factory=dict)
    block: list[int] = field(default_factory=list)
    bounds: list[tuple[int, int]] = field(default_factory=list)
    quoted: set[int] = field(default_factory=set)

    def frame(self, first: int, last: int, most: int = 20) -> int:
        """How many words stand between the nearest strong borders around words `first` to `last` (excluded)."""
        low, high = first, last
        while low > 0 and first - low < most and self.before.get(low, _NO)[0] > COLON:
            low -= 1
        while high < len(self.block) and high - last < most and self.after.get(high, _NO)[0] != STRONG:
            high += 1
        return high - low

    def crossed(self, low: int, high: int) -> float:
        """What it costs a passage to have the borders at words `low` to `high` (included) inside it, where its words
        are not the ruling's: a quotation that closes and opens again is seldom one."""
        if low > high:
            return 0.0
        count = 0
        for word in range(low, high + 1):
            count += (self.before.get(word, _NO)[0] <= COLON) + (self.after.get(word, _NO)[0] == STRONG)
        return _CROSSING * count

    def start(self, word: int, cost: float, char: int) -> None:
        """Words from `word` on may begin at `char`; of equal borders the one that is nearest to the word counts."""
        if word not in self.before or (cost, -char) < (self.before[word][0], -self.before[word][1]):
            self.before[word] = (cost, char)

    def end(self, word: int, cost: float, char: int) -> None:
        """Words up to `word` (excluded) may end at `char`."""
        if word not in self.after or (cost, char) < self.after[word]:
            self.after[word] = (cost, char)


def edges(text: Text) -> Edges:
    """All borders of `text`."""
    found = Edges()
    for start, end, quoted in _blocks(text.text):
        first, last = text.word_at(start), text.word_at(end)
        if first >= last:
            continue
        if quoted:
            found.quoted.add(len(found.bounds))
        found.block += [len(found.bounds)] * (last - first)
        found.bounds.append((first, last))
        bullet = _BULLET.match(text.text, start)
        begin = bullet.end() if bullet else start
        found.start(text.word_at(begin), STRONG, begin)
        found.end(last, STRONG, start + len(text.text[start:end].rstrip()))
        _inside(text, start, end, found)
    return found


def _blocks(text: str) -> list[tuple[int, int, bool]]:
    """(start, end, quoted): paragraphs, list items, and runs of quoted lines, in order, without gaps."""
    cuts = {0, len(text)}
    cuts |= {found.end() for found in _BLOCK_BREAK.finditer(text)}
    was = None
    ended, item = True, False
    for line in _LINE.finditer(text):
        # A line that begins like a list item is one only after another or after a full sentence: `is\n0. Ignore ...`.
        starts_item = bool(_ITEM.match(line.group()))
        if starts_item and (ended or item):
            cuts.add(line.start())
        ended, item = line.group().rstrip().endswith((".", ":", "!", "?")) or not line.group().strip(), starts_item
        quoted = bool(_QUOTED_LINE.match(line.group()))
        if was is not None and quoted != was and line.group().strip():
            cuts.add(line.start())
        if line.group().strip():
            was = quoted
    ordered = sorted(cuts)
    return [(start, end, bool(_QUOTED_LINE.match(text[start:end].lstrip("\n")))) for start, end in pairwise(ordered)]


def _inside(text: Text, start: int, end: int, found: Edges) -> None:
    body = text.text[start:end]
    for mark in _OPEN.finditer(body):
        found.start(text.word_at(start + mark.end()), STRONG, start + mark.end())
    for mark in _CLOSE.finditer(body):
        # Of two marks in a row the outer one ends the quotation: `the word "search""`.
        char = start + mark.end() - 1 if mark.group() in ('""', "''", "’’") else start + mark.start()
        found.end(text.word_at(start + mark.start()), STRONG, char)
    for mark in _COLON.finditer(body):
        found.start(text.word_at(start + mark.end()), COLON, start + mark.end())
    for begin, stop in sentences(body.replace("\n", " ")):
        first, last = text.word_at(start + begin), text.word_at(start + stop)
        if first < last:
            found.start(first, SENTENCE, text.tokens[text.words[first]].start)
            found.end(last, SENTENCE, start + len(body[:stop].rstrip("\"'”’»")))
