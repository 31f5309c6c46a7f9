"""Writes the site: from a base into a folder. The only module here that touches files outside the package.

A first build, and one in which much changed, goes into a fresh folder beside the old one and takes its place when it
is whole. Where few pages changed, only those are written, each by rename. The manifest (`.rulings-site`) holds a key
for every page; it is taken away while pages change, so that a build that was cut off is never taken for whole.
"""

from __future__ import annotations

import gc
import os
import shutil
import signal
import tempfile
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rulings.errors import RulingsError, UsageError
from rulings.model import Knowledge
from rulings.rules.model import ComprehensiveRules
from rulings.rules.versions import Versions
from rulings.topics import Topics
from rulings_site import client_index
from rulings_site.catalogue import Bearing, Catalogue
from rulings_site.client_base import FEW, ROOMY, SearchData
from rulings_site.page import Files, Page
from rulings_site.pages import card, days, fixed, names, news, rule, ruling
from rulings_site.pages import compact as in_shards
from rulings_site.pages import topics as topic
from rulings_site.parts import Parts
from rulings_site.render import Site
from rulings_site.sitemap import sitemaps

MANIFEST = ".rulings-site"
_FORM = "rulings-site 1"
_FEW = 3000
"""With more pages to make than this, a fresh folder is quicker and safer than changing pages in place."""

_CHUNK = 250

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
    started = time.perf_counter()
    tell = progress or (lambda step, done, total: None)
    out = Path.cwd() / out
    old = _old_build(out)
    collecting = gc.isenabled()
    gc.disable()  # half a million small objects that live to the end: looking through them takes longer than the rest
    try:
        tell("arranging", 0, 0)
        rules = rules or (versions.latest if versions else None)
        catalogue = Catalogue(knowledge, rules=rules, bears=bears, topics=topics)
        site = Site(
            base_url=_slashed(base_url),
            as_of=catalogue.as_of,
            effective=catalogue.effective,
            compact=compact,
            with_sets=bool(catalogue.sets) and not compact,
        )
        plan = list(
            _plan(Parts(catalogue, site, versions), SearchData(search, FEW if compact else ROOMY) if search else None)
        )
        return _write(plan, out, old, site, tell, started)
    finally:
        if collecting:
            gc.enable()


def _plan(parts: Parts, data: SearchData | None) -> Iterator[Page]:
    """Every page but the sitemap, which lists the others."""
    yield from fixed.pages(parts)
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
    yield from client_index.pages(parts, data)


def _slashed(base_url: str) -> str:
    return base_url.rstrip("/") + "/" if base_url else ""


Manifest = dict[str, tuple[str, int, tuple[str, ...]]]
"""Page name -> (key, bytes, paths)."""


def _old_build(out: Path) -> Manifest | None:
    """The manifest of what is in `out`; None where there is no build, or one that was cut off."""
    if not out.exists():
        return None
    if not out.is_dir():
        raise UsageError(f"{out} is a file", "name a folder for the site")
    try:
        text = (out / MANIFEST).read_text(encoding="utf-8")
    except FileNotFoundError:
        if any(out.iterdir()) and not (out / f"{MANIFEST}.unfinished").exists():
            raise UsageError(
                f"{out} holds files that no build of the site wrote", "name an empty or a new folder"
            ) from None
        return None
    lines = text.split("\n")
    if lines[0] != _FORM:
        return None
    return _entries(lines[1:-1])


def _write(
    plan: Sequence[Page], out: Path, old: Manifest | None, site: Site, tell: Progress, started: float
) -> BuildReport:
    known = old or {}
    stale = [page for page in plan if page.name not in known or known[page.name][0] != page.key]
    gone = set(known) - {page.name for page in plan}
    if old is not None and len(stale) + len(gone) <= _FEW:
        writer = _Writer(out, fresh=False)
        if stale or gone:
            # From here until the end the folder is not a whole build.
            (out / MANIFEST).replace(out / f"{MANIFEST}.unfinished")
    else:
        stale, known, gone = list(plan), {}, set()
        fresh = out.with_name(f".{out.name}.new-{os.getpid()}")
        shutil.rmtree(fresh, ignore_errors=True)
        writer = _Writer(fresh, fresh=True)
    try:
        manifest = _make(plan, stale, known, writer, tell)
        listed = sitemaps([path for _, _, paths in manifest.values() for path in paths], site)
        listed = [*listed, *client_index.offline(manifest)]
        manifest["sitemap"] = ("", sum(len(data) for _, data in listed), tuple(path for path, _ in listed))
        if stale or gone or writer.fresh:
            writer.put(listed)
            _finish(manifest, known, writer)
        if writer.fresh:
            tell("switching in", 0, 0)
            _switch(writer.root, out)
    except BaseException:
        if writer.fresh:
            shutil.rmtree(writer.root, ignore_errors=True)
        raise
    paths = [path for _, _, found in manifest.values() for path in found]
    return BuildReport(
        pages=sum(1 for path in paths if path.endswith(".html")),
        files=len(paths),
        bytes=sum(size for _, size, _ in manifest.values()),
        written=writer.written,
        unchanged=len(paths) - writer.written,
        removed=writer.removed,
        seconds=time.perf_counter() - started,
    )


def _make(plan: Sequence[Page], stale: Sequence[Page], known: Manifest, writer: _Writer, tell: Progress) -> Manifest:
    """Make what is stale; the manifest of everything."""
    made = _make_share(stale, writer, range(0, len(stale), _CHUNK), tell)
    return {page.name: made.get(page.name) or known[page.name] for page in plan}


def _make_share(stale: Sequence[Page], writer: _Writer, starts: Sequence[int], tell: Progress) -> Manifest:
    """Make the chunks that begin at `starts`; where there is much to do, half of them in a process of its own."""
    helper = None
    if len(starts) * _CHUNK > _FEW and _processors() > 1:
        helper = _Helper(lambda: _make_chunks(stale, writer, starts[1::2], lambda step, done, total: None))
        starts = starts[::2]
    try:
        made = _make_chunks(stale, writer, starts, tell)
        if helper is not None:
            theirs = helper.result()
            made |= theirs
            writer.written += sum(len(paths) for _, _, paths in theirs.values())
        return made
    finally:
        if helper is not None:
            helper.end()


def _make_chunks(stale: Sequence[Page], writer: _Writer, starts: Sequence[int], tell: Progress) -> Manifest:
    made: Manifest = {}
    for start in starts:
        tell("writing pages", start, len(stale))
        for page in stale[start : start + _CHUNK]:
            files = page.make()
            writer.put(files)
            made[page.name] = (page.key, sum(len(data) for _, data in files), tuple(path for path, _ in files))
    return made


def _processors() -> int:
    """How many there are to use; 1 where the system cannot fork, or forking is unsafe because threads run."""
    if not hasattr(os, "fork") or threading.active_count() > 1:
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class _Helper:
    """A forked process that runs `work` and hands back its manifest through a file. Pages hold functions, which
    cannot be sent to a process but are inherited by one."""

    def __init__(self, work: Callable[[], Manifest]) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 - closed by end()
        gc.freeze()
        self._pid: int | None = os.fork()
        if self._pid == 0:
            code = 1
            try:
                lines = ["\t".join((name, key, str(size), *paths)) for name, (key, size, paths) in work().items()]
                self._file.write("\n".join(lines).encode())
                self._file.flush()
                code = 0
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(code)

    def result(self) -> Manifest:
        """Waits for the process; what it made."""
        assert self._pid is not None
        _, status = os.waitpid(self._pid, 0)
        self._pid = None
        if status != 0:
            raise RulingsError("a process that writes pages was stopped", "the old site is as it was; build it again")
        self._file.seek(0)
        text = self._file.read().decode()
        return _entries(text.split("\n") if text else [])

    def end(self) -> None:
        """Stops the process if it still runs."""
        if self._pid is not None:
            os.kill(self._pid, signal.SIGTERM)
            os.waitpid(self._pid, 0)
            self._pid = None
        self._file.close()
        gc.unfreeze()


def _entries(lines: Sequence[str]) -> Manifest:
    """Lines of a manifest as data."""
    manifest: Manifest = {}
    for line in lines:
        name, key, size, *paths = line.split("\t")
        manifest[name] = (key, int(size), tuple(paths))
    return manifest


def _finish(manifest: Manifest, known: Manifest, writer: _Writer) -> None:
    """Take away what no page is any more, and write the manifest."""
    kept = {path for _, _, paths in manifest.values() for path in paths}
    for _, _, paths in known.values():
        for path in paths:
            if path not in kept:
                writer.remove(path)
    lines = [_FORM, *("\t".join((name, key, str(size), *paths)) for name, (key, size, paths) in manifest.items()), ""]
    writer.put([(MANIFEST, "\n".join(lines).encode())], count=False)
    (writer.root / f"{MANIFEST}.unfinished").unlink(missing_ok=True)


class _Writer:
    """Writes files under a root: straight into a fresh folder, else by rename and only where the bytes differ."""

    def __init__(self, root: Path, *, fresh: bool) -> None:
        self.root = root
        self.fresh = fresh
        self.written = 0
        self.removed = 0
        self._base = str(root)
        self._folders: set[str] = set()

    def put(self, files: Files, *, count: bool = True) -> None:
        """Write `files`; paths are ours (slugs and ids), never a name from a source."""
        for path, data in files:
            full = f"{self._base}/{path}"
            folder = full.rpartition("/")[0]
            if folder not in self._folders:
                Path(folder).mkdir(parents=True, exist_ok=True)
                self._folders.add(folder)
            if self.fresh:
                with Path(full).open("xb", buffering=0) as stream:
                    stream.write(data)
            else:
                try:
                    if Path(full).read_bytes() == data:
                        continue
                except FileNotFoundError:
                    pass
                Path(f"{full}.new").write_bytes(data)
                Path(f"{full}.new").replace(full)
            self.written += count

    def remove(self, path: str) -> None:
        """Take a file away, and its folder where that leaves it empty."""
        full = self.root / path
        full.unlink(missing_ok=True)
        self.removed += 1
        try:
            full.parent.rmdir()
        except OSError:
            return


def _switch(fresh: Path, out: Path) -> None:
    """Put `fresh` in the place of `out`. The old folder stands aside until the new one is in."""
    aside = out.with_name(f".{out.name}.old-{os.getpid()}")
    out.parent.mkdir(parents=True, exist_ok=True)
    if out.exists():
        out.replace(aside)
    try:
        fresh.replace(out)
    except BaseException:
        if aside.exists():
            aside.replace(out)
        raise
    shutil.rmtree(aside, ignore_errors=True)
