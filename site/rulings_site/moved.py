"""A ruling that changed its topics, rules or dates but stands where it stood: how it moves in a remembered arrangement.

It leaves lists and enters others; no other ruling is read. What cannot be put right so is left to arranging anew.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import astuple
from typing import TYPE_CHECKING

from rulings.model import Ruling
from rulings.names import card_key
from rulings_site import dates
from rulings_site.catalogue import CardId, days_of, newer, with_those_above
from rulings_site.changes import in_order, of_ruling, of_tombstones
from rulings_site.listed import Listed, ids_of
from rulings_site.slugs import assign

if TYPE_CHECKING:
    from rulings_site.remembered import Remembered

TOPICS, DATES, RULES = "topics", "dates", "rules"


class Moved:
    """One ruling before and now, in a catalogue that still has it where it was before."""

    def __init__(self, catalogue: Remembered, before: Ruling, rules: list[str], now: Ruling) -> None:
        self.catalogue, self.before, self.now = catalogue, before, now
        self.left = _lists(before, rules)
        self.entered = _lists(now, [str(n) for n in catalogue.rules_for(now)])
        self.happened = set(of_ruling(before)), set(of_ruling(now))

    def __bool__(self) -> bool:
        """Whether the arrangement has to be put right."""
        same_days = [o.date for o in self.before.occurrences] == [o.date for o in self.now.occurrences]
        return self.left != self.entered or self.happened[0] != self.happened[1] or not same_days

    def apply(self) -> bool:
        """Put the arrangement right. False where that cannot be done; the catalogue is of no use then."""
        before, now, catalogue = self.before, self.now, self.catalogue
        kept, own = catalogue.kept, now.id
        if (before.date is None, dates.is_bulk(before.date)) != (now.date is None, dates.is_bulk(now.date)):
            return False  # they are counted
        ends = list(catalogue.dates)[:1], list(catalogue.dates)[-1:]
        topics = set(catalogue.topics)
        number = catalogue.numbers[own]
        catalogue.newest[own], catalogue.firsts[own] = now.date, now.first_date
        kept["newest"][number], kept["firsts"][number] = now.date, now.first_date
        catalogue.forget_order(own)
        if catalogue.newest_of_all() != catalogue.as_of:
            return False
        for kind, name in self.left | self.entered:
            self._relist(kind, name)
        if set(catalogue.topics) != topics or (list(catalogue.dates)[:1], list(catalogue.dates)[-1:]) != ends:
            return False  # what every page links to, and what the site is said to cover
        if self.happened[0] != self.happened[1]:
            found = set(catalogue.changes) - self.happened[0] | self.happened[1] | of_tombstones(catalogue.knowledge)
            catalogue.changes = in_order(found)
            kept["changes"] = [list(astuple(change)) for change in catalogue.changes]
        return all(self._choose(key) for key in catalogue.cards_of(now))

    def _relist(self, kind: str, name: str) -> None:
        """Take the ruling out of a list, or put it in its place there."""
        catalogue = self.catalogue
        sort: Callable[[str], object] = catalogue.by_day(name) if kind == DATES and name else catalogue.by_reach
        found = catalogue.undated if not name else catalogue.lists(kind).get(name, ())
        ids = [i for i in ids_of(found) if i != self.now.id]
        if (kind, name) in self.entered:
            ids = sorted([*ids, self.now.id], key=sort)  # type: ignore[arg-type]
        catalogue.relist(kind, name, Listed(ids, catalogue.rulings))

    def _choose(self, key: CardId) -> bool:
        """The newest of its occurrences on a card stands for it there. False where other rulings stand there now."""
        catalogue, occurrences = self.catalogue, self.now.occurrences
        here = [n for n, o in enumerate(occurrences) if o.card and key in catalogue.card_ids(o)]
        best = here[0]
        for n in here[1:]:
            if newer(occurrences[n], occurrences[best]):
                best = n
        return catalogue.choose(key, self.now.id, best)

    def suspects(self) -> set[str]:
        """Names of pages, and folders of lists, that may show the move."""
        catalogue = self.catalogue
        found = {"home", "years"} | ({"changes", "feed"} if self.happened[0] != self.happened[1] else set())
        slugs = assign((key, "") for key in catalogue.topics).of
        for kind, name in self.left | self.entered:
            if kind == TOPICS:
                found.add(f"topic/{slugs[name, '']}")
            elif kind == DATES:
                found |= {f"date/{name or 'undated'}", f"year/{name[:4]}"}
            else:
                found |= self._beside(name)
        for kind, name in self.left ^ self.entered:
            if kind == TOPICS:  # cards say how many rulings the topic of a keyword has
                called = {card_key(name), card_key(catalogue.topic_title(name))}
                cards = [
                    n for word, have in catalogue.kept["keywords"].items() if card_key(word) in called for n in have
                ]
                found.update(f"card/{catalogue.slugs.of[catalogue.order[n]]}" for n in cards)
        return found

    def _beside(self, number: str) -> set[str]:
        """The pages of a rule, of those above it, and of all that list one of these with how many rulings it has."""
        rules = self.catalogue.rules
        found = set()
        for own in with_those_above(number):
            above = rules.parent(own) if rules and own in rules else None
            brothers = rules.children(above.number) if rules and above else ()
            found |= {own, *(rule.number for rule in brothers), *((above.number,) if above else ())}
        return {f"rule/{n}" for n in found}


def _lists(ruling: Ruling, rules: list[str]) -> set[tuple[str, str]]:
    """The lists in which a ruling stands; that of undated rulings has no name."""
    days = days_of(ruling) or {""}
    return {*((TOPICS, key) for key in ruling.topics), *((DATES, day) for day in days), *((RULES, n) for n in rules)}
