"""Cards by name and by set: `/cards/<letter>/` and `/set/<code>/`, for who browses without a script."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from html import escape

from markupsafe import Markup

from rulings_site.catalogue import CardId
from rulings_site.page import Files, Page
from rulings_site.pages.paged import pager
from rulings_site.parts import Parts, name_list
from rulings_site.prose import typeset
from rulings_site.render import DEEP, card_href, many
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
    catalogue = parts.catalogue
    folder = f"set/{parts.set_slug(code)}"
    ruled = sum(1 for _, n in shown if n)
    chunks = [shown[at : at + NAMES_PER_PAGE] for at in range(0, len(shown), NAMES_PER_PAGE)]
    out = []
    for number, chunk in enumerate(chunks, 1):
        blocks = []
        with_rulings = [(k, n) for k, n in chunk if n]
        if with_rulings:
            items = "".join(
                f'<li><a href="{card_href(catalogue, k)}">{escape(typeset(k[0]))}</a><span>{n}</span></li>'
                for k, n in with_rulings
            )
            html = Markup(f'<ul class="topics">{items}</ul>')
            blocks.append(
                {"id": "ruled", "title": "Cards with rulings", "count": f"{ruled:,}", "quiet": False, "html": html}
            )
        bare = [(card_href(catalogue, k) or "", typeset(k[0])) for k, n in chunk if not n]
        if bare:
            count = f"{len(shown) - ruled:,}"
            blocks.append(
                {
                    "id": "bare",
                    "title": "Cards without rulings",
                    "count": count,
                    "quiet": False,
                    "html": name_list(bare),
                }
            )
        file = "index.html" if number == 1 else f"page-{number}.html"
        page = parts.renderer.page(
            "listing.html",
            f"{folder}/{file}",
            title=f"Set {code}" + (f", page {number}" if number > 1 else ""),
            heading=code,
            section="sets",
            description=f"Cards printed in {code} and the number of their rulings",
            crumbs=[(f"{DEEP}sets/index.html", "Sets")],
            facts=Markup(f"<span><b>{many(len(shown), 'card')}</b></span><span>{ruled:,} with rulings</span>"),
            blocks=blocks,
            pager=pager(number, len(chunks)),
        )
        out.append((f"{folder}/{file}", page))
    return out


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
        blocks=[
            {
                "id": "sets",
                "title": "Sets",
                "count": "",
                "quiet": True,
                "html": Markup(f'<ul class="topics codes">{items}</ul>'),
            }
        ],
    )
    return [("sets/index.html", html)]


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
        chunks = [keys[at : at + NAMES_PER_PAGE] for at in range(0, len(keys), NAMES_PER_PAGE)]
        for number, chunk in enumerate(chunks, 1):
            shown = [(k, len(catalogue.ids_on(k))) for k in chunk]
            page_key = parts.keys.of("letter", letter, str(number), str(len(chunks)), repr(shown), repr(counts))

            def make(
                letter: str = letter,
                number: int = number,
                shown: Sequence[tuple[CardId, int]] = tuple(shown),
                total: int = len(chunks),
            ) -> Files:
                file = "index.html" if number == 1 else f"page-{number}.html"
                items = "".join(
                    f'<li><a href="{card_href(catalogue, k)}">{escape(typeset(k[0]))}</a><span>{n}</span></li>'
                    for k, n in shown
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
                    blocks=[
                        {
                            "id": "cards",
                            "title": "Cards",
                            "count": "",
                            "quiet": True,
                            "html": Markup(f'<ul class="topics">{items}</ul>'),
                        }
                    ],
                    pager=pager(number, total),
                )
                return [(f"cards/{letter}/{file}", html)]

            yield Page(f"cards/{letter}/{number}", page_key, make)


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
