"""What the search data of a site was made from, remembered beside it, so that after an edit of few documents only the
shards that they touch are made.

It holds the documents as the index had them. Two states are compared by what they say, not by hashes: what a document
no longer says has to leave its shard, and only the old text tells which that is.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rulings_site import client_texts, client_words
from rulings_site.client_base import SearchData, read
from rulings_site.client_texts import Arrangement

BEFORE = ".rulings-site.search"
ARRANGED = "arranged"
"""Said of texts that may lie in another order."""
_FORM = "rulings-site search 1"
_MOST = 200
"""With more edited documents than this, all is made anew."""


@dataclass(frozen=True, slots=True)
class Before:
    """`around` names all but the documents and how often words stand in them; `given` is what was worked out from it
    alone; `alone` are the words whose places have a shard of their own; `arranged` is how the texts lie."""

    around: str
    given: dict[str, Any]
    alone: Sequence[str]
    arranged: Arrangement
    sources: Sequence[str]
    streams: Sequence[str]

    def dumps(self) -> bytes:
        """As it lies in the folder."""
        arranged = [self.arranged.order, self.arranged.version]
        said = [_FORM, self.around, len(self.sources), self.alone, self.given, arranged]
        head = json.dumps(said, separators=(",", ":"))
        return "\n".join((head, *self.sources, *self.streams)).encode("utf-8", "surrogatepass")


def load(path: Path) -> Before | None:
    """The state in a file; None where there is none, or it is damaged or of another form."""
    try:
        head, *rows = path.read_bytes().decode("utf-8", "surrogatepass").split("\n")
        form, around, count, alone, given, (order, version) = json.loads(head)
    except (OSError, ValueError):
        return None
    if form != _FORM or len(rows) != 2 * count:
        return None
    return Before(around, given, alone, Arrangement(tuple(order), version), rows[:count], rows[count:])


def touched(before: Before, data: SearchData) -> set[str] | None:
    """What of the files made from documents can have changed; None for all. Both are of the same `around`."""
    old = zip(before.sources, before.streams, strict=True)
    now = zip(data.sources, data.streams, strict=True)
    edited = [n for n, (then, here) in enumerate(zip(old, now, strict=True)) if then != here]
    if len(edited) > _MOST:
        return None
    found = _places(before, data, edited)
    facts = list(client_texts.fact_files(data))
    for n in edited:
        try:
            document = read(before.sources[n])
        except ValueError:
            return None
        doc = data.documents[n]
        found.update(name for name, of, _ in facts if of(document) != of(doc))
        if document["ids"] != doc["ids"]:
            found.add("ids")
        if client_texts.rules_of(document) != client_texts.rules_of(doc):
            found.add("rules")
        if document["topics"] != doc["topics"] or document["cards"] != doc["cards"]:
            found.add(ARRANGED)
    return found


def _places(before: Before, data: SearchData, edited: Sequence[int]) -> set[str]:
    """The shards of words that an edited document has in other places, or that are elsewhere themselves."""
    alone, count = client_words.heavy_places(data), client_words.place_shards(data)
    homes = [client_words.Homes("p", count, heavy) for heavy in (before.alone, alone)]
    moved = set(before.alone) ^ set(alone)
    moved.update(word for pair in zip(before.alone, alone, strict=False) if pair[0] != pair[1] for word in pair)
    for n in edited:
        then, now = _words(before.streams[n]), _words(data.streams[n])
        moved.update(word for word in then.keys() | now.keys() if then.get(word) != now.get(word))
    return {of[word] for word in moved for of in homes}


def _words(stream: str) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for place, word in enumerate(stream.split()):
        found.setdefault(word, []).append(place)
    return found
