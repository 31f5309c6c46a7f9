"""A page to be made: its name, a key of all that it shows, and how to make its files.

A page whose key is in the manifest of the last build is not made again. Keys are hashes of the inputs, so nothing
has to be rendered to learn that nothing changed; and where it is known which rulings changed, only the keys of pages
that show them are worked out.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

Files = Sequence[tuple[str, bytes]]
"""Paths under the root of the site, and their bytes."""


@dataclass(slots=True)
class Page:
    """`name` is unique; the files may be several (a page, its data, its redirects). `made_from` is the key, or what
    gives it. `shows` are the ids of rulings whose words are in the key."""

    name: str
    made_from: str | Callable[[], str]
    make: Callable[[], Files]
    shows: Sequence[str] = ()

    @property
    def key(self) -> str:
        """A hash of all that the files are made from."""
        if not isinstance(self.made_from, str):
            self.made_from = self.made_from()
        return self.made_from


def digest(parts: Iterable[str]) -> str:
    """A short hash of texts; their borders count."""
    total = hashlib.blake2b(digest_size=9)
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        total.update(len(data).to_bytes(4, "big"))
        total.update(data)
    return total.hexdigest()
