"""What the cite menu of a ruling copies: exactly what `rulings cite` prints.

The strings for the card a reader chooses are put together in the page from a pattern for each wording, so that a
ruling on a hundred cards does not carry seven hundred strings.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from html import escape

from rulings.citation import SHORTEST, UNDATED, Citation, cite, in_force
from rulings.citation_styles import escape_discord, escape_markdown, escape_reddit, render
from rulings.model import Occurrence, Ruling
from rulings_site import dates
from rulings_site.catalogue import CardId, Catalogue, Placed
from rulings_site.prose import typeset

MENU = (
    ("plain", "Plain"),
    ("markdown", "Markdown"),
    ("discord", "Discord"),
    ("reddit", "Reddit"),
    ("html", "HTML"),
    ("short", "Short"),
    ("link", "Link"),
)
# As `rulings cite` has it, in search/citing.py.
_SURE, _MOST_RULES = 0.5, 4
# What stands for the card, the date and the short id in a pattern: no style changes letters.
_CARD, _DATE, _SHORT = "zqcardqz", "zqdateqz", "zqshortqz"
_ESCAPES: dict[str, Callable[[str], str]] = {
    "markdown": escape_markdown,
    "discord": escape_discord,
    "reddit": escape_reddit,
    "html": escape,
}
# Names that no style but HTML has to escape.
_SIMPLE = re.compile(r"(?!.*\b[ur]/)[A-Za-z0-9À-ÖØ-öø-ž ,'!./:-]+")


@dataclass(frozen=True, slots=True)
class Menu:
    """Strings for the ruling as a whole; what its first choice is called; and, where it is on several cards, the
    data for each of them as JSON, in the order in which the page lists them."""

    cites: tuple[tuple[str, str, str], ...]
    label: str
    data: str


def menu(catalogue: Catalogue, ruling: Ruling, base_url: str) -> Menu:
    """The cite menu of `ruling`."""
    whole = cite(
        ruling,
        sources=catalogue.sources,
        bears=[b.number for b in catalogue.bears.get(ruling.id, ()) if b.confidence >= _SURE][:_MOST_RULES],
        rules_effective=catalogue.effective,
        base_url=base_url,
    )
    if whole.card is not None:
        occurrence = in_force(ruling)
        whole = replace(whole, short=_short(catalogue, ruling, catalogue.card_ids(occurrence), occurrence))
    strings = tuple((style, name, _write(whole, style)) for style, name in MENU)
    keys = catalogue.cards_of(ruling)
    if len(keys) < 2:
        return Menu(strings, whole.card or "", "")
    patterns: dict[tuple[str, ...], int] = {}
    days: dict[str, int] = {}
    cards: list[list[object]] = []
    for key in keys:
        one = on_card(catalogue, whole, key, catalogue.on(key, ruling))
        pattern = _pattern(catalogue, one, catalogue.on(key, ruling))
        number = patterns.setdefault(pattern, len(patterns))
        entry: list[object] = [days.setdefault(one.when, len(days)), number, one.short.rsplit(" ", 1)[-1].rstrip("]")]
        if special := _special(key[0], one, pattern):
            entry.append(special)
        cards.append(entry)
    data = {
        "styles": [style for style, _ in MENU],
        "whole": [text for _, _, text in strings],
        "patterns": list(patterns),
        "days": [[day, dates.long(day) if day[0].isdigit() else day] for day in days],
        "cards": cards,
    }
    return Menu(strings, f"{len(keys):,} cards, newest wording", script_json(data))


def _pattern(catalogue: Catalogue, one: Citation, placed: Placed) -> tuple[str, ...]:
    """The strings of one wording, for any card, day and short id."""
    occurrence = placed.occurrence
    text = one.text
    if occurrence.stands_for is None:
        text = " ".join(placed.ruling.shown(replace(occurrence, stands_for=_CARD)).split())
    pattern = replace(one, text=text, card=_CARD, date=_DATE, short=f"[{_CARD} {_DATE} {_SHORT}]")
    strings = []
    for style, _ in MENU:
        written = _write(pattern, style)
        if one.date is None and style == "html":  # an undated ruling has no <time>
            written = _write(replace(pattern, date=None), style)
        strings.append(written)
    return tuple(strings)


def _special(name: str, one: Citation, pattern: Sequence[str]) -> object:
    """What the page needs for a name that is not only letters: how it is escaped, or the strings themselves."""
    shown = typeset(name)
    said: dict[str, str] = {} if shown.translate(_STRAIGHT) == name else {"": name}
    if _SIMPLE.fullmatch(name):
        return said
    said |= {s: done for s, escaped in _ESCAPES.items() if (done := escaped(name)) != name and s != "html"}
    short = one.short.rsplit(" ", 1)[-1].rstrip("]")
    strings = [_write(one, style) for style, _ in MENU]
    for (style, _), text, expected in zip(MENU, pattern, strings, strict=True):
        put = escape(name) if style == "html" else said.get(style, name)
        if text.replace(_CARD, put).replace(_DATE, one.when).replace(_SHORT, short) != expected:
            return strings
    return said


_STRAIGHT = str.maketrans("‘’“”", "''\"\"")


def on_card(catalogue: Catalogue, whole: Citation, key: CardId, placed: Placed) -> Citation:
    """The citation of a ruling on one card. Equal to `cite(ruling, card=...)`, without a search for the card."""
    occurrence = placed.occurrence
    notes = tuple(n for n in whole.notes if not n.startswith("not on the card's page since"))
    if occurrence.missing_since:
        notes = (*notes, f"not on the card's page since {occurrence.missing_since}")
    source = catalogue.sources.get(occurrence.source)
    label = (source.title or source.name) if source else occurrence.source
    return replace(
        whole,
        text=" ".join(catalogue.shown(placed).split()),
        card=occurrence.card,
        chosen=True,
        date=occurrence.date,
        source=f"{label}, as of {source.as_of}" if source and source.as_of else label,
        short=_short(catalogue, placed.ruling, [key], occurrence),
        notes=notes,
        position=occurrence.position,
    )


def _short(catalogue: Catalogue, ruling: Ruling, keys: Sequence[CardId], occurrence: Occurrence) -> str:
    """As `short_citation`, with the ids of each ruling kept."""
    others = [
        i for key in keys for p in catalogue.on_card(key) if p.ruling.id != ruling.id for i in catalogue.cited(p.ruling)
    ]
    own = ruling.id.removeprefix("r-")
    length = SHORTEST
    while length < len(own) and any(other.startswith(own[:length]) for other in others):
        length += 1
    return f"[{occurrence.card} {occurrence.date or UNDATED} {own[:length]}]"


def _write(citation: Citation, style: str) -> str:
    return citation.link if style == "link" else render(citation, style)


def script_json(value: object) -> str:
    """JSON that is safe inside a `<script>` data block, whatever texts it holds."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026").replace("\u2028", "\\u2028")
