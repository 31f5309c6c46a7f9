"""Builds: fresh when nothing changed, made again when the base changed or the build is damaged, always whole."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from indexer import build
from indexer.cache import cache_of
from rulings.errors import RulingsError
from search.results import Searcher


@pytest.fixture
def kb(sample: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(sample, tmp_path / "kb"))


def edit(kb: Path, old: str, new: str) -> None:
    for path in (kb / "rulings").rglob("*.yaml"):
        text = path.read_text(encoding="utf-8")
        if old in text:
            path.write_text(text.replace(old, new), encoding="utf-8")
            return
    raise AssertionError(old)


def test_built_once(kb: Path) -> None:
    assert build.ensure(kb).made
    assert not build.ensure(kb).made


def test_the_same_content_needs_no_new_build(kb: Path) -> None:
    first = build.ensure(kb)
    for path in (kb / "rulings").rglob("*.yaml"):
        path.touch()
    again = build.ensure(kb)
    assert not again.made and again.folder == first.folder


def test_an_edited_text_is_found_and_shown(kb: Path) -> None:
    before = build.ensure(kb)
    edit(kb, "A tapped planeswalker can be attacked", "A tapped zebra can be attacked")
    after = build.ensure(kb)
    assert after.made and after.folder != before.folder
    results = Searcher(after.index_path).search("zebra")
    assert [hit.text[:14] for hit in results.hits] == ["A tapped zebra"]
    ruling = after.snapshot().ruling(results.hits[0].id)
    assert ruling is not None and "zebra" in ruling.text
    assert Searcher(before.index_path).search("zebra").total == 0  # a reader of the old build sees the old base


def test_an_edited_build_is_what_a_full_build_is(kb: Path) -> None:
    build.ensure(kb)
    edit(kb, "A tapped planeswalker can be attacked", "A tapped zebra can be attacked")
    quick = build.ensure(kb)
    queries = ("zebra", "planeswalker", '"can be attacked"', "topic:energy", "energy symbol")
    found = [Searcher(quick.index_path).search(q).to_json() for q in queries]
    rows = [quick.snapshot().ruling(r.id) for r in quick.snapshot().rulings()]
    full = build.ensure(kb, force=True)
    assert [Searcher(full.index_path).search(q).to_json() for q in queries] == found
    assert [full.snapshot().ruling(r.id) for r in full.snapshot().rulings()] == rows


@pytest.mark.parametrize("part", ["snapshot.sqlite", "index/manifest.json"])
def test_a_damaged_build_is_noticed_and_made_again(kb: Path, part: str) -> None:
    made = build.ensure(kb)
    (made.folder / part).write_bytes(b"damaged")
    assert build.ensure(kb).made
    assert Searcher(build.ensure(kb).index_path).search("energy symbol").total > 0


def test_the_cache_must_be_the_users_own(kb: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (tmp_path / "link").symlink_to(elsewhere)
    monkeypatch.setenv("RULINGS_CACHE", str(tmp_path / "link"))
    with pytest.raises(RulingsError, match="somebody else"):
        cache_of(kb)


def test_the_cache_is_closed_to_others(kb: Path) -> None:
    assert cache_of(kb).stat().st_mode & 0o077 == 0
