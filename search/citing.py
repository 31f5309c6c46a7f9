"""Citations out of a base: what `rulings cite` and the service print.

In: a snapshot and what a person typed (an id, a short citation, a card). Out: `Citation`s, or text in a style.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rulings.card_page import counted
from rulings.citation import Citation, cite, in_force, parse_short
from rulings.citation_styles import render_all, split
from rulings.codec import is_date
from rulings.errors import UsageError
from rulings.model import Ruling
from rulings.snapshot import Snapshot
from search.finding import FoundRuling, NotFound, card_by_name, looks_like_id, ruling_by_citation, ruling_by_id

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
SURE = 0.5
"""A rule that bears on a ruling with less confidence is not cited."""
MOST_RULES = 4
BETWEEN_PARTS = "\n\n-----\n\n"


def citations(
    snapshot: Snapshot,
    asked: str,
    *,
    number: int | None = None,
    card: str | None = None,
    as_of: str | None = None,
    base_url: str = "",
) -> list[Citation]:
    """The ruling of an id or short citation; of a card all its rulings, or the one with this number, as
    `rulings show CARD` and its page on the site count them.

    Raises NotFound for what means nothing, UsageError for a card that has not the ruling, or a date that is none.
    """
    if as_of is not None and not (_DATE.fullmatch(as_of) and is_date(as_of)):
        raise UsageError(f"{as_of!r} is no date", "write it as 2019-05-03")
    by_id = _by_id(snapshot, asked)
    if by_id is not None:
        found, named = by_id
        return [_one(snapshot, found.ruling, card or named, as_of, base_url, asked if looks_like_id(asked) else None)]
    page_of = card_by_name(snapshot, asked)
    rulings = counted(snapshot.rulings(snapshot.page(page_of)))
    if not rulings:
        raise NotFound(f"{page_of.name} has no rulings", f"its page: rulings show {page_of.name!r}")
    if number is None:
        then = [_maybe(snapshot, r, page_of.name, as_of, base_url) for r in rulings]
        out = [c for c in then if c is not None]
        if not out:
            raise NotFound(f"{page_of.name} had no rulings on {as_of}")
        return out
    if not 1 <= number <= len(rulings):
        raise UsageError(f"{page_of.name} has {len(rulings)} rulings, not {number}", "count from 1")
    return [_one(snapshot, rulings[number - 1], page_of.name, as_of, base_url, None)]


def _by_id(snapshot: Snapshot, asked: str) -> tuple[FoundRuling, str | None] | None:
    """The ruling of an id or a short citation, and the card that the latter names."""
    if looks_like_id(asked):
        return ruling_by_id(snapshot, asked), None
    short = None if snapshot.find_cards(asked) else parse_short(asked)
    found = ruling_by_citation(snapshot, asked) if short else None
    if short is None or found is None:
        return None
    return found, snapshot.find_cards(short.card)[0].name


def _one(
    snapshot: Snapshot, ruling: Ruling, card: str | None, as_of: str | None, base_url: str, asked_for: str | None
) -> Citation:
    on_card: Sequence[Ruling] = ()
    if ruling.occurrences:
        name = in_force(ruling, card, as_of).card
        on_card = [r for c in snapshot.find_cards(name)[:1] for r in snapshot.rulings(snapshot.page(c))]
    bears = [b.number for b in snapshot.bears(ruling.id) if b.confidence >= SURE][:MOST_RULES]
    return cite(
        ruling,
        card=card,
        as_of=as_of,
        on_card=on_card,
        sources={source.name: source for source in snapshot.sources},
        bears=bears,
        rules_effective=snapshot.meta.get("rules_effective") or None,
        base_url=base_url,
        asked_for=asked_for,
    )


def _maybe(snapshot: Snapshot, ruling: Ruling, card: str, as_of: str | None, base_url: str) -> Citation | None:
    """The citation, None where the card did not have the ruling on that day (or has it no more)."""
    try:
        occurrence = in_force(ruling, card, as_of)
    except UsageError:
        return None
    if as_of is None and occurrence.missing_since:
        return None
    return _one(snapshot, ruling, card, as_of, base_url, None)


def cite_text(
    snapshot: Snapshot,
    asked: str,
    *,
    number: int | None = None,
    card: str | None = None,
    style: str = "plain",
    as_of: str | None = None,
    base_url: str = "",
    max_chars: int | None = None,
) -> str:
    """The citation as text; with `max_chars` in parts of that size, a rule of dashes between them."""
    found = citations(snapshot, asked, number=number, card=card, as_of=as_of, base_url=base_url)
    if max_chars is None:
        return render_all(found, style)
    return BETWEEN_PARTS.join(split(found, style, max_chars))
