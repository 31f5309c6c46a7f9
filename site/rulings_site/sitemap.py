"""The sitemap: every page that a search engine may list, in files of at most 50,000 addresses, and their index."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from rulings_site.page import Files
from rulings_site.render import Site

_MOST = 50_000
_HEAD = '<?xml version="1.0" encoding="utf-8"?>\n'
_SPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
_HIDDEN = ("404.html", "search/index.html", "r/index.html")


def sitemaps(paths: Sequence[str], site: Site) -> Files:
    """Without a base address the addresses are from the root of the host; a search engine wants `--base-url`."""
    base = site.base_url or "/"
    listed = sorted(p for p in paths if p.endswith(".html") and p not in _HIDDEN)
    chunks = [listed[at : at + _MOST] for at in range(0, len(listed), _MOST)] or [[]]
    files = []
    for number, chunk in enumerate(chunks, 1):
        urls = "".join(f"<url><loc>{escape(base)}{path.removesuffix('index.html')}</loc></url>\n" for path in chunk)
        files.append((f"sitemap-{number}.xml", f"{_HEAD}<urlset {_SPACE}>\n{urls}</urlset>\n".encode()))
    last = f"<lastmod>{site.as_of}</lastmod>" if site.as_of else ""
    index = "".join(f"<sitemap><loc>{escape(base)}{name}</loc>{last}</sitemap>\n" for name, _ in files)
    return [*files, ("sitemap.xml", f"{_HEAD}<sitemapindex {_SPACE}>\n{index}</sitemapindex>\n".encode())]
