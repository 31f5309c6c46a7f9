"""Quotations that a text calls rulings and that no ruling has: verdict `not-found`.

Only where the text itself says so ("the ruling reads “…”"): ordinary prose and what people say at the table is no
finding.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from search.lookup.base import Text
from search.lookup.edges import Edges
from search.lookup.findings import Finding

_CALLED = re.compile(
    r"\b(?:rulings?|Gatherer|notes?)\b[^.!?\n]{0,40}\b(?:says?|reads?|states?|goes|has|is|that)\W*$"
    r"|\b(?:rulings?|Gatherer)\b[^.!?\n]{0,30}$",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[A-Z{+(\"'“‘].*[.!?)\"'”’]", re.DOTALL)
_LEAST_WORDS = 6
_QUOTATION = re.compile(r"[“«„](?P<a>[^“”«»\n]{20,2000})[”»“]|(?:(?<=\s)|^)\"(?P<b>[^\"]{20,2000})\"(?=\W|$)")


def unfound(text: str, borders: Edges, read: Text, known: Sequence[tuple[int, int]]) -> list[Finding]:
    """Quotations called rulings that overlap none of the `known` ones."""
    places = [(m.start("a"), m.end("a")) if m["a"] else (m.start("b"), m.end("b")) for m in _QUOTATION.finditer(text)]
    for number in borders.quoted:
        first, last = borders.bounds[number]
        places.append((borders.before[first][1], borders.after[last][1]))
    found = []
    for start, end in sorted(places):
        if any(s < end and start < e for s, e in known) or read.word_at(end) - read.word_at(start) < _LEAST_WORDS:
            continue
        if not _SENTENCE.fullmatch(text[start:end].strip()):
            continue
        lead = text[max(0, start - 120) : start].rstrip(' \n>:,"“«„')
        if _CALLED.search(lead):
            message = "Called a ruling, and no ruling known here says anything like it."
            found.append(Finding(start, end, "ruling", "not-found", message=message))
    return found
