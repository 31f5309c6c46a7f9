"""Draws the symbols of rules text as SVG. Canonical codes of `rulings.symbols` in, `<symbol>` elements out.

Every mark is built from circles, lines and arcs on a 32-unit square. None is traced from the publisher's artwork:
they only have to be told apart at 15 pixels, by shape first and by colour second. A code without a drawing gives
None, and the page then shows it as text in braces: nothing is ever dropped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from rulings.symbols import COLOURS, HYBRIDS, title

# Colours are classes of style.css: `m-w` fills with white mana, `m-i` fills with ink, `m-o` draws lines in ink. A
# page has a drawing for each code that it shows, so what all drawings share is said once, in the stylesheet.
_BOX = "0 0 32 32"

# (solid shapes, strokes). All fit a circle of radius 10 around (16, 16).
_MARKS = {
    # white: a small sun, a disc and eight separate rays
    "w": (
        '<circle cx="16" cy="16" r="3.6"/>',
        "M16 6v4M16 22v4M6 16h4M22 16h4M8.9 8.9l2.9 2.9M20.2 20.2l2.9 2.9M23.1 8.9l-2.9 2.9M11.8 20.2l-2.9 2.9",
    ),
    # blue: a drop
    "u": ('<path d="M16 5.5C20 11.5 22.6 14.9 22.6 18.8a6.6 6.6 0 0 1-13.2 0C9.4 14.9 12 11.5 16 5.5z"/>', ""),
    # black: an eclipse, a crescent open to the upper right
    "b": ('<path d="M17.5 6.6a9.4 9.4 0 1 0 8 12.6A7.6 7.6 0 0 1 17.5 6.6z"/>', ""),
    # red: two peaks, the nearer one higher
    "r": ('<path d="M5.5 24L14.6 7l4.6 8.6 2-3.1L26.5 24z"/>', ""),
    # green: a leaf, two arcs, with its rib left open
    "g": ('<path d="M7 25C5.5 14 12 6.5 25.5 6.5 26 20 18.5 26.5 9.6 24.3L18 15.2 16.8 14z"/>', ""),
    # colourless: an open square on its point
    "c": ("", "M16 7.5L24.5 16 16 24.5 7.5 16z"),
    # snow: six spokes with a fork on each
    "s": ("", "M16 6v20M7.3 11l17.4 10M7.3 21l17.4-10M13.4 7.5L16 10l2.6-2.5M13.4 24.5L16 22l2.6 2.5"),
    # Phyrexian: a ring and a bar
    "p": ("", "M16 6.5v19M16 10.5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 1 0 0-11z"),
    "x": ("", "M10 8.5L22 23.5M22 8.5L10 23.5"),
    "y": ("", "M10 8.5L16 16.5 22 8.5M16 16.5V24"),
    "z": ("", "M10.5 8.5H21.5L10.5 23.5H21.5"),
    "½": (
        "",
        "M9.5 10.5L12 8.5V15.5M22.5 7.5L9.5 24.5M18.5 19.5C18.8 17.5 23 17.5 22.5 20.2C22 22 18.5 23.5 18.5 24.5H23",
    ),
    "∞": (
        "",
        "M16 16C13.5 12.5 11.7 11.5 10 11.5a4.5 4.5 0 0 0 0 9C11.7 20.5 13.5 19.5 16 16"
        "S20.3 11.5 22 11.5a4.5 4.5 0 0 1 0 9C20.3 20.5 18.5 19.5 16 16z",
    ),
}
# Digits as strokes in a box 8 wide and 14 high, standing at (0, 0).
_DIGITS = {
    "0": "M4 0C1.3 0 0 3 0 7s1.3 7 4 7 4-3 4-7-1.3-7-4-7z",
    "1": "M1 2.5L4.5 0v14",
    "2": "M.3 3.5C.6 1.3 2 0 4.1 0 6.3 0 7.7 1.5 7.7 3.6 7.7 7 1.5 9.5.3 14H8",
    "3": "M.5 0h7L3.8 5.3C6.4 5.3 8 7 8 9.5 8 12.3 6.2 14 3.8 14 1.9 14 .6 13.1 0 11.5",
    "4": "M5.8 14V0L0 9.8h8.3",
    "5": "M7.3 0H1.3L.7 6.2C1.5 5.4 2.6 5 3.8 5 6.3 5 8 6.8 8 9.4 8 12.2 6.2 14 3.8 14 1.9 14 .6 13.1 0 11.6",
    "6": "M6.6 0C3 1.8.2 5.6.2 9.6.2 12.4 1.8 14 4.1 14 6.4 14 8 12.3 8 9.8 8 7.3 6.4 5.7 4.2 5.7 2.3 5.7.8 6.9.3 8.6",
    "7": "M0 0h8L3 14",
    "8": "M4 6.5C2 6.5.7 5.2.7 3.3.7 1.3 2.1 0 4 0s3.3 1.3 3.3 3.3C7.3 5.2 6 6.5 4 6.5z"
    "M4 6.5C1.7 6.5 0 8 0 10.3 0 12.6 1.7 14 4 14"
    "s4-1.4 4-3.7C8 8 6.3 6.5 4 6.5z",
    "9": "M1.4 14C5 12.2 7.8 8.4 7.8 4.4 7.8 1.6 6.2 0 3.9 0 1.6 0 0 1.7 0 4.2"
    " 0 6.7 1.6 8.3 3.8 8.3 5.7 8.3 7.2 7.1 7.7 5.4",
}


def symbol_id(code: str) -> str:
    """The id of the drawing in a page's sprite: `{E}` -> `s-e`, `{W/U}` -> `s-wu`."""
    return "s-" + code.lower().replace("/", "").replace("½", "half").replace("∞", "inf")


@lru_cache(maxsize=1024)
def drawing(code: str) -> tuple[str, str] | None:
    """(viewBox, body) of the drawing for one canonical code, None where there is none."""
    body = _body(code)
    if body is None:
        return None
    box, shapes = body
    # 7.500 becomes 7.5
    return box, re.sub(r"(\.\d*?)0+(?=\D)", lambda m: m[1] if m[1] != "." else "", shapes)


def _body(code: str) -> tuple[str, str] | None:
    if code in COLOURS:
        return _BOX, _disc(code.lower()) + _mark(code.lower())
    match code:
        case "C":
            return _BOX, _disc("c") + _mark("c", 3)
        case "S":
            return _BOX, _disc("s") + _mark("s", 2)
        case "P" | "H":
            return _BOX, _disc("p") + _mark("p")
        case "X" | "Y" | "Z":
            return _BOX, _disc("n") + _mark(code.lower(), 3.2)
        case "½" | "∞":
            return _BOX, _disc("n") + _mark(code, 2.2)
        case "T":
            return _BOX, _turn(back=False)
        case "Q":
            return _BOX, _turn(back=True)
        # These three stand in the line like letters: no disc, the colour of the text.
        case "E":
            return "0 0 20 32", '<path d="M13.5 2L1.5 18h6.7L5.5 30 18.5 12.6h-7z" fill="currentColor"/>'
        case "CHAOS":
            arm = "M16 16C16 8.5 21 4.5 28 5.5 22.5 7.5 20 11 16 16z"
            turns = (f'<path d="{arm}" fill="currentColor" transform="rotate({d} 16 16)"/>' for d in (0, 90, 180, 270))
            return _BOX, "".join(turns)
        case "PW":
            star = (
                "M12 2.5C13 12 14.5 14.5 22.5 16 14.5 17.5 13 20 12 29.5 11 20 9.5 17.5 1.5 16 9.5 14.5 11 12 12 2.5z"
            )
            return "0 0 24 32", f'<path d="{star}" fill="currentColor"/>'
    if code.isascii() and code.isdigit():
        return (_BOX, _disc("n") + _number(code)) if len(code) <= 2 else _long_number(code)
    parts = code.split("/")
    if len(parts) == 2:
        return _BOX, _split(*parts)
    if len(parts) == 3 and parts[2] == "P":
        return _BOX, _split(parts[0], parts[1]) + _half(_mark("p", 5), 16, 16, 0.42)
    return None


def sprite(codes: Iterable[str]) -> str:
    """`<symbol>` elements for the codes that a page uses, sorted, each once. A browser does not load a separate
    sprite file from `file://`, so each page carries its own."""
    return "".join(
        f'<symbol id="{symbol_id(code)}" viewBox="{found[0]}">{found[1]}</symbol>'
        for code in sorted(set(codes))
        if (found := drawing(code)) is not None
    )


def common_codes() -> tuple[str, ...]:
    """The codes of which the search page may need a drawing: all but the rarest."""
    pairs = [f"{p[0]}/{p[1]}" for p in HYBRIDS] + [f"2/{c}" for c in COLOURS] + [f"C/{c}" for c in COLOURS]
    phyrexian = [f"{c}/P" for c in COLOURS] + [f"{p[0]}/{p[1]}/P" for p in HYBRIDS]
    numbers = [str(n) for n in range(21)]
    return (*COLOURS, *"CSPXYZTQE½∞", "CHAOS", "PW", *numbers, *pairs, *phyrexian)


def svg(code: str) -> str:
    """The image of one code inside a run, hidden from a screen reader (the run carries the words)."""
    found = drawing(code)
    if found is None:
        raise ValueError(f"no drawing for {code}")
    # style.css gives the size of a square and of the bolt. The run is one image, so its parts are not read out.
    shape = "" if found[0] == _BOX else ' class="s-bolt"' if code == "E" else f' viewBox="{found[0]}"'
    if code.isdigit() and len(code) > 2:
        shape = f' class="s-wide"{shape}'
    return f'<svg{shape}><use href="#{symbol_id(code)}"/></svg>'


def words(codes: Iterable[str]) -> dict[str, str]:
    """Code -> the words a judge says aloud."""
    return {code: title(code) for code in codes}


def _line(path: str, width: float) -> str:
    return f'<path class="m-o" stroke-width="{width}" d="{path}"/>'


def _disc(kind: str) -> str:
    return f'<circle class="m-{kind}" cx="16" cy="16" r="15"/>'


def _mark(kind: str, width: float = 2.6) -> str:
    solid, strokes = _MARKS[kind]
    out = solid.replace(" ", ' class="m-i" ', 1) if solid else ""
    return out + (_line(strokes, width) if strokes else "")


def _number(text: str) -> str:
    """One or two digits, centred in the disc."""
    scale = 1.22 if len(text) == 1 else 0.98
    step = 10.6
    width = (8 + step * (len(text) - 1)) * scale
    left, top = 16 - width / 2, 16 - 7 * scale
    place = f'transform="translate({left:.2f} {top:.2f}) scale({scale})"'
    return f'<g stroke-width="{round(3 / scale, 2)}" {place}>{_digits(text, step)}</g>'


def _digits(text: str, step: float) -> str:
    """Digits side by side, in the width of line that stands around them."""
    moved = ["", *(f' transform="translate({round(i * step, 1)} 0)"' for i in range(1, len(text)))]
    return "".join(f'<path class="m-o"{move} d="{_DIGITS[d]}"/>' for move, d in zip(moved, text, strict=True))


def _long_number(text: str) -> tuple[str, str]:
    """A number of three digits and more ({100}, {1000000}) in a capsule as wide as it needs."""
    step, scale = 10.6, 0.98
    width = (8 + step * (len(text) - 1)) * scale + 15
    shape = f'<rect class="m-n" x="1" y="1" width="{width - 2:.1f}" height="30" rx="15"/>'
    place = f'stroke-width="3.06" transform="translate(7.5 9.1) scale({scale})"'
    return f"0 0 {width:.1f} 32", f"{shape}<g {place}>{_digits(text, step)}</g>"


def _half(body: str, x: float, y: float, scale: float = 0.56) -> str:
    return f'<g transform="translate({x - 16 * scale:.2f} {y - 16 * scale:.2f}) scale({scale})">{body}</g>'


def _split(first: str, second: str) -> str:
    """A disc cut from lower left to upper right: the first half above, the second below."""

    def kind(code: str) -> str:
        return code.lower() if code in COLOURS or code in "PC" else "n"

    def body(code: str) -> str:
        return _mark(code.lower(), 3.6) if code.lower() in _MARKS else _number(code)

    a, b = kind(first), kind(second)
    return (
        f'<path class="m-{a}" d="M5.39 26.61A15 15 0 0 1 26.61 5.39z"/>'
        f'<path class="m-{b}" d="M26.61 5.39A15 15 0 0 1 5.39 26.61z"/>'
        + _line("M5.39 26.61L26.61 5.39", 1)
        + _half(body(first), 10.8, 11)
        + _half(body(second), 21.2, 21.2)
    )


def _turn(back: bool) -> str:
    """A quarter turn: clockwise to tap. Untap turns back, on a dark disc, so that shape and shade both differ."""
    pen, ink = ('class="m-o m-turned"', "m-n") if back else ('class="m-o"', "m-i")
    arc = (
        f'<path {pen} stroke-width="3.4" d="M8.2 22.5A9.4 9.4 0 0 1 21 9.3"/>'
        f'<path class="{ink}" d="M27.3 15.8L25.8 5 17 13.2z"/>'
    )
    if not back:
        return _disc("n") + arc
    disc = '<circle class="m-i m-turned" cx="16" cy="16" r="14.2" stroke-width="1.6"/>'
    return f'{disc}<g transform="translate(32 0) scale(-1 1)">{arc}</g>'
