"""What the cite menu of a ruling copies: exactly what `rulings cite` prints.

The strings for the card a reader chooses are put together in the page from a pattern for each wording, so that a
ruling on a hundred cards does not carry seven hundred strings.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape

from rulings.citation import SHORTEST, UNDATED, Citation, cite, in_force
from rulings.citation_styles import escape_discord, escape_markdown, escape_reddit, html_text, render
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
Styles = Sequence[tuple[str, str]]
# As `rulings cite` has it, in search/citing.py.
_SURE, _MOST_RULES = 0.5, 4
# What stands for the card, the date, the short id and the like in a pattern: no style changes letters.
_CARD, _DATE, _SHORT = "zqcardqz", "zqdateqz", "zqshortqz"
_TEXT, _ID, _RULES = "zqtextqz", "zqidqz", "zqrulesqz"
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
    data for each of them, in the order in which the page lists them."""

    cites: tuple[tuple[str, str, str], ...]
    label: str
    data: dict[str, object]


def menu_styles(base_url: str) -> Styles:
    """The styles of the menu: a site that does not know its address has no link to copy."""
    return MENU if base_url else MENU[:-1]


def menu(catalogue: Catalogue, ruling: Ruling, base_url: str) -> Menu:
    """The cite menu of `ruling`."""
    whole = _whole(catalogue, ruling, base_url)
    if whole.card is not None:
        occurrence = in_force(ruling)
        whole = replace(whole, short=_short(catalogue, ruling, catalogue.card_ids(occurrence), occurrence))
    styles = menu_styles(base_url)
    strings = tuple((style, name, _write(whole, style)) for style, name in styles)
    keys = catalogue.cards_of(ruling)
    if len(keys) < 2:
        return Menu(strings, whole.card or "", {})
    patterns: dict[tuple[str, ...], int] = {}
    days: dict[str, int] = {}
    cards: list[list[object]] = []
    for key in keys:
        one = on_card(catalogue, whole, key, catalogue.on(key, ruling))
        pattern = _pattern(catalogue, one, catalogue.on(key, ruling), styles)
        number = patterns.setdefault(pattern, len(patterns))
        entry: list[object] = [days.setdefault(one.when, len(days)), number, _short_id(one)]
        if special := _special(key[0], one, pattern, styles):
            entry.append(special)
        cards.append(entry)
    data = {
        "styles": [style for style, _ in styles],
        "whole": [text for _, _, text in strings],
        "patterns": list(patterns),
        "days": [[day, dates.long(day) if day[0].isdigit() else day] for day in days],
        "cards": cards,
    }
    return Menu(strings, f"{len(keys):,} cards, newest wording", data)


def _whole(catalogue: Catalogue, ruling: Ruling, base_url: str) -> Citation:
    """The ruling cited as such; its short form is of no card's page yet."""
    return cite(
        ruling,
        sources=catalogue.sources,
        bears=[b.number for b in catalogue.bears.get(ruling.id, ()) if b.confidence >= _SURE][:_MOST_RULES],
        rules_effective=catalogue.effective,
        base_url=base_url,
    )


def apart(catalogue: Catalogue, ruling: Ruling, chosen: Menu) -> dict[str, object]:
    """The same data where no page lists the cards: with their names and addresses."""
    keys = catalogue.cards_of(ruling)
    names, slugs = [name for name, _ in keys], [catalogue.slugs.of.get(key, "") for key in keys]
    return chosen.data | {"names": names, "slugs": slugs}


def script(data: Mapping[str, object]) -> bytes:
    """A script with the data of some rulings, by id."""
    said = script_json(data)
    return f"Object.assign(window.RULINGS_CITE=window.RULINGS_CITE||{{}},{said});\n".encode("utf-8", "replace")


def listed(catalogue: Catalogue, key: CardId, base_url: str) -> dict[str, object]:
    """What the cite menus of all rulings in the list of one card copy: patterns, and what to put into them. An entry
    that cannot be put together so is written out."""
    styles = menu_styles(base_url)
    patterns: dict[tuple[str, ...], int] = {}
    name = escapes(key[0])
    rulings: dict[str, list[object]] = {}
    for placed in catalogue.on_card(key):
        whole = _whole(catalogue, placed.ruling, base_url)
        one = on_card(catalogue, whole, key, placed)
        text, short, rules = escapes(one.text), _short_id(one), ", ".join(one.rules)
        if (marked := html_text(one.text)) != escape(one.text):  # symbols, said in words
            text["html"] = marked
        values = {_CARD: name, _TEXT: text, _DATE: one.when, _ID: one.id, _SHORT: short, _RULES: rules}
        general = replace(
            one,
            id=_ID,
            link=one.link.replace(one.id, _ID),
            text=_TEXT,
            card=_CARD,
            date=_DATE if one.date else None,
            short=f"[{_CARD} {_DATE} {_SHORT}]",
            rules=(_RULES,) if one.rules else (),
        )
        pattern = tuple(_write(general, style) for style, _ in styles)
        strings = [_write(one, style) for style, _ in styles]
        if [_put(text, style, values) for text, (style, _) in zip(pattern, styles, strict=True)] != strings:
            rulings[one.id] = list(strings)
            continue
        number = patterns.setdefault(pattern, len(patterns))
        rulings[one.id] = [number, text, one.when, short, rules]
    return {
        "styles": [style for style, _ in styles],
        "card": name,
        "patterns": list(patterns),
        "rulings": rulings,
    }


def written_out(catalogue: Catalogue, rulings: Sequence[Ruling], base_url: str) -> dict[str, object]:
    """The same for rulings that stand on no card."""
    found = {r.id: [text for _, _, text in menu(catalogue, r, base_url).cites] for r in rulings}
    return {"styles": [style for style, _ in menu_styles(base_url)], "patterns": [], "rulings": found}


def escapes(text: str) -> dict[str, str]:
    """A text as it is (`""`), and as the styles that write it otherwise do; what HTML escapes is known."""
    return {"": text} | {s: done for s, escaped in _ESCAPES.items() if s != "html" and (done := escaped(text)) != text}


def _put(pattern: str, style: str, values: Mapping[str, object]) -> str:
    """What cite.js does."""
    for mark, value in values.items():
        if isinstance(value, dict):
            value = value.get(style, escape(value[""]) if style == "html" else value[""])
        pattern = pattern.replace(mark, str(value))
    return pattern


def _short_id(citation: Citation) -> str:
    return citation.short.rsplit(" ", 1)[-1].rstrip("]")


def _pattern(catalogue: Catalogue, one: Citation, placed: Placed, styles: Styles) -> tuple[str, ...]:
    """The strings of one wording, for any card, day and short id."""
    occurrence = placed.occurrence
    text = one.text
    if occurrence.stands_for is None:
        text = " ".join(placed.ruling.shown(replace(occurrence, stands_for=_CARD)).split())
    pattern = replace(one, text=text, card=_CARD, date=_DATE, short=f"[{_CARD} {_DATE} {_SHORT}]")
    strings = []
    for style, _ in styles:
        written = _write(pattern, style)
        if one.date is None and style == "html":  # an undated ruling has no <time>
            written = _write(replace(pattern, date=None), style)
        strings.append(written)
    return tuple(strings)


def _special(name: str, one: Citation, pattern: Sequence[str], styles: Styles) -> object:
    """What the page needs for a name that is not only letters: how it is escaped, or the strings themselves."""
    shown = typeset(name)
    said: dict[str, str] = {} if shown.translate(_STRAIGHT) == name else {"": name}
    if _SIMPLE.fullmatch(name):
        return said
    said |= {s: done for s, escaped in _ESCAPES.items() if (done := escaped(name)) != name and s != "html"}
    short = _short_id(one)
    strings = [_write(one, style) for style, _ in styles]
    for (style, _), text, expected in zip(styles, pattern, strings, strict=True):
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
