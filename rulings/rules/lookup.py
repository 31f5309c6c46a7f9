"""Answers "what do the rules say of X": a number (`CR 702.15b`, `702.15.`), a keyword or a term of the glossary.

Text and one version in, `Found` out. Which version is the caller's question (`Versions.at`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from rulings.rules.keywords import KeywordList, keywords, terms
from rulings.rules.model import ComprehensiveRules, GlossaryEntry, Rule
from rulings.rules.number import RuleNumber, find, read
from rulings.text import loose

_LEAD = re.compile(r"^(?:(?:the )?(?:rule|definition|glossary)(?: for| of|:)?|define|what is|glossary)\s+")


@dataclass(frozen=True, slots=True)
class Definition:
    """What the rules say of a term. `number` is the subrule that defines it, `entry` its glossary entry."""

    term: str
    number: RuleNumber | None
    entry: GlossaryEntry | None
    kind: str = "term"  # "action" | "ability" | "ability-word" | "term"


@dataclass(frozen=True, slots=True)
class Found:
    """The answer to a look-up. `rule` is None where the number or term is not in this version.

    `children` are the rules below it, none where only the rule was asked for (`702.15.`); `headings` stand over it.
    """

    effective: str
    number: RuleNumber | None
    rule: Rule | None
    children: tuple[Rule, ...] = ()
    headings: tuple[Rule, ...] = ()
    definition: Definition | None = None
    to: RuleNumber | None = None


def lookup(rules: ComprehensiveRules, text: str) -> Found | None:
    """What `text` asks for. None where it is neither written as a rule number nor a term of this version."""
    reference = read(text)
    if reference is not None:
        number = reference.number
        rule = rules.get(number)
        if rule is None:
            return Found(rules.effective, number, None)
        children = () if reference.alone else rules.children(number)
        return Found(rules.effective, number, rule, children, rules.headings(number), to=reference.to)
    definition = define(rules, text)
    if definition is None:
        return None
    rule = rules.get(definition.number) if definition.number else None
    headings = rules.headings(rule.number) if rule else ()
    return Found(rules.effective, definition.number, rule, (), headings, definition)


def define(rules: ComprehensiveRules, text: str, known: KeywordList | None = None) -> Definition | None:
    """The keyword or glossary term that `text` names; case, typography, plural and tense are forgiven.

    `known` saves gathering the keywords again where many terms are asked for.
    """
    asked = _LEAD.sub("", loose(text).strip(" \"'?.!"))
    if not asked or len(asked) > 80:
        return None
    known = known or keywords(rules)
    for form in _forms(asked):
        keyword = known.get(form)
        entry = rules.term(form)
        if keyword is not None:
            return Definition(keyword.name, keyword.defined_in, entry, keyword.kind)
        if entry is not None:
            return Definition(entry.terms[0], _referred(rules, entry), entry)
    return None


def _referred(rules: ComprehensiveRules, entry: GlossaryEntry, hops: int = 2) -> RuleNumber | None:
    """The rule that an entry sends to: the first it names ("See rule 700.4."), or that the entry it sends to names.

    Of a rule that is only a title ("See rule 117, Timing and Priority"), the first below it that uses the term.
    """
    for reference in find(entry.text):
        rule = rules.get(reference.number)
        if rule is None:
            continue
        if rule.is_heading:
            for below in rules.subtree(rule.number):
                if not below.is_heading and any(loose(term) in loose(below.text) for term in entry.terms):
                    return below.number
        return rule.number
    see = re.fullmatch(r"See (.+?)\.", entry.text.strip())
    other = rules.term(see[1]) if see else None
    return _referred(rules, other, hops - 1) if other and hops else None


def _forms(asked: str) -> Iterator[str]:
    """`asked` itself, what judges mean by it, then the forms it may be an inflection of."""
    aliases = terms()["aliases"]
    asked = re.sub(r"^(?:the|an?) ", "", asked)
    words = asked.split()
    yield asked
    if asked in aliases:
        yield aliases[asked]
    for at in dict.fromkeys((len(words) - 1, 0)):
        for base in _bases(words[at]):
            form = " ".join([*words[:at], base, *words[at + 1 :]])
            yield form
            if form in aliases:
                yield aliases[form]
    yield asked.replace("-", " ")
    yield asked.replace(" ", "-")
    yield asked + "s"


def _bases(word: str) -> Iterator[str]:
    """What `word` may be a plural or a tense of: `milled`, `mills` -> `mill`; `regenerating` -> `regenerate`."""
    for ending, put in (("ies", "y"), ("es", ""), ("s", ""), ("ied", "y"), ("ed", ""), ("d", ""), ("ing", ""),
                        ("ing", "e"), ("er", ""), ("ers", "")):  # fmt: skip
        if word.endswith(ending) and len(word) - len(ending) > 1:
            stem = word[: -len(ending)] + put
            yield stem
            if not put and len(stem) > 3 and stem[-1] == stem[-2]:
                yield stem[:-1]  # "scrying" has none, "tapped" has
