"""Cards by name and by set: `/cards/<letter>/` and `/set/<code>/`, for who browses without a script."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

from markupsafe import Markup

from rulings_site.catalogue import CardId
from rulings_site.page import Files, Page
from rulings_site.pages.paged import block, in_pages
from rulings_site.parts import Parts, counted_row, listing, name_rows
from rulings_site.prose import typeset
from rulings_site.render import DEEP, card_href, many
from rulings_site.rows import Row
from rulings_site.slugs import folded

NAMES_PER_PAGE = 400


def pages(parts: Parts) -> Iterator[Page]:
    """Sets, then A to Z."""
    yield from _sets(parts)
    yield from _a_to_z(parts)


def _sets(parts: Parts) -> Iterator[Page]:
    catalogue = parts.catalogue
    if not parts.site.with_sets:
        return
    counts = [(code, len(keys)) for code, keys in catalogue.sets.items()]
    yield Page("sets", parts.keys.of("sets", repr(counts)), lambda: _set_index(parts))
    for code in catalogue.sets:
        yield Page(
            f"set/{code}",
            lambda c=code: parts.keys.of("set", c, repr(_tallied(parts, c))),  # type: ignore[misc]
            lambda c=code: _set(parts, c, _tallied(parts, c)),  # type: ignore[misc]
        )


def _tallied(parts: Parts, code: str) -> list[tuple[CardId, int]]:
    """The cards of a set and how many rulings each has; those with rulings first."""
    catalogue = parts.catalogue
    return sorted(((key, len(catalogue.ids_on(key))) for key in catalogue.sets[code]), key=lambda entry: not entry[1])


def _set(parts: Parts, code: str, shown: Sequence[tuple[CardId, int]]) -> Files:
    """The pages of a set: cards with rulings first."""
    ruled = sum(1 for _, n in shown if n)
    bare = name_rows((card_href(parts.catalogue, k) or "", typeset(k[0])) for k, n in shown if not n)
    rows = [*(_card_row(parts, k, n) for k, n in shown if n), *bare]

    def listed(part: slice) -> dict[str, Any]:
        blocks = []
        if some := rows[part.start : min(part.stop, ruled)]:
            blocks.append(block("ruled", "Cards with rulings", listing(some, "topics"), f"{ruled:,}"))
        if some := rows[max(part.start, ruled) : part.stop]:
            blocks.append(block("bare", "Cards without rulings", listing(some, "names"), f"{len(bare):,}"))
        return {"blocks": blocks}

    return in_pages(
        parts,
        f"set/{parts.set_slug(code)}",
        rows,
        listed,
        title=f"Set {code}",
        most=NAMES_PER_PAGE,
        heading=code,
        section="sets",
        description=f"Cards printed in {code} and the number of their rulings",
        crumbs=[(f"{DEEP}sets/index.html", "Sets")],
        facts=Markup(f"<span><b>{many(len(shown), 'card')}</b></span><span>{ruled:,} with rulings</span>"),
    )


def _card_row(parts: Parts, key: CardId, count: int) -> Row:
    return counted_row(card_href(parts.catalogue, key) or "", escape(typeset(key[0])), str(count))


def _set_index(parts: Parts) -> Files:
    rows = [
        counted_row(f"../set/{parts.set_slug(code)}/index.html", escape(code), f"{len(keys):,}")
        for code, keys in parts.catalogue.sets.items()
    ]
    return in_pages(
        parts,
        "sets",
        rows,
        lambda part: {"blocks": [block("sets", "Sets", listing(rows[part], "topics codes"), quiet=True)]},
        title="Sets",
        heading="Sets",
        section="sets",
        sub="By set code. A number says how many different cards are in this base.",
    )


def _a_to_z(parts: Parts) -> Iterator[Page]:
    """Cards with rulings by first letter, in pages; a page of the letters."""
    catalogue = parts.catalogue
    letters: dict[str, list[CardId]] = defaultdict(list)
    for key in catalogue.order:
        if catalogue.ids_on(key):
            letters[_letter(key[0])].append(key)
    counts = {letter: len(keys) for letter, keys in sorted(letters.items())}
    yield Page("cards", parts.keys.of("cards", repr(counts)), lambda: _letter_index(parts, counts))
    for letter, keys in letters.items():
        shown = [(k, len(catalogue.ids_on(k))) for k in keys]
        made_from = parts.keys.of("letter", letter, repr(shown), repr(counts))
        yield Page(f"cards/{letter}", made_from, lambda a=letter, s=shown: _of_letter(parts, a, s))  # type: ignore[misc]


def _of_letter(parts: Parts, letter: str, shown: Sequence[tuple[CardId, int]]) -> Files:
    rows = [_card_row(parts, key, count) for key, count in shown]
    name = _named(letter)

    def listed(part: slice) -> dict[str, Any]:
        here = shown[part]
        span = f"{typeset(here[0][0][0])} to {typeset(here[-1][0][0])}" if len(here) < len(shown) else ""
        return {"sub": span, "blocks": [block("cards", "Cards", listing(rows[part], "topics"), quiet=True)]}

    return in_pages(
        parts,
        f"cards/{letter}",
        rows,
        listed,
        title=f"Cards, {name}",
        most=NAMES_PER_PAGE,
        heading=f"Cards: {name}",
        section="cards",
        crumbs=[("../index.html", "Cards A to Z")],
    )


def _letter(name: str) -> str:
    first = next((c for c in folded(name) if c.isascii() and c.isalnum()), "")
    return first if first.isalpha() else "0"


def _named(letter: str) -> str:
    return "numbers and signs" if letter == "0" else letter.upper()


def _letter_index(parts: Parts, counts: dict[str, int]) -> Files:
    items = "".join(
        f'<li><a href="{letter}/index.html">{_named(letter).capitalize()}</a><span>{count:,}</span></li>'
        for letter, count in counts.items()
    )
    html = parts.renderer.page(
        "listing.html",
        "cards/index.html",
        title="Cards A to Z",
        heading="Cards A to Z",
        section="cards",
        sub=f"{many(sum(counts.values()), 'card')} with rulings. Cards without any are in the search.",
        blocks=[
            {
                "id": "letters",
                "title": "Letters",
                "count": "",
                "quiet": True,
                "html": Markup(f'<ul class="topics codes">{items}</ul>'),
            }
        ],
    )
    return [("cards/index.html", html)]
