"""The service as its users call it: answers, faults, old ids, and nothing outside the site's folder."""

from __future__ import annotations

import io
import json
import threading
import urllib.request
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from rulings.ids import mint
from search.service.app import App
from search.service.server import make_server

LOST = mint("is the energy symbol. It represents one energy counter.")


@pytest.fixture(scope="module")
def app(sample: Path, tmp_path_factory: pytest.TempPathFactory) -> App:
    site = tmp_path_factory.mktemp("site")
    (site / "index.html").write_text("<p>home</p>", encoding="utf-8")
    (site / "card").mkdir()
    (site / "card/index.html").write_text("<p>cards</p>", encoding="utf-8")
    (site.parent / "secret.txt").write_text("secret", encoding="utf-8")
    return App(sample, site)


def ask(
    app: App, path: str, query: str = "", method: str = "GET", body: bytes = b""
) -> tuple[int, dict[str, str], bytes]:
    got: dict[str, Any] = {}

    def start(status: str, headers: list[tuple[str, str]]) -> None:
        got.update(status=int(status.split()[0]), headers=dict(headers))

    environ = {
        "REQUEST_METHOD": method,
        "PATH_INFO": path.encode().decode("latin-1"),
        "QUERY_STRING": query,
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.input": io.BytesIO(body),
    }
    content = b"".join(app(environ, start))  # type: ignore[arg-type]
    return got["status"], got["headers"], content


# (path, query, status, what the JSON holds)
ANSWERS = [
    ("/api/v1/search", "q=energy+symbol", 200, lambda j: j["hits"][0]["id"] == "r-0pcdnc32"),
    ("/api/v1/search", "q=energy&limit=2&facets=1", 200, lambda j: len(j["hits"]) == 2 and j["facets"]),
    ("/api/v1/search", "", 400, lambda j: "no query" in j["error"]),
    ("/api/v1/search", "q=%22open", 400, lambda j: "column" in j),
    ("/api/v1/search", "q=colour:red", 400, lambda j: j["column"] == 0),
    ("/api/v1/search", "q=x&limit=many", 400, lambda j: "whole number" in j["hint"]),
    ("/api/v1/rulings/r-0pcdnc32", "", 200, lambda j: j["cards_total"] == 3),
    ("/api/v1/rulings/r-zzzzzzzz", "", 404, lambda j: "no ruling" in j["error"]),
    (f"/api/v1/rulings/{LOST}", "", 308, lambda j: j["id"] == "r-0pcdnc32"),
    ("/api/v1/cards/Confiscation Coup/rulings", "", 200, lambda j: j["rulings_total"] == 15),
    ("/api/v1/cards/confiscation coup", "", 200, lambda j: j["card"] == "Confiscation Coup"),
    ("/api/v1/cards/Confiscaton Coup", "", 404, lambda j: j["suggestions"] == ["Confiscation Coup"]),
    ("/api/v1/topics", "", 200, lambda j: len(j["topics"]) > 200),
    ("/api/v1/topics/energy", "", 200, lambda j: len(j["rulings"]) >= 9),
    ("/api/v1/status", "", 200, lambda j: j["rulings"] == 23),
    ("/api/v1/rules/608.2b", "", 404, lambda j: "no Comprehensive Rules" in j["error"]),
    ("/api/v1/nothing", "", 404, lambda j: "/api/v1/search" in j["hint"]),
]


@pytest.mark.parametrize(("path", "query", "status", "holds"), ANSWERS)
def test_answers(app: App, path: str, query: str, status: int, holds: Any) -> None:
    got, headers, body = ask(app, path, query)
    assert got == status, body
    assert holds(json.loads(body)), body
    assert headers["X-Content-Type-Options"] == "nosniff"


def test_an_alias_redirects(app: App) -> None:
    _, headers, _ = ask(app, f"/api/v1/rulings/{LOST}")
    assert headers["Location"] == "/api/v1/rulings/r-0pcdnc32"


def test_lookup_takes_a_text(app: App) -> None:
    text = 'They say "{E} is the energy symbol. It represents one energy counter."'
    status, _, body = ask(app, "/api/v1/lookup", method="POST", body=text.encode())
    assert status == 200 and b"exact" in body


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_it_only_reads(app: App, method: str) -> None:
    assert ask(app, "/api/v1/status", method=method)[0] == 405
    assert ask(app, "/index.html", method=method)[0] == 405


def test_files_of_the_site(app: App) -> None:
    assert ask(app, "/")[2] == b"<p>home</p>"
    status, headers, _ = ask(app, "/card")
    assert (status, headers["Location"]) == (308, "/card/")


OUTSIDE = [
    "/../secret.txt",
    "/card/../../secret.txt",
    "/..",
    "//etc/passwd",
    "/%2e%2e/secret.txt",
    "/\x00",
    "/..\\secret.txt",
    "/" + "a" * 5000,
]


@pytest.mark.parametrize("path", OUTSIDE)
def test_nothing_outside_the_site_is_read(app: App, path: str) -> None:
    status, _, body = ask(app, path)
    assert status == 404
    assert b"secret" not in body and b"root:" not in body


def test_a_huge_body_is_refused(app: App) -> None:
    assert ask(app, "/api/v1/lookup", method="POST", body=b"x" * 1_000_001)[0] == 400


def test_over_http(sample: Path) -> None:
    with make_server(sample, "127.0.0.1", 0) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        url = f"http://127.0.0.1:{server.server_port}/api/v1/search?q={quote('energy symbol')}"
        with urllib.request.urlopen(url, timeout=20) as answer:
            assert json.load(answer)["hits"][0]["id"] == "r-0pcdnc32"
        server.shutdown()
        thread.join()
