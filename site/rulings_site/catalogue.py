"""Everything a page looks up, arranged once: rulings by id, cards with their rulings, topics, dates, sets, rules.

Built from a `Knowledge` and, where there are any, the Comprehensive Rules and the rules that bear on each ruling; or
(`rulings_site.remembered`) from how the last build arranged the same base. Pages read it and never change it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

from rulings.card_page import Pages, counted, pages_of
from rulings.citation import all_ids
from rulings.ids import mint
from rulings.model import Card, Knowledge, Occurrence, Ruling, Source, put_name
from rulings.names import faces
from rulings.rules.model import ComprehensiveRules
from rulings.rules.number import RuleNumber, parent, rule_number
from rulings.snapshot import meant_by
from rulings.topics import Topics
from rulings_site.changes import changes
from rulings_site.listed import Listed, ids_of
from rulings_site.slugs import Slugs, assign, folded, slug

CardId = tuple[str, str]
"""(name, oracle id where the name alone is not enough, else "")."""


class Bearing(Protocol):
    """A rule that bears on a ruling, as `indexer.rulerefs` finds it."""

    @property
    def number(self) -> str: ...
    @property
    def reason(self) -> str: ...
    @property
    def confidence(self) -> float: ...


@dataclass(frozen=True, slots=True)
class Placed:
    """A ruling as it stands on one card: the newest of its occurrences there."""

    ruling: Ruling
    occurrence: Occurrence


class Catalogue:
    """The arranged base. `as_of`: the newest state that any source is known to describe, or the newest ruling."""

    def __init__(
        self,
        knowledge: Knowledge,
        *,
        rules: ComprehensiveRules | None = None,
        bears: Mapping[str, Sequence[Bearing]] | None = None,
        topics: Topics | None = None,
        pages: Pages | None = None,
    ) -> None:
        # The order in which a base is read must not show in any page.
        self.knowledge = knowledge = replace(
            knowledge,
            rulings=tuple(sorted(knowledge.rulings, key=lambda r: r.id)),
            cards=tuple(sorted(knowledge.cards, key=lambda c: (c.name, c.oracle_id or ""))),
        )
        self.rulings: Mapping[str, Ruling] = {r.id: r for r in knowledge.rulings}
        self.live: Sequence[Ruling] = tuple(r for r in knowledge.rulings if r.status != "withdrawn")
        self.newest: Mapping[str, str | None] = {r.id: r.date for r in knowledge.rulings}
        self.firsts: Mapping[str, str | None] = {r.id: r.first_date for r in knowledge.rulings}
        self.as_of = self.newest_of_all()
        self._begin(rules, topics, bears or {})
        self._place_cards(pages_of(knowledge.rulings, knowledge.cards) if pages is None else pages)
        self._arrange_topics()
        self._arrange_dates()
        self._arrange_rules()
        self.linked: Mapping[str, Sequence[str]] = {
            r.id: [link.id for link in r.links] for r in knowledge.rulings if r.links
        }
        self.replaced: Mapping[str, str] = {r.id: r.superseded_by for r in knowledge.rulings if r.superseded_by}
        self.changes = changes(knowledge)
        self.occurrences = sum(len(r.occurrences) for r in self.live)
        self.other_ids: dict[str, set[str]] = {r.id: others for r in knowledge.rulings if (others := other_ids(r))}
        self.redirects = self._find_redirects()

    def _begin(
        self, rules: ComprehensiveRules | None, topics: Topics | None, bears: Mapping[str, Sequence[Bearing]]
    ) -> None:
        """What needs no arranging."""
        self.sources: dict[str, Source] = {s.name: s for s in self.knowledge.sources}
        self.rules = rules
        self.effective = rules.effective if rules else None
        self.vocabulary = topics
        self.bears = bears
        self._cited: dict[str, tuple[str, ...]] = {}
        self._by_reach: dict[str, tuple[int, str, str]] = {}

    # --- cards

    def _place_cards(self, pages: Pages) -> None:
        many = defaultdict(set)
        for card in self.knowledge.cards:
            many[card.name].add(card.oracle_id or "")
        self.twins = {name: ids for name, ids in many.items() if len(ids) > 1}
        cards: dict[CardId, Card] = {}
        for card in self.knowledge.cards:
            cards.setdefault((card.name, (card.oracle_id or "") if card.name in self.twins else ""), card)
        found: dict[CardId, dict[str, Placed]] = {}
        self.reach: dict[str, int] = {}
        for ruling in self.live:
            names: set[CardId] = set()
            for occurrence in ruling.occurrences:
                if not occurrence.card:
                    continue
                for key in self.card_ids(occurrence):
                    names.add(key)
                    here = found.setdefault(key, {})
                    there = here.get(ruling.id)
                    if there is None or newer(occurrence, there.occurrence):
                        here[ruling.id] = Placed(ruling, occurrence)
            self.reach[ruling.id] = len(names)
        for name, mark in found:
            if (name, mark) not in cards:
                cards[name, mark] = Card(name)
        self.cards: Mapping[CardId, Card] = cards
        self.placed: Mapping[CardId, tuple[Placed, ...]] = {}
        for key, here in found.items():
            order = dict.fromkeys((*pages.get((key[0], cards[key].oracle_id or ""), ()), *sorted(here)))
            self.placed[key] = tuple(here[own] for own in order if own in here)
        self._ids_on: dict[CardId, Sequence[str]] = {
            key: [p.ruling.id for p in placed] for key, placed in self.placed.items()
        }
        self.slugs: Slugs = assign(self.cards)
        self.order: list[CardId] = sorted(self.cards, key=lambda key: (folded(key[0]), key))
        self.rank: dict[CardId, int] = {key: at for at, key in enumerate(self.order)}
        self.costs: Mapping[str, str] = {key[0]: cards[key].mana_cost for key in self.order}
        self.card_redirects: Mapping[str, tuple[CardId, ...]] = self._other_card_names()

    def card_ids(self, occurrence: Occurrence) -> list[CardId]:
        """The cards an occurrence stands on: one, or every card of that name where the source does not tell."""
        ids = self.twins.get(occurrence.card)
        if ids is None:
            return [(occurrence.card, "")]
        if occurrence.oracle_id in ids:
            return [(occurrence.card, occurrence.oracle_id or "")]
        return [(occurrence.card, mark) for mark in sorted(ids)]

    def on_card(self, key: CardId) -> tuple[Placed, ...]:
        """The card's rulings in the order of its page."""
        return self.placed.get(key, ())

    def numbers_on(self, key: CardId) -> dict[str, int]:
        """The card's rulings by id, in the order in which `rulings cite CARD N` counts them."""
        return {r.id: n for n, r in enumerate(counted(p.ruling for p in self.on_card(key)), 1)}

    def ids_on(self, key: CardId) -> Sequence[str]:
        """The ids of the card's rulings in the order of its page."""
        return self._ids_on.get(key, ())

    def on(self, key: CardId, ruling: Ruling) -> Placed:
        """How `ruling` stands on that card; a withdrawn one is not among those placed there."""
        for placed in self.placed.get(key, ()):
            if placed.ruling.id == ruling.id:
                return placed
        best, *others = [o for o in ruling.occurrences if o.card and key in self.card_ids(o)]
        for occurrence in others:
            if newer(occurrence, best):
                best = occurrence
        return Placed(ruling, best)

    def cited(self, ruling: Ruling) -> tuple[str, ...]:
        """The ids that mean `ruling` in a short citation, without `r-`; kept, since every card of it asks."""
        found = self._cited.get(ruling.id)
        if found is None:
            found = self._cited[ruling.id] = tuple(i.removeprefix("r-") for i in sorted(all_ids(ruling)))
        return found

    def _other_card_names(self) -> dict[str, tuple[CardId, ...]]:
        """Addresses of faces and former names, and of names that several cards share."""
        taken = set(self.slugs.of.values())
        out: dict[str, set[CardId]] = {bare: set(keys) for bare, keys in self.slugs.shared.items() if bare not in taken}
        for key, card in self.cards.items():
            others = {*faces(card.name), *(face.name for face in card.faces), *card.former_names} - {card.name}
            for other in others:
                if other and (address := slug(other)) not in taken:
                    out.setdefault(address, set()).add(key)
        return {address: tuple(sorted(keys)) for address, keys in sorted(out.items())}

    def shown(self, placed: Placed) -> str:
        """What the card's page says."""
        return placed.ruling.shown(placed.occurrence)

    def text(self, ruling: Ruling) -> str:
        """The canonical wording for a page about no single card: `~` becomes the card, or "this card" for many."""
        return self.with_name(ruling, ruling.text)

    def with_name(self, ruling: Ruling, text: str) -> str:
        """`text`, a wording of `ruling`, with a name or "this card" for `~`."""
        if "~" not in text or not ruling.occurrences:
            return text
        if self.reach.get(ruling.id, 0) <= 1:
            return put_name(text, ruling.occurrences[0].stands_for or ruling.occurrences[0].card)
        return _this_card(text)

    def example(self, ruling: Ruling) -> CardId | None:
        """The card that stands for the ruling in a list: the first by name."""
        return next(iter(self.cards_of(ruling)), None)

    def cards_of(self, ruling: Ruling) -> list[CardId]:
        """All its cards by name, each once; last those that have no page, since only withdrawn rulings name them."""
        keys = {key for o in ruling.occurrences if o.card for key in self.card_ids(o)}
        if len(keys) < 2:
            return list(keys)
        known = keys & self.rank.keys()
        return sorted(known, key=self.rank.__getitem__) + sorted(keys - known)

    # --- topics, dates, sets

    def _arrange_topics(self) -> None:
        members: dict[str, list[Ruling]] = defaultdict(list)
        for ruling in self.live:
            for key in ruling.topics:
                members[key].append(ruling)
        self.topics: Mapping[str, Sequence[Ruling]] = {
            key: tuple(sorted(group, key=self.by_reach)) for key, group in sorted(members.items())
        }

    def topic_title(self, key: str) -> str:
        """What the topic is called."""
        topic = self.vocabulary.by_key.get(key) if self.vocabulary else None
        return topic.label if topic else _titled(key)

    def by_reach(self, ruling: Ruling | str) -> tuple[int, str, str]:
        """Sorts rulings, or their ids: most cards first, then newest, then by id."""
        own = ruling if isinstance(ruling, str) else ruling.id
        found = self._by_reach.get(own)
        if found is None:
            found = self._by_reach[own] = (-self.reach.get(own, 0), _backwards(self.newest[own]), own)
        return found

    def newest_of_all(self) -> str | None:
        """The newest day that a ruling or a source knows."""
        found = (*self.newest.values(), *(source.as_of for source in self.knowledge.sources))
        return max((day for day in found if day), default=None)

    def by_day(self, date: str) -> Callable[[Ruling | str], tuple[bool, tuple[int, str, str]]]:
        """Sorts the rulings of a day: first published then, and then as `by_reach` has it."""
        firsts = self.firsts
        return lambda r: (firsts[r if isinstance(r, str) else r.id] != date, self.by_reach(r))

    def _arrange_dates(self) -> None:
        dates: dict[str, list[Ruling]] = defaultdict(list)
        undated = []
        for ruling in self.live:
            found = days_of(ruling)
            for date in found:
                dates[date].append(ruling)
            if not found:
                undated.append(ruling)
        self.dates: Mapping[str, Sequence[Ruling]] = {
            date: tuple(sorted(dates[date], key=self.by_day(date))) for date in sorted(dates, reverse=True)
        }
        self.undated: Sequence[Ruling] = tuple(sorted(undated, key=self.by_reach))
        self._find_years()
        sets: dict[str, list[CardId]] = defaultdict(list)
        for key in self.order:
            for code in dict.fromkeys(p.set for p in self.cards[key].printings if p.set):
                sets[code].append(key)
        self.sets: Mapping[str, tuple[CardId, ...]] = {code: tuple(sets[code]) for code in sorted(sets)}

    def _find_years(self) -> None:
        years: dict[str, list[str]] = defaultdict(list)
        for date in self.dates:
            years[date[:4]].append(date)
        self.years: dict[str, tuple[str, ...]] = {year: tuple(days) for year, days in years.items()}

    @cached_property
    def topics_of(self) -> Mapping[str, Sequence[str]]:
        """The topics of each live ruling by its id, without reading one."""
        found: dict[str, list[str]] = defaultdict(list)
        for key, group in self.topics.items():
            for own in ids_of(group):
                found[own].append(key)
        return found

    @cached_property
    def stands_on(self) -> Mapping[str, Sequence[CardId]]:
        """The cards of each live ruling by its id, without reading one."""
        found: dict[str, list[CardId]] = defaultdict(list)
        for key, ids in self._ids_on.items():
            for own in ids:
                found[own].append(key)
        return found

    # --- rules

    def _arrange_rules(self) -> None:
        found: dict[str, list[Ruling]] = defaultdict(list)
        for ruling in self.live:
            for number in self.rules_for(ruling):
                found[number].append(ruling)
        self.rule_rulings: Mapping[str, Sequence[Ruling]] = {
            number: sorted(found[number], key=self.by_reach) for number in sorted(found)
        }

    def rules_for(self, ruling: Ruling) -> list[RuleNumber]:
        """The rules that bear on a ruling: those it names or a person tied to it, then those that were found."""
        numbers = [number for text in ruling.see if (number := rule_number(text))]
        found = sorted(self.bears.get(ruling.id, ()), key=lambda b: -b.confidence)
        numbers += [number for b in found if (number := rule_number(b.number))]
        return list(dict.fromkeys(numbers))

    def has_rule(self, number: str) -> bool:
        """Whether the rule has a page."""
        return self.rules is not None and number in self.rules

    def under(self, number: str) -> int:
        """How many rulings a rule and its subrules bear on."""
        return self._under.get(number, 0)

    @cached_property
    def _under(self) -> dict[str, int]:
        found: dict[str, set[str]] = defaultdict(set)
        for number, rulings in self.rule_rulings.items():
            for above in with_those_above(number):
                found[above].update(ids_of(rulings))
        return {number: len(ids) for number, ids in found.items()}

    def in_order(self, ids: Iterable[str]) -> Sequence[Ruling]:
        """The rulings with these ids, each once, as `by_reach` has it."""
        return Listed(sorted(set(ids), key=self.by_reach), self.rulings)

    # --- other ids

    def has_id(self, ruling_id: str) -> bool:
        """Whether the id leads anywhere: to a ruling, from one to another, or to where it says it was withdrawn."""
        return ruling_id in self.rulings or ruling_id in self.redirects or ruling_id in self._tombs

    @cached_property
    def _tombs(self) -> set[str]:
        return {stone.id for stone in self.knowledge.tombstones}

    def lost_ids(self) -> list[str]:
        """The ids that rulings point to and that lead nowhere."""
        pointed = {*self.replaced.values(), *(own for links in self.linked.values() for own in links)}
        return sorted(own for own in pointed if not self.has_id(own))

    def _find_redirects(self) -> dict[str, tuple[str, ...]]:
        """Ids that are not printed any more, or are the mint of another wording -> the rulings they mean."""
        out: dict[str, set[str]] = defaultdict(set)
        for own, others in self.other_ids.items():
            for alias in others:
                if alias not in self.rulings:
                    out[alias].add(own)
        for alias, ids in out.items():
            if len(ids) > 1:
                out[alias] = {r.id for r in meant_by(alias, [self.rulings[own] for own in ids])}
        return {alias: tuple(sorted(ids)) for alias, ids in sorted(out.items())}


def other_ids(ruling: Ruling) -> set[str]:
    """Aliases and the mints of every wording, on every card, but for the printed id."""
    ids = set(ruling.aliases)
    for key, text in [(None, ruling.text), *((v.key, v.text) for v in ruling.variants)]:
        if "~" in text:
            names = {o.stands_for or o.card for o in ruling.occurrences if o.variant == key}
            ids |= {str(mint(put_name(text, name))) for name in names}
        elif ruling.variants and text.strip():
            ids.add(str(mint(text)))
    ids.discard(ruling.id)
    return ids


def newer(a: Occurrence, b: Occurrence) -> bool:
    """Whether `a` stands for a ruling on a card rather than `b`."""
    return (a.missing_since is None, a.date or "", a.position) > (b.missing_since is None, b.date or "", b.position)


def _this_card(text: str) -> str:
    """`~` of a text that stands on many cards, in words."""
    out = text.replace("~", "this card")
    return out[:1].upper() + out[1:] if text.startswith("~") else out


def _titled(key: str) -> str:
    words = key.replace("-", " ").replace("_", " ").strip()
    return words[:1].upper() + words[1:]


_MIRRORED = str.maketrans("0123456789", "9876543210")


def _backwards(date: str | None) -> str:
    """Sorts newest first inside an ascending sort."""
    return (date or "0000").translate(_MIRRORED)


def days_of(ruling: Ruling) -> set[str]:
    """The days on which it was published."""
    return {o.date for o in ruling.occurrences if o.date}


def with_those_above(number: str) -> list[str]:
    """The number of a rule and of every rule above it."""
    found: list[str] = []
    up: RuleNumber | None = RuleNumber(number)
    while up is not None:
        found.append(up)
        up = parent(up)
    return found
