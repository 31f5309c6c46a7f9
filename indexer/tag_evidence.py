"""What in a text speaks for which topic: every phrase of the vocabulary that stands in it, and where.

In: a text with its own names masked. Out: `Evidence` by topic. Which topics it is then about is decided in
`indexer.tag`. Phrases are tried only where all their words are in the text: that is most of the speed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rulings.phrases import Phrase, PhraseError, compile_phrase
from rulings.text import sentences
from rulings.topics import Topics

_TOKEN = re.compile(r"\{[^}]*\}|~|[+-]?\d+/[+-]?\d+|[\w'/]+")
_PART = re.compile(r"[^'/]+")
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
        self._begins: list[int] = []  # by phrase: the group of words it begins with, -1 where that is open
        self._rest: list[frozenset[int]] = []  # by phrase: the groups of words that must be there
        self._groups: dict[tuple[str, ...], int] = {}
        self._asks: list[list[int]] = []  # by group: the phrases to ask for where one of its words is in a text
        self._exact: dict[str, list[int]] = {}
        self._starts: dict[str, list[int]] = {}
        self._ends: dict[str, list[int]] = {}
        self._known: dict[str, tuple[tuple[int, int], ...]] = {}
        for topic in topics:
            for kind, lines in (("strong", topic.strong), ("weak", topic.weak), ("except", topic.unless)):
                for line in lines:
                    self._add(topic.key, kind, line, topic.group in KEYWORD_GROUPS)
        self.extend(extra)

    def extend(self, extra: Iterable[tuple[str, str]]) -> None:
        """Adds strong phrases, by topic."""
        for key, line in extra:
            self._add(key, "strong", line, True)
        used = Counter(group for rest in self._rest for group in rest)
        self._asks = [[] for _ in self._groups]
        for number, rest in enumerate(self._rest):
            self._asks[min(rest, key=lambda group: (used[group], group))].append(number)
        self._known.clear()

    def _add(self, key: str, kind: str, line: str, keyword: bool) -> None:
        try:
            phrase = compile_phrase(line, self._words)
        except PhraseError:
            return
        groups = [group for group in phrase.needs if not _COMMON.intersection(group)] or list(phrase.needs)
        self._entries.append(_Entry(key, kind, phrase, keyword and "=" not in line))
        self._rest.append(frozenset(self._group(group) for group in groups))
        self._begins.append(self._group(phrase.first) if phrase.first else -1)

    def _group(self, words: tuple[str, ...]) -> int:
        if words not in self._groups:
            self._groups[words] = len(self._groups)
            for word in words:
                table = self._ends if word.startswith("*") else self._starts if word.endswith("*") else self._exact
                table.setdefault(word.strip("*"), []).append(self._groups[words])
        return self._groups[words]

    def find(self, masked: str) -> dict[str, list[Evidence]]:
        """By topic, each phrase that is in the text once, at its best place, in the order of the text."""
        asides = [found.span() for found in _ASIDES.finditer(masked)]
        first_end = (sentences(masked) or [(0, len(masked))])[0][1]
        found_for: dict[str, dict[str, Evidence]] = {}
        barred: dict[str, list[tuple[int, int]]] = {}
        entries = self._entries
        possible = self._possible(masked)
        for number, begins in possible:
            entry = entries[number]
            if entry.kind == "except":
                barred.setdefault(entry.topic, []).extend(_spans(entry.phrase.regex, masked, begins))
        for number, begins in possible:
            entry = entries[number]
            if entry.kind == "except":
                continue
            spans = barred.get(entry.topic, ())
            for start, end in _spans(entry.phrase.regex, masked, begins):
                if any(a < end and start < b for a, b in spans) or (entry.name and _in_a_name(masked, start, end)):
                    continue
                aside = any(a <= start < b for a, b in asides)
                here = found_for.setdefault(entry.topic, {})
                source = entry.phrase.source
                if source not in here or here[source].aside:
                    words = " ".join(masked[start:end].split())
                    here[source] = Evidence(source, words, start, end, entry.kind == "strong", aside, start < first_end)
                if not aside:
                    break
        return {key: sorted(found.values(), key=lambda e: (e.start, e.phrase)) for key, found in found_for.items()}

    def _possible(self, masked: str) -> list[tuple[int, list[int] | None]]:
        """The phrases all of whose words are there, each with the places where it may begin (None: anywhere)."""
        low = masked.lower()
        places: dict[str, list[int]] = {}
        for found in _TOKEN.finditer(low):
            places.setdefault(found.group(), []).append(found.start())
        here: dict[int, tuple[str, int]] = {}  # one word of the group suffices but where a phrase may begin
        more: dict[int, list[tuple[str, int]]] = {}
        known = self._known
        for token in places:
            groups = known.get(token)
            if groups is None:
                groups = known[token] = tuple(sorted(set(self._groups_of(token))))
            for group, skip in groups:
                if group in here:
                    more.setdefault(group, []).append((token, skip))
                else:
                    here[group] = (token, skip)
        present = here.keys()
        asks, rest, begins_with = self._asks, self._rest, self._begins
        possible = [number for group in present for number in asks[group] if rest[number] <= present]
        possible.sort()
        exact = len(low) == len(masked)
        begins: dict[int, list[int] | None] = {-1: None}
        for number in possible:
            group = begins_with[number]
            if group not in begins:
                words = [here[group], *more.get(group, ())] if group in here else []
                begins[group] = sorted({start + skip for token, skip in words for start in places[token]})
        return [(number, begins[begins_with[number]] if exact else None) for number in possible]

    def _groups_of(self, token: str) -> Iterator[tuple[int, int]]:
        """The groups a word is of, and where in the word that begins. `you're` is `you` too, and `and/or` is both."""
        bare = token.strip("'")
        forms = {token: 0, bare: token.find(bare), bare.removesuffix("'s"): token.find(bare)}
        for part in _PART.finditer(token):
            forms.setdefault(part.group(), part.start())
        for form, skip in forms.items():
            if not form:
                continue
            groups = list(self._exact.get(form, ()))
            for length in range(1, len(form) + 1):
                groups += self._starts.get(form[:length], ())
                groups += self._ends.get(form[-length:], ())
            yield from ((group, skip) for group in groups)


def _spans(regex: re.Pattern[str], text: str, begins: list[int] | None) -> Iterator[tuple[int, int]]:
    """Where the expression is; it is tried only at `begins`, where these are known."""
    if begins is None:
        for found in regex.finditer(text):
            yield found.span()
        return
    last = 0
    for begin in begins:
        if begin >= last and (hit := regex.match(text, begin)) is not None:
            last = hit.end()
            yield hit.span()


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
