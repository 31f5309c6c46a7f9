"""Fetching, against a local server that speaks the publishers' documented API, well and badly."""

from __future__ import annotations

import gzip
import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from click.testing import CliRunner

from indexer.download import Client
from indexer.fetch import DAY, fetch_rules, fetch_scryfall
from rulings.errors import RulingsError, UsageError
from search.cli.fetch_command import command

RULINGS = json.dumps(
    [
        {
            "object": "ruling",
            "oracle_id": f"{n:08d}-0000-4000-8000-000000000000",
            "source": "wotc",
            "published_at": "2024-06-07",
            "comment": f"Ruling number {n} says {{E}}.",
        }
        for n in range(300)
    ]
).encode()
RULES = (
    "\ufeffMagic: The Gathering Comprehensive Rules\r\n\r\nThese rules are effective as of June 6, 2025.\r\n"
    + "100.1. These Magic rules apply to any Magic game.\r\n" * 300
    + "Glossary\r\n\r\nCredits\r\n\r\nMagic: The Gathering Original Game Design: Richard Garfield\r\n"
).encode()

Reply = Callable[["Handler"], None]


class Handler(BaseHTTPRequestHandler):
    """Answers from the script of its server: per path a list of replies, the last of which stays."""

    protocol_version = "HTTP/1.1"
    server: Publisher

    def do_GET(self) -> None:
        path = self.path
        self.server.asked.append((path, dict(self.headers)))
        replies = self.server.script.get(path)
        if not replies:
            send(404, b"{}")(self)
            return
        (replies.pop(0) if len(replies) > 1 else replies[0])(self)

    def log_message(self, format: str, *args: object) -> None:
        pass


class Publisher(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.script: dict[str, list[Reply]] = {}
        self.asked: list[tuple[str, dict[str, str]]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def paths(self) -> list[str]:
        return [path for path, _ in self.asked]


def send(status: int, body: bytes = b"", /, **headers: str) -> Reply:
    def reply(handler: Handler) -> None:
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    return reply


def cut_after(size: int, body: bytes, **headers: str) -> Reply:
    """The connection dies after `size` bytes."""

    def reply(handler: Handler) -> None:
        handler.send_response(200)
        for name, value in headers.items():
            handler.send_header(name, value)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body[:size])
        handler.close_connection = True

    return reply


def ranged(body: bytes, etag: str = '"one"') -> Reply:
    def reply(handler: Handler) -> None:
        asked = handler.headers.get("Range")
        if not asked:
            send(200, body, ETag=etag)(handler)
            return
        start = int(asked.removeprefix("bytes=").rstrip("-"))
        if start >= len(body):
            send(416, b"")(handler)
        elif handler.headers.get("If-Range") not in (None, etag):
            send(200, body, ETag=etag)(handler)
        else:
            span = f"bytes {start}-{len(body) - 1}/{len(body)}"
            send(206, body[start:], ETag=etag, Content_Range=span)(handler)

    return reply


@pytest.fixture
def publisher() -> Iterator[Publisher]:
    server = Publisher()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


def bulk(server: Publisher, *, updated: str = "2025-01-01T12:00:00.000Z", size: int = len(RULINGS)) -> Reply:
    entry = {
        "object": "bulk_data",
        "type": "rulings",
        "download_uri": f"{server.url}/file",
        "updated_at": updated,
        "size": size,
        "content_type": "application/json",
        "content_encoding": "gzip",
    }
    return send(200, json.dumps({"object": "list", "has_more": False, "data": [entry]}).encode())


class Fast(Client):
    """A client that notes how long it would have slept."""

    def __init__(self, **options: object) -> None:
        self.slept: list[float] = []
        super().__init__(delay=0.0, sleep=self.slept.append, **options)  # type: ignore[arg-type]


def visible(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir() if not path.name.startswith(".")]


def get(server: Publisher, folder: Path, client: Client | None = None, **options: object) -> Path:
    (file,) = fetch_scryfall(folder, ["rulings"], client=client or Fast(), api=server.url, **options)  # type: ignore[arg-type]
    return file.path


def test_manners_and_the_file(publisher: Publisher, tmp_path: Path) -> None:
    publisher.script = {
        "/bulk-data": [bulk(publisher)],
        "/file": [send(200, gzip.compress(RULINGS), Content_Encoding="gzip")],
    }
    path = get(publisher, tmp_path)
    assert path.name == "scryfall-rulings-2025-01-01.json"
    assert gzip.decompress(path.read_bytes()) == RULINGS
    for _, headers in publisher.asked:
        assert headers["User-Agent"].startswith("mtg-rulings/")
        assert headers["Accept"]
    assert visible(tmp_path) == [path.name]


def test_requests_keep_their_distance(publisher: Publisher, tmp_path: Path) -> None:
    publisher.script = {"/bulk-data": [bulk(publisher)], "/file": [send(200, RULINGS)]}
    slept: list[float] = []
    get(publisher, tmp_path, Client(delay=50.0, sleep=slept.append))
    assert len(slept) == 1 and 40 < slept[0] <= 50  # before the second request; none before the first


def test_nothing_is_fetched_twice(publisher: Publisher, tmp_path: Path) -> None:
    publisher.script = {"/bulk-data": [bulk(publisher)], "/file": [send(200, RULINGS)]}
    get(publisher, tmp_path, now=lambda: 1000.0)
    get(publisher, tmp_path, now=lambda: 1000.0 + DAY - 1)  # within a day nobody is asked
    assert publisher.paths() == ["/bulk-data", "/file"]
    get(publisher, tmp_path, now=lambda: 1000.0 + DAY + 1)  # then only whether there is something newer
    get(publisher, tmp_path, now=lambda: 1000.0, again=True)
    assert publisher.paths() == ["/bulk-data", "/file", "/bulk-data", "/bulk-data"]
    publisher.script["/bulk-data"] = [bulk(publisher, updated="2025-02-02T12:00:00.000Z")]
    path = get(publisher, tmp_path, again=True)
    assert path.name == "scryfall-rulings-2025-02-02.json"
    assert visible(tmp_path) == [path.name]  # the old one went when the new one was in place


def test_a_file_that_was_changed_or_lost_is_fetched_again(publisher: Publisher, tmp_path: Path) -> None:
    publisher.script = {"/bulk-data": [bulk(publisher)], "/file": [send(200, RULINGS)]}
    get(publisher, tmp_path).unlink()
    assert get(publisher, tmp_path).read_bytes() == RULINGS


@pytest.mark.parametrize("size", [0, 1, 5000])
def test_a_cut_download_goes_on(publisher: Publisher, tmp_path: Path, size: int) -> None:
    publisher.script = {
        "/bulk-data": [bulk(publisher)],
        "/file": [cut_after(size, RULINGS, ETag='"one"'), ranged(RULINGS)],
    }
    assert get(publisher, tmp_path).read_bytes() == RULINGS
    asked = publisher.asked[-1][1]
    assert asked.get("Range") == (f"bytes={size}-" if size else None)


def test_a_cut_download_goes_on_in_the_next_run(publisher: Publisher, tmp_path: Path) -> None:
    publisher.script = {"/bulk-data": [bulk(publisher)], "/file": [cut_after(7000, RULINGS, ETag='"one"')]}
    with pytest.raises(RulingsError, match="cut again and again"):
        get(publisher, tmp_path, Fast(attempts=1))
    publisher.script["/file"] = [ranged(RULINGS)]
    assert get(publisher, tmp_path).read_bytes() == RULINGS
    assert publisher.asked[-1][1]["Range"] == "bytes=7000-"


def test_a_file_that_changed_meanwhile_starts_anew(publisher: Publisher, tmp_path: Path) -> None:
    newer = RULINGS.replace(b"number", b"NUMBER")
    publisher.script = {
        "/bulk-data": [bulk(publisher)],
        "/file": [cut_after(7000, RULINGS, ETag='"one"'), ranged(newer, '"two"')],
    }
    assert get(publisher, tmp_path).read_bytes() == newer


def test_more_bytes_than_there_are(publisher: Publisher, tmp_path: Path) -> None:
    publisher.script = {
        "/bulk-data": [bulk(publisher)],
        "/file": [cut_after(len(RULINGS) - 1, RULINGS + b"x"), ranged(RULINGS[:100])],
    }
    with pytest.raises(RulingsError, match="not valid JSON"):
        get(publisher, tmp_path)


def test_429_is_obeyed(publisher: Publisher, tmp_path: Path) -> None:
    publisher.script = {
        "/bulk-data": [send(429, b"", Retry_After="7"), send(429), bulk(publisher)],
        "/file": [send(200, RULINGS)],
    }
    client = Fast()
    get(publisher, tmp_path, client)
    assert [s for s in client.slept if s > 0.01] == [7.0, 30.0]


def test_429_for_an_hour_is_an_error_at_once(publisher: Publisher, tmp_path: Path) -> None:
    publisher.script = {"/bulk-data": [send(429, b"", Retry_After="3600")]}
    with pytest.raises(RulingsError, match=r"429.*3600 s"):
        get(publisher, tmp_path)
    assert len(publisher.asked) == 1


def test_5xx_is_tried_again_with_longer_waits(publisher: Publisher, tmp_path: Path) -> None:
    publisher.script = {"/bulk-data": [send(503), send(500), send(502), bulk(publisher)], "/file": [send(200, RULINGS)]}
    client = Fast()
    get(publisher, tmp_path, client)
    assert [s for s in client.slept if s > 0.01] == [1.0, 2.0, 4.0]
    publisher.script["/bulk-data"] = [send(500)]
    with pytest.raises(RulingsError, match="no answer after 5 tries: 500"):
        get(publisher, tmp_path, again=True)


@pytest.mark.parametrize(
    ("file", "match"),
    [
        (RULINGS[:-20], "cut off|not valid JSON"),
        (b"<html>Maintenance</html>", "not valid JSON"),
        (b"[]", "holds nothing"),
        (b'{"object":"error"}', "not valid JSON"),
        (b'[{"object":"card","name":"Ajani"}]', "something other"),
        (RULINGS[: RULINGS.index(b"}, ") + 1] + b"]", "were announced"),
        (b"", "empty"),
        (b"\x1f\x8b\x08\x00garbage", "damaged"),
    ],
)
def test_a_wrong_file_replaces_nothing(publisher: Publisher, tmp_path: Path, file: bytes, match: str) -> None:
    publisher.script = {"/bulk-data": [bulk(publisher)], "/file": [send(200, RULINGS)]}
    old = get(publisher, tmp_path)
    publisher.script = {"/bulk-data": [bulk(publisher, updated="2025-02-02T12:00:00Z")], "/file": [send(200, file)]}
    with pytest.raises(RulingsError, match=match):
        get(publisher, tmp_path, again=True)
    assert old.read_bytes() == RULINGS
    assert visible(tmp_path) == [old.name]


@pytest.mark.parametrize("answer", [b"not json", b"[]", b'{"object":"list","data":[]}', b"[" * 100_000])
def test_a_wrong_list_is_a_clear_error(publisher: Publisher, tmp_path: Path, answer: bytes) -> None:
    publisher.script = {"/bulk-data": [send(200, answer)]}
    with pytest.raises(RulingsError):
        get(publisher, tmp_path)


def test_no_network_and_offline(tmp_path: Path) -> None:
    closed = Publisher()
    closed.server_close()
    with pytest.raises(RulingsError, match="gives no answer"):
        fetch_scryfall(tmp_path, client=Fast(attempts=2), api=closed.url)
    with pytest.raises(RulingsError, match="offline"):
        fetch_scryfall(tmp_path, client=Fast(offline=True), api=closed.url)
    with pytest.raises(RulingsError, match="not a web address"):
        fetch_scryfall(tmp_path, client=Fast(), api="file:///etc/passwd")
    with pytest.raises(UsageError):
        fetch_scryfall(tmp_path, ["prices"], client=Fast())


PAGE = b'<a href="/x/MagicCompRules%2020250606.docx">DOCX</a> <a href="/x/MagicCompRules 20250606.txt">TXT</a>'
TXT = "/x/MagicCompRules%2020250606.txt"


def test_rules(publisher: Publisher, tmp_path: Path) -> None:
    publisher.script = {
        "/rules": [send(200, PAGE)],
        TXT: [send(200, RULES, ETag='"r1"', Last_Modified="Fri, 06 Jun 2025 00:00:00 GMT")],
    }
    page = f"{publisher.url}/rules"
    file = fetch_rules(tmp_path, client=Fast(), page=page)
    assert (file.path.name, file.new, file.as_of) == ("MagicCompRules-2025-06-06.txt", True, "2025-06-06")
    assert file.path.read_bytes() == RULES
    publisher.script[TXT] = [send(304)]
    same = fetch_rules(tmp_path, client=Fast(), page=page, again=True)
    assert not same.new
    asked = publisher.asked[-1][1]
    assert (asked["If-None-Match"], asked["If-Modified-Since"]) == ('"r1"', "Fri, 06 Jun 2025 00:00:00 GMT")


@pytest.mark.parametrize(
    ("page", "text", "match"),
    [
        (b"<p>Rules are being updated</p>", RULES, "no link"),
        (PAGE, b"<html>not found</html>", "not the text"),
        (PAGE, RULES[:8000], "cut off"),
        (PAGE, RULES.replace(b"June 6, 2025", b"June 66, 2025"), "no such day"),
    ],
)
def test_wrong_rules_are_not_taken(publisher: Publisher, tmp_path: Path, page: bytes, text: bytes, match: str) -> None:
    publisher.script = {"/rules": [send(200, page)], TXT: [send(200, text)]}
    with pytest.raises(RulingsError, match=match):
        fetch_rules(tmp_path, client=Fast(), page=f"{publisher.url}/rules")
    assert not list(tmp_path.glob("*.txt"))


def test_command(publisher: Publisher, tmp_path: Path) -> None:
    publisher.script = {"/bulk-data": [bulk(publisher)], "/file": [send(200, RULINGS)]}
    args = ["scryfall", "rulings", "--to", str(tmp_path), "--api", publisher.url]
    done = CliRunner().invoke(command, args)
    assert done.exit_code == 0, done.output
    assert "rulings: fetched, as of 2025-01-01" in done.output
    again = CliRunner().invoke(command, [*args, "--json"])
    assert json.loads(again.output)[0]["new"] is False
    for sub in ([], ["scryfall"], ["rules"]):
        assert "Examples:" in CliRunner().invoke(command, [*sub, "--help"]).output
