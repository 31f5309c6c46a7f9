"""The typed query: what a person asked, as a tree of small frozen nodes, and its reading in English.

Made by `rulings.language.grammar.parse` only; read by the engine and, in the same form, by the browser. `column` is
the 0-based offset in the query as typed. No node knows how it is executed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Word:
    """One loose word or symbol: its stem and its synonyms count."""

    text: str  # the folded token
    column: int


@dataclass(frozen=True, slots=True)
class Compound:
    """A word of parts (`lim-dul`, `{E}{E}`): the parts side by side, or joined into one word."""

    parts: tuple[str, ...]
    joined: str | None
    column: int


@dataclass(frozen=True, slots=True)
class Phrase:
    """Exact tokens side by side: nothing stemmed, no synonyms."""

    tokens: tuple[str, ...]
    column: int


@dataclass(frozen=True, slots=True)
class Near:
    """Exact tokens in any order with at most `distance` other tokens among them."""

    tokens: tuple[str, ...]
    distance: int
    column: int


@dataclass(frozen=True, slots=True)
class Wild:
    """Words that fit a pattern with `*`."""

    pattern: str
    column: int


@dataclass(frozen=True, slots=True)
class Fuzzy:
    """Words that differ from `text` in at most `edits` letters."""

    text: str
    edits: int
    column: int


@dataclass(frozen=True, slots=True)
class Pattern:
    """A regular expression over a ruling's wordings (`rulings.language.patterns` says which)."""

    source: str
    column: int


@dataclass(frozen=True, slots=True)
class OwnName:
    """`~`: the ruling names the card it stands on."""

    column: int


@dataclass(frozen=True, slots=True)
class RuleWord:
    """A rule number in the text or among the rules that bear on a ruling; with its subrules unless `alone`."""

    number: str
    alone: bool
    column: int


@dataclass(frozen=True, slots=True)
class FieldTerm:
    """A field with a word or name as value: card, topic, source, id, set, type, status, is, oracle."""

    field: str
    value: str
    column: int


@dataclass(frozen=True, slots=True)
class DateRange:
    """A date of the ruling lies in [low, high], both ISO dates; `field` is date, year or as-of."""

    field: str
    low: str | None
    high: str | None
    column: int


@dataclass(frozen=True, slots=True)
class CardCount:
    """The number of cards the ruling stands on lies in [low, high]."""

    low: int | None
    high: int | None
    column: int


@dataclass(frozen=True, slots=True)
class Not:
    node: Node
    column: int


@dataclass(frozen=True, slots=True)
class And:
    nodes: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Or:
    nodes: tuple[Node, ...]


Leaf = Word | Compound | Phrase | Near | Wild | Fuzzy | Pattern | OwnName | RuleWord | FieldTerm | DateRange | CardCount
Node = Leaf | Not | And | Or
LOOSE = (Word, Compound)


@dataclass(frozen=True, slots=True)
class Query:
    """A parsed query. `notes` say what was read otherwise than typed (a noise word left out)."""

    text: str
    root: Node
    notes: tuple[str, ...] = field(default=())

    @property
    def plain(self) -> bool:
        """Whether it is nothing but loose words: a question, to be answered with the best matches."""
        nodes = self.root.nodes if isinstance(self.root, And) else (self.root,)
        return all(isinstance(node, LOOSE) for node in nodes)


def leaves(node: Node, *, negated: bool = False) -> Iterator[tuple[Leaf, bool]]:
    """Every leaf in order, with whether it stands under a `not`."""
    if isinstance(node, (And, Or)):
        for child in node.nodes:
            yield from leaves(child, negated=negated)
    elif isinstance(node, Not):
        yield from leaves(node.node, negated=not negated)
    else:
        yield node, negated


def loose_spans(query: Query) -> list[tuple[int, int]]:
    """Where loose words stand in the query text, runs joined: card names are looked for in these runs."""
    spans: list[tuple[int, int]] = []
    for leaf, negated in leaves(query.root):
        if isinstance(leaf, LOOSE) and not negated:
            end = _chunk_end(query.text, leaf.column)
            if spans and not query.text[spans[-1][1] : leaf.column].strip(" \t,.;:!?'-/…"):
                spans[-1] = (spans[-1][0], max(end, spans[-1][1]))
            else:
                spans.append((leaf.column, end))
    return spans


def _chunk_end(text: str, start: int) -> int:
    end = start
    while end < len(text) and not text[end].isspace() and text[end] not in '()"“”':
        end += 1
    return end


# --- in English ---------------------------------------------------------------------------------------------------


def explain(query: Query) -> str:
    """How the query was understood, in one English sentence."""
    if query.plain:
        words = [_say(node) for node in (query.root.nodes if isinstance(query.root, And) else (query.root,))]
        text = f"rulings about {_list(words, 'and')}" if len(words) > 1 else f"rulings with {words[0]}"
    else:
        text = f"rulings {_say_clause(query.root)}"
    return ". ".join([text[:1].upper() + text[1:], *query.notes]) + "."


def _list(items: list[str], joint: str) -> str:
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} {joint} {items[-1]}"


def _say_clause(node: Node) -> str:
    if isinstance(node, And):
        return " and ".join(_group(child) for child in node.nodes)
    if isinstance(node, Or):
        return "either " + " or ".join(_group(child) for child in node.nodes)
    if isinstance(node, Not):
        return f"not {_group(node.node)}"
    return _say_leaf(node)


def _group(node: Node) -> str:
    text = _say_clause(node)
    return f"({text})" if isinstance(node, (And, Or)) else text


def _say(leaf: Node) -> str:
    if isinstance(leaf, Word):
        return leaf.text
    if isinstance(leaf, Compound):
        return "".join(leaf.parts) if leaf.joined is None else "-".join(leaf.parts)
    return _say_clause(leaf)


_FIELD_WORDS = {
    "card": "on the card {}",
    "topic": "with the topic {}",
    "source": "from the source {}",
    "id": "with the id {}",
    "set": "on cards of the set {}",
    "type": "on cards of the type {}",
    "status": "with the status {}",
    "oracle": "on cards whose Oracle text has {}",
    "is:shared": "shared by two cards or more",
    "is:variant": "with more than one wording",
    "is:undated": "without a date",
    "is:damaged": "with damage that is still open",
}


def _say_leaf(leaf: Leaf) -> str:
    match leaf:
        case Word() | Compound():
            return f"with {_say(leaf)}"
        case Phrase():
            return f"with exactly “{' '.join(leaf.tokens)}”"
        case Near():
            return f"with {_list(list(leaf.tokens), 'and')} at most {leaf.distance} words apart"
        case Wild():
            return f"with a word like {leaf.pattern}"
        case Fuzzy():
            return f"with a word spelt like {leaf.text} (up to {leaf.edits} letters apart)"
        case Pattern():
            return f"matching the pattern /{leaf.source}/"
        case OwnName():
            return "naming the card they stand on"
        case RuleWord():
            return f"on rule {leaf.number}" + (" alone" if leaf.alone else " or its subrules")
        case FieldTerm():
            key = f"is:{leaf.value}" if leaf.field == "is" else leaf.field
            return _FIELD_WORDS[key].format(leaf.value)
        case DateRange():
            return _say_range(leaf)
        case CardCount():
            if leaf.low is not None and leaf.low == leaf.high:
                return f"on exactly {leaf.low} cards"
            low = f"at least {leaf.low}" if leaf.low is not None else ""
            high = f"at most {leaf.high}" if leaf.high is not None else ""
            return f"on {_list([part for part in (low, high) if part], 'and')} cards"


def _say_range(leaf: DateRange) -> str:
    if leaf.field == "as-of":
        return f"published by {leaf.high}"
    if leaf.low and leaf.high:
        return f"dated {leaf.low}" if leaf.low == leaf.high else f"dated {leaf.low} to {leaf.high}"
    return f"dated {leaf.low} or later" if leaf.low else f"dated {leaf.high} or earlier"
