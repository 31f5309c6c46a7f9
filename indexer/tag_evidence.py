"""What in a text speaks for which topic: every phrase of the vocabulary that stands in it, and where.

In: a text with its own names masked. Out: `Evidence` by topic. Which topics it is then about is decided in
`indexer.tag`. Phrases are tried only where all their words are in the text: that is most of the speed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rulings.phrases import Phrase, PhraseError, compile_phrase
from rulings.text import sentences
from rulings.topics import Topics

_TOKEN = re.compile(r"\{[^}]*\}|~|[+-]?\d+/[+-]?\d+|[\w'/]+")
_ASIDES = re.compile(
    r"\([^()]*\)"
    r"|(?<=[.!?] )(?:For example|For instance|Say|Suppose)\b[^.!?]*[.!?]?"
    r"|(?:,|—|-) ?(?:for example|for instance|perhaps|most likely|probably|such as|like|possibly|usually|typically)\b"
    r"[^.;!?]*"
    r"|\b(?:such as|perhaps because|most likely because|probably because|for example)\b[^.,;!?)]*"
    r'|(?<=[ (])"[^"]{45,}"'
)
# Words in nearly every ruling: they sift nothing.
_COMMON = frozenset(
    "a an the of to in on it its is are was be been you your that this if as or and not for with at by from can may"
    " will only one any all each first second last has have had would".split()
)


KEYWORD_GROUPS = frozenset({"keyword-action", "keyword-ability", "ability-word"})
_CAPITAL_BEFORE = re.compile(r"[A-Z][\w'-]*,? (?:of |the |of the |to |and |in )?$")
_CAPITAL_AFTER = re.compile(r"(?:'s)? (?:of |the |of the |to |and |in )?[A-Z][a-z]")
_SENTENCE = re.compile(r"""(?:^|[.!?:—]["')]?\s+)["'(]*$""")


@dataclass(frozen=True, slots=True)
class Evidence:
    """One phrase in a text. `strong` as in the vocabulary; `aside`: said in brackets, an example or a quotation;
    `first`: in the first sentence."""

    phrase: str
    words: str
    start: int
    end: int
    strong: bool
    aside: bool
    first: bool


@dataclass(frozen=True, slots=True)
class _Entry:
    topic: str
    kind: str  # "strong" | "weak" | "except"
    phrase: Phrase
    name: bool  # a word or two of a keyword's topic: may also stand in the name of some other card


class Finder:
    """All phrases of a vocabulary, ready to be looked for. `extra` are more strong phrases, by topic; phrases that
    cannot be read are left out (`rulings.topics.check_phrases` names them)."""

    def __init__(self, topics: Topics, extra: Iterable[tuple[str, str]] = ()) -> None:
        self._words = topics.words
        self._entries: list[_Entry] = []
        self._full: list[int] = []  # by phrase: a bit for each group of words that must be there
        self._exact: dict[str, list[tuple[int, int]]] = {}
        self._starts: dict[str, list[tuple[int, int]]] = {}
        self._ends: dict[str, list[tuple[int, int]]] = {}
        self._known: dict[str, tuple[tuple[int, int], ...]] = {}
        for topic in topics:
            for kind, lines in (("strong", topic.strong), ("weak", topic.weak), ("except", topic.unless)):
                for line in lines:
                    self._add(topic.key, kind, line, topic.group in KEYWORD_GROUPS)
        for key, line in extra:
            self._add(key, "strong", line, True)

    def _add(self, key: str, kind: str, line: str, keyword: bool) -> None:
        try:
            phrase = compile_phrase(line, self._words)
        except PhraseError:
            return
        groups = [group for group in phrase.needs if not _COMMON.intersection(group)] or list(phrase.needs)
        number = len(self._entries)
        self._entries.append(_Entry(key, kind, phrase, keyword and "=" not in line))
        self._full.append((1 << len(groups)) - 1)
        for bit, group in enumerate(groups):
            for word in group:
                table = self._ends if word.startswith("*") else self._starts if word.endswith("*") else self._exact
                table.setdefault(word.strip("*"), []).append((number, 1 << bit))

    def find(self, masked: str) -> dict[str, list[Evidence]]:
        """By topic, each phrase that is in the text once, at its best place, in the order of the text."""
        asides = [found.span() for found in _ASIDES.finditer(masked)]
        first_end = (sentences(masked) or [(0, len(masked))])[0][1]
        found_for: dict[str, dict[str, Evidence]] = {}
        barred: dict[str, list[tuple[int, int]]] = {}
        possible = [self._entries[number] for number in self._possible(masked.lower())]
        for entry in possible:
            if entry.kind == "except":
                barred.setdefault(entry.topic, []).extend(f.span() for f in entry.phrase.regex.finditer(masked))
        for entry in possible:
            if entry.kind == "except":
                continue
            spans = barred.get(entry.topic, ())
            for found in entry.phrase.regex.finditer(masked):
                start, end = found.span()
                if any(a < end and start < b for a, b in spans) or (entry.name and _in_a_name(masked, start, end)):
                    continue
                aside = any(a <= start < b for a, b in asides)
                here = found_for.setdefault(entry.topic, {})
                source = entry.phrase.source
                if source not in here or here[source].aside:
                    words = " ".join(found.group().split())
                    here[source] = Evidence(source, words, start, end, entry.kind == "strong", aside, start < first_end)
                if not aside:
                    break
        return {key: sorted(found.values(), key=lambda e: (e.start, e.phrase)) for key, found in found_for.items()}

    def _possible(self, low: str) -> list[int]:
        seen: dict[int, int] = {}
        for token in set(_TOKEN.findall(low)):
            entries = self._known.get(token)
            if entries is None:
                entries = self._known[token] = tuple(self._entries_of(token))
            for number, bit in entries:
                seen[number] = seen.get(number, 0) | bit
        full = self._full
        return sorted(number for number, bits in seen.items() if bits == full[number])

    def _entries_of(self, token: str) -> Iterator[tuple[int, int]]:
        """What a word may be part of. `you're` is `you` too, and `and/or` is both."""
        bare = token.strip("'")
        forms = {token, bare, bare.removesuffix("'s"), *bare.split("/"), *bare.split("'")}
        for form in forms - {""}:
            yield from self._exact.get(form, ())
            for length in range(1, len(form) + 1):
                yield from self._starts.get(form[:length], ())
                yield from self._ends.get(form[-length:], ())


def _in_a_name(text: str, start: int, end: int) -> bool:
    """Whether these words stand in the name of another card: `Warp World`, `Doubling Season`, `Chronomantic Escape`.

    They are capital in the middle of a sentence, beside another capital word; at the beginning of one a capital word
    must follow. `First Strike` and `Swampwalk` in the capitals of old cards have small words around them.
    """
    if not text[start : start + 1].isupper():
        return False
    before = text[:start]
    if _SENTENCE.search(before[-8:]):
        return _CAPITAL_AFTER.match(text, end) is not None
    begins = _CAPITAL_BEFORE.search(before[-40:])
    if begins is not None and not _SENTENCE.search(before[: len(before) - len(begins.group())][-8:]):
        return True
    return _CAPITAL_AFTER.match(text, end) is not None
