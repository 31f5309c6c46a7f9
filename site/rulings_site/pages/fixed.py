"""Pages that every site has: search, an id, check a text, about, not found; and files around them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from html import escape
from importlib.resources import files

from markdown import Markdown
from markupsafe import Markup

from rulings.language.fields import FIELDS
from rulings.language.grammar import SYNTAX
from rulings_site.page import Files, Page, digest
from rulings_site.parts import Parts
from rulings_site.render import ASSETS
from rulings_site.symbols import common_codes, drawing, symbol_id, words

_CONTENT = files("rulings_site") / "content"
_SKIPPED = ("sw.js",)


def pages(parts: Parts) -> Iterator[Page]:
    """All of them."""
    keys = parts.keys
    yield Page("search", keys.of("search"), lambda: _search(parts))
    yield Page("resolver", keys.of("resolver"), lambda: _resolver(parts))
    yield Page(
        "lookup",
        keys.of("lookup"),
        lambda: _written(parts, "lookup", "Check a text", "lookup", more=_PASTE, scripts=("assets/lookup.js",)),
    )
    yield Page("about", keys.of("about"), lambda: _written(parts, "about", "About", "about"))
    yield Page("404", keys.of("404"), lambda: _missing(parts))
    yield Page("assets", keys.of("assets"), _assets)
    yield Page("around", keys.of("around"), lambda: _around(parts))


def _search(parts: Parts) -> Files:
    html = parts.renderer.page(
        "search.html",
        "search/index.html",
        title="Search",
        heading="Search",
        description="Search rulings, cards and rules",
        noindex=True,
        forms=[
            *((form.name, form.means, form.examples) for form in SYNTAX),
            *((f"{field.name}:", field.finds, field.examples) for field in FIELDS.values()),
        ],
        scripts=("search/page.js",),
    )
    return [("search/index.html", html)]


def _resolver(parts: Parts) -> Files:
    """`/r/#<id>`: leads to the ruling, whatever the site's form. Without a script it says how to write the address."""
    compact = " data-compact" if parts.site.compact else ""
    body = Markup(
        f'<p id="resolve" class="sub"{compact}>Looking for the ruling.</p>'
        '<noscript><p class="note warn"><b>This needs JavaScript.</b> '
        "The page of a ruling is at <code>r/</code>, then its id.</p></noscript>"
    )
    html = parts.renderer.page(
        "plain.html",
        "r/index.html",
        title="A ruling by its id",
        heading="A ruling by its id",
        body=body,
        noindex=True,
        scripts=("assets/resolve.js",),
    )
    return [("r/index.html", html)]


_PASTE = (
    '<div class="paste" id="paste" hidden><label for="paste-text">The text to check</label>'
    '<textarea id="paste-text" rows="8" maxlength="1000000"></textarea>'
    '<p><button class="button main" id="paste-check" type="button">Check</button></p>'
    '<p class="sub" id="paste-state" role="status"></p><div id="paste-found"></div></div>'
)
"""Shown by its script where the service answers (`rulings serve`); elsewhere the page says which command to run."""


def _written(
    parts: Parts, name: str, title: str, section: str, *, more: str = "", scripts: tuple[str, ...] = ()
) -> Files:
    """A page written in Markdown by us (nothing from a source comes here)."""
    text = (_CONTENT / f"{name}.md").read_text(encoding="utf-8")
    body = Markup(f'<div class="written">{Markdown(extensions=["attr_list"]).convert(text)}</div>{more}')
    html = parts.renderer.page(
        "plain.html",
        f"{name}/index.html",
        title=title,
        heading=title,
        section=section,
        body=body,
        main_class=name,
        scripts=scripts,
    )
    return [(f"{name}/index.html", html)]


def _missing(parts: Parts) -> Files:
    """Served for an address that does not exist; its links need the site's own address, since its depth is unknown."""
    base = parts.site.base_url or "/"
    lead_on = f'<script src="{escape(base)}assets/lost.js"></script>' if parts.site.compact else ""
    html = (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Not here · Rulings</title>'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(parts.site.csp)}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">'
        f'<link rel="stylesheet" href="{escape(base)}assets/style.css">{lead_on}</head>'
        '<body><main class="page reading">'
        '<h1 class="title">Not here</h1><p class="sub">No page has this address. Ids of rulings never rot: '
        f'try <a href="{escape(base)}search/index.html">the search</a> '
        f'or <a href="{escape(base)}index.html">the start</a>.</p>'
        "</main></body></html>\n"
    )
    return [("404.html", html.encode())]


def _assets() -> Files:
    """Our scripts, style and icons as they are, and the drawings of symbols for the search page."""
    out = [
        (f"assets/{entry.name}", entry.read_bytes())
        for entry in sorted(ASSETS.iterdir(), key=lambda e: e.name)
        if entry.is_file() and entry.name not in _SKIPPED
    ]
    return [*out, ("assets/symbols.js", symbols_script())]


def symbols_script() -> bytes:
    """The drawings of the common symbols."""
    codes = common_codes()
    said = words(codes)
    table = {code: [symbol_id(code), *found, said[code]] for code in codes if (found := drawing(code))}
    script = "window.RULINGS_SYMBOLS=" + json.dumps(table, ensure_ascii=False, separators=(",", ":")) + ";\n"
    return script.encode()


def _around(parts: Parts) -> Files:
    """What browsers and search engines ask for beside pages."""
    base = parts.site.base_url
    manifest = {
        "name": "Rulings: official Magic rulings",
        "short_name": "Rulings",
        "description": "Every official Magic ruling, once, with all its cards",
        "start_url": "index.html",
        "scope": "./",
        "display": "standalone",
        "background_color": "#101214",
        "theme_color": "#101214",
        "icons": [
            {"src": "assets/icon-192.png", "sizes": "192x192", "type": "image/png", "purpose": "any"},
            {"src": "assets/icon-512.png", "sizes": "512x512", "type": "image/png", "purpose": "any maskable"},
            {"src": "assets/icon.svg", "sizes": "any", "type": "image/svg+xml"},
        ],
    }
    search = (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        '<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">'
        "<ShortName>Rulings</ShortName><Description>Official Magic rulings</Description>"
        "<InputEncoding>UTF-8</InputEncoding>"
        f'<Image width="192" height="192" type="image/png">{escape(base or "/")}assets/icon-192.png</Image>'
        f'<Url type="text/html" template="{escape(base or "/")}search/?q={{searchTerms}}"/>'
        "</OpenSearchDescription>\n"
    )
    worker = (ASSETS / "sw.js").read_text(encoding="utf-8").replace("@BUILD@", digest((parts.keys.base,)))
    robots = f"User-agent: *\nAllow: /\nSitemap: {base or '/'}sitemap.xml\n"
    return [
        ("manifest.webmanifest", (json.dumps(manifest, indent=1) + "\n").encode()),
        ("opensearch.xml", search.encode()),
        ("robots.txt", robots.encode()),
        ("sw.js", worker.encode()),
        (".nojekyll", b""),
    ]
