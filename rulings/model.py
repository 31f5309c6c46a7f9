"""What a knowledge base holds: rulings, the cards they stand on, where they came from.

Frozen and slotted; sequences are tuples. Dates are ISO strings (`2016-09-20`), None where the source gives none.
How these are written to files is `rulings.codec`; what must hold between them is `rulings.validate`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

BULK_IMPORT_DATES = frozenset({"2004-10-04"})
"""Dates on which the publisher loaded old rulings in bulk: not the day a ruling was issued."""


@dataclass(frozen=True, slots=True)
class RawRuling:
    """One ruling as a source gives it, verbatim. `locator` is `file:line` or a JSON path; `position` counts on the
    card's page from 0. `card` is empty for a general note of a mechanic, which is then named in `mechanic`."""

    card: str
    text: str
    date: str | None
    source: str
    locator: str
    position: int
    oracle_id: str | None = None
    publisher: str | None = None  # "wotc" | "scryfall": who issued it, where the source says
    mechanic: str | None = None


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A ruling on one card's page. `variant` is the key of the wording that stands there, None for the canonical.

    `stands_for` is what the wording says where the kept text has `~` (None: the card's full name).
    `oracle_id` is set only where the card's name is not enough (six Unstable names).
    `missing_since` is the date of the first newer state of the source that lacked it; `as_of` the state of the
    source that had it last, None where that is the source's own `as_of`.
    """

    card: str
    date: str | None
    source: str
    variant: str | None = None
    position: int = 0
    missing_since: str | None = None
    stands_for: str | None = None
    oracle_id: str | None = None
    as_of: str | None = None


@dataclass(frozen=True, slots=True)
class Variant:
    """Another wording of a ruling. `why` is one of WHY; `reason` is the difference, for people."""

    key: str
    why: str
    text: str
    reason: str = ""


WHY = ("older-wording", "typography", "typo", "symbol-lost", "card-name", "encoding", "symbol-form", "damaged")
"""Why a variant differs from the canonical wording."""

MERGED = "merged by a person"
"""How the reason of a variant begins that is here since a person said so."""

REPLACED_BY_CANONICAL = frozenset({"typography", "typo", "symbol-lost", "encoding", "symbol-form", "damaged"})
"""Variants that a card's page does not show: the canonical text says the same, undamaged."""


@dataclass(frozen=True, slots=True)
class Link:
    """A tie to another ruling, seen from this one: `covers`, `part-of`, `outdated-by`, `outdates` or `related`."""

    kind: str
    id: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Retag:
    """A person's correction of topics; it survives every re-tagging."""

    add: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Change:
    """One entry of a ruling's history: what was done, when, by whom, why."""

    date: str
    what: str
    actor: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Ruling:
    """One ruling with all its cards. `text` is the canonical wording in plain typography; `~` stands for the card's
    own name where cards differ only in that. `aliases` are ids that were printed once and now mean this ruling."""

    id: str
    text: str
    topics: tuple[str, ...] = ()
    see: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()
    variants: tuple[Variant, ...] = ()
    occurrences: tuple[Occurrence, ...] = ()
    aliases: tuple[str, ...] = ()
    status: str = "current"  # "current" | "superseded" | "withdrawn"
    superseded_by: str | None = None
    history: tuple[Change, ...] = ()
    retag: Retag | None = None
    damage: tuple[str, ...] = ()  # kinds of damage that are still open in the canonical wording
    mechanic: str | None = None  # a general note that stands on no card

    @property
    def date(self) -> str | None:
        """The newest date on which it was published, None if no source dates it."""
        return max((o.date for o in self.occurrences if o.date), default=None)

    @property
    def first_date(self) -> str | None:
        """The earliest date, None if no source dates it."""
        return min((o.date for o in self.occurrences if o.date), default=None)

    @property
    def cards(self) -> tuple[str, ...]:
        """The names of its cards, sorted, each once."""
        return tuple(sorted({o.card for o in self.occurrences}))

    def wording(self, variant: str | None) -> str:
        """The text of the variant with this key (None: the canonical one), `~` not replaced."""
        if variant is None:
            return self.text
        return next(v.text for v in self.variants if v.key == variant)

    def verbatim(self, occurrence: Occurrence) -> str:
        """What the source says on that card, byte for byte."""
        return put_name(self.wording(occurrence.variant), occurrence.stands_for or occurrence.card)

    def shown(self, occurrence: Occurrence) -> str:
        """What that card's page shows: its own wording, mended where the wording is merely damaged."""
        variant = next((v for v in self.variants if v.key == occurrence.variant), None)
        text = self.text if variant is None or variant.why in REPLACED_BY_CANONICAL else variant.text
        return put_name(text, occurrence.stands_for or occurrence.card)


def put_name(text: str, name: str) -> str:
    """`text` with the card's name where `~` stands."""
    return text.replace("~", name)


@dataclass(frozen=True, slots=True)
class Face:
    """One face or half of a card."""

    name: str
    type_line: str = ""
    oracle_text: str = ""
    mana_cost: str = ""


@dataclass(frozen=True, slots=True)
class Printing:
    """One printing of a card: set code, collector number, release date."""

    set: str
    number: str = ""
    released: str | None = None


@dataclass(frozen=True, slots=True)
class Card:
    """A card. Its key is (name, oracle_id): six Unstable names have several oracle ids."""

    name: str
    oracle_id: str | None = None
    type_line: str = ""
    oracle_text: str = ""
    mana_cost: str = ""
    keywords: tuple[str, ...] = ()
    faces: tuple[Face, ...] = ()
    former_names: tuple[str, ...] = ()
    foreign_names: tuple[str, ...] = ()
    printings: tuple[Printing, ...] = ()
    released: str | None = None
    layout: str = ""


@dataclass(frozen=True, slots=True)
class Source:
    """Where rulings came from. `as_of`: when that state of the source was current."""

    name: str
    as_of: str | None = None
    title: str = ""
    url: str = ""
    kind: str = ""
    retrieved: str | None = None
    sha256: str = ""


@dataclass(frozen=True, slots=True)
class Correction:
    """A known error of the publisher: a wording that holds `wrong` never wins over one that holds `right`."""

    wrong: str
    right: str
    reason: str
    link: str = ""


@dataclass(frozen=True, slots=True)
class Decision:
    """A person's decision, keyed by wording and card, never by ruling id, so that it outlives every algorithm.

    `kind`: `merge`, `apart`, `split` (`a` by card), `supersede` (`b` replaces `a`), `withdraw`. `card`, `b_card`: the
    card on which `a`, `b` is meant, where a person split that text by card; without it what is left of the text is.
    `with_previous`: it was made in one step with the one before it, and is taken back with it.
    """

    kind: str
    a: str
    b: str = ""
    card: str = ""
    date: str = ""
    actor: str = ""
    reason: str = ""
    with_previous: bool = False
    b_card: str = ""


@dataclass(frozen=True, slots=True)
class Review:
    """A doubtful pair that waits for a person, with the ids of the rulings that hold the two wordings."""

    a: str
    b: str
    a_id: str
    b_id: str
    proposed: str  # "same" | "reworded" | "broader" | "different"
    reason: str


@dataclass(frozen=True, slots=True)
class Tombstone:
    """An id that was printed once and has no ruling any more."""

    id: str
    reason: str
    date: str = ""


@dataclass(frozen=True, slots=True)
class Knowledge:
    """A whole base in memory; how it lies in a folder is `rulings.store`."""

    rulings: tuple[Ruling, ...] = ()
    cards: tuple[Card, ...] = ()
    sources: tuple[Source, ...] = ()
    corrections: tuple[Correction, ...] = ()
    decisions: tuple[Decision, ...] = ()
    reviews: tuple[Review, ...] = ()
    tombstones: tuple[Tombstone, ...] = ()
    name: str = "rulings"
    extra: dict[str, str] = field(default_factory=dict)
