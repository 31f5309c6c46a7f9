"""Half of the work in a process of its own. Pages hold functions, which cannot be sent to a process but are inherited
by one; what comes back are the lines of a manifest and a count."""

from __future__ import annotations

import gc
import os
import signal
import sys
import tempfile
import threading
from collections.abc import Callable, Mapping, Sequence

from rulings.errors import RulingsError

Manifest = dict[str, tuple[str, int, tuple[str, ...]]]
"""Page name -> (key, bytes, paths)."""

Work = Callable[[], tuple[Manifest, int]]
"""What it made, and how many files of it were written."""


def processors() -> int:
    """How many there are to use; 1 where the system cannot fork, or forking is unsafe because threads run."""
    if not hasattr(os, "fork") or threading.active_count() > 1:
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


_asked_by: list[int] = []
"""In a process of ours: who started it, and who that one."""


def abandoned() -> bool:
    """Whether this is a process of ours and the one that started it is gone."""
    return bool(_asked_by) and os.getppid() != _asked_by[-1]


class Aside:
    """Does `work` in a forked process; where there is no second processor, when the result is asked for."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._pid: int | None = None
        self.apart = processors() > 1
        if not self.apart:
            return
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 - closed by end()
        gc.freeze()
        parent = os.getpid()
        self._pid = os.fork()
        if self._pid == 0:
            _asked_by.append(parent)
            code = 1
            try:
                made, written = work()
                self._file.write("\n".join([str(written), *lines(made)]).encode())
                self._file.flush()
                code = 0
            except BaseException as error:  # such as a full disk; no traceback for people
                print(f"rulings: {type(error).__name__}: {error}", file=sys.stderr)
            finally:
                os._exit(code)

    def result(self) -> tuple[Manifest, int]:
        """Waits for the process; what it made."""
        if self._pid is None:
            return self._work()
        _, status = os.waitpid(self._pid, 0)
        self._pid = None
        if status != 0:
            raise RulingsError("a process that writes pages was stopped", "the old site is as it was; build it again")
        self._file.seek(0)
        written, *rest = self._file.read().decode().split("\n")
        return entries(rest), int(written)

    def end(self) -> None:
        """Stops the process if it still runs."""
        if self._pid is not None:
            os.kill(self._pid, signal.SIGTERM)
            os.waitpid(self._pid, 0)
            self._pid = None
        if self.apart:
            self._file.close()
            gc.unfreeze()


def lines(manifest: Mapping[str, tuple[str, int, tuple[str, ...]]]) -> list[str]:
    """A manifest as lines of text."""
    return ["\t".join((name, key, str(size), *paths)) for name, (key, size, paths) in manifest.items()]


def entries(text: Sequence[str]) -> Manifest:
    """Lines of a manifest as data."""
    manifest: Manifest = {}
    for line in text:
        name, key, size, *paths = line.split("\t")
        manifest[name] = (key, int(size), tuple(paths))
    return manifest
