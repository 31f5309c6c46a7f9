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
from rulings_site.listed import ids_of
from rulings_site.page import Files, Page, digest
from rulings_site.pages import card
from rulings_site.pages.paged import block, file_name, in_pages, paged, per_page, pieces
from rulings_site.parts import Parts, counted_row, listing, name_list, name_rows, tag_links
from rulings_site.prose import prose, typeset
from rulings_site.render import DEEP, card_href, many
from rulings_site.room import fitting, weight
from rulings_site.rows import Row, join
from rulings_site.slugs import folded

_MOST_NAMES, _MOST_NAMES_COMPACT = 60, 150
_NAMES_WEIGHT = 14_000
_MOST_RULES = 12


def pages(parts: Parts) -> Iterator[Page]:
    """The list, then each topic."""
    catalogue = parts.catalogue
    everything = repr([(key, len(group)) for key, group in catalogue.topics.items()])
    yield Page("topics", parts.keys.of("topics", everything), lambda: _topic_index(parts))
    for key, rulings in catalogue.topics.items():
        topic = _Topic(parts, key, rulings)
        folder = f"topic/{parts.topic_slug(key)}"
        if parts.site.compact:
            yield from paged(parts, folder, topic.listed, topic.around, topic.in_brief, topic.extra, topic.brief)
        else:
            yield from paged(parts, folder, rulings, topic.around, topic.in_groups, topic.extra)


def places(parts: Parts) -> dict[str, str]:
    """In a compact site: the file that holds each ruling that stands on no card, on the page of its first topic."""
    catalogue = parts.catalogue
    found: dict[str, str] = {}
    for key, rulings in catalogue.topics.items():
        if any(r.id not in found and not catalogue.reach[r.id] for r in rulings):
            folder = f"topic/{parts.topic_slug(key)}"
            for ruling_id, file in _Topic(parts, key, rulings).files().items():
                found.setdefault(ruling_id, f"{folder}/{file}")
    return found


class _Topic:
    """The pages of one topic; what they share is worked out once, when the first is made."""

    def __init__(self, parts: Parts, key: str, rulings: Sequence[Ruling]) -> None:
        self.parts, self.key, self.rulings = parts, key, rulings

    @cached_property
    def names(self) -> list[CardId]:
        """Its cards."""
        catalogue = self.parts.catalogue
        keys = {key for own in ids_of(self.rulings) for key in catalogue.stands_on.get(own, ())}
        return sorted(keys, key=catalogue.rank.__getitem__)

    @cached_property
    def listed(self) -> Sequence[Ruling]:
        """What a compact site lists: a ruling on one card is a line on its page, and is not said a second time."""
        return [r for r in self.rulings if self.parts.catalogue.reach[r.id] != 1]

    def extra(self, shows: Sequence[str]) -> str:
        """What a page of it shows of rulings that it does not list."""
        if not self.parts.site.compact:
            return self._around
        # A card of very many rulings has several pages.
        return f"{self._around} {digest(self._on_card(self.parts.catalogue.rulings[i]) for i in shows)}"

    def _on_card(self, ruling: Ruling) -> str:
        key = self.parts.catalogue.example(ruling)
        return "" if key is None else card.place(self.parts, key, ruling.id)

    def files(self) -> dict[str, str]:
        """For each ruling on no card, the file that holds it."""
        out: dict[str, str] = {}
        size = per_page(self.parts)
        for at in range(0, len(self.listed), size):
            chunk = self.listed[at : at + size]
            if not all(self.parts.catalogue.reach[r.id] for r in chunk):
                number = at // size + 1
                for piece, part in enumerate(pieces(self.around(number), [self.brief(r) for r in chunk]), 1):
                    out |= {r.id: file_name(number, piece) for r in chunk[part] if not self.parts.catalogue.reach[r.id]}
        return out

    @property
    def days(self) -> list[str]:
        """The newest day of each of its rulings that has one."""
        newest = self.parts.catalogue.newest
        return [day for own in ids_of(self.rulings) if (day := newest[own])]

    @cached_property
    def _around(self) -> str:
        days = self.days
        facts = (
            len(self.rulings),
            self.general,
            min(days, default=""),
            max(days, default=""),
            _near(self.parts, self.key, self.rulings),
        )
        return f"{self.key} {digest(name for name, _ in self.names)} {facts!r}"

    @cached_property
    def shared(self) -> dict[str, Any]:
        """What is the same on each page."""
        parts, catalogue, key = self.parts, self.parts.catalogue, self.key
        topic = catalogue.vocabulary.by_key.get(key) if catalogue.vocabulary else None
        title = catalogue.topic_title(key)
        days = sorted(set(self.days))
        span = f"<span>{dates.time(days[0])} to {dates.time(days[-1])}</span>" if len(days) > 1 else ""
        rail = []
        items = parts.rule_items(_numbers(topic.rules if topic else ())[:_MOST_RULES])
        if items.html:
            rail.append({"id": "bear", "title": "Rules", "html": Markup(f'<ul class="rules">{items.html}</ul>')})
        near = _near(parts, key, self.rulings)
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
        return sum(1 for own in ids_of(self.rulings) if self.parts.catalogue.reach[own] != 1)

    def around(self, number: int) -> dict[str, Any]:
        """What stands on a page of it beside the rulings: the cards, on the first."""
        blocks = [self._cards] if number == 1 and self.names else []
        jumps = [("#cards", f"Cards {len(self.names):,}")] if blocks else []
        return self.shared | {"blocks": blocks, "jumps": jumps}

    def in_groups(self, number: int, chunk: Sequence[Ruling], rows: Sequence[Row]) -> dict[str, Any]:
        """Rulings on several cards come first in the whole list, so each group is a stretch of it."""
        reach = self.parts.catalogue.reach
        groups = []
        for ident, title, count, alone in (
            ("general", "In general", f"{self.general:,}, shared by many cards", False),
            ("one", "On single cards", f"{len(self.rulings) - self.general:,}", True),
        ):
            members = [row for r, row in zip(chunk, rows, strict=True) if (reach[r.id] == 1) == alone]
            if members:
                groups.append({"id": ident, "title": title, "count": count, "rows": join(members)})
        jumps = [(f"#{g['id']}", f"{g['title']}") for g in groups]
        return {"groups": groups, "jumps": jumps + self.around(number)["jumps"]}

    def in_brief(self, number: int, chunk: Sequence[Ruling], rows: Sequence[Row]) -> dict[str, Any]:
        """In a compact site what is shared is listed; what is on one card is said by the name of the card."""
        parts = self.parts
        shared = f"{self.general:,}, shared by many cards"
        blocks = [block("rulings", "Rulings", listing(rows, "brief"), shared)] if rows else []
        alone = [r for r in chunk if parts.catalogue.example(r) is None]
        cites = script_json(written_out(parts.catalogue, alone, parts.site.base_url)) if alone else ""
        return {"blocks": blocks + self.around(number)["blocks"], "jumps": (), "cite_list": Markup(cites)}

    def brief(self, ruling: Ruling) -> Row:
        """A ruling in one line: the text, and a link to where it stands. One that stands on no card stands here."""
        parts = self.parts
        text = prose(parts.catalogue.text(ruling))
        key = parts.catalogue.example(ruling)
        if key is None:
            rid = escape(ruling.id)
            href = DEEP + escape(parts.site.ruling_path(ruling.id))
            cite = f'<a href="{href}" data-cite-of="{rid}" aria-label="Cite {rid}">Cite</a>'
            html = f'<li id="{rid}"><p class="text">{text.html}</p><p class="side">{cite}</p></li>'
            copied = script_json(written_out(parts.catalogue, [ruling], parts.site.base_url)["rulings"])
            return Row(html, text.codes, weight(copied))
        more = parts.catalogue.reach[ruling.id] - 1
        others = f" and {more:,} more" if more else ""
        href = escape(f"{DEEP}{self._on_card(ruling)}#{ruling.id}")
        on = f'<a href="{href}">{escape(typeset(key[0]))}</a>{others}'
        return Row(f'<li><p class="text">{text.html}</p><p class="side">{on}</p></li>', text.codes)

    @cached_property
    def _cards(self) -> dict[str, Any]:
        most = _MOST_NAMES_COMPACT if self.parts.site.compact else _MOST_NAMES
        links = [(card_href(self.parts.catalogue, k) or "", typeset(k[0])) for k in self.names[:most]]
        shown = links[: fitting(name_rows(links), most=most, room=_NAMES_WEIGHT)]
        listed = name_list(shown, first=20)
        if len(self.names) > len(shown):
            href = f"{DEEP}search/index.html?q=topic:{escape(self.key)}"
            of = f"{len(shown)} of {len(self.names):,} cards."
            listed += Markup(f'<p class="gap-s">{of} <a href="{href}">Search them all</a></p>')
        return block("cards", "Cards", listed, f"{len(self.names):,}")


def _numbers(texts: Sequence[str]) -> list[RuleNumber]:
    return [number for text in texts if (number := rule_number(text))]


def _near(parts: Parts, key: str, rulings: Sequence[Ruling]) -> list[str]:
    """The topics that most often stand beside this one."""
    counts: dict[str, int] = defaultdict(int)
    for own in ids_of(rulings):
        for other in parts.catalogue.topics_of[own]:
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
    grouped = {g: sorted(grouped[g], key=lambda k: folded(catalogue.topic_title(k))) for g in order if g in grouped}
    keys = [(group, key) for group, found in grouped.items() for key in found]

    def listed(part: slice) -> dict[str, Any]:
        blocks = []
        for group in dict.fromkeys(g for g, _ in keys[part]):
            title = vocabulary.groups.get(group, "Other topics") if vocabulary else "Topics"
            html = listing([_counted(parts, k) for g, k in keys[part] if g == group], "topics")
            blocks.append(block(f"g-{group or 'other'}", title, html, len(grouped[group])))
        return {"blocks": blocks}

    return in_pages(
        parts,
        "topics",
        [_counted(parts, key) for _, key in keys],
        listed,
        title="Topics",
        heading="Topics",
        section="topics",
        description=f"{len(catalogue.topics)} topics of Magic rulings",
        sub="What rulings are about. A number says how many there are.",
    )


def _counted(parts: Parts, key: str) -> Row:
    href = f"../topic/{parts.topic_slug(key)}/index.html"
    return counted_row(href, escape(parts.catalogue.topic_title(key)), f"{len(parts.catalogue.topics[key]):,}")
