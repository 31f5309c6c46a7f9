"""What is here, what is not, as of when: `/coverage/`; and wordings that wait for a person, `/coverage/doubt/`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from html import escape

from markupsafe import Markup

from rulings.model import Review
from rulings.text import plain
from rulings_site import dates
from rulings_site.page import Files, Page
from rulings_site.pages.paged import block, file_name, label, pager
from rulings_site.parts import Parts, def_list, listing
from rulings_site.prose import diff_prose, typeset
from rulings_site.render import DEEP, card_href, many
from rulings_site.room import cut
from rulings_site.rows import Row, all_codes, damage_words, join

_PAIRS = 32


def pages(parts: Parts) -> Iterator[Page]:
    """Coverage, and the pairs in doubt."""
    facts = _Facts(parts)
    # What is counted here are no words of rulings: it stays where only words changed.
    yield Page(
        "coverage",
        lambda: parts.keys.of("coverage", repr(facts.all), repr(_have(parts))),
        lambda: _coverage(parts, facts),
    )
    reviews = parts.catalogue.knowledge.reviews
    chunks = [reviews[at : at + _PAIRS] for at in range(0, len(reviews), _PAIRS)]
    for number, chunk in enumerate(chunks, 1):
        shows = tuple(dict.fromkeys(i for r in chunk for i in (r.a_id, r.b_id) if i in parts.catalogue.rulings))
        yield Page(
            f"doubt/{number}",
            lambda c=chunk, s=shows, n=number: parts.keys.of_rulings("doubt", s, repr(c), str(n), str(len(reviews))),  # type: ignore[misc]
            lambda c=chunk, n=number: _doubt(parts, c, n, len(chunks)),  # type: ignore[misc]
            shows,
        )


class _Facts:
    """What is counted over all rulings, when it is asked for."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    @cached_property
    def all(self) -> tuple[Counter[str], Counter[str], int, int, Counter[str], int]:
        """Places by source, those gone by source, undated, from the day of bulk import, damage by kind, pairs."""
        by_source: Counter[str] = Counter()
        gone: Counter[str] = Counter()
        live = self._parts.catalogue.live
        for ruling in live:
            for o in ruling.occurrences:
                by_source[o.source] += 1
                gone[o.source] += o.missing_since is not None
        undated = sum(1 for r in live if r.date is None)
        bulk = sum(1 for r in live if dates.is_bulk(r.date))
        damage: Counter[str] = Counter(kind for r in live for kind in r.damage)
        return by_source, gone, undated, bulk, damage, len(self._parts.catalogue.knowledge.reviews)


def _coverage(parts: Parts, facts: _Facts) -> Files:
    sections = [("What is here", _have(parts)), ("What is not", _lack(parts, facts)), *_sources(parts, facts)]
    written = [
        Row(f'<section class="sec"><h2 class="h">{escape(title)}</h2>{def_list(rows)}</section>', ())
        for title, rows in sections
        if rows
    ]
    out, slices = [], cut(written)
    for number, part in enumerate(slices, 1):
        path = f"coverage/{file_name(number)}"
        page = parts.renderer.page(
            "plain.html",
            path,
            title="Coverage" + (f", page {number}" if number > 1 else ""),
            heading="Coverage",
            section="coverage",
            sub="What is here, what is not, and as of when.",
            body=join(written[part]),
            pager=pager(number, len(slices)),
        )
        out.append((path, page))
    return out


Rows = list[tuple[str, Markup]]


def _have(parts: Parts) -> Rows:
    catalogue = parts.catalogue
    days = list(catalogue.dates)
    span = f", from {dates.time(days[-1])} to {dates.time(days[0])}" if days else ""
    rows = [
        ("Rulings", Markup(f"{len(catalogue.live):,}{span}")),
        ("Cards", Markup(f"{len(catalogue.cards):,}, of which {len(catalogue.placed):,} have rulings")),
        ("Topics", Markup(f"{len(catalogue.topics):,}")),
    ]
    if parts.site.effective:
        versions = f", {len(parts.versions)} versions in all" if parts.versions and len(parts.versions) > 1 else ""
        rows.append(("Comprehensive Rules", Markup(f"effective {parts.site.effective_time}{versions}")))
    return rows


def _lack(parts: Parts, facts: _Facts) -> Rows:
    _, gone, undated, bulk, damage, pairs = facts.all
    rows = []
    if parts.site.as_of:
        rows.append(("Later", Markup(f"nothing that was published after {parts.site.as_of_time}")))
    if undated:
        rows.append(("Undated", Markup(f"{many(undated, 'ruling')} whose source gives no date")))
    if bulk:
        said = f"{many(bulk, 'ruling')} loaded in bulk on {dates.time('2004-10-04')}, older than that"
        rows.append(("Old", Markup(said)))
    if missing := sum(gone.values()):
        rows.append(("Gone at the source", Markup(f"{missing:,} places, all kept here")))
    if damage:
        kinds = sorted(damage.items(), key=lambda entry: (-entry[1], entry[0]))
        lines = (f"{many(count, 'ruling')}: {escape(damage_words(kind))}" for kind, count in kinds)
        rows.append(("Damaged", Markup("<br>".join(lines))))
    if pairs:
        waiting = f'<a href="doubt/index.html">{many(pairs, "pair")} of wordings</a> wait for a person'
        rows.append(("In doubt", Markup(waiting)))
    return rows


def _sources(parts: Parts, facts: _Facts) -> list[tuple[str, Rows]]:
    by_source, gone, *_ = facts.all
    out = []
    for source in parts.catalogue.knowledge.sources:
        rows = [("As published", Markup(f"{by_source[source.name]:,} paragraphs"))]
        rows.append(("As of", dates.time(source.as_of) if source.as_of else Markup("not known")))
        if gone[source.name]:
            rows.append(("Gone since", Markup(f"{gone[source.name]:,}, kept here")))
        if source.url.startswith(("https://", "http://")):
            url = escape(source.url)
            rows.append(("Address", Markup(f'<a href="{url}" rel="external nofollow noopener">{url}</a>')))
        out.append((source.title or source.name, rows))
    return out


def _doubt(parts: Parts, chunk: Sequence[Review], number: int, total: int) -> Files:
    """Pairs, each as one text with its differences, why it waits, and links to both rulings."""
    rows = []
    for review in chunk:
        text = diff_prose(plain(review.a), plain(review.b))
        both = " and ".join(_link(parts, i) for i in dict.fromkeys((review.a_id, review.b_id)))
        why = f"{escape(typeset(review.reason))}. " if review.reason else ""
        rows.append(Row(f'<li><p class="text">{text.html}</p><p class="side">{why}{both}</p></li>', text.codes))
    count = len(parts.catalogue.knowledge.reviews)
    out, slices = [], cut(rows)
    for piece, part in enumerate(slices, 1):
        path = f"coverage/doubt/{file_name(number, piece)}"
        html = parts.renderer.page(
            "listing.html",
            path,
            title="In doubt" + (f", page {label(number, piece)}" if number > 1 or piece > 1 else ""),
            heading="In doubt",
            section="coverage",
            description="Pairs of wordings that may be one ruling, and wait for a person",
            codes=all_codes(rows[part]),
            crumbs=[(f"{DEEP}coverage/index.html", "Coverage")],
            facts=Markup(f"<span><b>{many(count, 'pair')}</b></span>"),
            sub="These wordings may be one ruling. Until a person decides, each is a ruling of its own.",
            blocks=[block("pairs", "Pairs", listing(rows[part], "brief"), quiet=True)],
            pager=pager(number, total, piece, len(slices)),
        )
        out.append((path, html))
    return out


def _link(parts: Parts, ruling_id: str) -> str:
    """The ruling and its first card; the id alone where the base has it no more."""
    catalogue = parts.catalogue
    ruling = catalogue.rulings.get(ruling_id)
    if ruling is None:
        return f'<span class="id">{escape(ruling_id)}</span>'
    link = f'<a class="id" href="{DEEP}{escape(parts.site.ruling_path(ruling_id))}">{escape(ruling_id)}</a>'
    card = catalogue.example(ruling)
    if card is None:
        return link
    more = catalogue.reach.get(ruling_id, 1) - 1
    href = card_href(catalogue, card)
    name = escape(typeset(card[0]))
    on = f'<a href="{href}">{name}</a>' if href else name
    return f"{link} on {on}" + (f" and {more:,} more" if more > 0 else "")
