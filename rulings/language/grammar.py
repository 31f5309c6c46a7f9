"""The query language: text -> typed query. A small recursive-descent parser; nothing typed is dropped in silence.

    query  := or ; or := and ("OR" and)* ; and := not+ (an "AND" between them may be written)
    not    := ("NOT" | "-") not | "(" or ")" | item
    item   := field | "phrase" | "phrase"~5 | /pattern/ | ~ | wild*card | word~ | word

`SYNTAX` is the table that the help, the documentation and the tests are made from. Errors are `QueryError` with the
column. In: the query as typed. Out: `rulings.language.query.Query`. It never looks at the base.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from rulings.errors import QueryError
from rulings.ids import parse_id
from rulings.language import fields, patterns
from rulings.language.query import (
    And,
    Compound,
    FieldTerm,
    Fuzzy,
    Near,
    Node,
    Not,
    Or,
    OwnName,
    Pattern,
    Phrase,
    Query,
    RuleWord,
    Wild,
    Word,
)
from rulings.language.tokens import TOKEN, fold, is_rule_number, tokenize, words

MAX_QUERY = 1000
MAX_ITEMS = 100
MAX_DEPTH = 20
MAX_NEAR = 50


@dataclass(frozen=True, slots=True)
class Form:
    """One form of the language: how it is written, what it means, an example."""

    name: str
    means: str
    examples: tuple[str, ...]


SYNTAX: tuple[Form, ...] = (
    Form("words", "the best rulings for these words, in any order; synonyms count", ("energy symbol", "can't")),
    Form(
        '"phrase"',
        "exactly these words, symbols and signs side by side",
        ('"can\'t pay"', '"+1/+1 counter"'),
    ),
    Form("-word, NOT", "without it", ("energy -target", "energy NOT life")),
    Form("OR, ( )", "either; AND binds closer than OR; operators are in capitals", ("(poison OR energy) counter",)),
    Form("word*, *word", "words that begin, end or go on so; at least two letters", ("untap*", "*ling", "*cycl*")),
    Form("word~", "words spelt nearly so", ("planeswalkr~",)),
    Form('"a b"~5', "these words with at most so many others among them", ('"sacrifice resolves"~5',)),
    Form("/pattern/", "a regular expression over the text", ("/pay {E}{1,3}/".replace("{E}", r"\{E\}"),)),
    Form("~", "the card's own name", ("~", '"~ dies"')),
    Form("{E}, +1/+1, X", "symbols, signs and numbers are words", ("{E}", "{2/W}", "+1/+1", "-2", "X")),
    Form("702.90b", "a rule number, with or without CR, rule or § before it", ("CR 702.19b", "702.19b")),
    Form("r-0pcdnc32", "an id and nothing else: the ruling with this id", ("r-0pcdnc32",)),
)  # fmt: skip

_FIELD = re.compile(r"([A-Za-z][A-Za-z-]*)(>=|<=|[:=<>])(?=\S)")
_NOISE = frozenset({"rule", "rules", "cr", "cr.", "c.r.", "c.r", "§", "§§", "no.", "no", "section", "comp", "#"})
_QUOTES = '"“”„‟″«»＂'
_OPERATORS = frozenset({"AND", "OR", "NOT"})
_AMOUNT = re.compile(r"[-−–](?:\d|[xX](?![^\W_]))")
_WILD = re.compile(r"[^\W_*]*(?:['-][^\W_*]+)*(?:\*[^\W_*]*)+")
_ENDING = ".,;:!?…)]"
_ODD = (
    (re.compile(r"[^\W_]\["), "square brackets have a meaning only inside /…/", "write a pattern: /…/"),
    (re.compile(r"[^\W_]\?[^\W_]"), "? is no wildcard", "* stands for any letters"),
    (re.compile(r"[^\W_]\^"), "^ has no meaning here", "put a space before it"),
    (re.compile(r"[|]"), "| has no meaning here", "write OR"),
    (re.compile(r"&&"), "&& has no meaning here", "words are joined by and anyway"),
    (re.compile(r"\\"), "\\ has no meaning here", "inside /…/ it has"),
)


@dataclass(frozen=True, slots=True)
class _Mark:
    """A bracket or an operator."""

    sign: str
    column: int


def parse(text: str) -> Query:
    """The typed query for `text`; raises `QueryError` where it cannot be understood."""
    if len(text) > MAX_QUERY:
        raise QueryError(f"a query has at most {MAX_QUERY} characters", text[:80] + "…", 0)
    if ruling := _lone_id(text):
        return Query(text, FieldTerm("id", ruling, len(text) - len(text.lstrip())))
    items, notes = _drop_noise(_scan(text))
    if not items:
        raise QueryError("there is nothing to search for", text, 0, "try: energy symbol")
    if len(items) > MAX_ITEMS:
        raise QueryError(f"a query has at most {MAX_ITEMS} parts", text, 0)
    parser = _Parser(text, items)
    return Query(text, parser.whole(), notes)


def _lone_id(text: str) -> str | None:
    """The id that is the whole query. Only with its hyphen: `reanimate` has the letters of one too."""
    return parse_id(text) if text.strip()[:2].lower() == "r-" else None


def as_words(text: str) -> Query:
    """`text` as a question of plain words: every sign but a token's own is punctuation. Raises `QueryError` where it
    holds no word at all."""
    text = text[:MAX_QUERY]
    found = [Word(token.text, token.start) for token in tokenize(text) if not token.joined][:MAX_ITEMS]
    if not found:
        raise QueryError("there is nothing to search for", text, 0, "try: energy symbol")
    return Query(text, found[0] if len(found) == 1 else And(tuple(found)))


class _Parser:
    def __init__(self, text: str, items: list[Node | _Mark]) -> None:
        self.text = text
        self.items = items
        self.at = 0
        self.depth = 0

    def peek(self) -> str:
        """The sign of the bracket or operator here, `item` for anything else, empty at the end."""
        if self.at >= len(self.items):
            return ""
        item = self.items[self.at]
        return item.sign if isinstance(item, _Mark) else "item"

    def column(self) -> int:
        item = self.items[self.at] if self.at < len(self.items) else None
        return len(self.text) if item is None else getattr(item, "column", 0)

    def error(self, message: str, hint: str = "", column: int | None = None) -> QueryError:
        return QueryError(message, self.text, self.column() if column is None else column, hint)

    def whole(self) -> Node:
        node = self.either()
        if self.peek() == ")":
            raise self.error("this ) closes nothing", 'brackets in a text go between quotation marks: ")"')
        return node

    def either(self) -> Node:
        nodes = [self.every()]
        while self.peek() == "OR":
            self.at += 1
            nodes.append(self.every())
        return nodes[0] if len(nodes) == 1 else Or(tuple(nodes))

    def every(self) -> Node:
        nodes: list[Node] = [self.single()]
        while self.peek() not in ("", "OR", ")"):
            if self.peek() == "AND":
                self.at += 1
            node = self.single()
            nodes += node.nodes if isinstance(node, And) else (node,)
        return nodes[0] if len(nodes) == 1 else And(tuple(nodes))

    def single(self) -> Node:
        sign, column = self.peek(), self.column()
        if sign in ("NOT", "-"):
            self.at += 1
            self._deeper(column)
            node = Not(self.single(), column)
            self.depth -= 1
            return node
        if sign == "(":
            self.at += 1
            self._deeper(column)
            if self.peek() == ")":
                raise self.error("there is nothing between these brackets", column=column)
            node_in = self.either()
            if self.peek() != ")":
                raise self.error("this ( is never closed", "add a )", column)
            self.at += 1
            self.depth -= 1
            return node_in
        if sign in ("AND", "OR", ")", ""):
            if sign in ("", ")"):
                last = self.items[self.at - 1] if self.at else None
                where = getattr(last, "column", 0)
                what = last.sign if isinstance(last, _Mark) else "this"
                raise self.error(f"something is missing after {what}", "an operator stands between words", where)
            raise self.error(f"something is missing before {sign}", f"as a word, write {sign.lower()}")
        item = self.items[self.at]
        self.at += 1
        assert not isinstance(item, _Mark)
        return item

    def _deeper(self, column: int) -> None:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self.error(f"brackets and negations go {MAX_DEPTH} deep at most", column=column)


def _drop_noise(items: list[Node | _Mark]) -> tuple[list[Node | _Mark], tuple[str, ...]]:
    """`rule`, `CR`, `§`, `No.` before a rule number go; a bare section (`rule 702`) becomes a rule number."""
    kept: list[Node | _Mark] = []
    notes = []
    for item in items:
        number = item.number if isinstance(item, RuleWord) else None
        previous = kept[-1] if kept else None
        noise = isinstance(previous, Word) and previous.text in _NOISE
        if number is None and noise and isinstance(item, Word) and re.fullmatch(r"[1-9]\d\d", item.text):
            number, item = item.text, RuleWord(item.text, False, item.column)
        if number and noise:
            while kept and isinstance(word := kept[-1], Word) and word.text in _NOISE:
                kept.pop()
                if any(char.isalpha() for char in word.text):
                    notes.append(f"“{word.text}” before {number} is not searched for")
        kept.append(item)
    # A § or # that precedes no number is a sign like any other.
    return [item for item in kept if not (isinstance(item, Word) and not TOKEN.match(item.text))], tuple(notes)


def _scan(text: str) -> list[Node | _Mark]:
    items: list[Node | _Mark] = []
    i = 0
    while i < len(text):
        char = text[i]
        if char.isspace():
            i += 1
        elif char in "()":
            items.append(_Mark(char, i))
            i += 1
        elif char in _QUOTES:
            i = _phrase(text, i, items)
        elif text[i : i + 2] == "//" and not text[i + 2 : i + 3].strip():
            i += 2  # between the faces of a card: Fire // Ice
        elif char == "/" and text[i + 1 : i + 2].strip():
            i = _pattern(text, i, items)
        elif char == "-" and (i + 1 < len(text)) and not _AMOUNT.match(text, i) and not text[i + 1].isspace():
            if text[i + 1] == "-":
                i += len(text[i:]) - len(text[i:].lstrip("-"))
            else:
                items.append(_Mark("-", i))
                i += 1
        else:
            i = _chunk(text, i, items)
    return items


def _quoted(text: str, start: int) -> tuple[str, int]:
    """What stands between the quotation mark at `start` and the next one, and the offset after that."""
    end = start + 1
    while end < len(text) and text[end] not in _QUOTES:
        end += 1
    if end >= len(text):
        raise QueryError("this quotation mark is never closed", text, start, 'add a " at the end of the phrase')
    return text[start + 1 : end], end + 1


def _phrase(text: str, start: int, items: list[Node | _Mark]) -> int:
    inside, end = _quoted(text, start)
    tokens = tuple(words(inside))
    near = re.compile(r"~(\d{1,4})").match(text, end)
    if not tokens:
        raise QueryError("there is no word between these quotation marks", text, start)
    if near:
        distance = int(near[1])
        if distance > MAX_NEAR:
            raise QueryError(f"words can be at most {MAX_NEAR} apart", text, end, f'write "…"~{MAX_NEAR}')
        items.append(Near(tokens, distance, start) if len(tokens) > 1 else Phrase(tokens, start))
        return near.end()
    items.append(Phrase(tokens, start))
    return end


def _pattern(text: str, start: int, items: list[Node | _Mark]) -> int:
    end = start + 1
    while end < len(text) and text[end] != "/":
        end += 2 if text[end] == "\\" else 1
    if end >= len(text):
        raise QueryError(
            "this pattern is never closed",
            text,
            start,
            "a pattern stands between / and /; as a sign, put a space after it",
        )
    source = text[start + 1 : end]
    if wrong := patterns.fault(source):
        raise QueryError(f"bad pattern: {wrong[1]}", text, start + 1 + wrong[0], "see rulings search --help")
    items.append(Pattern(source, start))
    return end + 1


def _chunk(text: str, start: int, items: list[Node | _Mark]) -> int:
    end = start
    while end < len(text) and not text[end].isspace() and text[end] not in "()" and text[end] not in _QUOTES:
        end += 1
    chunk = text[start:end]
    if chunk in _OPERATORS:
        items.append(_Mark(chunk, start))
        return end
    if found := _FIELD.match(text, start):
        name, operator = found[1].lower(), found[2]
        at = found.end()
        if name in fields.FIELDS:
            if at < len(text) and text[at] in _QUOTES:
                value, end = _quoted(text, at)
            else:
                value = text[at:end] if at < end else text[at : at + 1]
            items.append(fields.read(name, operator, value, text, start, at))
            return max(end, at)
        if operator == ":" or len(name) > 2:
            raise fields.unknown(found[1], text, start)
    bare = chunk.rstrip(_ENDING)
    if "*" in bare and not TOKEN.fullmatch(fold(bare)) and any(c.isalnum() for c in bare):
        items.append(_wild(bare, text, start))
        return end
    if fuzzy := re.fullmatch(r"([^\W_]+(?:['’-][^\W_]+)*)~([12])?", bare):
        word = "".join(words(fuzzy[1]))
        items.append(Fuzzy(word, int(fuzzy[2] or (1 if len(word) < 8 else 2)), start))
        return end
    for odd, message, hint in _ODD:
        if wrong := odd.search(chunk):
            raise QueryError(message, text, start + wrong.end() - 1, hint)
    items += _words(chunk, start, bare)
    return end


def _wild(bare: str, text: str, start: int) -> Wild:
    stripped = bare.lstrip("'([{")
    if not _WILD.fullmatch(stripped):
        raise QueryError("a wildcard word has letters, digits and * only", text, start, 'a * as a sign: "*/*"')
    pattern = re.sub(r"\*+", "*", fold(stripped))
    if sum(char.isalnum() for char in pattern) < 2:
        raise QueryError("this wildcard fits too many words", text, start, "give at least two letters")
    return Wild(pattern, start)


def _words(chunk: str, start: int, bare: str) -> list[Node | _Mark]:
    """The loose words of a run without spaces: parts tied by hyphens, or symbols in a row, make one `Compound`."""
    if chunk.lower() in _NOISE and not TOKEN.fullmatch(chunk.lower()):
        return [Word(chunk.lower(), start)]
    found: list[Node | _Mark] = []
    joined = {token.position: token for token in tokenize(chunk) if token.joined}
    tokens = [token for token in tokenize(chunk) if not token.joined]
    i = 0
    while i < len(tokens):
        token = tokens[i]
        whole = joined.get(i)
        stop = i + 1
        if whole:
            while stop < len(tokens) and tokens[stop].end <= whole.end:
                stop += 1
        elif token.text[0] == "{":
            while stop < len(tokens) and tokens[stop].text[0] == "{" and tokens[stop].start == tokens[stop - 1].end:
                stop += 1
        column = start + token.start
        if stop > i + 1:
            parts = tuple(part.text for part in tokens[i:stop])
            found.append(Compound(parts, whole.text if whole else None, column))
        elif whole:
            found.append(Compound((token.text,), whole.text, column))
        elif token.text == "~":
            found.append(OwnName(column))
        elif is_rule_number(token.text):
            found.append(RuleWord(token.text, False, column))
        else:
            found.append(Word(token.text, column))
        i = stop
    return found


def help_text() -> str:
    """The language on one screen, from the tables."""
    lines = []
    for form in SYNTAX:
        lines += [f"  {form.name:<15} {form.means}", f"  {'':<15} {'   '.join(form.examples)}"]
    lines.append("")
    for field in fields.FIELDS.values():
        lines += [f"  {field.name + ':':<15} {field.finds}", f"  {'':<15} {'   '.join(field.examples)}"]
    return "\n".join(lines)
