"""The difference of two wordings, word by word, for people to read."""

from __future__ import annotations

import difflib
import re

_PIECES = re.compile(r"\{[^{}\s]+\}|\w+(?:['’]\w+)*|\s+|.", re.DOTALL)

Piece = tuple[str, str]
"""("same" | "removed" | "added", text)."""


def word_diff(old: str, new: str) -> list[Piece]:
    """What leads from `old` to `new`. Joined, all but the added pieces give `old`, all but the removed give `new`."""
    a, b = _PIECES.findall(old), _PIECES.findall(new)
    pieces: list[Piece] = []
    for op, a1, a2, b1, b2 in difflib.SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if op == "equal":
            pieces.append(("same", "".join(a[a1:a2])))
            continue
        if a1 != a2:
            pieces.append(("removed", "".join(a[a1:a2])))
        if b1 != b2:
            pieces.append(("added", "".join(b[b1:b2])))
    return pieces


def marked(old: str, new: str) -> str:
    """The difference in one line of plain text: `writing [-theme-]{+them+} down`."""
    signs = {"same": ("", ""), "removed": ("[-", "-]"), "added": ("{+", "+}")}
    return "".join(signs[kind][0] + text + signs[kind][1] for kind, text in word_diff(old, new))
