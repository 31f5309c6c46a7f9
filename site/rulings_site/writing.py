"""Files of a site onto the disk, so that whoever looks, even after a crash, finds the old site or the new one.

A fresh build is written into a folder beside and switched in. A build in place lays its files ready in a hidden folder
inside the site and, when all are there, a list of what is to be done; then it moves them in. Cut off before the list
stands, nothing has changed; cut off or stopped after it, the next build (`recover`) does what is left of the list
first.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
from collections.abc import Collection, Iterable
from pathlib import Path

from rulings.errors import UsageError
from rulings_site.forked import Manifest, abandoned
from rulings_site.page import Files

MANIFEST = ".rulings-site"
STATE = ".rulings-site.state"
_OURS = MANIFEST
"""How the names of our own files in the root begin."""
_NEXT = ".rulings-site.next-"
_LIST = "list.json"


class Writer:
    """Puts files under a root. `written` and `removed` count files of the site."""

    def __init__(self, root: Path) -> None:
        root.parent.mkdir(parents=True, exist_ok=True)
        self.root = root
        self.written = 0
        self.removed = 0
        self._folders: set[str] = set()

    def put(self, files: Files, *, count: bool = True) -> None:
        """Write `files`; paths are ours (slugs and ids), never a name from a source."""
        if abandoned():
            os._exit(1)  # whoever asked for the files was killed, and the next build may be at work
        base = str(self.root)
        for path, data in files:
            full = f"{base}/{path}"
            folder = full.rpartition("/")[0]
            if folder not in self._folders:
                Path(folder).mkdir(parents=True, exist_ok=True)
                self._folders.add(folder)
            with Path(full).open("xb", buffering=0) as stream:  # two pages of one path are a fault of ours
                stream.write(data)
            self.written += count


class Fresh(Writer):
    """Writes a whole site into a folder beside `out`. `ours` are the paths that the last build wrote there: what else
    is in `out` comes along."""

    def __init__(self, out: Path, ours: Collection[str] = ()) -> None:
        super().__init__(out.with_name(f".{out.name}.new-{os.getpid()}"))
        self.out = out
        self.ours = ours
        shutil.rmtree(self.root, ignore_errors=True)

    def finish(self, gone: Iterable[str], hidden: Iterable[str] = ()) -> None:
        """Put the new folder in the place of the old one, which stands aside until then."""
        aside = self.out.with_name(f".{self.out.name}.old-{os.getpid()}")
        if self.out.exists():
            _bring_along(self.out, self.root, self.ours)
        try:
            if self.out.exists():
                self.out.replace(aside)
            self.root.replace(self.out)
        except BaseException:
            if aside.exists() and not self.out.exists():
                aside.replace(self.out)
            raise
        shutil.rmtree(aside, ignore_errors=True)

    def give_up(self) -> None:
        """Leave the old site as it was."""
        shutil.rmtree(self.root, ignore_errors=True)


class InPlace(Writer):
    """Changes single files of a site."""

    def __init__(self, out: Path) -> None:
        super().__init__(out / f"{_NEXT}{os.getpid()}")
        self.out = out
        self.root.mkdir(exist_ok=True)

    def put(self, files: Files, *, count: bool = True) -> None:
        """Lay ready those files whose bytes differ."""
        super().put([(path, data) for path, data in files if not _holds(self.out / path, data)], count=count)

    def finish(self, gone: Iterable[str], hidden: Iterable[str] = ()) -> None:
        """Move in what lies ready, and take away the files in `gone`, and those of ours in `hidden`."""
        gone = list(gone)
        self.removed = len(gone)
        gone += hidden
        ready = sorted(p.relative_to(self.root).as_posix() for p in self.root.rglob("*") if p.is_file())
        if not ready and not gone:
            shutil.rmtree(self.root, ignore_errors=True)
            return
        _refuse_other_kind(self.out, ready)
        beside = self.root / f"{_LIST}.new"
        beside.write_text(json.dumps({"put": ready, "remove": gone}), encoding="utf-8")
        beside.replace(self.root / _LIST)
        _move_in(self.out, self.root)

    def give_up(self) -> None:
        """Leave the site as it was; once the list stands, files may have moved, and the next build does the rest."""
        if not (self.root / _LIST).exists():
            shutil.rmtree(self.root, ignore_errors=True)


def _holds(path: Path, data: bytes) -> bool:
    try:
        return path.stat().st_size == len(data) and path.read_bytes() == data
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return False


def damaged(out: Path, known: Manifest) -> set[str]:
    """The names of those pages of which a file is missing, or has another size than it was written in."""
    base, stat = f"{out}/", os.stat
    found = set()
    for name, (_, size, paths) in known.items():
        try:
            if sum([stat(base + path).st_size for path in paths]) != size:
                found.add(name)
        except OSError:
            found.add(name)
    return found


def refuse_foreign(out: Path, paths: Iterable[str]) -> None:
    """Raises UsageError where a file that no build wrote stands at one of these new paths, or in the way to it."""
    for path in sorted(paths):
        for place in (path, *(p.as_posix() for p in Path(path).parents[:-1])):
            full = out / place
            if os.path.lexists(full) and (place == path or not full.is_dir()):
                raise _in_the_way(full)


def _refuse_other_kind(out: Path, paths: Iterable[str]) -> None:
    """Raises UsageError where a folder stands in the place of one of these files, or a file in that of its folder."""
    for path in paths:
        if (out / path).is_dir() and not (out / path).is_symlink():
            raise _in_the_way(out / path)
        for place in Path(path).parents[:-1]:
            if os.path.lexists(out / place) and not (out / place).is_dir():
                raise _in_the_way(out / place)


def _in_the_way(path: Path) -> UsageError:
    return UsageError(f"{path} is not of the site, which needs its place", "move it elsewhere and build again")


def _bring_along(out: Path, new: Path, ours: Collection[str]) -> None:
    """Put into `new` every file and folder of `out` that no build wrote. They are linked, not moved: cut off, `out`
    has them still."""
    folders = {parent.as_posix() for path in ours for parent in Path(path).parents}
    for at, inner, names in os.walk(out):
        here = Path(at).relative_to(out)
        top = here == Path()
        if top:
            inner[:] = [name for name in inner if not name.startswith(_NEXT)]
        for name in inner:
            full, path = Path(at, name), here / name
            if full.is_symlink():
                names.append(name)
            elif path.as_posix() not in folders:
                try:
                    (new / path).mkdir(mode=full.stat().st_mode & 0o777 | 0o700, parents=True, exist_ok=True)
                except (FileExistsError, NotADirectoryError):
                    raise _in_the_way(full) from None
        for name in names:
            path = here / name
            if path.as_posix() in ours or (top and name.startswith(_OURS)):
                continue
            (new / path).parent.mkdir(parents=True, exist_ok=True)
            try:
                os.link(out / path, new / path, follow_symlinks=False)
            except FileExistsError:
                raise _in_the_way(out / path) from None
            except OSError:  # no links on this disk
                shutil.copy2(out / path, new / path, follow_symlinks=False)


def _move_in(out: Path, ready: Path) -> None:
    """Do what the list says, our own files last. Each step may have been done already."""
    steps = json.loads((ready / _LIST).read_text(encoding="utf-8"))
    _refuse_other_kind(out, steps["put"])
    own = [path for path in steps["put"] if path.startswith(_OURS)]
    _put_in(out, ready, [path for path in steps["put"] if not path.startswith(_OURS)])
    for path in steps["remove"]:
        with contextlib.suppress(FileNotFoundError, NotADirectoryError):
            if not (out / path).is_dir() or (out / path).is_symlink():  # a folder is somebody else's
                (out / path).unlink()
        with contextlib.suppress(OSError):  # other files are in it
            (out / path).parent.rmdir()
    _put_in(out, ready, own)
    (ready / _LIST).unlink(missing_ok=True)
    shutil.rmtree(ready, ignore_errors=True)


def _put_in(out: Path, ready: Path, paths: Iterable[str]) -> None:
    for path in paths:
        with contextlib.suppress(FileNotFoundError):
            (out / path).parent.mkdir(parents=True, exist_ok=True)
            (ready / path).replace(out / path)


def recover(out: Path) -> None:
    """End what a build that was cut off began, or take away what it left."""
    for ready in sorted(out.glob(f"{_NEXT}*")) if out.is_dir() else ():
        if (ready / _LIST).exists():
            _move_in(out, ready)
        elif not _runs(int(ready.name.removeprefix(_NEXT))):
            shutil.rmtree(ready, ignore_errors=True)
    left = re.compile(rf"\.{re.escape(out.name)}\.(new|old)-(\d+)")
    for folder in sorted(out.parent.iterdir()) if out.parent.is_dir() else ():
        found = left.fullmatch(folder.name)
        if not found or _runs(int(found[2])):
            continue
        if found[1] == "old" and not out.exists():
            folder.replace(out)  # cut off between the two steps of the switch
        else:
            shutil.rmtree(folder, ignore_errors=True)


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return pid != os.getpid()
