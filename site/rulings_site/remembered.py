"""What the last build of a site remembers, so that after an edit only what it touches is read, hashed and made.

The state lies beside the manifest in the folder of the site. It holds how the base was arranged (which ruling stands
on which card, the order of a topic, …) and a hash of each ruling. Where a few rulings changed since, and stand on the
same cards, a `Remembered` catalogue puts the arrangement right and then reads nothing but what the pages in question
show. Where anything else changed, everything is arranged anew; the pages come out the same either way.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from rulings.codec import Reader, ruling_from_plain
from rulings.model import Card, Knowledge, Ruling
from rulings.rules.model import ComprehensiveRules
from rulings.snapshot import Snapshot
from rulings.topics import Topics
from rulings_site.catalogue import CardId, Catalogue, Placed, other_ids
from rulings_site.changes import Change
from rulings_site.listed import Lazy, Listed, V, ids_of
from rulings_site.moved import DATES, RULES, TOPICS, Moved
from rulings_site.slugs import Slugs

FORM = 2
_MOST = 200
"""With more changed rulings than this, arranging everything is as quick."""

Kept = dict[str, Any]


@dataclass(frozen=True, slots=True)
class State:
    """`made_from` names all that the site was made from but the rulings; `base` is the key of what is on every page,
    `prints` the hash of each ruling, `kept` the arrangement."""

    made_from: str
    base: str
    prints: Mapping[str, str]
    kept: Kept

    def dumps(self) -> bytes:
        """As it lies in the folder."""
        body = {"form": FORM, "made_from": self.made_from, "base": self.base}
        body |= {"prints": dict(self.prints), "kept": self.kept}
        return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


def loads(data: bytes) -> State | None:
    """The state in a file; None where it is damaged or of another form."""
    try:
        body = json.loads(data.decode("utf-8", "surrogatepass"))
        return State(body["made_from"], body["base"], body["prints"], body["kept"]) if body["form"] == FORM else None
    except (ValueError, KeyError, TypeError):
        return None


def remember(catalogue: Catalogue) -> Kept:
    """The arrangement of a catalogue as plain data: cards and rulings by their places in two lists."""
    ids = list(catalogue.rulings)
    at = {ruling_id: n for n, ruling_id in enumerate(ids)}

    def listed(groups: Mapping[str, Sequence[Ruling]]) -> dict[str, list[int]]:
        return {key: [at[r.id] for r in group] for key, group in groups.items()}

    cards, placed = [], []
    for name, mark in catalogue.order:
        cards.append([name, mark, catalogue.slugs.of[name, mark], catalogue.cards[name, mark].oracle_id])
        here = catalogue.on_card((name, mark))
        placed.append([n for p in here for n in (at[p.ruling.id], _index(p))])
    return {
        "ids": ids,
        "as_of": catalogue.as_of,
        "cards": cards,
        "costs": [catalogue.costs[name] for name, _ in catalogue.order],
        "placed": placed,
        "twins": {name: sorted(marks) for name, marks in catalogue.twins.items()},
        "live": [at[r.id] for r in catalogue.live],
        "reach": {str(at[i]): n for i, n in catalogue.reach.items()},
        "topics": listed(catalogue.topics),
        "dates": listed(catalogue.dates),
        "undated": [at[r.id] for r in catalogue.undated],
        "sets": {code: [catalogue.rank[key] for key in keys] for code, keys in catalogue.sets.items()},
        "rules": listed(catalogue.rule_rulings),
        "replaced": dict(catalogue.replaced),
        "linked": {i: list(links) for i, links in catalogue.linked.items()},
        "other_ids": {i: sorted(others) for i, others in catalogue.other_ids.items()},
        "names": {address: [catalogue.rank[k] for k in keys] for address, keys in catalogue.card_redirects.items()},
        "changes": [list(asdict(change).values()) for change in catalogue.changes],
        "occurrences": catalogue.occurrences,
        "newest": [catalogue.newest[i] for i in ids],
        "firsts": [catalogue.firsts[i] for i in ids],
        "keywords": _keywords(catalogue),
    }


def _keywords(catalogue: Catalogue) -> dict[str, list[int]]:
    """Keyword -> the cards that have it, whose pages say how many rulings its topic has."""
    found: dict[str, list[int]] = {}
    for n, key in enumerate(catalogue.order):
        for word in catalogue.cards[key].keywords:
            found.setdefault(word, []).append(n)
    return found


def _index(placed: Placed) -> int:
    return next(n for n, o in enumerate(placed.ruling.occurrences) if o is placed.occurrence)


class Remembered(Catalogue):
    """A catalogue in the arrangement of an earlier one, its rulings and cards read from a snapshot when asked for."""

    def __init__(
        self, kept: Kept, snapshot: Snapshot, *, rules: ComprehensiveRules | None, topics: Topics | None
    ) -> None:
        ids: list[str] = kept["ids"]
        self.kept = kept
        self.numbers = {ruling_id: n for n, ruling_id in enumerate(ids)}
        self.knowledge = Knowledge(
            sources=snapshot.sources, tombstones=snapshot.tombstones, reviews=snapshot.reviews, name=snapshot.name
        )
        self.as_of = kept["as_of"]
        self._begin(rules, topics, Lazy(ids, snapshot.bears))

        def ruling(ruling_id: str) -> Ruling:
            found = snapshot.ruling(ruling_id)
            assert found is not None  # the snapshot has the ids of the state
            return found

        self.rulings = Lazy(ids, ruling)

        def listed(numbers: Sequence[int]) -> Listed:
            return Listed([ids[n] for n in numbers], self.rulings)

        self.order = [(name, mark) for name, mark, _, _ in kept["cards"]]
        self.rank = {key: n for n, key in enumerate(self.order)}
        self.slugs = Slugs({(name, mark): slug for name, mark, slug, _ in kept["cards"]}, {})
        self.twins = {name: set(marks) for name, marks in kept["twins"].items()}
        oracle_ids: list[str | None] = [oracle_id for *_, oracle_id in kept["cards"]]
        self.cards = Lazy(self.order, lambda k: snapshot.card(k[0], oracle_ids[self.rank[k]]) or Card(k[0]))
        self._page: Callable[[CardId], Sequence[str]] = lambda key: snapshot.page(
            Card(key[0], oracle_ids[self.rank[key]])
        )
        self.costs = {name: cost for (name, _), cost in zip(self.order, kept["costs"], strict=True)}
        self.places: dict[CardId, list[int]] = {
            k: found for k, found in zip(self.order, kept["placed"], strict=True) if found
        }
        self._ids_on = {key: [ids[n] for n in found[::2]] for key, found in self.places.items()}

        def placed(key: CardId) -> tuple[Placed, ...]:
            rulings = (self.rulings[i] for i in self._ids_on[key])
            return tuple(Placed(r, r.occurrences[n]) for r, n in zip(rulings, self.places[key][1::2], strict=True))

        self.placed = Lazy(self.places, placed)
        self.live = listed(kept["live"])
        self.reach = {ids[int(n)]: reach for n, reach in kept["reach"].items()}
        self.topics: dict[str, Sequence[Ruling]] = {key: listed(group) for key, group in kept["topics"].items()}
        self.dates: dict[str, Sequence[Ruling]] = {day: listed(group) for day, group in kept["dates"].items()}
        self.undated = listed(kept["undated"])
        self._find_years()
        self.sets = {code: tuple(self.order[n] for n in found) for code, found in kept["sets"].items()}
        self.rule_rulings: dict[str, Sequence[Ruling]] = {
            number: listed(group) for number, group in kept["rules"].items()
        }
        self.linked = kept["linked"]
        self.replaced: dict[str, str] = kept["replaced"]
        self.card_redirects = {name: tuple(self.order[n] for n in found) for name, found in kept["names"].items()}
        self.changes = [Change(*change) for change in kept["changes"]]
        self.occurrences = kept["occurrences"]
        self.newest: dict[str, str | None] = dict(zip(ids, kept["newest"], strict=True))
        self.firsts: dict[str, str | None] = dict(zip(ids, kept["firsts"], strict=True))
        self.other_ids = {i: set(others) for i, others in kept["other_ids"].items()}
        self.redirects = self._find_redirects()

    def edited(self, old: Mapping[str, tuple[Ruling, list[str]]]) -> set[str] | None:
        """Takes in rulings that changed (`old` as they were, with their rules, by id), and keeps `kept` in step. What
        may show it: ids of rulings, names of pages, folders; None where everything has to be arranged anew."""
        suspects = set(old)
        ids_of_live = set(ids_of(self.live))
        lost = self.lost_ids()
        for ruling_id, (before, rules) in old.items():
            now = self.rulings[ruling_id]
            if _standing(before) != _standing(now):
                return None
            moved = Moved(self, before, rules, now)
            if moved:
                if ruling_id not in ids_of_live or not moved.apply():
                    return None
                suspects |= moved.suspects()
            others = other_ids(now)
            if others != self.other_ids.get(ruling_id, set()):
                self.other_ids[ruling_id] = others
                if not others:
                    del self.other_ids[ruling_id]
                # How short an id can be on a card depends on the other ids there; withdrawn ones are not in its list.
                suspects.update(i for key in self.cards_of(now) for i in self.ids_on(key))
                suspects.update(self.rulings.keys() - ids_of_live)
        self.redirects = self._find_redirects()
        found = {**self.replaced, **{i: self.rulings[i].superseded_by for i in old}}
        self.replaced = self.kept["replaced"] = {i: by for i in self.rulings if (by := found.get(i))}
        if self.lost_ids() != lost:
            return None  # whether a page may link to them
        self.kept["other_ids"] = {i: sorted(self.other_ids[i]) for i in self.rulings if i in self.other_ids}
        return suspects

    def choose(self, key: CardId, ruling_id: str, occurrence: int) -> bool:
        """That occurrence stands for a ruling on a card, whose page may have another order now. False where other
        rulings stand there."""
        places = self.places[key]
        chosen = dict(zip(places[::2], places[1::2], strict=True)) | {self.numbers[ruling_id]: occurrence}
        order = [n for own in self._page(key) if (n := self.numbers[own]) in chosen]
        if len(order) != len(chosen):
            return False
        places[:] = [value for n in order for value in (n, chosen[n])]
        self._ids_on[key] = [self.kept["ids"][n] for n in order]
        return True

    def forget_order(self, ruling_id: str) -> None:
        """A ruling has another place in every list."""
        self._by_reach.pop(ruling_id, None)

    def lists(self, kind: str) -> dict[str, Sequence[Ruling]]:
        """The lists of topics, dates or rules by name."""
        return {TOPICS: self.topics, DATES: self.dates, RULES: self.rule_rulings}[kind]

    def relist(self, kind: str, name: str, rulings: Listed) -> None:
        """Put a list in the place of another; one of nothing is none. The list of undated rulings has no name."""
        numbers = [self.numbers[i] for i in rulings.ids]
        if not name:
            self.undated, self.kept["undated"] = rulings, numbers
            return
        _put(self.lists(kind), name, rulings, backwards=kind == DATES)
        _put(self.kept[kind], name, numbers, backwards=kind == DATES)
        self._find_years()


def _put(lists: dict[str, V], name: str, value: V, *, backwards: bool) -> None:
    """Put `value`, where it holds anything, in its place among `lists`, which stay in the order of their names."""
    known = lists.pop(name, None) is not None
    if value:
        lists[name] = value
    if value or known:
        ordered = sorted(lists.items(), key=lambda entry: entry[0], reverse=backwards)
        lists.clear()
        lists.update(ordered)


def _standing(ruling: Ruling) -> Ruling:
    """All of a ruling but its words, topics, rules and dates, and what happened to it."""
    variants = tuple(replace(v, text="", reason="") for v in ruling.variants)
    occurrences = tuple(replace(o, date=None) for o in ruling.occurrences)
    return replace(
        ruling,
        text="",
        topics=(),
        retag=None,
        see=(),
        variants=variants,
        occurrences=occurrences,
        status="withdrawn" if ruling.status == "withdrawn" else "current",
        superseded_by=None,
        history=(),
    )


def changed(state: State, prints: Mapping[str, str]) -> list[str] | None:
    """The ids of rulings that are not what they were; None where rulings came or went, or many changed."""
    if state.prints.keys() != prints.keys():
        return None
    found = [i for i, value in prints.items() if state.prints[i] != value]
    return found if len(found) <= _MOST else None


def from_twin(data: bytes) -> tuple[Ruling, list[str]] | None:
    """A ruling and the rules that bear on it, as the last build wrote them beside its page."""
    try:
        record = json.loads(data)
        rules = record["rules"]
        for worked_out in ("texts", "date", "first_date", "cards_total", "rules", "as_of"):
            del record[worked_out]
        reader = Reader("", {})
        ruling = ruling_from_plain(record, reader)
        return None if ruling is None or reader.problems else (ruling, rules)
    except (ValueError, KeyError, TypeError, AttributeError):
        return None
