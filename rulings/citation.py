"""Citations: a ruling as it stands on one card, with what a reader needs to check it. Derived, never stored.

`cite` turns a ruling into a `Citation`; `rulings.citation_styles` writes it out. `short_citation` and `parse_short`
are the form that a person types from memory, `[Confiscation Coup 2016-09-20 k3f]`: card, date on that card, and as
many characters of the id (after `r-`) as tell it from the other rulings of that card. Nothing here reads files.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rulings.errors import UsageError
from rulings.ids import mint
from rulings.model import Occurrence, Ruling, Source
from rulings.names import card_key, faces

PUBLISHER = "Wizards of the Coast"
SHORTEST = 3
UNDATED = "undated"
MANY = 1
"""A ruling on more cards than this, cited without a card, says how many there are."""

_SHORT = re.compile(
    r"""\[?\s*(?P<card>\S(?:.{0,200}?\S)?)[\s,;]+(?P<date>\d{4}-\d{2}-\d{2}|undated)[\s,;]+(?:r-)?"""
    r"""(?P<prefix>[0-9a-z]{3,10})\s*\]?""",
    re.IGNORECASE,
)
_READ_AS = str.maketrans({"i": "1", "l": "1", "o": "0"})


@dataclass(frozen=True, slots=True)
class Citation:
    """One ruling, ready to be quoted. `card` is None only for a general note that stands on no card.

    `cards` counts the cards it is on (None where nobody can tell how many had it on `as_of`); `chosen` says whether
    the reader named the card (else it is an example).
    `text` is what stands on `card`; `as_of` is set where an earlier state was asked for. `notes` are warnings:
    an alias that now means this ruling, a wording that is no longer on the page, a ruling that was superseded.
    """

    id: str
    text: str
    card: str | None
    cards: int | None
    chosen: bool
    date: str | None
    source: str
    short: str
    link: str
    rules: tuple[str, ...] = ()
    rules_effective: str | None = None
    as_of: str | None = None
    notes: tuple[str, ...] = ()
    position: int = 0
    publisher: str = PUBLISHER

    @property
    def where(self) -> str:
        """The card; for a shared ruling of which no card was named "on 121 cards, for example Aether Chaser"."""
        if self.card is None:
            return "a general note"
        if self.chosen or self.cards is None or self.cards <= MANY:
            return self.card
        return f"on {self.cards} cards, for example {self.card}"

    @property
    def when(self) -> str:
        """The date, or `undated`."""
        return self.date or UNDATED


@dataclass(frozen=True, slots=True)
class Short:
    """A short citation as it was typed: `prefix` has no `r-` and is in the alphabet of ids."""

    card: str
    date: str | None
    prefix: str


@dataclass(frozen=True, slots=True)
class Found:
    """What a short citation means: one ruling, or the `candidates` where it is ambiguous or fits none."""

    ruling: Ruling | None
    candidates: tuple[Ruling, ...] = ()
    note: str = ""


def link_to(ruling_id: str, base_url: str = "") -> str:
    """The permanent address of a ruling: `/r/<id>/` under `base_url` (no trailing slash needed there); "" where nobody
    said where the site is: a citation is read elsewhere, where a relative address leads nowhere."""
    return f"{base_url.rstrip('/')}/r/{ruling_id}/" if base_url else ""


def cite(
    ruling: Ruling,
    *,
    card: str | None = None,
    as_of: str | None = None,
    on_card: Iterable[Ruling] = (),
    sources: Mapping[str, Source] | None = None,
    bears: Iterable[str] = (),
    rules_effective: str | None = None,
    base_url: str = "",
    asked_for: str | None = None,
) -> Citation:
    """The citation of `ruling` as it stands on `card` (None: its newest card), or as it stood there on `as_of`.

    `on_card` are all rulings of that card: the short form needs them. `bears` are rules beside those that the ruling
    itself names. `asked_for` is the id that was typed, if any:
    an alias is then named in the notes. Raises UsageError where the ruling is not on the card or was not yet
    published on `as_of`.
    """
    if not ruling.occurrences:
        return _general(ruling, rules_effective, base_url, _notes(ruling, None, asked_for))
    occurrence = in_force(ruling, card, as_of)
    if as_of is None:
        text = ruling.shown(occurrence)
    else:
        text = ruling.verbatim(occurrence) if occurrence.missing_since else ruling.shown(occurrence)
    return Citation(
        id=ruling.id,
        text=" ".join(text.split()),
        card=occurrence.card,
        cards=len(ruling.cards) if as_of is None else _count_on(ruling, as_of),
        chosen=card is not None,
        date=occurrence.date,
        source=source_label(occurrence.source, sources or {}, occurrence.as_of),
        short=short_citation(ruling, occurrence.card, occurrence.date, on_card),
        link=link_to(ruling.id, base_url),
        rules=tuple(dict.fromkeys((*ruling.see, *bears))),
        rules_effective=rules_effective,
        as_of=as_of,
        notes=_notes(ruling, occurrence if as_of is None else None, asked_for),
        position=occurrence.position,
    )


def _general(ruling: Ruling, effective: str | None, base_url: str, notes: tuple[str, ...]) -> Citation:
    """The citation of a ruling that stands on no card: a general note on a mechanic."""
    name = ruling.mechanic or "general note"
    return Citation(
        id=ruling.id,
        text=" ".join(ruling.text.split()),
        card=None,
        cards=0,
        chosen=False,
        date=None,
        source=f"a general note on {ruling.mechanic}" if ruling.mechanic else "a general note",
        short=f"[{name} {UNDATED} {ruling.id.removeprefix('r-')[:SHORTEST]}]",
        link=link_to(ruling.id, base_url),
        rules=ruling.see,
        rules_effective=effective,
        notes=notes,
    )


def _notes(ruling: Ruling, occurrence: Occurrence | None, asked_for: str | None) -> tuple[str, ...]:
    notes = []
    if asked_for and asked_for != ruling.id:
        notes.append(f"{asked_for} is now {ruling.id}")
    if ruling.status == "superseded":
        notes.append(f"superseded by {ruling.superseded_by}" if ruling.superseded_by else "superseded")
    elif ruling.status == "withdrawn":
        notes.append("withdrawn")
    notes += [f"outdated by {link.id}" for link in ruling.links if link.kind == "outdated-by"]
    if occurrence is not None and occurrence.missing_since:
        notes.append(f"not on the card's page since {occurrence.missing_since}")
    return tuple(notes)


def in_force(ruling: Ruling, card: str | None = None, as_of: str | None = None) -> Occurrence:
    """The occurrence to cite: on `card` if given, as of a date if given, else the newest that still stands.

    A wording that was gone by `as_of` is out; of those in force then, the one that was to go first is what the page
    said: a publisher rewords without changing the date, so the later wording carries the early date too.
    """
    options = [o for o in ruling.occurrences if card is None or _is_on(o, card)]
    if not options:
        if as_of is not None and (had := tuple(sorted({o.card for o in ruling.occurrences if _stood(o, as_of)}))):
            raise UsageError(f"{ruling.id} was not on {card} on {as_of}", f"it was on {_some(had)}")
        raise UsageError(f"{ruling.id} is not on {card}", f"it is on {_some(ruling.cards)}")
    if as_of is None:
        standing = [o for o in options if o.missing_since is None] or options
        # The newest date; of one date the current wording before an older one, then the first name.
        newest = max((o.date or "") for o in standing)
        return min(
            (o for o in standing if (o.date or "") == newest),
            key=lambda o: (o.missing_since is not None, o.variant is not None, o.card, o.position),
        )
    then = [o for o in options if _stood(o, as_of)]
    if not then:
        first = min((o.date for o in options if o.date), default=None)
        if first and first > as_of:
            raise UsageError(f"{ruling.id} was not published by {as_of}", f"its first date is {first}")
        gone = max(o.missing_since or "" for o in options)
        raise UsageError(f"{ruling.id} was not on the page on {as_of}", f"it is missing since {gone}")
    newest = max((o.date or "") for o in then)
    return min(
        (o for o in then if (o.date or "") == newest),
        key=lambda o: (o.missing_since or "9999", o.card, o.position, o.variant or ""),
    )


def _stood(occurrence: Occurrence, as_of: str) -> bool:
    """Whether it stood on the page on that day, as far as is known."""
    gone = occurrence.missing_since
    return (occurrence.date or "") <= as_of and (gone is None or gone > as_of)


def _count_on(ruling: Ruling, as_of: str) -> int | None:
    """How many cards had the ruling on that day; None where a card may have had it or not: it is undated there, or
    went at some time between two states of its source, with that day between them."""
    then = [o for o in ruling.occurrences if _stood(o, as_of)]
    surely = {o.card for o in then if o.date and (o.missing_since is None or (o.as_of or "") >= as_of)}
    return len(surely) if all(o.card in surely for o in then) else None


def _is_on(occurrence: Occurrence, card: str) -> bool:
    key = card_key(card)
    return card_key(occurrence.card) == key or any(card_key(face) == key for face in faces(occurrence.card))


def _some(names: tuple[str, ...], most: int = 3) -> str:
    shown = ", ".join(names[:most])
    return f"{shown} and {len(names) - most} more" if len(names) > most else shown or "no card"


def source_label(name: str, sources: Mapping[str, Source], as_of: str | None = None) -> str:
    """What a reader is told of a source: its title or name, and the day it was current. `as_of` is the state of the
    source that had the wording last, where that is not its newest."""
    source = sources.get(name)
    label = (source.title or source.name) if source else name
    state = as_of or (source.as_of if source else None)
    return f"{label}, as of {state}" if state else label


def all_ids(ruling: Ruling) -> frozenset[str]:
    """Every id that means `ruling`: its own, its aliases, and the mint of each of its wordings."""
    ids = {ruling.id, *ruling.aliases}
    for text in (ruling.text, *(variant.text for variant in ruling.variants)):
        if "~" not in text and text.strip():
            ids.add(mint(text))
    return frozenset(ids)


def short_citation(ruling: Ruling, card: str, date: str | None, on_card: Iterable[Ruling]) -> str:
    """`[Confiscation Coup 2016-09-20 k3f]`; the prefix tells it from every id of the other rulings of the card."""
    own = ruling.id.removeprefix("r-")
    others = [i.removeprefix("r-") for other in on_card if other.id != ruling.id for i in all_ids(other)]
    length = SHORTEST
    while length < len(own) and any(other[:length] == own[:length] for other in others):
        length += 1
    return f"[{card} {date or UNDATED} {own[:length]}]"


def parse_short(text: str) -> Short | None:
    """The short citation in `text`, with or without its brackets; None where it has not the form of one.

    Case, `r-` and the look-alikes i, l and o of the id are forgiven. A full id after the date is one too.
    """
    found = _SHORT.fullmatch(text.strip())
    if not found:
        return None
    prefix = found["prefix"].lower().translate(_READ_AS)
    if "u" in prefix:
        return None
    date = found["date"].lower()
    return Short(found["card"].strip(), None if date == UNDATED else date, prefix)


def resolve_short(short: Short, on_card: Iterable[Ruling]) -> Found:
    """Which of the card's rulings `short` means.

    After merges the prefix may be that of an alias or of another wording; after a new date the old date no longer
    stands on the card. So the id decides, and the date only where several ids fit.
    """
    rulings = tuple(on_card)
    fits = [r for r in rulings if any(i.removeprefix("r-").startswith(short.prefix) for i in all_ids(r))]
    dated = [r for r in fits if any(o.date == short.date and _is_on(o, short.card) for o in r.occurrences)]
    if len(dated) == 1:
        return Found(dated[0], note=_now(short, dated[0]))
    if len(dated) > 1:
        exact = [r for r in dated if r.id.removeprefix("r-").startswith(short.prefix)]
        if len(exact) == 1:
            return Found(exact[0])
        return Found(None, tuple(dated), f"{len(dated)} rulings of {short.card} begin with {short.prefix}")
    if len(fits) == 1:
        here = sorted({o.date or UNDATED for o in fits[0].occurrences if _is_on(o, short.card)})
        return Found(fits[0], note=f"dated {', '.join(here)} on {short.card} today")
    if fits:
        return Found(None, tuple(fits), f"{len(fits)} rulings of {short.card} begin with {short.prefix}")
    same_day = tuple(r for r in rulings if any(o.date == short.date and _is_on(o, short.card) for o in r.occurrences))
    return Found(None, same_day or rulings, f"no ruling of {short.card} begins with {short.prefix}")


def _now(short: Short, ruling: Ruling) -> str:
    if ruling.id.removeprefix("r-").startswith(short.prefix):
        return ""
    return f"{short.prefix} is now {ruling.id}"
