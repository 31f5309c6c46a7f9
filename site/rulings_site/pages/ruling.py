"""The page of a ruling, `/r/<id>/`: the text first, then what is known of it. With it its JSON twin, and the pages
of its other ids, of ids that were withdrawn and of ids that mean several rulings."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

from markupsafe import Markup

from rulings.codec import ruling_to_plain
from rulings.model import Ruling, Tombstone
from rulings.text import plain
from rulings_site import dates
from rulings_site.catalogue import Catalogue
from rulings_site.cites import apart, menu, script, script_json
from rulings_site.page import Files, Page
from rulings_site.pages.names import NAMES_PER_PAGE
from rulings_site.pages.paged import block, in_pages, one_group
from rulings_site.pages.wordings import wordings_of
from rulings_site.parts import Note, Parts, def_list, listing, name_rows, tag_links
from rulings_site.prose import prose, typeset
from rulings_site.render import DEEP, card_href, clip, many
from rulings_site.room import ROOM, fitting, weight
from rulings_site.rows import LONG, Row, all_codes, damage_words, join, official, stale_notes

_MOST_CARDS, _CARDS_WEIGHT = 160, 14_000
_MOST_WORDINGS, _MOST_RELATED = 20, 20
"""What is beyond, or has no room, is on pages of its own."""
_HEAVY = 12_000
"""Data of the cite menu with more signs lies in a script beside the page, and is read where a card is chosen."""
_KINDS = {"cards": "Cards", "wordings": "Wordings", "related": "Kin"}


def pages(parts: Parts) -> Iterator[Page]:
    """A page for each ruling, live or withdrawn, then for every other id."""
    catalogue = parts.catalogue
    for own in catalogue.rulings:
        yield Page(
            f"r/{own}",
            lambda i=own: parts.keys.ruling_page(catalogue.rulings[i]),  # type: ignore[misc]
            lambda i=own: make(parts, catalogue.rulings[i]),  # type: ignore[misc]
            (own, *catalogue.linked.get(own, ())),
        )
    for alias, targets in catalogue.redirects.items():
        shown = targets if len(targets) > 1 else ()  # a redirect shows no ruling, and there are thousands
        key = parts.keys.of_rulings("alias", shown, alias, *targets)
        yield Page(f"alias/{alias}", key, lambda a=alias, t=targets: _alias(parts, a, t), shown)  # type: ignore[misc]
    for stone in catalogue.knowledge.tombstones:
        if stone.id not in catalogue.rulings and stone.id not in catalogue.redirects:
            key = parts.keys.of("tombstone", repr(stone))
            yield Page(f"tombstone/{stone.id}", key, lambda s=stone: _tombstone(parts, s))  # type: ignore[misc]


def make(parts: Parts, ruling: Ruling) -> Files:
    """The page and the JSON twin of one ruling."""
    catalogue, rows = parts.catalogue, parts.rows
    text = catalogue.text(ruling)
    shown = prose(text)
    keys = catalogue.cards_of(ruling)
    chosen = menu(catalogue, ruling, parts.site.base_url)
    data = script_json(chosen.data) if chosen.data else ""
    rules = parts.rule_items(catalogue.rules_for(ruling))
    wordings = wordings_of(catalogue, ruling)
    links = [(card_href(catalogue, key) or "", typeset(key[0])) for key in keys]
    cards = links[: fitting(name_rows(links), most=_MOST_CARDS, room=_CARDS_WEIGHT)]
    heavy = len(data) > _HEAVY or len(keys) > len(cards)
    said = notes(catalogue, ruling, text)
    origin = _origin(catalogue, ruling)
    related = [rows.general(link.id) for link in ruling.links if link.id in catalogue.rulings]
    beside = weight(shown.html, *(cited for _, _, cited in chosen.cites), "" if heavy else data, rules.html)
    beside += weight(*(note.html for note in said), *(html for _, html in origin), *(r.html for r in name_rows(cards)))
    told = [w.row for w in wordings]
    codes = all_codes([], shown, rules)
    told_here = told[: fitting(told, codes=codes, most=_MOST_WORDINGS, room=ROOM - beside)]
    codes |= all_codes(told_here)
    left = ROOM - beside - weight(*(row.html for row in told_here))
    related_here = related[: fitting(related, codes=codes, most=_MOST_RELATED, room=left)]
    where = keys[0][0] if len(keys) == 1 else f"On {many(len(keys), 'card')}" if keys else "General note"
    html = parts.renderer.page(
        "ruling.html",
        f"r/{ruling.id}/index.html",
        title=f"{ruling.id}, {clip(plain(text), 60)}",
        heading=clip(plain(text), 90),
        description=f"{where}, {dates.long(ruling.date)}: {plain(text)}",
        codes=codes | all_codes(related_here),
        data=f"../{ruling.id}.json",
        ruling=ruling,
        text=shown,
        long=len(text) > LONG,
        superseded=ruling.status != "current",
        show_card=typeset(where),
        show_from=official(ruling.date),
        facts=_facts(catalogue, ruling, len(keys)),
        notes=said,
        first_choice=chosen.label,
        cites=chosen.cites,
        cite_data="" if heavy or not data else Markup(data),
        cite_from=f"r/{ruling.id}.js" if heavy else "",
        wordings=join(told_here),
        wording_count=len(told),
        more_wordings=_all_of(len(told_here), len(told), "wordings"),
        related=join(related_here),
        related_count=len(related),
        more_related=_all_of(len(related_here), len(related), "related", "rulings"),
        cards=cards,
        card_count=len(keys),
        rules=rules.html,
        topics=[
            (
                f"{DEEP}topic/{parts.topic_slug(key)}/index.html" if key in catalogue.topics else "",
                catalogue.topic_title(key),
            )
            for key in ruling.topics
        ],
        origin=origin,
    )
    files = [(f"r/{ruling.id}/index.html", html), (f"r/{ruling.id}.json", twin(catalogue, ruling))]
    if heavy:
        files.append((f"r/{ruling.id}.js", script({ruling.id: apart(catalogue, ruling, chosen)})))
    for whole, part, kind in (
        (name_rows(links), cards, "cards"),
        (told, told_here, "wordings"),
        (related, related_here, "related"),
    ):
        if len(whole) > len(part):
            files += _apart(parts, ruling, kind, whole)
    return files


def _all_of(shown: int, total: int, file: str, called: str = "") -> Markup:
    """Where the rest of a list is."""
    if shown == total:
        return Markup("")
    return Markup(f'{shown:,} of {total:,} shown. <a href="{file}.html">All {total:,} {called or file}</a>')


def _apart(parts: Parts, ruling: Ruling, kind: str, rows: Sequence[Row]) -> Files:
    """All cards, wordings or close rulings of a ruling that has very many, in pages of their own."""
    count = len(rows)
    heading, most = {
        "cards": (f"On {many(count, 'card')}", NAMES_PER_PAGE),
        "wordings": (many(count, "wording"), None),
        "related": (f"{many(count, 'ruling')} close to it", None),
    }[kind]

    def listed(part: slice) -> dict[str, Any]:
        if kind == "cards":
            return {"blocks": [block("cards", "Cards", listing(rows[part], "names"), quiet=True)]}
        title, note = ("Wordings", "newest first") if kind == "wordings" else ("Close to it", "")
        return {"groups": one_group(rows[part], title, note)}

    return in_pages(
        parts,
        f"r/{ruling.id}",
        rows,
        listed,
        title=f"{_KINDS[kind]} of {ruling.id}",
        files=(f"{kind}.html", f"{kind}-{{}}.html"),
        most=most,
        heading=heading,
        crumbs=[("index.html", ruling.id)],
        sub=typeset(clip(plain(parts.catalogue.text(ruling)), 200)),
        noindex=True,
    )


def twin(catalogue: Catalogue, ruling: Ruling) -> bytes:
    """The ruling as data: what the base holds, and what was worked out from it."""
    record = ruling_to_plain(ruling) | {
        "texts": list(dict.fromkeys([ruling.text, *(v.text for v in ruling.variants)])),
        "date": ruling.date,
        "first_date": ruling.first_date,
        "cards_total": catalogue.reach.get(ruling.id, 0),
        "rules": [str(number) for number in catalogue.rules_for(ruling)],
        "as_of": catalogue.as_of,
    }
    return (json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n").encode("utf-8", "replace")


def _facts(catalogue: Catalogue, ruling: Ruling, cards: int) -> Markup:
    facts = []
    if cards > 1:
        facts.append(f'On <a href="#cards"><b>{cards:,} cards</b></a>')
    elif cards == 1:
        key = catalogue.cards_of(ruling)[0]
        href = card_href(catalogue, key)
        name = f"<b>{escape(typeset(key[0]))}</b>"
        facts.append(f'On <a href="{href}">{name}</a>' if href else f"On {name}")
    else:
        facts.append(f"A general note on {escape(ruling.mechanic)}" if ruling.mechanic else "A general note")
    first, newest = ruling.first_date, ruling.date
    if first is None:
        facts.append("undated")
    elif first == newest:
        facts.append(f"{dates.time(first)}")
    else:
        facts.append(f"since {dates.time(first)}")
        own = max((o.date for o in ruling.occurrences if o.variant is None and o.date), default=None)
        facts.append(
            f"this wording {dates.time(own)}" if own and len(ruling.variants) else f"last {dates.time(newest)}"
        )
    return Markup("".join(f"<span>{fact}</span>" for fact in facts))


def notes(catalogue: Catalogue, ruling: Ruling, text: str) -> list[Note]:
    """What a reader must be told in words: replaced, damaged, mended, in old terms, gone at the source."""
    out = []
    last = ruling.history[-1] if ruling.history else None
    why = f"{escape(typeset(last.reason))}" if last and last.reason else ""
    when = f" on {dates.long(last.date)}" if last else ""
    if ruling.status == "superseded":
        target = escape(ruling.superseded_by or "")
        if catalogue.has_id(ruling.superseded_by or ""):
            target = f'<a href="../{target}/index.html">{target}</a>'
        lead = f"{target} says what holds now. " if target else ""
        out.append(Note("bad", f"Replaced{when}.", Markup(lead + why)))
    elif ruling.status == "withdrawn":
        out.append(Note("bad", f"Withdrawn{when}.", Markup(why or "It no longer holds.")))
    if ruling.damage:
        words = escape(", ".join(damage_words(kind) for kind in ruling.damage))
        out.append(Note("bad", "Damaged at the source.", Markup(f"Read it with care: {words}.")))
    out += _mended(ruling)
    for stale in stale_notes(text, ruling.date):
        said = f"“{escape(typeset(stale.found))}” is today “{escape(typeset(stale.now))}”."
        out.append(Note("warn", "Older words.", Markup(f"{said} {escape(typeset(stale.reason))}")))
    older = {v.key for v in ruling.variants if v.why == "older-wording"}
    behind = {o.card for o in ruling.occurrences if o.variant in older} - {
        o.card for o in ruling.occurrences if o.variant not in older
    }
    if behind:
        total = len(ruling.cards)
        html = f'{len(behind):,} of {many(total, "card")}. <a href="#wordings">See the wordings</a>'
        lead = (
            "Most cards still carry an older wording."
            if len(behind) * 2 > total
            else "Some cards carry an older wording."
        )
        out.append(Note("", lead if total > 1 else "The card carries an older wording.", Markup(html)))
    missing = {o.missing_since: 0 for o in ruling.occurrences if o.missing_since}
    if missing:
        gone = sum(1 for o in ruling.occurrences if o.missing_since)
        since = dates.long(min(d for d in missing if d))
        of = f"On {gone:,} of {len(ruling.occurrences):,} pages" if gone < len(ruling.occurrences) else "Everywhere"
        out.append(Note("warn", "No longer at the source.", Markup(f"{of}, since {since}. It is kept here.")))
    if dates.is_bulk(ruling.date):
        out.append(Note("", "Older than its date.", Markup("On 4 October 2004 old rulings were loaded in bulk.")))
    return out


def _mended(ruling: Ruling) -> list[Note]:
    out = []
    for why, lead in (
        ("typo", "Spelling mended."),
        ("symbol-lost", "Symbols restored."),
        ("encoding", "Characters mended."),
    ):
        keys = {v.key for v in ruling.variants if v.why == why}
        cards = {o.card for o in ruling.occurrences if o.variant in keys}
        if cards:
            html = f"{many(len(cards), 'card')} {'shows' if len(cards) == 1 else 'show'} it damaged at the source. "
            out.append(Note("", lead, Markup(html + '<a href="#wordings">See the wordings</a>')))
    return out


def _origin(catalogue: Catalogue, ruling: Ruling) -> list[tuple[str, Markup]]:
    rows: list[tuple[str, Markup]] = []
    names = sorted({o.source for o in ruling.occurrences})
    titles = [catalogue.sources[n].title or n if n in catalogue.sources else n for n in names]
    if titles:
        rows.append(("Source" if len(titles) == 1 else "Sources", Markup("<br>".join(escape(t) for t in titles))))
    read = max((catalogue.sources[n].as_of or "" for n in names if n in catalogue.sources), default="")
    if read:
        rows.append(("As of", dates.time(read)))
    days = sorted({o.date for o in ruling.occurrences if o.date}, reverse=True)
    if days:
        shown = [_day_link(catalogue, d) for d in days[:6]]
        more = f" and {len(days) - 6} more" if len(days) > 6 else ""
        rows.append(
            ("Date" if len(days) == 1 else "Dates", Markup(f'<span class="dates">{", ".join(shown)}{more}</span>'))
        )
    others = sorted(catalogue.other_ids.get(ruling.id, ()))
    if others:
        listed = "<br>".join(f'<span class="id">{escape(o)}</span>' for o in others[:6])
        rows.append(("Other ids", Markup(listed + (f"<br>and {len(others) - 6} more" if len(others) > 6 else ""))))
    for change in ruling.history:
        who = f", {escape(change.actor)}" if change.actor else ""
        what = escape(change.what) + (f": {escape(change.reason)}" if change.reason else "")
        rows.append((dates.short(change.date), Markup(what + who)))
    rows.append(("Data", Markup(f'<a href="../{escape(ruling.id)}.json">JSON</a>')))
    return rows


def _day_link(catalogue: Catalogue, day: str) -> str:
    time = dates.time(day, brief=True)
    return f'<a href="{DEEP}date/{escape(day)}/index.html">{time}</a>' if day in catalogue.dates else time


def _alias(parts: Parts, alias: str, targets: tuple[str, ...]) -> Files:
    """An id that leads to a ruling, or a page that lists the rulings it may mean."""
    path = f"r/{alias}/index.html"
    if len(targets) == 1:
        target = targets[0]
        html = parts.renderer.redirect(
            path, f"r/{target}/index.html", title=f"{alias} is {target}", label=f"Go on to {target}"
        )
        return [(path, html)]
    rows = [parts.rows.general(target) for target in targets]

    def listed(part: slice) -> dict[str, Any]:
        return {"groups": one_group(rows[part], "Which one", f"{len(rows)}")}

    return in_pages(
        parts,
        f"r/{alias}",
        rows,
        listed,
        title=alias,
        heading=f"{alias} means several rulings",
        sub="One wording stands on cards for which a person told rulings apart. Choose the one you mean.",
        noindex=True,
    )


def _tombstone(parts: Parts, stone: Tombstone) -> Files:
    path = f"r/{stone.id}/index.html"
    when = f" on {dates.long(stone.date)}" if stone.date else ""
    body = Markup(
        def_list([("Id", Markup(f'<span class="id">{escape(stone.id)}</span>')), ("Why", Markup(escape(stone.reason)))])
        + tag_links([(f"{DEEP}search/index.html", "Search rulings")])
    )
    html = parts.renderer.page(
        "plain.html",
        path,
        title=f"{stone.id}, withdrawn",
        heading=f"{stone.id} was withdrawn",
        sub=f"This ruling was taken out of the base{when}. Its id is never used again.",
        body=body,
        noindex=True,
    )
    return [(path, html)]
