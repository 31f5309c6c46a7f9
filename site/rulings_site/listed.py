"""Rulings and cards that are read when a page asks for them: a few pages need a few of 26,000.

A `Listed` knows the ids of its rulings without reading one. A `Lazy` reads each entry once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar, overload

from rulings.model import Ruling

K = TypeVar("K")
V = TypeVar("V")


class Lazy(Mapping[K, V]):
    """A mapping with known keys whose values are read on first use."""

    def __init__(self, keys: Iterable[K], read: Callable[[K], V]) -> None:
        self._keys = dict.fromkeys(keys)
        self._read = read
        self._kept: dict[K, V] = {}

    def __getitem__(self, key: K) -> V:
        if key not in self._kept:
            if key not in self._keys:
                raise KeyError(key)
            self._kept[key] = self._read(key)
        return self._kept[key]

    def __contains__(self, key: object) -> bool:
        return key in self._keys

    def __iter__(self) -> Iterator[K]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)


class Listed(Sequence[Ruling]):
    """Rulings in order, by their ids."""

    def __init__(self, ids: Sequence[str], rulings: Mapping[str, Ruling]) -> None:
        self.ids = ids
        self._rulings = rulings

    @overload
    def __getitem__(self, at: int) -> Ruling: ...
    @overload
    def __getitem__(self, at: slice) -> Listed: ...
    def __getitem__(self, at: int | slice) -> Ruling | Listed:
        return Listed(self.ids[at], self._rulings) if isinstance(at, slice) else self._rulings[self.ids[at]]

    def __len__(self) -> int:
        return len(self.ids)


def ids_of(rulings: Sequence[Ruling] | Sequence[str]) -> Sequence[str]:
    """The ids of rulings, which are read only where they must be."""
    if isinstance(rulings, Listed):
        return rulings.ids
    return [r if isinstance(r, str) else r.id for r in rulings]
