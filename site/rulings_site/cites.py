"""What the cite menu of a ruling copies: exactly what `rulings cite` prints.

The strings for the card a reader chooses are put together in the page from a pattern for each wording, so that a
ruling on a hundred cards does not carry seven hundred strings.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape

from rulings.citation import Citation, cite, short_citation
from rulings.citation_styles import render
from rulings.model import Ruling
from rulings_site import dates
from rulings_site.catalogue import CardId, Catalogue, Placed

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
# Names that no style but HTML has to escape.
_SIMPLE = re.compile(r"(?!.*\b[ur]/)[A-Za-z0-9À-ÖØ-öø-ž ,'!./:-]+")


@dataclass(frozen=True, slots=True)
class Choice:
    """An entry of "As it stands on"; `slug` is empty for the ruling as a whole."""

    label: str
    slug: str


@dataclass(frozen=True, slots=True)
class Menu:
    """Strings for the first choice, all choices, and the data for the others as JSON."""

    cites: tuple[tuple[str, str, str], ...]
    choices: tuple[Choice, ...]
    data: str


def menu(catalogue: Catalogue, ruling: Ruling, base_url: str) -> Menu:
    """The cite menu of `ruling`."""
    whole = cite(
        ruling,
        on_card=_on_card(catalogue, ruling),
        sources=catalogue.sources,
        bears=[b.number for b in catalogue.bears.get(ruling.id, ()) if b.confidence >= _SURE][:_MOST_RULES],
        rules_effective=catalogue.effective,
        base_url=base_url,
    )
    strings = tuple((style, name, _write(whole, style)) for style, name in MENU)
    keys = catalogue.cards_of(ruling)
    if len(keys) < 2:
        return Menu(strings, (Choice(_label(whole), ""),), "")
    choices = [Choice(f"{len(keys)} cards, newest wording", "")]
    patterns: list[list[str]] = []
    of_text: dict[tuple[str, tuple[str, ...], str], int] = {}
    cards: dict[str, list[object]] = {}
    full: dict[str, list[str]] = {}
    for key in keys:
        placed = next(p for p in catalogue.on_card(key) if p.ruling.id == ruling.id)
        slug = catalogue.slugs.of[key]
        one = on_card(catalogue, whole, key, placed)
        choices.append(Choice(_label(one), slug))
        if not _SIMPLE.fullmatch(key[0]):
            full[slug] = [_write(one, style) for style, _ in MENU]
            continue
        wording = (one.text, one.notes, one.source)
        if wording not in of_text:
            of_text[wording] = len(patterns)
            pattern = replace(one, card=_CARD, date=_DATE, short=f"[{_CARD} {_DATE} {_SHORT}]")
            patterns.append([_write(pattern, style) for style, _ in MENU])
        cards[slug] = [key[0], one.when, of_text[wording], one.short.rsplit(" ", 1)[-1].rstrip("]")]
    data = {
        "styles": [style for style, _ in MENU],
        "whole": [text for _, _, text in strings],
        "patterns": patterns,
        "cards": cards,
        "full": full,
    }
    return Menu(strings, tuple(choices), script_json(data))


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
        short=short_citation(
            placed.ruling, occurrence.card, occurrence.date, (p.ruling for p in catalogue.on_card(key))
        ),
        notes=notes,
        position=occurrence.position,
    )


def _on_card(catalogue: Catalogue, ruling: Ruling) -> list[Ruling]:
    from rulings.citation import in_force

    if not ruling.occurrences:
        return []
    keys = catalogue.card_ids(in_force(ruling))
    return [p.ruling for key in keys for p in catalogue.on_card(key)]


def _write(citation: Citation, style: str) -> str:
    return citation.link if style == "link" else render(citation, style)


def _label(citation: Citation) -> str:
    return f"{citation.card or 'General note'}, {dates.long(citation.date)}"


def script_json(value: object) -> str:
    """JSON that is safe inside a `<script>` data block, whatever texts it holds."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026").replace("\u2028", "\\u2028")


def example_of(strings: Sequence[tuple[str, str, str]], style: str) -> str:
    """The string of one style, escaped for a page."""
    return escape(next(text for key, _, text in strings if key == style))
