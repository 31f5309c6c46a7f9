"""Where two readings differ: their words laid side by side, at once or sentence by sentence.

In: two `Reading`s. Out: spans of keys that are not common, in order. What a difference means is `difference`.
"""

from __future__ import annotations

from rapidfuzz.distance import LCSseq

from indexer.dedupe.lexicon import lexicon
from indexer.dedupe.reading import Reading

Span = tuple[int, int, int, int]
Words = tuple[str, ...]


def hunks(a: Reading, b: Reading) -> list[Span]:
    """Where the keys differ: (a from, a to, b from, b to). Neighbours across one function word are one place."""
    return _hunks(a, b, (0, len(a.keys), 0, len(b.keys)))


def _hunks(a: Reading, b: Reading, whole: Span) -> list[Span]:
    low, high, other, top = whole
    x, y = a.keys, b.keys
    while low < high and other < top and x[low] == y[other]:
        low += 1
        other += 1
    while low < high and other < top and x[high - 1] == y[top - 1]:
        high -= 1
        top -= 1
    spans: list[Span] = []
    function = lexicon().function
    for op in LCSseq.opcodes(x[low:high], y[other:top]):
        if op.tag == "equal":
            continue
        span = (op.src_start + low, op.src_end + low, op.dest_start + other, op.dest_end + other)
        if spans:
            last = spans[-1]
            gap = x[last[1] : span[0]]
            if len(gap) == 0 or (len(gap) == 1 and (gap[0] in function or _only_moved(x, y, last, span))):
                spans[-1] = (last[0], span[1], last[2], span[3])
                continue
        spans.append(span)
    return [_slide(a, b, span) for span in spans]


def _only_moved(x: Words, y: Words, before: Span, after: Span) -> bool:
    """Whether "only" stands before a word in one text and after it in the other: "can only include", "include only"."""
    moved = ((), ("only",))
    sides = [(x[s[0] : s[1]], y[s[2] : s[3]]) for s in (before, after)]
    return sides in ([moved, moved[::-1]], [moved[::-1], moved])


def sentence_hunks(a: Reading, b: Reading) -> list[Span]:
    """As `hunks`, but like sentences are laid side by side first: better where a sentence was put in or taken out."""
    left, right = a.ranges, b.ranges
    spans: list[Span] = []
    i = j = 0
    for m, n in [*_alike(a, b, left, right), (len(left), len(right))]:
        if m > i or n > j:
            begin = left[i][0] if i < len(left) else len(a.keys)
            start = right[j][0] if j < len(right) else len(b.keys)
            spans.append((begin, left[m - 1][1] if m > i else begin, start, right[n - 1][1] if n > j else start))
        if m < len(left) and n < len(right):
            spans += _hunks(a, b, (*left[m], *right[n]))
        i, j = m + 1, n + 1
    return spans


def _alike(
    a: Reading, b: Reading, left: tuple[tuple[int, int], ...], right: tuple[tuple[int, int], ...]
) -> list[tuple[int, int]]:
    """Pairs of sentences that belong together, in order: the best sum of overlaps of half or more."""
    sets = [[frozenset(r.keys[low:high]) for low, high in ranges] for r, ranges in ((a, left), (b, right))]
    best = [[(0.0, False)] * (len(right) + 1) for _ in range(len(left) + 1)]
    for m in range(len(left) - 1, -1, -1):
        for n in range(len(right) - 1, -1, -1):
            skip = max(best[m + 1][n][0], best[m][n + 1][0])
            one, other = sets[0][m], sets[1][n]
            share = 2 * len(one & other) / (len(one) + len(other))
            taken = share + best[m + 1][n + 1][0] if share >= 0.5 else -1.0
            best[m][n] = (taken, True) if taken >= skip else (skip, False)
    pairs = []
    m = n = 0
    while m < len(left) and n < len(right):
        if best[m][n][1]:
            pairs.append((m, n))
            m, n = m + 1, n + 1
        elif best[m + 1][n][0] >= best[m][n + 1][0]:
            m += 1
        else:
            n += 1
    return pairs


def _slide(a: Reading, b: Reading, span: Span) -> Span:
    """Words put in may be read in several places ("x. A x." or "A x. x."): prefers whole sentences."""
    i1, i2, j1, j2 = span
    if (i1 == i2) == (j1 == j2):
        return span
    more, low, high = (a, i1, i2) if j1 == j2 else (b, j1, j2)
    fewer, gap = (b, j1) if j1 == j2 else (a, i1)
    keys, sentence = more.keys, more.sentence
    for shift in range(8):
        begin, stop = low - shift, high - shift
        if begin < 0 or gap < shift or (shift and not keys[begin] == keys[stop] == fewer.keys[gap - shift]):
            break
        starts = begin == 0 or sentence[begin] != sentence[begin - 1]
        ends = stop == len(keys) or sentence[stop] != sentence[stop - 1]
        if starts and ends:
            return (i1 - shift, i2 - shift, j1 - shift, j2 - shift)
    return span
