"""What a compact site has in place of a page for each ruling: shards that say where each id is, and the data.

A ruling is an anchor on the page of its first card, else on that of its first topic. `/r/#<id>` leads there.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterator

from rulings_site.page import Files, Page
from rulings_site.pages import card, topics
from rulings_site.pages.ruling import twin
from rulings_site.parts import Parts


def pages(parts: Parts) -> Iterator[Page]:
    """One shard for each first character of an id, and all rulings as JSON lines."""
    catalogue = parts.catalogue
    table: dict[str, dict[str, list[str]]] = defaultdict(dict)
    where = places(parts)
    for ruling_id, path in where.items():
        table[ruling_id[2:3]][ruling_id] = [path, ruling_id]
    for alias, targets in catalogue.redirects.items():
        table[alias[2:3]][alias] = [entry for target in targets for entry in (where[target], target)]
    for stone in catalogue.knowledge.tombstones:
        table[stone.id[2:3]].setdefault(stone.id, ["", stone.reason])
    for name in sorted(table):
        key = parts.keys.of("shard", repr(table[name]))
        yield Page(f"r/data/{name}", key, _maker(name, table[name]))
    everything = catalogue.knowledge.rulings
    data = parts.keys.of_rulings("data", everything)
    yield Page("r/data", data, lambda: [("rulings.jsonl", b"".join(twin(catalogue, r) for r in everything))])


def _maker(name: str, table: dict[str, list[str]]) -> Callable[[], Files]:
    def make() -> Files:
        said = json.dumps(table, ensure_ascii=False, separators=(",", ":"))
        script = f"(window.RULINGS_AT=window.RULINGS_AT||{{}})[{json.dumps(name)}]={said};\n"
        return [(f"r/data/{name}.js", script.encode("utf-8", "replace"))]

    return make


def places(parts: Parts) -> dict[str, str]:
    """For each ruling the page that holds it, from the root; "" where it is on no card and has no topic."""
    catalogue = parts.catalogue
    on_topic = topics.places(parts)
    found = {}
    for ruling in catalogue.knowledge.rulings:
        key = catalogue.example(ruling) if ruling.status != "withdrawn" else None
        found[ruling.id] = card.place(parts, key, ruling.id) if key is not None else on_topic.get(ruling.id, "")
    return found
