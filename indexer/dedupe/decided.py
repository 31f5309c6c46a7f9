"""What people decided about wordings, found again in a base: pairs to merge, pairs to keep apart, and why.

Besides the decisions of a base there are `reissues`: texts that were read, two by two, and are one ruling in words
that nothing in them proves (`reissues.txt`). A person's decision is above them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import pairwise

from indexer.dedupe.wording import Wording
from rulings.ids import mint
from rulings.model import MERGED, Decision
from rulings.text import fold1

Node = int
CLASH = "one decision merges what another keeps apart"
READ = "read as one ruling in other words"
"""The reason of a variant whose words alone would not have proved it."""


@cache
def reissues() -> tuple[tuple[str, ...], ...]:
    """The shipped ones. In each line the ids minted from texts that are one ruling."""
    lines = files("indexer.dedupe").joinpath("reissues.txt").read_text(encoding="utf-8").splitlines()
    return tuple(tuple(line.split()) for line in lines if line and not line.startswith("#"))


def _found(wordings: Sequence[Wording], reissues: Iterable[Iterable[str]]) -> list[tuple[int, int, bool]]:
    """The pairs of wordings that `reissues` puts together, of those that are there, each with whether one of them is
    gone; those of today first, so that what is gone is not needed to join them."""
    wanted = {printed for ids in reissues for printed in ids}
    if not wanted:
        return []
    at: dict[str, int] = {}
    for i, wording in enumerate(wordings):
        if (printed := mint(wording.text)) in wanted:
            at.setdefault(printed, i)
    found: list[tuple[int, int, bool]] = []
    for ids in reissues:
        here = [at[one] for one in ids if one in at]
        ordered = sorted(here, key=lambda i: (wordings[i].gone, wordings[i].masked, wordings[i].text))
        found += [(i, j, wordings[i].gone or wordings[j].gone) for i, j in pairwise(ordered)]
    return found


class Decided:
    """What people decided of the wordings of a base, and which of them were read as one ruling (`reissues`)."""

    def __init__(
        self, wordings: Sequence[Wording], decisions: Sequence[Decision], reissues: Iterable[Iterable[str]] = ()
    ) -> None:
        self._read = _found(wordings, reissues)
        self._pairs: list[tuple[str, int, int, str]] = []
        self.touched: set[int] = set()
        self._reasons: dict[tuple[int, int], str] = {}
        if not decisions:
            return
        by_text: dict[str, list[int]] = defaultdict(list)
        for i, wording in enumerate(wordings):
            by_text[fold1(wording.text)].append(i)
        # The newest decision on a pair holds; of two of one day, the later in the list.
        ordered = sorted(decisions, key=lambda d: d.date)
        latest: dict[tuple[int, int], tuple[str, str]] = {}
        split: dict[tuple[str, str], int] = {}
        for n, decision in enumerate(ordered):
            if decision.kind == "split":
                split.setdefault((fold1(decision.a), decision.card), n)
        for n, decision in enumerate(ordered):
            # Without a card, a decision is about what had not been split off by then.
            off = {(text, card) for (text, card), since in split.items() if since < n}
            left: dict[str, list[int]] = {}
            for text in (fold1(decision.a), fold1(decision.b)):
                here = by_text.get(text, [])
                left[text] = [i for i in here if {(text, card) for card in wordings[i].cards} - off] or here
            for i, j in self._find(wordings, by_text, left, decision):
                kind = "apart" if decision.kind in ("apart", "split", "supersede") else decision.kind
                latest[min(i, j), max(i, j)] = (kind, decision.reason)
                self.touched.update((i, j))
        for (i, j), (kind, reason) in sorted(latest.items()):
            self._pairs.append((kind, i, j, reason))
            if kind == "merge":
                self._reasons[i, j] = f"{MERGED}: {reason}" if reason else MERGED

    @staticmethod
    def _find(
        wordings: Sequence[Wording],
        by_text: Mapping[str, list[int]],
        left: Mapping[str, list[int]],
        decision: Decision,
    ) -> Iterable[tuple[int, int]]:
        a, b = fold1(decision.a), fold1(decision.b)
        first = by_text.get(a, [])
        if decision.kind == "split":
            alone = [i for i in first if wordings[i].cards == (decision.card,)]
            return [(i, j) for i in alone for j in first if wordings[j].cards != (decision.card,)]
        if decision.kind not in ("merge", "apart", "supersede"):
            return []
        second = by_text.get(b, [])
        if a != b or decision.card or decision.b_card:  # else all that was split of one text is merged again
            first, second = (
                [i for i in here if card in wordings[i].cards] or here if card else left.get(text, [])
                for text, card, here in ((a, decision.card, first), (b, decision.b_card, second))
            )
        return [(i, j) for i in first for j in second if i != j]

    def reason(self, i: int, j: int) -> str:
        """Why a person put two wordings into one ruling; "" if nobody did."""
        return self._reasons.get((min(i, j), max(i, j)), "")

    def on_nodes(
        self, node_of: Mapping[int, Node]
    ) -> tuple[list[tuple[Node, Node]], set[tuple[Node, Node]], list[tuple[Node, Node, str]]]:
        """Pairs of nodes to merge, to keep apart, and merges that cannot be since they would join an apart pair."""
        apart = {in_order(node_of[i], node_of[j]) for kind, i, j, _ in self._pairs if kind == "apart"}
        merged: list[tuple[Node, Node]] = []
        clashes: list[tuple[Node, Node, str]] = []
        cluster: dict[Node, set[Node]] = {}
        wanted = sorted(in_order(node_of[i], node_of[j]) for kind, i, j, _ in self._pairs if kind == "merge")
        for i, j in wanted:
            one, other = cluster.get(i, {i}), cluster.get(j, {j})
            if any(in_order(p, q) in apart for p in one for q in other if p != q):
                clashes.append((i, j, CLASH))
                continue
            both = one | other
            for node in both:
                cluster[node] = both
            merged.append((i, j))
        return merged, apart, clashes

    def read_on_nodes(
        self, node_of: Mapping[int, Node], merged: Iterable[tuple[Node, Node]], apart: set[tuple[Node, Node]]
    ) -> dict[tuple[Node, Node], bool]:
        """Pairs of nodes that were read as one, but for those that a person's word is against; those that wordings of
        today prove first. For each whether it is late: only wordings that are gone prove it."""
        cluster: dict[Node, set[Node]] = {}
        kept = {}
        proofs: dict[tuple[Node, Node], bool] = {}
        for i, j, late in self._read:
            pair = in_order(node_of[i], node_of[j])
            proofs[pair] = late and proofs.get(pair, True)
        read = sorted(proofs, key=lambda pair: (proofs[pair], pair))
        for pair, of_people in [*((pair, True) for pair in merged), *((pair, False) for pair in read)]:
            one, other = (cluster.get(node, {node}) for node in pair)
            if of_people or not any(in_order(p, q) in apart for p in one for q in other if p != q):
                both = one | other
                cluster.update(dict.fromkeys(both, both))
                if not of_people:
                    kept[pair] = proofs[pair]
        return kept


def in_order(i: Node, j: Node) -> tuple[Node, Node]:
    """The pair, smaller first."""
    return (i, j) if i < j else (j, i)
