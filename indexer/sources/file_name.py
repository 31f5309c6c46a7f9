"""What the name of a file tells: the state it shows, its source, its card. Asked only where its content is silent."""

from __future__ import annotations

import re
from pathlib import PurePath

# `rulings-2018-11-mtgjson-v3.jsonl.gz`, `AER-5.2.2-20240724.json`
_DATE = re.compile(r"(?<!\d)((?:19|20)\d\d)-?(0[1-9]|1[0-2])(?:-?(0[1-9]|[12]\d|3[01]))?(?!\d)")
_SOURCE = re.compile(r"(?<![a-z])(mtgjson|scryfall|gatherer)(?![a-z])")


def date_in(path: PurePath) -> str | None:
    """`2018-11` or `2024-07-24`, as far as the name says it."""
    found = _DATE.search(path.name)
    return "-".join(part for part in found.groups() if part) if found else None


def source_in(path: PurePath) -> str | None:
    """The publisher of data that the name holds."""
    found = _SOURCE.search(path.name.lower())
    return found[1] if found else None


def card_in(path: PurePath, text: str) -> str | None:
    """The card that the file is called after (`rulings-budoka-gardener.json`), in the spelling of `text`. Believed only
    where `text`, the rulings of the file, uses that name as a name; the longest such run of words counts."""
    words = [word for word in re.split(r"[\W_]+", path.name.partition(".")[0]) if word and not word.isdigit()]
    for length in range(len(words), 0, -1):
        for start in range(len(words) - length + 1):
            wanted = r"[\s,'’:-]{1,3}".join(re.escape(word) for word in words[start : start + length])
            for found in re.finditer(rf"(?<![\w])(?:{wanted})(?!\w)", text, re.IGNORECASE):
                # A single word at the start of a sentence has a capital anyway.
                inside = found.start() > 1 and text[found.start() - 2] not in ".!?"
                if found[0][0].isupper() and (length > 1 or inside):
                    return found[0]
    return None
