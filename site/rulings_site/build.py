"""Builds the site: from a base into a folder.

A first build, and one in which much changed, goes into a fresh folder beside the old one and takes its place when it
is whole. Where few pages changed, only those are made and moved in together (`rulings_site.writing`). The manifest
(`.rulings-site`) holds a key for every page, the state (`.rulings-site.state`) what `rulings_site.remembered` needs.
"""

from __future__ import annotations

import contextlib
import gc
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from rulings.errors import UsageError
from rulings.model import Knowledge
from rulings.rules.model import ComprehensiveRules
from rulings.rules.versions import Versions
from rulings.snapshot import Snapshot
from rulings.topics import Topics
from rulings_site import client_before, client_index, remembered
from rulings_site.alone import alone
from rulings_site.catalogue import Bearing, Catalogue
from rulings_site.client_base import FEW, ROOMY, SearchData
from rulings_site.client_before import BEFORE
from rulings_site.forked import Aside, Manifest, entries, lines, processors
from rulings_site.keys import Keys, own_code
from rulings_site.page import Page, digest
from rulings_site.pages import card, coverage, days, fixed, names, news, rule, ruling
from rulings_site.pages import compact as in_shards
from rulings_site.pages import topics as topic
from rulings_site.parts import Parts
from rulings_site.remembered import Remembered, State, remember
from rulings_site.render import Site
from rulings_site.sitemap import sitemaps
from rulings_site.writing import MANIFEST, STATE, Fresh, InPlace, damaged, recover, refuse_foreign

_FORM = "rulings-site 2"
_FEW = 3000
"""With more pages to make than this, a fresh folder is quicker than changing pages in place."""

_CHUNK = 250
_SEARCH = "search "
"""How the names of the pages of `client_index` begin."""

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class BuildReport:
    """What a build did. `pages` counts HTML files, `files` all; `written` and `unchanged` are files."""

    pages: int
    files: int
    bytes: int
    written: int
    unchanged: int
    removed: int
    seconds: float


def build(
    knowledge: Knowledge,
    out: Path,
    *,
    rules: ComprehensiveRules | None = None,
    versions: Versions | None = None,
    bears: Mapping[str, Sequence[Bearing]] | None = None,
    topics: Topics | None = None,
    search: Path | None = None,
    base_url: str = "",
    compact: bool = False,
    progress: Progress | None = None,
) -> BuildReport:
    """Render `knowledge` into the folder `out`.

    `rules` is the current version of the Comprehensive Rules (default: the newest of `versions`), `bears` the rules
    found for each ruling, `search` the `search.sqlite` of the base's index (without one the page cannot search),
    `base_url` the address the site will have, for what must be absolute (feeds, sitemap).
    Raises UsageError where `out` holds anything that no build wrote.
    """
    with _Run(out, search, base_url, compact, progress) as run:
        catalogue = Catalogue(
            knowledge, rules=rules or (versions.latest if versions else None), bears=bears, topics=topics
        )
        return run.write(Parts(catalogue, run.site(catalogue), versions))


def build_snapshot(
    snapshot: Snapshot,
    out: Path,
    *,
    around: str,
    versions: Versions | None = None,
    topics: Topics | None = None,
    search: Path | None = None,
    base_url: str = "",
    compact: bool = False,
    progress: Progress | None = None,
) -> BuildReport:
    """The same from a snapshot, in a moment where few rulings changed since the last time. `around` names all of the
    base but its rulings: cards, sources, versions, topics and the like."""
    with _Run(out, search, base_url, compact, progress) as run:
        rules = versions.latest if versions else None
        made_from = digest((own_code(), around, snapshot.name, repr((run.base_url, compact, search is not None))))
        prints = snapshot.prints()
        if (state := run.state()) and state.made_from == made_from:
            catalogue = Remembered(state.kept, snapshot, rules=rules, topics=topics)
            suspects = _suspects(state, prints, run.out, catalogue)
            if suspects is not None:
                site = run.site(catalogue)
                keys = Keys(catalogue, site, versions, prints, state.base)
                now = State(made_from, state.base, prints, catalogue.kept)
                return run.write(Parts(catalogue, site, versions, keys), suspects, lambda: now)
        knowledge = Knowledge(
            rulings=tuple(snapshot.rulings()),
            cards=tuple(snapshot.cards()),
            sources=snapshot.sources,
            tombstones=snapshot.tombstones,
            reviews=snapshot.reviews,
            name=snapshot.name,
        )
        whole = Catalogue(knowledge, rules=rules, bears=snapshot.all_bears(), topics=topics, pages=snapshot.pages())
        site = run.site(whole)
        parts = Parts(whole, site, versions, Keys(whole, site, versions, prints))
        if compact:  # its lists of ids are made from every ruling, so that nothing would be won
            return run.write(parts)
        return run.write(parts, None, lambda: State(made_from, parts.keys.base, prints, remember(whole)))


def _suspects(state: State, prints: Mapping[str, str], out: Path, catalogue: Remembered) -> set[str] | None:
    """What may show the edits since the last time, once `catalogue` has taken them in; None where it has to be
    arranged anew."""
    changed = remembered.changed(state, prints)
    if changed is None:
        return None
    old = {}
    for ruling_id in changed:
        try:
            found = remembered.from_twin((out / f"r/{ruling_id}.json").read_bytes())
        except OSError:
            return None
        if found is None:
            return None
        old[ruling_id] = found
    return catalogue.edited(old)


class _Run:
    """One build into `out`: what is there, and how the new one gets in its place."""

    def __init__(self, out: Path, search: Path | None, base_url: str, compact: bool, progress: Progress | None) -> None:
        self.started = time.perf_counter()
        self.out = Path.cwd() / out
        self.search = search
        self.base_url = base_url.rstrip("/") + "/" if base_url else ""
        self.compact = compact
        self.tell = progress or (lambda step, done, total: None)
        self._collecting = gc.isenabled()

    def __enter__(self) -> _Run:
        with contextlib.ExitStack() as held:
            held.enter_context(alone(self.out))
            recover(self.out)
            self.old = _old_build(self.out)
            self._held = held.pop_all()
        gc.disable()  # half a million small objects that live to the end: looking through them takes longer
        self.tell("arranging", 0, 0)
        return self

    def __exit__(self, *_: object) -> None:
        if self._collecting:
            gc.enable()
        self._held.close()

    def state(self) -> State | None:
        """What the build in `out` remembers."""
        try:
            return remembered.loads((self.out / STATE).read_bytes()) if self.old is not None else None
        except OSError:
            return None

    def site(self, catalogue: Catalogue) -> Site:
        """What is the same on every page."""
        return Site(
            base_url=self.base_url,
            as_of=catalogue.as_of,
            effective=catalogue.effective,
            compact=self.compact,
            with_sets=bool(catalogue.sets) and not self.compact,
        )

    def write(
        self, parts: Parts, suspects: set[str] | None = None, state: Callable[[], State] | None = None
    ) -> BuildReport:
        """Make and write what is not there yet. `suspects`, where they are known, are all that can have changed."""
        writer: Fresh | InPlace | None = None
        aside: Aside | None = None
        try:
            if self.old is not None and suspects is not None:
                writer = InPlace(self.out)
                aside = self._aside(parts, writer)  # before all else: it takes longer
            known = self._known()
            ours = {path for _, _, found in known.values() for path in found}
            plan = list(_plan(parts))
            lost = damaged(self.out, {name: entry for name, entry in known.items() if not name.startswith(_SEARCH)})
            stale = [page for page in plan if page.name in lost or _is_stale(page, known, suspects)]
            names_now = {page.name for page in plan}
            gone = {name for name in known if name not in names_now and not _planned_apart(name)}
            if writer is None and self.old is not None and len(stale) + len(gone) <= _FEW:
                writer = InPlace(self.out)
                aside = self._aside(parts, writer)
            mine = _chunks(stale)
            if writer is None or aside is None:
                writer, known = Fresh(self.out, ours), {}
                search = self._search(parts)
                self._remember(search, writer)
                groups = [*_chunks(plan), *search.groups]
                two = processors() > 1
                aside = Aside(partial(_make_groups, groups[1::2] if two else [], writer, lambda *_: None))
                mine = groups[::2] if two else groups
            made, _ = _make_groups(mine, writer, self.tell)
            if state is not None:
                writer.put([(STATE, state().dumps())], count=False)
            theirs, written = aside.result()
            writer.written += written if aside.apart else 0
            made |= theirs
            manifest = {page.name: made.get(page.name) or known[page.name] for page in plan}
            manifest |= {name: made[name] for name in sorted(made) if name.startswith(_SEARCH)}
            listed = sitemaps([path for _, _, paths in manifest.values() for path in paths], parts.site)
            listed = [*listed, *client_index.offline(manifest)]
            manifest["sitemap"] = ("", sum(len(data) for _, data in listed), tuple(path for path, _ in listed))
            writer.put(listed)
            paths = {path for _, _, found in manifest.values() for path in found}
            writer.put([(MANIFEST, "\n".join([_FORM, *lines(manifest), ""]).encode())], count=False)
            refuse_foreign(self.out, paths - ours)
            self.tell("switching in", 0, 0)
            left = [path for _, _, found in known.values() for path in found if path not in paths]
            absent = [STATE] if state is None else []
            absent += [BEFORE] if self.search is None else []
            writer.finish(left, [name for name in absent if (self.out / name).exists()])
        except BaseException:
            if aside is not None:
                aside.end()
            if writer is not None:
                writer.give_up()
            raise
        aside.end()
        return BuildReport(
            pages=sum(1 for path in paths if path.endswith(".html")),
            files=len(paths),
            bytes=sum(size for _, size, _ in manifest.values()),
            written=writer.written,
            unchanged=len(paths) - writer.written,
            removed=writer.removed,
            seconds=time.perf_counter() - self.started,
        )

    def _known(self) -> Manifest:
        """The pages of the last build."""
        try:
            return entries(self.old or [])
        except ValueError:
            raise _damaged_manifest(self.out) from None

    def _aside(self, parts: Parts, writer: InPlace) -> Aside:
        """The search data in a process of its own: what changed is made, the rest stays."""

        def work() -> tuple[Manifest, int]:
            known = entries([line for line in self.old or [] if line.startswith(_SEARCH)])
            lost = damaged(self.out, known)
            plan = self._search(parts, client_before.load(self.out / BEFORE), lost)

            def stale(group: Sequence[Page]) -> tuple[Manifest, int]:
                some = [page for page in group if page.name in lost or _is_stale(page, known, plan.touched)]
                made, written = _make_groups([some], writer, lambda *_: None)
                return {page.name: made.get(page.name) or known[page.name] for page in group}, written

            beside = Aside(partial(stale, next(plan.groups)))  # the processor that plans pages is free by now
            try:
                self._remember(plan, writer)
                done = [*map(stale, plan.groups), beside.result()]
            finally:
                beside.end()
            return {name: entry for found, _ in done for name, entry in found.items()}, sum(n for _, n in done)

        return Aside(work)

    def _search(
        self, parts: Parts, before: client_before.Before | None = None, lost: Collection[str] = ()
    ) -> client_index.Plan:
        """The plan of the search data."""
        data = SearchData(self.search, FEW if self.compact else ROOMY) if self.search else None
        return client_index.plan(parts, data, before, lost)

    def _remember(self, plan: client_index.Plan, writer: Fresh | InPlace) -> None:
        if plan.state is not None:
            writer.put([(BEFORE, plan.state.dumps())], count=False)


def _planned_apart(name: str) -> bool:
    """Whether a page is of those that are planned apart."""
    return name.startswith(_SEARCH) or name == "sitemap"


def _chunks(pages: Sequence[Page]) -> list[Sequence[Page]]:
    return [pages[at : at + _CHUNK] for at in range(0, len(pages), _CHUNK)]


def _plan(parts: Parts) -> Iterator[Page]:
    """Every page but the search data, and the sitemap, which lists the others."""
    yield from fixed.pages(parts)
    yield from coverage.pages(parts)
    yield from news.pages(parts)
    yield from rule.pages(parts)
    yield from topic.pages(parts)
    yield from days.pages(parts)
    yield from names.pages(parts)
    if parts.site.compact:
        yield from in_shards.pages(parts)
    else:
        yield from ruling.pages(parts)
    yield from card.pages(parts)


def _is_stale(page: Page, known: Manifest, suspects: set[str] | None) -> bool:
    """Whether a page has to be made. `suspects` are names of pages, their folders, and what they show."""
    before = known.get(page.name)
    if before is None:
        return True
    asked = suspects is None or isinstance(page.made_from, str)  # a key that is there costs nothing
    if not asked and suspects.isdisjoint((page.name, page.name.rpartition("/")[0], *page.shows)):  # type: ignore[union-attr]
        return False
    return before[0] != page.key


def _make_groups(groups: Sequence[Sequence[Page]], writer: Fresh | InPlace, tell: Progress) -> tuple[Manifest, int]:
    before = writer.written
    made: Manifest = {}
    done, total = 0, sum(map(len, groups))
    for group in groups:
        tell("writing pages", done, total)
        for page in group:
            files = page.make()
            writer.put(files)
            made[page.name] = (page.key, sum(len(data) for _, data in files), tuple(path for path, _ in files))
        done += len(group)
    return made, writer.written - before


def _old_build(out: Path) -> list[str] | None:
    """The lines of the manifest of what is in `out`; None where there is no build. Raises UsageError where it cannot
    be told which files are ours: a build takes the place of the whole folder."""
    if not out.exists():
        return None
    if not out.is_dir():
        raise UsageError(f"{out} is a file", "name a folder for the site")
    try:
        text = (out / MANIFEST).read_text(encoding="utf-8").split("\n")
    except FileNotFoundError:
        if any(out.iterdir()):
            raise UsageError(
                f"{out} holds files that no build of the site wrote", "name an empty or a new folder"
            ) from None
        return None
    except (OSError, ValueError):
        text = []
    if len(text) < 3 or text[0] != _FORM or text[-1] or not text[-2].startswith("sitemap\t"):
        raise _damaged_manifest(out)
    return text[1:-1]


def _damaged_manifest(out: Path) -> UsageError:
    return UsageError(
        f"{out / MANIFEST}, the list of the files that a build wrote, is damaged or of another version",
        "move your own files out of the folder, remove it and build again, or name a new folder",
    )
