"""What a person means by one word or number: a ruling, a card, a rule, a glossary entry or a topic.

Used by show, edit, cite and the service alike, so that they agree.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rulings.citation import parse_short, resolve_short
from rulings.errors import RulingsError
from rulings.ids import parse_id, read_as
from rulings.model import Card, Ruling
from rulings.snapshot import Resolution, Snapshot

_BEGUN_ID = re.compile(r"r-[0-9a-z]+", re.IGNORECASE)
_ORACLE_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class NotFound(RulingsError):
    """Nothing is called so. `suggestions` are close names."""

    def __init__(self, message: str, hint: str = "", suggestions: Sequence[str] = ()) -> None:
        super().__init__(message, hint)
        self.suggestions = tuple(suggestions)


@dataclass(frozen=True, slots=True)
class FoundRuling:
    """A ruling, and how the id that was asked for led to it."""

    ruling: Ruling
    resolution: Resolution

    @property
    def note(self) -> str:
        """What to tell about the id, empty if it is the ruling's own."""
        if self.resolution.kind == "alias":
            return f"{self.resolution.asked} is another wording of this ruling, whose id is {self.ruling.id}."
        return self.resolution.reason


def ruling_by_id(snapshot: Snapshot, asked: str) -> FoundRuling:
    """The ruling that an id means. Raises NotFound with the reason (withdrawn, several, unknown)."""
    resolution = snapshot.resolve(asked)
    if resolution.id is not None:
        ruling = snapshot.ruling(resolution.id)
        assert ruling is not None
        return FoundRuling(ruling, resolution)
    if resolution.kind == "ambiguous":
        raise NotFound(
            f"{asked} means several rulings", "choose one: " + ", ".join(resolution.candidates), resolution.candidates
        )
    if resolution.kind == "tombstone":
        raise NotFound(f"{asked} was withdrawn: {resolution.reason or 'no reason given'}")
    near = snapshot.ids_starting("r-" + asked.lower().removeprefix("r-")[:4])[:5]
    raise NotFound(f"no ruling has the id {asked}", ("near: " + ", ".join(near)) if near else "", near)


def card_by_name(snapshot: Snapshot, name: str) -> Card:
    """The one card called `name`, or with this oracle id. Raises NotFound for none (with close names) and for
    several: six Unstable names belong to several cards, which only the oracle id tells apart."""
    if is_oracle_id(name) and (card := card_by_oracle_id(snapshot, name.strip().lower())):
        return card
    found = snapshot.find_cards(name)
    if len(found) > 1:  # `X` is not `[x]`, where it is written in full
        found = tuple(c for c in found if c.name == name) or found
    if len(found) == 1:
        return found[0]
    if found:
        listed = ", ".join(f"{c.name} (oracle id {c.oracle_id})" if c.oracle_id else c.name for c in found)
        raise NotFound(f"{len(found)} cards are called {name!r}", f"name the oracle id or the whole name: {listed}")
    if begun := begun_id(snapshot, name):
        raise begun
    near = close_names(snapshot, name)
    hint = ("did you mean: " + ", ".join(near) + "?") if near else "names of cards are in English; try rulings search"
    raise NotFound(f"no card is called {name!r}", hint, near)


def begun_id(snapshot: Snapshot, asked: str) -> NotFound | None:
    """Where only a part of an id was typed: an error with the ids that begin so, at most five. None for other words."""
    if not _BEGUN_ID.fullmatch(asked.strip()):
        return None
    found = snapshot.ids_starting("r-" + read_as(asked.strip()[2:].lower()))
    message = f"{asked!r} is not a whole id, which is r- and 8 characters"
    if not found:
        return NotFound(message, "and none begins so")
    more = f", and {len(found) - 5} more" if len(found) > 5 else ""
    return NotFound(
        message, f"{'these begin' if found[1:] else 'this one begins'} so: {', '.join(found[:5])}{more}", found[:5]
    )


def close_names(snapshot: Snapshot, name: str, limit: int = 5) -> tuple[str, ...]:
    """Names of cards near to `name`, best first: those that begin so, then those with a few letters changed."""
    from rapidfuzz import fuzz, process

    starting = snapshot.cards_starting(name, limit)
    if starting:
        return starting
    names = [card.name for card in snapshot.cards()]
    lowered = {n.lower(): n for n in names}
    found = process.extract(name.lower(), list(lowered), scorer=fuzz.ratio, limit=limit, score_cutoff=70)
    return tuple(lowered[key] for key, _, _ in found)


def card_by_oracle_id(snapshot: Snapshot, oracle_id: str) -> Card | None:
    """The card with this oracle id."""
    return next((c for c in snapshot.cards() if c.oracle_id == oracle_id), None)


def is_oracle_id(text: str) -> bool:
    """Whether `text` is written as an oracle id (a UUID)."""
    return _ORACLE_ID.fullmatch(text.strip().lower()) is not None


def looks_like_id(text: str) -> bool:
    """Whether `text` is written as an id of a ruling (`r-0pcdnc32`), not as a word that could be one."""
    return text.lower().startswith("r-") and parse_id(text) is not None


def ruling_by_citation(snapshot: Snapshot, text: str) -> FoundRuling | None:
    """The ruling of a short citation (`[Confiscation Coup 2016-09-20 k3f]`), None where `text` is none.

    Raises NotFound where the citation fits several rulings or none.
    """
    short = parse_short(text)
    if short is None:
        return None
    cards = snapshot.find_cards(short.card)
    if not cards:
        return None
    rulings = [r for card in cards for r in snapshot.rulings(snapshot.page(card))]
    found = resolve_short(short, rulings)
    if found.ruling is not None:
        return FoundRuling(found.ruling, Resolution("current", text, found.ruling.id, reason=found.note))
    candidates = ", ".join(r.id for r in found.candidates[:8])
    raise NotFound(f"{text}: {found.note}", f"choose one: {candidates}" if candidates else "")
