"""How much a page may weigh, and lists cut so that each page keeps to it.

A page is at most PAGE bytes, so that it opens at once on a slow phone, however many rulings a card has and however
long they are. Rows of a list go in, the stretches of it that are a page each come out. What does not fit stands on a
further page, which works without a script.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rulings_site.rows import Row
from rulings_site.symbols import sprite

PAGE = 60_000
"""No HTML file is larger, in bytes. One text that is longer than that by itself is not cut."""
_FRAME = 9_000
"""Head and foot, what stands above the list, and the links to other pages."""
ROOM = PAGE - _FRAME
"""What is left for a list, and for what stands beside it."""


def weight(*html: str) -> int:
    """Bytes of some pieces of HTML."""
    return sum(len(piece.encode("utf-8", "replace")) for piece in html)


def drawn(codes: Iterable[str]) -> int:
    """Bytes of the drawings that a page needs for these symbols."""
    return len(sprite(codes))


def cut(
    rows: Sequence[Row],
    *,
    beside: int = 0,
    codes: Iterable[str] = (),
    most: int | None = None,
    room: int = ROOM,
) -> list[slice]:
    """The stretch of `rows` for each page; one, empty, where there are none. `beside` bytes of the first page and the
    drawings of `codes` are taken already; no page has more than `most` rows."""
    out, start, known = [], 0, set(codes)
    left = room - beside - drawn(known)
    for at, row in enumerate(rows):
        fresh = set(row.codes) - known
        size = weight(row.html) + row.data + drawn(fresh)
        if at > start and (size > left or at - start == most):
            out.append(slice(start, at))
            start, known = at, set(row.codes)
            left = room - drawn(known)
            size -= drawn(fresh)
        known |= fresh
        left -= size
    return [*out, slice(start, len(rows))]


def fitting(rows: Sequence[Row], *, codes: Iterable[str] = (), most: int, room: int) -> int:
    """How many of the first rows have room; the drawings of `codes` are there anyway."""
    known = set(codes)
    for at, row in enumerate(rows[:most]):
        room -= weight(row.html) + drawn(set(row.codes) - known)
        if room < 0:
            return at
        known |= set(row.codes)
    return min(most, len(rows))
