"""One ruling in a list: its text, and in the margin its date, reach, id and what a reader can do.

The same ruling stands on many pages two folders deep, so rows are made once and kept.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from html import escape

from markupsafe import Markup

from rulings.model import Occurrence, Ruling
from rulings.rules.stale import StaleNote
from rulings.rules.stale import notes as stale_terms_in
from rulings_site import dates
from rulings_site.catalogue import Catalogue, Placed
from rulings_site.prose import Prose, differences, prose, typeset
from rulings_site.render import DEEP, Site, card_href, many

LONG = 320
"""A text with more characters than this is set smaller when it is shown to a player."""


@dataclass(frozen=True, slots=True)
class Row:
    """A list item, and the symbols it needs. `data` are the bytes that the page holds for it elsewhere."""

    html: str
    codes: tuple[str, ...] = ()
    data: int = 0


class Rows:
    """Makes rows of one catalogue."""

    def __init__(self, catalogue: Catalogue, site: Site) -> None:
        self.catalogue = catalogue
        self.site = site
        self._kept: dict[str, Row] = {}

    def on_card(self, placed: Placed, slug: str, number: int) -> Row:
        """A ruling on a card's own page, in that card's wording, with its number there."""
        ruling, occurrence = placed.ruling, placed.occurrence
        text = self.catalogue.shown(placed)
        reach = self.catalogue.reach[ruling.id]
        return self._row(
            ruling,
            text,
            date=occurrence.date,
            reach=reach,
            who="",
            state=state_lines(self.catalogue, self.site, ruling, occurrence, text),
            card=occurrence.card,
            on=f"?on={slug}" if reach > 1 else "",
            number=number,
        )

    def general(self, ruling_id: str) -> Row:
        """A ruling on a page about no single card: canonical wording, first card named."""
        row = self._kept.get(ruling_id)
        if row is None:
            row = self._kept[ruling_id] = self._general(ruling_id)
        return row

    def _general(self, ruling_id: str) -> Row:
        ruling = self.catalogue.rulings[ruling_id]
        reach = self.catalogue.reach.get(ruling_id, 0)
        example = self.catalogue.example(ruling)
        who = ""
        if example is not None:
            href = card_href(self.catalogue, example)
            name = escape(typeset(example[0]))
            who = f'<a href="{href}">{name}</a>' if href else name
            if reach > 1:
                who += f" and {reach - 1:,} more"
        elif ruling.mechanic:
            who = f"General note on {escape(ruling.mechanic)}"
        text = self.catalogue.text(ruling)
        card = example[0] if example and reach == 1 else f"On {many(reach, 'card')}" if reach else "General note"
        return self._row(
            ruling,
            text,
            date=ruling.date,
            reach=reach,
            who=who,
            state=status_lines(self.catalogue, self.site, ruling, text),
            card=card,
            on="",
        )

    def _row(
        self,
        ruling: Ruling,
        text: str,
        *,
        date: str | None,
        reach: int,
        who: str,
        state: list[str],
        card: str,
        on: str,
        number: int | None = None,
    ) -> Row:
        body = prose(text)
        rid = escape(ruling.id)
        here = DEEP + self.site.ruling_path(rid)
        cards, cited = DEEP + self.site.ruling_path(rid, "#cards"), DEEP + self.site.ruling_path(rid, f"{on}#cite")
        apart = f' data-cite-of="{rid}"' if number and self.site.compact else ""
        reached = f' <span class="on"><a href="{cards}">{many(reach, "card")}</a></span>' if reach > 1 else ""
        counted = f'<b class="no"><span class="vh">Ruling </span>{number}</b> ' if number else ""
        said = "".join(f'<p class="state">{line}</p>' for line in state)
        html = (
            f'<li class="ruling folio" id="{rid}">'
            f'<div class="body{" long" if len(text) > LONG else ""}" id="show-{rid}" '
            f'data-card="{escape(typeset(card))}" data-from="{escape(official(date))}">'
            + (f'<p class="who">{who}</p>' if who else "")
            + f'<p class="text{" struck" if ruling.status != "current" else ""}">{body.html}</p>{said}</div>'
            f'<div class="meta"><span class="when">{counted}{dates.time(date, brief=True)}{reached}</span>'
            f'<a class="id" href="{here}">{rid}</a>'
            f'<span class="acts"><a href="{cited}"{apart} aria-label="Cite {rid}">Cite</a>'
            f'<a href="#show-{rid}" aria-label="Show {rid} to a player">Show</a></span></div></li>\n'
        )
        return Row(html, body.codes)


def official(date: str | None) -> str:
    """The line under a ruling that is shown to a player."""
    if date is None:
        return "Official ruling, undated"
    return "Official ruling from before October 2004" if dates.is_bulk(date) else f"Official ruling, {dates.long(date)}"


def status_lines(catalogue: Catalogue, site: Site, ruling: Ruling, text: str) -> list[str]:
    """What a reader must know about a ruling wherever it stands: replaced, withdrawn, damaged, in old words."""
    lines = []
    if ruling.status == "superseded":
        if ruling.superseded_by:
            lines.append(f"Replaced by {_link(catalogue, site, ruling.superseded_by)}{_why(ruling)}")
        else:
            lines.append(f"Replaced{_why(ruling)}")
    elif ruling.status == "withdrawn":
        lines.append(f"Withdrawn{_why(ruling)}")
    for link in ruling.links:
        if link.kind == "outdated-by":
            lines.append(f"Outdated by {_link(catalogue, site, link.id)}")
    if ruling.damage:
        lines.append("Damaged at the source: " + escape(", ".join(damage_words(kind) for kind in ruling.damage)))
    for note in stale_notes(text, ruling.date):
        lines.append(f"“{escape(typeset(note.found))}” is today “{escape(typeset(note.now))}”")
    return lines


def _link(catalogue: Catalogue, site: Site, ruling_id: str) -> str:
    if not catalogue.has_id(ruling_id):
        return f'<span class="id">{escape(ruling_id)}</span>'
    return f'<a href="{DEEP}{escape(site.ruling_path(ruling_id))}">{escape(ruling_id)}</a>'


def _why(ruling: Ruling) -> str:
    last = ruling.history[-1] if ruling.history else None
    if last is None:
        return ""
    reason = f": {escape(typeset(last.reason))}" if last.reason else ""
    return f" on {escape(dates.long(last.date))}{reason}"


_DAMAGE = {
    "symbol-loss": "a symbol seems to be missing",
    "symbol-lost": "a symbol seems to be missing",
    "hybrid-split": "a two-colored symbol seems to be split",
    "truncated-start": "the beginning is cut off",
    "attachment-suspect": "it may belong to another card",
    "mojibake": "characters are garbled",
}


def damage_words(kind: str) -> str:
    """A kind of damage in plain words."""
    return _DAMAGE.get(kind, kind.replace("-", " "))


def state_lines(catalogue: Catalogue, site: Site, ruling: Ruling, occurrence: Occurrence, text: str) -> list[str]:
    """What a reader must know about a ruling on this card: what was mended, what is older, what the source lost."""
    lines = status_lines(catalogue, site, ruling, text)
    variant = next((v for v in ruling.variants if v.key == occurrence.variant), None)
    if variant is not None:
        where = DEEP + escape(site.ruling_path(ruling.id, "#wordings"))
        if variant.why == "typo":
            changed = " ".join(p.text.strip() for p in differences(variant.text, ruling.text) if p.kind == "ins")
            lines.append(f"Spelling mended: “{escape(typeset(changed))}”" if changed else "Spelling mended")
        elif variant.why in ("symbol-lost", "damaged", "encoding"):
            what = {"symbol-lost": "Symbols", "encoding": "Characters", "damaged": "Text"}[variant.why]
            lines.append(f'{what} lost at the source, <a href="{where}">restored here</a>')
        elif variant.why == "older-wording":
            lines.append(f'Other cards carry a <a href="{where}">newer wording</a>')
    if occurrence.missing_since:
        lines.append(f"Not at the source since {escape(dates.long(occurrence.missing_since))}")
    return lines


@lru_cache(maxsize=65536)
def stale_notes(text: str, date: str | None) -> tuple[StaleNote, ...]:
    """Retired words in a text; the same text is asked for on several pages."""
    return stale_terms_in(text, date)


def join(rows: Iterable[Row]) -> Markup:
    """The rows of a list."""
    return Markup("".join(row.html for row in rows))


def all_codes(rows: Iterable[Row], *more: Prose) -> set[str]:
    """The symbols of a page."""
    return {code for row in rows for code in row.codes} | {code for part in more for code in part.codes}
