"""The HTTP service as a WSGI application: JSON under /api/v1/, else the files of the static site.

It only reads. Every answer has the names that the command line's --json has. Faults are JSON too: `error`, `hint`,
and for a query the `column`. An old id answers 308 to the surviving one, a withdrawn one 410 with the reason.
"""

from __future__ import annotations

import contextlib
import http
import json
import mimetypes
import threading
import time
import urllib.parse
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from indexer import build
from rulings import __version__, topics
from rulings.codec import is_date
from rulings.errors import QueryError, RulingsError, UsageError
from search import exporting
from search.finding import NotFound, card_by_name, ruling_by_id
from search.results import Searcher
from search.showing import CardView, find, ruling_json
from search.showing_rules import has_rules

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIEnvironment

MAX_BODY = 1_000_000
MAX_LIMIT = 100
_LOOK_AGAIN = 2.0
"""Seconds after which a request looks whether the base has changed."""

_HEADERS = [
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Access-Control-Allow-Origin", "*"),
    ("Server", f"rulings/{__version__}"),
]


@dataclass(frozen=True, slots=True)
class Answer:
    """What goes back. `body` is JSON data, or bytes with `content_type`."""

    status: int
    body: Any
    content_type: str = "application/json"
    headers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Request:
    """What came in, decoded."""

    method: str
    path: str
    query: Mapping[str, str]
    body: bytes = b""

    def number(self, name: str, default: int, most: int) -> int:
        """A whole number from the query. Raises UsageError."""
        value = self.query.get(name)
        if value is None:
            return default
        if not value.isascii() or not value.isdigit():
            raise UsageError(f"{name} is {value!r}", f"a whole number, at most {most}")
        return min(int(value[:9]), most)


class App:
    """The service of one base. Safe to call from several threads."""

    def __init__(self, base: Path, site: Path | None = None) -> None:
        self.base = base
        self.site = site
        self._lock = threading.Lock()
        self._looked = 0.0
        self._build: build.Build | None = None
        self._searcher: tuple[Path, Searcher] | None = None
        self._routes: tuple[tuple[str, Callable[[Request, str], Answer]], ...] = (
            ("search", self._search),
            ("rulings", self._ruling),
            ("cards", self._card),
            ("topics", self._topics),
            ("rules", self._rule),
            ("cite", self._cite),
            ("lookup", self._lookup),
            ("status", self._status),
            ("export.jsonl", self._export),
        )

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        method = str(environ.get("REQUEST_METHOD", "GET"))
        try:
            answer = self.answer(self._request(environ, method))
        except NotFound as error:
            answer = _fault(404, error, suggestions=list(error.suggestions))
        except QueryError as error:
            answer = _fault(400, error, column=error.column, query=error.query)
        except UsageError as error:
            answer = _fault(400, error)
        except RulingsError as error:
            answer = _fault(500, error)
        body = answer.body if isinstance(answer.body, bytes) else json.dumps(answer.body, ensure_ascii=False).encode()
        content_type = answer.content_type
        if content_type.startswith(("text/", "application/json", "application/javascript")):
            content_type += "; charset=utf-8"
        head = [("Content-Type", content_type), ("Content-Length", str(len(body))), *_HEADERS, *answer.headers]
        start_response(f"{answer.status} {http.HTTPStatus(answer.status).phrase}", head)
        return [] if method == "HEAD" else [body]

    @staticmethod
    def _request(environ: WSGIEnvironment, method: str) -> Request:
        raw = str(environ.get("PATH_INFO", "/")).encode("latin-1", "replace")
        path = raw.decode("utf-8", "replace")
        pairs = urllib.parse.parse_qsl(str(environ.get("QUERY_STRING", "")), keep_blank_values=True)
        length = str(environ.get("CONTENT_LENGTH") or "0")
        size = int(length) if length.isdigit() else 0
        if size > MAX_BODY:
            raise UsageError(f"the text has {size} bytes", f"at most {MAX_BODY}")
        body = environ["wsgi.input"].read(size) if size else b""
        return Request(method, path, dict(pairs), body)

    def answer(self, request: Request) -> Answer:
        """The answer to one request. Raises RulingsError for what `__call__` turns into JSON."""
        if request.method == "OPTIONS":
            return Answer(204, b"", headers=(("Access-Control-Allow-Methods", "GET, HEAD, POST, OPTIONS"),))
        if not request.path.startswith("/api/"):
            return self._file(request)
        parts = request.path.removeprefix("/api/v1/").split("/", 1)
        for name, handler in self._routes:
            if parts[0] == name and request.path.startswith("/api/v1/"):
                allowed = ("POST", "GET", "HEAD") if name == "lookup" else ("GET", "HEAD")
                if request.method not in allowed:
                    return Answer(405, {"error": "this address only reads", "hint": ", ".join(allowed)})
                return handler(request, parts[1].strip("/") if len(parts) > 1 else "")
        known = [f"/api/v1/{name}" for name, _ in self._routes]
        return Answer(404, {"error": f"no such address: {request.path}", "hint": "known: " + ", ".join(known)})

    @property
    def built(self) -> build.Build:
        """The newest build of the base."""
        with self._lock:
            now = time.monotonic()
            if self._build is None or now - self._looked > _LOOK_AGAIN:
                self._build = build.ensure(self.base)
                self._looked = now
            return self._build

    @property
    def searcher(self) -> Searcher:
        """One searcher for each build, shared by all threads: it warms up once."""
        path = self.built.index_path
        with self._lock:
            if self._searcher is None or self._searcher[0] != path:
                self._searcher = (path, Searcher(path))
            return self._searcher[1]

    def _search(self, request: Request, rest: str) -> Answer:
        query = request.query.get("q", "")
        if not query.strip():
            raise UsageError("no query", "as /api/v1/search?q=energy+symbol")
        results = self.searcher.search(
            query,
            limit=request.number("limit", 10, MAX_LIMIT),
            offset=request.number("offset", 0, 100_000),
            sort=request.query.get("sort", "relevance"),
            facets=request.query.get("facets", "") in ("1", "true", "yes"),
        )
        return Answer(200, results.to_json())

    def _ruling(self, request: Request, rest: str) -> Answer:
        snapshot = self.built.snapshot()
        if not rest:
            raise UsageError("no id", "as /api/v1/rulings/r-0pcdnc32; all of them: /api/v1/export.jsonl")
        resolution = snapshot.resolve(rest)
        if resolution.kind == "tombstone":
            return Answer(410, {"error": f"{rest} was withdrawn", "reason": resolution.reason})
        if resolution.kind == "ambiguous":
            return Answer(300, {"error": f"{rest} means several rulings", "candidates": list(resolution.candidates)})
        found = ruling_by_id(snapshot, rest)
        if resolution.kind == "alias":
            address = f"/api/v1/rulings/{found.ruling.id}"
            body = {"id": found.ruling.id, "note": found.note}
            return Answer(308, body, headers=(("Location", address),))
        return Answer(200, ruling_json(snapshot, found.ruling))

    def _card(self, request: Request, rest: str) -> Answer:
        name = rest.removesuffix("/rulings")
        if not name:
            raise UsageError("no card", "as /api/v1/cards/Confiscation%20Coup/rulings")
        snapshot = self.built.snapshot()
        return Answer(200, CardView(snapshot, card_by_name(snapshot, name)).to_json())

    def _topics(self, request: Request, rest: str) -> Answer:
        vocabulary = topics.of_base(self.base)
        if not rest:
            rows = [
                {"key": t.key, "label": t.label, "definition": t.definition, "rules": list(t.rules)}
                for t in vocabulary.all
            ]
            return Answer(200, {"topics": rows})
        topic = vocabulary.find(rest)
        if topic is None:
            raise NotFound(f"no topic is called {rest!r}", "all of them: /api/v1/topics")
        snapshot = self.built.snapshot()
        found = [
            {"id": r.id, "text": r.text, "cards_total": len(r.cards), "date": r.date}
            for r in snapshot.rulings()
            if topic.key in r.topics
        ]
        return Answer(200, {"key": topic.key, "label": topic.label, "definition": topic.definition, "rulings": found})

    def _rule(self, request: Request, rest: str) -> Answer:
        if not rest:
            raise UsageError("no rule", "as /api/v1/rules/608.2b")
        if not has_rules(self.base):
            hint = "get them: rulings fetch rules && rulings import rulings-downloads"
            return Answer(404, {"error": "the base holds no Comprehensive Rules", "hint": hint})
        view = find(self.base, self.built.snapshot(), f"CR {rest}", as_of=request.query.get("as_of"))
        return Answer(200 if view.exit_code == 0 else 404, view.to_json())

    def _cite(self, request: Request, rest: str) -> Answer:
        from search.citing import cite_text

        style = request.query.get("style", "plain")
        text = cite_text(
            self.built.snapshot(), rest, card=request.query.get("card"), style=style, as_of=request.query.get("as_of")
        )
        return Answer(200, {"id": rest, "style": style, "text": text})

    def _lookup(self, request: Request, rest: str) -> Answer:
        from search.lookup import check_text

        text = request.body.decode("utf-8", "replace") or request.query.get("text", "")
        if not text.strip():
            raise UsageError("no text", "POST the text, or ?text=")
        return Answer(200, check_text(self.base, self.built, text, cited_on=request.query.get("cited_on")))

    def _status(self, request: Request, rest: str) -> Answer:
        snapshot = self.built.snapshot()
        rules = snapshot.meta.get("rules_effective") or None
        sources = [{"name": s.name, "as_of": s.as_of} for s in snapshot.sources]
        return Answer(
            200,
            {
                "name": snapshot.name,
                **snapshot.counts,
                "as_of": snapshot.as_of,
                "rules_effective": rules,
                "sources": sources,
            },
        )

    def _export(self, request: Request, rest: str) -> Answer:
        since = request.query.get("since")
        if since is not None and not is_date(since):
            raise UsageError(f"since is {since!r}", "a day, as 2024-01-01")
        rows = exporting.records(self.built.snapshot(), "rulings", since)
        body = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()
        return Answer(200, body, "application/x-ndjson")

    def _file(self, request: Request) -> Answer:
        """A file of the site. Nothing outside its folder is ever read."""
        if self.site is None:
            return Answer(404, {"error": "this service has no site", "hint": "the API is under /api/v1/"})
        if request.method not in ("GET", "HEAD"):
            return Answer(405, {"error": "the site only reads"})
        root = self.site.resolve()
        path = root / "no such file"
        with contextlib.suppress(OSError, ValueError):  # longer than names may be, a NUL, a loop of links
            wanted = (root / request.path.lstrip("/")).resolve()
            if wanted.is_relative_to(root) and wanted.exists():
                path = wanted
        if path.is_dir():
            if not request.path.endswith("/"):
                return Answer(308, b"", "text/html", (("Location", urllib.parse.quote(request.path + "/")),))
            path = path / "index.html"
        if not path.is_relative_to(root) or not path.is_file():
            missing = root / "404.html"
            body = missing.read_bytes() if missing.is_file() else b"Not found"
            return Answer(404, body, "text/html" if missing.is_file() else "text/plain")
        kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
        return Answer(200, path.read_bytes(), kind, (("Cache-Control", "no-cache"),))


def _fault(status: int, error: RulingsError, **more: Any) -> Answer:
    body = {"error": error.message, "hint": error.hint} | {k: v for k, v in more.items() if v or v == 0}
    return Answer(status, body)
