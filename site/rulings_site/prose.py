"""The publisher's text as HTML: escaped, with drawn symbols, typographic quotes, safe links and word differences.

Hostile text in, `Markup` out. Quotes are curled for the eye only, character for character, so that offsets into the
plain text stay offsets into what is shown; data, citations and JSON keep the text as it is in the base.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from html import escape

from markupsafe import Markup

from rulings.symbols import find_runs, label
from rulings_site import symbols

_LINK = re.compile(r"https?://[^\s<>\"“”{}|\\^`]+", re.IGNORECASE)
# An opening quote stands at the start or after a space, a bracket, a dash or another opening quote.
_OPENS = frozenset(" \t\n\u00a0([{—–-/“‘\"'")
_ELIDED = re.compile(r"'(?=(?:til|tis|twas|em|n)\b|\d\ds\b)", re.IGNORECASE)
_BEFORE = re.compile(r"(?<!\S)[\w’'+-]{1,12} $")
_AFTER = re.compile(r"[.,;:!?)\]”’]+")
_WORD = re.compile(r"\{[^{}\s]{1,12}\}|[\w+−]+(?:['’/-][\w+−]+)*|\s+|.", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Prose:
    """A text ready for a page, and the codes of the symbols it shows (the page's sprite needs them)."""

    html: Markup
    codes: tuple[str, ...] = ()


def typeset(text: str) -> str:
    """`text` with curly quotes, one character for one. Texts that are curly already stay as they are."""
    if "'" not in text and '"' not in text:
        return text
    text = _ELIDED.sub("’", text)
    out = list(text)
    for at, char in enumerate(out):
        if char in "'\"":
            opens = at == 0 or out[at - 1] in _OPENS
            follows = text[at + 1 : at + 2]
            if opens and (not follows or follows.isspace()):
                opens = False
            out[at] = ("“" if opens else "”") if char == '"' else ("‘" if opens else "’")
    return "".join(out)


@lru_cache(maxsize=4096)
def prose(text: str) -> Prose:
    """A text of the publisher on one line."""
    shown = typeset(text)
    if "{" not in text and "http" not in text.lower():
        return Prose(Markup(escape(shown)))
    return _compose(shown)


def paragraphs(text: str) -> list[Prose]:
    """A text of several lines (Oracle text), one `Prose` a line."""
    return [prose(line) for line in text.split("\n") if line.strip()]


def _compose(shown: str, inner: Callable[[str], str] = escape) -> Prose:
    """Symbols and links of `shown` in place; what lies between goes through `inner`."""
    pieces: list[str] = []
    codes: list[str] = []
    at = 0
    for start, end, kind, payload in _parts(shown):
        lead = shown[at:start]
        if kind == "link":
            pieces += [
                inner(lead),
                f'<a href="{escape(payload)}" rel="external nofollow noopener">{escape(payload)}</a>',
            ]
            at = end
            continue
        run = shown[start:end]
        found = [code for _, _, run_codes in find_runs(run) for code in run_codes]
        before = _BEFORE.search(lead)
        stop = _AFTER.match(shown, end)
        head = lead[: before.start()] if before else lead
        codes += found
        image = symbol_run(run, found)
        if before or stop:
            tail = stop.group() if stop else ""
            pieces += [inner(head), '<span class="sym-w">', escape(before.group() if before else ""), image]
            pieces += [escape(tail), "</span>"]
            at = end + len(tail)
        else:
            pieces += [inner(lead), image]
            at = end
    pieces.append(inner(shown[at:]))
    return Prose(Markup("".join(pieces)), tuple(dict.fromkeys(codes)))


def _parts(shown: str) -> list[tuple[int, int, str, str]]:
    """Links and runs of drawn symbols, in order, none overlapping."""
    links = [(m.start(), m.start() + len(url), "link", url) for m in _LINK.finditer(shown) if (url := _trim(m.group()))]
    runs: list[tuple[int, int, str, str]] = []
    for start, end, codes in find_runs(shown):
        if all(symbols.drawing(code) for code in codes):
            runs.append((start, end, "run", ""))
    out: list[tuple[int, int, str, str]] = []
    for part in sorted(links + runs):
        if not out or part[0] >= out[-1][1]:
            out.append(part)
    return out


def _trim(url: str) -> str:
    """An address without the punctuation of the sentence it stands in (scryfall/gatherer-bugs#112)."""
    while url:
        if url[-1] in ".,;:!?'’”\"*_" or (
            url[-1] in ")]" and url.count(url[-1]) > url.count("(" if url[-1] == ")" else "[")
        ):
            url = url[:-1]
        else:
            break
    return url if re.fullmatch(r"https?://[^/?#]+.*", url, re.IGNORECASE) else ""


def symbol_run(run: str, codes: Sequence[str]) -> str:
    """A run of symbols as one image with one label; the plain code stays inside, so that a copy says `{E}{E}`."""
    images = "".join(symbols.svg(code) for code in codes)
    said = escape(label(codes))
    return f'<span class="sym" role="img" aria-label="{said}"><span class="sym-t">{escape(run)}</span>{images}</span>'


def cost(mana_cost: str) -> Prose:
    """A mana cost. `//` between the costs of two halves stays text."""
    return _compose(mana_cost) if mana_cost else Prose(Markup(""))


def cited_rules(text: str, link: Callable[[str, str], str | None]) -> Prose:
    """A text of the rules in which each rule number that `link(number, shown)` knows is a link."""
    from rulings.rules.number import find

    shown = typeset(text)
    links = []
    for reference in find(shown):
        number = shown[reference.start : reference.end]
        html = link(str(reference.number), number)
        if html is not None:
            links.append((reference.start, reference.end, html))
    pieces: list[str] = []
    codes: list[str] = []
    at = 0
    for start, end, html in [*links, (len(shown), len(shown), "")]:
        part = _compose(shown[at:start])
        pieces += [part.html, html]
        codes += part.codes
        at = end
    return Prose(Markup("".join(pieces)), tuple(dict.fromkeys(codes)))


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of words: `kind` is `same`, `del` or `ins`."""

    kind: str
    text: str


def differences(older: str, newer: str) -> list[Piece]:
    """Word-level differences from `older` to `newer`. Joining all but `ins` gives `older`, all but `del` `newer`."""
    a, b = _WORD.findall(older), _WORD.findall(newer)
    first = 0
    while first < min(len(a), len(b)) and a[first] == b[first]:
        first += 1
    last = 0
    while last < min(len(a), len(b)) - first and a[-1 - last] == b[-1 - last]:
        last += 1
    pieces: list[Piece] = []
    _put(pieces, "same", a[:first])
    middle_a, middle_b = a[first : len(a) - last], b[first : len(b) - last]
    blocks = SequenceMatcher(None, middle_a, middle_b, autojunk=False).get_opcodes() if middle_a and middle_b else None
    if blocks is None:
        _put(pieces, "del", middle_a)
        _put(pieces, "ins", middle_b)
    else:
        for tag, a1, a2, b1, b2 in _joined(blocks, middle_a):
            if tag == "equal":
                _put(pieces, "same", middle_a[a1:a2])
            else:
                _put(pieces, "del", middle_a[a1:a2])
                _put(pieces, "ins", middle_b[b1:b2])
    _put(pieces, "same", a[len(a) - last :])
    return pieces


def _joined(
    blocks: Sequence[tuple[str, int, int, int, int]], words: Sequence[str]
) -> list[tuple[str, int, int, int, int]]:
    """Changes with no more than a space or one short word between them read better as one change."""
    out: list[tuple[str, int, int, int, int]] = []
    for index, (tag, a1, a2, b1, b2) in enumerate(blocks):
        between = 0 < index < len(blocks) - 1
        short = tag == "equal" and between and len("".join(words[a1:a2]).strip()) <= 2
        kind = "change" if short or tag != "equal" else "equal"
        if out and kind == "change" and out[-1][0] == "change":
            out[-1] = ("change", out[-1][1], a2, out[-1][3], b2)
        else:
            out.append((kind, a1, a2, b1, b2))
    return out


def _put(pieces: list[Piece], kind: str, words: Sequence[str]) -> None:
    if words:
        pieces.append(Piece(kind, "".join(words)))


_SAID = {"del": "removed", "ins": "added"}


def diff_prose(older: str, newer: str) -> Prose:
    """The differences on a page: struck and underlined, both said in words to a screen reader."""
    html: list[str] = []
    codes: list[str] = []
    for piece in differences(typeset(older), typeset(newer)):
        part = _compose(piece.text)
        codes += part.codes
        if piece.kind == "same":
            html.append(part.html)
            continue
        body = part.html.strip()
        space = " " if piece.text.endswith(" ") else ""
        lead = " " if piece.text.startswith(" ") else ""
        html.append(
            f'{lead}<{piece.kind}><span class="vh">[{_SAID[piece.kind]}: </span>{body}'
            f'<span class="vh">]</span></{piece.kind}>{space}'
        )
    return Prose(Markup("".join(html)), tuple(dict.fromkeys(codes)))
