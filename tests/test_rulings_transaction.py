"""A change of several files is the old state or the new one, at whatever point it is cut short."""

from __future__ import annotations

import multiprocessing
import os
from pathlib import Path

import pytest

from rulings import transaction
from rulings.errors import RulingsError

OLD: dict[str, bytes | None] = {"a": b"old a", "sub/b": b"old b", "gone": b"old"}
NEW: dict[str, bytes | None] = {"a": b"new a", "sub/b": b"new b", "more/c": b"new c", "gone": None}


def state(folder: Path) -> dict[str, bytes]:
    return {
        p.relative_to(folder).as_posix(): p.read_bytes()
        for p in folder.rglob("*")
        if p.is_file() and not any(part.startswith(".") for part in p.relative_to(folder).parts)
    }


def expected(files: dict[str, bytes | None]) -> dict[str, bytes]:
    return {name: body for name, body in files.items() if body is not None}


def _die_at(folder: str, call: int) -> None:
    """Commit, but die at the n-th step that touches the disk."""
    left = [call]

    def counted(function):  # type: ignore[no-untyped-def]
        def wrapper(*args, **kwargs):  # type: ignore[no-untyped-def]
            if left[0] == 0:
                os._exit(9)
            left[0] -= 1
            return function(*args, **kwargs)

        return wrapper

    os.fsync = counted(os.fsync)
    Path.replace = counted(Path.replace)  # type: ignore[method-assign]
    Path.unlink = counted(Path.unlink)  # type: ignore[method-assign]
    transaction.commit(Path(folder), NEW)
    os._exit(0)


@pytest.mark.parametrize("call", range(24))
def test_cut_short_at_any_step(tmp_path: Path, call: int) -> None:
    transaction.commit(tmp_path, OLD)
    process = multiprocessing.get_context("fork").Process(target=_die_at, args=(str(tmp_path), call))
    process.start()
    process.join()
    with transaction.reading(tmp_path):
        assert state(tmp_path) in (expected(OLD), expected(NEW))
    transaction.commit(tmp_path, NEW)
    assert state(tmp_path) == expected(NEW)
    if process.exitcode == 0:
        assert call > 5  # the steps before were really cut


def test_nothing_changed_writes_nothing(tmp_path: Path) -> None:
    transaction.commit(tmp_path, OLD)
    before = (tmp_path / "a").stat().st_mtime_ns
    assert transaction.commit(tmp_path, {"a": b"old a"}, event=("event", b"x")) == ()
    assert (tmp_path / "a").stat().st_mtime_ns == before
    assert not (tmp_path / "event").exists()


def test_second_writer_is_told(tmp_path: Path) -> None:
    second = transaction.writing(tmp_path)
    with transaction.writing(tmp_path), pytest.raises(RulingsError, match="another command"):
        second.__enter__()


def test_full_disk_leaves_the_old_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    transaction.commit(tmp_path, OLD)

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        transaction.commit(tmp_path, NEW)
    assert state(tmp_path) == expected(OLD)
    assert not (tmp_path / ".staging").exists()
