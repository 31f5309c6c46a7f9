"""Phrases: the small language in which `topics.yaml` says which words give a topic.

In: one line of a `strong`, `weak` or `except` block. Out: a `Phrase` (a regular expression, and the words that any
text it matches must have). Never: a regular expression written by people, so that a shared base cannot bring one
that runs for ever.

    word            the whole word in any case, `word's` too
    =Word           the same, in just this case: `=Plains` the land type, not the plains of a story
    word*  *n't     words that begin, or end, so
    a|b|two_words   any of these; `_` is a space or a hyphen
    $name           a list of words from the file's `words`
    [word]          may be missing
    ..  ...         up to four, up to twelve words between, in the same sentence
    #               a number: 3, X, three, {2}
    {T}  {*         a symbol, any symbol
    ~               the card's own name
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

MAX_LENGTH = 240
_BETWEEN = r"""[\s,;:"'()\[\]—–/-]+"""
_GAPS = {"..": r"(?:\s+[^\s.!?]+){0,4}?", "...": r"(?:\s+[^\s.!?]+){0,12}?"}
_NUMBER = (
    r"(?:\d+|X|\{[0-9X]+\}|zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fifteen|twenty)"
)
_WORD = re.compile(r"=?(?:\*?[\w+\-'/]+(?:_[\w+\-'/]+)*\*?|~|\{[\w/]+\}|\{\*|\+?\d+/\+?\d+)")


class PhraseError(ValueError):
    """A line that is no phrase; the message says what is wrong with it."""


@dataclass(frozen=True)
class Phrase:
    """One pattern. `needs`: of each group of words (lower case, `*` before or after as written) a text must have one,
    or the phrase cannot match it. `first`: the words one of which it begins with; none where it may begin with
    anything. The expression is compiled when first used."""

    source: str
    pattern: str
    needs: tuple[tuple[str, ...], ...]
    first: tuple[str, ...] = ()

    @cached_property
    def regex(self) -> re.Pattern[str]:
        """The compiled expression."""
        return re.compile(self.pattern, re.IGNORECASE)


def _alternative(word: str) -> tuple[str, str, str, str]:
    """For one word or `two_words`: what must stand before, the expression, what must stand after, and the word that a
    text must have for it."""
    if not _WORD.fullmatch(word):
        raise PhraseError(f"{word!r} is no word, symbol, number sign or gap")
    if word == "~":
        return "", "~s?(?:'s)?", "", "~"
    if word == "{*":
        return "", r"\{[^}]+\}", "", "{*"
    if word.startswith("{"):
        return "", re.escape(word), "", word.lower()
    exact = word.startswith("=")
    bare = word.lstrip("=")
    before = r"\w*" if bare.startswith("*") else r"(?<![\w+{-])" if bare[0] in "+-" else r"(?<!\w)"
    after = r"\w*(?:'s|')?" if bare.endswith("*") else r"(?:'s|'(?!\w))?(?!\w)"
    parts = bare.strip("*").split("_")
    if not all(any(map(str.isalnum, part)) for part in parts):
        raise PhraseError(f"{word!r} has a part without a letter or digit")
    body = r"[\s-]+".join(re.escape(part) for part in parts)
    return before, f"(?-i:{body})" if exact else body, after, _needed(bare, parts)


def _needed(bare: str, parts: list[str]) -> str:
    """Of a word of several parts the longest must be there; one that ends or begins openly keeps its `*`."""
    whole = [part.lower() for part in parts]
    words = [word for part in whole for word in ([part] if "/" in part else part.split("-")) if word]
    longest = max(words, key=len)
    if bare.endswith("*") and longest == words[-1]:
        longest += "*"
    if bare.startswith("*") and longest.rstrip("*") == words[0]:
        longest = "*" + longest
    return longest


def _item(item: str, words: Mapping[str, tuple[str, ...]]) -> tuple[str, tuple[str, ...]]:
    """The expression for one item of a phrase, and the words one of which a text must have for it (none: anything)."""
    if item == "#":
        return rf"(?<![\w+/-]){_NUMBER}(?!\w)", ()
    alternatives: list[str] = []
    exact = item.startswith("=") and "|" in item
    for word in item.split("|"):
        if word.startswith("$"):
            if word[1:] not in words:
                raise PhraseError(f"{word} is not in the list of words")
            alternatives += words[word[1:]]
        elif not word:
            raise PhraseError(f"{item!r} has an empty alternative")
        else:
            alternatives.append(word if not exact or word.startswith("=") or not word[0].isupper() else "=" + word)
    made = [_alternative(word) for word in alternatives]
    # Words with the same surroundings share them: four times faster than to look around each word.
    alike: dict[tuple[str, str], list[str]] = {}
    for before, body, after, _ in made:
        alike.setdefault((before, after), []).append(body)
    groups = [before + _either(bodies) + after for (before, after), bodies in alike.items()]
    return _either(groups), tuple(dict.fromkeys(word for *_, word in made))


def _either(expressions: list[str]) -> str:
    return expressions[0] if len(expressions) == 1 else f"(?:{'|'.join(expressions)})"


def compile_phrase(source: str, words: Mapping[str, tuple[str, ...]]) -> Phrase:
    """The phrase that `source` writes. Raises PhraseError where it cannot be read or would match anything."""
    if len(source) > MAX_LENGTH:
        raise PhraseError(f"longer than {MAX_LENGTH} characters")
    items = source.split()
    if not items or items[0] in _GAPS or items[-1] in _GAPS:
        raise PhraseError("a phrase begins and ends with a word")
    pattern = ""
    needs: list[tuple[str, ...]] = []
    gap = ""
    first = True
    for item in items:
        if item in _GAPS:
            if gap:
                raise PhraseError("two gaps in a row")
            gap = _GAPS[item]
            continue
        optional = item.startswith("[") and item.endswith("]")
        body, needed = _item(item[1:-1] if optional else item, words)
        if optional:
            if first or gap:
                raise PhraseError("an optional word stands between two others")
            pattern += f"(?:{_BETWEEN}{body})?"
            continue
        pattern += body if first else gap + _BETWEEN + body
        first, gap = False, ""
        if needed:
            needs.append(needed)
    if not needs:
        raise PhraseError("a phrase needs a word of its own")
    return Phrase(source, pattern, tuple(dict.fromkeys(needs)), _first_words(items[0], words))


def _first_words(item: str, words: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """The words one of which must stand where an item begins; none where that is open."""
    found = []
    for part in item.split("|"):
        for word in words.get(part[1:], ()) if part.startswith("$") else (part,):
            bare = word.lstrip("=").lower()
            if bare.startswith(("*", "{*", "#")):
                return ()
            parts = [bare] if bare[0] in "+-{~" or bare[0].isdigit() else re.split("[-/]", bare)
            found.append(parts[0].split("_")[0])
    return tuple(dict.fromkeys(found))
