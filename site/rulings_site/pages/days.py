"""Rulings by the day they were published: `/date/<day>/`, `/year/<year>/` and the list of years."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from html import escape
from typing import Any

from markupsafe import Markup

from rulings.model import Ruling
from rulings_site import dates
from rulings_site.catalogue import CardId, Catalogue
from rulings_site.page import Files, Page
from rulings_site.pages.paged import one_group, paged, pager
from rulings_site.parts import Note, Parts, name_list
from rulings_site.prose import typeset
from rulings_site.render import DEEP, card_href, many

_NAMES = 500


def pages(parts: Parts) -> Iterator[Page]:
    """Days and years."""
    yield from _days(parts)
    yield from _years(parts)


def _days(parts: Parts) -> Iterator[Page]:
    catalogue = parts.catalogue
    fresh = cache(partial(_fresh, catalogue))
    for day, rulings in [*catalogue.dates.items(), ("undated", catalogue.undated)]:
        if not rulings:
            continue

        def make(
            number: int, chunk: Sequence[Ruling], day: str = day, rulings: Sequence[Ruling] = rulings
        ) -> dict[str, Any]:
            new = fresh(day)
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
                "crumbs": [(f"{DEEP}years/index.html", "Years")]
                + ([(f"{DEEP}year/{year}/index.html", year)] if year else []),
                "facts": Markup(facts),
                "notes": _bulk_note(day),
            } | (
                {
                    "groups": one_group(
                        parts, chunk, "Rulings", "new ones first, then by number of cards" if number == 1 else ""
                    )
                }
                if not parts.site.compact
                else {}
            )

        if parts.site.compact:
            yield _names_of_day(parts, day, rulings, make)
            continue
        yield from paged(parts, f"date/{day}", rulings, make, lambda day=day: f"{day} {fresh(day)}")  # type: ignore[misc]


def _names_of_day(
    parts: Parts, day: str, rulings: Sequence[Ruling], around: Callable[[int, Sequence[Ruling]], dict[str, Any]]
) -> Page:
    """In a compact site, which has room for few pages, a day lists the cards on whose pages its rulings stand."""
    catalogue = parts.catalogue
    found = {key for ruling in rulings for key in catalogue.cards_of(ruling) if _stands(catalogue, key, ruling, day)}
    cards = sorted(found, key=catalogue.rank.__getitem__)
    chunks = [cards[at : at + _NAMES] for at in range(0, len(cards), _NAMES)] or [[]]

    def make() -> Files:
        out = []
        for number, chunk in enumerate(chunks, 1):
            file = "index.html" if number == 1 else f"page-{number}.html"
            context = around(number, ())
            context["title"] += f", page {number}" if number > 1 else ""
            html = name_list([(card_href(catalogue, key) or "", typeset(key[0])) for key in chunk])
            block = {"id": "cards", "title": "Cards", "count": f"{len(cards):,}", "quiet": False, "html": html}
            page = parts.renderer.page(
                "listing.html", f"date/{day}/{file}", blocks=[block], pager=pager(number, len(chunks)), **context
            )
            out.append((f"date/{day}/{file}", page))
        return out

    key = parts.keys.of("day", day, str(len(rulings)), str(_fresh(catalogue, day)), repr(cards))
    return Page(f"date/{day}", key, make)


def _stands(catalogue: Catalogue, key: CardId, ruling: Ruling, day: str) -> bool:
    """Whether the ruling stands on that card with that date."""
    return any((o.date or "undated") == day and key in catalogue.card_ids(o) for o in ruling.occurrences)


def _fresh(catalogue: Catalogue, day: str) -> int:
    """How many rulings were first published that day."""
    return sum(1 for r in catalogue.dates.get(day, ()) if r.first_date == day)


def _bulk_note(day: str) -> list[Note]:
    if not dates.is_bulk(day):
        return []
    return [
        Note(
            "",
            "A day of bulk import.",
            Markup("Rulings of this date are older; nobody wrote down when they were issued."),
        )
    ]


def _years(parts: Parts) -> Iterator[Page]:
    catalogue = parts.catalogue

    @cache
    def counts(day: str) -> tuple[int, int]:
        return len(catalogue.dates[day]), _fresh(catalogue, day)

    def index_key() -> str:
        return parts.keys.of("years", repr([(d, counts(d)) for d in catalogue.dates]), str(len(catalogue.undated)))

    yield Page("years", index_key, lambda: _year_index(parts))
    for year, days in catalogue.years.items():

        def key(year: str = year, days: Sequence[str] = days) -> str:
            return parts.keys.of("year", year, repr([(day, counts(day)) for day in days]))

        def make(year: str = year, days: Sequence[str] = days) -> Files:
            rows = "".join(
                f'<li><a href="{DEEP}date/{escape(day)}/index.html">'
                f"{escape(dates.long(day).removesuffix(' ' + year))}</a>"
                f"<span>{many(counts(day)[0], 'ruling')}, {counts(day)[1]:,} new</span></li>"
                for day in days
            )
            total = sum(counts(day)[1] for day in days)
            html = parts.renderer.page(
                "listing.html",
                f"year/{year}/index.html",
                title=year,
                heading=year,
                section="years",
                description=f"{many(total, 'new ruling')} in {year}",
                crumbs=[(f"{DEEP}years/index.html", "Years")],
                facts=Markup(f"<span><b>{many(total, 'new ruling')}</b> on {many(len(days), 'day')}</span>"),
                blocks=[
                    {
                        "id": "days",
                        "title": "Days",
                        "count": "",
                        "quiet": True,
                        "html": Markup(f'<ul class="topics wide">{rows}</ul>'),
                    }
                ],
            )
            return [(f"year/{year}/index.html", html)]

        yield Page(f"year/{year}", key, make)


def _year_index(parts: Parts) -> Files:
    catalogue = parts.catalogue
    items = []
    for year, days in catalogue.years.items():
        new = sum(1 for day in days for r in catalogue.dates[day] if r.first_date == day)
        items.append(
            f'<li><a href="../year/{escape(year)}/index.html">{escape(year)}</a>'
            f"<span>{many(new, 'new ruling')}</span></li>"
        )
    if catalogue.undated:
        items.append(
            '<li><a href="../date/undated/index.html">Undated</a>'
            f"<span>{many(len(catalogue.undated), 'ruling')}</span></li>"
        )
    html = parts.renderer.page(
        "listing.html",
        "years/index.html",
        title="Years",
        heading="Years",
        section="years",
        sub="Rulings by the day on which they were first published.",
        blocks=[
            {
                "id": "years",
                "title": "Years",
                "count": "",
                "quiet": True,
                "html": Markup(f'<ul class="topics wide">{"".join(items)}</ul>'),
            }
        ],
    )
    return [("years/index.html", html)]
