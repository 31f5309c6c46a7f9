"""The page of a card, `/card/<slug>/`, the one a judge opens most: Oracle text, its own rulings, then shared ones.

Faces and former names lead to it; a name that several cards have is a page that lists them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape

from markupsafe import Markup

from rulings.card_page import is_shared
from rulings.model import Card
from rulings.names import faces
from rulings.rules.number import RuleNumber
from rulings_site import dates
from rulings_site.catalogue import CardId, Placed
from rulings_site.cites import listed, script_json
from rulings_site.page import Files, Page
from rulings_site.pages.paged import file_name, pager
from rulings_site.parts import Note, Parts, name_list
from rulings_site.prose import Prose, cost, paragraphs, typeset
from rulings_site.render import DEEP, card_href, clip, many
from rulings_site.room import ROOM, cut, weight
from rulings_site.rows import LONG, all_codes, join
from rulings_site.slugs import slug

_MOST_RULES = 8
_MOST_SETS = 12
_AROUND, _ROW = 15_000, 1_400
"""More than what stands around the rulings of a card, and around the text of one, in a compact site."""
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9 ,.;:'\"()!?’‘“”—–+/-]*")
_REDDIT = re.compile(r"\b[ur]/")


def pages(parts: Parts) -> Iterator[Page]:
    """A page for each card (in a compact site, for each card with rulings), then for other names."""
    catalogue = parts.catalogue
    for key in catalogue.order:
        shows = catalogue.ids_on(key)
        if parts.site.compact and not shows:
            continue
        yield Page(
            f"card/{catalogue.slugs.of[key]}",
            lambda k=key: _key(parts, k),  # type: ignore[misc]
            lambda k=key: make(parts, k),  # type: ignore[misc]
            shows,
        )
    for address, keys in catalogue.card_redirects.items():
        keys = tuple(k for k in keys if not parts.site.compact or catalogue.ids_on(k))
        if keys and not (parts.site.compact and len(keys) == 1):
            key_of = parts.keys.of(
                "other-name", address, *(_told_apart(parts, k) for k in keys if len(keys) > 1), repr(keys)
            )
            yield Page(f"card/{address}", key_of, lambda a=address, k=keys: _other_name(parts, a, k))  # type: ignore[misc]


def _key(parts: Parts, key: CardId) -> str:
    catalogue = parts.catalogue
    keywords = repr(_keyword_topics(parts, catalogue.cards[key]))
    ids = parts.keys.ids_on_card(key)  # for the short forms in its cite menus
    return parts.keys.of_rulings("card", catalogue.ids_on(key), repr(catalogue.cards[key]), keywords, ids)


class _Layout:
    """What the page of a card shows, and where it is cut: rulings that have no room are on page-2.html and so on."""

    def __init__(self, parts: Parts, key: CardId) -> None:
        catalogue = parts.catalogue
        self.card, self.address = catalogue.cards[key], catalogue.slugs.of[key]
        self.placed = catalogue.on_card(key)
        self.own = [p for p in self.placed if not is_shared(p.ruling)]
        self.shared = [p for p in self.placed if is_shared(p.ruling)]
        self.groups = _groups(parts, self.own, self.shared)
        self.oracle, codes = _oracle(self.card)
        self.rules = parts.rule_items(_rules(parts, self.placed))
        self.sets = _sets(parts, self.card)
        self.keyword_topics = _keyword_topics(parts, self.card)
        self.known_as = [typeset(name) for name in dict.fromkeys((*self.card.former_names, *self.card.foreign_names))]
        self.codes = codes | set(self.rules.codes)
        self.order = [p for group in self.groups for p in group.members]
        numbers = catalogue.numbers_on(key)
        self.rows = [parts.rows.on_card(p, self.address, numbers[p.ruling.id]) for p in self.order]
        # A compact site has no pages of rulings: what their cite menus copy is in the page of the card.
        self.cites = listed(catalogue, key, parts.site.base_url) if parts.site.compact and self.placed else {}
        said: dict[str, object] = self.cites.get("rulings", {})  # type: ignore[assignment]
        beside = weight(
            *(html for face in self.oracle for html in (*face.lines, face.cost, face.type_line)),
            self.rules.html,
            self.sets * 2,
            *(href + name for href, name in self.keyword_topics),
            *(f'<p class="side">{name}</p>' for name in self.known_as),
            script_json(self.cites | {"rulings": {}}),
        )
        sizes = [weight(script_json({p.ruling.id: said[p.ruling.id]})) if said else 0 for p in self.order]
        self.rows = [replace(row, data=size) for row, size in zip(self.rows, sizes, strict=True)]
        one = parts.site.compact and _surely_fits(parts, key)  # as `place` says
        self.slices = [slice(0, len(self.rows))] if one else cut(self.rows, beside=beside, codes=self.codes)

    def file(self, at: int) -> str:
        """The file that holds the ruling at that place in the order."""
        return file_name(next(n for n, part in enumerate(self.slices, 1) if at < part.stop))

    def shown(self, part: slice) -> list[dict[str, object]]:
        """The groups of one page, each with those of its rows that are there."""
        out: list[dict[str, object]] = []
        start = 0
        for group in self.groups:
            stop = start + len(group.members)
            rows = self.rows[max(start, part.start) : min(stop, part.stop)]
            if rows:
                out.append({"id": group.id, "title": group.title, "count": group.note, "rows": join(rows)})
            start = stop
        return out

    def jumps(self) -> list[tuple[str, str]]:
        """Links to the groups, wherever they begin, and to the rules."""
        out, start = [], 0
        for group in self.groups:
            file = self.file(start)
            address = f"{'' if file == 'index.html' else file}#{group.id}"
            out.append((address, f"{group.jump} {len(group.members)}"))
            start += len(group.members)
        return out + ([("#bear", f"Rules {self.rules.html.count('<li>')}")] if self.rules.html else [])

    def cite_list(self, part: slice) -> Markup:
        """What the cite menus of one page copy."""
        if not self.cites:
            return Markup("")
        said: dict[str, object] = self.cites["rulings"]  # type: ignore[assignment]
        here = {p.ruling.id for p in self.order[part]}
        return Markup(script_json(self.cites | {"rulings": {i: entry for i, entry in said.items() if i in here}}))


def make(parts: Parts, key: CardId) -> Files:
    """The files of one card."""
    layout = _Layout(parts, key)
    card, placed, codes = layout.card, layout.placed, layout.codes
    first = layout.slices[0]
    mana = cost(card.mana_cost) if not any(face.mana_cost for face in card.faces) else Prose(Markup(""))
    newest = max((p.occurrence.date for p in placed if p.occurrence.date), default=None)
    folder = f"card/{layout.address}"
    html = parts.renderer.page(
        "card.html",
        f"{folder}/index.html",
        title=card.name,
        heading=card.name,
        description=_description(card, len(placed), newest),
        codes=codes | set(mana.codes) | all_codes(layout.rows[first]),
        name=typeset(card.name),
        cost=mana.html,
        type_line=card.type_line,
        oracle=layout.oracle,
        long=sum(len(line) for face in layout.oracle for line in face.plain) > LONG,
        banner=_banner(placed, card.name),
        tally=many(len(placed), "ruling") if placed else "0 rulings",
        own=layout.own,
        shared=layout.shared,
        newest=dates.time(newest) if newest else "",
        sets=layout.sets,
        jumps=layout.jumps(),
        nothing=_nothing(parts, card) if not placed else "",
        groups=layout.shown(first),
        rules=layout.rules.html,
        keyword_topics=layout.keyword_topics,
        cite_list=layout.cite_list(first),
        known_as=layout.known_as,
        pager=pager(1, len(layout.slices)),
    )
    further = [_further(parts, layout, number) for number in range(2, len(layout.slices) + 1)]
    return [(f"{folder}/index.html", html), *further]


def _further(parts: Parts, layout: _Layout, number: int) -> tuple[str, bytes]:
    """A further page of a card with very many rulings: they, and no more."""
    part, name = layout.slices[number - 1], layout.card.name
    path = f"card/{layout.address}/{file_name(number)}"
    html = parts.renderer.page(
        "listing.html",
        path,
        title=f"{name}, page {number}",
        heading=typeset(name),
        crumbs=[("index.html", typeset(name))],
        facts=Markup(f"<span>{part.stop - part.start:,} of {many(len(layout.order), 'ruling')}</span>"),
        codes=all_codes(layout.rows[part]),
        groups=layout.shown(part),
        cite_list=layout.cite_list(part),
        pager=pager(number, len(layout.slices)),
    )
    return path, html


def place(parts: Parts, key: CardId, ruling_id: str) -> str:
    """The file of a card that holds one of its rulings, from the root."""
    address = parts.catalogue.slugs.of[key]
    if key not in parts.card_files:
        layout = None if _surely_fits(parts, key) else _Layout(parts, key)
        found = {p.ruling.id: layout.file(at) for at, p in enumerate(layout.order)} if layout else {}
        parts.card_files[key] = {i: file for i, file in found.items() if file != "index.html"}
    return f"card/{address}/{parts.card_files[key].get(ruling_id, 'index.html')}"


def _surely_fits(parts: Parts, key: CardId) -> bool:
    """Whether a card of a compact site has so little to show that it has one page: known without making its rows."""
    most = _AROUND
    for placed in parts.catalogue.on_card(key):
        ruling = placed.ruling
        text = max((ruling.text, *(v.text for v in ruling.variants)), key=len)
        # Once in the row, once for the cite menu; there again for each style that escapes something in it.
        times = 2 if _PLAIN.fullmatch(text) and not _REDDIT.search(text) else 6
        times += bool(ruling.variants)
        most += _ROW + times * len(text) + 4 * (text.count("'") + text.count('"')) + 400 * text.count("{")
        if most > ROOM or ruling.history:
            return False
    return True


@dataclass(frozen=True, slots=True)
class FaceText:
    """One face of a card as its page shows it; a card of one face has one without a name."""

    name: str
    cost: Markup
    type_line: str
    lines: tuple[Markup, ...]
    plain: tuple[str, ...]


def _oracle(card: Card) -> tuple[list[FaceText], set[str]]:
    found = [(f.name, f.mana_cost, f.type_line, f.oracle_text) for f in card.faces if f.oracle_text or f.type_line]
    if not found and card.oracle_text:
        found = [("", "", "", card.oracle_text)]
    out, codes = [], set()
    for name, mana, type_line, text in found:
        lines, price = paragraphs(text), cost(mana)
        codes |= {code for part in (*lines, price) for code in part.codes}
        out.append(FaceText(typeset(name), price.html, type_line, tuple(line.html for line in lines), (text,)))
    return out, codes


@dataclass(frozen=True, slots=True)
class Group:
    """Rulings of a card under one heading."""

    id: str
    title: str | Markup
    jump: str
    members: list[Placed]
    note: str


def _groups(parts: Parts, own: list[Placed], shared: list[Placed]) -> list[Group]:
    """Own rulings first; shared ones by the topic that most of them have."""
    catalogue = parts.catalogue
    groups: list[Group] = []
    if own:
        groups.append(Group("own", "Its own rulings" if shared else "Rulings", "Its own", own, f"{len(own):,}"))
    left = list(shared)
    counted = Counter(p.ruling.topics[0] for p in shared if p.ruling.topics)
    for topic, count in sorted(counted.items(), key=lambda item: (-item[1], item[0])):
        if count < 2 or len(groups) > 4:
            break
        members = [p for p in left if p.ruling.topics and p.ruling.topics[0] == topic]
        left = [p for p in left if not (p.ruling.topics and p.ruling.topics[0] == topic)]
        name, address = catalogue.topic_title(topic), parts.topic_slug(topic)
        link = f'<a href="{DEEP}topic/{address}/index.html">{escape(name[:1].lower() + name[1:])}</a>'
        most = max(catalogue.reach[p.ruling.id] for p in members)
        note = f"{count:,}, on up to {most:,} cards"
        groups.append(Group(f"t-{address}", Markup(f"Shared: {link}"), name, members, note))
    if left:
        plain = len(left) == len(shared)
        title = ("Shared with other cards" if own else "Rulings, shared with other cards") if plain else "Shared: other"
        groups.append(Group("more", title, "Shared" if plain else "Other", left, f"{len(left):,}"))
    return groups


def _rules(parts: Parts, placed: Sequence[Placed]) -> list[RuleNumber]:
    """The rules that bear on most of the card's rulings, own rulings counting double."""
    weight: Counter[RuleNumber] = Counter()
    for p in placed:
        for at, number in enumerate(parts.catalogue.rules_for(p.ruling)):
            weight[number] += (1 if is_shared(p.ruling) else 2) * 10 - min(at, 9)
    return [number for number, _ in sorted(weight.items(), key=lambda item: (-item[1], item[0]))[:_MOST_RULES]]


def _banner(placed: Sequence[Placed], name: str) -> Note | None:
    """Said where every ruling of the card seems to belong to another card (scryfall/gatherer-bugs#189)."""
    suspects = [p for p in placed if any("attachment" in kind or "suspect" in kind for kind in p.ruling.damage)]
    if not suspects:
        return None
    if len(suspects) == len(placed):
        lead = "These rulings may belong to another card."
        return Note(
            "bad", lead, Markup(f"None of them names {escape(typeset(name))}. Check the text before you use one.")
        )
    lead = f"{many(len(suspects), 'ruling')} here may belong to another card."
    return Note("bad", lead, Markup("Each says so under its text."))


def _keyword_topics(parts: Parts, card: Card) -> list[tuple[str, str]]:
    """Topics of the card's keywords: general rulings hold for it too, whether or not they are attached (krcg#183)."""
    found = dict.fromkeys(topic for word in card.keywords if (topic := parts.topic_called(word)))
    return [
        (
            f"{DEEP}topic/{parts.topic_slug(topic)}/index.html",
            f"{parts.catalogue.topic_title(topic)} ({len(parts.catalogue.topics[topic]):,})",
        )
        for topic in found
    ]


def _nothing(parts: Parts, card: Card) -> str:
    if _keyword_topics(parts, card):
        return "General rulings on its keywords still hold for it."
    return "Its Oracle text and the Comprehensive Rules decide."


def _sets(parts: Parts, card: Card) -> Markup:
    codes = sorted({p.set for p in card.printings if p.set})
    if not parts.site.with_sets:
        return Markup(", ".join(escape(code) for code in codes))
    links = [f'<a href="{DEEP}set/{parts.set_slug(c)}/index.html">{escape(c)}</a>' for c in codes[:_MOST_SETS]]
    more = f" and {len(codes) - _MOST_SETS} more" if len(codes) > _MOST_SETS else ""
    return Markup(", ".join(links) + more)


def _description(card: Card, count: int, newest: str | None) -> str:
    text = card.oracle_text or " ".join(face.oracle_text for face in card.faces)
    dated = f", newest {dates.long(newest)}" if newest else ""
    return f"{many(count, 'ruling')}{dated}. {clip(text, 140)}"


def _other_name(parts: Parts, address: str, keys: tuple[CardId, ...]) -> Files:
    catalogue = parts.catalogue
    path = f"card/{address}/index.html"
    if len(keys) == 1:
        name = keys[0][0]
        here = next((f for f in faces(name) if slug(f) == address), "")
        here = here or next((f for f in catalogue.cards[keys[0]].former_names if slug(f) == address), address)
        target = f"card/{catalogue.slugs.of[keys[0]]}/index.html"
        return [(path, parts.renderer.redirect(path, target, title=here, label=f"Go on to {name}"))]
    names = [(card_href(catalogue, key) or "", _told_apart(parts, key)) for key in keys]
    html = parts.renderer.page(
        "listing.html",
        path,
        title=keys[0][0],
        heading=typeset(keys[0][0]) if len({k[0] for k in keys}) == 1 else "Several cards of this name",
        sub="Several cards go by this name. Choose the one you mean.",
        blocks=[{"id": "which", "title": "Which card", "count": len(keys), "quiet": True, "html": name_list(names)}],
        noindex=True,
    )
    return [(path, html)]


def _told_apart(parts: Parts, key: CardId) -> str:
    """A name, with the beginning of the Oracle text where another card has the same name."""
    text = clip(parts.catalogue.cards[key].oracle_text, 60)
    return f"{typeset(key[0])}: {text}" if key[1] and text else typeset(key[0])
