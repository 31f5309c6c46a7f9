"""Mending of what went wrong with a text on its way to us. Every change is a named step; the caller keeps the raw
text. What a text says is never changed here, and its typography (quotes, dashes) is not touched.

Steps: `mojibake`, `html-entity`, `html-tag`, `symbol-image`, `symbol-form`, `line-ends`, `no-break-space`,
`invisible`, `tab`, `line-breaks`, `double-space`, `outer-space`.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass

from rulings.symbols import UnknownSymbol, fold_symbols, from_image
from rulings.text import plain

_ROUNDS = 8


@dataclass(frozen=True, slots=True)
class Normalised:
    """A mended text and the names of the steps that led there, each once, in order.

    `details` says what each step changed (`symbol-form: {g/u} -> {G/U}`). `refused` says why this text must not be
    stored, "" where it may: wrongly decoded characters are repaired only as a proposal. `warnings` say what could
    not be mended for certain (`html-left: <i> is not closed`).
    """

    text: str
    steps: tuple[str, ...] = ()
    details: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    refused: str = ""


def normalise(text: str) -> Normalised:
    """`text` with encoding, HTML, symbols, invisible characters and spaces mended. Idempotent."""
    details: list[str] = []
    warnings: list[str] = []
    refused = ""
    for _ in range(_ROUNDS):  # a second round only where the first changed something
        before = text
        repaired, faults = repair_mojibake(text)
        if faults:
            refused = refused or f"wrongly decoded characters: {', '.join(faults)}; likely meant: {repaired[:300]}"
            details += [f"mojibake: {fault}" for fault in faults]
            text = repaired
        if "&" in text or "<" in text:
            text = _mend_html(text, details, warnings)
        text, changed = fold_symbols(text)
        details += changed
        text = _mend_spaces(text, details)
        if text == before:
            break
    steps = dict.fromkeys(detail.partition(":")[0] for detail in details)
    return Normalised(text, tuple(steps), tuple(dict.fromkeys(details)), tuple(dict.fromkeys(warnings)), refused)


def settled(text: str) -> str:
    """`text` as wordings are compared: mended, in plain typography."""
    return plain(normalise(text).text)


# --- mojibake: UTF-8 read as Windows-1252, once or twice ---

_CP1252 = {bytes([code]).decode("cp1252", "replace"): code for code in range(128, 256)}
_CP1252 |= {chr(code): code for code in (0x81, 0x8D, 0x8F, 0x90, 0x9D)} | {chr(c): c for c in range(0xA0, 0x100)}
_CP1252.pop("�", None)
_LEAD = "".join(char for char, code in _CP1252.items() if 0xC2 <= code <= 0xF4)
_TRAIL = "".join(char for char, code in _CP1252.items() if 0x80 <= code <= 0xBF)
_SEQUENCE = re.compile(f"[{re.escape(_LEAD)}][{re.escape(_TRAIL)}]{{1,3}}")
# What rulings may really hold beyond ASCII. `é…”` would decode too, but to a character that no ruling has.
_PLAUSIBLE = re.compile(
    "[\u00a0-\u017f\u2010-\u2027\u202f-\u2044\u20ac\u2122\u2190-\u2193\u221e\u2212\u2605\u2606\ufeff]"
)
# A byte that Windows-1252 has not was dropped on the way: `â€` alone was a closing quote. `Â` stood before a space.
_REMAINS = (("â€", "”"), ("ï»¿", ""))
_LONE_A = re.compile(r"Â(?=[\s\u00a0]|$)|(?<=[\s\u00a0§°])Â(?=\W|$)")


def repair_mojibake(text: str) -> tuple[str, tuple[str, ...]]:
    """`text` with wrongly decoded characters repaired as is likely, and each fault found, as `'â€”' -> '—'`. No fault,
    no change. A replacement character (U+FFFD) is a fault that nobody can repair."""
    if text.isascii():
        return text, ()
    faults: list[str] = []

    def put(match: re.Match[str]) -> str:
        found = match.group()
        for length in range(len(found), 1, -1):
            try:
                meant = bytes(_CP1252[char] for char in found[:length]).decode()
            except UnicodeDecodeError:
                continue
            if all(_PLAUSIBLE.match(char) for char in meant):
                _note(faults, found[:length], meant)
                return meant + found[length:]
        return found

    for _ in range(4):  # decoded wrongly twice: in two rounds, and one for what remains
        before = text
        text = _SEQUENCE.sub(put, text)
        if text != before:
            continue
        for broken, meant in _REMAINS:
            if broken in text:
                _note(faults, broken, meant)
                text = text.replace(broken, meant)
        if _LONE_A.search(text):
            _note(faults, "Â", "")
            text = _LONE_A.sub("", text)
        if text == before:
            break
    if "�" in text:
        faults.append("'�' -> lost")
    return text, tuple(faults)


def _note(faults: list[str], found: str, meant: str) -> None:
    fault = f"{found!r} -> {meant!r}"
    if fault not in faults:
        faults.append(fault)


# --- HTML left in a text ---

_ENTITY = re.compile(r"&(?:[A-Za-z][A-Za-z0-9]{1,30}|#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6});")
_INLINE = "i|b|em|strong|u|s|small|sup|sub|span|font|a|cite|code|q|abbr|mark|tt|big|ins|del|nobr"
_BLOCK = "p|div|br|li|ul|ol|td|tr|table|tbody|blockquote|hr"
_TAG = re.compile(rf"<(/?)({_INLINE}|{_BLOCK})((?:\s+[^<>]{{0,300}})?)\s*/?>", re.IGNORECASE)
_IMAGE = re.compile(r"<img\b([^<>]{0,1000})/?>", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""\b(alt|title)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE)
_OPENING = frozenset(_INLINE.split("|"))


def _mend_html(text: str, steps: list[str], warnings: list[str]) -> str:
    """Entities become characters, symbol images symbols, known tags of style go. Any other tag, a script too, stays
    as the text it is: whoever shows it must escape it, and nothing is lost."""
    for _ in range(2):  # &amp;lt;i&amp;gt; was escaped twice
        unescaped = _ENTITY.sub(_character, text)
        if unescaped == text:
            break
        steps.append(f"html-entity: {' '.join(dict.fromkeys(_ENTITY.findall(text)))}")
        text = unescaped

    def image(match: re.Match[str]) -> str:
        said = next((a or b or c for _, a, b, c in _ATTRIBUTE.findall(match.group(1))), "")
        try:
            symbol = from_image(said)
        except UnknownSymbol:
            warnings.append(f"symbol-image: no symbol is called {said!r}")
            return match.group()
        steps.append(f"symbol-image: {said} -> {symbol}")
        return symbol

    text = _IMAGE.sub(image, text)
    unclosed: dict[str, int] = {}
    removed: list[str] = []

    def tag(match: re.Match[str]) -> str:
        name = match.group(2).lower()
        removed.append(match.group() if len(match.group()) < 30 else f"<{match.group(1)}{name} ...>")
        if name in _OPENING:
            unclosed[name] = unclosed.get(name, 0) + (-1 if match.group(1) else 1)
            return ""
        return " " if name in ("br", "td") else "\n"

    text = _TAG.sub(tag, text)
    if removed:
        steps.append(f"html-tag: {' '.join(dict.fromkeys(removed))}")
    for name, count in unclosed.items():
        if count:
            warnings.append(f"html-left: <{name}> is {'not closed' if count > 0 else 'closed without being opened'}")
    return text


def _character(match: re.Match[str]) -> str:
    meant = html.unescape(match.group())
    return match.group() if any("\ud800" <= char <= "\udfff" or char == "\x00" for char in meant) else meant


# --- what cannot be seen ---

_NO_BREAK = re.compile("[\u00a0\u2007\u202f\u2000-\u200a\u205f\u3000]")
_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff\x00-\x08\x0e-\x1f\x7f-\x9f]")


_SPACES: tuple[tuple[re.Pattern[str], str, str], ...] = (
    (re.compile(r"\r\n?"), "\n", "line-ends"),
    (_NO_BREAK, " ", "no-break-space"),
    (_UNSEEN, "", "invisible"),
    (re.compile(r"[\t\x0b\x0c]"), " ", "tab"),
    (re.compile(r" +\n| *\n +"), "\n", "line-breaks"),
    (re.compile(r"\n{3,}"), "\n\n", "line-breaks"),
    (re.compile(r"  +"), " ", "double-space"),
    (re.compile(r"\A\s+|\s+\Z"), "", "outer-space"),
)


_ORDINARY = re.compile("[ -~\n¡-¬®-ͯ‐-―‘-‧‰-⁞™−]*")


def _mend_spaces(text: str, steps: list[str]) -> str:
    if _ORDINARY.fullmatch(text) and "  " not in text and "\n" not in text and text == text.strip():
        return text  # nearly all texts
    for pattern, new, step in _SPACES:
        changed = pattern.sub(new, text)
        if changed != text:
            steps.append(step)
            text = changed
    return text
