"""Rulings by the day they were published: `/date/<day>/`, `/year/<year>/` and the list of years."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, partial
from html import escape
from typing import Any

from markupsafe import Markup

from rulings.model import Ruling
from rulings_site import dates
from rulings_site.catalogue import CardId, Catalogue
from rulings_site.listed import ids_of
from rulings_site.page import Files, Page
from rulings_site.pages.paged import block, in_pages, one_group, paged
from rulings_site.parts import Note, Parts, listing, name_rows
from rulings_site.prose import typeset
from rulings_site.render import DEEP, card_href, many
from rulings_site.rows import Row

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

        def around(_number: int, day: str = day, rulings: Sequence[Ruling] = rulings) -> dict[str, Any]:
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
            }

        if parts.site.compact:
            yield _names_of_day(parts, day, rulings, around(1))
        else:
            yield from paged(
                parts,
                f"date/{day}",
                rulings,
                around,
                _listed,
                lambda _, day=day: f"{day} {fresh(day)}",  # type: ignore[misc]
            )


def _listed(number: int, _: Sequence[Ruling], rows: Sequence[Row]) -> dict[str, Any]:
    note = "new ones first, then by number of cards" if number == 1 else ""
    return {"groups": one_group(rows, "Rulings", note)}


def _names_of_day(parts: Parts, day: str, rulings: Sequence[Ruling], around: dict[str, Any]) -> Page:
    """In a compact site, which has room for few pages, a day lists the cards on whose pages its rulings stand."""
    catalogue = parts.catalogue
    found = {key for ruling in rulings for key in _stand(catalogue, ruling, day) & set(catalogue.cards_of(ruling))}
    cards = sorted(found, key=catalogue.rank.__getitem__)

    def make() -> Files:
        rows = name_rows((card_href(catalogue, key) or "", typeset(key[0])) for key in cards)

        def listed(part: slice) -> dict[str, Any]:
            return {"blocks": [block("cards", "Cards", listing(rows[part], "names"), f"{len(cards):,}")]}

        return in_pages(parts, f"date/{day}", rows, listed, most=_NAMES, **around)

    key = parts.keys.of("day", day, str(len(rulings)), str(_fresh(catalogue, day)), repr(cards))
    return Page(f"date/{day}", key, make)


def _stand(catalogue: Catalogue, ruling: Ruling, day: str) -> set[CardId]:
    """The cards on which the ruling stands with that date."""
    return {key for o in ruling.occurrences if (o.date or "undated") == day for key in catalogue.card_ids(o)}


def _fresh(catalogue: Catalogue, day: str) -> int:
    """How many rulings were first published that day."""
    return sum(1 for i in ids_of(catalogue.dates.get(day, ())) if catalogue.firsts[i] == day)


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
        new = sum(_fresh(catalogue, day) for day in days)
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
