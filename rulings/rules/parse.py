"""Reads the text of the Comprehensive Rules, in the published layout and in the two that people store it in.

Text in, `ComprehensiveRules` and problems out. Every line lands in the introduction, the contents, a rule, the
glossary or the credits, and is counted there; a line that fits nowhere is a problem, never dropped.

Layouts: published since 2025 (flush left, CRLF, curly quotes, byte order mark), and re-indented (three spaces for
702.15, six for 702.15b, twelve or more for examples, straight quotes) with and without the mark.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from rulings.errors import DataError, Problem
from rulings.rules.model import ComprehensiveRules, GlossaryEntry, LineCount, Rule
from rulings.rules.number import LETTERS, RuleNumber, parent, rule_number

# "119.1d." has a full stop, "606.5" has none, and "901.4.All plane" has no space: all three were published.
_NUMBERED = re.compile(r"(\d{3}\.\d{1,3}[a-z]?)(?:\.\s*|\s+)(?=\S)(.*)")
_HEADING = re.compile(r"(\d|\d{3})\.\s+(\S.*)")
# 2021-06-18 lost the line break in nine entries: "Ability1. Text on an object …".
_GLUED = re.compile(r"([A-Z][A-Za-z ]*)(1\. .*)")
_EXAMPLE = re.compile(r"Examples?:\s*")
_EFFECTIVE = re.compile(r"effective as of (\w+) (\d{1,2}), (\d{4})")
_MONTHS = {
    name: number
    for number, name in enumerate(
        ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
         "December"), 1
    )
}  # fmt: skip


_PARTS = ("introduction", "contents", "rules", "glossary", "credits")


@dataclass(slots=True)
class _Draft:
    number: RuleNumber
    paragraphs: list[str]
    line: int
    examples: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _State:
    path: str
    part: str = "introduction"
    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(("blank", *_PARTS), 0))
    introduction: list[str] = field(default_factory=list)
    contents: list[tuple[str, str]] = field(default_factory=list)
    drafts: list[_Draft] = field(default_factory=list)
    blocks: list[tuple[int, list[str]]] = field(default_factory=list)
    credits: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def fault(self, line: int, message: str, hint: str, kind: str) -> None:
        self.problems.append(Problem(self.path, message, hint, line=line, kind=kind))


def parse(text: str, *, path: str = "comprehensive rules") -> tuple[ComprehensiveRules, tuple[Problem, ...]]:
    """The rules in `text` and what is wrong with it. Raises `DataError` where it holds no rules at all.

    `path` only names the text in problems.
    """
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if lines and not lines[-1]:
        lines.pop()  # what follows the last line end is no line
    state = _State(path)
    new_block = True
    for at, raw in enumerate(lines, 1):
        line = raw.strip()
        if not line:
            state.counts["blank"] += 1
            new_block = True
            continue
        state.part = _next_part(state, line)
        state.counts[state.part] += 1
        _take(state, at, line, new_block)
        new_block = False
    if not state.drafts:
        raise DataError(
            f"{path}: these are no Comprehensive Rules", hint="expected lines like '702.15b Damage dealt …'"
        )
    effective = _effective(text)
    if effective is None:
        state.fault(1, "no 'effective as of' date", "add the line 'These rules are effective as of …'", "no-date")
    _check_numbers(state)
    rules = ComprehensiveRules(
        effective=effective or "",
        rules=tuple(Rule(d.number, "\n".join(d.paragraphs), tuple(d.examples), d.line) for d in state.drafts),
        glossary=tuple(_entry(line, block) for line, block in state.blocks),
        contents=tuple(state.contents),
        introduction=tuple(state.introduction),
        credits=tuple(state.credits),
        lines=LineCount(**state.counts, total=len(lines)),
    )
    _check_contents(state, rules)
    return rules, tuple(state.problems)


def _next_part(state: _State, line: str) -> str:
    """The part that `line` belongs to. The titles stand twice: in the contents and over the part itself."""
    if state.part == "introduction":
        if line == "Contents":
            return "contents"
        return "rules" if _NUMBERED.match(line) or _HEADING.match(line) else "introduction"
    if state.part == "contents":
        # The second "1. Game Concepts" opens the rules; the contents end with "Credits".
        found = _HEADING.match(line)
        started = bool(state.contents) and found is not None and found[1] == state.contents[0][0]
        return "rules" if started or _NUMBERED.match(line) else "contents"
    if state.part == "rules" and line == "Glossary":
        return "glossary"
    if state.part in ("rules", "glossary") and line == "Credits":
        return "credits"
    return state.part


def _take(state: _State, at: int, line: str, new_block: bool) -> None:
    if state.part == "introduction":
        state.introduction.append(line)
    elif state.part == "contents":
        found = _HEADING.match(line)
        if line != "Contents":
            state.contents.append((found[1], found[2]) if found else ("", line))
    elif state.part == "rules":
        _take_rule(state, at, line)
    elif state.part == "glossary":
        if line == "Glossary" and not state.blocks:
            return
        if new_block or not state.blocks:
            state.blocks.append((at, []))
        state.blocks[-1][1].append(line)
    elif line != "Credits" or state.credits:
        state.credits.append(line)


def _take_rule(state: _State, at: int, line: str) -> None:
    found = _NUMBERED.match(line) or _HEADING.match(line)
    number = rule_number(found[1]) if found else None
    if found and number:
        state.drafts.append(_Draft(number, [found[2].strip()], at))
    elif not state.drafts:
        state.fault(at, f"a line before the first rule: {line[:60]!r}", "remove it", "stray-line")
        state.introduction.append(line)
    elif example := _EXAMPLE.match(line):
        state.drafts[-1].examples.append(line[example.end() :])
    else:
        state.drafts[-1].paragraphs.append(line)


def _entry(at: int, block: list[str]) -> GlossaryEntry:
    title, *text = block
    if glued := _GLUED.fullmatch(title):
        title, text = glued[1], [glued[2], *text]
    bare = title.removesuffix("(Obsolete)").strip()
    # "Kicker, Kicked" are two names; "Partner, “Partner—[text],” “Partner with [name]”" are three.
    pieces = [piece.strip(' ,.“”"') for piece in re.split(r",\s+|(?<=[”\"])\s+(?=[“\"])", bare)]
    terms = dict.fromkeys([bare, *(piece for piece in pieces if piece)])
    return GlossaryEntry(title, tuple(terms), "\n".join(text), at)


def _effective(text: str) -> str | None:
    found = _EFFECTIVE.search(text)
    if not found or found[1] not in _MONTHS or not 1 <= int(found[2]) <= 31:
        return None
    return f"{found[3]}-{_MONTHS[found[1]]:02}-{int(found[2]):02}"


def _check_numbers(state: _State) -> None:
    """Numbers must be unique and stand under their parents; letters must follow each other (no l, no o)."""
    seen: set[RuleNumber] = set()
    for draft in state.drafts:
        number = draft.number
        if number in seen:
            state.fault(draft.line, f"rule {number} stands twice", "the first is kept", "repeated-rule")
        above = parent(number)
        if above is not None and above not in seen:
            state.fault(draft.line, f"rule {number} stands before rule {above}", "look for a damaged line", "no-parent")
        if number[-1].isalpha() and number[-1] != "a" and above is not None:
            before = RuleNumber(above + LETTERS[LETTERS.index(number[-1]) - 1])
            if before not in seen:
                state.fault(draft.line, f"rule {number} has no {before} before it", "look for a lost line", "gap")
        seen.add(number)


def _check_contents(state: _State, rules: ComprehensiveRules) -> None:
    """Each title of the contents must head a part of the document."""
    for number, title in state.contents:
        rule = rules.get(number) if number else None
        if number and (rule is None or rule.text != title):
            found = rule.text if rule else "nothing"
            message = f"the contents promise {number}. {title!r}, the rules have {found!r}"
            state.problems.append(Problem(state.path, message, kind="contents", severity="warning"))
