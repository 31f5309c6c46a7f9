"""Topics: `/topic/<key>/` with its rulings, rules and cards, and the list of all."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property
from html import escape
from typing import Any

from markupsafe import Markup

from rulings.model import Ruling
from rulings.rules.number import RuleNumber, rule_number
from rulings_site import dates
from rulings_site.catalogue import CardId
from rulings_site.cites import script_json, written_out
from rulings_site.page import Files, Page, digest
from rulings_site.pages.compact import brief
from rulings_site.pages.paged import paged
from rulings_site.parts import Parts, name_list, tag_links
from rulings_site.prose import typeset
from rulings_site.render import DEEP, card_href, many
from rulings_site.rows import join
from rulings_site.slugs import folded

_MOST_NAMES = 60


def pages(parts: Parts) -> Iterator[Page]:
    """The list, then each topic."""
    catalogue = parts.catalogue
    everything = repr([(key, len(group)) for key, group in catalogue.topics.items()])
    yield Page("topics", parts.keys.of("topics", everything), lambda: _topic_index(parts))
    for key, rulings in catalogue.topics.items():
        topic = _Topic(parts, key, rulings)
        # A ruling on one card is a line on its page: a compact site does not say it a second time.
        listed = [r for r in rulings if catalogue.reach[r.id] != 1] if parts.site.compact else rulings
        yield from paged(parts, f"topic/{parts.topic_slug(key)}", listed, topic.page, topic.around)


class _Topic:
    """The pages of one topic; what they share is worked out once, when the first is made."""

    def __init__(self, parts: Parts, key: str, rulings: Sequence[Ruling]) -> None:
        self.parts, self.key, self.rulings = parts, key, rulings

    @cached_property
    def names(self) -> list[CardId]:
        """Its cards."""
        catalogue = self.parts.catalogue
        keys = {key for ruling in self.rulings for key in catalogue.cards_of(ruling)}
        return sorted(keys, key=catalogue.rank.__getitem__)

    def around(self) -> str:
        """What a page of it shows of the other pages' rulings."""
        return self._around

    @cached_property
    def _around(self) -> str:
        days = [d for r in self.rulings if (d := r.date)]
        facts = (
            len(self.rulings),
            self.general,
            min(days, default=""),
            max(days, default=""),
            _near(self.key, self.rulings),
        )
        return f"{self.key} {digest(name for name, _ in self.names)} {facts!r}"

    @cached_property
    def shared(self) -> dict[str, Any]:
        """What is the same on each page."""
        parts, catalogue, key = self.parts, self.parts.catalogue, self.key
        topic = catalogue.vocabulary.by_key.get(key) if catalogue.vocabulary else None
        title = catalogue.topic_title(key)
        days = sorted({d for r in self.rulings if (d := r.date)})
        span = f"<span>{dates.time(days[0])} to {dates.time(days[-1])}</span>" if len(days) > 1 else ""
        rail = []
        items = parts.rule_items(_numbers(topic.rules if topic else ()))
        if items.html:
            rail.append({"id": "bear", "title": "Rules", "html": Markup(f'<ul class="rules">{items.html}</ul>')})
        near = _near(key, self.rulings)
        if near:
            links = [(f"{DEEP}topic/{parts.topic_slug(k)}/index.html", catalogue.topic_title(k)) for k in near]
            rail.append({"id": "near", "title": "Near by", "html": tag_links(links)})
        crumbs = [(f"{DEEP}topics/index.html", "Topics")]
        if topic and topic.parent in catalogue.topics:
            above = f"{DEEP}topic/{parts.topic_slug(topic.parent)}/index.html"
            crumbs.append((above, catalogue.topic_title(topic.parent)))
        many_rulings = many(len(self.rulings), "ruling")
        return {
            "title": title,
            "heading": title,
            "description": f"{many_rulings} on {title}. {topic.definition if topic else ''}",
            "section": "topics",
            "crumbs": crumbs,
            "sub": typeset(topic.definition) if topic else "",
            "facts": Markup(f"<span><b>{many_rulings}</b> on <b>{many(len(self.names), 'card')}</b></span>{span}"),
            "rail": rail,
            "codes": set(items.codes),
        }

    @cached_property
    def general(self) -> int:
        """How many of the rulings are on several cards, or on none."""
        return sum(1 for r in self.rulings if self.parts.catalogue.reach[r.id] != 1)

    def page(self, number: int, chunk: Sequence[Ruling]) -> dict[str, Any]:
        """One page: rulings on several cards come first in the whole list, so each group is a stretch of it."""
        if self.parts.site.compact:
            return self.shared | self._compact(number, chunk)
        reach, rows = self.parts.catalogue.reach, self.parts.rows
        groups = []
        for ident, title, count, members in (
            (
                "general",
                "In general",
                f"{self.general:,}, shared by many cards",
                [r for r in chunk if reach[r.id] != 1],
            ),
            ("one", "On single cards", f"{len(self.rulings) - self.general:,}", [r for r in chunk if reach[r.id] == 1]),
        ):
            if members:
                listed = join([rows.general(r.id) for r in members])
                groups.append({"id": ident, "title": title, "count": count, "rows": listed})
        blocks = [self._cards()] if number == 1 and self.names else []
        jumps = [(f"#{g['id']}", f"{g['title']}") for g in groups]
        jumps += [("#cards", f"Cards {len(self.names):,}")] if blocks else []
        return self.shared | {"groups": groups, "blocks": blocks, "jumps": jumps}

    def _compact(self, number: int, chunk: Sequence[Ruling]) -> dict[str, Any]:
        """What is shared is listed; what is on one card is said by the name of the card."""
        parts = self.parts
        blocks = [brief(parts, chunk, f"{self.general:,}, shared by many cards")] if chunk else []
        blocks += [self._cards()] if number == 1 and self.names else []
        alone = [r for r in chunk if parts.catalogue.example(r) is None]
        cites = script_json(written_out(parts.catalogue, alone, parts.site.base_url)) if alone else ""
        return {"blocks": blocks, "cite_list": Markup(cites)}

    def _cards(self) -> dict[str, Any]:
        shown = self.names[: 150 if self.parts.site.compact else _MOST_NAMES]
        listed = name_list([(card_href(self.parts.catalogue, k) or "", typeset(k[0])) for k in shown], first=20)
        if len(self.names) > len(shown):
            href = f"{DEEP}search/index.html?q=topic:{escape(self.key)}"
            of = f"{len(shown)} of {len(self.names):,} cards."
            listed += Markup(f'<p class="gap-s">{of} <a href="{href}">Search them all</a></p>')
        return {"id": "cards", "title": "Cards", "count": f"{len(self.names):,}", "quiet": False, "html": listed}


def _numbers(texts: Sequence[str]) -> list[RuleNumber]:
    return [number for text in texts if (number := rule_number(text))]


def _near(key: str, rulings: Sequence[Ruling]) -> list[str]:
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
