"""The frame around every page: templates, addresses, links and the symbols that a page needs.

Links are relative and end in `index.html`, so that a copy works under any path and from a disk; a small script
shortens them where a server is behind the page. No inline script or style: the policy in each page forbids them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from typing import Any

from jinja2 import BaseLoader, Environment, StrictUndefined
from jinja2.exceptions import TemplateNotFound
from markupsafe import Markup

from rulings_site import dates, symbols
from rulings_site.catalogue import CardId, Catalogue
from rulings_site.client_engine import engine

# file: is for a copy opened from disk, where browsers disagree on whether 'self' holds.
CSP = (
    "default-src 'none'; script-src 'self' file:; style-src 'self' file:; img-src 'self' file: data:; "
    "connect-src 'self'; manifest-src 'self'; worker-src 'self' blob:; form-action 'self' file:; base-uri 'none'"
)
ASSETS = files("rulings_site") / "assets"
_TEMPLATES = files("rulings_site") / "templates"
DEEP = "../../"
"""From a page two folders down, where all pages with rulings are, to the root."""


_CONTROLS = bytes(n for n in range(32) if n not in b"\t\n\r")


def encoded(markup: str) -> bytes:
    """A page or a feed as bytes, without the characters of a source that neither HTML nor XML may hold."""
    if "\ufffe" in markup or "\uffff" in markup:  # to look is much quicker than to replace
        markup = markup.replace("\ufffe", "").replace("\uffff", "")
    return markup.encode("utf-8", "replace").translate(None, _CONTROLS)


class _Packaged(BaseLoader):
    """Templates from the package, wherever it is installed (a zip too)."""

    def get_source(self, environment: Environment, template: str) -> tuple[str, None, Any]:
        source = _TEMPLATES / template
        if not source.is_file():
            raise TemplateNotFound(template)
        return source.read_text(encoding="utf-8"), None, lambda: True


def environment() -> Environment:
    """Jinja with everything escaped and every misspelt name an error."""
    env = Environment(loader=_Packaged(), autoescape=True, undefined=StrictUndefined, trim_blocks=False)
    env.globals |= {"noindex": False, "scripts": (), "data": "", "sprite": "", "section": "", "home": False}
    env.globals |= {"main_class": "", "crumbs": (), "sub": "", "facts": "", "jumps": (), "notes": (), "groups": ()}
    env.globals |= {"blocks": (), "pager": (), "rail": (), "cite_list": ""}
    return env


@dataclass(frozen=True)
class Site:
    """What is the same on every page."""

    base_url: str
    as_of: str | None
    effective: str | None
    compact: bool = False
    with_sets: bool = True
    csp: str = CSP

    @cached_property
    def style_version(self) -> str:
        """Changes when the stylesheet does, so that a cached one is never wrong."""
        return _digest(["style.css"])

    @cached_property
    def script_version(self) -> str:
        """Changes when any script does, the engine of the search included."""
        return _digest(sorted(p.name for p in ASSETS.iterdir() if p.name.endswith(".js")), engine())

    @cached_property
    def as_of_time(self) -> Markup:
        """`3 Jan 2026`, empty where no source says."""
        return dates.time(self.as_of, brief=True) if self.as_of else Markup("")

    @cached_property
    def as_of_long(self) -> str:
        """`3 January 2026`."""
        return dates.long(self.as_of)

    @cached_property
    def effective_time(self) -> Markup:
        """The day the Comprehensive Rules of this base took effect."""
        return dates.time(self.effective)

    @cached_property
    def effective_long(self) -> str:
        """The same in plain words."""
        return dates.long(self.effective)

    def ruling_path(self, ruling_id: str, anchor: str = "") -> str:
        """Where a ruling is, from the root. A compact site has no page for it: `/r/` finds the place by a script."""
        return f"r/index.html#{ruling_id}" if self.compact else f"r/{ruling_id}/index.html{anchor}"

    @cached_property
    def sections(self) -> tuple[tuple[str, str, str], ...]:
        """The links in the head of each page."""
        return tuple(
            entry
            for entry in (
                ("topics", "topics/index.html", "Topics"),
                ("rules", "rules/index.html", "Rules") if self.effective else None,
                ("sets", "sets/index.html", "Sets") if self.with_sets else ("years", "years/index.html", "Years"),
                ("changes", "changes/index.html", "Changes"),
                ("lookup", "lookup/index.html", "Check a text"),
            )
            if entry
        )

    @cached_property
    def footer(self) -> tuple[tuple[str, str, str], ...]:
        """Every part of the site."""
        more = [("cards", "cards/index.html", "Cards A to Z"), ("years", "years/index.html", "Years")]
        more = [entry for entry in more if entry not in self.sections]
        end = (("coverage", "coverage/index.html", "Coverage"), ("about", "about/index.html", "About"))
        return (*more, *self.sections, *end)


def _digest(names: Iterable[str], more: bytes = b"") -> str:
    total = hashlib.sha256(more)
    for name in names:
        total.update((ASSETS / name).read_bytes())
    return total.hexdigest()[:8]


class Renderer:
    """Renders pages of one catalogue. `page` gives the bytes of one file."""

    def __init__(self, catalogue: Catalogue, site: Site) -> None:
        self.catalogue = catalogue
        self.site = site
        self.env = environment()
        self.env.globals["site"] = site

    def page(
        self,
        template: str,
        path: str,
        *,
        title: str,
        heading: str,
        description: str = "",
        codes: Iterable[str] = (),
        **context: object,
    ) -> bytes:
        """One page. `path` is its file under the root; `codes` are the symbols that it shows."""
        html = self.env.get_template(template).render(
            root="../" * path.count("/"),
            address=path.removesuffix("index.html"),
            title=f"{title} · Rulings" if title else "Rulings: every official Magic ruling, once, with all its cards",
            heading=heading,
            description=clip(description or heading, 200),
            sprite=Markup(symbols.sprite(codes)),
            **context,
        )
        return encoded(html)

    def redirect(self, path: str, target: str, *, title: str, label: str) -> bytes:
        """A page that leads on to `target` (a path under the root, with or without `#`)."""
        root = "../" * path.count("/")
        html = self.env.get_template("redirect.html").render(
            root=root,
            target=root + target,
            address=target.replace("index.html", ""),
            title=f"{title} · Rulings",
            heading=title,
            label=label,
        )
        return encoded(html)


def clip(text: str, length: int) -> str:
    """The beginning of `text` in about `length` characters, cut at a word."""
    text = " ".join(text.split())
    if len(text) <= length:
        return text
    return text[:length].rsplit(" ", 1)[0].rstrip(",;:—–- ") + " …"


def many(count: int, noun: str, plural: str | None = None) -> str:
    """`1 ruling`, `2,220 rulings`."""
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"


def card_href(catalogue: Catalogue, key: CardId, root: str = DEEP) -> str | None:
    """The link to a card's page, None where it has none."""
    address = catalogue.slugs.of.get(key)
    return f"{root}card/{address}/index.html" if address else None
