"""The Comprehensive Rules as data: rules, examples, glossary, and where each line of the document went.

Frozen; texts are verbatim but for the number, the indentation and the line ends. `rulings.rules.parse` makes them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from rulings.rules.number import RuleNumber, parent, rule_number
from rulings.text import loose


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule. Paragraphs of `text` after the first (205.4b has two) are separated by a line break."""

    number: RuleNumber
    text: str
    examples: tuple[str, ...] = ()
    line: int = 0

    @property
    def is_heading(self) -> bool:
        """A title rather than a sentence: `702. Keyword Abilities`, `702.15. Lifelink`."""
        if not self.number[-1].isdigit():
            return False
        if len(self.number) <= 3:
            return True
        # Two abilities have an exclamation mark in their names: "For Mirrodin!", "Start Your Engines!".
        return len(self.text) < 60 and not self.text.endswith((".", ".)", ":", '"', "”"))


@dataclass(frozen=True, slots=True)
class GlossaryEntry:
    """A term and its definition. `terms` are the names it goes by ("Kicker, Kicked" has two), without "(Obsolete)"."""

    title: str
    terms: tuple[str, ...]
    text: str
    line: int = 0

    @property
    def obsolete(self) -> bool:
        """The rules say that the term is no longer used."""
        return self.title.endswith("(Obsolete)")


@dataclass(frozen=True, slots=True)
class LineCount:
    """Lines of the document by where they went; `total` is counted on its own, so the sum proves that none is lost."""

    introduction: int
    contents: int
    rules: int
    glossary: int
    credits: int
    blank: int
    total: int

    @property
    def complete(self) -> bool:
        """Every line landed somewhere, each once."""
        parts = self.introduction + self.contents + self.rules + self.glossary + self.credits + self.blank
        return parts == self.total


@dataclass(frozen=True, slots=True)
class ComprehensiveRules:
    """One version. `rules` are in the order of the document, sections and headings included."""

    effective: str
    rules: tuple[Rule, ...]
    glossary: tuple[GlossaryEntry, ...] = ()
    contents: tuple[tuple[str, str], ...] = ()
    introduction: tuple[str, ...] = ()
    credits: tuple[str, ...] = ()
    lines: LineCount = LineCount(0, 0, 0, 0, 0, 0, 0)
    _by_number: dict[RuleNumber, Rule] = field(init=False, repr=False, compare=False, hash=False)
    _children: dict[RuleNumber, list[Rule]] = field(init=False, repr=False, compare=False, hash=False)
    _by_term: dict[str, GlossaryEntry] = field(init=False, repr=False, compare=False, hash=False)

    def __post_init__(self) -> None:
        by_number: dict[RuleNumber, Rule] = {}
        children: dict[RuleNumber, list[Rule]] = {}
        for rule in self.rules:
            if rule.number in by_number:
                continue
            by_number[rule.number] = rule
            above = parent(rule.number)
            if above is not None:
                children.setdefault(above, []).append(rule)
        by_term: dict[str, GlossaryEntry] = {}
        for entry in self.glossary:
            for term in entry.terms:
                by_term.setdefault(loose(term), entry)
        object.__setattr__(self, "_by_number", by_number)
        object.__setattr__(self, "_children", children)
        object.__setattr__(self, "_by_term", by_term)

    def get(self, number: str) -> Rule | None:
        """The rule of this number (any spelling that `rule_number` takes), or None."""
        canonical = rule_number(number)
        return self._by_number.get(canonical) if canonical else None

    def __contains__(self, number: object) -> bool:
        return isinstance(number, str) and self.get(number) is not None

    def children(self, number: str) -> tuple[Rule, ...]:
        """The rules one level below, in order; empty for a subrule or a number that is not there."""
        canonical = rule_number(number)
        return tuple(self._children.get(canonical, ())) if canonical else ()

    def subtree(self, number: str) -> Iterator[Rule]:
        """The rule itself, then all below it in order."""
        rule = self.get(number)
        if rule is not None:
            yield rule
            for child in self.children(rule.number):
                yield from self.subtree(child.number)

    def parent(self, number: str) -> Rule | None:
        """The rule one level up, or None for a section."""
        canonical = rule_number(number)
        above = parent(canonical) if canonical else None
        return self._by_number.get(above) if above else None

    def headings(self, number: str) -> tuple[Rule, ...]:
        """The titles over a rule, outermost first: 7 Additional Rules, 702 Keyword Abilities, 702.15 Lifelink."""
        chain: list[Rule] = []
        rule = self.parent(number)
        while rule is not None:
            if rule.is_heading:
                chain.append(rule)
            rule = self.parent(rule.number)
        return tuple(reversed(chain))

    def title(self, number: str) -> str:
        """What a rule is called: its own title, else that of the nearest heading above ("Lifelink" for 702.15b)."""
        rule = self.get(number)
        if rule is None:
            return ""
        if rule.is_heading:
            return rule.text
        above = self.headings(number)
        return above[-1].text if above else ""

    def term(self, text: str) -> GlossaryEntry | None:
        """The glossary entry of exactly this term, case and typography apart. `rulings.rules.define` forgives more."""
        return self._by_term.get(loose(text))
