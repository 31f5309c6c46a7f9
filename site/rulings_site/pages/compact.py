"""What a compact site has in place of a page for each ruling: shards that say where each id is, and the data.

A ruling is an anchor on the page of its first card, else on that of its first topic. `/r/#<id>` leads there.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from rulings.model import Ruling
from rulings_site.page import Files, Page
from rulings_site.pages.paged import PER_PAGE_COMPACT
from rulings_site.pages.ruling import twin
from rulings_site.parts import Parts


def pages(parts: Parts) -> Iterator[Page]:
    """One shard for each first character of an id: a script for the browser, and the rulings as JSON lines."""
    catalogue = parts.catalogue
    members: dict[str, list[Ruling]] = defaultdict(list)
    for ruling in catalogue.knowledge.rulings:
        members[ruling.id[2:3]].append(ruling)
    table: dict[str, dict[str, list[str]]] = defaultdict(dict)
    where = {r.id: place(parts, r) for r in catalogue.knowledge.rulings}
    for ruling_id, path in where.items():
        table[ruling_id[2:3]][ruling_id] = [path, ruling_id]
    for alias, targets in catalogue.redirects.items():
        table[alias[2:3]][alias] = [entry for target in targets for entry in (where[target], target)]
    for stone in catalogue.knowledge.tombstones:
        table[stone.id[2:3]].setdefault(stone.id, ["", stone.reason])
    for name in sorted(table):
        key = parts.keys.of_rulings("shard", members[name], repr(table[name]))
        yield Page(f"r/data/{name}", key, _maker(parts, name, members[name], table[name]))


def _maker(parts: Parts, name: str, members: list[Ruling], table: dict[str, list[str]]) -> Any:
    def make() -> Files:
        lines = b"".join(twin(parts.catalogue, ruling) for ruling in members)
        said = json.dumps(table, ensure_ascii=False, separators=(",", ":"))
        script = f"(window.RULINGS_AT=window.RULINGS_AT||{{}})[{json.dumps(name)}]={said};\n"
        return [(f"r/data/{name}.jsonl", lines), (f"r/data/{name}.js", script.encode("utf-8", "replace"))]

    return make


def place(parts: Parts, ruling: Ruling) -> str:
    """The page that holds the ruling, from the root; "" where it is on no card and has no topic."""
    catalogue = parts.catalogue
    card = catalogue.example(ruling) if ruling.status != "withdrawn" else None
    if card is not None:
        return f"card/{catalogue.slugs.of[card]}/index.html"
    for topic in ruling.topics:
        if ruling in catalogue.topics.get(topic, ()):
            number = catalogue.topics[topic].index(ruling) // PER_PAGE_COMPACT + 1
            return f"topic/{parts.topic_slug(topic)}/{'index' if number == 1 else f'page-{number}'}.html"
    return ""
