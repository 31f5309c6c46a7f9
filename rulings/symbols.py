"""Mana and other symbols of rules text: their grammar, their folded form, their words.

One routine for every field and format. Codes stand in braces: `{E}`, `{2/W}`, `{G/U/P}`, `{CHAOS}`. What is in
braces and is no symbol stays text: nothing here ever drops a character. Pure functions on strings.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

NUMBER_WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen twenty"
).split()
COLOURS = {"W": "white", "U": "blue", "B": "black", "R": "red", "G": "green"}
HYBRIDS = tuple("WU UB BR RG GW WB UR BG RW GU".split())
"""Allied pairs, then enemy pairs, each in the order in which it is printed."""

_SINGLE = {
    **COLOURS,
    "C": "colorless",
    "S": "snow",
    "X": "X",
    "Y": "Y",
    "Z": "Z",
    "T": "tap",
    "Q": "untap",
    "E": "energy",
    "P": "Phyrexian",
    "H": "Phyrexian",  # an older code for a Phyrexian symbol of any colour
    "A": "acorn",
    "L": "legendary",
    "D": "land drop",
    "PW": "planeswalker",
    "CHAOS": "chaos",
    "TK": "ticket",
    "½": "one half",
    "∞": "infinity",
    "HW": "half white",
    "HR": "half red",
}
_PAIR_ORDER = {frozenset(pair): pair for pair in HYBRIDS}
_NAMED = {"TAP": "T", "UNTAP": "Q", "ENERGY": "E", "SNOW": "S", "INFINITY": "∞", "1/2": "½", "HALF": "½"}


def canonical(code: str) -> str | None:
    """The canonical form of what stands between braces (`g/u` -> `G/U`, `p/w` -> `W/P`), None if it is no symbol."""
    code = re.sub(r"\s+", "", code).upper().strip("()")
    code = _NAMED.get(code, code)
    if code in _SINGLE:
        return code
    if code.isascii() and code.isdigit():
        return (code.lstrip("0") or "0") if len(code) <= 7 else None
    # Without a slash nothing says whether {2W} is one symbol or two: it stays text.
    return _hybrid(code.split("/")) if "/" in code else None


def _hybrid(parts: list[str]) -> str | None:
    phyrexian = parts.count("P")
    rest = [part for part in parts if part != "P"]
    if phyrexian > 1 or not all(part in COLOURS or part in ("2", "C") for part in rest):
        return None
    colours = [part for part in rest if part in COLOURS]
    if len(rest) == 1 and phyrexian and rest[0] != "2":
        return rest[0] + "/P"
    if len(rest) != 2 or not colours or len(set(rest)) != 2:
        return None
    if len(colours) == 2:
        pair = "/".join(_PAIR_ORDER[frozenset(colours)])
    else:
        pair = f"{next(part for part in rest if part not in COLOURS)}/{colours[0]}"
    return pair + "/P" if phyrexian else pair


_BRACES = re.compile(r"\{([^{}\s]{1,12})\}")
# What people and tools make of braces: doubled, full-width, with spaces, with round brackets inside.
_ODD = re.compile(r"[{｛](?:\s*[{｛])*\s*(\(?[^{}｛｝]{1,12}?\)?)(?:\s*[}｝])+")
_ROUND = re.compile(r"\(([WUBRGC2]/[WUBRGP](?:/P)?|[wubrgc2]/[wubrgp](?:/p)?)\)")


def find_symbols(text: str) -> list[tuple[int, int, str]]:
    """Where symbols stand in `text`: (start, end, canonical code), in order."""
    found = []
    for match in _BRACES.finditer(text):
        code = canonical(match.group(1))
        if code is not None:
            found.append((match.start(), match.end(), code))
    return found


def find_runs(text: str) -> list[tuple[int, int, tuple[str, ...]]]:
    """Symbols that touch each other, taken together: (start, end, codes). `{3}{U}{U}` is one run."""
    runs: list[tuple[int, int, tuple[str, ...]]] = []
    for start, end, code in find_symbols(text):
        if runs and runs[-1][1] == start:
            runs[-1] = (runs[-1][0], end, (*runs[-1][2], code))
        else:
            runs.append((start, end, (code,)))
    return runs


def fold_symbols(text: str) -> tuple[str, tuple[str, ...]]:
    """`text` with every symbol in its canonical form, and what was changed, as `symbol-form: {g/u} -> {G/U}`.

    `(W/U)(W/U)` is read as two symbols (scryfall/gatherer-bugs#59); other round brackets are never touched.
    """
    steps: list[str] = []

    def put(match: re.Match[str]) -> str:
        code = canonical(match.group(1))
        if code is None:
            return match.group()
        new = "{" + code + "}"
        if new != match.group():
            step = f"symbol-form: {match.group()} -> {new}"
            if step not in steps:
                steps.append(step)
        return new

    if "{" in text or "｛" in text:
        # No ruling has so many; a flood of open braces must not cost the square of its length.
        text = (_ODD if text.count("{") + text.count("｛") <= 500 else _BRACES).sub(put, text)
    if "/" in text and "(" in text:
        text = _ROUND.sub(put, text)
    return text, tuple(steps)


def label(run: str | Iterable[str]) -> str:
    """The words for a run of symbols, as a screen reader says them: `{E}{E}{E}{E}` -> `four energy`,
    `{3}{U}{U}` -> `three blue blue`. Takes the text of the run or its codes."""
    codes = [code for _, _, code in find_symbols(run)] if isinstance(run, str) else list(run)
    if len(codes) > 1 and len(set(codes)) == 1 and codes[0] in ("E", "TK"):
        return f"{_number(len(codes))} {_SINGLE[codes[0]]}"
    return " ".join(title(code) for code in codes)


def title(code: str) -> str:
    """The words for one canonical code: `2/W` -> `two or white`, `W/P` -> `Phyrexian white`."""
    if code in _SINGLE:
        return _SINGLE[code]
    if code.isdigit():
        return _number(int(code))
    parts = code.split("/")
    words = " or ".join(_number(2) if part == "2" else _SINGLE[part] for part in parts if part != "P")
    return f"Phyrexian {words}" if "P" in parts else words


def _number(value: int) -> str:
    return NUMBER_WORDS[value] if value < len(NUMBER_WORDS) else str(value)


class UnknownSymbol(Exception):
    """A symbol image whose name is not known: an error, never a guess."""

    def __init__(self, name: str) -> None:
        super().__init__(f"unknown symbol image {name!r}")
        self.name = name


_ALT = {
    **{word: code for code, word in COLOURS.items()},
    "colorless": "C",
    "colourless": "C",
    "variable colorless": "X",
    "variable colourless": "X",
    "variable": "X",
    "tap": "T",
    "tap this permanent": "T",
    "untap": "Q",
    "untap this permanent": "Q",
    "snow": "S",
    "energy": "E",
    "energy counter": "E",
    "chaos": "CHAOS",
    "planeswalker": "PW",
    "phyrexian": "P",
    "ticket": "TK",
    "acorn": "A",
    "infinite": "∞",
    "infinity": "∞",
    "one half": "½",
    "half": "½",
    "half a white": "HW",
    "half a red": "HR",
}
_WORD_PARTS = {
    **{word: code for code, word in COLOURS.items()},
    "two": "2",
    "2": "2",
    "colorless": "C",
    "phyrexian": "P",
}


def from_image(alt: str) -> str:
    """The symbol that an image with this alternative text stands for, in braces: `Variable Colorless` -> `{X}`,
    `Red or White` -> `{R/W}`, `Phyrexian Blue` -> `{U/P}`. Raises UnknownSymbol."""
    name = " ".join(alt.split()).strip("{}")
    words = name.lower().removesuffix(" symbol").removesuffix(" mana")
    code = _ALT.get(words) or (canonical(name) if not name.islower() or name.isdigit() else None)
    if code is None and name.isupper() and len(name) in (2, 3) and name.isalnum():
        code = _hybrid(list(name))  # Gatherer's own short names, as in name=2W
    if code is None and words in NUMBER_WORDS:
        code = str(NUMBER_WORDS.index(words))
    if code is None:
        parts = [_WORD_PARTS.get(word, "?") for word in re.split(r"\s+or\s+|\s*/\s*|\s+", words) if word]
        code = None if "?" in parts or len(parts) < 2 else _hybrid(parts)
    if code is None:
        raise UnknownSymbol(alt)
    return "{" + code + "}"


_BARE = r"(?:(?:\d{1,2}|X{1,3})?(?:[WUBRGCS]|\([WUBRG2]/[WUBRGP]\)){1,6}|(?:\d{1,2}|X{1,3}))"
_BARE_COST = re.compile(_BARE)
_BARE_PART = re.compile(r"\d{1,2}|[A-Z]|\([WUBRG2]/[WUBRGP]\)")
# Words after which a letter or a number can only be a cost. "costs 2 less" too, but never "pay 2 life".
_BEFORE_COST = r"\b(?:[Pp]ay|pays|paying|paid|[Aa]dd|adds|adding|costs?|costing|cost of|[Ss]pend|produces?)\s+"
_BEFORE_ENERGY = r"\b(?:get|gets|getting|[Pp]ay|pays|paying|paid|more|of|any|you|gained|additional|spend)\s+"
_ENERGY = re.compile(
    _BEFORE_ENERGY + r"(E{1,12})(?![\w’'])(?!\.[a-z])"
    r"|(?<![\w{])(E{1,12})(?= is the energy symbol| \(\w+ energy counters?\))"
)
_MANA = re.compile(
    _BEFORE_COST + r"((?:\d{1,2}|X{1,3})?(?:[WUBRGC]|\([WUBRG2]/[WUBRGP]\)){1,6})(?![\w/’'+])"
    r"|\bcosts?\s+(\d{1,2}|X)(?= (?:less|more) (?:to|for)\b)"
)
_TAP = re.compile(r"(?<![\w{])(T|Q)(?=[:,] )")


def cost_line(line: str) -> str | None:
    """A line that is nothing but a mana cost in bare letters (`2WW` -> `{2}{W}{W}`), None if it is anything else."""
    line = line.strip()
    if not _BARE_COST.fullmatch(line):
        return None
    return "".join("{" + part.strip("()") + "}" for part in _BARE_PART.findall(line))


def from_bare_letters(text: str) -> tuple[str, tuple[str, ...]]:
    """Release notes write symbols as bare letters (`you get EE`, `pay 2G`). They become symbols where the words
    beside them leave no doubt; every other letter stays. Returns the text and the steps, as `fold_symbols`."""
    steps: list[str] = []

    def put(match: re.Match[str]) -> str:
        bare = next(group for group in match.groups() if group)
        new = "".join("{" + part.strip("()") + "}" for part in _BARE_PART.findall(bare))
        step = f"symbol-letters: {bare} -> {new}"
        if step not in steps:
            steps.append(step)
        return match.group()[: -len(bare)] + new

    return _TAP.sub(put, _MANA.sub(put, _ENERGY.sub(put, text))), tuple(steps)
