"""The difference between the words of a quotation and those of a ruling, and what it does to the answer.

In: words of both. Out: `Change`s, each of one kind; `word` changes nothing that matters, every other kind may. Pure.
What counts is in difference.yaml. It is stricter than `indexer.dedupe.difference`: there two publications of a
ruling are compared, here somebody's memory with the ruling, and a reader is warned rather once too often.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from itertools import pairwise
from typing import Any

import yaml
from rapidfuzz.distance import LCSseq

from indexer.dedupe.lexicon import lexicon
from indexer.dedupe.reading import stem

_LOADER: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)  # all strings: `on`, `no` and `true` are words here


@dataclass(frozen=True, slots=True)
class Word:
    """`key` is folded; `named` says that it has the capital of a name; `at` is its place on its side."""

    key: str
    named: bool
    at: int


@dataclass(frozen=True, slots=True)
class Change:
    """Words `said[0]` to `said[1]` of the quotation stand for words `meant[0]` to `meant[1]` of the ruling."""

    kind: str
    said: tuple[int, int]
    meant: tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Tables:
    phrases: dict[str, tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]]
    filler: frozenset[str]
    synonyms: dict[str, frozenset[str]]
    kinds: dict[str, str]
    opposites: frozenset[frozenset[str]]


@lru_cache(maxsize=1)
def _tables() -> _Tables:
    data: dict[str, Any] = yaml.load(files(__package__).joinpath("difference.yaml").read_text("utf-8"), Loader=_LOADER)
    phrases: dict[str, list[tuple[tuple[str, ...], tuple[str, ...]]]] = {}
    for new, olds in data["phrases"].items():
        for old in olds:
            words = tuple(w for word in old.split() for w in written_out(word))
            phrases.setdefault(words[0], []).append(
                (words, tuple(w for word in new.split() for w in written_out(word)))
            )
    synonyms: dict[str, set[str]] = {}
    for group in data["synonyms"]:
        for word in group:
            synonyms.setdefault(word, set()).update(group)
    kinds: dict[str, str] = dict.fromkeys(data["keywords"].split(), "keyword")
    for kind, words in data["kinds"].items():
        for word in words.split():
            kinds.setdefault(word, kind)
    return _Tables(
        {first: tuple(sorted(rows, key=lambda row: -len(row[0]))) for first, rows in phrases.items()},
        frozenset(data["filler"].split()),
        {word: frozenset(group) for word, group in synonyms.items()},
        kinds,
        frozenset(frozenset(pair) for pair in data["opposites"]),
    )


_IRREGULAR = {"can't": ("can", "not"), "cannot": ("can", "not"), "won't": ("will", "not"), "shan't": ("will", "not")}
_ENDINGS = {"n't": "not", "'re": "are", "'ll": "will", "'ve": "have", "'d": "would", "'m": "am"}


def written_out(key: str) -> tuple[str, ...]:
    """A word without contraction: `can't` -> can, not; `card's` -> card, 's."""
    if key in _IRREGULAR:
        return _IRREGULAR[key]
    if "'" in key:
        for ending, word in _ENDINGS.items():
            if key.endswith(ending):
                return key[: -len(ending)], word
        if key.endswith("'s"):
            return key[:-2], "'s"
    return (key,)


def read(keys: Sequence[str], named: Sequence[bool]) -> list[Word]:
    """The words as they are compared: contractions written out, phrases in one form."""
    words = [Word(part, named[at], at) for at, key in enumerate(keys) for part in written_out(key)]
    phrases = _tables().phrases
    out: list[Word] = []
    i = 0
    while i < len(words):
        for old, new in phrases.get(words[i].key, ()):
            if tuple(word.key for word in words[i : i + len(old)]) == old:
                last = i + len(old) - 1
                out += [Word(key, False, words[min(i + n, last)].at) for n, key in enumerate(new)]
                i += len(old)
                break
        else:
            out.append(words[i])
            i += 1
    return out


def changes(said: list[Word], meant: list[Word]) -> list[Change]:
    """Where the two differ, in order. Empty where they differ in contractions and set phrases only."""
    found = []
    for op in LCSseq.opcodes([w.key for w in said], [w.key for w in meant]):
        if op.tag == "equal":
            continue
        x, y = said[op.src_start : op.src_end], meant[op.dest_start : op.dest_end]
        span_x = _span(said, op.src_start, op.src_end)
        found.append([x, y, span_x, _span(meant, op.dest_start, op.dest_end), op.src_start, op.src_end])
    places = _joined(found, said)
    moved = _moved(places)
    return [
        Change(
            "word" if n in moved else _noun_kind(_kind(x, y), x, y, said[end].key if end < len(said) else ""),
            span_x,
            span_y,
        )
        for n, (x, y, span_x, span_y, _, end) in enumerate(places)
    ]


def _moved(places: list[list[Any]]) -> set[int]:
    """Places where one word was taken out and put in again close by ("If, for example," for "For example, if"). Never
    a word that turns what stands beside it: a "not" that moved denies something else."""
    moved: set[int] = set()
    for n, (one, two) in enumerate(pairwise(places)):
        out, into = (one[0] or one[1]), (two[0] or two[1])
        crosswise = bool(one[0]) == bool(two[1]) and bool(one[1]) == bool(two[0]) and bool(one[0]) != bool(one[1])
        same = crosswise and [w.key for w in out] == [w.key for w in into] and two[4] - one[5] <= _NEAR
        if same and all(kind_of(w) in ("word", "time") and w.key != "unless" for w in out):
            moved |= {n, n + 1}
    return moved


_NEAR = 3


def _noun_kind(kind: str, x: Sequence[Word], y: Sequence[Word], following: str) -> str:
    """`shield counters` for `stun counters`: the word alone says little, the noun after it makes it a type."""
    if kind != "word" or _base(following) not in _NAMED_BY:
        return kind
    tables = _tables()
    left, right = ([w.key for w in side if w.key not in tables.filler] for side in (x, y))
    return "type" if len(left) == len(right) == 1 and not _alike(left[0], right[0], tables) else kind


_NAMED_BY = frozenset("counter token emblem".split())


def _joined(found: list[list[Any]], said: list[Word]) -> list[list[Any]]:
    """Neighbouring places with one filler word between them are read as one: "each card" for "all the cards"."""
    out: list[list[Any]] = []
    for place in found:
        between = said[out[-1][5] : place[4]] if out else []
        if out and (not between or (len(between) == 1 and between[0].key in _tables().filler)):
            last = out[-1]
            last[0] = [*last[0], *between, *place[0]]
            last[1] = [*last[1], *between, *place[1]]
            last[2] = (last[2][0], max(last[2][1], place[2][1]))
            last[3] = (last[3][0], max(last[3][1], place[3][1]))
            last[5] = place[5]
        else:
            out.append(place)
    return out


def _span(words: list[Word], start: int, end: int) -> tuple[int, int]:
    if start < end:
        return words[start].at, words[end - 1].at + 1
    at = words[start].at if start < len(words) else (words[-1].at + 1 if words else 0)
    return at, at


_RANK = (
    "negation", "number", "symbol", "keyword", "colour", "modal", "type", "player", "zone", "time", "action", "name-of",
    "meaning", "word",
)  # fmt: skip


_REWRITTEN = 6
"""So many words of unknown weight changed in one place are another clause: nobody can vouch for its meaning."""


def _kind(x: Sequence[Word], y: Sequence[Word]) -> str:
    tables = _tables()
    left, right = list(x), list(y)
    kinds = {"word"}
    if any(_opposite(p.key, q.key, tables) for p in left for q in right if not {p.key, q.key} & _DETERMINERS):
        kinds.add("meaning")
    for word in list(left):
        partner = next((other for other in right if other.key == word.key), None)
        partner = partner or next((other for other in right if _alike(word.key, other.key, tables)), None)
        if partner:
            left.remove(word)
            right.remove(partner)
    for p in left:
        for q in right:
            if _opposite(p.key, q.key, tables):
                kinds.add("meaning")
            if _negated(p.key, q.key) or _negated(q.key, p.key):
                kinds.add("negation")
    content = [word for word in (*left, *right) if word.key not in tables.filler and not _idle(word.key)]
    kinds |= {kind_of(word, tables) for word in content}
    if "meaning" not in kinds and len(content) >= _REWRITTEN:
        kinds.add("meaning")
    best = min(kinds, key=_RANK.index)
    return "type" if best == "name-of" else best


_DETERMINERS = frozenset("a an any some the each all every both one".split())


def _opposite(p: str, q: str, tables: _Tables) -> bool:
    return frozenset((p, q)) in tables.opposites or frozenset((_base(p), _base(q))) in tables.opposites


def _alike(p: str, q: str, tables: _Tables) -> bool:
    return (
        q in tables.synonyms.get(p, ())
        or same_root(p, q)
        or any(
            same_root(q, other) and not other.endswith("s")
            for other in tables.synonyms.get(_base(p), ())
            if len(other) > 3
        )
    )


def kind_of(word: Word, tables: _Tables | None = None) -> str:
    """What a change of this word is a change of."""
    tables = tables or _tables()
    key = word.key
    if key[0] == "{":
        return "symbol"
    if any(char.isdigit() for char in key):
        return "number"
    for form in (key, _base(key)):
        if form in tables.kinds:
            return tables.kinds[form]
    if stem(key) in lexicon().subtypes or (key.startswith("non") and len(key) > 6):
        return "type"
    return "name-of" if word.named else "word"


def _idle(key: str) -> bool:
    """An adverb that only colours the sentence: `simply`, `curiously`."""
    return key.endswith("ly") and len(key) > 4 and key not in _tables().kinds and key not in ("only", "apply", "family")


def _negated(p: str, q: str) -> bool:
    return any(p == prefix + q for prefix in ("un", "in", "im", "il", "ir", "non", "dis")) and len(q) > 3


_PAST = {
    "chose": "choose", "chosen": "choose", "drew": "draw", "drawn": "draw", "dealt": "deal", "lost": "lose",
    "left": "leave", "paid": "pay", "gave": "give", "given": "give", "took": "take", "taken": "take",
    "became": "become", "began": "begin", "begun": "begin", "made": "make", "got": "get", "said": "say",
    "knew": "know", "known": "know", "saw": "see", "seen": "see", "held": "hold", "kept": "keep", "found": "find",
    "brought": "bring", "spent": "spend", "grew": "grow", "meant": "mean", "had": "have", "has": "have", "did": "do",
    "does": "do", "done": "do", "went": "go", "gone": "go", "was": "be", "were": "be", "is": "be", "are": "be",
    "been": "be", "being": "be", "came": "come", "put": "put", "dying": "die", "told": "tell", "written": "write",
    "wrote": "write", "fell": "fall", "ran": "run", "meets": "meet", "met": "meet", "threw": "throw",
}  # fmt: skip


@lru_cache(maxsize=8192)
def _base(key: str) -> str:
    """A word without its ending: works, worked, working -> work. Rough, but alike for all forms of one word."""
    if key in _PAST:
        return _PAST[key]
    singular = stem(key)
    for ending in ("ing", "ied", "ed"):
        if singular.endswith(ending) and len(singular) > len(ending) + 2:
            bare = singular[: -len(ending)]
            if ending == "ied":
                return bare + "y"
            if len(bare) > 2 and bare[-1] == bare[-2] and bare[-1] not in "lse":
                return bare[:-1]
            return bare + "e" if _takes_e(bare) else bare
    return singular


def _takes_e(bare: str) -> bool:
    return bare + "e" in lexicon().words or bare.endswith(("at", "iv", "in", "ur", "v", "c", "dg", "rg"))


def same_root(p: str, q: str) -> bool:
    """Whether both are forms of one word: `resolve`, `resolves`, `resolving`."""
    a, b = _base(p), _base(q)
    return a == b or (a.rstrip("e") == b.rstrip("e") and len(a) > 3)
