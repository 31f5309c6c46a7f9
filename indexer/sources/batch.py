"""What a reader hands over: a batch of rulings and cards from one file, and what could not be read.

`Collector` gathers it while a reader runs; the readers themselves only know their format.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from indexer.normalise import repair_mojibake
from indexer.sources.cards import join
from indexer.sources.dates import DateError, read_date
from rulings.codec import is_date
from rulings.errors import Problem
from rulings.model import Card, RawRuling
from rulings.text import fold1

MAX_TEXT = 20_000
"""Characters of one ruling; the longest that was published has 1,564. Comparing texts takes more than linear time."""
_SURROGATE = re.compile("[\ud800-\udfff]")
Json = object
"""What `json` makes of a text: dict, list, str, int, float, bool or None."""


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How to read. `format` forces a reader; `date_order` is `dmy` or `mdy` for all-numeric dates; `source` and
    `as_of` win over what the file says; `display_name` is what locators call the file (default: its name)."""

    format: str | None = None
    date_order: str | None = None
    source: str | None = None
    as_of: str | None = None
    display_name: str | None = None


@dataclass(frozen=True, slots=True)
class Quarantined:
    """A record that could not be taken in: where it stands, why, and the record itself so that it can be mended.

    `record` has the keys of our JSONL (`card`, `comment`, `published_at`, `oracle_id`, `source`), as far as known;
    what did not fit them stands under `raw`.
    """

    path: str
    reason: str
    record: Mapping[str, Json]
    kind: str = "unreadable"
    line: int | None = None
    where: str = ""
    hint: str = ""

    def as_json(self, source: str = "") -> dict[str, Json]:
        """One line of a quarantine file. The JSONL reader takes it again once `record` is mended."""
        place = {"path": self.path, "line": self.line, "where": self.where}
        return {"quarantine": self.kind, "reason": self.reason, **place, "origin": source, "record": dict(self.record)}

    def as_problem(self) -> Problem:
        return Problem(
            path=self.path, message=self.reason, hint=self.hint, line=self.line, where=self.where, kind=self.kind
        )


def _strings(card: Card) -> Iterator[str]:
    """Every text of a card that a file may hold anything in."""
    yield from (card.name, card.oracle_id or "", card.type_line, card.oracle_text, card.mana_cost, card.layout)
    yield from (*card.keywords, *card.former_names, *card.foreign_names)
    for face in card.faces:
        yield from (face.name, face.type_line, face.oracle_text, face.mana_cost)
    for printing in card.printings:
        yield from (printing.set, printing.number)


@dataclass(frozen=True, slots=True)
class Batch:
    """All that one file holds. `coverage` is `all` where the file is a whole dump of its source, so that what it
    lacks is missing there; `cards` where it speaks only of the cards in it. `problems` include the quarantined."""

    rulings: tuple[RawRuling, ...] = ()
    cards: tuple[Card, ...] = ()
    rules_text: str | None = None
    problems: tuple[Problem, ...] = ()
    format: str = ""
    source: str = ""
    as_of: str | None = None
    coverage: str = "cards"
    quarantined: tuple[Quarantined, ...] = ()
    sha256: str = ""
    path: str = ""


@dataclass(slots=True)
class Collector:
    """Gathers rulings, cards and problems of one file. Counts positions on each card's page and keeps a ruling that
    stands twice on one card with one date and one text only once."""

    path: str
    options: ReadOptions
    source: str
    rulings: list[RawRuling] = field(default_factory=list)
    cards: dict[tuple[str, str | None], Card] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    quarantined: list[Quarantined] = field(default_factory=list)
    as_of: str | None = None
    coverage: str = "cards"
    rules_text: str | None = None
    _seen: dict[tuple[str, str | None], set[tuple[str | None, str]]] = field(default_factory=dict)

    def place(self, line: int | None, where: str = "") -> str:
        """The locator of a record: `file:line`, or the JSON path after the file's name."""
        return f"{self.path}:{line}" if line is not None else f"{self.path} {where}".rstrip()

    def add(
        self,
        card: str,
        text: str,
        date: str | None,
        *,
        line: int | None = None,
        where: str = "",
        oracle_id: str | None = None,
        publisher: str | None = None,
        mechanic: str | None = None,
        source: str | None = None,
    ) -> bool:
        """Take in one ruling; False where that card has it already (another printing gave it)."""
        key = (card or f"\x00{mechanic}", oracle_id)
        seen = self._seen.setdefault(key, set())
        if (date, text) in seen:
            return False
        self.rulings.append(
            RawRuling(
                card=card,
                text=text,
                date=date,
                source=source or self.source,
                locator=self.place(line, where),
                position=len(seen),
                oracle_id=oracle_id,
                publisher=publisher,
                mechanic=mechanic,
            )
        )
        seen.add((date, text))
        return True

    def name_cards(self, names: Mapping[str | None, str]) -> int:
        """Put the card's name on rulings that give only its oracle id, where card data in the same file know it.
        Returns how many stay without."""
        nameless = 0
        for index, raw in enumerate(self.rulings):
            if not raw.card and raw.oracle_id in names:
                self.rulings[index] = replace(raw, card=names[raw.oracle_id])
            nameless += not raw.card and raw.oracle_id not in names
        return nameless

    def add_card(self, card: Card) -> None:
        """Take in a card; a second printing of it is put together with the first. One with half of a character in
        it, which no file can hold, is quarantined."""
        try:
            "".join(_strings(card)).encode()
        except UnicodeEncodeError:
            reason = f"half of a character (a lone surrogate) stands in the card {card.name!r}"
            raw = {"name": card.name, "oracle_id": card.oracle_id, "type_line": card.type_line}
            self.refuse(reason, {"raw": raw}, kind="encoding", hint="write the character in full")
            return
        key = (card.name, card.oracle_id)
        old = self.cards.get(key)
        self.cards[key] = card if old is None else join(old, card)

    def offer(
        self,
        card: Json,
        text: Json,
        date: Json,
        *,
        record: Mapping[str, Json] | None = None,
        line: int | None = None,
        where: str = "",
        oracle_id: Json = None,
        publisher: Json = None,
        mechanic: Json = None,
        source: str | None = None,
    ) -> bool:
        """Take in one ruling from a source that may hold anything in any field; False if it was quarantined or is
        there already. Nothing is repaired here but the form of the date."""
        known = {"card": card, "comment": text, "published_at": date, "oracle_id": oracle_id, "source": publisher}
        if mechanic:
            known["mechanic"] = mechanic
        kind, reason, hint = self._fault(card, text, oracle_id, mechanic)
        iso: str | None = None
        if not kind and date not in (None, ""):
            try:
                iso = read_date(date if isinstance(date, str) else repr(date), self.options.date_order)
            except DateError as error:
                kind, reason, hint = error.kind, f"the date cannot be used: {error}", error.hint
        if kind:
            if record is not None:
                known["raw"] = dict(record)
            if kind == "mojibake":
                known["likely"] = repair_mojibake(str(text))[0]
            self.refuse(reason, known, line=line, where=where, kind=kind, hint=hint)
            return False
        return self.add(
            " ".join(str(card or "").split()),
            str(text),
            iso,
            line=line,
            where=where,
            oracle_id=oracle_id if isinstance(oracle_id, str) and oracle_id else None,
            publisher=publisher if isinstance(publisher, str) and publisher else None,
            mechanic=mechanic if isinstance(mechanic, str) and mechanic else None,
            source=source,
        )

    @staticmethod
    def _fault(card: Json, text: Json, oracle_id: Json, mechanic: Json) -> tuple[str, str, str]:
        """(kind, reason, hint) of what makes a record unusable; three empty strings if nothing does."""
        if not isinstance(text, str):
            return "wrong-type", f"the text is {type(text).__name__}, not a string", ""
        if not fold1(text):
            return "no-text", "the text is empty", "drop the record, or put its text in"
        if len(text) > MAX_TEXT:
            reason = f"the text has {len(text):,} characters, more than {MAX_TEXT:,}"
            return "too-long", reason, "no ruling is so long: is a quote or an end of line missing?"
        named = fold1(card) if isinstance(card, str) else card
        if not (named or mechanic or oracle_id) or not isinstance(card, str | None):
            return "no-card", "no card is named", "put the name of the card in"
        if oracle_id is not None and not isinstance(oracle_id, str):
            return "wrong-type", f"the oracle id is {type(oracle_id).__name__}, not a string", ""
        if any(_SURROGATE.search(part) for part in (text, card or "", oracle_id or "", str(mechanic or ""))):
            return "encoding", "half of a character (a lone surrogate) stands in it", "write the character in full"
        repaired, faults = repair_mojibake(text)
        if faults:
            return "mojibake", f"wrongly decoded characters: {', '.join(faults)}", f"likely meant: {repaired[:300]}"
        return "", "", ""

    def refuse(
        self,
        reason: str,
        record: Mapping[str, Json],
        *,
        line: int | None = None,
        where: str = "",
        kind: str = "unreadable",
        hint: str = "",
    ) -> None:
        """Quarantine one record, with its reason."""
        self.quarantined.append(Quarantined(self.path, reason, record, kind, line, where, hint))

    def warn(self, message: str, *, kind: str, line: int | None = None, where: str = "", hint: str = "") -> None:
        self.problems.append(
            Problem(self.path, message, hint=hint, line=line, where=where, kind=kind, severity="warning")
        )

    def batch(self, *, format: str, sha256: str) -> Batch:
        """The finished batch."""
        if self.options.as_of is None and self.as_of is not None and not is_date(self.as_of):
            self.warn(f"the file calls itself of {self.as_of[:40]!r}, which is no date", kind="no-date", hint="--as-of")
            self.as_of = None
        return Batch(
            rulings=tuple(self.rulings),
            cards=tuple(self.cards.values()),
            rules_text=self.rules_text,
            problems=(*self.problems, *(item.as_problem() for item in self.quarantined)),
            format=format,
            source=self.source,
            as_of=self.options.as_of or self.as_of,
            coverage=self.coverage,
            quarantined=tuple(self.quarantined),
            sha256=sha256,
            path=self.path,
        )
