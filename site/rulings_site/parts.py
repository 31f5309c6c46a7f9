"""What the modules of pages share: the catalogue, the renderer, rows, keys; and small pieces of HTML."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape

from markupsafe import Markup

from rulings.names import card_key
from rulings.rules.model import Rule
from rulings.rules.number import RuleNumber
from rulings.rules.versions import Versions
from rulings_site.catalogue import CardId, Catalogue
from rulings_site.keys import Keys
from rulings_site.prose import Prose, cited_rules
from rulings_site.render import DEEP, Renderer, Site
from rulings_site.rows import Row, Rows, join
from rulings_site.slugs import assign

_FIRST_CHUNK, _CHUNK = 15_000, 40_000
"""About so many bytes of rules are on a page."""


@dataclass(frozen=True, slots=True)
class Note:
    """A remark of ours: a bold lead and one sentence. `kind` is "", `warn` or `bad`."""

    kind: str
    lead: str
    html: Markup


class Parts:
    """All that pages are made from."""

    def __init__(
        self, catalogue: Catalogue, site: Site, versions: Versions | None = None, keys: Keys | None = None
    ) -> None:
        self.catalogue = catalogue
        self.site = site
        self.versions = versions
        self.renderer = Renderer(catalogue, site)
        self.rows = Rows(catalogue, site)
        self.keys = keys or Keys(catalogue, site, versions)
        self.card_files: dict[CardId, dict[str, str]] = {}
        """For each card that was asked for, the file of each ruling that is not on its first page."""
        self._topic_slugs = assign((key, "") for key in catalogue.topics)
        self._set_slugs = assign((code, "") for code in catalogue.sets)
        named = {card_key(catalogue.topic_title(key)): key for key in catalogue.topics}
        self._topic_keys = named | {card_key(key): key for key in catalogue.topics}
        self.topic_called = lru_cache(maxsize=None)(self._topic_called)
        self.rule_item = lru_cache(maxsize=None)(self._rule_item)
        self.rule_path = lru_cache(maxsize=None)(self._rule_path)
        self.rule_chunks = lru_cache(maxsize=None)(self._rule_chunks)

    def topic_slug(self, key: str) -> str:
        """The address of a topic."""
        return self._topic_slugs.of[key, ""]

    def set_slug(self, code: str) -> str:
        """The address of a set."""
        return self._set_slugs.of[code, ""]

    def _topic_called(self, word: str) -> str | None:
        """The topic of a keyword, None where no ruling has it."""
        return self._topic_keys.get(card_key(word))

    # --- rules

    def rule_link(self, number: str, shown: str) -> str | None:
        """A link to a rule from a page two folders deep; None where the rule is not there."""
        address = self.rule_path(number)
        return f'<a href="{DEEP}{address}">{escape(shown)}</a>' if address else None

    def _rule_path(self, number: str) -> str | None:
        """Where a rule is: its own page, or its place on the page of the rule above it."""
        if not self.catalogue.has_rule(number):
            return None
        if len(number) == 1:
            return f"rules/index.html#s{number}"
        if self.site.compact:
            if len(number) == 3:
                return f"rule/{number}/index.html"
            chunks = self.rule_chunks(number[:3])
            at = next(n for n, chunk in enumerate(chunks, 1) if any(rule.number == number for rule in chunk))
            return f"rule/{number[:3]}/{'index' if at == 1 else f'page-{at}'}.html#r{number}"
        return f"rule/{number}/index.html"

    def _rule_chunks(self, number: str) -> list[list[Rule]]:
        """In a compact site: all that stands under a rule, in the pages that hold it; the first has rulings too."""
        rules = self.catalogue.rules
        chunks: list[list[Rule]] = [[]]
        left = _FIRST_CHUNK
        for rule in rules.subtree(number) if rules else ():
            if rule.number == number:
                continue
            weight = 350 + len(rule.text) * 5 // 4 + rule.text.count("{") * 600
            if weight > left and chunks[-1]:
                chunks.append([])
                left = _CHUNK
            left -= weight
            chunks[-1].append(rule)
        return chunks

    def rule_items(self, numbers: Iterable[RuleNumber]) -> Prose:
        """The list in the rail: number, what the rule is called, its beginning."""
        items = [self.rule_item(number) for number in numbers if self.catalogue.has_rule(number)]
        return Prose(
            Markup("".join(item.html for item in items)), tuple(dict.fromkeys(c for item in items for c in item.codes))
        )

    def _rule_item(self, number: RuleNumber) -> Prose:
        rules = self.catalogue.rules
        rule = rules.get(number) if rules else None
        if rules is None or rule is None:
            return Prose(Markup(""))
        body = Prose(Markup("")) if rule.is_heading else self.rule_text(opening(rule.text.split("\n")[0]))
        name = escape(rules.title(number))
        text = f"<p>{body.html}</p>" if body.html else ""
        html = f'<li><a class="num" href="{DEEP}{self.rule_path(number)}">{number}</a> {name}{text}</li>'
        return Prose(Markup(html), body.codes)

    def rule_text(self, text: str) -> Prose:
        """A text of the rules, with links to the rules it names."""
        return cited_rules(text, self.rule_link)


def opening(text: str, length: int = 240) -> str:
    """Whole sentences from the start of `text`, as many as fit; a long first one is cut at a word."""
    if len(text) <= length:
        return text
    end = max(text.rfind(mark, 0, length) for mark in (". ", ".” ", '." ', ".) "))
    if end > 60:
        return text[: end + 1] if text[end + 1] == " " else text[: end + 2]
    return text[:length].rsplit(" ", 1)[0].rstrip(",;:") + " …"


def def_list(rows: Sequence[tuple[str, Markup]]) -> Markup:
    """Names and values, with hairlines."""
    items = "".join(f"<div><dt>{escape(name)}</dt><dd>{html}</dd></div>" for name, html in rows)
    return Markup(f'<dl class="def">{items}</dl>')


def tag_links(links: Iterable[tuple[str, str]]) -> Markup:
    """Links in a row."""
    return Markup('<p class="tags">' + "".join(f'<a href="{escape(h)}">{escape(n)}</a>' for h, n in links) + "</p>")


def name_rows(links: Iterable[tuple[str, str]]) -> list[Row]:
    """Names, one a row; one without an address leads nowhere."""
    return [Row(f"<li><a{_to(h)}>{escape(n)}</a></li>") for h, n in links]


def _to(href: str) -> str:
    return f' href="{escape(href)}"' if href else ""


def counted_row(href: str, html: str, count: str) -> Row:
    """A link with a number on the right."""
    return Row(f'<li><a href="{escape(href)}">{html}</a><span>{count}</span></li>', ())


def listing(rows: Sequence[Row], kind: str) -> Markup:
    """Rows of names (`names`) or of links with numbers (`topics`)."""
    return Markup(f'<ul class="{kind}">{join(rows)}</ul>')


def name_list(links: Sequence[tuple[str, str]], first: int | None = None, more: str = "cards") -> Markup:
    """Names in columns; after the first ones, the rest in a fold."""

    def items(part: Sequence[tuple[str, str]]) -> str:
        return "".join(row.html for row in name_rows(part))

    shown = links if first is None else links[:first]
    html = f'<ul class="names">{items(shown)}</ul>'
    rest = links[len(shown) :]
    if rest:
        html += (
            f'<details class="fold"><summary>The other {len(rest):,} {more}</summary>'
            f'<ul class="names">{items(rest)}</ul></details>'
        )
    return Markup(html)
