"""Hits for a terminal: text with what matched marked, then card, date, topics, id. Width-aware; pure strings.

Text from outside goes through `printable`: a ruling cannot steer the terminal. Colours are asked for by the caller.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from rulings.model import Card, Face
from rulings.text import printable
from search.results import Hit, Results

_MARK, _QUIET, _PLAIN = "\x1b[1;33m", "\x1b[2m", "\x1b[0m"
_OPEN, _CLOSE = "\ue000", "\ue001"  # stand for the marks while lines are filled
LEAST_WIDTH, MOST_WIDTH = 40, 100


def render_hit(hit: Hit, n: int, *, width: int = 80, colour: bool = False) -> str:
    """One hit as lines of at most `width` columns, numbered `n`."""
    width = max(LEAST_WIDTH, min(MOST_WIDTH, width))
    indent = "    "
    text = _filled(hit.text, hit.highlights, width - len(indent), colour)
    lines = [f"{n:>2}. {text[0]}", *(indent + line for line in text[1:])]
    about = [_cards(hit), _date(hit.date), ", ".join(hit.topics[:3]), hit.id]
    quiet = textwrap.wrap(" · ".join(printable(part) for part in about if part), width - len(indent))
    if hit.status != "current" or hit.superseded_by:
        quiet.append(f"superseded by {hit.superseded_by}" if hit.superseded_by else hit.status)
    if hit.note:
        quiet.append(hit.note)
    lines += [indent + (f"{_QUIET}{line}{_PLAIN}" if colour else line) for line in quiet]
    for part in hit.why:
        lines.append(f"{indent}{part['points']:>6}  {printable(str(part['part']))}")
    return "\n".join(lines)


def render_card(card: Card, width: int = 80) -> str:
    """A card as it opens where its name alone was asked for: name, cost, types, Oracle text, of each face."""
    width = max(LEAST_WIDTH, min(MOST_WIDTH, width))
    faces = card.faces or (Face(card.name, card.type_line, card.oracle_text, card.mana_cost),)
    lines: list[str] = []
    for face in faces:
        lines += [f"{printable(face.name)}  {printable(face.mana_cost)}".rstrip(), printable(face.type_line)]
        for paragraph in face.oracle_text.splitlines():
            lines += textwrap.wrap(printable(paragraph), width) or [""]
    return "\n".join(line for line in lines if line)


def render(
    results: Results, *, width: int = 80, colour: bool = False, explain: bool = False, card: Card | None = None
) -> str:
    """A page of results as a person reads it. `card` is the card that the query alone names, if any."""
    blocks = []
    if explain:
        blocks.append(printable(results.reading))
    if results.mended and not explain:
        blocks.append("; ".join(f"Read “{printable(a)}” as “{printable(b)}”" for a, b in results.mended) + ".")
    if card is not None:
        blocks.append(render_card(card, width))
    if results.closest and results.hits:
        asked, together, total = results.closest
        have = "1 ruling has" if total == 1 else f"{total:,} have"
        words = "both" if asked == 2 else f"all {_number(asked)}"
        blocks.append(f"No ruling has {words} words; {have} {_number(together)}. The best matches:")
    first = results.offset + 1
    blocks += [render_hit(hit, first + i, width=width, colour=colour) for i, hit in enumerate(results.hits)]
    if results.hits:
        last = results.offset + len(results.hits)
        more = f" Further: --offset {last}" if last < results.total else ""
        blocks.append(f"{first} to {last} of {results.total:,} rulings.{more}")
    else:
        blocks.append(_nothing(results))
    if results.facets is not None:
        blocks.append(_facets(results.facets))
    return "\n\n".join(blocks)


def _nothing(results: Results) -> str:
    if results.total:
        return f"There are {results.total:,} rulings, none from number {results.offset + 1} on."
    lines = [f"No ruling fits: {printable(results.reading)}"]
    for offer in results.relaxed:
        lines.append(
            f"  {offer['total']:,} without {printable(str(offer['without']))}: {printable(str(offer['query']))}"
        )
    if results.suggestions:
        lines.append("Did you mean: " + "   ".join(printable(other) for other in results.suggestions))
    return "\n".join(lines)


def _facets(facets: dict[str, list[tuple[str, int]]]) -> str:
    lines = []
    for name, values in facets.items():
        shown = "  ".join(f"{printable(value)} {count:,}" for value, count in values[:8])
        lines.append(f"{name + ':':<9}{shown or 'none'}")
    return "\n".join(lines)


def _filled(text: str, ranges: Sequence[tuple[int, int]], width: int, colour: bool) -> list[str]:
    """`text` in lines of `width`, marks in place; without colour a terminal shows the text alone."""
    pieces = []
    at = 0
    for start, end in ranges if colour else ():
        pieces += [printable(text[at:start]), _OPEN, printable(text[start:end]), _CLOSE]
        at = end
    pieces.append(printable(text[at:]))
    marked = " ".join("".join(pieces).split())
    lines: list[str] = []
    line, used, inside = "", 0, False
    for word in marked.split(" "):
        size = len(word.replace(_OPEN, "").replace(_CLOSE, ""))
        if line and used + 1 + size > width:
            lines.append(line + (_CLOSE if inside else ""))
            line, used = (_OPEN if inside else ""), 0
        elif line.strip(_OPEN):
            line, used = line + " ", used + 1
        line, used = line + word, used + size
        if _OPEN in word or _CLOSE in word:
            inside = word.rfind(_OPEN) > word.rfind(_CLOSE)
    lines.append(line)
    return [line.replace(_OPEN, _MARK).replace(_CLOSE, _PLAIN) for line in lines]


def _cards(hit: Hit) -> str:
    if not hit.cards:
        return ""
    if hit.cards_total <= 2:
        return " and ".join(hit.cards)
    return f"{hit.cards[0]} and {hit.cards_total - 1:,} more cards"


_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def _date(date: str | None) -> str:
    if not date:
        return "undated"
    year, month, day = date.split("-")
    return f"{int(day)} {_MONTHS[int(month) - 1]} {year}"


def _number(n: int) -> str:
    small = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
    return small[n] if n < len(small) else str(n)
