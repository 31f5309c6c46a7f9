"""Hostile files: each gives a clear RulingsError, never a traceback, and never eats the memory."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import pytest

from indexer.sources import ReadOptions, json_stream, opening, read
from indexer.sources.json_stream import JsonStream
from rulings.errors import RulingsError, UsageError


@pytest.mark.parametrize(
    ("content", "match"),
    [
        (b"", "empty"),
        (b" \n\n ", "empty"),
        (gzip.compress(b"", mtime=0), "empty"),
        (bytes(range(256)) * 20, "binary"),
        (b"\x7fELF\x02\x01\x01" + bytes(100), "binary"),
        (b"PK\x03\x04" + bytes(50), "zip"),
        (b"%PDF-1.7", "PDF"),
        ("Ajani\n\nIt’s here.\n".encode("cp1252"), r"not UTF-8 \(byte 9\)"),
        ("Ajani\n\nIt’s here.\n".encode("utf-16-le"), "binary"),
        (gzip.compress(b"Ajani\n\nText here.\n" * 500, mtime=0)[:60], "damaged or cut off"),
        (b"\x1f\x8b\x08\x00 no gzip", "damaged"),
        (b'{"meta": {"date": "2024"}, "data": {"cards": [', "not valid JSON: .*cut off|not valid JSON"),
        (b'[{"object": "ruling", "comment": "x" "y"}]', "not valid JSON"),
        ("Ajani\n\nIt’s here.\n".encode("utf-32"), "UTF-32"),
        ("Ajani\n\nIt’s here.\n".encode("utf-16")[:-1], "begins as UTF-16"),
        (b'{"a":' * 60_000, "nested too deeply"),
        (b'{"data":' * 50_000 + b"1" + b"}" * 50_000, "nested too deeply"),
        (b"# Sources\nschema: 1\nsources:\n- name: wotc\n", "is a file of a base"),
        (
            b"Magic: The Gathering Comprehensive Rules\n\nThese rules are effective as of February 30, 2024.\n\n1. X\n",
            "effective date line",
        ),
        (
            b"Magic: The Gathering Comprehensive Rules\n\nThese rules are effective as of Someday.\n\n1. X\n",
            "effective date line",
        ),
        (b"[" * 500_000, "nested too deeply"),
        (b'{"object": "list", "data": ' + b"[" * 200_000, "nested too deeply"),
        (b'{"some": "thing", "else": [1, 2]}', "no cards found"),
        (b'[{"object": "card", "cmc": ' + b"1" * 5000 + b"}]", "not valid JSON"),
    ],
)
def test_bad_files(tmp_path: Path, content: bytes, match: str) -> None:
    path = tmp_path / "file.bin"
    path.write_bytes(content)
    with pytest.raises(RulingsError, match=match) as caught:
        read(path)
    assert caught.value.message.startswith("file.bin")


def test_hint_for_windows_1252(tmp_path: Path) -> None:
    path = tmp_path / "page.txt"
    path.write_bytes("Ajani\n\nIt’s here.\n".encode("cp1252"))
    with pytest.raises(RulingsError) as caught:
        read(path)
    assert "'’' in Windows-1252" in caught.value.hint


def test_bad_bytes_far_from_the_start(tmp_path: Path) -> None:
    path = tmp_path / "page.txt"
    path.write_bytes(b"Ajani\n\n" + b"Text that goes on and on.\n\n" * 60_000 + b"It\x92s here.")
    with pytest.raises(RulingsError, match="not UTF-8"):
        read(path)


def test_missing_folder_and_permission(tmp_path: Path) -> None:
    with pytest.raises(RulingsError, match="no such file"):
        read(tmp_path / "nothing.txt")
    with pytest.raises(RulingsError, match="is a folder"):
        read(tmp_path)
    path = tmp_path / "locked.txt"
    path.write_text("Ajani\n\nText.\n", encoding="utf-8")
    path.chmod(0)
    if os.access(path, os.R_OK):
        pytest.skip("this user may read everything")
    with pytest.raises(RulingsError, match="no permission"):
        read(path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes in the file system here")
def test_a_pipe_does_not_hang(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(RulingsError, match="pipe or a device"):
        read(tmp_path / "pipe")


def test_an_as_of_that_is_no_date(tmp_path: Path) -> None:
    path = tmp_path / "page.txt"
    path.write_text("Ajani\n\nText.\n", encoding="utf-8")
    for wrong in ("x", "2024-13-01", "2024-02-30", "", "٢٠٢٤"):
        with pytest.raises(UsageError, match="no date"):
            read(path, options=ReadOptions(as_of=wrong))


def test_a_size_bomb_is_not_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "rulings.json.gz"
    with gzip.open(path, "wb") as file:
        file.write(b"[")
        for _ in range(64):
            file.write(b" " * (1 << 20))
    assert path.stat().st_size < 1 << 18
    for format in ("scryfall", "jsonl", "text-pages", "mtgjson"):
        with pytest.raises(RulingsError, match=r"size bomb|MB"):
            read(path, options=ReadOptions(format=format))
    monkeypatch.setattr(opening, "MAX_UNPACKED", 1 << 20)
    path.write_bytes(gzip.compress(os.urandom(1 << 20).hex().encode()))
    with pytest.raises(RulingsError, match="unpacks to more than"):
        read(path, options=ReadOptions(format="text-pages"))


def test_one_endless_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "MAX_DOCUMENT", 4 << 20)
    monkeypatch.setattr(opening, "MAX_LINE", 2 << 20)
    monkeypatch.setattr(json_stream, "MAX_VALUE", 4 << 20)
    path = tmp_path / "line"
    path.write_bytes(b"all work and no play " * 500_000)
    for format in ("text-pages", "csv", "gatherer", "release-notes", "jsonl"):
        with pytest.raises(RulingsError, match=r"too large|longer than"):
            read(path, options=ReadOptions(format=format))
    with path.open("r+b") as file:
        file.write(b'[{"object": "card", "name": "')
    with pytest.raises(RulingsError, match="not valid JSON"):
        read(path)


def test_a_file_that_changes_while_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "page.txt"
    path.write_text("Ajani\n\nText.\n", encoding="utf-8")
    document = opening.open_document(path)
    path.write_text("Ajani\n\nOther text.\n", encoding="utf-8")
    with pytest.raises(RulingsError, match="changed while it was read"):
        document.text()


def test_streaming_gives_what_json_gives() -> None:
    value = {"a": [1, 22, {"b": "{E} \\u00e9 é", "c": [None, True, -1.5e3]}], "d e": "}]", "f": 12345}
    text = json.dumps(value, indent=1)
    for size in (1, 2, 7, 1000):
        stream = JsonStream(iter([text[i : i + size] for i in range(0, len(text), size)]), "x")
        read_back: dict[str, object] = {}
        for key in stream.members():
            read_back[key] = [v for _, v in stream.items()] if stream.peek() == "[" else stream.value()
        stream.end()
        assert read_back == value


@pytest.mark.parametrize(
    "text", ["[1, 2", "[1 2]", "[1,, 2]", '{"a" 1}', "{1: 2}", '{"a": 1} x', "", "[,]", '["\x01"]']
)
def test_streaming_says_where_json_is_broken(text: str) -> None:
    stream = JsonStream(iter([text]), "x")
    with pytest.raises(RulingsError, match=r"x:1: not valid JSON"):
        if stream.peek() == "{":
            for _ in stream.members():
                stream.value()
        else:
            list(stream.items())
        stream.end()
