"""The wordings of a ruling, newest first, each with its differences from the one before."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from markupsafe import Markup

from rulings.model import REPLACED_BY_CANONICAL, Ruling
from rulings.text import plain
from rulings_site import dates
from rulings_site.catalogue import Catalogue
from rulings_site.prose import Prose, diff_prose, prose
from rulings_site.render import many
from rulings_site.rows import Row

_QUIET = frozenset({"typography", "symbol-form"})
_LABELS = {
    "older-wording": "Older wording",
    "typo": "Misspelt at source, mended here",
    "symbol-lost": "Symbols lost at source, restored here",
    "card-name": "With another name of the card",
    "encoding": "Garbled at source, mended here",
    "damaged": "Damaged at source, mended here",
}


@dataclass(frozen=True, slots=True)
class Wording:
    """One wording in the history of a ruling, compared with the one before it."""

    label: str
    prose: Prose
    when: Markup
    cards: str
    id: str

    @property
    def row(self) -> Row:
        """The item of the list: the text with its differences, since when, on how many cards."""
        minted = f'<span class="id">{escape(self.id)}</span>' if self.id else ""
        return Row(
            f'<li class="ruling folio"><div class="body"><p class="label">{escape(self.label)}</p>'
            f'<p class="text">{self.prose.html}</p></div><div class="meta"><span class="when">{self.when} '
            f'<span class="on">{self.cards}</span></span>{minted}</div></li>\n',
            self.prose.codes,
        )


def wordings_of(catalogue: Catalogue, ruling: Ruling) -> list[Wording]:
    """Newest first. Differences of typography alone are not a wording."""
    why: dict[str | None, str] = {None: ""} | {v.key: v.why for v in ruling.variants}
    kept: list[tuple[str, str | None, str]] = []
    for key, kind in why.items():
        if kind in _QUIET:
            continue
        newest = max((o.date for o in ruling.occurrences if o.variant == key and o.date), default="")
        if key is not None or any(o.variant is None for o in ruling.occurrences):
            kept.append((newest, key, catalogue.with_name(ruling, ruling.wording(key))))
    kept.sort(key=lambda item: (item[0], item[1] is None, item[1] or ""), reverse=True)
    if len(kept) < 2:
        return []
    out = []
    for at, (_, key, text) in enumerate(kept):
        before = kept[at + 1][2] if at + 1 < len(kept) else None
        here = [o for o in ruling.occurrences if o.variant == key]
        days = sorted({o.date for o in here if o.date}, reverse=True)
        when = dates.time(days[0], brief=True) if days else Markup("undated")
        label = _LABELS.get(why[key], "") or ("Current wording" if at == 0 else "This wording")
        if before is None and why[key] not in REPLACED_BY_CANONICAL:
            label = "First wording"
        shown = prose(text) if before is None else diff_prose(plain(before), plain(text))
        count = len({o.card for o in here})
        out.append(Wording(label, shown, when, many(count, "card"), minted(ruling, text)))
    return out


def minted(ruling: Ruling, text: str) -> str:
    """The id that the wording itself would mint, which leads here."""
    from rulings.ids import mint

    return str(mint(text)) if text.strip() and "~" not in ruling.text else ""
