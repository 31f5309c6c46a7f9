"""The difference of two readings, read by kind.

In: two `Reading`s. Out: `Part`s, one for each place where they differ, each with a kind and what it means for the
answer. Pure; what the parts together mean for the pair is `relation`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from indexer.dedupe.alignment import Span, hunks
from indexer.dedupe.lexicon import Lexicon, lexicon
from indexer.dedupe.likeness import synonyms, typo
from indexer.dedupe.reading import ABILITY_KINDS, ORDINALS, Reading
from indexer.dedupe.small_words import turned

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
    opening: bool = False  # the words open their sentence
    limits: bool = False  # they limit a noun ("a permanent card"): less is said by them, not more
    worked: bool = False  # in a worked example ("For example, ...") of another card

    def __str__(self) -> str:
        return f"{self.kind}: {self.a or '∅'} | {self.b or '∅'}"


def parts(a: Reading, b: Reading, spans: list[Span] | None = None, *, settling: bool = False) -> list[Part]:
    """All differences of `a` and `b`, those of form first; `spans` is where they differ, if laid out otherwise.

    With `settling`, the first difference that alone makes another ruling is enough: most candidates have one.
    """
    spans = hunks(a, b) if spans is None else spans
    found = []
    for span in spans:
        part = _part(a, b, span)
        if part.level in (SAME, REWORDED) and part.kind not in ("typo", "spacing") and (kind := turned(a, b, span)):
            part = replace(part, level=HARD, kind=kind, words=(*a.keys[span[0] : span[1]], *b.keys[span[2] : span[3]]))
        if part.level in (ADDED, HARD) and a.worked and b.worked and _in_worked(a, b, span):
            side, place = (a, span[0]) if span[0] < span[1] else (b, span[2])
            opening = side.sentence[place] == min(side.worked)
            part = replace(part, worked=True, whole=part.whole or not opening)
        if settling and part.level == HARD and part.kind != "other" and not part.worked:
            return [part]
        found.append(part)
    return [*_asides(a, b), *_inflections(a, b, spans), *found]


def _in_worked(a: Reading, b: Reading, span: Span) -> bool:
    """Whether a difference lies in worked examples on both sides."""
    return all(a.sentence[place] in a.worked for place in range(span[0], span[1])) and all(
        b.sentence[place] in b.worked for place in range(span[2], span[3])
    )


def _asides(a: Reading, b: Reading) -> list[Part]:
    """Examples named in passing ("such as Stifle"): another example is another wording."""
    if a.aside == b.aside:
        return []
    return [Part(REWORDED, "example", " ".join(a.aside), " ".join(b.aside))]


def _equal_places(a: Reading, b: Reading, spans: list[Span]) -> list[tuple[int, int]]:
    places = []
    i = j = 0
    for i1, i2, j1, j2 in [*spans, (len(a.keys), len(a.keys), len(b.keys), len(b.keys))]:
        places += list(zip(range(i, i1), range(j, j1), strict=True))
        i, j = i2, j2
    return places


def _inflections(a: Reading, b: Reading, spans: list[Span]) -> list[Part]:
    """Words that align and stand in another form: plural, tense, terminology, and pointers at own abilities."""
    found = []
    for i, j in _equal_places(a, b, spans):
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
    if (left is None or right is None) and any("countered" in r.keys[p + 1 : p + 4] for r, p in ((a, i), (b, j))):
        return Part(HARD, "self-or-other", *texts)  # the spell is countered, or the ability is
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
    if (
        len(x) == len(y) <= 2
        and all(p == q or typo(p, q, lex) for p, q in zip(a.forms[i1:i2], b.forms[j1:j2], strict=True))
        and not (a.named & set(range(i1, i2)) or b.named & set(range(j1, j2)))
    ):
        return Part(SAME, "typo", *texts)
    if (self_named(x, y) or self_named(y, x)) and not _PLURALS & {*a.forms[i1:i2], *b.forms[j1:j2]}:
        if {"spell"} & {*x, *y} and _points(a, i1, i2, b, j1, j2) and _ABOUT_SPELLS & {*a.keys, *b.keys}:
            return Part(HARD, "self-or-other", *texts)  # what is copied or countered: a spell, or an ability
        return Part(SAME, "self", *texts)
    left = tuple(k for k in x if k not in lex.function and k != "~")
    right = tuple(k for k in y if k not in lex.function and k != "~")
    if left == right:
        if ("~" in x and "~" not in y and _has_noun(y, lex)) or ("~" in y and "~" not in x and _has_noun(x, lex)):
            return Part(HARD, "self-or-other", *texts)
        return Part(REWORDED, "function words", *texts)
    if sorted(left) == sorted(right) and len(left) <= 3:
        return Part(REWORDED, "order", *texts)
    if _pronoun(x, y, lex, _without_self(a, i1)) or _pronoun(y, x, lex, _without_self(b, j1)):
        return Part(REWORDED, "pronoun", *texts)
    if _described(a, b, span) or _described(b, a, (j1, j2, i1, i2)):
        return Part(REWORDED, "ability described", *texts)
    if frozenset((left, right)) in lex.exchanges or frozenset((x, y)) in lex.exchanges:
        return Part(REWORDED, "terminology", *texts)
    if (topics := lex.within.get(frozenset((left, right)))) and topics & set(a.keys) & set(b.keys):
        return Part(REWORDED, "terminology", *texts)
    if left and len(left) == len(right) and all(synonyms(p, q, lex) for p, q in zip(left, right, strict=True)):
        return Part(REWORDED, "synonym", *texts)
    if all(w in _HOW or w in lex.function for w in x + y) and {"exile"} != set(left + right) and _told_how(x, y):
        return Part(REWORDED, "how", *texts)
    if {x, y} == {("to",), ("you",)} and {"whether", "how", "which", "what"} & set(a.keys[max(0, i1 - 5) : i1]):
        return Part(REWORDED, "function words", *texts)  # "how much life to gain" | "how much life you gain"
    if _denied(left, right, lex):
        return Part(REWORDED, "negation in other words", *texts)
    if _one_of_several(a, b, span, left, right, lex):
        return Part(REWORDED, "which one", *texts)
    if _same_object(a, b, span, left, right):
        return Part(REWORDED, "card or spell", *texts)
    if _same_scope(a, b, span, x, y):
        return Part(REWORDED, "scope", *texts)
    lean = [tuple(w for w in words if w not in lex.soft and w not in lex.droppable) for words in (left, right)]
    definite = not any(w in lex.droppable for w in left + right) or (_definite(a, i1, i2) and _definite(b, j1, j2))
    alike = lean[0] and len(lean[0]) == len(lean[1]) and definite
    if alike and all(synonyms(p, q, lex) for p, q in zip(*lean, strict=True)):
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
    if x and y and ("~" in x) != ("~" in y) and _has_noun(y if "~" in x else x, lex):
        return Part(HARD, "self-or-other", *texts, words=left + right)
    if x and y and _keyword_named(x, y, lex):
        return Part(HARD, "keyword", *texts, words=left + right)
    if not left or not right:
        return _added(a, b, span, left or right, 0 if left else 1, texts, lex)
    return Part(HARD, _kind(left + right, lex), *texts, words=left + right)


_ABOUT_SPELLS = frozenset("copy copied countered".split())
_ATTRIBUTES = frozenset(
    "~ that which with by from of for created exiled put returned chosen targeted copied is".split()
)
"""Words that begin "that ~ creates", "exiled with ~", "of ~": whose it is, which the ruling's card tells."""
_TOWARDS = frozenset("to onto into".split())
"""What is put "onto ~" is no attribute."""
_HOW = frozenset("this way with from exile permission granted by using use due because ~ ability".split())
"""How something came about, which the ruling's card tells: "this way", "with the permission granted by ~"."""


def _told_how(x: tuple[str, ...], y: tuple[str, ...]) -> bool:
    """Whether "from" is part of how it came about ("from exile"), and not where a thing goes from."""
    return all("from" not in side or {"exile", "~", "way", "ability", "permission"} & set(side) for side in (x, y))


_DEFINITE = frozenset(("the", "that", "this", "its", "their"))


def _definite(reading: Reading, start: int, stop: int) -> bool:
    """Whether the noun that a difference stands before is a definite one: "the copied creature", not "a creature"."""
    near = reading.keys[max(0, start - 1) : stop + 1]
    return bool(_DEFINITE & set(near)) and not {"a", "an", "any", "each", "all"} & set(near)


_DENIALS = frozenset(("not", "no", "none", "neither", "nothing"))


def _denied(left: tuple[str, ...], right: tuple[str, ...], lex: Lexicon) -> bool:
    """`the target creature won't be exiled` | `no creatures will be exiled`: one denial on each side, of one thing."""
    if [sum(w in _DENIALS for w in side) for side in (left, right)] != [1, 1]:
        return False
    one, other = (tuple(w for w in side if w not in _DENIALS and w not in lex.droppable) for side in (left, right))
    return one == other


def _one_of_several(
    a: Reading, b: Reading, span: Span, left: tuple[str, ...], right: tuple[str, ...], lex: Lexicon
) -> bool:
    """`the copied creature` | `the chosen creature` | `the creature`."""
    if len(left) > 1 or len(right) > 1:
        return False
    words = set(left + right)
    allowed = lex.pointing if left and right else lex.droppable
    return words <= allowed and _definite(a, span[0], span[1]) and _definite(b, span[2], span[3])


def _same_object(a: Reading, b: Reading, span: Span, left: tuple[str, ...], right: tuple[str, ...]) -> bool:
    """`card` | `spell` where the card is being cast: the same object under its earlier and its later name."""
    if not {"card", "spell"} <= set(left + right) or len(left) > 3 or len(right) > 3:
        return False
    swap = {"card": "spell", "cast": "play", "played": "cast", "playing": "casting", "copy": "copy"}
    one, other = (tuple(swap.get(w, w) for w in side if w != "resulting") for side in (left, right))
    return one == other and all({"cast", "play", "casting", "playing", "stack"} & set(r.keys) for r in (a, b))


def _same_scope(a: Reading, b: Reading, span: Span, x: tuple[str, ...], y: tuple[str, ...]) -> bool:
    """`each token` | `the tokens`; `and` | `or` before "so on" and between power and toughness."""
    following = a.keys[span[1]] if span[1] < len(a.keys) else ""
    words = set(x) | set(y)
    if words == {"can", "will"} and (following == "not" or (span[0] and a.keys[span[0] - 1] == "~")):
        return True  # "it can't receive a counter" | "it won't"; "~ can copy any spell" | "~ will"
    if words <= {"each", "of", "the", "a", "both"} and "each" in words:
        return following in ("token", "copy")
    return words == {"and", "or"} and following in ("so", "toughness", "equipment")


def _keyword_named(x: tuple[str, ...], y: tuple[str, ...], lex: Lexicon) -> bool:
    """`prowess` | `~'s ability`."""
    return any("~" in one and [kind_of(w, lex) for w in other] == ["keyword"] for one, other in ((x, y), (y, x)))


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
    kinds = {kind_of(word, lex) for word in words}
    inserted = more.keys[start:stop]
    there = span[2] if side == 0 else span[0]
    inside = more.bracketed.issuperset(range(start, stop)) and more.bracketed.isdisjoint((start - 1, stop))
    if inside and there in other.holes:  # "(or doesn't have flash)" | "(like ~)": one aside for another
        return Part(REWORDED, "example", *texts)
    opening = sentence != (more.sentence[start - 1] if start else -1)
    whole = opening and (stop == len(more.keys) or more.sentence[stop] != more.sentence[stop - 1])
    attribute = "~" in inserted and inserted[0] in _ATTRIBUTES and not _TOWARDS & set(inserted) and not whole
    if attribute and len(inserted) <= 5 and kinds == {"other"} and len(words) <= 2:
        return Part(REWORDED, "own card named", *texts)
    if words == ("copied",) or (words == ("battlefield",) and "put" in more.keys and "created" in other.keys):
        return Part(REWORDED, "which one", *texts)
    if kinds == {"type"} and len(words) == 1 and _sized(more, start) and more.keys[stop : stop + 1] == ("creature",):
        return Part(REWORDED, "own type named", *texts)
    if words == ("as",) or (words == ("other",) and "trigger" in more.keys[stop : stop + 4]):
        return Part(REWORDED, "function words", *texts)
    if words == ("your",) and more.keys[stop : stop + 1] == ("~",):
        return Part(REWORDED, "function words", *texts)  # "your Clone enters" | "Clone enters"
    if words in (("if",), ("when",)) and _repeated(more, start, words[0]):
        return Part(REWORDED, "function words", *texts)
    bare = words != ("and",) or len(inserted) == 1  # not "and it has that ability"
    if len(words) == 1 and bare and not kinds & _WEIGHTY:
        word = words[0]
        said_already = word in other.content and more.keys.count(word) > 1 and word not in _NARROWING
        if word in lex.soft or (said_already and not ("type" in kinds and _narrows(more, start, stop, lex))):
            return Part(REWORDED, "redundant word", *texts)
    # "countered or otherwise leaves the stack at that time"; "the permanent (even if it isn't a creature card)"
    clause = inside or (inserted[0] in _JOINTS and len(words) >= 3)
    if not whole and not clause and (decisive := kinds & {"negation", "symbol"} or (kinds == {"number"} and kinds)):
        return Part(HARD, min(decisive), *texts, words=words)
    joined = {inserted[0], inserted[-1]} & _BRANCHES or {"and", "or"} & set(inserted) or "condition" in kinds
    more_said = Part(ADDED, _kind(words, lex), *texts, side=side, words=words, sentence=sentence, whole=whole)
    return replace(more_said, opening=opening, limits=not (opening or joined))


def _narrows(more: Reading, start: int, stop: int, lex: Lexicon) -> bool:
    """Whether a type that one text has more limits a noun ("sorcery spells"), is one of many ("a card") or part of a
    name ("named Clue Token")."""
    after = more.keys[stop : stop + 1]
    limits = bool(after) and kind_of(after[0], lex) == "type"
    return limits or more.keys[start] in ("a", "an") or "named" in more.keys[max(0, start - 3) : start]


def _repeated(reading: Reading, at: int, word: str) -> bool:
    """Whether a word is said again after "or" and "and": "even if it deals no damage or if it is countered"."""
    low = next(low for low, high in reading.ranges if low <= at < high)
    return reading.keys[at - 1 : at] in (("or",), ("and",)) and word in reading.keys[low : at - 1]


_JOINTS = frozenset("or nor and but unless though".split())
"""Words that begin a clause of its own."""
_NARROWING = frozenset(
    "combat noncombat attacking blocking blocked tapped untapped other another different base addition own"
    " control".split()
)
"""What one is said to be by these is not said again for nothing."""
_WEIGHTY = frozenset("negation number symbol modal condition player colour keyword".split())
_BRANCHES = _JOINTS | frozenset("although even while because so which who including than".split())
"""Words that begin or end what is said besides, clauses and items of lists."""


def _sized(reading: Reading, at: int) -> bool:
    """Whether a power and toughness stand before a word: "a 0/0 Shapeshifter creature"."""
    return at > 0 and "/" in reading.keys[at - 1] and reading.keys[at - 1][0].isdigit()


_PRONOUNS = frozenset("it its they their them that this which".split())
_VERBS = frozenset("'s is are was were be been will have had do does did there".split())
_ACTS = frozenset("do will".split())
_WHICH = frozenset("sacrificed exiled chosen target targeted copied".split())
_SELF_NOUNS = frozenset(
    "creature permanent card spell artifact enchantment land aura equipment vehicle planeswalker ability".split()
)
_PLURALS = frozenset({noun + "s" for noun in _SELF_NOUNS} | {"abilities"})


def self_named(x: tuple[str, ...], y: tuple[str, ...]) -> bool:
    """Whether `x` is the card by name and `y` the card by a pronoun ("it", "this spell", "the creature")."""
    if "~" not in x:
        return False
    rest = [w for w in x if w not in ("~", "'s")]
    other = [w for w in y if w not in ("'s",)]
    if rest and set(rest) <= _ACTS and set(y) & _ACTS:  # "~ will [not resolve]" | "the spell does [not resolve]"
        rest, other = [], [w for w in other if w not in _ACTS]
    if rest:
        return False
    if other in (["it"], ["its"], ["itself"], ["they"], ["their"], ["this"]):
        return True
    return len(other) == 2 and other[0] in ("this", "the") and other[1] in _SELF_NOUNS


def _points(a: Reading, i1: int, i2: int, b: Reading, j1: int, j2: int) -> bool:
    """Whether one of two stretches points at an ability."""
    return any(p in a.pointers for p in range(i1, i2)) or any(p in b.pointers for p in range(j1, j2))


def _without_self(reading: Reading, at: int) -> bool:
    """Whether the sentence up to a place names the card not, so that a pronoun there stands for something else."""
    if at >= len(reading.keys):
        return False
    low, _ = next(r for r in reading.ranges if r[0] <= at < r[1])
    return "~" not in reading.keys[low:at]


def _described(a: Reading, b: Reading, span: Span) -> bool:
    """`~'s triggered ability` | `an ability that triggers when a player casts a spell`: a pointer, and what it is."""
    i1, i2, j1, j2 = span
    if a.keys[i1:i2] != ("~",) or i1 not in a.pointers or j2 - j1 > 12:
        return False
    return b.forms[j1:j2][:4] in _DESCRIPTIONS and b.sentence[j1] == b.sentence[j2 - 1]


_DESCRIPTIONS = (("an", "ability", "that", "triggers"), ("a", "triggered", "ability", "that"))


def _pronoun(x: tuple[str, ...], y: tuple[str, ...], lex: Lexicon, other: bool) -> bool:
    """Whether `x` is a pronoun and `y` the noun that it stands for: `it` | `that creature`; and, where `other` than
    the card itself is spoken of, `its` | `the sacrificed artifact's`."""
    short = [w for w in x if w in lex.function and w not in _VERBS]
    long = [w for w in y if w not in _VERBS]
    if len(long) == 3 and (long[1] == "entire" or (other and long[1] in _WHICH)):
        long.pop(1)
    if len(short) != 1 or short[0] not in _PRONOUNS or any(w not in lex.function for w in x):
        return False
    return len(long) == 2 and long[0] in ("the", "that", "this") and (long[1] in _SELF_NOUNS or long[1] == "token")


def _has_noun(words: tuple[str, ...], lex: Lexicon) -> bool:
    return any(kind_of(word, lex) == "type" for word in words)


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


_ORDER = ("negation", "symbol", "number", "colour", "keyword", "modal", "condition", "type", "player", "other")


def _kind(words: tuple[str, ...], lex: Lexicon) -> str:
    kinds = {kind_of(word, lex) for word in words}
    return next((kind for kind in _ORDER if kind in kinds), "other")
