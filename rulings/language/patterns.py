"""The one subset of regular expressions that `/…/` understands, in Python and in the browser alike.

Allowed: letters and signs for themselves, `.`, classes `[a-z]` and `[^…]`, `\\d \\w \\s \\b` and their capitals, `\\`
before any sign, groups `( )` and `(?: )`, `|`, `^`, `$`, and `* + ? {m} {m,n} {m,}`, each also lazy with `?`. Counts go
to 100. Nothing else, so that RE2 here and any engine there agree. Upper and lower case are the same.
"""

from __future__ import annotations

import re

MAX_LENGTH = 200
MAX_COUNT = 100
_CLASSES = "dDwWsSbB"
_COUNT = re.compile(r"\{(\d{1,4})(?:(,)(\d{1,4})?)?\}")


def fault(pattern: str) -> tuple[int, str] | None:
    """Where in `pattern` it leaves the subset, and why; None where it is fine."""
    if not pattern:
        return 0, "an empty pattern matches everything"
    if len(pattern) > MAX_LENGTH:
        return MAX_LENGTH, f"a pattern has at most {MAX_LENGTH} characters"
    depth: list[int] = []
    i = 0
    repeatable = False
    while i < len(pattern):
        char = pattern[i]
        if char == "\\":
            if i + 1 >= len(pattern):
                return i, "a pattern cannot end with \\"
            escaped = pattern[i + 1]
            if escaped.isalnum() and escaped not in _CLASSES:
                return i, f"\\{escaped} is not understood here"
            repeatable = escaped not in "bB"
            i += 2
        elif char == "[":
            end = _class_end(pattern, i)
            if isinstance(end, str):
                return i, end
            repeatable, i = True, end
        elif char == "(":
            depth.append(i)
            i += 1
            if pattern.startswith("?", i):
                if not pattern.startswith("?:", i):
                    return i, "of the (? groups only (?: is understood"
                i += 2
            repeatable = False
        elif char == ")":
            if not depth:
                return i, "this ) closes nothing"
            depth.pop()
            repeatable, i = True, i + 1
        elif char in "*+?{":
            if not repeatable:
                return i, f"nothing stands before this {char} that could be repeated"
            if char == "{":
                count = _COUNT.match(pattern, i)
                if not count:
                    return i, "a literal { is written \\{"
                low, high = int(count[1]), int(count[3] or count[1])
                if max(low, high) > MAX_COUNT or high < low:
                    return i, f"counts go from low to high, up to {MAX_COUNT}"
                i = count.end()
            else:
                i += 1
            i += pattern.startswith("?", i)
            repeatable = False
        elif char == "}":
            return i, "a literal } is written \\}"
        elif char == "]":
            return i, "this ] closes nothing; a literal ] is written \\]"
        else:
            repeatable = char not in "^$|"
            i += 1
    return (depth[-1], "this ( is never closed") if depth else None


def _class_end(pattern: str, start: int) -> int | str:
    """The offset after the class that begins at `start`, or what is wrong with it."""
    i = start + 1
    i += pattern.startswith("^", i)
    first = i
    previous: str | None = None
    while i < len(pattern):
        char = pattern[i]
        if char == "]" and i > first:
            return i + 1
        if char == "[":
            return "a literal [ in a class is written \\["
        if char == "\\":
            if i + 1 >= len(pattern):
                break
            escaped = pattern[i + 1]
            if escaped.isalnum() and escaped not in "dDwWsS":
                return f"\\{escaped} is not understood in a class"
            previous = None if escaped.isalnum() else escaped
            i += 2
        elif char == "-" and previous is not None and i + 1 < len(pattern) and pattern[i + 1] not in "]\\":
            if pattern[i + 1] < previous:
                return f"the range {previous}-{pattern[i + 1]} runs backwards"
            previous = None
            i += 2
        else:
            previous = char
            i += 1
    return "this [ is never closed"
