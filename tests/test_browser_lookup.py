"""The page "Check a text" where the service answers: a pasted quotation gets its verdict, and nothing in it runs."""

from __future__ import annotations

import shutil
import threading
from pathlib import Path

import pytest

from indexer import build
from search.cli.site_command import write_site
from search.service.server import make_server

pytestmark = pytest.mark.browser
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]


@pytest.mark.skipif(CHROMIUM is None, reason="no chromium on this machine")
def test_a_pasted_text_is_checked(sample: Path, tmp_path: Path) -> None:
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed (extra: browser)")
    write_site(sample, build.ensure(sample), tmp_path / "site")
    with make_server(sample, "127.0.0.1", 0, tmp_path / "site") as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        with playwright.sync_playwright() as driver:
            browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            page = browser.new_page()
            page.goto(f"http://127.0.0.1:{server.server_port}/lookup/")
            page.wait_for_selector("#paste:not([hidden])")
            page.fill("#paste-text", '"If a permanent has {X} in its mana cost, X is considered to be 1." <b>bold</b>')
            page.click("#paste-check")
            page.wait_for_selector("#paste-found .note.bad")
            said = page.inner_text("#paste-found")
            assert "number" in said and "considered to be 0" in said
            assert page.locator("#paste-found blockquote b").count() == 0
            browser.close()
        server.shutdown()
        thread.join()


def test_from_a_disk_the_page_shows_no_box(sample: Path, tmp_path: Path) -> None:
    write_site(sample, build.ensure(sample), tmp_path / "site")
    html = (tmp_path / "site/lookup/index.html").read_text(encoding="utf-8")
    assert 'id="paste" hidden' in html and "rulings lookup answer.txt" in html
