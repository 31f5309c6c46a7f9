"""What must hold in a base besides each record being readable. Faults come back as problems, all at once."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping

from rulings.errors import Problem
from rulings.ids import mint, parse_id
from rulings.model import Knowledge, Ruling
from rulings.snapshot import meant_by, mints_of, wordings_of
from rulings.text import fold1

Lines = Mapping[str, tuple[str, int]]


def validate(knowledge: Knowledge, lines: Lines, topics: Container[str], printed: Iterable[str] = ()) -> list[Problem]:
    """All faults of a base. `topics` are the known keys, `printed` all ids that the base ever printed."""
    checks = (
        _links(knowledge, lines),
        _wordings(knowledge, lines),
        _topics(knowledge, lines, topics),
        _sources(knowledge),
        _decisions(knowledge),
        _resolvable(knowledge, printed),
        _definite(knowledge, lines),
    )
    return [problem for check in checks for problem in check]


def open_damage(knowledge: Knowledge, lines: Lines) -> list[Problem]:
    """Rulings whose canonical wording is damaged or doubtful, as warnings."""
    found = []
    for r in knowledge.rulings:
        for kind in r.damage:
            message = f"{r.id} is open: {kind}: {r.text[:60]!r}"
            hint = "mend it at its source, or by a line in corrections.yaml"
            found.append(_problem(r, lines, message, hint, kind=kind, severity="warning"))
    return found


def _problem(
    ruling: Ruling, lines: Lines, message: str, hint: str = "", *, kind: str, severity: str = "error"
) -> Problem:
    path, line = lines.get(ruling.id, ("rulings", None))
    return Problem(path, message, hint, line, kind=kind, severity=severity)


def _links(knowledge: Knowledge, lines: Lines) -> Iterator[Problem]:
    ids = {r.id for r in knowledge.rulings}
    for r in knowledge.rulings:
        for link in r.links:
            if link.id not in ids:
                yield _problem(r, lines, f"{r.id} {link.kind} {link.id}, which is not in the base", kind="link")
        if r.superseded_by and r.superseded_by not in ids:
            yield _problem(r, lines, f"{r.id} is superseded by {r.superseded_by}, which is not there", kind="link")


def _wordings(knowledge: Knowledge, lines: Lines) -> Iterator[Problem]:
    """No wording stands in two rulings, but where a person split it by card."""
    split = {fold1(d.a) for d in knowledge.decisions if d.kind == "split"}
    home: dict[str, str] = {}
    for r in knowledge.rulings:
        for text in {fold1(r.verbatim(o)) for o in r.occurrences}:
            other = home.setdefault(text, r.id)
            if other != r.id and text not in split:
                message = f"the wording {text[:50]!r} stands in {other} and in {r.id}"
                yield _problem(r, lines, message, "import anything again to put it right", kind="two-homes")
        seen = Counter((o.card, o.oracle_id, o.date, o.source, r.verbatim(o)) for o in r.occurrences)
        for key, n in seen.items():
            if n > 1:
                yield _problem(r, lines, f"{r.id} lists {key[0]!r} twice under {key[2]}", "delete one", kind="twice")


def _topics(knowledge: Knowledge, lines: Lines, topics: Container[str]) -> Iterator[Problem]:
    for r in knowledge.rulings:
        added = r.retag.add if r.retag else ()
        for topic in dict.fromkeys((*r.topics, *added)):
            if topic not in topics:
                message = f"{r.id} has the topic {topic!r}, which is not in the vocabulary"
                yield _problem(r, lines, message, "see: rulings topics; or add it to topics.yaml", kind="topic")


def _sources(knowledge: Knowledge) -> Iterator[Problem]:
    names = Counter(s.name for s in knowledge.sources)
    used = {o.source for r in knowledge.rulings for o in r.occurrences}
    for name in sorted(used - names.keys()):
        yield Problem("sources.yaml", f"the source {name!r} is used but not described", "add it", kind="source")
    for field in ("url", "sha256"):
        values = Counter(getattr(s, field) for s in knowledge.sources if getattr(s, field))
        for value, n in values.items():
            if n > 1:
                same = ", ".join(s.name for s in knowledge.sources if getattr(s, field) == value)
                yield Problem("sources.yaml", f"one {field} under {n} names: {same}", "keep one", kind="same-source")
    for s in knowledge.sources:
        if s.kind == "official-answer" and not (s.url and s.retrieved and s.sha256):
            message = f"the official answer {s.name!r} lacks its url, retrieved or sha256"
            yield Problem("sources.yaml", message, "an answer given elsewhere must be checkable", kind="source")


def _decisions(knowledge: Knowledge) -> Iterator[Problem]:
    held = {fold1(r.verbatim(o)) for r in knowledge.rulings for o in r.occurrences}
    held |= {fold1(r.text) for r in knowledge.rulings}
    for n, d in enumerate(knowledge.decisions, 1):
        for text in filter(None, (d.a, d.b)):
            if fold1(text) not in held:
                message = f"decision {n} ({d.kind}) is about a wording that the base does not hold: {text[:50]!r}"
                yield Problem(
                    "decisions.yaml",
                    message,
                    "it is kept for when the wording comes",
                    kind="decision",
                    severity="warning",
                )


def _resolvable(knowledge: Knowledge, printed: Iterable[str]) -> Iterator[Problem]:
    known = {minted for r in knowledge.rulings for minted in mints_of(r)} | {t.id for t in knowledge.tombstones}
    for ruling_id in sorted(set(printed) - known):
        if parse_id(ruling_id) is None:
            yield Problem("imports", f"{ruling_id!r} is no id", "restore the file from git", kind="id")
            continue
        message = f"the id {ruling_id} was printed once and resolves to nothing"
        hint = "add it to tombstones.yaml with a reason, or restore the wording"
        yield Problem("imports", message, hint, kind="lost-id")


def _definite(knowledge: Knowledge, lines: Lines) -> Iterator[Problem]:
    """No id means several rulings, but a short one that two wordings happen to share."""
    holders: dict[str, list[Ruling]] = defaultdict(list)
    for r in knowledge.rulings:
        for minted in mints_of(r):
            holders[minted].append(r)
    for ruling_id, held in sorted(holders.items()):
        meant = meant_by(ruling_id, held) if len(held) > 1 else held
        if len(meant) == 1:
            continue
        written = ruling_id in meant[0].aliases
        if not written and len({fold1(text) for r in meant for text in wordings_of(r) if mint(text) == ruling_id}) > 1:
            continue
        message = f"the id {ruling_id} means several rulings: {', '.join(r.id for r in meant)}"
        hint = "keep it among the aliases of one of them"
        yield _problem(meant[0], lines, message, hint, kind="several-homes")
