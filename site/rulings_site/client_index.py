"""The data that the search in the page reads: one script for cards, one for rulings."""

from __future__ import annotations

import json
from collections.abc import Iterator

from rulings_site.page import Files, Page
from rulings_site.parts import Parts


def pages(parts: Parts) -> Iterator[Page]:
    """The data files."""
    key = parts.keys.of("client", *parts.keys.rulings.values(), repr(sorted(parts.catalogue.cards)))
    yield Page("client", key, lambda: _files(parts))


def _files(parts: Parts) -> Files:
    catalogue = parts.catalogue
    order = [key for key in catalogue.order if key in catalogue.slugs.of]
    at = {key: n for n, key in enumerate(order)}
    cards = [
        [
            key[0],
            "" if parts.site.compact and not catalogue.on_card(key) else catalogue.slugs.of[key],
            len(catalogue.on_card(key)),
            catalogue.cards[key].mana_cost,
        ]
        for key in order
    ]
    rulings = [
        [r.id, catalogue.text(r), r.date or "", [at[k] for k in catalogue.cards_of(r)], list(r.topics)]
        for r in catalogue.live
    ]
    topics = {key: catalogue.topic_title(key) for key in catalogue.topics}
    return [
        ("data/cards.js", _script("RULINGS_CARDS", cards)),
        ("data/rulings.js", _script("RULINGS_TEXTS", {"rulings": rulings, "topics": topics})),
    ]


def _script(name: str, value: object) -> bytes:
    return f"window.{name}={json.dumps(value, ensure_ascii=False, separators=(',', ':'))};\n".encode("utf-8", "replace")
