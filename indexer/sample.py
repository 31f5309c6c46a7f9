"""The shipped sample: three ruling pages, and a base made of them."""

from __future__ import annotations

import shutil
from importlib import resources
from pathlib import Path

from indexer import ingest
from indexer.cache import cache_root
from indexer.report import Report
from indexer.sources import ReadOptions
from rulings import __version__, store
from rulings.errors import UsageError
from rulings.model import Knowledge

SOURCE = "seed-pages"
_READY = ".ready"


def sample_pages() -> Path:
    """The folder with the three pages, as they were published."""
    return Path(str(resources.files("rulings.sample") / "pages"))


def make_base(folder: Path, name: str | None = None) -> None:
    """An empty base in `folder`, which is made if need be. Raises UsageError if a base stands there already."""
    if store.is_base(folder):
        raise UsageError(f"{folder} is a base already", "import into it, or choose another folder")
    folder.mkdir(parents=True, exist_ok=True)
    store.save(folder, Knowledge(name=name or folder.resolve().name or "rulings"))


def import_sample(folder: Path, progress: ingest.Progress | None = None) -> Report:
    """Bring the sample pages into the base in `folder`."""
    options = ingest.Options(read=ReadOptions(source=SOURCE))
    return ingest.run(folder, [sample_pages()], options, progress)


def sample_base() -> Path:
    """A base of the sample in the user's cache directory, made at first use."""
    folder = cache_root() / f"sample-{__version__}"
    if not (folder / _READY).exists():
        shutil.rmtree(folder, ignore_errors=True)
        make_base(folder, "sample")
        import_sample(folder)
        (folder / _READY).touch()
    return folder
