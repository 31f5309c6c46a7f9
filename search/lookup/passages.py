"""Which wordings a text may be quoting, and which of its words answer which words of the wording.

In: a text as read, the base. Out: `Passage`s, several for one place where several wordings are alike. What a passage
amounts to (exact, altered, another card's) is `search.lookup.verdict`.

Runs of four words lead from the text to wordings; the passage then grows from them to the borders that fit best, so
that words changed at the start or the end of a quotation still belong to it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from rapidfuzz.distance import Indel, LCSseq

from indexer.lookup_index import POSITION_BITS
from indexer.lookup_tokens import OWN, SHINGLE, shingle_hashes
from search.lookup.base import POSITION_MASK, LookupBase, Text, Wording
from search.lookup.edges import COLON, NONE, STRONG, Edges
from search.lookup.mentions import Mention

TOO_COMMON = 400
"""A run of words in more wordings than this leads nowhere."""
MOST_ALIGNED = 24
"""Wordings that are compared word by word for one place: families of like rulings have a hundred."""
SLACK = 8
"""Words that a quotation may have beside those of the ruling, at each end."""
_LEAST_RUN = 3
_SHORT_FRAME = 14
_MOST_REPEATS = 300
"""So often the same four words are looked up in one text: a text made to cost us memory repeats more."""


@dataclass(frozen=True, slots=True)
class Passage:
    """Words `first` to `last` of the text stand against words `low` to `high` of `wording` (ends excluded).

    `start` and `end` are characters. `matched` counts words in common; `frame` is what the borders cost: 0 where both
    ends are quotation marks or borders of a block. `partial`: whole sentences of the wording are left out at an end.
    """

    wording: Wording
    first: int
    last: int
    low: int
    high: int
    start: int
    end: int
    matched: int
    frame: float

    @property
    def partial(self) -> bool:
        return self.low > 0 or self.high < len(self.wording.keys)

    @property
    def edits(self) -> int:
        """Words on either side that answer none on the other."""
        return (self.last - self.first) + (self.high - self.low) - 2 * self.matched

    @property
    def likeness(self) -> float:
        """Words in common, of all words of both sides (1.0: the same words)."""
        return 2 * self.matched / max(1, (self.last - self.first) + (self.high - self.low))


def passages(text: Text, borders: Edges, named: Sequence[Mention], base: LookupBase) -> list[Passage]:
    """All passages that are near enough to a wording to be looked at, in no order."""
    clusters = _clusters(_hits(text, named, base), borders.block)
    clusters.sort(key=lambda c: (-c[0], c[1], c[2]))
    busy: dict[int, int] = defaultdict(int)
    most: dict[int, int] = {}  # word -> what the best wording tried there shares
    found = []
    for covered, n, lo, hi, plo in clusters:
        middle = (lo + hi) // 2
        # A wording that shares less than half of what the best one shares is not what is quoted here.
        if covered * 2 < most.get(middle, 0) or (busy[middle] >= MOST_ALIGNED and covered < hi - lo):
            continue
        # One run of four words is a quotation only where little else stands between the borders.
        if covered < 6 and borders.frame(lo, hi) > _SHORT_FRAME:
            continue
        for word in range(lo, hi):
            busy[word] += 1
            most.setdefault(word, covered)
        for wording in _as_written(n, text, lo, hi, named, base):
            passage = _align(text, borders, wording, lo, hi, plo)
            if passage is not None:
                found.append(passage)
    return found


Cluster = tuple[int, int, int, int, int]


def _hits(text: Text, named: Sequence[Mention], base: LookupBase) -> dict[int, list[tuple[int, int]]]:
    """wording -> (word of the text, word of the wording) where four words in a row agree."""
    places: list[tuple[int, int]] = list(enumerate(shingle_hashes(text.keys)))
    # The same text with `~` for names, for rulings that are kept once for all their cards.
    keys: list[str] = []
    origin: list[int] = []
    at = 0
    for mention in [*named, None]:
        stop = mention.first if mention else len(text.keys)
        keys += text.keys[at:stop]
        origin += range(at, stop)
        if mention:
            keys.append(OWN)
            origin.append(mention.first)
            if mention.possessive:
                keys.append("s")
                origin.append(mention.last - 1)
            at = mention.last
    for i, key in enumerate(shingle_hashes(keys)):
        if OWN in keys[i : i + SHINGLE]:
            places.append((origin[i], key))
    occurring = base.occurring([key for _, key in places])
    hits: dict[int, list[tuple[int, int]]] = defaultdict(list)
    seen: dict[int, int] = defaultdict(int)
    for word, key in places:
        postings = occurring.get(key, ())
        seen[key] += 1
        if len(postings) <= TOO_COMMON and seen[key] <= _MOST_REPEATS:
            for posting in postings:
                hits[posting >> POSITION_BITS].append((word, posting & POSITION_MASK))
    return hits


def _clusters(hits: dict[int, list[tuple[int, int]]], block: Sequence[int]) -> list[Cluster]:
    """(covered words, wording, first word, last word, first word in the wording): hits that lie together, in one
    block of the text."""
    clusters: list[Cluster] = []
    for n, pairs in hits.items():
        pairs.sort()
        run: list[tuple[int, int]] = []
        for pair in pairs:
            far = run and (pair[0] - run[-1][0] > 40 or (pair[1] < run[-1][1] - 6 and pair[0] - run[-1][0] > 4))
            if run and (far or block[pair[0]] != block[run[-1][0]]):
                clusters.append(_cluster(n, run))
                run = []
            run.append(pair)
        clusters.append(_cluster(n, run))
    return clusters


def _cluster(n: int, run: list[tuple[int, int]]) -> Cluster:
    covered = len({word + i for word, _ in run for i in range(SHINGLE)})
    # The commonest offset between text and wording tells where the wording begins.
    offsets: dict[int, int] = defaultdict(int)
    for word, position in run:
        offsets[word - position] += 1
    offset = max(offsets, key=lambda o: (offsets[o], -o))
    near = [pair for pair in run if abs(pair[0] - pair[1] - offset) <= 12] or run
    return covered, n, near[0][0], near[-1][0] + SHINGLE, min(position for _, position in near)


def _as_written(n: int, text: Text, lo: int, hi: int, named: Sequence[Mention], base: LookupBase) -> list[Wording]:
    """The wording with the names that the text has there put in for `~`: those of its cards, else any."""
    if not base.is_masked(n):
        return [base.wording(n)]
    here = [m for m in named if lo - 12 <= m.first <= hi + 12]
    cards = {s.card: s.name for s in base.standings(n)}
    names: dict[str, None] = {}
    for mention in here:
        written = " ".join(text.text[mention.start : mention.end].replace("\n>", " ").split())
        for card in mention.cards:
            if card in cards:
                kept = cards[card] or card
                names[kept if kept.lower() == written.lower() else written] = None
    for mention in here:
        names.setdefault(" ".join(text.text[mention.start : mention.end].split()))
    if not names:
        names[next(iter(cards.values()), None) or next(iter(cards), OWN)] = None
    return [base.wording(n, name) for name in list(names)[:4]]


def _align(text: Text, borders: Edges, wording: Wording, lo: int, hi: int, plo: int) -> Passage | None:
    block = borders.bounds[borders.block[min(lo, len(borders.block) - 1)]]
    size = len(wording.keys)
    left = max(block[0], lo - plo - SLACK)
    right = min(block[1], max(hi, lo - plo + size) + SLACK + size // 8)
    runs = _runs(text.keys[left:right], wording.keys)
    if not runs:
        return None
    best: tuple[float, Passage] | None = None
    # The lead may name the card as the ruling does, and a run there is none of the quotation: try without.
    for i in range(min(3, len(runs))):
        for j in range(max(i, len(runs) - 3), len(runs)):
            option = _between(text, borders, wording, runs[i : j + 1], left, right)
            if option and (best is None or option[0] > best[0]):
                best = option
    return best[1] if best and _near_enough(best[1]) else None


def _between(
    text: Text, borders: Edges, wording: Wording, runs: list[tuple[int, int, int]], left: int, right: int
) -> tuple[float, Passage] | None:
    """The passage that has these runs, grown at both ends, and what it is worth."""
    first, low, start_cost, start = _grow(text, borders, wording, runs[0][0] + left, runs[0][1], left)
    ends = runs[-1][0] + runs[-1][2] + left, runs[-1][1] + runs[-1][2]
    last, high, end_cost, end = _grow_end(text, borders, wording, *ends, right)
    if first >= last or low >= high:
        return None
    a, b = text.keys[first:last], wording.keys[low:high]
    matched = (len(a) + len(b) - int(Indel.distance(a, b))) // 2
    passage = Passage(wording, first, last, low, high, start, end, matched, start_cost + end_cost)
    crossed = sum(
        borders.crossed(one[0] + one[2] + left, two[0] + left)
        for one, two in pairwise(runs)
        if one[0] + one[2] < two[0]
    )
    worth = matched - (max(len(a), len(b)) - matched) / 2 - start_cost - end_cost - crossed
    worth -= borders.crossed(first + 1, runs[0][0] + left) + borders.crossed(ends[0], last - 1)
    return worth, passage


def _runs(a: Sequence[str], b: Sequence[str]) -> list[tuple[int, int, int]]:
    """Runs of equal words: (in the text, in the wording, how many). Lone words in common say nothing."""
    runs = [
        (op.src_start, op.dest_start, op.src_end - op.src_start)
        for op in LCSseq.opcodes(a, b)
        if op.tag == "equal" and op.src_end - op.src_start >= _LEAST_RUN
    ]
    # The quotation is where most of it is: a run far off its line is a chance.
    while len(runs) > 1:
        gap_a, gap_b = runs[1][0] - runs[0][0] - runs[0][2], runs[1][1] - runs[0][1] - runs[0][2]
        if runs[0][2] < 5 and gap_a - gap_b > SLACK:
            runs.pop(0)
            continue
        gap_a, gap_b = runs[-1][0] - runs[-2][0] - runs[-2][2], runs[-1][1] - runs[-2][1] - runs[-2][2]
        if runs[-1][2] < 5 and gap_a - gap_b > SLACK:
            runs.pop()
            continue
        break
    return runs


def _gain(a: Sequence[str], b: Sequence[str], cost: float) -> float:
    """What it is worth that `a` stands against `b`: words in common, less half of those that answer none (a word put
    in place of another counts once)."""
    common = (len(a) + len(b) - int(Indel.distance(a, b))) // 2
    return common - (max(len(a), len(b)) - common) / 2 - cost


def _grow(text: Text, borders: Edges, wording: Wording, first: int, low: int, left: int) -> tuple[int, int, float, int]:
    """The best start: (word of the text, word of the wording, cost of the border, character)."""
    starts = [s for s in wording.starts if s <= low][-6:] or [0]
    options = []
    for begin in range(max(left, first - (low - starts[0]) - SLACK), first + 1):
        border = borders.before.get(begin)
        if border is None and begin != first:
            continue
        cost, char = border or (NONE, text.tokens[text.words[begin]].start)
        crossed = borders.crossed(begin + 1, first)
        for s in starts:
            gain = _gain(text.keys[begin:first], wording.keys[s:low], cost + crossed + 0.3 * (s != starts[0]))
            options.append((gain, -cost, begin, s, char))
    gain, cost, begin, s, char = max(options)
    return begin, s, -cost, char


def _grow_end(
    text: Text, borders: Edges, wording: Wording, last: int, high: int, right: int
) -> tuple[int, int, float, int]:
    """The best end, as `_grow`."""
    size = len(wording.keys)
    ends = [e for e in (*wording.starts[1:], size) if e >= high][:6] or [size]
    options = []
    for stop in range(last, min(right, last + (ends[-1] - high) + SLACK) + 1):
        border = borders.after.get(stop)
        if border is None and stop != last:
            continue
        cost, char = border or (NONE, text.tokens[text.words[stop - 1]].end)
        crossed = borders.crossed(last, stop - 1)
        for e in ends:
            gain = _gain(text.keys[last:stop], wording.keys[high:e], cost + crossed + 0.3 * (e != ends[-1]))
            options.append((gain, -cost, -stop, e, char))
    gain, cost, stop, e, char = max(options)
    return -stop, e, -cost, char


def _near_enough(passage: Passage) -> bool:
    """Whether it is a quotation at all. Prose that shares a turn of phrase with a ruling is none."""
    words = passage.last - passage.first
    if passage.frame == STRONG:
        return passage.matched >= 4 and passage.likeness >= 0.62
    if passage.frame <= COLON:  # "The ruling for Shatter: ..."
        return passage.matched >= 6 and passage.likeness >= 0.75
    if passage.edits == 0:
        return words >= 6
    return words >= 9 and passage.matched >= 9 and passage.likeness >= 0.8
