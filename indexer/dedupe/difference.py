"""The difference of two readings, read by kind.

In: two `Reading`s. Out: `Part`s, one for each place where they differ, each with a kind and what it means for the
answer. Pure; what the parts together mean for the pair is `relation`.
"""

from __future__ import annotations

from dataclasses import dataclass

from rapidfuzz.distance import OSA, LCSseq

from indexer.dedupe.lexicon import Lexicon, lexicon
from indexer.dedupe.reading import ABILITY_KINDS, ORDINALS, Reading, stem

SAME, REWORDED, OUTDATED, ADDED, HARD = range(5)
"""What a part means: same words, same answer in other words, an answer that changed, more said on one side,
another answer."""


@dataclass(frozen=True, slots=True)
class Part:
    """One place where two texts differ. `side` is 0 or 1: which of the texts says more (ADDED only)."""

    level: int
    kind: str
    a: str
    b: str
    side: int = 0
    apart: bool = False  # one text would be wrong in place of the other
    words: tuple[str, ...] = ()
    sentence: int = -1
    whole: bool = False  # whole sentences

    def __str__(self) -> str:
        return f"{self.kind}: {self.a or '∅'} | {self.b or '∅'}"


Span = tuple[int, int, int, int]


def hunks(a: Reading, b: Reading) -> list[Span]:
    """Where the keys of `a` and `b` differ: (a from, a to, b from, b to), neighbours across one function word joined."""
    x, y = a.keys, b.keys
    low = 0
    top = min(len(x), len(y))
    while low < top and x[low] == y[low]:
        low += 1
    end = 0
    while end < top - low and x[-1 - end] == y[-1 - end]:
        end += 1
    spans: list[Span] = []
    function = lexicon().function
    for op in LCSseq.opcodes(x[low : len(x) - end], y[low : len(y) - end]):
        if op.tag == "equal":
            continue
        span = (op.src_start + low, op.src_end + low, op.dest_start + low, op.dest_end + low)
        if spans:
            last = spans[-1]
            gap = x[last[1] : span[0]]
            if len(gap) == 0 or (len(gap) == 1 and gap[0] in function):
                spans[-1] = (last[0], span[1], last[2], span[3])
                continue
        spans.append(span)
    return spans


def parts(a: Reading, b: Reading) -> list[Part]:
    """All differences of `a` and `b`, those of form first."""
    found = [*_inflections(a, b)]
    for span in hunks(a, b):
        found.append(_part(a, b, span))
    return found


def _equal_places(a: Reading, b: Reading) -> list[tuple[int, int]]:
    spans = hunks(a, b)
    places = []
    i = j = 0
    for i1, i2, j1, j2 in [*spans, (len(a.keys), len(a.keys), len(b.keys), len(b.keys))]:
        places += list(zip(range(i, i1), range(j, j1), strict=True))
        i, j = i2, j2
    return places


def _inflections(a: Reading, b: Reading) -> list[Part]:
    """Words that align and stand in another form: plural, tense, terminology, and pointers at own abilities."""
    found = []
    for i, j in _equal_places(a, b):
        if a.keys[i] == "~" and (i in a.pointers or j in b.pointers):
            if a.pointers.get(i) != b.pointers.get(j):
                found.append(_pointing(a, b, i, j))
            continue
        if a.forms[i] != b.forms[j]:
            kind = "terminology" if " " in a.forms[i] + b.forms[j] else "inflection"
            found.append(Part(REWORDED, kind, a.forms[i], b.forms[j]))
    return found


def _pointing(a: Reading, b: Reading, i: int, j: int) -> Part:
    left, right = a.pointers.get(i), b.pointers.get(j)
    texts = (a.forms[i], b.forms[j])
    if left is None or right is None or not left or not right:
        named = left or right or frozenset()
        return Part(REWORDED, "position", *texts, words=tuple(sorted(named)))
    known = ORDINALS | ABILITY_KINDS
    if not left <= known and not right <= known:
        return Part(HARD, "keyword", *texts)
    apart = bool((left & ORDINALS) ^ (right & ORDINALS)) if left & ORDINALS and right & ORDINALS else False
    kinds = (left & ABILITY_KINDS, right & ABILITY_KINDS)
    apart = apart or bool(kinds[0] and kinds[1] and kinds[0] != kinds[1])
    return Part(REWORDED, "position", *texts, apart=apart)


def _part(a: Reading, b: Reading, span: Span) -> Part:
    lex = lexicon()
    i1, i2, j1, j2 = span
    x, y = a.keys[i1:i2], b.keys[j1:j2]
    texts = (" ".join(a.forms[i1:i2]), " ".join(b.forms[j1:j2]))
    fused = ("".join(a.forms[i1:i2]), "".join(b.forms[j1:j2]))
    if fused[0].replace("-", "") == fused[1].replace("-", ""):
        return Part(SAME, "spacing", *texts)
    if fused[0].strip("{}").replace("}{", "") == fused[1].strip("{}").replace("}{", ""):
        return Part(SAME, "symbol-form", *texts)
    if len(x) == len(y) <= 2 and all(
        p == q or _typo(p, q, lex) for p, q in zip(a.forms[i1:i2], b.forms[j1:j2], strict=True)
    ):
        if not (a.named & set(range(i1, i2)) and b.named & set(range(j1, j2))):
            return Part(SAME, "typo", *texts)
    if self_named(x, y) or self_named(y, x):
        return Part(SAME, "self", *texts)
    left = tuple(k for k in x if k not in lex.function and k != "~")
    right = tuple(k for k in y if k not in lex.function and k != "~")
    if _inside(range(i1, i2), a.aside) and _inside(range(j1, j2), b.aside) and (i1 < i2 or j1 < j2):
        if not any(kind_of(w, lex) in ("symbol", "negation") for w in left + right):
            return Part(REWORDED, "example", *texts)
    if left == right:
        if ("~" in x and "~" not in y and _has_noun(y, lex)) or ("~" in y and "~" not in x and _has_noun(x, lex)):
            return Part(HARD, "self-or-other", *texts)
        return Part(REWORDED, "function words", *texts)
    if sorted(left) == sorted(right) and len(left) <= 3:
        return Part(REWORDED, "order", *texts)
    if frozenset((left, right)) in lex.exchanges:
        return Part(REWORDED, "terminology", *texts)
    if left and len(left) == len(right) and all(_synonyms(p, q, lex) for p, q in zip(left, right, strict=True)):
        return Part(REWORDED, "synonym", *texts)
    for old, new, reason in lex.outdated:
        pair = (frozenset(left), frozenset(right))
        if pair in ((old, new), (new, old)):
            return Part(OUTDATED, "outdated: " + reason, *texts, apart=True)
    named = (set(range(i1, i2)) & a.named, set(range(j1, j2)) & b.named)
    if named[0] and named[1] and not _inside_types(left + right, lex):
        where = "example" if _exemplary(a, i1) and _exemplary(b, j1) else "card name"
        if where == "example" and len(left) == len(named[0]) and len(right) == len(named[1]):
            return Part(REWORDED, where, *texts)
        return Part(HARD, "card name", *texts)
    if not left or not right:
        return _added(a, b, span, left or right, 0 if left else 1, texts, lex)
    return Part(HARD, _kind(left + right, lex), *texts, words=left + right)


def _inside(places: range, allowed: frozenset[int]) -> bool:
    return all(place in allowed for place in places)


def _inside_types(words: tuple[str, ...], lex: Lexicon) -> bool:
    return all(kind_of(word, lex) == "type" for word in words)


def _exemplary(reading: Reading, at: int) -> bool:
    at = min(at, len(reading.keys) - 1)
    sentence = reading.sentence[at]
    keys = [k for k, s in zip(reading.keys, reading.sentence, strict=True) if s == sentence]
    return any(k in ("such", "example", "like") for k in keys)


def _added(
    a: Reading, b: Reading, span: Span, words: tuple[str, ...], side: int, texts: tuple[str, str], lex: Lexicon
) -> Part:
    more, start, stop = (a, span[0], span[1]) if side == 0 else (b, span[2], span[3])
    other = b if side == 0 else a
    sentence = more.sentence[start]
    if _inside(range(start, stop), more.aside):
        return Part(REWORDED, "example", *texts)
    kinds = {kind_of(word, lex) for word in words}
    if len(words) == 1 and not kinds & {"negation", "number", "symbol", "modal", "condition", "player", "colour"}:
        word = words[0]
        if word in lex.soft or (word in other.content and more.keys.count(word) > 1):
            return Part(REWORDED, "redundant word", *texts)
    whole = sentence != (more.sentence[start - 1] if start else -1) and (
        stop == len(more.keys) or more.sentence[stop] != more.sentence[stop - 1]
    )
    if not whole and kinds & {"negation"}:
        return Part(HARD, "negation", *texts, words=words)
    return Part(ADDED, _kind(words, lex), *texts, side=side, words=words, sentence=sentence, whole=whole)


_SELF_NOUNS = frozenset(
    "creature permanent card spell artifact enchantment land aura equipment vehicle planeswalker ability".split()
)


def self_named(x: tuple[str, ...], y: tuple[str, ...]) -> bool:
    """Whether `x` is the card by name and `y` the card by a pronoun ("it", "this spell", "the creature")."""
    if "~" not in x:
        return False
    rest = [w for w in x if w not in ("~", "'s")]
    other = [w for w in y if w not in ("'s",)]
    if rest:
        return False
    if other in (["it"], ["its"], ["itself"], ["they"], ["their"], ["this"]):
        return True
    return len(other) == 2 and other[0] in ("this", "the") and other[1] in _SELF_NOUNS


def _has_noun(words: tuple[str, ...], lex: Lexicon) -> bool:
    return any(kind_of(word, lex) == "type" for word in words)


def _typo(p: str, q: str, lex: Lexicon) -> bool:
    if not (p.isalpha() and q.isalpha()):
        return False
    if frozenset((p, q)) in lex.confusable:
        return True
    known = (_known(p, lex), _known(q, lex))
    if known[0] == known[1] or min(len(p), len(q)) < 2 or max(len(p), len(q)) < 3:
        return False
    limit = 1 if max(len(p), len(q)) < 7 else 2
    return int(OSA.distance(p, q, score_cutoff=limit)) <= limit


def _known(word: str, lex: Lexicon) -> bool:
    return word in lex.words or stem(word) in lex.words or word in lex.subtypes


def _synonyms(p: str, q: str, lex: Lexicon) -> bool:
    if p == q or q in lex.synonyms.get(p, ()):
        return True
    return _tense(p, q) or _tense(q, p)


def _tense(base: str, form: str) -> bool:
    """`trigger`/`triggered`, `resolve`/`resolving`, `apply`/`applied`."""
    for ending in ("ed", "ing", "d", "en"):
        if form == base + ending or (base.endswith("e") and form == base[:-1] + ending):
            return True
    return form in (base + base[-1] + "ed", base + base[-1] + "ing") or (
        base.endswith("y") and form == base[:-1] + "ied"
    )


def kind_of(word: str, lex: Lexicon) -> str:
    """The kind of one content word: symbol, number, negation, colour, type, modal, condition, player or other."""
    if word[0] == "{":
        return "symbol"
    if word[0].isdigit() or (word[0] in "+-" and len(word) > 1):
        return "number"
    kind = lex.kinds.get(word)
    if kind:
        return kind
    return "type" if word in lex.subtypes else "other"


_ORDER = ("negation", "symbol", "number", "colour", "modal", "condition", "type", "player", "other")


def _kind(words: tuple[str, ...], lex: Lexicon) -> str:
    kinds = {kind_of(word, lex) for word in words}
    return next((kind for kind in _ORDER if kind in kinds), "other")
