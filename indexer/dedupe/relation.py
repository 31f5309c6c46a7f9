"""What two wordings are to each other: same, reworded, broader or different, and why.

A pure function of the two masked texts: no dates, no corpus, no order. In doubt the answer is `different`, with
`doubtful` set, so that the pair waits for a person.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from functools import lru_cache

from indexer.dedupe.alignment import sentence_hunks
from indexer.dedupe.difference import ADDED, HARD, OUTDATED, REWORDED, SAME, Part, parts
from indexer.dedupe.lexicon import lexicon
from indexer.dedupe.reading import Reading, read, stem, undamaged
from indexer.dedupe.signs import signs_apart
from indexer.dedupe.wording import Wording
from rulings.symbols import fold_symbols
from rulings.text import fold1


@dataclass(frozen=True, slots=True)
class Verdict:
    """The relation of a pair (a, b).

    `why` is the kind of variant (`rulings.model.WHY`) that one would be of the other, `outdated` where the rules
    changed; "" unless same or reworded.
    `mild`: the texts differ only in a worked example about their own cards, so both may stand beside a third text.
    `direction`: which text says more (broader), or is the damaged or outdated one: "a", "b" or "".
    """

    relation: str
    must_not_merge: bool = False
    reason: str = ""
    why: str = ""
    direction: str = ""
    doubtful: bool = False
    mild: bool = False

    @property
    def joins(self) -> bool:
        """Whether the two texts may share one ruling."""
        return self.relation in ("same", "reworded") and not self.must_not_merge and not self.doubtful

    @property
    def elsewhere(self) -> bool:
        """Whether the two texts differ in nothing but which of its abilities the card points at."""
        return self.relation == "reworded" and self.must_not_merge and self.why != "outdated"

    def turned(self) -> Verdict:
        """The verdict of (b, a)."""
        return replace(self, direction={"a": "b", "b": "a"}.get(self.direction, ""))


@lru_cache(maxsize=1 << 17)
def reading(masked: str) -> Reading:
    """`read`, remembered."""
    return read(masked)


def relation(a: Wording, b: Wording) -> Verdict:
    """The relation of two wordings; `relation(b, a)` is the same, turned."""
    if a.masked != b.masked and fold1(a.text) == fold1(b.text):
        return Verdict("same", reason="quotes, dashes or spaces", why="typography")
    if a.masked == b.masked:
        return _one_masked_text(a.text, b.text)
    if a.masked <= b.masked:
        verdict = masked_relation(a.masked, b.masked)
    else:
        verdict = masked_relation(b.masked, a.masked).turned()
    if verdict.relation == "different" and set(a.cards) & set(b.cards) and reissued(a, b):
        return Verdict("reworded", reason="reissued on one card: " + verdict.reason, doubtful=True)
    return verdict


_TELLING = frozenset("negation number symbol colour keyword modal type".split()) | {"card name"}


def reissued(a: Wording, b: Wording) -> bool:
    """Whether two unlike texts on one card look like one ruling issued anew: few words differ, and none of a kind
    that carries an answer. Of 549 close pairs that stand on one card at one time, 10 look so; of 2,107 that replaced
    each other, 100. So it is a proposal, never a merge."""
    x, y = reading(a.masked), reading(b.masked)
    found = [p for p in parts(x, y) if p.level in (HARD, ADDED)]
    places, words = (2, 4) if a.last == b.last else (3, 7)
    if len(found) > places or sum(len(p.words) for p in found) > words:
        return False
    if any(p.kind in _TELLING or p.whole for p in found):
        return False
    if 10 * len(x.content & y.content) < 7 * len(x.content | y.content):
        return False
    return not _opposed(found)


def _opposed(found: list[Part]) -> bool:
    """Whether the texts differ in opposites (tapped and untapped, hand and library), or in what is done (discarded and
    exiled)."""
    left = {w for p in found if p.level == HARD for w in p.a.split()}
    right = {w for p in found if p.level == HARD for w in p.b.split()}
    deeds = [{lexicon().deeds[w] for w in side if w in lexicon().deeds} for side in (left, right)]
    if all(deeds) and deeds[0].isdisjoint(deeds[1]):
        return True
    return any(_opposite(p, q) for p in left for q in right)


def _opposite(p: str, q: str) -> bool:
    pair = frozenset((stem(p), stem(q)))
    return pair in lexicon().opposites or p in ("un" + q, "non" + q) or q in ("un" + p, "non" + p)


def masked_relation(a: str, b: str) -> Verdict:
    """The relation of two masked texts, `a` not after `b`."""
    verdict = _by_words(a, b)
    if verdict.joins and (apart := signs_apart(a, b, same_words=verdict.relation == "same")):
        return Verdict("different", True, apart, doubtful=True)
    return verdict


def _by_words(a: str, b: str) -> Verdict:
    x, y = reading(a), reading(b)
    if x.plainly == y.plainly:
        return _by_form(x, y)
    if len(x.keys) < 2 or len(y.keys) < 2:
        return Verdict("different", reason="too short to compare")
    damaged = _damaged(x, y)
    if damaged:
        return damaged
    small, large = sorted((len(x.content), len(y.content)))
    common = len(x.content & y.content)
    if not small or (common < 0.5 * small) or (common < 0.28 * large and common < small):
        return Verdict("different", reason="other words")
    verdict = _decide(x, y, parts(x, y, settling=True))
    if not verdict.joins and x.sentence[-1] + y.sentence[-1]:
        # Harmless differences prove their case however the texts are laid side by side.
        other = _decide(x, y, parts(x, y, sentence_hunks(x, y), settling=True))
        if (_RANK[other.relation], not other.mild) < (_RANK[verdict.relation], not verdict.mild):
            return other
    return verdict


_RANK = {"same": 0, "reworded": 1, "broader": 2, "different": 3}


def _one_masked_text(a: str, b: str) -> Verdict:
    """Two texts that are one once damage of form is undone and their own names are masked."""
    if fold1(a) == fold1(b):
        return Verdict("same", reason="quotes, dashes or spaces", why="typography")
    if undamaged(a) != undamaged(b):
        return Verdict("same", reason="what the card calls itself", why="card-name")
    odd = [fold1(undamaged(text)) != fold1(text) for text in (a, b)]
    direction = {(True, False): "a", (False, True): "b"}.get((odd[0], odd[1]), "")
    if ("{" in a) != ("{" in b) or fold_symbols(a)[0] == fold_symbols(b)[0]:
        return Verdict("same", reason="the form of a symbol", why="symbol-form", direction=direction)
    return Verdict("same", reason="the encoding, or markup", why="encoding", direction=direction)


def _by_form(x: Reading, y: Reading) -> Verdict:
    """Two texts of the same letters: which form differs."""
    if x.text.lower() == y.text.lower():
        return Verdict("same", reason="capitals", why="typography")
    return Verdict("same", reason="punctuation, or how a word or number is written", why="typography")


_SYMBOL = re.compile(r"\{[^{}\s]{1,12}\}")
_GAP = re.compile(
    r"\s[.,;:)](?:\s|$)|\(\s|\b(?:of|pay|get|any|give|gives|you|or|and|with|costs|cost|a|the|one or more)[.,;)]"
    r"|^[a-z]|\s\s|[:,]\s*[.,]"
)
_HUNGRY = re.compile(
    r"(?:^|\b(?:of|pay|pays|paying|paid|get|gets|any|give|gives|with|costs?|more|by|is|spend|spending|adds?|and|or|a|an|the|"
    r"to|less|an? additional|additional|spent|produces?)\s+|[(:]\s*)(?:\{[^{}\s]{1,12}\})+",
    re.IGNORECASE,
)
"""A symbol after a word that cannot stand without one: its loss leaves a hole."""
_LETTERS = re.compile(r"[\W_]+")


def _letters(text: str) -> str:
    return _LETTERS.sub("", text).lower()


def _damaged(x: Reading, y: Reading) -> Verdict | None:
    """Whether one text is the other with all symbols lost, or cut off at its start."""
    for one, other, side in ((x, y, "b"), (y, x, "a")):
        bare = "{" in one.text and "{" not in other.text and _letters(_SYMBOL.sub("", one.text)) == _letters(other.text)
        if bare and (_GAP.search(other.text) or _HUNGRY.search(one.text)):
            return Verdict("same", reason="symbols lost", why="symbol-lost", direction=side)
        if _cut(one, other):
            return Verdict("same", reason="the start is cut off", why="damaged", direction=side)
    return None


def _cut(one: Reading, other: Reading) -> bool:
    """Whether `other` is `one` without its first letters: "hield counters", "y target artifact"."""
    lost = len(one.text) - len(other.text)
    if not (0 < lost <= 12 and len(other.text) >= 24 and other.text[0].islower() and one.text.endswith(other.text)):
        return False
    return one.text[lost - 1].isalnum()


def _decide(x: Reading, y: Reading, found: list[Part]) -> Verdict:
    found = _moves(_shifted(found, x, y))
    worked = [p for p in found if p.worked]
    told = all(p.kind in _EXCHANGED and len(p.words) <= 4 for p in worked)
    cards = (_example_card(x, told), _example_card(y, told)) if worked else ("", "")
    if worked and all(_of_an_example(p, counted=_counted(x) and _counted(y)) for p in worked):
        others = [p for p in found if not p.worked]
        if cards[0] != cards[1] and all(cards):
            # Another card serves as the example, so its colours and numbers are other ones too.
            found = [*others, *(replace(p, level=REWORDED, kind="worked example") for p in worked)]
        elif cards == ("~", "~") and all(p.level not in (HARD, ADDED) for p in others):
            return Verdict("different", True, "; ".join(map(str, worked[:4])), mild=True)
    if swapped := _swapped(found, x, y):
        return Verdict("different", True, swapped)
    hard = [p for p in found if p.level == HARD]
    added = [p for p in found if p.level == ADDED]
    reason = "; ".join(str(p) for p in (hard or added or [p for p in found if p.level != SAME] or found)[:4])
    if hard:
        soft = all(p.kind == "other" and len(p.words) <= 6 for p in hard)
        doubtful = soft and len(hard) <= 2 and not added and not _opposed(hard)
        return Verdict("different", True, reason, doubtful=doubtful)
    if added:
        sides = {p.side for p in added}
        if len(sides) > 1 or any(p.limits for p in added):
            return Verdict("different", True, reason)
        condition = any(p.kind == "condition" and not p.whole for p in added)
        return Verdict("broader", condition, reason, direction="ab"[sides.pop()])
    if any(p.level == OUTDATED for p in found):
        old = next(p for p in found if p.level == OUTDATED)
        return Verdict("reworded", True, reason, "outdated", "a" if "counter" in old.a else "b")
    if not found:
        return Verdict("reworded", reason="words that say nothing", why="older-wording")
    if all(p.level == SAME for p in found):
        return _same(found, reason)
    return Verdict("reworded", any(p.apart for p in found), reason, "older-wording")


def _swapped(found: list[Part], x: Reading, y: Reading) -> str:
    """What turns the answer though its parts are harmless: "the ability resolves before the spell" | "the spell ...
    before the ability"; "put it on top, then shuffle" | "shuffle, then ..."; "instead" | "also". "" for nothing."""
    called = [(p.a, p.b) for p in found if p.kind == "self"]
    turned = next((pair for pair in called if pair[0] != pair[1] and pair[::-1] in called), None)
    moved = next((p for p in found if p.kind == "order"), None)
    if moved and "then" in x.keys and "then" in y.keys:
        return str(moved)
    if turned:
        return f"order: {turned[0]} | {turned[1]}"
    for one, other in ((x, y), (y, x)):
        if "instead" in set(one.keys) - set(other.keys) and "also" in set(other.keys) - set(one.keys):
            return "replacement: instead | also"
    return ""


def _same(found: list[Part], reason: str) -> Verdict:
    kinds = {p.kind for p in found}
    if kinds <= {"self"}:
        return Verdict("same", reason=reason, why="card-name")
    if "typo" in kinds:
        return Verdict("same", reason=reason, why="typo")
    if "symbol-form" in kinds:
        return Verdict("same", reason=reason, why="symbol-form")
    return Verdict("same", reason=reason, why="typography")


def _counted(reading: Reading) -> bool:
    """Whether the worked example reckons with a mana cost, so that its symbols and numbers are those of its card."""
    tale = [key for key, s in zip(reading.keys, reading.sentence, strict=True) if s in reading.worked]
    return {"cost", "total"} <= set(tale)


def _of_an_example(part: Part, counted: bool) -> bool:
    """Whether a part can be owed to the example alone: its name, colours, types and mana value; that it tells in a
    sentence of its own; or its symbols, where it is `counted` with them."""
    if counted and len(part.words) <= 12 and part.kind in ("symbol", "card name", "number", "colour", "type"):
        return True
    if part.whole:
        return part.kind != "symbol"
    numbers = [w for w in part.words if w.isdigit()]
    return len(part.words) <= 12 and (
        part.kind in ("card name", "self-or-other", "colour", "type", "other")
        or (part.kind == "number" and len(numbers) == len(part.words))
    )


_EXCHANGED = ("card name", "self-or-other", "number")
"""What two worked examples differ in that tell the same of two cards."""


def _example_card(reading: Reading, told: bool) -> str:
    """The card that the worked example speaks of: `~`, or its name; "" if it names none, or neither gives its mana
    value nor is `told` in the same words on both sides."""
    for place in range(len(reading.keys) - 1):
        if reading.keys[place : place + 2] == ("for", "example"):
            rest = range(place, len(reading.keys))
            tale = [reading.keys[i] for i in rest]
            if not told and "value" not in tale and "is" not in tale:
                return ""
            names = [reading.keys[i] for i in rest if i in reading.named or reading.keys[i] == "~"]
            return names[0] if names else ""
    return ""


def _relisted(found: list[Part]) -> list[Part]:
    """A type that stands in another place of one list: "kindred, land, and sorcery" | "land, sorcery, and tribal"."""
    sides: tuple[dict[tuple[str, ...], Part], ...] = ({}, {})
    for part in found:
        if part.level == ADDED and not part.whole and part.kind == "type" and {"and", "or"} & set(part.words):
            sides[part.side].setdefault(tuple(w for w in part.words if w not in ("and", "or")), part)
    moved = [side[words] for words in sides[0].keys() & sides[1].keys() if len(words) == 1 for side in sides]
    # "activating an ability, or taking an action": the "or" went to the new end of the list
    joints = {(p.side, p.sentence, p.words[0]) for p in found if p.level == ADDED and len(p.words) > 1}
    moved += [
        p
        for p in found
        if p.level == ADDED and p.words in (("or",), ("and",)) and (1 - p.side, p.sentence, p.words[0]) in joints
    ]
    return [replace(p, level=REWORDED, kind="order") if p in moved else p for p in found]


_BACKWARDS = frozenset("it they that this those these he she its their then".split())
"""A sentence that begins so speaks of the one before."""
_PLACED = frozenset("only not no even just also".split())
"""Words that mean the word after them: they cannot be moved alone."""


def _shifted(found: list[Part], x: Reading, y: Reading) -> list[Part]:
    """A sentence that stands in another place, and a clause that opens its sentence in one text and ends it in the
    other: "When casting a spell this way, you must ..." | "You must ... when casting a spell this way"."""
    added = [p for p in found if p.level == ADDED]
    loose = not any(r.keys[low] in _BACKWARDS for r in (x, y) for low, _ in r.ranges)
    moved: list[Part] = []
    for p in added:
        for q in added:
            if (p.side, q.side) != (0, 1) or p.words != q.words or p in moved or q in moved:
                continue
            sentences = p.whole and q.whole and loose
            clauses = p.opening != q.opening and p.sentence == q.sentence and not (p.whole or q.whole)
            if sentences or (clauses and not _PLACED.issuperset(p.words)):
                moved += [p, q]
    return [replace(p, level=REWORDED, kind="order") if p in moved else p for p in found]


_MOVABLE = frozenset("symbol number type player colour".split())


def _moves(found: list[Part]) -> list[Part]:
    """Words left out in one place and put in at another of the same sentence are moved, not added."""
    found = _relisted(found)
    added = [p for p in found if p.level == ADDED and not p.whole]
    sides = [Counter(w for p in added if p.side == s for w in p.words) for s in (0, 1)]
    if not sides[0] or sides[0] != sides[1] or len(sides[0]) > 3:
        return found
    if any((p.kind in _MOVABLE and p.words != ("only",)) or p.kind == "negation" for p in added):
        return found
    return [replace(p, level=REWORDED, kind="order") if p in added else p for p in found]
