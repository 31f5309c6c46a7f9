"""How the search data is written: numbers as text, texts spread over shards, each shard one small script.

A number is written in base 64, five bits a sign, the sixth bit saying that more follow; small numbers take one sign
and the whole packs well. `assets/search/store.js` reads what is written here.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from itertools import pairwise

SIGNS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


def sign(number: int) -> str:
    """One number as text.

    >>> [sign(n) for n in (0, 31, 32, 1000)]
    ['A', 'f', 'gB', 'of']
    """
    out = ""
    while number > 31:
        out += SIGNS[32 | number & 31]
        number >>= 5
    return out + SIGNS[number]


class _Signs(dict[int, str]):
    def __missing__(self, number: int) -> str:
        text = sign(number)
        if number < 1 << 16:
            self[number] = text
        return text


_SIGNS = _Signs()


def numbers(values: Iterable[int]) -> str:
    """Numbers, none below zero, as text."""
    return "".join(map(_SIGNS.__getitem__, values))


def fixed(values: Sequence[int]) -> str:
    """Numbers as text, each in as many signs as the largest takes, so that one can be read without the others.

    >>> fixed([3, 65])
    'ADBB'
    """
    width = 1
    while 64**width <= max(values, default=0):
        width += 1
    return "".join(SIGNS[number >> 6 * at & 63] for number in values for at in reversed(range(width)))


def rising(values: Sequence[int]) -> str:
    """Numbers in rising order as text: the first, then the steps.

    >>> rising([3, 5, 40])
    'DCjB'
    """
    if not values:
        return ""
    return _SIGNS[values[0]] + "".join(map(_SIGNS.__getitem__, (b - a for a, b in pairwise(values))))


def spread(text: str) -> int:
    """A number of 32 bits from a text: FNV-1a over its characters, the upper bits mixed into the lower.

    >>> spread("energy") % 256
    13
    """
    total = 2166136261
    for char in text:
        total = ((total ^ ord(char)) * 16777619) & 0xFFFFFFFF
    return total ^ (total >> 15)


def shards(things: int, each: int, most: int) -> int:
    """How many shards for so many things at about `each` in one: a power of two, at most `most`."""
    count = 1
    while count < most and count * each < things:
        count *= 2
    return count


def script(name: str, numbering: str, value: object) -> tuple[str, bytes]:
    """The file of one shard: its path and its bytes. `numbering` tells shards of different builds apart."""
    said = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    # These two end a line in older scripts, and JSON allows them in a text.
    said = said.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    return f"search/data/{name}.js", f'RS.put("{name}","{numbering}",{said});\n'.encode("utf-8", "replace")
