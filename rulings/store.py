"""A folder that a person can read, edit and keep in git <-> a Knowledge in memory.

Where a record lies, and in which order, is a pure function of the content, so the same base is the same bytes. The
layout is in docs/base-format.md. Writes are atomic (`rulings.transaction`) and touch only files that changed.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from rulings import codec, topics, transaction, yamlfile
from rulings.card_page import Pages, pages_of
from rulings.errors import DataError, Problem, RulingsError
from rulings.model import Card, Knowledge, Ruling

T = TypeVar("T")

MARKER = "kb.yaml"
SCHEMA = 1
NEVER_ON_A_PAGE = 10**6
"""Position of an occurrence that the page order does not list (a file edited by hand)."""

_IGNORED_BY_GIT = "_site/\n.lock\n.writer\n.journal\n.staging/\n"
_HAND_WRITTEN = {
    "sources.yaml": "Where rulings came from, and as of when. Yours to edit.",
    "corrections.yaml": "Known errors of the publisher: a wording with `wrong` never wins. Yours to edit.",
    "decisions.yaml": "What people decided, keyed by wording. `rulings review` writes here; yours to edit.",
    "tombstones.yaml": "Ids that were printed once and have no ruling any more.",
    "review.yaml": "Doubtful pairs, waiting for a person: `rulings review`. Made by the import; do not edit.",
}


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a folder holds, and what in it could not be read. `lines` places each ruling: id -> (file, line)."""

    knowledge: Knowledge
    problems: tuple[Problem, ...]
    lines: Mapping[str, tuple[str, int]]


def is_base(folder: Path) -> bool:
    return (folder / MARKER).is_file()


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise DataError(
            f"{path} is not UTF-8 (byte {error.start})", hint="save the file as UTF-8, or restore it from git"
        ) from None
    except OSError as error:
        raise RulingsError(f"{path} cannot be read: {error.strerror}") from None


def _read_list(
    path: Path, key: str, read: Callable[[Any, codec.Reader], T | None], problems: list[Problem]
) -> tuple[tuple[T, ...], dict[int, int], list[dict[str, Any]]]:
    if not path.is_file():
        return (), {}, []
    try:
        document, lines = yamlfile.load(_read(path), str(path))
    except yamlfile.YamlFault as fault:
        problems.append(fault.problem)
        return (), {}, []
    reader = codec.Reader(str(path), lines)
    if document is None:
        document = {}
    if not isinstance(document, dict) or document.get("schema") not in (None, str(SCHEMA)):
        reader.problem(document, f"not a file of schema {SCHEMA}", "update mtg-rulings, or restore the file")
        problems += reader.problems
        return (), {}, []
    kept: list[dict[str, Any]] = []

    def keep(record: dict[str, Any]) -> T | None:
        result = read(record, reader)
        if result is not None:
            kept.append(record)
        return result

    items = reader.each(document.get(key), document, key, keep)
    problems += reader.problems
    return items, lines, kept


def load(folder: Path) -> Loaded:
    """Read a base. Raises RulingsError where the folder is no base; faults in files come back as problems."""
    if not is_base(folder):
        raise RulingsError(f"{folder} is no base: it has no {MARKER}", "make one with: rulings init FOLDER")
    with transaction.reading(folder):
        return _load(folder)


def _load(folder: Path) -> Loaded:
    problems: list[Problem] = []
    rulings: list[Ruling] = []
    lines: dict[str, tuple[str, int]] = {}
    for path in sorted((folder / "rulings").rglob("*.yaml")):
        items, line_of, records = _read_list(path, "rulings", codec.ruling_from_plain, problems)
        for ruling, record in zip(items, records, strict=True):
            place = (str(path.relative_to(folder)), line_of[id(record)])
            if ruling.id in lines:
                first = lines[ruling.id]
                message = f"the id {ruling.id} stands already in {first[0]}:{first[1]}"
                problems.append(Problem(str(path), message, "delete one of them", place[1], kind="duplicate-id"))
                continue
            lines[ruling.id] = place
            rulings.append(ruling)
    cards, pages = _read_cards(folder, problems)
    sources = _read_list(folder / "sources.yaml", "sources", codec.source_from_plain, problems)[0]
    corrections = _read_list(folder / "corrections.yaml", "corrections", codec.correction_from_plain, problems)[0]
    decisions = _read_list(folder / "decisions.yaml", "decisions", codec.decision_from_plain, problems)[0]
    reviews = _read_list(folder / "review.yaml", "review", codec.review_from_plain, problems)[0]
    tombstones = _read_list(folder / "tombstones.yaml", "tombstones", codec.tombstone_from_plain, problems)[0]
    if (folder / topics.OWN).is_file():  # a topic that is lost there would be taken from the rulings, too
        problems += topics.of_base(folder).problems
    knowledge = Knowledge(
        rulings=tuple(sorted(_with_positions(rulings, pages), key=lambda r: r.id)),
        cards=cards,
        sources=sources,
        corrections=corrections,
        decisions=decisions,
        reviews=reviews,
        tombstones=tombstones,
        name=_base_name(folder, problems),
    )
    return Loaded(knowledge, tuple(problems), lines)


def load_file(folder: Path, name: str) -> Loaded:
    """The rulings of one file of a base, without their positions on pages."""
    problems: list[Problem] = []
    items, line_of, records = _read_list(folder / name, "rulings", codec.ruling_from_plain, problems)
    lines = {r.id: (name, line_of[id(record)]) for r, record in zip(items, records, strict=True)}
    return Loaded(Knowledge(rulings=items), tuple(problems), lines)


def _base_name(folder: Path, problems: list[Problem]) -> str:
    try:
        document, _ = yamlfile.load(_read(folder / MARKER), str(folder / MARKER))
    except yamlfile.YamlFault as fault:
        problems.append(fault.problem)
        return folder.name
    name = document.get("name") if isinstance(document, dict) else None
    return name if isinstance(name, str) else folder.name


def _read_cards(folder: Path, problems: list[Problem]) -> tuple[tuple[Card, ...], Pages]:
    cards: list[Card] = []
    pages: Pages = {}
    path = folder / "cards.jsonl"
    if path.is_file():
        for number, line in enumerate(_read(path).split("\n"), 1):  # names may hold U+0085, U+2028
            if not line:
                continue
            try:
                record = json.loads(line)
                if not isinstance(record, dict):
                    raise ValueError("not an object")
            except (ValueError, RecursionError) as error:
                problems.append(Problem(str(path), f"not a line of JSON: {error}", line=number, kind="json"))
                continue
            reader = codec.Reader(str(path), {id(record): number})
            page = record.pop("page", None)
            card = codec.card_from_plain(record, reader)
            problems += reader.problems
            if card is not None:
                cards.append(card)
                if isinstance(page, list):
                    pages[card.name, card.oracle_id or ""] = tuple(page)
    mended, _, _ = _read_list(folder / "cards.yaml", "cards", codec.card_from_plain, problems)
    if mended:
        cards = _correct_cards(cards, mended)
    return tuple(cards), pages


def _correct_cards(cards: Iterable[Card], mended: Iterable[Card]) -> list[Card]:
    """Cards with the fields that `cards.yaml` gives put over them."""
    by_key = {(card.name, card.oracle_id): card for card in cards}
    for fix in mended:
        keys = [k for k in by_key if k[0] == fix.name and fix.oracle_id in (None, k[1])] or [(fix.name, fix.oracle_id)]
        for key in keys:
            old = by_key.get(key, Card(fix.name, fix.oracle_id))
            filled = {n: v for n in Card.__slots__ if n not in ("name", "oracle_id") and (v := getattr(fix, n))}
            by_key[key] = replace(old, **filled)
    return list(by_key.values())


def _with_positions(rulings: Iterable[Ruling], pages: Pages) -> list[Ruling]:
    position = {(key, ruling_id): n for key, page in pages.items() for n, ruling_id in enumerate(page)}
    single = {name: (name, oid) for name, oid in pages}

    def place(card: str, oracle_id: str | None, ruling_id: str) -> int:
        key = (card, oracle_id) if oracle_id else single.get(card, (card, ""))
        return position.get((key, ruling_id), NEVER_ON_A_PAGE)

    return [
        replace(
            r,
            occurrences=tuple(
                replace(o, position=place(o.card, o.oracle_id, r.id)) if o.card else o for o in r.occurrences
            ),
        )
        for r in rulings
    ]


# --- writing -----------------------------------------------------------------------------------------------------


def ruling_file(ruling: Ruling) -> str:
    """The file that a ruling lives in: that of its earliest date."""
    date = ruling.first_date
    return f"rulings/{date[:4]}/{date}.yaml" if date else "rulings/undated.yaml"


def files_of(knowledge: Knowledge, but: Container[str] = ()) -> dict[str, bytes]:
    """Every file of a base with its content, but for imports/, comprehensive-rules/ and topics.yaml, and without the
    files of rulings named in `but`."""
    files: dict[str, bytes] = {".gitignore": _IGNORED_BY_GIT.encode()}

    def put(name: str, key: str, records: list[codec.PlainDict], comment: Iterable[str] = ()) -> None:
        files[name] = yamlfile.dump({"schema": SCHEMA, key: records}, comment).encode()

    files[MARKER] = yamlfile.dump({"schema": SCHEMA, "name": knowledge.name}).encode()
    by_file: dict[str, list[Ruling]] = defaultdict(list)
    for ruling in knowledge.rulings:
        by_file[ruling_file(ruling)].append(ruling)
    for name, rulings in by_file.items():
        if name in but:
            continue
        put(name, "rulings", [codec.ruling_to_plain(r) for r in sorted(rulings, key=lambda r: r.id)])
    small: list[tuple[str, str, list[codec.PlainDict]]] = [
        (
            "sources.yaml",
            "sources",
            [codec.source_to_plain(s) for s in sorted(knowledge.sources, key=lambda s: s.name)],
        ),
        ("corrections.yaml", "corrections", [codec.correction_to_plain(c) for c in knowledge.corrections]),
        ("decisions.yaml", "decisions", [codec.decision_to_plain(d) for d in knowledge.decisions]),
        ("tombstones.yaml", "tombstones", [codec.tombstone_to_plain(t) for t in knowledge.tombstones]),
        ("review.yaml", "review", [codec.review_to_plain(r) for r in knowledge.reviews]),
    ]
    for name, key, records in small:
        if records:
            put(name, key, records, [_HAND_WRITTEN[name]])
    files["cards.jsonl"] = _cards_file(knowledge)
    return files


def _cards_file(knowledge: Knowledge) -> bytes:
    pages = pages_of(knowledge.rulings, knowledge.cards)
    known = {(c.name, c.oracle_id or ""): c for c in knowledge.cards}
    for name, oid in pages.keys() - known.keys():
        known[name, oid] = Card(name, oid or None)
    lines = []
    for key in sorted(known):
        record = codec.card_to_plain(known[key])
        if key in pages:
            record["page"] = pages[key]
        lines.append(json.dumps(record, ensure_ascii=False, separators=(",", ":")))
    return "".join(line + "\n" for line in lines).encode()


_GENERATED = re.compile(r"rulings/(?:\d{4}/[\d-]+|undated)\.yaml")


def save(
    folder: Path,
    knowledge: Knowledge,
    more: Mapping[str, bytes | None] | None = None,
    event: tuple[str, bytes] | None = None,
    *,
    before: Knowledge | None = None,
) -> tuple[str, ...]:
    """Write the base, with `more` files in the same atomic step. Returns the names of the files that changed.

    `event` (name, content) is written only if something else changes. `before` is what the folder holds, where that
    is known: files of rulings that are all as they were are then not written out again.
    """
    same = _unchanged(knowledge, before) if before else frozenset()
    files: dict[str, bytes | None] = dict(files_of(knowledge, same))
    for path in (folder / "rulings").rglob("*.yaml"):
        name = path.relative_to(folder).as_posix()
        if _GENERATED.fullmatch(name) and name not in same:
            files.setdefault(name, None)
    for name in _HAND_WRITTEN:
        if (folder / name).is_file():
            files.setdefault(name, None)
    files.update(more or {})
    try:
        return transaction.commit(folder, files, event)
    except OSError as error:
        raise RulingsError(f"{folder} could not be written: {error.strerror}", "the base is as it was before") from None


def _unchanged(knowledge: Knowledge, before: Knowledge) -> frozenset[str]:
    """The files in which the same rulings stand as before."""
    was: dict[str, list[Ruling]] = defaultdict(list)
    now: dict[str, list[Ruling]] = defaultdict(list)
    for rulings, by_file in ((before.rulings, was), (knowledge.rulings, now)):
        for ruling in sorted(rulings, key=lambda r: r.id):
            by_file[ruling_file(ruling)].append(ruling)
    return frozenset(name for name, rulings in now.items() if was.get(name) == rulings)


def printed_ids(folder: Path) -> tuple[str, ...]:
    """Every id that the base ever printed, from the events in `imports/`."""
    found: dict[str, None] = {}
    for path in sorted((folder / "imports").glob("*.yaml")):
        try:
            document, _ = yamlfile.load(_read(path), str(path))
        except yamlfile.YamlFault:
            continue  # a broken event only loses what it knew
        ids = document.get("ids") if isinstance(document, dict) else None
        if isinstance(ids, list):
            found.update(dict.fromkeys(i for i in ids if isinstance(i, str)))
    return tuple(found)
