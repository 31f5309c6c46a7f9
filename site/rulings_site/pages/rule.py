"""The page of a rule, `/rule/<number>/`: its text, the rules around and under it, where it has been, and the rulings
that it bears on. In a compact site one page holds a whole rule (`702`) with all below it, each an anchor."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

from markupsafe import Markup

from rulings.model import Ruling
from rulings.rules.model import Rule
from rulings.rules.number import RuleNumber, find, parent
from rulings_site import dates
from rulings_site.listed import ids_of
from rulings_site.page import Files, Page
from rulings_site.pages.paged import pager
from rulings_site.parts import Parts
from rulings_site.render import DEEP, clip, many
from rulings_site.room import ROOM, cut, fitting, weight
from rulings_site.rows import LONG, Row, all_codes, join

_MOST_ROWS = 24
_ROWS_WEIGHT = 26_000
"""So much of a page its rulings can take from the family of a rule."""


def pages(parts: Parts) -> Iterator[Page]:
    """The contents, and a page for each rule below a section."""
    catalogue = parts.catalogue
    if catalogue.rules is None:
        return
    below: Counter[str] = Counter()
    for number in catalogue.rule_rulings:
        up: RuleNumber | None = RuleNumber(number)
        while up is not None:
            below[up] += len(catalogue.rule_rulings[number])
            up = parent(up)
    counts = [(r.number, below[r.number]) for r in catalogue.rules.rules if len(r.number) == 3]
    yield Page("rules", parts.keys.of("rules", repr(counts)), lambda: _contents(parts, dict(counts)))
    for rule in catalogue.rules.rules:
        if len(rule.number) < 3 or (parts.site.compact and len(rule.number) > 3):
            continue
        bearing = _bearing(parts, rule)
        shows = ids_of(bearing)[:_MOST_ROWS]

        def key(rule: Rule = rule, bearing: Sequence[Ruling] = bearing, shows: Sequence[str] = shows) -> str:
            around = [(r.number, _below(parts, r)) for r in _kin(parts, rule)]
            topics = _topics(parts, rule, bearing)
            return parts.keys.of_rulings("rule", shows, rule.number, str(len(bearing)), repr(around), repr(topics))

        yield Page(f"rule/{rule.number}", key, lambda r=rule, b=bearing: make(parts, r, b), shows)  # type: ignore[misc]


def _bearing(parts: Parts, rule: Rule) -> Sequence[Ruling]:
    """The rulings of a rule: its own; of a heading those of all below it."""
    catalogue = parts.catalogue
    if not rule.is_heading:
        return catalogue.rule_rulings.get(rule.number, ())
    if catalogue.rules is None or (len(rule.number) == 3 and not parts.site.compact):
        return catalogue.rule_rulings.get(rule.number, ())
    subtree = catalogue.rules.subtree(rule.number)
    return catalogue.in_order(i for below in subtree for i in ids_of(catalogue.rule_rulings.get(below.number, ())))


def _kin(parts: Parts, rule: Rule) -> tuple[Rule, ...]:
    """What stands under a rule; for one with nothing under it, its brothers."""
    rules = parts.catalogue.rules
    if rules is None:
        return ()
    if parts.site.compact:
        return tuple(r for chunk in parts.rule_chunks(rule.number) for r in chunk)
    children = rules.children(rule.number)
    if children:
        return children
    above = rules.parent(rule.number)
    return rules.children(above.number) if above and len(above.number) > 3 else ()


def make(parts: Parts, rule: Rule, bearing: Sequence[Ruling]) -> Files:
    """The file of one rule."""
    catalogue = parts.catalogue
    rules = catalogue.rules
    assert rules is not None
    number = rule.number
    text = [] if rule.is_heading else [parts.rule_text(line) for line in rule.text.split("\n")]
    examples = [parts.rule_text(example) for example in rule.examples]
    points = parts.rule_items(_points(parts, rule))
    codes = all_codes([], *text, *examples, points)
    beside = weight(*(line.html for line in (*text, *examples)), points.html)
    rows = [parts.rows.general(r.id) for r in bearing[:_MOST_ROWS]]
    kin = _family(parts, rule, beside + min(weight(*(row.html for row in rows)), _ROWS_WEIGHT), codes)
    codes |= all_codes(kin[0])
    left = ROOM - beside - weight(*(row.html for row in kin[0]))
    rows = rows[: fitting(rows, codes=codes, most=_MOST_ROWS, room=left)]
    topics = _topics(parts, rule, bearing)
    name = rules.title(number)
    crumbs = [(f"{DEEP}{parts.rule_path(h.number)}", f"{h.number} {h.text}") for h in rules.headings(number)]
    above = rules.parent(number)
    if above and not above.is_heading:
        crumbs.append((f"{DEEP}rule/{above.number}/index.html", above.number))
    more = ""
    if len(bearing) > len(rows):
        href = f"{DEEP}search/index.html?q=rule:{number}"
        more = Markup(f'{len(rows)} of {len(bearing):,} shown. <a href="{href}">Search them all</a>')
    html = parts.renderer.page(
        "rule.html",
        f"rule/{number}/index.html",
        title=f"{number} {name}",
        heading=f"{number} {name}",
        section="rules",
        description=rule.text,
        codes=codes | all_codes(rows),
        crumbs=crumbs,
        number=number,
        name=name,
        text=[p.html for p in text],
        examples=[p.html for p in examples],
        long=len(rule.text) > LONG,
        bearing=many(len(bearing), "ruling") if bearing else "",
        trace=_trace(parts, number),
        kin=join(kin[0]),
        kin_title=_kin_title(parts, rule),
        rows=join(rows),
        bears_note=f"{len(bearing):,}" + (", most cards first" if len(bearing) > 1 else ""),
        more=more,
        points=points.html,
        topics=topics,
        beside=_beside(parts, rule),
        pager=pager(1, len(kin)),
    )
    further = [_further(parts, rule, part, n, len(kin)) for n, part in enumerate(kin[1:], 2)]
    return [(f"rule/{number}/index.html", html), *further]


def _family(parts: Parts, rule: Rule, beside: int, codes: set[str]) -> list[Sequence[Row]]:
    """The rules under it or beside it, for each page. A compact site links to them, so it cuts by their texts alone."""
    if parts.site.compact:
        return [[_kin_row(parts, rule, other) for other in chunk] for chunk in parts.rule_chunks(rule.number)]
    rows = [_kin_row(parts, rule, other) for other in _kin(parts, rule)]
    return [rows[part] for part in cut(rows, beside=beside, codes=codes)]


def _kin_row(parts: Parts, rule: Rule, other: Rule) -> Row:
    """A rule in the list of its family."""
    catalogue, number = parts.catalogue, other.number
    lines = [parts.rule_text(line) for line in other.text.split("\n")]
    count = catalogue.under(number) if other.is_heading else len(catalogue.rule_rulings.get(number, ()))
    href = f"#r{number}" if parts.site.compact else f"{DEEP}rule/{number}/index.html"
    text = "".join(f'<p class="text">{line.html}</p>' for line in lines)
    below = f'<p class="side">bears on {many(count, "ruling")}</p>' if count else ""
    here, current = (" here", ' aria-current="true"') if other is rule else ("", "")
    return Row(
        f'<li class="folio{here}" id="r{number}"{current}><span class="side num"><a href="{href}">{number}</a></span>'
        f"<div>{text}{below}</div></li>",
        tuple(all_codes([], *lines)),
    )


def _further(parts: Parts, rule: Rule, kin: Sequence[Row], at: int, total: int) -> tuple[str, bytes]:
    """A further page of a long rule: what stands under it, no more."""
    assert parts.catalogue.rules is not None
    name = parts.catalogue.rules.title(rule.number)
    path = f"rule/{rule.number}/page-{at}.html"
    title = f"{rule.number} {name}, page {at}"
    nothing: dict[str, Any] = {
        "text": (),
        "examples": (),
        "long": False,
        "bearing": "",
        "trace": (),
        "rows": "",
        "bears_note": "",
    }
    nothing |= {"more": "", "points": "", "topics": (), "beside": ()}
    html = parts.renderer.page(
        "rule.html",
        path,
        title=title,
        heading=title,
        section="rules",
        codes=all_codes(kin),
        crumbs=[(f"{DEEP}rule/{rule.number}/index.html", f"{rule.number} {name}")],
        number=rule.number,
        name=f"{name}, page {at}",
        kin=join(kin),
        kin_title=_kin_title(parts, rule),
        pager=pager(at, total),
        **nothing,
    )
    return path, html


def _below(parts: Parts, rule: Rule) -> int:
    """How many rulings a rule bears on; a heading with all below it."""
    catalogue = parts.catalogue
    return catalogue.under(rule.number) if rule.is_heading else len(catalogue.rule_rulings.get(rule.number, ()))


def _kin_title(parts: Parts, rule: Rule) -> str:
    rules = parts.catalogue.rules
    assert rules is not None
    if rules.children(rule.number):
        return "Under it"
    above = rules.parent(rule.number)
    return f"Rule {above.number}, {rules.title(above.number)}" if above else ""


def _points(parts: Parts, rule: Rule) -> list[RuleNumber]:
    found = [ref.number for ref in find(rule.text) if ref.number != rule.number]
    return list(dict.fromkeys(found))[:6]


def _topics(parts: Parts, rule: Rule, bearing: Sequence[Ruling]) -> list[tuple[str, str]]:
    vocabulary = parts.catalogue.vocabulary or ()
    named = [t.key for t in vocabulary if any(rule.number == n or parent(rule.number) == n for n in t.rules)]
    counted = Counter(key for own in ids_of(bearing) for key in parts.catalogue.topics_of.get(own, ()))
    best = [key for key, _ in sorted(counted.items(), key=lambda item: (-item[1], item[0]))]
    keys = [key for key in dict.fromkeys((*named, *best)) if key in parts.catalogue.topics][:5]
    return [(f"{DEEP}topic/{parts.topic_slug(key)}/index.html", parts.catalogue.topic_title(key)) for key in keys]


def _beside(parts: Parts, rule: Rule) -> list[tuple[str, str]]:
    """The rules before and after on the same level."""
    rules = parts.catalogue.rules
    above = rules.parent(rule.number) if rules else None
    if rules is None or above is None:
        return []
    row = rules.children(above.number)
    at = next((i for i, r in enumerate(row) if r.number == rule.number), None)
    if at is None:
        return []
    near = [row[i] for i in (at - 1, at + 1) if 0 <= i < len(row)]
    return [
        (f"{DEEP}{parts.rule_path(r.number)}", f"{r.number} {clip(r.text, 40) if r.is_heading else ''}".strip())
        for r in near
    ]


_CHANGES = {
    "first known": "known since",
    "new": "new in",
    "moved": "moved here in",
    "reworded": "reworded in",
    "back": "back in",
}


def _trace(parts: Parts, number: RuleNumber) -> list[tuple[str, Markup]]:
    """The life of the rule, oldest last, and other rules that once had its number."""
    if parts.versions is None or len(parts.versions) < 2:
        return []
    found = parts.versions.trace(number)
    if found is None:
        return []
    rows: list[tuple[str, Markup]] = []
    for step in reversed(found.steps):
        what = " and ".join(_CHANGES.get(change, change) for change in step.changes)
        until = "" if step is found.steps[-1] and found.today else f", until {dates.time(step.until)}"
        said = f"{escape(what)} {dates.time(step.since)}{until}"
        rows.append((step.number, Markup(said[:1].upper() + said[1:])))
    for step, today in found.others:
        link = parts.rule_link(today, today) if today else None
        now = f", which is {link} today" if link else ", which is gone today"
        span = (
            dates.time(step.since)
            if step.since == step.until
            else f"{dates.time(step.since)} to {dates.time(step.until)}"
        )
        rows.append((step.number, Markup(f"Another rule from {span}{now}")))
    return rows


def _contents(parts: Parts, counts: dict[RuleNumber, int]) -> Files:
    """Sections and their rules."""
    rules = parts.catalogue.rules
    assert rules is not None
    blocks = []
    for section in rules.rules:
        if len(section.number) != 1:
            continue
        items = "".join(
            f'<li><a href="../rule/{r.number}/index.html"><b>{r.number}</b> {escape(r.text)}</a>'
            f"<span>{f'{counts[r.number]:,}' if counts.get(r.number) else ''}</span></li>"
            for r in rules.children(section.number)
        )
        title = f"{section.number} {section.text}"
        listed = Markup(f'<ul class="topics wide">{items}</ul>')
        blocks.append({"id": f"s{section.number}", "title": title, "count": "", "quiet": False, "html": listed})
    html = parts.renderer.page(
        "listing.html",
        "rules/index.html",
        title="Comprehensive Rules",
        heading="Comprehensive Rules",
        section="rules",
        facts=Markup(f"<span>Effective {parts.site.effective_time}</span><span>{len(rules.rules):,} rules</span>"),
        sub="A number on the right says how many rulings the rule bears on.",
        blocks=blocks,
    )
    return [("rules/index.html", html)]
