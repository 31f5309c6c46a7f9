"""Changes, their Atom feed, and the home page, which shows the newest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from markupsafe import Markup

from rulings.text import plain
from rulings_site import dates
from rulings_site.changes import NEW, REMOVED, REWORDED, Change, Day, cards_touched, days
from rulings_site.page import Files, Page
from rulings_site.parts import Parts
from rulings_site.prose import typeset
from rulings_site.render import clip, encoded, many
from rulings_site.room import ROOM, fitting
from rulings_site.rows import Row, join

_DAYS = 40
_REWORDED, _REMOVED = 3, 5
_FEED = 100


def pages(parts: Parts) -> Iterator[Page]:
    """Home, changes and feed."""
    keys, catalogue = parts.keys, parts.catalogue
    found = catalogue.changes
    grouped = days(found)
    listed = tuple(
        i
        for day in grouped[:_DAYS]
        for i in (*day.reworded[:_REWORDED], *(c.id for c in day.removed[:_REMOVED] if c.id in catalogue.rulings))
    )
    fed = tuple(dict.fromkeys(c.id for c in found[:_FEED] if c.id in catalogue.rulings))
    news = repr(grouped[:_DAYS])

    def home_key() -> str:
        numbers = [repr(_counts(parts)), *(f"{k} {len(v)}" for k, v in catalogue.topics.items()), *_examples(parts)[0]]
        return keys.of_rulings("home", listed, news, *numbers, *_names(parts, grouped[:6]))

    yield Page(
        "changes",
        lambda: keys.of_rulings("changes", listed, news, *_names(parts, grouped[:_DAYS])),
        lambda: _changes(parts, grouped),
        listed,
    )
    yield Page(
        "feed",
        lambda: keys.of_rulings("feed", fed, repr(found[:_FEED]), catalogue.knowledge.name),
        lambda: feed(parts, found),
        fed,
    )
    yield Page("home", home_key, lambda: _home(parts, grouped), listed)


def _names(parts: Parts, grouped: Sequence[Day]) -> list[str]:
    return [name for day in grouped for name in cards_touched(parts.catalogue, day.new)]


@dataclass(frozen=True, slots=True)
class Item:
    """One line of news."""

    time: Markup
    html: Markup


def items(parts: Parts, day: Day, root: str) -> list[Markup]:
    """What happened on a day, one sentence for each kind."""
    catalogue = parts.catalogue
    out = []
    link = f"{root}date/{escape(day.date)}/index.html"
    if day.new:
        names = cards_touched(catalogue, day.new)
        on = f" on {many(len(names), 'card')}" if names else ""
        tail = _span(names)
        what = f"{many(len(day.new), 'ruling')}{on}"
        out.append(Markup(f'<a href="{link}">{what}</a>{tail}' if day.date in catalogue.dates else what + tail))
    for ruling_id in day.reworded[:_REWORDED]:
        text = _beginning(parts, ruling_id)
        reach = catalogue.reach.get(ruling_id, 0)
        href = root + escape(parts.site.ruling_path(ruling_id, "#wordings"))
        out.append(Markup(f'Reworded: <a href="{href}">{text}</a>, on {many(reach, "card")}'))
    if len(day.reworded) > _REWORDED:
        out.append(Markup(f"{len(day.reworded) - _REWORDED:,} more reworded"))
    for change in day.removed[:_REMOVED]:
        reason = f" ({escape(typeset(clip(change.reason, 200)))})" if change.reason else ""
        href = root + escape(parts.site.ruling_path(change.id))
        known = change.id in catalogue.rulings
        text = _beginning(parts, change.id) if known else escape(change.id)
        out.append(Markup(f'Removed: <a href="{href}">{text}</a>{reason}'))
    if len(day.removed) > _REMOVED:
        out.append(Markup(f"{len(day.removed) - _REMOVED:,} more removed"))
    return out


def _beginning(parts: Parts, ruling_id: str) -> str:
    """The first words of a ruling."""
    catalogue = parts.catalogue
    return escape(typeset(clip(plain(catalogue.text(catalogue.rulings[ruling_id])), 90)))


def _span(names: Sequence[str]) -> str:
    if len(names) > 3:
        return f", from {escape(typeset(names[0]))} to {escape(typeset(names[-1]))}"
    return f": {escape(typeset('; '.join(names)))}" if names else ""


def _changes(parts: Parts, grouped: Sequence[Day]) -> Files:
    found = []
    for day in grouped[:_DAYS]:
        lines = [
            f'<li><span class="when">{dates.time(day.date) if at == 0 else ""}</span><p>{html}</p></li>'
            for at, html in enumerate(items(parts, day, "../"))
        ]
        found.append(Row("".join(lines), ()))
    rows = found[: fitting(found, most=_DAYS, room=ROOM)]
    more = (
        '<p class="gap"><a href="../years/index.html">Older ones, by year</a></p>' if len(grouped) > len(rows) else ""
    )
    feed_link = '<p class="gap-s"><a href="feed.atom">Follow this as a feed</a></p>'
    page = parts.renderer.page(
        "plain.html",
        "changes/index.html",
        title="Changes",
        heading="Changes",
        section="changes",
        sub="New rulings, new wordings and rulings that left, newest first.",
        body=Markup(f'<div><ul class="news">{join(rows)}</ul>{feed_link}{more}</div>'),
    )
    return [("changes/index.html", page)]


_KINDS = {NEW: "New", REWORDED: "Reworded", REMOVED: "Removed"}


def feed(parts: Parts, found: Sequence[Change]) -> Files:
    """The Atom feed: one entry for each change, its kind as category."""
    catalogue, base = parts.catalogue, parts.site.base_url
    updated = max([c.date for c in found[:1]] + ([parts.site.as_of] if parts.site.as_of else []), default="1970-01-01")
    entries = []
    for change in found[:_FEED]:
        ruling = catalogue.rulings.get(change.id)
        text = plain(catalogue.text(ruling)) if ruling else change.reason
        names = [name for name, _ in catalogue.cards_of(ruling)] if ruling else []
        where = names[0] if len(names) == 1 else many(len(names), "card") if names else change.id
        link = (base or "../") + parts.site.ruling_path(change.id).replace("index.html", "" if base else "index.html")
        entries.append(
            "<entry>"
            f"<id>urn:mtg-rulings:{escape(change.id)}:{change.kind}:{escape(change.date)}</id>"
            f"<title>{_KINDS[change.kind]}: {escape(where)}</title>"
            f'<category term="{change.kind}"/>'
            f'<link href="{escape(link)}"/>'
            f"<updated>{escape(_instant(change.date))}</updated>"
            f'<content type="text">{escape(text)}</content>'
            "</entry>\n"
        )
    xml = (
        '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">\n'
        f"<id>urn:mtg-rulings:{escape(base or catalogue.knowledge.name)}</id><title>Changes to Magic rulings</title>"
        f"<author><name>Rulings</name></author>"
        f'<link rel="self" href="{escape(base)}changes/feed.atom"/><link href="{escape(base or "../")}"/>'
        f"<updated>{escape(_instant(updated))}</updated>\n{''.join(entries)}</feed>\n"
    )
    return [("changes/feed.atom", encoded(xml))]


def _instant(date: str) -> str:
    return f"{date}T00:00:00Z" if len(date) == 10 else f"{date[:4]}-01-01T00:00:00Z"


# --- home


def _counts(parts: Parts) -> dict[str, str]:
    catalogue = parts.catalogue
    return {
        "rulings": f"{len(catalogue.live):,}",
        "occurrences": many(catalogue.occurrences, "paragraph"),
        "cards": f"{len(catalogue.cards):,}",
        "with": f"{len(catalogue.placed):,}",
    }


def _examples(parts: Parts) -> list[tuple[str, str]]:
    """Three queries that find something in this base: a card, a phrase, a topic."""
    catalogue = parts.catalogue
    out = []
    if catalogue.placed:
        key = max(catalogue.placed, key=lambda k: ((n := len(catalogue.ids_on(k))) <= 20, n, k))
        out.append((key[0].lower(), "a card"))
    out.append(('"can\'t pay"', "these words, in this order"))
    if catalogue.topics:
        topic = max(catalogue.topics, key=lambda t: (t.isalpha(), len(catalogue.topics[t]), t))
        out.append((f"topic:{topic} -token", "a topic, without one word"))
    return out[:3]


def _home(parts: Parts, grouped: Sequence[Day]) -> Files:
    catalogue = parts.catalogue
    news: list[Item] = []
    for day in grouped[:6]:
        for html in items(parts, day, "")[:2]:
            if len(news) < 5:
                news.append(Item(dates.time(day.date), html))
    best = sorted(catalogue.topics, key=lambda k: (-len(catalogue.topics[k]), k))[:16]
    topics = [
        (f"topic/{parts.topic_slug(k)}/index.html", catalogue.topic_title(k), f"{len(catalogue.topics[k]):,}")
        for k in best
    ]
    page = parts.renderer.page(
        "home.html",
        "index.html",
        title="",
        heading="Every official Magic ruling, once, with all its cards",
        description="Search official Magic: The Gathering rulings by card, words, rule or id, and cite them for ever.",
        home=True,
        examples=_examples(parts),
        news=news,
        topics=topics,
        topic_count=f"{len(catalogue.topics):,}",
        counts=_counts(parts),
    )
    return [("index.html", page)]
