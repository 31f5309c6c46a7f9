"""What `rulings show` shows: views of a ruling, a card, a rule or a term, as lines of text and as JSON.

A view is found by `find`; it holds what the snapshot gave and formats nothing until asked. Texts from the base go
through `printable`: nothing in a ruling can steer a terminal.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any, Protocol

from rulings.card_page import counted, is_shared
from rulings.citation import in_force
from rulings.codec import is_date
from rulings.errors import UsageError
from rulings.model import BULK_IMPORT_DATES, MERGED, Card, Occurrence, Ruling
from rulings.names import own_names
from rulings.rules import notes as stale_notes
from rulings.snapshot import Snapshot
from rulings.text import printable
from rulings.worddiff import marked
from search.finding import (
    FoundRuling,
    NotFound,
    begun_id,
    card_by_name,
    is_oracle_id,
    looks_like_id,
    ruling_by_citation,
    ruling_by_id,
)
from search.showing_rules import RuleView, find_rule, has_rules

WIDTH = 100
_MOST_CARDS = 20


@dataclass(frozen=True, slots=True)
class Options:
    """What else to show of a ruling."""

    history: bool = False
    why: str | None = None
    why_topics: bool = False


class View(Protocol):
    """Something that `rulings show` can show."""

    @property
    def exit_code(self) -> int: ...

    def lines(self, options: Options) -> Iterator[str]: ...

    def to_json(self) -> dict[str, Any]: ...


def find(base: Path, snapshot: Snapshot, asked: str, *, as_of: str | None = None, trace: bool = False) -> View:
    """What `asked` means: an id, a short citation, a rule number, a card, a term of the rules; in that order.

    Raises NotFound where it means nothing, UsageError for a date that is none.
    """
    if as_of is not None and not is_date(as_of):
        raise UsageError(f"{as_of!r} is no date", "write it as 2019-05-03")
    if looks_like_id(asked):
        return RulingView(snapshot, ruling_by_id(snapshot, asked), as_of)
    rule = find_rule(base, snapshot, asked, as_of=as_of, trace=trace, terms=False)
    if rule is not None:
        return rule
    if snapshot.find_cards(asked) or is_oracle_id(asked):
        return CardView(snapshot, card_by_name(snapshot, asked), as_of)
    cited = ruling_by_citation(snapshot, asked)
    if cited is not None:
        return RulingView(snapshot, cited, as_of)
    term = find_rule(base, snapshot, asked, as_of=as_of, trace=trace, terms=True)
    if term is not None:
        return term
    if begun := begun_id(snapshot, asked):
        raise begun
    try:
        card_by_name(snapshot, asked)  # raises, with names that are near
    except NotFound as error:
        if not error.suggestions and not has_rules(base):
            hint = "rules and their terms need the Comprehensive Rules: rulings fetch rules, then rulings import"
            raise NotFound(str(error), hint) from None
        raise
    raise NotFound(f"nothing is called {asked!r}")


def wrapped(text: str, indent: str = "", width: int = WIDTH) -> list[str]:
    """Text for the terminal, safe and broken at words."""
    lines = []
    for paragraph in printable(text).split("\n"):
        lines += textwrap.wrap(
            paragraph, width, initial_indent=indent, subsequent_indent=indent, break_long_words=False
        ) or [indent.rstrip()]
    return lines


def day(occurrence: Occurrence) -> str:
    """The date of an occurrence, with what is special about it."""
    if occurrence.date is None:
        return "undated"
    return f"{occurrence.date} (bulk import)" if occurrence.date in BULK_IMPORT_DATES else occurrence.date


@dataclass
class RulingView:
    """One ruling."""

    snapshot: Snapshot
    found: FoundRuling
    as_of: str | None = None
    exit_code: int = 0

    def lines(self, options: Options) -> Iterator[str]:
        r = self.found.ruling
        if self.found.note:
            yield printable(self.found.note)
            yield ""
        text = r.text
        if self.as_of:
            then = in_force(r, as_of=self.as_of)
            text = r.verbatim(then)
        yield from wrapped(_readable(text, r))
        yield ""
        yield f"  id      {r.id}" + (f"  (also {', '.join(r.aliases)})" if r.aliases else "")
        if r.status != "current":
            by = f" by {r.superseded_by}" if r.superseded_by else ""
            yield f"  status  {r.status}{by}"
            for change in r.history:
                reason = f": {change.reason}" if change.reason else ""
                yield printable(f"          {change.date} {change.what} {change.actor}".rstrip() + reason)
        yield from self._where()
        topics = [printable(t) for t in r.topics]
        if topics:
            yield f"  topics  {', '.join(topics)}"
        if options.why_topics:
            for topic, reason in self.snapshot.why_topics(r.id).items():
                yield f"          {printable(topic)}: {printable(reason)}"
            for word, given in (("added", r.retag.add), ("dropped", r.retag.drop)) if r.retag else ():
                if given:
                    yield f"          {word} by a person: {', '.join(map(printable, given))}"
        bears = self.snapshot.bears(r.id)
        if bears:
            effective = self.snapshot.meta.get("rules_effective") or ""
            as_of = f"  (Comprehensive Rules effective {effective})" if effective else ""
            yield f"  rules   {', '.join(b.number for b in bears)}{as_of}"
            for b in bears:
                yield f"          {b.number}: {printable(b.reason)} ({round(b.confidence * 100)} %)"
        for kind in r.damage:
            yield f"  damage  {printable(kind)}: this wording is damaged and no intact one is known"
        for note in stale_notes(r.text, r.date):
            yield f"  note    {printable(str(note))}"
        for link in r.links:
            yield f"  {link.kind:<11} {link.id}" + (f"  ({printable(link.reason)})" if link.reason else "")
        if r.variants:
            yield ""
            yield "Other wordings:"
            for v in r.variants:
                n = sum(o.variant == v.key for o in r.occurrences)
                reason = f": {printable(v.reason)}" if v.reason else ""
                yield f"  {v.key}  {v.why} (on {n} page{'s' if n != 1 else ''}){reason}"
                if options.history:
                    yield from wrapped(marked(v.text, r.text), "      ")
        if options.history:
            yield ""
            yield from self._history()
        if options.why is not None:
            yield ""
            yield from self._why(options.why)

    def _where(self) -> Iterator[str]:
        r = self.found.ruling
        names = list(r.cards)
        shown = ", ".join(printable(name) for name in names[:_MOST_CARDS] if name) or "no card (a general note)"
        more = f", and {len(names) - _MOST_CARDS} more" if len(names) > _MOST_CARDS else ""
        count = f"on {len(names)} cards: " if len(names) > 1 else "on "
        first, *rest = wrapped(count + shown + more, width=WIDTH - 10) or [""]
        yield f"  cards   {first}"
        for line in rest:
            yield f"          {line}"
        dates = sorted({day(o) for o in r.occurrences}, key=lambda d: (d == "undated", d))
        yield f"  dates   {', '.join(dates)}"
        yield f"  source  {', '.join(sorted({printable(o.source) for o in r.occurrences}))}"
        missing = sorted({o.missing_since for o in r.occurrences if o.missing_since})
        gone = {o.card for o in r.occurrences if o.missing_since} - {
            o.card for o in r.occurrences if not o.missing_since
        }
        if gone:
            yield f"  missing at the source since {missing[-1]} on {len(gone)} of its cards"

    def _history(self) -> Iterator[str]:
        """Wordings with their dates, each against the one below it: the shown one, then those that stand on a card
        today, newest first, then those that are gone, the last to go first."""
        r = self.found.ruling
        stages: dict[str, list[Occurrence]] = {}
        for o in r.occurrences:
            stages.setdefault(r.wording(o.variant), []).append(o)

        def last_seen(text: str) -> tuple[bool, str, str]:
            return max((o.missing_since is None, o.missing_since or "", o.date or "") for o in stages[text])

        order = sorted(stages, key=last_seen, reverse=True)
        order.sort(key=lambda t: t != r.text)
        yield "Wording history, newest first:"
        for n, text in enumerate(order):
            dates = sorted({day(o) for o in stages[text]})
            cards = len({o.card for o in stages[text]})
            gone = max(o.missing_since or "" for o in stages[text]) if not last_seen(text)[0] else ""
            since = f", gone since {gone}" if gone else ""
            yield f"  {', '.join(dates)}, on {cards} card{'s' if cards != 1 else ''}{since}"
            older = order[n + 1] if n + 1 < len(order) else None
            yield from wrapped(marked(older, text) if older else text, "    ")
        for change in r.history:
            yield f"  {change.date}  {printable(change.what)} {printable(change.actor)} {printable(change.reason)}"

    def _why(self, card: str) -> Iterator[str]:
        r = self.found.ruling
        names = {c.name for c in self.snapshot.find_cards(card)} or {card}
        here = [o for o in r.occurrences if o.card in names]
        if not here:
            raise NotFound(f"{r.id} does not stand on {card!r}", f"see its cards: rulings show {r.id}")
        for o in here:
            said = r.verbatim(o)
            yield f"{printable(o.card)}, {day(o)}, from {printable(o.source)}, says:"
            yield from wrapped(said, "    ")
            if o.variant is None:
                own = (
                    f", with {printable(o.stands_for or o.card)!r} where the card names itself" if "~" in r.text else ""
                )
                yield f"That is the canonical wording, letter for letter{own}."
                continue
            variant = next(v for v in r.variants if v.key == o.variant)
            if variant.reason.startswith(MERGED):
                yield f"It belongs here because it was {printable(variant.reason)}."
            else:
                yield f"It belongs here because it differs only so: {variant.why}" + (
                    f" ({printable(variant.reason)})." if variant.reason else "."
                )
            yield from wrapped(marked(said, r.text.replace("~", o.stands_for or o.card)), "    ")

    def to_json(self) -> dict[str, Any]:
        return ruling_json(self.snapshot, self.found.ruling) | {"asked": self.found.resolution.asked}


def _readable(text: str, ruling: Ruling) -> str:
    """`~` as a person reads it: the card's name, or "this card" where it stands on several."""
    names = ruling.cards
    return text.replace("~", names[0]) if len(names) == 1 else text.replace("~", "[this card]")


def ruling_json(snapshot: Snapshot, r: Ruling) -> dict[str, Any]:
    """A ruling as every output gives it: the same names in CLI, service and site."""
    return {
        "id": r.id,
        "aliases": list(r.aliases),
        "text": r.text,
        "status": r.status,
        "superseded_by": r.superseded_by,
        "cards": list(r.cards),
        "cards_total": len(r.cards),
        "date": r.date,
        "first_date": r.first_date,
        "topics": list(r.topics),
        "why_topics": snapshot.why_topics(r.id),
        "rules": [{"number": b.number, "reason": b.reason, "confidence": b.confidence} for b in snapshot.bears(r.id)],
        "rules_effective": snapshot.meta.get("rules_effective") or None,
        "links": [{"kind": k.kind, "id": k.id, "reason": k.reason} for k in r.links],
        "variants": [{"key": v.key, "why": v.why, "reason": v.reason, "text": v.text} for v in r.variants],
        "occurrences": [
            {
                "card": o.card,
                "date": o.date,
                "date_kind": "import" if o.date in BULK_IMPORT_DATES else "issue",
                "source": o.source,
                "text": r.verbatim(o),
                "shown": r.shown(o),
                "variant": o.variant,
                "missing_since": o.missing_since,
            }
            for o in r.occurrences
        ],
        "notes": [str(note) for note in stale_notes(r.text, r.date)],
        "as_of": snapshot.as_of,
    }


@dataclass
class CardView:
    """A card with its Oracle text and its rulings: its own first, shared ones after, each with its number."""

    snapshot: Snapshot
    card: Card
    as_of: str | None = None
    exit_code: int = 0

    def rulings(self) -> list[tuple[int, Ruling, Occurrence]]:
        """The rulings with their numbers, as `rulings cite CARD N` takes them, and the occurrence the card shows."""
        found = []
        for n, r in enumerate(counted(self.snapshot.rulings(self.snapshot.page(self.card))), 1):
            try:
                found.append((n, r, in_force(r, self.card.name, self.as_of)))
            except UsageError:
                continue  # not yet published on that day
        return found

    def lines(self, options: Options) -> Iterator[str]:
        c = self.card
        yield printable(f"{c.name}  {c.mana_cost}".rstrip())
        for face in c.faces or ():
            yield printable(f"  {face.name}  {face.mana_cost}  {face.type_line}".rstrip())
            yield from wrapped(face.oracle_text, "    ")
        if c.type_line and not c.faces:
            yield printable(f"  {c.type_line}")
        if c.oracle_text:
            yield from wrapped(c.oracle_text, "  ")
        found = self.rulings()
        total = len(found)
        as_of = self.as_of or self.snapshot.as_of or "unknown"
        yield f"  {total} ruling{'s' if total != 1 else ''}, base as of {as_of}"
        names = own_names(c.name, "Legendary" in c.type_line or None)
        for title, members in groupby(found, lambda entry: _heading(entry[1])):
            yield ""
            yield title
            for n, r, o in members:
                yield ""
                yield from wrapped(r.shown(o) if not self.as_of else r.verbatim(o), "  ")
                reach = f", on {len(r.cards)} cards" if is_shared(r) else ""
                gone = f", missing at the source since {o.missing_since}" if o.missing_since else ""
                struck = f", {r.status}" if r.status != "current" else ""
                yield f"    {n}  {r.id}, {day(o)}{reach}{gone}{struck}"
        suspects = [r for _, r, _ in found if not is_shared(r) and "attachment-suspect" in r.damage]
        if suspects:
            yield ""
            yield f"{len(suspects)} of these may belong to another card: they never name {printable(names[-1])}."

    def to_json(self) -> dict[str, Any]:
        found = self.rulings()
        c = self.card
        return {
            "card": c.name,
            "oracle_id": c.oracle_id,
            "mana_cost": c.mana_cost,
            "type_line": c.type_line,
            "oracle_text": c.oracle_text,
            "faces": [
                {"name": f.name, "type_line": f.type_line, "oracle_text": f.oracle_text, "mana_cost": f.mana_cost}
                for f in c.faces
            ],
            "rulings_total": len(found),
            "as_of": self.snapshot.as_of,
            "rulings": [
                {
                    "number": n,
                    "id": r.id,
                    "text": r.shown(o),
                    "date": o.date,
                    "source": o.source,
                    "shared": is_shared(r),
                    "cards_total": len(r.cards),
                    "topics": list(r.topics),
                    "status": r.status,
                    "missing_since": o.missing_since,
                }
                for n, r, o in found
            ],
        }


def _heading(ruling: Ruling) -> str:
    if ruling.status == "withdrawn":
        return "Withdrawn"
    return "Shared with other cards" if is_shared(ruling) else "Its own rulings"


__all__ = ["CardView", "Options", "RuleView", "RulingView", "View", "find", "ruling_json", "wrapped"]
