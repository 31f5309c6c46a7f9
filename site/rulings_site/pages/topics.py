"""Topics: `/topic/<key>/` with its rulings, rules and cards, and the list of all."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

from markupsafe import Markup

from rulings.model import Ruling
from rulings.rules.number import RuleNumber, rule_number
from rulings_site import dates
from rulings_site.catalogue import CardId
from rulings_site.page import Files, Page
from rulings_site.pages.paged import paged
from rulings_site.parts import Parts, name_list, tag_links
from rulings_site.prose import typeset
from rulings_site.render import DEEP, card_href, many
from rulings_site.rows import join
from rulings_site.slugs import folded

_MOST_NAMES = 300


def pages(parts: Parts) -> Iterator[Page]:
    catalogue = parts.catalogue
    everything = repr([(key, len(group)) for key, group in catalogue.topics.items()])
    yield Page("topics", parts.keys.of("topics", everything), lambda: _topic_index(parts))
    for key, rulings in catalogue.topics.items():
        cards = {k for r in rulings for k in catalogue.cards_of(r)}
        extra = f"{key} {len(cards)} {sorted(k[0] for k in cards)!r}"

        def make(
            number: int,
            chunk: Sequence[Ruling],
            key: str = key,
            rulings: Sequence[Ruling] = rulings,
            cards: set[CardId] = cards,
        ) -> dict[str, Any]:
            return _topic(parts, key, rulings, cards, number, chunk)

        yield from paged(parts, f"topic/{parts.topic_slug(key)}", rulings, make, extra)


def _topic(
    parts: Parts, key: str, rulings: Sequence[Ruling], cards: set[CardId], number: int, chunk: Sequence[Ruling]
) -> dict[str, Any]:
    catalogue = parts.catalogue
    topic = catalogue.vocabulary.by_key.get(key) if catalogue.vocabulary else None
    title = catalogue.topic_title(key)
    days = sorted({d for r in rulings if (d := r.date)})
    span = f"<span>{dates.time(days[0])} to {dates.time(days[-1])}</span>" if len(days) > 1 else ""
    general = [r for r in chunk if catalogue.reach[r.id] != 1]
    single = [r for r in chunk if catalogue.reach[r.id] == 1]
    groups = []
    total = sum(1 for r in rulings if catalogue.reach[r.id] != 1)
    if general:
        rows = [parts.rows.general(r.id) for r in general]
        groups.append(
            {"id": "general", "title": "In general", "count": f"{total:,}, shared by many cards", "rows": join(rows)}
        )
    if single:
        rows = [parts.rows.general(r.id) for r in single]
        groups.append(
            {"id": "one", "title": "On single cards", "count": f"{len(rulings) - total:,}", "rows": join(rows)}
        )
    names = [(card_href(catalogue, k) or "", typeset(k[0])) for k in sorted(cards, key=catalogue.rank.__getitem__)]
    blocks = []
    if number == 1 and names and not parts.site.compact:
        most = 300
        listed = name_list(names[:most], first=20)
        if len(names) > most:
            href = f"{DEEP}search/index.html?q=topic:{escape(key)}"
            listed += Markup(
                f'<p class="gap-s">{most} of {len(names):,} cards. <a href="{href}">Search them all</a></p>'
            )
        blocks.append({"id": "cards", "title": "Cards", "count": f"{len(names):,}", "quiet": False, "html": listed})
    rail = []
    items = parts.rule_items(n for n in _numbers(parts, topic.rules if topic else ()))
    if items.html:
        rail.append({"id": "bear", "title": "Rules", "html": Markup(f'<ul class="rules">{items.html}</ul>')})
    near = _near(parts, key, rulings)
    if near:
        links = [(f"{DEEP}topic/{parts.topic_slug(k)}/index.html", catalogue.topic_title(k)) for k in near]
        rail.append({"id": "near", "title": "Near by", "html": tag_links(links)})
    crumbs = [(f"{DEEP}topics/index.html", "Topics")]
    if topic and topic.parent in catalogue.topics:
        crumbs.append((f"{DEEP}topic/{parts.topic_slug(topic.parent)}/index.html", catalogue.topic_title(topic.parent)))
    return {
        "title": title,
        "heading": title,
        "description": f"{many(len(rulings), 'ruling')} on {title}. {topic.definition if topic else ''}",
        "section": "topics",
        "crumbs": crumbs,
        "sub": typeset(topic.definition) if topic else "",
        "facts": Markup(
            f"<span><b>{many(len(rulings), 'ruling')}</b> on <b>{many(len(cards), 'card')}</b></span>{span}"
        ),
        "jumps": [
            *((f"#{g['id']}", f"{g['title']}") for g in groups),
            *([("#cards", f"Cards {len(names):,}")] if blocks else []),
        ],
        "groups": groups,
        "blocks": blocks,
        "rail": rail,
        "codes": set(items.codes),
    }


def _numbers(parts: Parts, texts: Sequence[str]) -> list[RuleNumber]:
    return [number for text in texts if (number := rule_number(text))]


def _near(parts: Parts, key: str, rulings: Sequence[Ruling]) -> list[str]:
    """The topics that most often stand beside this one."""
    counts: dict[str, int] = defaultdict(int)
    for ruling in rulings:
        for other in ruling.topics:
            counts[other] += other != key
    best = sorted((k for k, n in counts.items() if n), key=lambda k: (-counts[k], k))
    return best[:6]


def _topic_index(parts: Parts) -> Files:
    catalogue = parts.catalogue
    grouped: dict[str, list[str]] = defaultdict(list)
    vocabulary = catalogue.vocabulary
    for key in catalogue.topics:
        topic = vocabulary.by_key.get(key) if vocabulary else None
        grouped[topic.group if topic else ""].append(key)
    order = [
        *(vocabulary.groups if vocabulary else ()),
        *sorted(g for g in grouped if not vocabulary or g not in vocabulary.groups),
    ]
    blocks = []
    for group in order:
        keys = sorted(grouped.get(group, ()), key=lambda k: folded(catalogue.topic_title(k)))
        if keys:
            title = vocabulary.groups.get(group, "Other topics") if vocabulary else "Topics"
            blocks.append(
                {
                    "id": f"g-{group or 'other'}",
                    "title": title,
                    "count": len(keys),
                    "quiet": False,
                    "html": _counted(parts, keys),
                }
            )
    html = parts.renderer.page(
        "listing.html",
        "topics/index.html",
        title="Topics",
        heading="Topics",
        section="topics",
        description=f"{len(catalogue.topics)} topics of Magic rulings",
        sub="What rulings are about. A number says how many there are.",
        blocks=blocks,
    )
    return [("topics/index.html", html)]


def _counted(parts: Parts, keys: Sequence[str]) -> Markup:
    items = "".join(
        f'<li><a href="../topic/{parts.topic_slug(k)}/index.html">{escape(parts.catalogue.topic_title(k))}</a>'
        f"<span>{len(parts.catalogue.topics[k]):,}</span></li>"
        for k in keys
    )
    return Markup(f'<ul class="topics">{items}</ul>')
