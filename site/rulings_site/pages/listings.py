"""Pages that list rulings or cards: topics, days, years, sets, A to Z. All work without a script."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from html import escape
from typing import Any

from markupsafe import Markup

from rulings.model import Ruling
from rulings.text import loose
from rulings_site import dates
from rulings_site.catalogue import CardId
from rulings_site.page import Files, Page
from rulings_site.parts import Note, Parts, def_list, name_list, tag_links
from rulings_site.prose import typeset
from rulings_site.render import DEEP, card_href, many
from rulings_site.rows import all_codes, join

PER_PAGE = 40
PER_PAGE_COMPACT = 100
NAMES_PER_PAGE = 400


def pages(parts: Parts) -> Iterator[Page]:
    """All lists."""
    yield from _topics(parts)
    yield from _days(parts)
    yield from _years(parts)
    yield from _sets(parts)
    yield from _a_to_z(parts)


def _paged(
    parts: Parts, folder: str, rulings: Sequence[Ruling], make: Callable[[int, Sequence[Ruling]], dict[str, Any]], extra: str
) -> Iterator[Page]:
    """Pages of rulings in `folder`: index.html, page-2.html, …; each keyed by what it shows."""
    size = PER_PAGE_COMPACT if parts.site.compact else PER_PAGE
    chunks = [rulings[at : at + size] for at in range(0, len(rulings), size)] or [()]
    for number, chunk in enumerate(chunks, 1):
        file = "index.html" if number == 1 else f"page-{number}.html"
        key = parts.keys.of_rulings(folder, list(chunk), str(len(rulings)), str(number), extra)

        def render(number: int = number, chunk: Sequence[Ruling] = chunk, file: str = file) -> Files:
            rows = [parts.rows.general(r.id) for r in chunk]
            context = make(number, chunk)
            context["codes"] = set(context.get("codes", ())) | all_codes(rows)
            if number > 1:
                context["title"] = f"{context['title']}, page {number}"
            html = parts.renderer.page("listing.html", f"{folder}/{file}", pager=pager(number, len(chunks)), **context)
            return [(f"{folder}/{file}", html)]

        yield Page(f"{folder}/{number}", key, render)


def pager(here: int, total: int) -> list[tuple[str, str, bool]]:
    """Links to the first, last and neighbouring pages."""
    if total < 2:
        return []
    shown = sorted({1, total, *range(here - 2, here + 3)} & set(range(1, total + 1)))
    out: list[tuple[str, str, bool]] = []
    for number in shown:
        out.append(("index.html" if number == 1 else f"page-{number}.html", str(number), number == here))
    return out


def _groups(parts: Parts, chunk: Sequence[Ruling], title: str, note: str) -> list[dict[str, object]]:
    rows = [parts.rows.general(r.id) for r in chunk]
    return [{"id": "rulings", "title": title, "count": note, "rows": join(rows)}]


# --- topics


def _topics(parts: Parts) -> Iterator[Page]:
    catalogue = parts.catalogue
    everything = repr([(key, len(group)) for key, group in catalogue.topics.items()])
    yield Page("topics", parts.keys.of("topics", everything), lambda: _topic_index(parts))
    for key, rulings in catalogue.topics.items():
        cards = {k for r in rulings for k in catalogue.cards_of(r)}
        extra = f"{key} {len(cards)} {sorted(k[0] for k in cards)!r}"

        def make(
            number: int, chunk: Sequence[Ruling], key: str = key, rulings: Sequence[Ruling] = rulings, cards: set[CardId] = cards
        ) -> dict[str, Any]:
            return _topic(parts, key, rulings, cards, number, chunk)

        yield from _paged(parts, f"topic/{parts.topic_slug(key)}", rulings, make, extra)


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
        groups.append({"id": "general", "title": "In general", "count": f"{total:,}, shared by many cards", "rows": join(rows)})
    if single:
        rows = [parts.rows.general(r.id) for r in single]
        groups.append({"id": "one", "title": "On single cards", "count": f"{len(rulings) - total:,}", "rows": join(rows)})
    names = [(card_href(catalogue, k) or "", typeset(k[0])) for k in sorted(cards, key=catalogue.rank.__getitem__)]
    blocks = []
    if number == 1 and names and not parts.site.compact:
        most = 300
        listed = name_list(names[:most], first=20)
        if len(names) > most:
            href = f"{DEEP}search/index.html?q=topic:{escape(key)}"
            listed += Markup(f'<p class="gap-s">{most} of {len(names):,} cards. <a href="{href}">Search them all</a></p>')
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
        "facts": Markup(f"<span><b>{many(len(rulings), 'ruling')}</b> on <b>{many(len(cards), 'card')}</b></span>{span}"),
        "jumps": [
            *((f"#{g['id']}", f"{g['title']}") for g in groups),
            *([("#cards", f"Cards {len(names):,}")] if blocks else []),
        ],
        "groups": groups,
        "blocks": blocks,
        "rail": rail,
        "codes": set(items.codes),
    }


def _numbers(parts: Parts, texts: Sequence[str]) -> list[Any]:
    from rulings.rules.number import rule_number

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
    order = [*(vocabulary.groups if vocabulary else ()), *sorted(g for g in grouped if not vocabulary or g not in vocabulary.groups)]
    blocks = []
    for group in order:
        keys = sorted(grouped.get(group, ()), key=lambda k: loose(catalogue.topic_title(k)))
        if keys:
            title = vocabulary.groups.get(group, "Other topics") if vocabulary else "Topics"
            blocks.append({"id": f"g-{group or 'other'}", "title": title, "count": len(keys), "quiet": False, "html": _counted(parts, keys)})
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


# --- days and years


def _days(parts: Parts) -> Iterator[Page]:
    catalogue = parts.catalogue
    for day, rulings in [*catalogue.dates.items(), ("undated", catalogue.undated)]:
        if not rulings:
            continue
        new = sum(1 for r in rulings if r.first_date == day)

        def make(
            number: int, chunk: Sequence[Ruling], day: str = day, rulings: Sequence[Ruling] = rulings, new: int = new
        ) -> dict[str, Any]:
            title = dates.long(day) if day != "undated" else "Undated rulings"
            facts = f"<span><b>{many(len(rulings), 'ruling')}</b></span>"
            if day != "undated":
                facts += f"<span>{new:,} first published that day</span>" if new != len(rulings) else ""
            year = day[:4] if day != "undated" else ""
            return {
                "title": title,
                "heading": title,
                "description": f"{many(len(rulings), 'official Magic ruling')}, {title}",
                "section": "years",
                "crumbs": [(f"{DEEP}years/index.html", "Years")] + ([(f"{DEEP}year/{year}/index.html", year)] if year else []),
                "facts": Markup(facts),
                "notes": _bulk_note(day),
                "groups": _groups(parts, chunk, "Rulings", "new ones first, then by number of cards" if number == 1 else ""),
            }

        yield from _paged(parts, f"date/{day}", rulings, make, day)


def _bulk_note(day: str) -> list[Note]:
    if not dates.is_bulk(day):
        return []
    return [Note("", "A day of bulk import.", Markup("Rulings of this date are older; nobody wrote down when they were issued."))]


def _years(parts: Parts) -> Iterator[Page]:
    catalogue = parts.catalogue
    counts = {day: (len(rulings), sum(1 for r in rulings if r.first_date == day)) for day, rulings in catalogue.dates.items()}
    yield Page("years", parts.keys.of("years", repr(counts), str(len(catalogue.undated))), lambda: _year_index(parts))
    for year, days in catalogue.years.items():
        key = parts.keys.of("year", year, repr([(day, counts[day]) for day in days]))

        def make(year: str = year, days: Sequence[str] = days) -> Files:
            rows = "".join(
                f'<li><a href="{DEEP}date/{escape(day)}/index.html">{escape(dates.long(day).removesuffix(" " + year))}</a>'
                f"<span>{many(counts[day][0], 'ruling')}, {counts[day][1]:,} new</span></li>"
                for day in days
            )
            total = sum(counts[day][1] for day in days)
            html = parts.renderer.page(
                "listing.html",
                f"year/{year}/index.html",
                title=year,
                heading=year,
                section="years",
                description=f"{many(total, 'new ruling')} in {year}",
                crumbs=[(f"{DEEP}years/index.html", "Years")],
                facts=Markup(f"<span><b>{many(total, 'new ruling')}</b> on {many(len(days), 'day')}</span>"),
                blocks=[{"id": "days", "title": "Days", "count": "", "quiet": True, "html": Markup(f'<ul class="topics wide">{rows}</ul>')}],
            )
            return [(f"year/{year}/index.html", html)]

        yield Page(f"year/{year}", key, make)


def _year_index(parts: Parts) -> Files:
    catalogue = parts.catalogue
    items = []
    for year, days in catalogue.years.items():
        new = sum(1 for day in days for r in catalogue.dates[day] if r.first_date == day)
        items.append(f'<li><a href="../year/{escape(year)}/index.html">{escape(year)}</a><span>{many(new, "new ruling")}</span></li>')
    if catalogue.undated:
        items.append(f'<li><a href="../date/undated/index.html">Undated</a><span>{many(len(catalogue.undated), "ruling")}</span></li>')
    html = parts.renderer.page(
        "listing.html",
        "years/index.html",
        title="Years",
        heading="Years",
        section="years",
        sub="Rulings by the day on which they were first published.",
        blocks=[{"id": "years", "title": "Years", "count": "", "quiet": True, "html": Markup(f'<ul class="topics wide">{"".join(items)}</ul>')}],
    )
    return [("years/index.html", html)]


# --- sets


def _sets(parts: Parts) -> Iterator[Page]:
    catalogue = parts.catalogue
    if not catalogue.sets:
        return
    counts = {code: (len(keys), sum(1 for k in keys if catalogue.on_card(k))) for code, keys in catalogue.sets.items()}
    yield Page("sets", parts.keys.of("sets", repr(counts)), lambda: _set_index(parts))
    for code, keys in catalogue.sets.items():
        shown = [(k, len(catalogue.on_card(k))) for k in keys if catalogue.on_card(k) or not parts.site.compact]
        key = parts.keys.of("set", code, repr(shown))

        def make(code: str = code, shown: Sequence[tuple[CardId, int]] = tuple(shown)) -> Files:
            address = f"set/{parts.set_slug(code)}/index.html"
            ruled = [(k, n) for k, n in shown if n]
            bare = [k for k, n in shown if not n]
            blocks = []
            if ruled:
                items = "".join(
                    f'<li><a href="{card_href(catalogue, k)}">{escape(typeset(k[0]))}</a><span>{n}</span></li>' for k, n in ruled
                )
                blocks.append({"id": "ruled", "title": "Cards with rulings", "count": len(ruled), "quiet": False, "html": Markup(f'<ul class="topics">{items}</ul>')})
            if bare:
                listed = name_list([(card_href(catalogue, k) or "", typeset(k[0])) for k in bare])
                blocks.append({"id": "bare", "title": "Cards without rulings", "count": len(bare), "quiet": False, "html": listed})
            html = parts.renderer.page(
                "listing.html",
                address,
                title=f"Set {code}",
                heading=code,
                section="sets",
                description=f"Cards printed in {code} and the number of their rulings",
                crumbs=[(f"{DEEP}sets/index.html", "Sets")],
                facts=Markup(f"<span><b>{many(len(shown), 'card')}</b></span><span>{len(ruled):,} with rulings</span>"),
                blocks=blocks,
            )
            return [(address, html)]

        yield Page(f"set/{code}", key, make)


def _set_index(parts: Parts) -> Files:
    items = "".join(
        f'<li><a href="../set/{parts.set_slug(code)}/index.html">{escape(code)}</a><span>{len(keys):,}</span></li>'
        for code, keys in parts.catalogue.sets.items()
    )
    html = parts.renderer.page(
        "listing.html",
        "sets/index.html",
        title="Sets",
        heading="Sets",
        section="sets",
        sub="By set code. A number says how many different cards are in this base.",
        blocks=[{"id": "sets", "title": "Sets", "count": "", "quiet": True, "html": Markup(f'<ul class="topics codes">{items}</ul>')}],
    )
    return [("sets/index.html", html)]


# --- A to Z


def _a_to_z(parts: Parts) -> Iterator[Page]:
    """Cards with rulings by first letter, in pages; a page of the letters."""
    catalogue = parts.catalogue
    letters: dict[str, list[CardId]] = defaultdict(list)
    for key in catalogue.order:
        if catalogue.on_card(key):
            letters[_letter(key[0])].append(key)
    counts = {letter: len(keys) for letter, keys in sorted(letters.items())}
    yield Page("cards", parts.keys.of("cards", repr(counts)), lambda: _letter_index(parts, counts))
    for letter, keys in letters.items():
        chunks = [keys[at : at + NAMES_PER_PAGE] for at in range(0, len(keys), NAMES_PER_PAGE)]
        for number, chunk in enumerate(chunks, 1):
            shown = [(k, len(catalogue.on_card(k))) for k in chunk]
            key = parts.keys.of("letter", letter, str(number), str(len(chunks)), repr(shown), repr(counts))

            def make(
                letter: str = letter, number: int = number, shown: Sequence[tuple[CardId, int]] = tuple(shown), total: int = len(chunks)
            ) -> Files:
                file = "index.html" if number == 1 else f"page-{number}.html"
                items = "".join(
                    f'<li><a href="{card_href(catalogue, k)}">{escape(typeset(k[0]))}</a><span>{n}</span></li>' for k, n in shown
                )
                span = f"{typeset(shown[0][0][0])} to {typeset(shown[-1][0][0])}" if total > 1 else ""
                name = _named(letter)
                html = parts.renderer.page(
                    "listing.html",
                    f"cards/{letter}/{file}",
                    title=f"Cards, {name}" + (f", page {number}" if number > 1 else ""),
                    heading=f"Cards: {name}",
                    section="cards",
                    crumbs=[("../index.html", "Cards A to Z")],
                    sub=span,
                    blocks=[{"id": "cards", "title": "Cards", "count": "", "quiet": True, "html": Markup(f'<ul class="topics">{items}</ul>')}],
                    pager=pager(number, total),
                )
                return [(f"cards/{letter}/{file}", html)]

            yield Page(f"cards/{letter}/{number}", key, make)


def _letter(name: str) -> str:
    first = next((c for c in loose(name) if c.isascii() and c.isalnum()), "")
    return first if first.isalpha() else "0"


def _named(letter: str) -> str:
    return "numbers and signs" if letter == "0" else letter.upper()


def _letter_index(parts: Parts, counts: dict[str, int]) -> Files:
    items = "".join(
        f'<li><a href="{letter}/index.html">{_named(letter) if letter != "0" else "Numbers and signs"}</a><span>{count:,}</span></li>'
        for letter, count in counts.items()
    )
    body = def_list([("Cards", Markup(f"{sum(counts.values()):,} with rulings"))]) if not counts else Markup("")
    html = parts.renderer.page(
        "listing.html",
        "cards/index.html",
        title="Cards A to Z",
        heading="Cards A to Z",
        section="cards",
        sub=f"{many(sum(counts.values()), 'card')} with rulings. Cards without any are in the search.",
        blocks=[{"id": "letters", "title": "Letters", "count": "", "quiet": True, "html": Markup(f'<ul class="topics codes">{items}</ul>{body}')}],
    )
    return [("cards/index.html", html)]
