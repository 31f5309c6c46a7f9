"""The model as plain dicts and lists, and back. One order of keys, empty fields left out; no files here.

`*_to_plain` never fails. `*_from_plain` reads what a person may have edited: it collects Problems and leaves out only
the record that it cannot read.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any, TypeVar

from rulings.errors import Problem
from rulings.ids import parse_id
from rulings.model import (
    WHY,
    Card,
    Change,
    Correction,
    Decision,
    Face,
    Link,
    Occurrence,
    Printing,
    Retag,
    Review,
    Ruling,
    Source,
    Tombstone,
    Variant,
)

T = TypeVar("T")
PlainDict = dict[str, Any]

_DATE = re.compile(r"[0-9]{4}(?:-[0-9]{2}(?:-[0-9]{2})?)?")


@lru_cache(maxsize=8192)
def is_date(text: str) -> bool:
    """Whether `text` is a year, month or day that there is: `2016`, `2016-09`, `2016-09-20`."""
    if not _DATE.fullmatch(text):
        return False
    try:
        datetime.date.fromisoformat(text + "-01" * (2 - text.count("-")))
    except ValueError:
        return False
    return True


STATUSES = ("current", "superseded", "withdrawn")
LINK_KINDS = ("covers", "part-of", "outdated-by", "outdates", "related")
DECISION_KINDS = ("merge", "apart", "split", "supersede", "withdraw")


def _filled(pairs: Iterable[tuple[str, Any]]) -> PlainDict:
    return {key: value for key, value in pairs if value not in (None, "", (), [], {})}


# --- rulings -----------------------------------------------------------------------------------------------------


def ruling_to_plain(ruling: Ruling) -> PlainDict:
    """A ruling as it lies in `rulings/<year>/<date>.yaml`."""
    return _filled(
        [
            ("id", ruling.id),
            ("text", ruling.text),
            ("status", None if ruling.status == "current" else ruling.status),
            ("superseded_by", ruling.superseded_by),
            ("mechanic", ruling.mechanic),
            ("topics", list(ruling.topics)),
            ("see", list(ruling.see)),
            ("retag", retag_to_plain(ruling.retag)),
            ("damage", list(ruling.damage)),
            ("links", [_filled([("kind", k.kind), ("id", k.id), ("reason", k.reason)]) for k in ruling.links]),
            (
                "variants",
                [
                    _filled([("key", v.key), ("why", v.why), ("reason", v.reason)]) | {"text": v.text}
                    for v in ruling.variants
                ],
            ),
            ("occurrences", occurrences_to_plain(ruling.occurrences)),
            ("aliases", list(ruling.aliases)),
            (
                "history",
                [
                    _filled([("date", c.date), ("what", c.what), ("actor", c.actor), ("reason", c.reason)])
                    for c in ruling.history
                ],
            ),
        ]
    )


def retag_to_plain(retag: Retag | None) -> PlainDict | None:
    return _filled([("add", list(retag.add)), ("drop", list(retag.drop))]) if retag else None


def occurrences_to_plain(occurrences: Iterable[Occurrence]) -> list[PlainDict]:
    """Occurrences grouped by (date, source, wording, state), undated ones last, cards by name."""
    groups: dict[tuple[object, ...], list[Occurrence]] = {}
    for o in occurrences:
        key = (o.date is None, o.date or "", o.source, o.variant or "", o.missing_since or "", o.as_of or "")
        groups.setdefault(key, []).append(o)
    plain = []
    for _, members in sorted(groups.items(), key=lambda item: tuple(map(str, item[0]))):
        first = members[0]
        cards: list[object] = []
        for o in sorted(members, key=lambda o: (o.card, o.oracle_id or "", o.stands_for or "")):
            if not o.card:
                continue
            detail = _filled([("as", o.stands_for), ("oracle_id", o.oracle_id)])
            cards.append({"name": o.card} | detail if detail else o.card)
        plain.append(
            {"date": first.date, "source": first.source}
            | _filled(
                [
                    ("variant", first.variant),
                    ("as_of", first.as_of),
                    ("missing_since", first.missing_since),
                    ("cards", cards),
                ]
            )
        )
    return plain


class Reader:
    """Reads plain data and collects what is wrong with it. `path` and the lines of mappings place the problems."""

    def __init__(self, path: str, lines: Mapping[int, int]) -> None:
        self.path = path
        self.lines = lines
        self.problems: list[Problem] = []

    def problem(self, record: object, message: str, hint: str = "", kind: str = "record") -> None:
        self.problems.append(Problem(self.path, message, hint, self.lines.get(id(record)), kind=kind))

    def each(self, value: object, owner: object, what: str, read: Callable[[PlainDict], T | None]) -> tuple[T, ...]:
        """The items of a list of mappings; those that cannot be read are reported and left out."""
        if value is None:
            return ()
        if not isinstance(value, list):
            self.problem(owner, f"{what} is not a list")
            return ()
        found = []
        for item in value:
            if not isinstance(item, dict):
                self.problem(owner, f"an entry of {what} is not a mapping: {str(item)[:40]!r}")
                continue
            try:
                result = read(item)
            except KeyError as missing:
                self.problem(item, f"an entry of {what} lacks {missing.args[0]!r}", "add the key")
                continue
            if result is not None:
                found.append(result)
        return tuple(found)

    def words(self, record: PlainDict, key: str) -> tuple[str, ...]:
        value = record.get(key)
        if value is None:
            return ()
        if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
            self.problem(record, f"{key} is not a list of words")
            return ()
        return tuple(value)

    def word(self, record: PlainDict, key: str, default: str = "") -> str:
        value = record.get(key)
        if value is None:
            return default
        if not isinstance(value, str):
            self.problem(record, f"{key} is not a text")
            return default
        return value

    def choice(self, record: PlainDict, key: str, allowed: Iterable[str], default: str) -> str:
        value = self.word(record, key, default)
        if value not in allowed:
            self.problem(record, f"{key} is {value!r}", "one of " + ", ".join(allowed))
            return default
        return value

    def date(self, record: PlainDict, key: str) -> str | None:
        value = self.word(record, key) or None
        if value is not None and not is_date(value):
            self.problem(record, f"{key} is {value!r}", "a date like 2016-09-20, or null")
            return None
        return value

    def unknown(self, record: PlainDict, known: frozenset[str]) -> None:
        for key in sorted(record.keys() - known):
            self.problem(record, f"unknown key {key!r}", "known: " + ", ".join(sorted(known)))


RULING_KEYS = frozenset(
    "id text status superseded_by mechanic topics see retag damage links variants occurrences aliases history".split()
)
OCCURRENCE_KEYS = frozenset("date source variant as_of missing_since cards".split())


def ruling_from_plain(record: PlainDict, reader: Reader) -> Ruling | None:
    """The ruling in `record`; None, with a problem reported, where it has no usable id or text."""
    reader.unknown(record, RULING_KEYS)
    text, ruling_id = record.get("text"), record.get("id")
    if not isinstance(text, str) or not text.strip():
        reader.problem(record, "a ruling without text")
        return None
    if not isinstance(ruling_id, str) or parse_id(ruling_id) != ruling_id:
        reader.problem(record, f"{str(ruling_id)[:30]!r} is no id of a ruling", "r- and 8 characters, as r-0pcdnc32")
        return None
    variants = reader.each(
        record.get("variants"),
        record,
        "variants",
        lambda v: Variant(v["key"], reader.choice(v, "why", WHY, WHY[0]), v["text"], reader.word(v, "reason")),
    )
    keys = {v.key for v in variants}
    occurrences: list[Occurrence] = []
    for group in reader.each(record.get("occurrences"), record, "occurrences", lambda g: g):
        reader.unknown(group, OCCURRENCE_KEYS)
        variant = reader.word(group, "variant") or None
        if variant is not None and variant not in keys:
            reader.problem(group, f"the wording {variant!r} is not among the variants", ", ".join(sorted(keys)))
            variant = None
        common = {
            "date": reader.date(group, "date"),
            "source": reader.word(group, "source"),
            "variant": variant,
            "as_of": reader.date(group, "as_of"),
            "missing_since": reader.date(group, "missing_since"),
        }
        cards = group.get("cards")
        if cards is None:
            occurrences.append(Occurrence(card="", **common))  # type: ignore[arg-type]
            continue
        if not isinstance(cards, list):
            reader.problem(group, "cards is not a list")
            continue
        for card in cards:
            if isinstance(card, str):
                occurrences.append(Occurrence(card=card, **common))  # type: ignore[arg-type]
            elif isinstance(card, dict) and isinstance(card.get("name"), str):
                stands_for, oracle_id = reader.word(card, "as") or None, reader.word(card, "oracle_id") or None
                occurrences.append(
                    Occurrence(card=card["name"], stands_for=stands_for, oracle_id=oracle_id, **common)  # type: ignore[arg-type]
                )
            else:
                reader.problem(group, f"a card without a name: {str(card)[:40]!r}")
    retag = record.get("retag")
    return Ruling(
        id=ruling_id,
        text=text,
        topics=reader.words(record, "topics"),
        see=reader.words(record, "see"),
        links=reader.each(
            record.get("links"),
            record,
            "links",
            lambda k: Link(reader.choice(k, "kind", LINK_KINDS, "related"), k["id"], reader.word(k, "reason")),
        ),
        variants=variants,
        occurrences=tuple(occurrences),
        aliases=reader.words(record, "aliases"),
        status=reader.choice(record, "status", STATUSES, "current"),
        superseded_by=reader.word(record, "superseded_by") or None,
        history=reader.each(
            record.get("history"),
            record,
            "history",
            lambda c: Change(c["date"], c["what"], reader.word(c, "actor"), reader.word(c, "reason")),
        ),
        retag=Retag(reader.words(retag, "add"), reader.words(retag, "drop")) if isinstance(retag, dict) else None,
        damage=reader.words(record, "damage"),
        mechanic=reader.word(record, "mechanic") or None,
    )


# --- cards -------------------------------------------------------------------------------------------------------


def card_to_plain(card: Card) -> PlainDict:
    """A card as it lies in a line of `cards.jsonl`."""
    return _filled(
        [
            ("name", card.name),
            ("oracle_id", card.oracle_id),
            ("mana_cost", card.mana_cost),
            ("type_line", card.type_line),
            ("oracle_text", card.oracle_text),
            ("keywords", list(card.keywords)),
            (
                "faces",
                [
                    _filled(
                        [
                            ("name", f.name),
                            ("mana_cost", f.mana_cost),
                            ("type_line", f.type_line),
                            ("oracle_text", f.oracle_text),
                        ]
                    )
                    for f in card.faces
                ],
            ),
            ("layout", card.layout),
            ("released", card.released),
            ("former_names", list(card.former_names)),
            ("foreign_names", list(card.foreign_names)),
            (
                "printings",
                [_filled([("set", p.set), ("number", p.number), ("released", p.released)]) for p in card.printings],
            ),
        ]
    )


def card_from_plain(record: PlainDict, reader: Reader) -> Card | None:
    """The card in `record`; None, with a problem reported, where it has no name."""
    name = record.get("name")
    if not isinstance(name, str) or not name:
        reader.problem(record, "a card without a name")
        return None

    def face(f: PlainDict) -> Face:
        return Face(f["name"], f.get("type_line", ""), f.get("oracle_text", ""), f.get("mana_cost", ""))

    def printing(p: PlainDict) -> Printing:
        return Printing(p["set"], p.get("number", ""), p.get("released"))

    get = record.get
    return Card(
        name=name,
        oracle_id=get("oracle_id"),
        type_line=get("type_line", ""),
        oracle_text=get("oracle_text", ""),
        mana_cost=get("mana_cost", ""),
        keywords=tuple(get("keywords", ())),
        faces=reader.each(get("faces"), record, "faces", face),
        former_names=tuple(get("former_names", ())),
        foreign_names=tuple(get("foreign_names", ())),
        printings=reader.each(get("printings"), record, "printings", printing),
        released=get("released"),
        layout=get("layout", ""),
    )


# --- the small files ---------------------------------------------------------------------------------------------


def source_to_plain(source: Source) -> PlainDict:
    names = ("name", "as_of", "title", "url", "kind", "retrieved", "sha256")
    return _filled((name, getattr(source, name)) for name in names)


def source_from_plain(record: PlainDict, reader: Reader) -> Source:
    return Source(
        name=record["name"],
        as_of=reader.date(record, "as_of"),
        title=reader.word(record, "title"),
        url=reader.word(record, "url"),
        kind=reader.word(record, "kind"),
        retrieved=reader.date(record, "retrieved"),
        sha256=reader.word(record, "sha256"),
    )


def correction_to_plain(c: Correction) -> PlainDict:
    return _filled([("wrong", c.wrong), ("right", c.right), ("reason", c.reason), ("link", c.link)])


def correction_from_plain(record: PlainDict, reader: Reader) -> Correction:
    return Correction(record["wrong"], record["right"], reader.word(record, "reason"), reader.word(record, "link"))


def decision_to_plain(d: Decision) -> PlainDict:
    names = ("kind", "a", "b", "card", "b_card", "date", "actor", "reason")
    return _filled([*((name, getattr(d, name)) for name in names), ("with_previous", "yes" if d.with_previous else "")])


def decision_from_plain(record: PlainDict, reader: Reader) -> Decision | None:
    kind = reader.word(record, "kind")
    if kind not in DECISION_KINDS:
        reader.problem(record, f"{kind!r} is no kind of decision", "one of " + ", ".join(DECISION_KINDS))
        return None
    rest = {name: reader.word(record, name) for name in ("b", "card", "b_card", "date", "actor", "reason")}
    together = reader.choice(record, "with_previous", ("yes", ""), "") == "yes"
    return Decision(kind, record["a"], **rest, with_previous=together)


def review_to_plain(r: Review) -> PlainDict:
    return {"a": r.a, "b": r.b, "a_id": r.a_id, "b_id": r.b_id, "proposed": r.proposed, "reason": r.reason}


def review_from_plain(record: PlainDict, reader: Reader) -> Review:
    return Review(**{key: record[key] for key in ("a", "b", "a_id", "b_id", "proposed", "reason")})


def tombstone_to_plain(t: Tombstone) -> PlainDict:
    return _filled([("id", t.id), ("reason", t.reason), ("date", t.date)])


def tombstone_from_plain(record: PlainDict, reader: Reader) -> Tombstone:
    return Tombstone(record["id"], reader.word(record, "reason"), reader.word(record, "date"))
