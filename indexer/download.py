"""One polite download: headers, pauses, retries, resuming, and nothing replaced before it is whole and checked.

`Client` asks; `save` brings a file into place. Where things are and what they mean is `indexer.fetch`.
"""

from __future__ import annotations

import email.utils
import http.client
import json
import os
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from rulings import __version__
from rulings.errors import RulingsError

USER_AGENT = f"mtg-rulings/{__version__}"
_CHUNK = 1 << 18
MAX_BYTES = 4 << 30


@dataclass(slots=True)
class Client:
    """How to ask. `delay` seconds pass between two requests (Scryfall: 10 a second at most). A 429 is obeyed: without
    a Retry-After it means half a minute. `sleep` is there for tests."""

    offline: bool = False
    delay: float = 0.1
    timeout: float = 30.0
    attempts: int = 5
    limited: float = 30.0
    longest_wait: float = 120.0
    sleep: Callable[[float], None] = time.sleep
    tell: Callable[[str], None] = lambda message: None
    _last: float = field(default=0.0)

    @contextmanager
    def get(self, url: str, headers: Mapping[str, str] | None = None) -> Iterator[Answer]:
        """The answer to one request, with status 200, 206, 304 or 416. Everything else is tried again or raises
        RulingsError. What is raised while the answer is read is not tried again here."""
        response = self._ask(url, headers or {})
        try:
            yield Answer(response, url)
        finally:
            response.close()

    def _ask(self, url: str, headers: Mapping[str, str]) -> http.client.HTTPResponse | urllib.error.HTTPError:
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.netloc:
            raise RulingsError(f"not a web address: {url}")
        if self.offline:
            raise RulingsError(f"nothing is fetched offline: {parts.netloc} was not asked", "leave --offline out")
        request = urllib.request.Request(url, headers={"User-Agent": USER_AGENT, "Accept": "*/*", **headers})
        reason = ""
        for attempt in range(self.attempts):
            self._pause()
            wait = 2.0**attempt
            try:
                response: http.client.HTTPResponse = urllib.request.urlopen(request, timeout=self.timeout)
                return response
            except urllib.error.HTTPError as error:
                if error.code in (304, 416):
                    return error
                reason = f"{error.code} {error.reason}"
                given = _retry_after(error.headers.get("Retry-After"))
                error.close()
                if error.code == 429:
                    wait = given if given is not None else self.limited
                elif error.code < 500:
                    raise RulingsError(f"{url}: the server answers {reason}") from None
                elif given is not None:
                    wait = given
                if wait > self.longest_wait:
                    raise RulingsError(
                        f"{url}: the server answers {reason} and asks to wait {wait:.0f} s", "try again later"
                    ) from None
            except (OSError, http.client.HTTPException) as error:  # URLError and timeouts are OSErrors
                reason = str(getattr(error, "reason", "") or error) or type(error).__name__
            if attempt + 1 < self.attempts:
                self.tell(f"{parts.netloc}: {reason}; trying again in {wait:g} s")
                self.sleep(wait)
        raise RulingsError(
            f"{parts.netloc} gives no answer after {self.attempts} tries: {reason}",
            "is there a network? What was fetched so far is kept and goes on the next time",
        )

    def _pause(self) -> None:
        passed = time.monotonic() - self._last
        if passed < self.delay:
            self.sleep(self.delay - passed)
        self._last = time.monotonic()

    def page(self, url: str, accept: str) -> bytes:
        """A short answer as a whole; a connection that is cut is tried again."""
        for attempt in range(self.attempts):
            with self.get(url, {"Accept": accept}) as answer:
                data = answer.all(1 << 25)
                if not answer.cut and (answer.length is None or answer.length == len(data)):
                    return data
            if attempt + 1 < self.attempts:
                self.sleep(2.0**attempt)
        raise RulingsError(f"{url}: the connection is cut again and again", "try again later")

    def json(self, url: str) -> object:
        """The JSON that `url` answers with."""
        data = self.page(url, "application/json")
        try:
            value: object = json.loads(data)
            return value
        except (ValueError, RecursionError):
            raise RulingsError(f"{url}: the answer is not JSON: {data[:60]!r}") from None


def _retry_after(value: str | None) -> float | None:
    """Seconds to wait, from either form of the header."""
    if value is None:
        return None
    if value.strip().isdigit():
        return float(value)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - time.time())
    except ValueError:
        return None


class Answer:
    """What a server answered: status, headers, and the body in pieces."""

    def __init__(self, response: http.client.HTTPResponse | urllib.error.HTTPError, url: str) -> None:
        self._response = response
        self.url = url
        self.status: int = response.status or 0
        self.cut = False  # set while the pieces are read

    def header(self, name: str) -> str:
        return self._response.headers.get(name) or ""

    def pieces(self) -> Iterator[bytes]:
        """The body. Ends early without an error where the connection was cut: see `cut`, and compare `length`."""
        while True:
            try:
                piece = self._response.read(_CHUNK)
            except http.client.IncompleteRead as broken:
                self.cut = True
                yield broken.partial
                return
            except (OSError, http.client.HTTPException):
                self.cut = True
                return
            if not piece:
                return
            yield piece

    def all(self, limit: int) -> bytes:
        """The body of a short answer, as far as it comes. Raises RulingsError where it is longer than `limit`."""
        data = b""
        for piece in self.pieces():
            data += piece
            if len(data) > limit:
                raise RulingsError(f"{self.url}: the answer is longer than {limit >> 20} MB")
        return data

    @property
    def length(self) -> int | None:
        """How long the body of this answer is, where the server says."""
        value = self.header("Content-Length")
        return int(value) if value.isdigit() else None


def save(
    client: Client, url: str, target: Path, mark: str, headers: Mapping[str, str], check: Callable[[Path], None]
) -> Mapping[str, str] | None:
    """Download `url` to `target`. None where the server says that it has not changed (304).

    What arrives goes to `.target.part` first. If the connection is cut, or the program is, the next try goes on where
    it ended, as long as `mark` (the state of the file at the server) is the same. `check` raises if the file is not
    what it should be; only then it takes the place of `target`. Returns the headers of the answer that matter.
    """
    part = target.with_name(f".{target.name}.part")
    note = target.with_name(f".{target.name}.part.json")
    try:
        told = _receive(client, url, part, note, mark, headers)
        if told is None:
            return None
        try:
            check(part)
        except RulingsError:
            part.unlink(missing_ok=True)  # a wrong file is not worth going on with
            note.unlink(missing_ok=True)
            raise
        with part.open("rb") as file:
            os.fsync(file.fileno())
        part.replace(target)
        note.unlink(missing_ok=True)
    except OSError as error:
        raise RulingsError(f"{target.name} cannot be written: {error.strerror or error}", "is the disk full?") from None
    return told


def _receive(
    client: Client, url: str, part: Path, note: Path, mark: str, headers: Mapping[str, str]
) -> Mapping[str, str] | None:
    for _ in range(client.attempts):
        done, etag = _resume_from(part, note, url, mark)
        asked = dict(headers)
        if done:
            asked = {**{k: v for k, v in headers.items() if not k.startswith("If-")}, "Range": f"bytes={done}-"}
            if etag:
                asked["If-Range"] = etag
        with client.get(url, asked) as answer:
            if answer.status == 304:
                return None
            if answer.status == 416:  # we hold more than there is
                part.unlink(missing_ok=True)
                continue
            resumed = answer.status == 206 and answer.header("Content-Range").startswith(f"bytes {done}-")
            if answer.status == 206 and not resumed:
                part.unlink(missing_ok=True)
                continue
            told = {name: answer.header(name) for name in ("ETag", "Last-Modified", "Content-Encoding", "Content-Type")}
            note.write_text(json.dumps({"url": url, "mark": mark, "etag": told["ETag"]}), encoding="utf-8")
            expected = answer.length
            got = 0
            with part.open("ab" if resumed else "wb") as file:
                for piece in answer.pieces():
                    file.write(piece)
                    got += len(piece)
                    if got + done > MAX_BYTES:
                        raise RulingsError(f"{url}: longer than {MAX_BYTES >> 30} GB")
        if not answer.cut and (expected is None or got == expected):
            return told
        client.tell(f"the connection was cut after {got} of {expected} bytes; going on")
    raise RulingsError(f"{url}: the connection is cut again and again", "what has come is kept; try again later")


def _resume_from(part: Path, note: Path, url: str, mark: str) -> tuple[int, str]:
    """How many bytes of this very state of the file are there already, and its ETag."""
    try:
        known = json.loads(note.read_text(encoding="utf-8"))
        if known.get("url") == url and known.get("mark") == mark and part.exists():
            return part.stat().st_size, str(known.get("etag") or "")
    except (OSError, ValueError, AttributeError):
        pass
    part.unlink(missing_ok=True)
    return 0, ""
