"""The styles of a citation: plain, markdown, discord, reddit, html, short and csl-json; and splitting to a size.

In: `Citation`s. Out: text in which nothing of the ruling can act as markup: `*`, `_`, `[`, `<`, `@everyone` mean
themselves. Symbols stay in braces (`{E}`), which every style prints as they are; HTML adds what they mean.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from rulings.citation import Citation
from rulings.errors import UsageError
from rulings.symbols import find_runs, label
from rulings.text import printable, sentences

STYLES = ("plain", "markdown", "discord", "reddit", "html", "short", "csl-json")
SMALLEST_PART = 300
"""No part can be smaller: a long card name, its date, id, rules and link alone come to two hundred characters."""

_MARKDOWN = re.compile(r"[\\`*_{}\[\]#|~^]")
_BRACED = re.compile(r"\\\{([^\s{}\\]{1,12})\\\}")
_LINE_START = re.compile(r"^(\d{1,9})([.)])(?=\s|$)|^([-+])(?=\s|$)")
_MENTION = re.compile(r"@(?=everyone|here)|(?<=<)(?=[@#:])")
_REDDIT_NAME = re.compile(r"(?<![\w/])/?([ur])/(?=\w)")
_JOINER = "\u2060"  # word joiner: invisible, and breaks "@everyone" and "r/name"


def render(citation: Citation, style: str = "plain") -> str:
    """`citation` in one of STYLES, without a newline at the end."""
    if style == "csl-json":
        return csl_json([citation])
    return _style(style)(citation, "")


def render_all(citations: Sequence[Citation], style: str = "plain") -> str:
    """Several citations, in order, as one text."""
    if style == "csl-json":
        return csl_json(citations)
    return ("\n" if style == "short" else "\n\n").join(_style(style)(citation, "") for citation in citations)


def split(citations: Sequence[Citation], style: str = "plain", max_chars: int = 1900) -> tuple[str, ...]:
    """`citations` as messages of at most `max_chars` characters, cut only between rulings.

    Every ruling keeps its card, date and id beside it. One that is longer by itself is cut between sentences (a
    sentence that is too long, between words), and each piece says which of how many it is.
    """
    if max_chars < SMALLEST_PART:
        raise UsageError(f"{max_chars} characters are too few for a citation", f"give {SMALLEST_PART} or more")
    if style == "csl-json":
        raise UsageError("csl-json is one document and cannot be split", "leave out --max-chars")
    between = "\n" if style == "short" else "\n\n"
    parts: list[str] = []
    for block in (piece for citation in citations for piece in _pieces(citation, style, max_chars)):
        if parts and len(parts[-1]) + len(between) + len(block) <= max_chars:
            parts[-1] += between + block
        else:
            parts.append(block)
    return tuple(parts)


def _pieces(citation: Citation, style: str, max_chars: int) -> list[str]:
    """One ruling as one block, or as several where it is too long."""
    write = _style(style)
    whole = write(citation, "")
    if len(whole) <= max_chars:
        return [whole]
    for least in (citation, replace(citation, rules=(), notes=(), source="")):
        # A ruling with a very long list of rules still fits once that list is left off.
        room = max_chars - len(write(replace(least, text=""), " (part 99 of 99)"))
        if room >= 40:
            break
    texts = _cut(citation.text, lambda text: len(write(replace(least, text=text), " (part 99 of 99)")) <= max_chars)
    return [
        write(replace(least, text=text), f" (part {number} of {len(texts)})") for number, text in enumerate(texts, 1)
    ]


def _cut(text: str, fits: Callable[[str], bool]) -> list[str]:
    """`text` in pieces that fit: whole sentences while that works, else words, else characters."""
    pieces: list[str] = []
    for unit in _units(text, fits):
        if pieces and fits(pieces[-1] + unit):
            pieces[-1] += unit
        else:
            pieces.append(unit)
    return [piece.strip() for piece in pieces if piece.strip()]


def _units(text: str, fits: Callable[[str], bool]) -> list[str]:
    units: list[str] = []
    starts = [start for start, _ in sentences(text)]
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        sentence = text[start:end]
        if fits(sentence):
            units.append(sentence)
            continue
        for word in re.findall(r"\S+\s*", sentence):
            while not fits(word):  # one word longer than a message: hostile, but never an endless loop
                size = next((n for n in (400, 100, 25, 5) if n < len(word) and fits(word[:n])), 1)
                units.append(word[:size])
                word = word[size:]
            units.append(word)
    return units


def _style(style: str) -> Callable[[Citation, str], str]:
    if style not in _WRITERS:
        raise UsageError(f"no style {style!r}", f"styles: {', '.join(STYLES)}")
    return _WRITERS[style]


def _rules(citation: Citation) -> str:
    if not citation.rules:
        return ""
    effective = f" (Comprehensive Rules effective {citation.rules_effective})" if citation.rules_effective else ""
    return f"CR {', '.join(citation.rules)}{effective}"


def _tail(citation: Citation) -> list[str]:
    """The lines after the attribution, in every style but HTML: rules, notes. Not escaped."""
    lines = []
    if rules := _rules(citation):
        lines.append(rules)
    if citation.as_of:
        lines.append(f"As it stood on {citation.as_of}")
    if citation.notes:
        lines.append(f"Note: {'; '.join(citation.notes)}")
    return lines


def _source(citation: Citation) -> str:
    return ", ".join(part for part in (citation.publisher, citation.source) if part)


def _plain(citation: Citation, part: str) -> str:
    lines = [f'"{citation.text}"', f"- {citation.where}, {citation.when}, {citation.id}{part}"]
    lines += [_source(citation), *_tail(citation), f"{citation.link}  {citation.short}".lstrip()]
    return "\n".join(printable(line) for line in lines if line)


def escape_markdown(text: str) -> str:
    """`text` so that CommonMark, Python-Markdown and GitHub print it as it is: one line, at the start of a line."""
    text = _MARKDOWN.sub(lambda found: "\\" + found.group(), text)
    # A symbol needs no backslashes: braces alone mean nothing in Markdown.
    text = _BRACED.sub(r"{\1}", text)
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return _LINE_START.sub(lambda m: f"{m[1]}\\{m[2]}" if m[1] else f"\\{m[3]}", text)


def escape_discord(text: str) -> str:
    """`text` so that Discord prints it as it is, pings nobody and hides nothing."""
    text = re.sub(r"[\\`*_~|\[\]<>#]", lambda found: "\\" + found.group(), text)
    text = _MENTION.sub(lambda found: found.group() + _JOINER, text)
    return _LINE_START.sub(lambda m: f"{m[1]}\\{m[2]}" if m[1] else f"\\{m[3]}", text)


def escape_reddit(text: str) -> str:
    """`text` so that Reddit prints it as it is: Markdown, and `^`, `r/name` and `u/name` besides."""
    return _REDDIT_NAME.sub(lambda found: f"{found[1]}{_JOINER}/", escape_markdown(text))


def _quoted(
    citation: Citation, part: str, escape: Callable[[str], str], link: Callable[[str, str], str], end: str
) -> str:
    """The Markdown family: a block quote and lines under it; `end` breaks a line."""
    who = f"{escape(citation.where)}, {citation.when}, {link(citation.id, citation.link)}{part}"
    lines = [who, escape(_source(citation)), *(escape(line) for line in _tail(citation)), escape(citation.short)]
    return f"> {escape(citation.text)}\n\n" + end.join(line for line in lines if line)


def _markdown_link(text: str, url: str) -> str:
    if not url:
        return text
    return f"[{text}](<{url}>)" if re.search(r"[\s()]", url) else f"[{text}]({url})"


def _remote_link(text: str, url: str) -> str:
    """Forums link only full addresses: with a relative one the id stands alone."""
    return f"[{text}]({url})" if url.startswith(("https://", "http://")) else text


def _discord(citation: Citation, part: str) -> str:
    # `<...>` around an address keeps Discord from unfolding a preview. A blank line would end no quote there.
    full = citation.link.startswith(("https://", "http://"))
    lines = [
        f"> {escape_discord(citation.text)}",
        f"**{escape_discord(citation.where)}**, {citation.when}, `{citation.id}`{part}",
        *(escape_discord(line) for line in (_source(citation), *_tail(citation)) if line),
        f"{escape_discord(citation.short)} <{citation.link}>" if full else escape_discord(citation.short),
    ]
    return "\n".join(lines)


def _html(citation: Citation, part: str) -> str:
    url = html.escape(citation.link, quote=True)
    day = f'<time datetime="{citation.date}">{citation.date}</time>' if citation.date else citation.when
    named, source = (f'<a href="{url}">{citation.id}</a>', f' cite="{url}"') if url else (citation.id, "")
    under = [f"<cite>{html.escape(citation.where)}</cite>, {day}, {named}{part}"]
    under += [html.escape(line) for line in (_source(citation), *_tail(citation)) if line]
    return (
        f"<blockquote{source}>\n<p>{html_text(citation.text)}</p>\n"
        f"<footer>{'<br>'.join(under)}<br>{html.escape(citation.short)}</footer>\n</blockquote>"
    )


def html_text(text: str) -> str:
    """`text` escaped, with every run of symbols in an `abbr` that says what it means, for pages without our style."""
    out, last = [], 0
    for start, end, codes in find_runs(text):
        out.append(html.escape(text[last:start]))
        out.append(f'<abbr title="{html.escape(label(codes))}">{html.escape(text[start:end])}</abbr>')
        last = end
    return "".join(out) + html.escape(text[last:])


def csl_json(citations: Sequence[Citation]) -> str:
    """Items for a reference manager (CSL-JSON 1.0): the ruling's text is the abstract, its id the key."""
    items = []
    for citation in citations:
        item: dict[str, object] = {
            "id": citation.id,
            "type": "entry",
            "title": f"Ruling on {citation.card}" if citation.card else citation.where,
            "author": [{"literal": citation.publisher}],
            "container-title": "Magic: The Gathering rulings",
            "abstract": citation.text,
            "number": citation.id,
            "source": citation.source,
            "note": "; ".join([citation.short, *_tail(citation)]),
        }
        if citation.link:
            item["URL"] = citation.link
        if citation.date:
            item["issued"] = {"date-parts": [[int(part) for part in citation.date.split("-")]]}
        items.append(item)
    return json.dumps(items, ensure_ascii=False, indent=2)


_WRITERS: dict[str, Callable[[Citation, str], str]] = {
    "plain": _plain,
    "markdown": lambda c, part: _quoted(c, part, escape_markdown, _markdown_link, "  \n"),
    "discord": _discord,
    "reddit": lambda c, part: _quoted(c, part, escape_reddit, _remote_link, "  \n"),
    "html": _html,
    "short": lambda c, part: c.short,
}
