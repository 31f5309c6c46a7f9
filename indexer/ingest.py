"""The order of an import, and the only module that knows it whole.

    sources -> normalise -> entries (what is new, known, gone) -> damage -> dedupe -> revise -> tag, see -> store

`run` reads files and writes the base; everything between is pure, so the same base and the same files give the same
bytes, in whatever order the files are named.
"""

from __future__ import annotations

import datetime
import hashlib
import json
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from indexer import carddata, derive, wordings
from indexer.cache import cache_of, without_collector
from indexer.dedupe import EdgeCache, Partition, fingerprint, partition, reissues
from indexer.entries import CardNames, Entry, State, flatten, from_raw, merge
from indexer.losses import missing_rulings
from indexer.normalise import Normalised, normalise, settled
from indexer.report import Counts, Report, make_report
from indexer.revise import Wordings, revise
from indexer.rules_texts import without_lesser
from indexer.sources import Batch, Quarantined, ReadOptions, read, walk
from rulings import corrections, store, transaction, yamlfile
from rulings.errors import DataError, Problem, RulingsError, UsageError
from rulings.model import Card, Knowledge, Ruling, Source
from rulings.names import CardIndex, is_legendary
from rulings.text import fold1, plain

Progress = Callable[[str, int, int], None]
"""Called with (step, done, total); total 0 where it is not known."""


@dataclass(frozen=True, slots=True)
class Options:
    """How to import. `accept_loss` lets a large drop through; `partial` says that a dump is not the whole source."""

    read: ReadOptions = field(default_factory=ReadOptions)
    accept_loss: bool = False
    partial: bool = False
    today: str = field(default_factory=lambda: datetime.datetime.now(tz=datetime.UTC).date().isoformat())


class Clock:
    """Seconds by step, and progress."""

    def __init__(self, progress: Progress | None) -> None:
        self.steps: dict[str, float] = {}
        self._progress = progress
        self._started = self._last = time.perf_counter()

    def step(self, name: str) -> None:
        now = time.perf_counter()
        self.steps[name] = self.steps.get(name, 0.0) + now - self._last
        self._last = now

    def tell(self, step: str, done: int = 0, total: int = 0) -> None:
        if self._progress:
            self._progress(step, done, total)

    @property
    def total(self) -> float:
        return time.perf_counter() - self._started


def run(folder: Path, paths: Sequence[Path], options: Options, progress: Progress | None = None) -> Report:
    """Import files (or folders of files) into the base in `folder`.

    Raises RulingsError if nothing can be read or too much would go (LossError); the base is then untouched.
    """
    clock = Clock(progress)
    with transaction.writing(folder), without_collector():
        clock.tell("reading the base")
        loaded = store.load(folder)
        broken = [p for p in loaded.problems if p.severity == "error"]
        if broken:
            raise RulingsError(
                f"the base has faults ({len(broken)}), first: {broken[0]}", "mend them first: rulings check lists them"
            )
        clock.step("load")
        batches = _read_all(paths, options.read, clock)
        batches = without_lesser(folder, batches)
        clock.step("read")
        knowledge, details = apply(loaded.knowledge, batches, options, clock, cache_of(folder), folder)
        more = _other_files(batches, details)
        event = _event(folder, batches, details, options)
        if knowledge == loaded.knowledge:  # nothing new: no need to write out 26,000 rulings to find that out
            changed = transaction.commit(folder, more, event)
        else:
            changed = store.save(folder, knowledge, more, event=event, before=loaded.knowledge)
        clock.step("save")
    return replace(details, changed=changed, seconds=clock.total, steps=dict(clock.steps))


def _read_all(paths: Sequence[Path], options: ReadOptions, clock: Clock) -> list[Batch]:
    files = [(file, path) for path in paths for file in walk(path)]
    batches = []
    for n, (file, path) in enumerate(files):
        clock.tell(f"reading {file.name}", n, len(files))
        # In a folder names may repeat; the name of a file alone does not say where it lies, so that bases agree.
        name = file.relative_to(path).as_posix() if file != path else file.name
        try:
            batches.append(read(file, options=replace(options, display_name=name)))
        except UsageError:
            raise
        except RulingsError as error:
            if len(files) == 1:
                raise
            message = error.message.removeprefix(f"{name}: ")
            problem = Problem(name, message, error.hint, kind="unreadable-file")  # the rest goes on
            batches.append(Batch(path=name, format="unreadable", problems=(problem,)))
    if files and all(b.format == "unreadable" for b in batches):
        raise DataError("none of the files can be read", [p for b in batches for p in b.problems])
    return sorted(batches, key=lambda b: (b.as_of or "", b.source, b.sha256, b.path))


# --- the pure middle ---------------------------------------------------------------------------------------------


def apply(
    before: Knowledge,
    batches: Sequence[Batch],
    options: Options,
    clock: Clock,
    cache: Path | None = None,
    folder: Path | None = None,
) -> tuple[Knowledge, Report]:
    """The base after taking in `batches`, and the report (without what was written)."""
    sources = _sources(before, batches)
    cards = carddata.merge(before.cards, batches, newest=max((s.as_of or "" for s in before.sources), default=""))
    names = CardNames(cards)
    old = [names.place(e) for e in flatten(before)]
    steps: Counter[str] = Counter()
    normal: dict[str, str] = {}
    quarantined = [q for b in batches for q in b.quarantined]
    states = _states(batches, names, options, normal, steps, quarantined)
    entries, new, known, missing = old, 0, 0, 0
    gone: list[Entry] = []
    for state in states:
        merged = merge(entries, state)
        entries, new, known = merged.entries, new + merged.new, known + merged.known
        gone += merged.gone
    # A card that only a ruling names is a card all the same: else the next import would know more names than this one.
    bare = {e.card for e in entries if e.card} - {c.name for c in cards}
    if bare:
        cards = tuple(sorted((*cards, *map(Card, bare)), key=lambda c: (c.name, c.oracle_id or "")))
    index = CardIndex(cards) if bare else names.index
    clock.step("merge")
    shipped = tuple(corrections.shipped())
    everything = replace(before, corrections=(*shipped, *(c for c in before.corrections if c not in shipped)))
    incoming = {derive.effective_date(b.rules_text): b.rules_text for b in batches if b.rules_text}
    deriver, was = derive.Deriver.of(folder, cache, incoming), derive.Deriver.of(folder, cache)
    same_cards = {c.name for c in cards} == {c.name for c in before.cards}
    same = not new and not gone and same_cards
    same = bool(same and cache and _remembered_state(cache) == _fingerprint(before, folder, was.mark))
    if deriver.mark != was.mark:  # what the rules of before said must not stay: it would depend on the order of imports
        everything = replace(everything, rulings=_without_rules(before, was, clock))
    new_ids: tuple[str, ...] = ()
    if same:
        rulings = _again(everything.rulings, entries, sources)
        if deriver.mark != was.mark:
            rulings = tuple(_derived(rulings, cards, deriver, clock))
            clock.step("tag")
        knowledge = replace(before, sources=sources, cards=cards, rulings=rulings)
    else:
        legendary = {c.name: is_legendary(c) for c in cards}
        words = wordings.make_wordings(entries, index, legendary, everything.decisions, normal, cache)
        clock.step("damage")
        clock.tell("comparing wordings", 0, len(words.units))
        parts = _partition(words, everything, cache)
        clock.step("dedupe")
        revised = revise(words, parts, everything, legendary, options.today)
        clock.step("revise")
        missing = missing_rulings(gone, revised.rulings, cards, accept=options.accept_loss)
        tagged = _derived(revised.rulings, cards, deriver, clock)
        clock.step("tag")
        new_ids = revised.new_ids
        knowledge = replace(
            before, rulings=_with_as_of(tagged, sources), cards=cards, sources=sources, reviews=revised.reviews
        )
    if cache and not (same and deriver.mark == was.mark):
        _remember_state(cache, _fingerprint(knowledge, folder, deriver.mark))
    counts = Counts(sum(len(b.rulings) for b in batches), new, known, len(gone), missing)
    report = make_report(knowledge, batches, counts, new_ids, steps, quarantined)
    return knowledge, replace(report, changed=new_ids, seconds=clock.total, steps=dict(clock.steps))


def _sources(before: Knowledge, batches: Iterable[Batch]) -> tuple[Source, ...]:
    found = {s.name: s for s in before.sources}
    for batch in batches:
        for name in {r.source for r in batch.rulings}:
            old = found.get(name, Source(name, kind=batch.format))
            newest = max(filter(None, (old.as_of, batch.as_of)), default=None)
            found[name] = replace(old, as_of=newest)
    return tuple(found[name] for name in sorted(found))


def _states(
    batches: Iterable[Batch],
    names: CardNames,
    options: Options,
    normal: dict[str, str],
    steps: Counter[str],
    quarantined: list[Quarantined],
) -> list[State]:
    """Files of one source and one state are one state, whatever order they are named in."""
    groups: dict[tuple[str, str], list[Entry]] = defaultdict(list)
    whole: dict[tuple[str, str], bool] = {}
    results: dict[str, Normalised] = {}
    empty: set[str] = set()
    for batch in batches:
        for raw in batch.rulings:
            result = results.get(raw.text)
            if result is None:  # shared rulings come many times
                result = results[raw.text] = normalise(raw.text)
                if not fold1(result.text):
                    empty.add(raw.text)
            if result.refused or raw.text in empty:
                reason = result.refused or "a text of nothing but spaces"
                record = {"card": raw.card, "comment": raw.text, "published_at": raw.date, "oracle_id": raw.oracle_id}
                place = raw.locator.removeprefix(batch.path)  # `:12`, or the JSON path after a space
                line = int(place[1:]) if place[:1] == ":" and place[1:].isdigit() else None
                where = "" if line else place.strip()
                quarantined.append(Quarantined(batch.path, reason, record, kind="text", line=line, where=where))
                continue
            if raw.text not in normal:
                normal[raw.text] = plain(result.text)
            steps.update(result.steps)
            key = (raw.source, batch.as_of or "")
            groups[key].append(names.place(from_raw(raw, batch.as_of)))
            whole[key] = whole.get(key, False) or (batch.coverage == "all" and not options.partial)
    return [
        State(source, as_of or None, whole[source, as_of], tuple(sorted(found, key=_order)), options.today)
        for (source, as_of), found in sorted(groups.items(), key=lambda item: (item[0][1], item[0][0]))
    ]


def _order(entry: Entry) -> tuple[object, ...]:
    return (entry.card, entry.oracle_id or "", entry.position, entry.date or "", entry.text)


def _partition(words: Wordings, knowledge: Knowledge, cache: Path | None) -> Partition:
    edges = EdgeCache(cache / "edges.sqlite" if cache else None)
    # A person may have decided about a text as its page has it, or as it is shown.
    decisions = [replace(d, a=settled(d.a), b=settled(d.b)) for d in knowledge.decisions]
    found = partition(words.asked, decisions, knowledge.corrections, edges, reissues())
    edges.save()
    return found


def _derived(rulings: Sequence[Ruling], cards: Iterable[Card], deriver: derive.Deriver, clock: Clock) -> list[Ruling]:
    """The rulings with their topics, and in `see` the rules that are beyond doubt."""
    by_name = _by_name(cards)
    tagged = derive.with_topics(rulings, deriver.tags(rulings, by_name, clock.tell))
    open_ = [r for r in tagged if not r.see]
    return derive.with_rules(tagged, deriver.sure(open_, by_name, clock.tell))


def _without_rules(before: Knowledge, was: derive.Deriver, clock: Clock) -> tuple[Ruling, ...]:
    """The rulings of before, in `see` only what a person put there."""
    seen = [r for r in before.rulings if r.see]
    return derive.without_rules(before.rulings, was.sure(seen, _by_name(before.cards), clock.tell))


def _by_name(cards: Iterable[Card]) -> dict[str, Card]:
    by_name: dict[str, Card] = {}
    for card in cards:
        by_name.setdefault(card.name, card)
    return by_name


def _with_as_of(rulings: Iterable[Ruling], sources: Iterable[Source]) -> tuple[Ruling, ...]:
    """Occurrences say their state only where it is not the newest one of their source."""
    newest = {s.name: s.as_of for s in sources}
    return tuple(
        replace(
            r,
            occurrences=tuple(replace(o, as_of=None) if o.as_of == newest.get(o.source) else o for o in r.occurrences),
        )
        for r in rulings
    )


def _again(rulings: Iterable[Ruling], entries: Iterable[Entry], sources: Iterable[Source]) -> tuple[Ruling, ...]:
    """The rulings as they are, with the newest state in which each occurrence was seen."""
    state = {e.key: e for e in entries}

    def seen(ruling: Ruling) -> Ruling:
        found = []
        for o in ruling.occurrences:
            key = (o.card or f"\x00{ruling.mechanic}", o.oracle_id or "", o.date or "", o.source, ruling.verbatim(o))
            entry = state.get(key)
            found.append(replace(o, as_of=entry.as_of, missing_since=entry.missing_since) if entry else o)
        return replace(ruling, occurrences=tuple(found))

    return _with_as_of([seen(r) for r in rulings], sources)


# --- files -------------------------------------------------------------------------------------------------------


def _fingerprint(knowledge: Knowledge, folder: Path | None, rules: str) -> str:
    """Of a base and of the methods and rules that made it: while it stays, an import that brings nothing new changes
    nothing."""
    methods = (derive.version(), derive.own_topics(folder), rules, wordings.version(), fingerprint())
    hashed = hashlib.sha256("".join(methods).encode())
    for part in (knowledge.decisions, knowledge.corrections, knowledge.sources):
        hashed.update(repr(part).encode("utf-8", "surrogatepass"))
    for card in knowledge.cards:
        hashed.update(f"{card.name}\x00".encode("utf-8", "surrogatepass"))
    for r in knowledge.rulings:
        hashed.update(repr((r.id, r.text, r.variants, len(r.occurrences), r.retag)).encode("utf-8", "surrogatepass"))
    return hashed.hexdigest()


def _remembered_state(cache: Path) -> str:
    path = cache / "state.txt"
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def _remember_state(cache: Path, mark: str) -> None:
    (cache / "state.txt").write_text(mark, encoding="utf-8")


def _other_files(batches: Iterable[Batch], report: Report) -> dict[str, bytes | None]:
    files: dict[str, bytes | None] = {}
    for batch in batches:
        if batch.rules_text is not None:
            files[f"comprehensive-rules/{derive.effective_date(batch.rules_text)}.txt"] = batch.rules_text.encode()
    by_source: dict[str, list[Quarantined]] = defaultdict(list)
    origin = {b.path: b.source for b in batches}
    for item in report.quarantined:
        by_source[origin.get(item.path, "unknown") or "unknown"].append(item)
    for source, items in by_source.items():
        body = b"".join(_line(i.as_json(source)) for i in items)
        files[f"quarantine/{_file_name(source)}-{hashlib.sha256(body).hexdigest()[:8]}.jsonl"] = body
    return files


def _file_name(source: str) -> str:
    return "".join(c if (c.isascii() and c.isalnum()) or c in "-_" else "-" for c in source[:60])


def _line(record: Mapping[str, object]) -> bytes:
    try:
        return f"{json.dumps(record, ensure_ascii=False)}\n".encode()
    except UnicodeEncodeError:  # half of a character: kept as the escape that it came as
        return f"{json.dumps(record)}\n".encode()


def _event(folder: Path, batches: Sequence[Batch], report: Report, options: Options) -> tuple[str, bytes]:
    """One event an import: what came in, and which ids were printed for the first time."""
    events = sorted((folder / "imports").glob("*.yaml"))
    last = max((int(p.name.split("-")[0]) for p in events if p.name.split("-")[0].isdigit()), default=0)
    sources = sorted({b.source for b in batches if b.source})
    label = _file_name(sources[0] if sources else "files")
    document: dict[str, object] = {
        "schema": store.SCHEMA,
        "date": options.today,
        "files": [{k: v for k, v in f.items() if v} for f in report.files],
        "counts": {
            name: getattr(report, name)
            for name in ("read", "new", "known", "gone", "missing", "rulings", "shared", "occurrences")
        }
        | {"quarantined": len(report.quarantined)},
    }
    if report.changed:
        document["ids"] = list(report.changed)
    return f"imports/{last + 1:04d}-{label}.yaml", yamlfile.dump(document).encode()


def decide(
    folder: Path,
    knowledge: Knowledge,
    options: Options,
    progress: Progress | None = None,
    accept: Callable[[Knowledge], None] = lambda after: None,
) -> Report:
    """Bring the rulings of a base in line with its decisions, corrections and retags, without importing anything.
    Nothing is written where `accept` raises at what they would be."""
    clock = Clock(progress)
    after, report = apply(knowledge, (), options, clock, cache_of(folder), folder)
    accept(after)
    changed = store.save(folder, after)
    return replace(report, changed=changed, seconds=clock.total, steps=dict(clock.steps))
