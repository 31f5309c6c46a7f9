"""Ids of rulings: minted from a wording, the same in every base, for ever.

`mint` is frozen (see docs/ids.md). It never looks at cards, dates or the base.
"""

from __future__ import annotations

import hashlib
import re
from typing import NewType

from rulings.text import fold1

RulingId = NewType("RulingId", str)
"""`r-` and 8 (after a collision 10) Crockford base32 characters in lower case; made by `mint` and `parse_id` only."""

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_PREFIX = b"mtg-rulings:1\x00"
_FORM = re.compile(r"r-?([0-9a-z]{8}|[0-9a-z]{10})")
# Crockford's base32 reads what people confuse; u is no digit at all.
_READ_AS = str.maketrans({"i": "1", "l": "1", "o": "0"})


def read_as(digits: str) -> str:
    """The characters of an id with those that look alike put right."""
    return digits.translate(_READ_AS)


def mint(wording: str, *, length: int = 8, card: str | None = None) -> RulingId:
    """The id of `wording`: 5 bits a character of SHA-256 over the prefix and `fold1(wording)`.

    `length` is 10 where two wordings collide at 8. `card` is given only where a person split one wording by card.

    >>> mint("{E} is the energy symbol. It represents one energy counter.")
    'r-0pcdnc32'
    """
    folded = fold1(wording)
    if not folded:
        raise ValueError("a text that folds to nothing has no id")
    data = _PREFIX + folded.encode()
    if card is not None:
        data += b"\x00" + fold1(card).encode()
    number = int.from_bytes(hashlib.sha256(data).digest(), "big") >> (256 - 5 * length)
    digits = []
    for _ in range(length):
        digits.append(_ALPHABET[number & 31])
        number >>= 5
    return RulingId("r-" + "".join(reversed(digits)))


def parse_id(text: str) -> RulingId | None:
    """The id that a person typed, or None where `text` has not the form of one.

    Case, the hyphen after `r` and Crockford's look-alikes (i, l and o) are forgiven.
    """
    found = _FORM.fullmatch(text.strip().lower())
    if not found:
        return None
    digits = read_as(found.group(1))
    return RulingId("r-" + digits) if all(digit in _ALPHABET for digit in digits) else None
