"""Lists of rulings cut into pages: index.html, page-2.html, … All work without a script."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from rulings.model import Ruling
from rulings_site.listed import ids_of
from rulings_site.page import Files, Page
from rulings_site.parts import Parts
from rulings_site.prose import prose
from rulings_site.rows import all_codes, join

PER_PAGE = 32
PER_PAGE_COMPACT = 80
"""In a compact site, whose lists have one line a ruling and no margin."""


def paged(
    parts: Parts,
    folder: str,
    rulings: Sequence[Ruling],
    make: Callable[[int, Sequence[Ruling]], dict[str, Any]],
    extra: Callable[[], str],
) -> Iterator[Page]:
    """Pages of rulings in `folder`: index.html, page-2.html, …; each keyed by what it shows, and by `extra`."""
    ids = ids_of(rulings)
    size = PER_PAGE_COMPACT if parts.site.compact else PER_PAGE
    chunks = [rulings[at : at + size] for at in range(0, len(rulings), size)] or [()]
    for number, chunk in enumerate(chunks, 1):
        file = "index.html" if number == 1 else f"page-{number}.html"
        shows = ids[(number - 1) * size : number * size]

        def key(number: int = number, shows: Sequence[str] = shows) -> str:
            return parts.keys.of_rulings(folder, shows, str(len(rulings)), str(number), extra())

        def render(number: int = number, chunk: Sequence[Ruling] = chunk, file: str = file) -> Files:
            context = make(number, chunk)
            rows = [parts.rows.general(r.id) for r in chunk] if context.get("groups") else []
            shown = () if rows else [prose(parts.catalogue.text(r)) for r in chunk]
            context["codes"] = set(context.get("codes", ())) | all_codes(rows, *shown)
            if number > 1:
                context["title"] = f"{context['title']}, page {number}"
            html = parts.renderer.page("listing.html", f"{folder}/{file}", pager=pager(number, len(chunks)), **context)
            return [(f"{folder}/{file}", html)]

        yield Page(f"{folder}/{number}", key, render, shows)


def pager(here: int, total: int) -> list[tuple[str, str, bool]]:
    """Links to the first, last and neighbouring pages."""
    if total < 2:
        return []
    shown = sorted({1, total, *range(here - 2, here + 3)} & set(range(1, total + 1)))
    out: list[tuple[str, str, bool]] = []
    for number in shown:
        out.append(("index.html" if number == 1 else f"page-{number}.html", str(number), number == here))
    return out


def one_group(parts: Parts, chunk: Sequence[Ruling], title: str, note: str) -> list[dict[str, object]]:
    rows = [parts.rows.general(r.id) for r in chunk]
    return [{"id": "rulings", "title": title, "count": note, "rows": join(rows)}]
