"""One build at a time into a folder: a lock on a file beside it, which another build does not get."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator
from pathlib import Path

from rulings.errors import RulingsError

try:
    import fcntl
except ImportError:  # Windows has none; there two builds at once are the user's to avoid
    fcntl = None  # type: ignore[assignment]

_BUSY = (errno.EACCES, errno.EAGAIN)


@contextlib.contextmanager
def alone(out: Path) -> Iterator[None]:
    """Raises RulingsError where another process writes `out`. The lock ends with this process, however it ends."""
    real = out.resolve()
    path = real.with_name(f".{real.name}.lock")
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        handle = _locked(path) if fcntl else None
    except OSError as error:
        if error.errno in _BUSY:
            raise RulingsError(f"another build is writing {out}", "wait until it has ended, then try again") from None
        handle = None  # a disk without locks, or a folder in which only the site itself may be written
    try:
        yield
    finally:
        if handle is not None:
            with contextlib.suppress(OSError):
                path.unlink()
            os.close(handle)


def _locked(path: Path) -> int | None:
    """An open file with the lock on it; None where none can be made."""
    while True:
        try:
            handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        except OSError:
            return None
        try:
            fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)  # unlike flock's, no forked process of ours inherits it
            if os.path.samestat(os.fstat(handle), path.stat()):
                return handle
        except FileNotFoundError:
            pass
        except BaseException:
            os.close(handle)
            raise
        os.close(handle)  # who had it before took the file away
