"""The search in the page against the command line's, in Chromium, on a full base. Not a test: it takes minutes.

    python tests/benchmarks/browser_agreement.py --site FOLDER --index FOLDER [--queries FILE] [--json FILE]

`--site` is a site written by `rulings site`, `--index` the `index` folder of the build it was made from, `--queries`
what `score_ir.py --emit-queries` prints (without it, the questions of this file). Reported: how many of the first ten
agree, first hits, scores; and the times of an emulated phone: CPU four times slower, 9 Mbit/s, 80 ms, made by the
server of this script, so that a worker's requests are slow as well. Chromium slows only the page's own thread, so
times are taken with the worker (its own work is then not slowed) and without (all of it is).
"""

from __future__ import annotations

import argparse
import contextlib
import gzip
import http.server
import json
import shutil
import statistics
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
QUESTIONS = (
    "can I pay energy for an illegal target",
    "does hexproof stop a board wipe",
    "infinite reflection vs clone",
    '"can\'t be countered"',
    "summoning sick creature crew vehicle",
)
TYPES = {".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css", ".json": "application/json"}
LATENCY = 0.08
BYTES_A_SECOND = 9e6 / 8
CPU = 4

# Says when the tenth hit (or all there are) is there, and how far anything has moved.
WATCH = """
(() => {
  window.watched = {};
  window.moved = 0;
  new PerformanceObserver(list => list.getEntries().forEach(e => { if (!e.hadRecentInput) window.moved += e.value; }))
    .observe({type: 'layout-shift', buffered: true});
  const look = () => {
    const box = document.getElementById('results');
    if (!box) return;
    if (box.getAttribute('aria-busy') === 'false' && document.getElementById('tally').textContent.trim())
      window.watched.drawn = window.watched.drawn || performance.now();
  };
  new MutationObserver(look).observe(document, {subtree: true, childList: true, attributes: true, characterData: true});
})()
"""
# From pressing Enter to the results of that query.
AGAIN = """
query => new Promise(done => {
  const input = Array.from(document.querySelectorAll('input[type=search]')).find(i => i.offsetParent !== null);
  const started = performance.now();
  input.value = query;
  input.form.requestSubmit();
  const box = document.getElementById('results');
  const watch = new MutationObserver(() => {
    if (box.getAttribute('aria-busy') === 'false') { watch.disconnect(); done(performance.now() - started); }
  });
  watch.observe(box, {attributes: true});
})
"""
ASK = """
async query => {
  const answer = await Rulings.ask("search", query, {limit: 10});
  return answer.hits.map(hit => [hit.id, hit.score]);
}
"""


class Slow:
    """One line to one phone: whatever is sent shares it."""

    def __init__(self, slow: bool) -> None:
        self.slow = slow
        self.sent = 0
        self.asked = 0
        self._lock = threading.Lock()
        self._free = 0.0

    def send(self, size: int) -> None:
        with self._lock:
            self.sent += size
            now = time.monotonic()
            self._free = max(self._free, now) + size / BYTES_A_SECOND
            wait = self._free - now
        if self.slow:
            time.sleep(wait)


@contextlib.contextmanager
def served(site: Path, line: Slow) -> Iterator[str]:
    """The site on a server that compresses and keeps connections, as hosts do."""
    packed: dict[Path, tuple[bytes, bool]] = {}

    def pack(path: Path) -> tuple[bytes, bool]:
        if path not in packed:
            text = path.suffix in TYPES
            packed[path] = (gzip.compress(path.read_bytes(), 6) if text else path.read_bytes(), text)
        return packed[path]

    for path in (*(site / "assets").iterdir(), *(p for p in (site / "search").rglob("*") if p.is_file())):
        pack(path)  # a host has them packed

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True  # as every host does: a body would wait 40 ms for the receipt of its head

        def setup(self) -> None:
            super().setup()
            if line.slow:
                time.sleep(LATENCY)  # the handshake

        def log_message(self, *args: object) -> None: ...

        def do_GET(self) -> None:
            if line.slow:
                time.sleep(LATENCY)
            path = site / self.path.partition("?")[0].strip("/")
            if path.is_dir():
                path /= "index.html"
            if not path.resolve().is_relative_to(site.resolve()) or not path.is_file():
                self.send_error(404)
                return
            data, text = pack(path)
            self.send_response(200)
            self.send_header("Content-Type", TYPES.get(path.suffix, "application/octet-stream"))
            if text:
                self.send_header("Content-Encoding", "gzip")
            self.send_header("Content-Length", str(len(data)))
            self.send_header("Cache-Control", "max-age=600")
            self.end_headers()
            line.asked += 1
            for at in range(0, len(data), 8192):
                piece = data[at : at + 8192]
                line.send(len(piece) + (200 if at == 0 else 0))
                self.wfile.write(piece)

    class Server(http.server.ThreadingHTTPServer):
        def handle_error(self, request: object, client_address: object) -> None:
            """A browser that is closed leaves connections behind."""

    with Server(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()


def agreement(browser: Any, address: str, index: Path, queries: list[str]) -> dict[str, Any]:
    """Both searches over all queries."""
    from search.results import Searcher

    searcher = Searcher(index)
    context = browser.new_context(service_workers="block")
    tab = context.new_page()
    tab.goto(address + "search/")
    overlap, first, exact, different = [], 0, 0, []
    for query in queries:
        ours = [[hit.id, hit.score] for hit in searcher.search(query).hits]
        theirs = tab.evaluate(ASK, query)
        same = {i for i, _ in ours} & {i for i, _ in theirs}
        overlap.append(len(same) / max(1, len(ours)) if ours else float(not theirs))
        first += ours[:1] == theirs[:1] or (bool(ours) and bool(theirs) and ours[0][0] == theirs[0][0])
        exact += ours == theirs
        if ours != theirs:
            different.append(query)
    context.close()
    searcher.close()
    return {
        "queries": len(queries),
        "overlap of the first ten": round(statistics.mean(overlap), 4),
        "first hit": round(first / len(queries), 4),
        "ids and scores equal": round(exact / len(queries), 4),
        "different": different[:20],
    }


def spread(values: list[float]) -> dict[str, float]:
    ordered = sorted(values)
    return {
        "median": round(statistics.median(ordered)),
        "p90": round(ordered[int(0.9 * (len(ordered) - 1))]),
        "worst": round(ordered[-1]),
    }


def visit(browser: Any, line: Slow, address: str, worker: bool, others: list[str]) -> dict[str, Any]:
    """One cold visit, and queries that follow it on the same page."""
    line.sent = line.asked = 0
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True, service_workers="block"
    )
    context.add_init_script(WATCH if worker else "delete window.Worker;" + WATCH)
    tab = context.new_page()
    context.new_cdp_session(tab).send("Emulation.setCPUThrottlingRate", {"rate": CPU})
    tab.goto(address, wait_until="commit")
    drawn = None
    for _ in range(400):
        if drawn := tab.evaluate("window.watched && window.watched.drawn"):
            break
        tab.wait_for_timeout(20)
    found: dict[str, Any] = {"drawn": drawn or 10_000, "requests": line.asked}
    # What had come until then; facets are asked for after it.
    found["kB"] = tab.evaluate(
        "drawn => performance.getEntriesByType('navigation').concat(performance.getEntriesByType('resource'))"
        ".filter(e => e.responseEnd <= drawn).reduce((sum, e) => sum + e.transferSize, 0) / 1000",
        found["drawn"],
    )
    tab.wait_for_timeout(300)
    found["moved"] = tab.evaluate("window.moved")
    found["later"] = [tab.evaluate(AGAIN, other) for other in others]
    context.close()
    return found


def phone(browser: Any, site: Path, queries: list[str], worker: bool, repeat: int) -> dict[str, Any]:
    """Cold and later queries on a slow line and a slow processor."""
    from urllib.parse import quote

    line = Slow(slow=True)
    cold: list[float] = []
    sizes: list[float] = []
    requests: list[float] = []
    later: list[float] = []
    moved: list[float] = []
    with served(site, line) as address:
        for at, query in enumerate(queries):
            # The least of a few runs: other work on the machine only adds.
            runs = [visit(browser, line, f"{address}search/?q={quote(query)}", worker, []) for _ in range(repeat - 1)]
            others = (queries[at + 1 :] + queries[: at + 1])[:8] if at < 4 else []
            runs.append(visit(browser, line, f"{address}search/?q={quote(query)}", worker, others))
            cold.append(min(run["drawn"] for run in runs))
            sizes.append(min(run["kB"] for run in runs))
            requests.append(min(run["requests"] for run in runs))
            moved.append(max(run["moved"] for run in runs))
            later += runs[-1]["later"]
    return {
        "first ten results, cold, ms": spread(cold),
        "until then, kB": spread(sizes),
        "requests": spread(requests),
        "later queries, ms": spread(later),
        "layout shift, worst": round(max(moved), 4),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--site", type=Path, required=True)
    parser.add_argument("--index", type=Path, required=True)
    parser.add_argument("--queries", type=Path, help="JSON lines with a `query` each")
    parser.add_argument("--phone", type=int, default=24, help="how many queries the phone asks (0: none)")
    parser.add_argument("--repeat", type=int, default=3, help="cold visits for each query; the quickest counts")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    queries = list(QUESTIONS)
    if options.queries:
        queries = [json.loads(row)["query"] for row in options.queries.read_text(encoding="utf-8").splitlines() if row]
    from playwright.sync_api import sync_playwright

    report: dict[str, Any] = {}
    with sync_playwright() as driver:
        chromium = shutil.which("chromium") or shutil.which("chromium-browser")
        browser = driver.chromium.launch(executable_path=chromium, args=FLAGS)
        with served(options.site, Slow(slow=False)) as address:
            report["agreement"] = agreement(browser, address, options.index, queries)
        print(json.dumps(report["agreement"], indent=1, ensure_ascii=False))
        if options.phone:
            step = max(1, len(queries) // options.phone)
            for name, worker in (("phone, worker", True), ("phone, all in the page", False)):
                report[name] = phone(browser, options.site, queries[::step][: options.phone], worker, options.repeat)
                print(name, json.dumps(report[name], indent=1))
        browser.close()
    if options.json:
        options.json.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
