"""What a compact site has in place of a page for each ruling: shards that say where each id is, and the data.

A ruling is an anchor on the page of its first card, else on that of its first topic. `/r/#<id>` leads there.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from html import escape
from typing import Any

from markupsafe import Markup

from rulings.model import Ruling
from rulings_site.page import Files, Page
from rulings_site.pages.paged import PER_PAGE_COMPACT
from rulings_site.pages.ruling import twin
from rulings_site.parts import Parts
from rulings_site.prose import prose, typeset
from rulings_site.render import DEEP


def pages(parts: Parts) -> Iterator[Page]:
    """One shard for each first character of an id, and all rulings as JSON lines."""
    catalogue = parts.catalogue
    table: dict[str, dict[str, list[str]]] = defaultdict(dict)
    where = {r.id: place(parts, r) for r in catalogue.knowledge.rulings}
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


def place(parts: Parts, ruling: Ruling) -> str:
    """The page that holds the ruling, from the root; "" where it is on no card and has no topic."""
    catalogue = parts.catalogue
    card = catalogue.example(ruling) if ruling.status != "withdrawn" else None
    if card is not None:
        return f"card/{catalogue.slugs.of[card]}/index.html"
    for topic in ruling.topics:
        if ruling in catalogue.topics.get(topic, ()):
            shared = [r.id for r in catalogue.topics[topic] if catalogue.reach[r.id] != 1]
            number = shared.index(ruling.id) // PER_PAGE_COMPACT + 1
            return f"topic/{parts.topic_slug(topic)}/{'index' if number == 1 else f'page-{number}'}.html"
    return ""


def brief(parts: Parts, chunk: Sequence[Ruling], note: str) -> dict[str, Any]:
    """Rulings one line each: the text, and a link to where it stands. One that stands on no card stands here."""
    items = []
    for ruling in chunk:
        text = prose(parts.catalogue.text(ruling)).html
        card = parts.catalogue.example(ruling)
        if card is None:
            rid = escape(ruling.id)
            href = DEEP + escape(parts.site.ruling_path(ruling.id))
            cite = f'<a href="{href}" data-cite-of="{rid}" aria-label="Cite {rid}">Cite</a>'
            items.append(f'<li id="{rid}"><p class="text">{text}</p><p class="side">{cite}</p></li>')
            continue
        more = parts.catalogue.reach[ruling.id] - 1
        others = f" and {more:,} more" if more else ""
        href = escape(f"{DEEP}{place(parts, ruling)}#{ruling.id}")
        name = escape(typeset(card[0]))
        items.append(f'<li><p class="text">{text}</p><p class="side"><a href="{href}">{name}</a>{others}</p></li>')
    html = Markup(f'<ul class="brief">{"".join(items)}</ul>')
    return {"id": "rulings", "title": "Rulings", "count": note, "quiet": False, "html": html}
