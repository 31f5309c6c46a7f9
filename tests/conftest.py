"""Shared by all tests: a cache of their own, the sample base, and where the large corpus lies if it is there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("default", deadline=None)  # shared machines stall; slowness is measured elsewhere
settings.load_profile("default")

SHARED = Path(__file__).resolve().parents[2] / "shared"


@pytest.fixture(autouse=True, scope="session")
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """No test touches the cache of the person who runs it."""
    patch = pytest.MonkeyPatch()
    folder = tmp_path_factory.mktemp("cache")
    folder.chmod(0o700)
    patch.setenv("RULINGS_CACHE", str(folder))
    patch.delenv("RULINGS_KB", raising=False)
    yield folder
    patch.undo()


@pytest.fixture(scope="session")
def sample(own_cache: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A base of the shipped sample. Tests only read it."""
    from indexer.sample import import_sample, make_base

    folder = tmp_path_factory.mktemp("sample") / "base"
    make_base(folder)
    import_sample(folder)
    return folder


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of the corpus and the gold data."""
    if not SHARED.is_dir():
        pytest.skip("the corpus is not beside this checkout (../shared)")
    return SHARED
