"""Checks a text: finds what it quotes and cites, and says of each whether it is right.

`Lookup(path).check(text)` gives findings in the order of the text. Nothing here writes, and nothing asks a network.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from rulings.errors import UsageError
from rulings.rules.history import History
from rulings.snapshot import Resolution
from search.lookup import numbers, references
from search.lookup.base import LookupBase, Text
from search.lookup.cited import cited
from search.lookup.edges import Edges, edges
from search.lookup.findings import Finding
from search.lookup.mentions import Mention, mentions
from search.lookup.passages import Passage, passages
from search.lookup.unfound import unfound
from search.lookup.verdict import Judge

MOST_CHARACTERS = 1_000_000
"""A long book. More is no post or article, and would cost a service its memory."""


class Ids(Protocol):
    """What tells what an id means: `rulings.snapshot.Snapshot`."""

    def resolve(self, asked: str) -> Resolution: ...


class Lookup:
    """An open lookup. `ids` resolves ids and may be left out; `history` overrides the rules kept in the file."""

    def __init__(self, path: Path, *, ids: Ids | None = None, history: History | None = None) -> None:
        self.base = LookupBase(path)
        self.ids = ids
        self._history = history

    def close(self) -> None:
        self.base.close()

    @property
    def history(self) -> History | None:
        if self._history is None:
            self._history = self.base.history()
        return self._history

    def check(self, text: str, *, cited_on: str | None = None) -> tuple[Finding, ...]:
        """All findings in `text`, in its order; offsets count its characters. `cited_on` is the day the text was
        written (ISO, or a year and month): rule numbers are read in the rules of that day. A date in the text tells
        where it is not given."""
        if len(text) > MOST_CHARACTERS:
            raise UsageError(f"a text of {len(text):,} characters is too long", f"cut it: {MOST_CHARACTERS:,} at most")
        read = Text(text)
        borders = edges(read)
        named = mentions(read, self.base)
        quotations = self._quotations(read, borders, named)
        found: list[Finding] = [*quotations]
        ids = references.references(text, self.ids)
        taken = [(f.start, f.end) for f in (*quotations, *ids)]
        found += ids
        # A number inside a quoted ruling is the ruling's, and is checked with it.
        found += numbers.rule_numbers(text, self.history, cited_on, taken)
        found += numbers.policy(text)
        found += unfound(text, borders, read, [(f.start, f.end) for f in quotations])
        found += [_card(mention) for mention in named if mention.level == 2 and not _inside(mention, taken)]
        return tuple(sorted(found, key=lambda f: (f.start, f.end, f.kind)))

    def _quotations(self, text: Text, borders: Edges, named: Sequence[Mention]) -> list[Finding]:
        options = passages(text, borders, named, self.base)
        places = self._places(options, named)
        spans = [(place[0].start, place[0].end) for place in places]
        judge = Judge(text, self.base)
        out = []
        for place in places:
            whose = cited(text.text, place[0].start, place[0].end, named, spans)
            finding = judge.judge(place, whose)
            if finding:
                out.append(finding)
        return _apart(out)

    def _places(self, options: list[Passage], named: Sequence[Mention]) -> list[list[Passage]]:
        """Passages by the place they are for, the best first in each; places do not overlap."""
        cards = {card for mention in named for card in mention.cards}

        def worth(passage: Passage) -> tuple[float, int, int]:
            known = any(s.card in cards for s in self.base.standings(passage.wording.n))
            value = passage.matched - 1.5 * passage.edits + (3 if known else 0)
            return -value, passage.first, passage.wording.n

        left = sorted(options, key=worth)
        places = []
        while left:
            best = left[0]
            places.append([p for p in left if _overlap(p, best) >= 0.8])
            left = [p for p in left if _overlap(p, best) == 0]
        return places


def _overlap(a: Passage, b: Passage) -> float:
    """Words in common, of the longer of the two."""
    common = min(a.last, b.last) - max(a.first, b.first)
    return max(0, common) / max(a.last - a.first, b.last - b.first)


def _apart(found: list[Finding]) -> list[Finding]:
    """Without those that overlap an earlier one: the verdict may have chosen a longer passage than the place had."""
    out: list[Finding] = []
    for finding in found:
        if all(finding.end <= other.start or other.end <= finding.start for other in out):
            out.append(finding)
    return out


def _inside(mention: Mention, taken: Sequence[tuple[int, int]]) -> bool:
    return any(start < mention.end and mention.start < end for start, end in taken)


def _card(mention: Mention) -> Finding:
    names = " or ".join(mention.cards[:3])
    return Finding(
        mention.start, mention.end, "card", "ok", card=mention.cards[0], message=f"{names}.", also=mention.cards[1:]
    )
