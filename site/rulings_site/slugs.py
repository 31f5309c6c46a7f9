"""Names into addresses. A name goes in, `a-z 0-9 -` comes out; two names never share an address.

Addresses are lower case, so that file systems that ignore case cannot mix two up, and avoid the names that Windows
keeps for itself (`con` is also the code of a set). Names that fold to one slug all carry a tail made from the whole
name, and the bare slug becomes a page that lists them: an old link then never leads to the wrong card.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from rulings.text import loose

_RESERVED = {"con", "prn", "aux", "nul", "index"} | {f"{port}{n}" for port in ("com", "lpt") for n in range(10)}
_APOSTROPHE = re.compile(r"['’]")
_OTHER = re.compile(r"[^a-z0-9]+")
_LONGEST = 80

folded = lru_cache(maxsize=100_000)(loose)
"""`loose`, remembered: slugs, the order of names and their first letters all ask for it."""


def slug(name: str) -> str:
    """`Lim-Dûl's Vault` -> `lim-duls-vault`, `Look at Me, I'm R&D` -> `look-at-me-im-r-and-d`.

    A name of signs alone (`_____`) gets a slug from its hash, as does the end of one over 80 letters.
    """
    words = _OTHER.sub("-", _APOSTROPHE.sub("", folded(name)).replace("&", " and ")).strip("-")
    if not words:
        return f"name-{_tail(name)}"
    if len(words) > _LONGEST:
        return f"{words[:_LONGEST].rstrip('-')}-{_tail(name)}"
    return f"{words}-0" if words in _RESERVED else words


def _tail(name: str) -> str:
    return hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:6]


@dataclass(frozen=True, slots=True)
class Slugs:
    """The address of each key, and the bare slugs that several keys would have had."""

    of: Mapping[tuple[str, str], str]
    shared: Mapping[str, tuple[tuple[str, str], ...]]


def assign(keys: Iterable[tuple[str, str]]) -> Slugs:
    """Addresses for (name, what tells equal names apart, or ""). Depends on the set of keys only, not its order."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for key in sorted(set(keys)):
        groups.setdefault(slug(key[0]), []).append(key)
    of: dict[tuple[str, str], str] = {}
    taken = set(groups)
    shared: dict[str, tuple[tuple[str, str], ...]] = {}
    for bare, members in groups.items():
        if len(members) == 1:
            of[members[0]] = bare
            continue
        shared[bare] = tuple(members)
        for name, mark in members:
            tail = _tail(name + "\x00" + mark)
            address = f"{bare}-{tail}"
            while address in taken:
                address += "-x"
            taken.add(address)
            of[name, mark] = address
    return Slugs(of, shared)
