"""Lists cut into pages: index.html, page-2.html, … All work without a script, and none is larger than a page may be."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from rulings.model import Ruling
from rulings_site.listed import ids_of
from rulings_site.page import Files, Page
from rulings_site.parts import Parts
from rulings_site.room import cut, weight
from rulings_site.rows import Row, all_codes, join

PER_PAGE = 32
PER_PAGE_COMPACT = 80
"""In a compact site, whose lists have one line a ruling and no margin."""

Context = dict[str, Any]
"""What the template of lists shows."""


def paged(
    parts: Parts,
    folder: str,
    rulings: Sequence[Ruling],
    around: Callable[[int], Context],
    listed: Callable[[int, Sequence[Ruling], Sequence[Row]], Context],
    extra: Callable[[Sequence[str]], str],
    row: Callable[[Ruling], Row] | None = None,
) -> Iterator[Page]:
    """Pages of rulings in `folder`, each keyed by what it shows, and by `extra`. They are cut by number, so that a
    longer text moves nothing to another page; where the texts of one are too long, it goes on: page-2-2.html."""
    ids = ids_of(rulings)
    size = per_page(parts)
    total = -(-len(rulings) // size) or 1
    for number in range(1, total + 1):
        here = slice((number - 1) * size, number * size)
        shows, chunk = ids[here], rulings[here]

        def key(number: int = number, shows: Sequence[str] = shows) -> str:
            return parts.keys.of_rulings(folder, shows, str(len(rulings)), str(number), extra(shows))

        def render(number: int = number, chunk: Sequence[Ruling] = chunk) -> Files:
            context = around(number)
            rows = [row(r) if row else parts.rows.general(r.id) for r in chunk]
            slices = pieces(context, rows)
            out = []
            for at, part in enumerate(slices, 1):
                shown = context | listed(number, chunk[part], rows[part])
                if at > 1:
                    shown["blocks"] = [b for b in shown.get("blocks", ()) if b not in context.get("blocks", ())]
                    shown["jumps"] = ()
                shown["codes"] = set(shown.get("codes", ())) | all_codes(rows[part])
                if number > 1 or at > 1:
                    shown["title"] += f", page {label(number, at)}"
                file = file_name(number, at)
                links = pager(number, total, at, len(slices))
                out.append(
                    (f"{folder}/{file}", parts.renderer.page("listing.html", f"{folder}/{file}", pager=links, **shown))
                )
            return out

        yield Page(f"{folder}/{number}", key, render, shows)


def per_page(parts: Parts) -> int:
    """How many rulings a page lists."""
    return PER_PAGE_COMPACT if parts.site.compact else PER_PAGE


def pieces(context: Context, rows: Sequence[Row]) -> list[slice]:
    """The stretches of the rows of one page that have room in one file, beside what stands in `context`."""
    beside = weight(*(block["html"] for name in ("blocks", "rail") for block in context.get(name, ())))
    return cut(rows, beside=beside, codes=context.get("codes", ()))


def in_pages(
    parts: Parts,
    folder: str,
    rows: Sequence[Row],
    listed: Callable[[slice], Context],
    *,
    title: str,
    files: tuple[str, str] = ("index.html", "page-{}.html"),
    most: int | None = None,
    **context: Any,
) -> Files:
    """A list as so many files as it needs; `files` are the name of the first, and of the others."""
    slices = cut(rows, most=most)
    names = [files[0], *(files[1].format(n) for n in range(2, len(slices) + 1))]
    out = []
    for number, (file, part) in enumerate(zip(names, slices, strict=True), 1):
        html = parts.renderer.page(
            "listing.html",
            f"{folder}/{file}",
            title=title + (f", page {number}" if number > 1 else ""),
            codes=all_codes(rows[part]),
            pager=near(number, names),
            **context | listed(part),
        )
        out.append((f"{folder}/{file}", html))
    return out


def block(ident: str, title: str, html: str, count: object = "", *, quiet: bool = False) -> dict[str, Any]:
    """A stretch of a page with its heading, which only a screen reader says where it is `quiet`."""
    return {"id": ident, "title": title, "count": count, "quiet": quiet, "html": html}


def file_name(number: int, piece: int = 1) -> str:
    """The file of a page, and of a further piece of it."""
    return "index.html" if (number, piece) == (1, 1) else f"page-{number}{f'-{piece}' if piece > 1 else ''}.html"


def label(number: int, piece: int = 1) -> str:
    """What it is called."""
    return f"{number}.{piece}" if piece > 1 else str(number)


Links = list[tuple[str, str, bool]]


def pager(here: int, total: int, piece: int = 1, of_pieces: int = 1) -> Links:
    """Links to the first, last and neighbouring pages, and to all pieces of this one."""
    if total < 2 and of_pieces < 2:
        return []
    out: Links = []
    for number in sorted({1, total, *range(here - 2, here + 3)} & set(range(1, total + 1))):
        for at in range(1, (of_pieces if number == here else 1) + 1):
            out.append((file_name(number, at), label(number, at), (number, at) == (here, piece)))
    return out


def near(here: int, files: Sequence[str]) -> Links:
    """The same for files with names of their own."""
    return [(files[int(said) - 1], said, current) for _, said, current in pager(here, len(files))]


def one_group(rows: Sequence[Row], title: str, note: str) -> list[dict[str, object]]:
    """Rulings under one heading."""
    return [{"id": "rulings", "title": title, "count": note, "rows": join(rows)}]
