"""Getting rulings, cards and the Comprehensive Rules from their publishers, as those ask it to be done.

Scryfall: one request to the list of bulk files, then only the files whose `updated_at` is new; a User-Agent and an
Accept header on each request; no more than ten requests a second; no second look within a day. The Comprehensive
Rules: the rules page, then the text it links to, with ETag and If-Modified-Since. Nothing is replaced before the new
file is whole and is what it should be.
"""

from __future__ import annotations

import hashlib
import html
import json
import re
import time
import urllib.parse
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from indexer.download import Client, save
from indexer.sources.dates import DateError, read_date
from indexer.sources.json_stream import JsonStream
from indexer.sources.opening import open_document
from rulings.errors import RulingsError, UsageError

SCRYFALL = "https://api.scryfall.com"
RULES_PAGE = "https://magic.wizards.com/en/rules"
BULK_KINDS = {"rulings": "ruling", "oracle_cards": "card", "default_cards": "card", "all_cards": "card"}
"""The bulk files that can be fetched, and what objects each holds."""
DAY = 24 * 3600.0
_STATE = ".fetched.json"  # an import of the whole folder passes over what begins with a dot


@dataclass(frozen=True, slots=True)
class Fetched:
    """One file: where it is, whether it is new, and how old that state is."""

    kind: str
    path: Path
    new: bool
    as_of: str
    size: int


def fetch_scryfall(
    folder: Path,
    kinds: Sequence[str] = ("rulings", "oracle_cards"),
    *,
    client: Client,
    api: str = SCRYFALL,
    again: bool = False,
    now: Callable[[], float] = time.time,
) -> tuple[Fetched, ...]:
    """Bring the bulk files `kinds` to `folder`. What is here in its newest state is not fetched again; within a day of
    the last look the publisher is not asked at all, unless `again`. Raises RulingsError."""
    for kind in kinds:
        if kind not in BULK_KINDS:
            raise UsageError(f"no bulk file is called {kind!r}", f"there are: {', '.join(BULK_KINDS)}")
    state = _State(folder)
    if not again and all(state.fresh(kind, now()) for kind in kinds):
        return tuple(state.fetched(kind) for kind in kinds)
    found = client.json(f"{api.rstrip('/')}/bulk-data")
    data = found.get("data") if isinstance(found, dict) else None
    entries = {e.get("type"): e for e in data if isinstance(e, dict)} if isinstance(data, list) else {}
    if not entries:
        raise RulingsError(f"{api}: the answer is not Scryfall's list of bulk files")
    results = []
    for kind in kinds:
        entry = entries.get(kind)
        if entry is None or not isinstance(entry.get("download_uri"), str):
            raise RulingsError(f"Scryfall lists no bulk file {kind!r} now", "try again later")
        results.append(_bulk(state, kind, entry, client, now()))
    return tuple(results)


def _bulk(state: _State, kind: str, entry: dict[str, Any], client: Client, now: float) -> Fetched:
    updated = str(entry.get("updated_at") or "")
    if updated and state.has(kind, updated):
        state.looked(kind, now)
        return state.fetched(kind)
    size = entry.get("size")
    date = updated[:10] if re.match(r"\d{4}-\d\d-\d\d", updated) else time.strftime("%Y-%m-%d", time.gmtime(now))
    target = state.folder / f"scryfall-{kind.replace('_', '-')}-{date}.json"

    def check(path: Path) -> None:
        _check_bulk(path, target.name, BULK_KINDS[kind], size if isinstance(size, int) else 0)

    state.prepare()
    told = save(client, entry["download_uri"], target, updated, {"Accept-Encoding": "gzip"}, check)
    if told is None:
        raise RulingsError(f"{target.name}: the server says it has not changed, but it is not here")
    return state.put(kind, target, updated, date, now)


def _check_bulk(path: Path, name: str, kind: str, size: int) -> None:
    """Raise unless `path` is a whole array of these objects, of about the size that was announced."""
    document = open_document(path, name)
    length = count = 0

    def counted() -> Any:
        nonlocal length
        for chunk in document.chunks():
            length += len(chunk.encode("utf-8", "surrogatepass"))
            yield chunk

    stream = JsonStream(counted(), name)
    for _, value in stream.items():
        if not isinstance(value, dict) or value.get("object") != kind:
            raise RulingsError(f"{name}: holds something other than objects {kind!r}; it was not taken")
        count += 1
    stream.end()
    if not count:
        raise RulingsError(f"{name}: holds nothing; it was not taken")
    # `size` counts the unpacked bytes, or in part of the answers the packed ones.
    if length < 0.9 * size and path.stat().st_size < 0.9 * size:
        raise RulingsError(f"{name}: {length} bytes came and {size} were announced; it was not taken")


_LINK = re.compile(
    r"""href\s*=\s*["']([^"']*MagicComp[^"']*\.txt[^"']*)["']|(https?:[^\s"'<>\\]*MagicComp[^\s"'<>\\]*\.txt)""", re.I
)
_EFFECTIVE = re.compile(r"effective as of ([A-Z][a-z]+ \d{1,2}, \d{4})")


def fetch_rules(
    folder: Path,
    *,
    client: Client,
    page: str = RULES_PAGE,
    again: bool = False,
    now: Callable[[], float] = time.time,
) -> Fetched:
    """Bring the current Comprehensive Rules to `folder` as text. Raises RulingsError."""
    state = _State(folder)
    if not again and state.fresh("rules", now()):
        return state.fetched("rules")
    text = client.page(page, "text/html").decode("utf-8", "replace")
    links = [html.unescape(a or b) for a, b in _LINK.findall(text)]
    if not links:
        raise RulingsError(
            f"{page}: no link to the text of the Comprehensive Rules was found",
            "download MagicCompRules*.txt yourself, then: rulings import FILE",
        )
    url = _quoted(urllib.parse.urljoin(page, links[0]))
    known = state.known("rules")
    headers = {}
    if known.get("url") == url and state.has("rules", str(known.get("mark"))):
        headers = {
            k: v for k, v in (("If-None-Match", known.get("etag")), ("If-Modified-Since", known.get("modified"))) if v
        }
    arriving = state.folder / "MagicCompRules.txt"
    effective: list[str] = []

    def check(path: Path) -> None:
        effective.append(_check_rules(path, url))

    state.prepare()
    told = save(client, url, arriving, url, headers, check)
    if told is None:
        state.looked("rules", now())
        return state.fetched("rules")
    target = arriving.with_name(f"MagicCompRules-{effective[0]}.txt")
    arriving.replace(target)
    details = {"url": url, "etag": told.get("ETag", ""), "modified": told.get("Last-Modified", "")}
    return state.put("rules", target, effective[0], effective[0], now(), details)


def _quoted(url: str) -> str:
    """The link with its spaces escaped: the publisher writes `MagicCompRules 20250606.txt`."""
    return urllib.parse.quote(url, safe=":/?&=%#+,;@()[]!$'*~")


def _check_rules(path: Path, url: str) -> str:
    """The effective date of the rules in `path`. Raises unless it is their whole text."""
    text = open_document(path, url.rpartition("/")[2]).text()
    found = _EFFECTIVE.search(text[:5000])
    if "Comprehensive Rules" not in text[:1000] or not found:
        raise RulingsError(f"{url}: is not the text of the Comprehensive Rules; it was not taken")
    if not re.search(r"(?m)^Credits\s*$", text[len(text) // 2 :]) or len(text) < 10_000:
        raise RulingsError(f"{url}: the text is cut off; it was not taken", "try again")
    try:
        return read_date(found[1])
    except DateError as error:
        raise RulingsError(f"{url}: {error}") from None


class _State:
    """What was fetched into a folder: `.fetched.json` there. A file that is gone or changed counts as not fetched."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        try:
            entries = json.loads((folder / _STATE).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            entries = {}
        self._entries: dict[str, dict[str, Any]] = entries if isinstance(entries, dict) else {}

    def prepare(self) -> None:
        """Make the folder."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise RulingsError(f"{self.folder}: cannot be made: {error.strerror or error}") from None

    def known(self, kind: str) -> dict[str, Any]:
        entry = self._entries.get(kind)
        return entry if isinstance(entry, dict) else {}

    def has(self, kind: str, mark: str) -> bool:
        entry = self.known(kind)
        return entry.get("mark") == mark and self._whole(entry)

    def fresh(self, kind: str, now: float) -> bool:
        entry = self.known(kind)
        looked = entry.get("looked")
        return isinstance(looked, int | float) and 0 <= now - looked < DAY and self._whole(entry)

    def _whole(self, entry: dict[str, Any]) -> bool:
        path = self.folder / str(entry.get("file") or "?")
        return path.parent == self.folder and path.is_file() and path.stat().st_size == entry.get("size")

    def fetched(self, kind: str) -> Fetched:
        entry = self.known(kind)
        return Fetched(kind, self.folder / entry["file"], False, str(entry.get("as_of", "")), entry["size"])

    def looked(self, kind: str, now: float) -> None:
        self._entries[kind] = {**self.known(kind), "looked": int(now)}
        self._write()

    def put(
        self, kind: str, path: Path, mark: str, as_of: str, now: float, details: dict[str, str] | None = None
    ) -> Fetched:
        """Note a new file; the one that it replaces goes."""
        before = self.known(kind)
        size = path.stat().st_size
        entry = {"file": path.name, "mark": mark, "as_of": as_of, "size": size, "looked": int(now), **(details or {})}
        entry["sha256"] = _sha256(path)
        self._entries[kind] = entry
        self._write()
        old = self.folder / str(before.get("file") or path.name)
        if old != path and old.parent == self.folder:
            old.unlink(missing_ok=True)
        return Fetched(kind, path, True, as_of, size)

    def _write(self) -> None:
        text = json.dumps(self._entries, indent=1, sort_keys=True) + "\n"
        try:
            part = self.folder / (_STATE + ".part")
            part.write_text(text, encoding="utf-8")
            part.replace(self.folder / _STATE)
        except OSError as error:
            raise RulingsError(f"{_STATE} cannot be written: {error.strerror or error}", "is the disk full?") from None


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
