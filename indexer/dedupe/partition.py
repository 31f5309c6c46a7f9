"""Wordings into rulings: a pure function of (wordings, decisions), whatever the order and the cache.

Each ruling is a star: one centre, to which every member is *same* or *reworded*; and no two members are anything
else to each other. What cannot stand in one ruling is linked, what is doubtful goes to review. Decisions of people
always win.
"""

from __future__ import annotations

import gc
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from indexer.dedupe.cache import EdgeCache, Key, text_key
from indexer.dedupe.candidates import candidates, signature
from indexer.dedupe.canonical import canonical, explain
from indexer.dedupe.decided import READ, Decided, Node, in_order
from indexer.dedupe.relation import Verdict, masked_relation, reading, relation
from indexer.dedupe.wording import Wording
from rulings.model import Correction, Decision


@dataclass(frozen=True, slots=True)
class Group:
    """One ruling: indexes of its wordings, sorted. `centre`: the wording to which all others belong; `canonical`: the
    one that is shown. `reasons`: for each other member, what it is of the canonical wording (kind, difference)."""

    members: tuple[int, ...]
    centre: int
    canonical: int
    reasons: Mapping[int, tuple[str, str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Partition:
    """All groups, sorted by their first member's text; `links` (a, b, kind, reason): a covers b, a is part-of b, a is
    outdated-by b, a is related to b; `reviews` (a, b, proposed relation, reason)."""

    groups: tuple[Group, ...]
    links: tuple[tuple[int, int, str, str], ...]
    reviews: tuple[tuple[int, int, str, str], ...]


def partition(
    wordings: Sequence[Wording],
    decisions: Sequence[Decision] = (),
    corrections: Sequence[Correction] = (),
    cache: EdgeCache | None = None,
    reissues: Iterable[Iterable[str]] = (),
) -> Partition:
    """The rulings that `wordings` are. `reissues`: ids minted from texts that were read as one ruling. `cache` only
    saves time."""
    collecting = gc.isenabled()
    gc.disable()  # nothing here is a cycle, and the collector would walk 100,000 verdicts again and again
    try:
        work = _Work(wordings, decisions, cache or EdgeCache(), reissues)
        return work.result(work.stars(), corrections)
    finally:
        if collecting:
            gc.enable()


Star = tuple[Node, list[Node]]
Weight = tuple[int, int]
"""How near two wordings are: the same or reworded, and how much there is to say of the difference."""


class _Work:
    """One run. A node is a distinct masked text, or a single wording that a person decided about."""

    def __init__(
        self,
        wordings: Sequence[Wording],
        decisions: Sequence[Decision],
        cache: EdgeCache,
        reissues: Iterable[Iterable[str]],
    ) -> None:
        self.wordings = wordings
        self.cache = cache
        self.decided = Decided(wordings, decisions, reissues)
        order = sorted(range(len(wordings)), key=lambda i: (wordings[i].masked, wordings[i].text, wordings[i].cards))
        nodes: dict[object, list[int]] = {}
        for i in order:
            own = i in self.decided.touched
            nodes.setdefault((wordings[i].masked, i if own else -1), []).append(i)
        self.members: list[list[int]] = list(nodes.values())
        self.masked = [wordings[group[0]].masked for group in self.members]
        self.cards = [self._stands_on(group) for group in self.members]
        self.node_of = {i: node for node, group in enumerate(self.members) for i in group}
        self.place = {id(wording): i for i, wording in enumerate(wordings)}
        self.keys: list[Key] = [text_key(masked) for masked in self.masked]
        self.merged, self.apart, self.clashes = self.decided.on_nodes(self.node_of)
        self.apart_texts = {(self.masked[i], self.masked[j]) for i, j in self.apart}
        self.read = self.decided.read_on_nodes(self.node_of, self.merged, self.apart)
        self.gone = {n for n, group in enumerate(self.members) if all(self.wordings[i].gone for i in group)}
        self.edges = self._edges()

    def _stands_on(self, group: list[int]) -> frozenset[str]:
        """The cards of a node: of its wordings that are still at their source, if there are any."""
        today = [i for i in group if not self.wordings[i].gone] or group
        return frozenset(c for i in today for c in self.wordings[i].cards)

    def _edges(self) -> dict[tuple[Node, Node], Verdict]:
        by_key: dict[Key, list[Node]] = defaultdict(list)
        for node, key in enumerate(self.keys):
            by_key[key].append(node)
        known = self.cache.texts()
        pool = list(by_key)
        fresh = [n for n, key in enumerate(pool) if key not in known]
        made = {pool[n]: signature(reading(self.masked[by_key[pool[n]][0]])) for n in fresh}
        # Texts of earlier imports that are not in this base stay in the pool: the cache promises that every pair
        # of texts it knows has been looked at.
        pool += [key for key in known if key not in by_key]
        signatures = [made[key] if key in made else known[key] for key in pool]
        pairs: set[tuple[Node, Node]] = set()
        for m, n in candidates(signatures, None if len(fresh) == len(pool) else fresh):
            a, b = pool[m], pool[n]
            if a in by_key and b in by_key:
                pairs.update(in_order(i, j) for i in by_key[a] for j in by_key[b])
            else:
                self.cache.put_unread(a, b)
                self.cache.put_unread(b, a)
        for key, one in made.items():
            self.cache.put_signature(key, one)
        for a, b in self.cache.found_pairs():
            # A text that was split by card once is known as a pair with itself; one node alone is no pair.
            pairs.update(in_order(i, j) for i in by_key.get(a, ()) for j in by_key.get(b, ()) if i != j)
        for twins in by_key.values():
            pairs.update((i, j) for n, i in enumerate(twins) for j in twins[n + 1 :])
        edges = {}
        for i, j in sorted(pairs):
            verdict = self.verdict(i, j, found=True)
            if verdict.relation != "different" or verdict.doubtful or verdict.mild:
                edges[i, j] = verdict
        return edges

    def verdict(self, i: Node, j: Node, *, found: bool = False) -> Verdict:
        """The verdict of nodes i < j (nodes are sorted by masked text, as the verdict wants it)."""
        if i > j:
            return self.verdict(j, i, found=found).turned()
        a, b = self.keys[i], self.keys[j]
        kept = self.cache.verdict(a, b)
        if kept is None:
            kept = masked_relation(self.masked[i], self.masked[j])
            plainly_different = kept.relation == "different" and not (kept.doubtful or kept.mild)
            if not (found and plainly_different):
                self.cache.put_verdict(a, b, kept, found=found)
        elif found:
            self.cache.found(a, b)
        return kept

    def stars(self) -> list[Star]:
        """What the words make, and then what was decided. Greedy, in three steps: stars of the wordings that are
        still at their source; wordings that are gone, each to the nearest star that it agrees with; stars of what is
        left. So what was published once cannot change how the wordings of today fall together."""
        near: dict[Node, dict[Node, Weight]] = defaultdict(dict)
        for (i, j), verdict in self.edges.items():
            if verdict.joins and (i, j) not in self.apart:
                near[i][j] = near[j][i] = (0 if verdict.relation == "same" else 1, len(verdict.reason))
        found: dict[Node, list[Node]] = {}
        free = set(range(len(self.members)))
        self._grow(found, free - self.gone, free, near)
        attached = sorted((weight, n, centre) for n in free for centre, weight in near[n].items() if centre in found)
        for _, n, centre in attached:
            if n in free and self._agree(found[centre], n):
                free.remove(n)
                found[centre].append(n)
        self._grow(found, set(free), free, near)
        return self._together([(centre, sorted(group)) for centre, group in found.items()])

    def _grow(
        self,
        found: dict[Node, list[Node]],
        among: set[Node],
        free: set[Node],
        near: Mapping[Node, Mapping[Node, Weight]],
    ) -> None:
        """Stars of the nodes `among`, out of those that are `free`: the one with the most neighbours first takes all
        neighbours that agree with each other."""
        neighbours = {n: sorted((w, o) for o, w in near[n].items() if o in among) for n in among}
        for centre in sorted(among, key=lambda n: (-len(neighbours[n]), n)):
            if centre not in free:
                continue
            around = [(weight, other) for weight, other in neighbours[centre] if other in free]
            group = self._taken(centre, [other for _, other in around])
            if len(group) <= len(around):
                group = self._taken(centre, self._sociable(around))
            free.difference_update(group)
            found[centre] = group

    def _taken(self, centre: Node, around: Iterable[Node]) -> list[Node]:
        """A centre and what it takes of the nodes around it: each that agrees with all it has so far."""
        group = [centre]
        for other in around:
            if self._agree(group, other):
                group.append(other)
        return group

    def _sociable(self, around: list[tuple[Weight, Node]]) -> list[Node]:
        """The neighbours of a centre that stands between two rulings, in the order to take them: the same before the
        reworded, then those that agree with most of the others, so that it joins the larger of the two."""
        count = {one: sum(self._agree([one], other) for _, other in around if other != one) for _, one in around}
        return [other for _, other in sorted(around, key=lambda w: (w[0][0], -count[w[1]], w))]

    def _together(self, stars: list[Star]) -> list[Star]:
        """Stars that were decided to be one, as one. What a person keeps apart from something in there leaves it."""
        home = {node: number for number, (_, nodes) in enumerate(stars) for node in nodes}
        merged = self._accepted(stars, home)
        if not merged:
            return stars
        decided = _Sets(len(self.members))
        for i, j in merged:
            decided.join(i, j)
        cores = [core for core in decided.all() if len(core) > 1]
        together = _Sets(len(stars))
        for i, j in merged:
            together.join(home[i], home[j])
        joined = together.all()
        result: list[Star] = []
        for numbers in joined:
            if len(numbers) == 1:
                result.append(stars[numbers[0]])
                continue
            nodes = {node for number in numbers for node in stars[number][1]}
            inside = [core for core in cores if core[0] in nodes]
            rest = sorted(nodes.difference(*inside))
            pieces: list[list[Node]] = []
            for some in (*inside, *([node] for node in rest)):
                own = {home[node] for node in some}
                for piece in pieces:
                    if own.isdisjoint(home[node] for node in piece) and len(some) == 1:
                        continue
                    if not any(in_order(i, j) in self.apart for i in piece for j in some):
                        piece += some
                        break
                else:
                    pieces.append(list(some))
            centres = {stars[number][0] for number in numbers}
            result += [(min(centres.intersection(piece), default=piece[0]), sorted(piece)) for piece in pieces]
        return result

    def _accepted(self, stars: list[Star], home: Mapping[Node, int]) -> list[tuple[Node, Node]]:
        """The pairs that join their stars: people's merges, and what was read as one. A text that is gone may be read
        as one with a ruling of today, but brings no two of them together, not even where another card has its words
        today: what a base has seen changes nothing."""
        sets = _Sets(len(stars))
        today = [any(node not in self.gone for node in nodes) for _, nodes in stars]
        accepted = []
        pairs = [*((pair, False) for pair in self.merged), *self.read.items()]
        for pair, late in pairs:
            one, other = sets.find(home[pair[0]]), sets.find(home[pair[1]])
            if not late or one == other or not (today[one] and today[other]):
                accepted.append(pair)
                today[sets.join(one, other)] = today[one] or today[other]
        return accepted

    def _agree(self, group: Iterable[Node], other: Node) -> bool:
        """Whether a node may stand in one ruling with each of a group."""
        for i in group:
            verdict = self.verdict(i, other)
            if in_order(i, other) in self.apart or not (
                verdict.joins or verdict.mild or self._elsewhere(i, other, verdict)
            ):
                return False
        return True

    def _elsewhere(self, i: Node, j: Node, verdict: Verdict) -> bool:
        """Whether two texts point at different abilities of their cards ("first ability", "last ability") and on no
        card stand together: both may stand beside a centre that points at none, which is then the one to show."""
        return verdict.elsewhere and self.cards[i].isdisjoint(self.cards[j])

    def result(self, stars: list[Star], corrections: Sequence[Correction]) -> Partition:
        """Nodes back to wordings, with canonical wordings, links and reviews."""
        home: dict[Node, int] = {}
        groups = []
        self.groups = [nodes for _, nodes in stars]
        for number, (centre, nodes) in enumerate(stars):
            members = sorted(i for node in nodes for i in self.members[node])
            home.update((node, number) for node in nodes)
            chosen = members[canonical([self.wordings[i] for i in members], corrections, self._compare)]
            reasons = {i: self._explain(chosen, i, corrections) for i in members if i != chosen}
            middle = chosen if self.node_of[chosen] == centre else self.members[centre][0]
            groups.append(Group(tuple(members), middle, chosen, reasons))
        links, reviews = self._between(home)
        groups.sort(key=lambda g: (self.wordings[g.canonical].masked, self.wordings[g.canonical].text, g.members))
        return Partition(tuple(groups), tuple(links), tuple(reviews))

    def _compare(self, a: Wording, b: Wording) -> Verdict:
        """`relation`, out of the cache."""
        i, j = self.node_of[self.place[id(a)]], self.node_of[self.place[id(b)]]
        return relation(a, b) if i == j else self.verdict(i, j)

    def _explain(self, chosen: int, i: int, corrections: Sequence[Correction]) -> tuple[str, str]:
        if self.node_of[chosen] != self.node_of[i]:
            if said := self.decided.reason(chosen, i):
                return "older-wording", said
            verdict = self._compare(self.wordings[chosen], self.wordings[i])
            if not (verdict.joins or verdict.mild or verdict.elsewhere):  # its words alone would not have made it one
                return "older-wording", READ
        return explain(self.wordings[chosen], self.wordings[i], corrections, self._compare)

    def _doubtful_place(self, node: Node, group: int) -> bool:
        """Whether more than a pointer at another ability keeps a text out of a ruling that it is like."""
        verdicts = [self.verdict(node, other) for other in self.groups[group]]
        return any(v.relation in ("broader", "different") and not v.mild for v in verdicts)

    def _between(
        self, home: dict[Node, int]
    ) -> tuple[list[tuple[int, int, str, str]], list[tuple[int, int, str, str]]]:
        links: dict[tuple[int, int, str], tuple[int, int, str, str]] = {}
        reviews: dict[tuple[int, int], tuple[int, int, str, str]] = {}
        for (i, j), verdict in self.edges.items():
            if home[i] == home[j]:
                continue
            a, b = self.members[i][0], self.members[j][0]
            pair = (min(home[i], home[j]), max(home[i], home[j]))
            # Whoever kept two texts apart is not asked again where another card's name stands in them.
            decided = (self.masked[i], self.masked[j]) in self.apart_texts
            if verdict.relation == "broader":
                if verdict.direction == "a":
                    links.setdefault((home[i], home[j], "covers"), (a, b, "covers", verdict.reason))
                else:
                    links.setdefault((home[j], home[i], "covers"), (b, a, "covers", verdict.reason))
            elif verdict.relation == "reworded" and verdict.why == "outdated":
                old, new = (a, b) if verdict.direction == "a" else (b, a)
                links.setdefault((*pair, "outdated-by"), (old, new, "outdated-by", verdict.reason))
            elif verdict.relation in ("same", "reworded") and not decided:
                links.setdefault((*pair, "related"), (a, b, "related", verdict.reason))
                if verdict.joins and self._doubtful_place(i, home[j]) and self._doubtful_place(j, home[i]):
                    reviews.setdefault(
                        pair, (a, b, verdict.relation, "cannot stand with all of that ruling: " + verdict.reason)
                    )
            elif verdict.doubtful and not decided:
                reviews.setdefault(pair, (a, b, "different", verdict.reason))
        for i, j, reason in self.clashes:
            reviews[min(home[i], home[j]), max(home[i], home[j])] = (
                self.members[i][0],
                self.members[j][0],
                "same",
                reason,
            )
        return sorted(links.values()), sorted(reviews.values())


class _Sets:
    """Sets of numbers that grow together."""

    def __init__(self, count: int) -> None:
        self._parent = list(range(count))

    def find(self, x: int) -> int:
        """The smallest number of the set that `x` is in."""
        while self._parent[x] != x:
            self._parent[x] = self._parent[self._parent[x]]
            x = self._parent[x]
        return x

    def join(self, x: int, y: int) -> int:
        """Makes one set of two; its smallest number."""
        a, b = sorted((self.find(x), self.find(y)))
        self._parent[b] = a
        return a

    def all(self) -> list[list[int]]:
        """The sets, by their smallest numbers."""
        sets: dict[int, list[int]] = defaultdict(list)
        for x in range(len(self._parent)):
            sets[self.find(x)].append(x)
        return list(sets.values())
