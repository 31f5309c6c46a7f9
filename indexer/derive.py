"""What a ruling's text says besides itself: its topics, and the rules that bear on it. Remembered by text.

The results are functions of (text, method, vocabulary, rules), so they are kept in the user's cache and computed
only for texts that are new.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from pathlib import Path

from indexer import tag
from indexer.cache import Remembered, key_of
from indexer.rulerefs import SURE, RuleIndex
from indexer.tag import Tagger
from rulings import topics
from rulings.model import Card, Ruling
from rulings.rules import ComprehensiveRules, RuleNumber, Versions, find, keywords, parse
from rulings.rules.versions import read_text
from rulings.snapshot import Bearing

Tell = Callable[[str, int, int], None]
__all__ = ["SURE", "Deriver"]  # from SURE on, a rule is written into a new ruling's `see`


@cache
def version() -> str:
    """Of the methods and the shipped vocabulary: their own text, so that no number can be forgotten."""
    hashed = hashlib.sha256(topics.SHIPPED.read_bytes())
    package = Path(tag.__file__).parent
    for path in sorted([*package.glob("tag*"), *package.glob("rulerefs*")]):
        if path.is_file():
            hashed.update(path.read_bytes())
    return hashed.hexdigest()


def own_topics(folder: Path | None) -> str:
    """A mark of the own topics of the base in `folder`; "" where it has none."""
    own = folder / topics.OWN if folder else None
    return hashlib.sha256(own.read_bytes()).hexdigest() if own and own.is_file() else ""


@cache
def _shipped_tagger(keyword_names: tuple[str, ...] | None) -> Tagger:
    """Its thousand patterns are compiled once a process."""
    return Tagger(topics.load(), keyword_names)


def _text_of(version: Path | str) -> str:
    return version if isinstance(version, str) else read_text(version)


def effective_date(rules_text: str) -> str:
    """The effective date of a version of the Comprehensive Rules."""
    return parse(rules_text)[0].effective


@dataclass
class Deriver:
    """Topics and rules for the rulings of one base. `versions` are its versions of the rules by their dates, oldest
    first: files, and the texts of those that are just being imported."""

    folder: Path | None
    versions: Mapping[str, Path | str]
    cache: Path | None = None
    _compared: dict[str | None, Versions] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, folder: Path | None, cache: Path | None = None, incoming: Mapping[str, str] | None = None) -> Deriver:
        """For the base in `folder`; `incoming` are the rules that are just being imported, by their dates."""
        files = (folder / "comprehensive-rules").glob("*.txt*") if folder else ()
        versions = {f.name[:10]: f for f in files} | dict(incoming or {})
        return cls(folder, dict(sorted(versions.items())), cache)

    @cached_property
    def latest(self) -> ComprehensiveRules | None:
        """The newest version of the rules, if there is any."""
        return parse(self._latest_text)[0] if self.versions else None

    @cached_property
    def _latest_text(self) -> str:
        return _text_of(self.versions[max(self.versions)]) if self.versions else ""

    @cached_property
    def mark(self) -> str:
        """A mark of the rules: while it stays, they say the same of every ruling."""
        return hashlib.sha256("\n".join((*self.versions, self._latest_text)).encode()).hexdigest()

    @property
    def topics(self) -> topics.Topics:
        return self._tagger.topics

    @cached_property
    def _keywords(self) -> tuple[str, ...] | None:
        return tuple(k.name for k in keywords(self.latest)) if self.latest else None

    @cached_property
    def _tagger(self) -> Tagger:
        if own_topics(self.folder):
            return Tagger(topics.of_base(self.folder), self._keywords)
        return _shipped_tagger(self._keywords)

    @cached_property
    def _rules(self) -> RuleIndex:
        """Without imported rules this gives the few numbers that are beyond doubt (`rulerefs.SHIPPED_EFFECTIVE`)."""
        if self.latest is None:
            return RuleIndex(None)
        return RuleIndex(self.latest, {t.key: t.rules for t in self.topics.all}, self._carry)

    def _carry(self, number: RuleNumber, cited_on: str | None) -> RuleNumber | None:
        """A number that a ruling of that day names, as it is today. Some twenty rulings in 70,000 name one, so the
        version of the day is read only then, and compared with the latest alone."""
        then = [date for date in self.versions if cited_on and date <= cited_on]
        return self._since(then[-1] if then else None).resolve(number, cited_on).today

    def _since(self, then: str | None) -> Versions:
        """The version of the date `then`, and the latest; kept, since comparing two versions takes seconds."""
        if then not in self._compared:
            assert self.latest is not None
            versions = [parse(_text_of(self.versions[then]))[0]] if then else []
            self._compared[then] = Versions([*versions, self.latest])
        return self._compared[then]

    @cached_property
    def _methods(self) -> dict[str, str]:
        """What the results depend on besides the ruling and its card. Topics know the rules by their keywords alone, so
        that new rules without a new keyword cost no new topics."""
        known = {"tags": repr(self._keywords), "bears": self._latest_text}
        own = own_topics(self.folder)
        return {t: f"{version()}/{hashlib.sha256(k.encode()).hexdigest()}/{own}" for t, k in known.items()}

    @cached_property
    def _ruleless(self) -> Deriver:
        """The same for a base without rules."""
        return Deriver(self.folder, {}, self.cache)

    def tags(self, rulings: Sequence[Ruling], cards: Mapping[str, Card], tell: Tell) -> dict[str, dict[str, str]]:
        """Ruling id -> topic -> why, best first, without people's corrections."""

        def compute(ruling: Ruling) -> dict[str, str]:
            return {tag.key: tag.reason for tag in self._tagger.tag(ruling.text, card_of(ruling, cards))}

        found = self._remember("tags", rulings, cards, compute, tell, "finding topics")
        return {i: dict(json.loads(body)) for i, body in found.items()}

    def bears(self, rulings: Sequence[Ruling], cards: Mapping[str, Card], tell: Tell) -> dict[str, list[Bearing]]:
        """Ruling id -> the rules that bear on it by what it says, best first."""

        def compute(ruling: Ruling) -> list[tuple[str, str, float]]:
            found = self._rules.bears(ruling.text, ruling.topics, card_of(ruling, cards), _published(ruling))
            return [(r.number, r.reason, round(r.confidence, 3)) for r in found]

        bodies = self._remember("bears", rulings, cards, compute, tell, "finding the rules behind rulings")
        return {i: [Bearing(*row) for row in json.loads(body)] for i, body in bodies.items()}

    def sure(self, rulings: Sequence[Ruling], cards: Mapping[str, Card], tell: Tell) -> dict[str, tuple[str, ...]]:
        """Ruling id -> the rules that bear on it beyond doubt; only for those that have any.

        A rule is beyond doubt where the ruling names it, or by a phrase that is known without the rules: one ruling in
        twenty. Only there are all rules weighed; for all rulings that takes long, and is left to the build.
        """
        if self.versions:
            known = self._ruleless.bears(rulings, cards, tell)
            rulings = [r for r in rulings if known[r.id] or any(find(r.text))]
        found = {
            i: tuple(b.number for b in bears if b.confidence >= SURE)
            for i, bears in self.bears(rulings, cards, tell).items()
        }
        return {i: numbers for i, numbers in found.items() if numbers}

    def _also(self, ruling: Ruling, card: Card | None) -> str:
        """What the rules that bear on a ruling depend on besides its text."""
        said = [card.oracle_text, *(face.oracle_text for face in card.faces)] if card else []
        named = [_published(ruling) or "", *self.versions] if any(find(ruling.text)) else []
        return "\n".join((",".join(ruling.topics), *said, *named))

    def _remember(
        self,
        table: str,
        rulings: Sequence[Ruling],
        cards: Mapping[str, Card],
        compute: Callable[[Ruling], object],
        tell: Tell,
        step: str,
    ) -> dict[str, str]:
        keys = self._keys(table, rulings, cards)
        kept = Remembered(self.cache / "derived.sqlite", table) if self.cache else None
        known = kept.many(keys.values()) if kept else {}
        fresh: dict[bytes, str] = {}
        missing = [r for r in rulings if keys[r.id] not in known]
        # The topics of a text that speaks of no keyword of the rules are the same without them, and with other ones.
        alike = missing if kept and table == "tags" and self._keywords else []
        plain = self._ruleless._keys(table, [r for r in alike if not self._speaks_of_rules(r, cards)], cards)
        old = kept.many(plain.values()) if kept else {}
        for n, ruling in enumerate(missing):
            if n % 500 == 0:
                tell(step, n, len(missing))
            body = old.get(plain.get(ruling.id, b""))
            if body is None:
                body = json.dumps(compute(ruling), ensure_ascii=False)
                if ruling.id in plain:
                    fresh[plain[ruling.id]] = body
            fresh[keys[ruling.id]] = body
        if kept:
            kept.put(fresh)
            kept.close()
        known.update(fresh)
        return {i: known[key] for i, key in keys.items()}

    def _speaks_of_rules(self, ruling: Ruling, cards: Mapping[str, Card]) -> bool:
        return self._tagger.hears_keywords(ruling.text, card_of(ruling, cards))

    def _keys(self, table: str, rulings: Iterable[Ruling], cards: Mapping[str, Card]) -> dict[str, bytes]:
        keys = {}
        for r in rulings:
            card = card_of(r, cards)
            about = f"{card.name}/{card.type_line}/{','.join(card.keywords)}" if card else ""
            keys[r.id] = key_of(self._methods[table], r.text, about, self._also(r, card) if table == "bears" else "")
        return keys


def _published(ruling: Ruling) -> str | None:
    """The day that a ruling was first published on any card."""
    return min((o.date for o in ruling.occurrences if o.date), default=None)


def card_of(ruling: Ruling, cards: Mapping[str, Card]) -> Card | None:
    """The card of a ruling that stands on one card only; a shared ruling is about none of its cards."""
    names = ruling.cards
    return (cards.get(names[0]) or Card(names[0])) if len(names) == 1 and names[0] else None


def with_topics(rulings: Iterable[Ruling], tags: Mapping[str, Mapping[str, str]]) -> list[Ruling]:
    """Rulings with their topics, people's corrections on top."""
    return [retagged(replace(r, topics=tuple(tags[r.id]))) for r in rulings]


def retagged(ruling: Ruling) -> Ruling:
    """A ruling with a person's `retag` applied to its topics; applying it again changes nothing."""
    if ruling.retag is None:
        return ruling
    kept = (t for t in ruling.topics if t not in ruling.retag.drop)
    return replace(ruling, topics=tuple(dict.fromkeys((*kept, *ruling.retag.add))))


def with_rules(rulings: Iterable[Ruling], sure: Mapping[str, tuple[str, ...]]) -> list[Ruling]:
    """Rulings whose `see` is empty get the rules that are beyond doubt. What stands there already stays: a person may
    have put it there."""
    return [r if r.see else replace(r, see=sure.get(r.id, ())) for r in rulings]


def without_rules(rulings: Iterable[Ruling], sure: Mapping[str, tuple[str, ...]]) -> tuple[Ruling, ...]:
    """The other way round: `see` is emptied where it is what `with_rules` put there, for other rules to fill it."""
    return tuple(replace(r, see=()) if r.see and r.see == sure.get(r.id) else r for r in rulings)


def bearings(ruling: Ruling, computed: Sequence[Bearing]) -> list[Bearing]:
    """All rules that bear on a ruling: those in `see` first, they always win."""
    reasons = {b.number: b for b in computed}
    named = [
        reasons.get(n) if n in reasons and reasons[n].confidence >= SURE else Bearing(n, "named in the base", 1.0)
        for n in ruling.see
    ]
    return [*(b for b in named if b), *(b for b in computed if b.number not in ruling.see)]
