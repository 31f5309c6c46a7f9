"""How a wording is read before it is compared: damage of form undone, words, symbols, pointers at own abilities.

In: a masked text (`~` for the card's own name). Out: a `Reading`, made once for each text. Pure; no cards, no dates.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from functools import lru_cache

from indexer.dedupe.lexicon import lexicon
from rulings.symbols import NUMBER_WORDS, fold_symbols
from rulings.text import plain

_TAG = re.compile(r"</?(?:br|i|b|em|p|strong|span|u|div|li|ul)\b[^<>]{0,80}>", re.IGNORECASE)
_BREAK = re.compile(r"(?:<br\s*/?>|</p>)", re.IGNORECASE)
_MOJIBAKE = re.compile("[ÂÃâ][\u0080-\u00ff\u0152-\u02dc\u2013-\u2122]+")
_ROUND_SYMBOL = re.compile(r"(?<![\w)])((?:\((?:[WUBRGCEXQTS]|\d{1,2})\))+)(?!\w)")
_SQUARE_SYMBOL = re.compile(r"\[([WUBRGCEXTQ])\](?!\w)")
_O_SYMBOL = re.compile(r"(?<![\w'])(?:o(?:[WUBRGXYZTECSPQ]|\d{1,2}))+(?!\w)")
"""Symbols as the first rulings wrote them: `oX`, `o2oU`."""
_COLON_SYMBOL = re.compile(r":(?:mana|sym)?-?([wubrgcexqts]|\d{1,2}):", re.IGNORECASE)

_TOKEN = re.compile(
    r"\{[^{}\s]{1,12}\}|~s?(?:'s(?![^\W_])|')?|[+\-−–]?\d+/[+\-−–]?\d+|(?<![\w)])[+\-−–](?:\d+|X)\b|\d+(?:[.,]\d+)*"
    r"|[^\W\d_]+(?:'[^\W\d_]+)*|[.!?:;]|[^\w\s]"
)
_PLACEHOLDER = re.compile(
    r"\[(this|that)(?: (?:creature|permanent|artifact|land|card|enchantment|token|object))?\]", re.IGNORECASE
)
"""`"as [this creature] enters"`, `"as [this] enters"`: what stands in brackets is filled in by the reader."""
_NAME = r"(?:[A-Z][\w'-]*|~)(?:,? (?:(?:of|the|and|or|to|in|from) )*[A-Z][\w'-]*)*"
_ASIDE = re.compile(
    r"\((?:such as|like|as|e\.g\.,?|for example,?|for instance,?) [^()]*\)"  # (such as Stifle)
    r"|\((?:most likely|perhaps|probably|possibly|usually) [^()]*\)"  # (perhaps because ...)
    r"|\(the one that [^()]*\)"  # the second ability (the one that lets you cast the card)
    r"|\((?:a|an) card (?:from|type) [^()]*\)"  # The Ozolith (a card from ...)
    r"|\bsuch as [a-z]+ costs?\b"  # additional costs such as kicker costs
    r"|,\"? such as [^.;()]*?(?=[.;()]|, (?![A-Z])|$)"  # costs, such as kicker costs, ...
    rf"|\bsuch as (?:that of |those of |the effects? of |an effect of )?{_NAME}(?:'s?)?(?: \w+ability)?"
)
_LIST = re.compile(r"(?<=\w), (?=(?:[a-z]+, ){1,6}(and/or|and|or) (?!so\b)[a-z])")
"""A comma that stands for the "or" or "and" at the end of a list of single words."""
_ACCENTS = str.maketrans(
    "àáâãäåçèéêëìíîïñòóôõöùúûüýÿøðłÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÑÒÓÔÕÖÙÚÛÜÝØ",
    "aaaaaaceeeeiiiinooooouuuuyyodlAAAAAACEEEEIIIINOOOOOUUUUYO",
)
_CONTRACTIONS: dict[str, tuple[str, ...]] = {
    "can't": ("can", "not"), "cannot": ("can", "not"), "won't": ("will", "not"), "shan't": ("will", "not"),
    "let's": ("let", "us"), "it's": ("it", "is"), "that's": ("that", "is"), "there's": ("there", "is"),
    "he's": ("he", "is"), "she's": ("she", "is"), "what's": ("what", "is"), "who's": ("who", "is"),
    "it'll": ("it", "will"), "dont": ("do", "not"), "cant": ("can", "not"), "doesnt": ("does", "not"),
    "isnt": ("is", "not"), "wont": ("will", "not"),
}  # fmt: skip
_ENDINGS = {"'re": "are", "'ll": "will", "'ve": "have", "'d": "would", "'m": "am"}
_NUMBERS = {word: str(value) for value, word in enumerate(NUMBER_WORDS)}
_NOT_WORDS = frozenset(".!?:;,()[]\"-–—…•*+/&%$#@<>=_|\\{}™®½'")

ORDINALS = frozenset("first second third fourth fifth sixth last middle final other two three both next".split())
ABILITY_KINDS = frozenset(
    "triggered activated static loyalty chapter i ii iii iv v enters enter replacement reflexive".split()
)
_LOCATING = ORDINALS | ABILITY_KINDS
SELF_NOUNS = frozenset(
    "creature permanent card spell artifact enchantment land aura equipment vehicle planeswalker".split()
)
"""What a card may call itself after "this"."""
_TOLD = (["that"], ["which"])
"""After "the ability": one that is told of, as in "the ability that caused it to trigger", and not the card's own."""
_POINTS = frozenset(("this", "the", "its", "their", "that", "these", "those"))
_OPENERS = frozenset('"“([')


@dataclass(frozen=True, slots=True)
class Reading:
    """A wording as it is compared.

    `text`: form damage undone. `plainly`: the words without spaces, punctuation and case; equal for wordings that
    are *same* by form alone. `keys`: the words to align, in the newest terms, `~` also for "~'s first ability".
    `forms`: what stood there, one for each key. `pointers`: for a key `~`, how it points at an own ability.
    `sentence`: the number of the sentence of each key. `named`: the key is part of a capitalised name. `aside`: the
    words of all "such as ...", which are no keys; `holes`: the keys before which they stood. `bracketed`: the keys in
    parentheses. `content`: the keys that carry an answer. `ranges`:
    from which to which key each sentence goes; `worked`: the sentences of worked examples.
    """

    text: str
    plainly: str
    keys: tuple[str, ...]
    forms: tuple[str, ...]
    pointers: dict[int, frozenset[str]]
    sentence: tuple[int, ...]
    named: frozenset[int]
    aside: tuple[str, ...]
    holes: frozenset[int]
    bracketed: frozenset[int]
    content: frozenset[str]
    ranges: tuple[tuple[int, int], ...]
    worked: frozenset[int]


def filled(text: str) -> str:
    """`text` with one word for all that a reader fills in: "[this creature]", "[this]"."""
    return _PLACEHOLDER.sub(r"[\1 object]", text) if "[" in text else text


def undamaged(text: str) -> str:
    """`text` without the marks that tools leave: entities, tags, mojibake, symbols in another form; and `filled`."""
    if "&" in text:
        text = html.unescape(text)
    if "<" in text:
        text = _TAG.sub("", _BREAK.sub(" ", text))
    if _MOJIBAKE.search(text):
        text = _MOJIBAKE.sub(_decode_again, text)
    text = plain(text)
    if "(" in text and not ("(1)" in text and "(2)" in text):  # a list by number is no cost
        text = _ROUND_SYMBOL.sub(lambda m: m.group(1).replace("(", "{").replace(")", "}"), text)
    text = filled(text)
    if "[" in text:
        text = _SQUARE_SYMBOL.sub(r"{\1}", text)
    text = _O_SYMBOL.sub(lambda m: re.sub(r"o([A-Z]|\d+)", r"{\1}", m.group()), text)
    if ":" in text:
        text = _COLON_SYMBOL.sub(lambda m: "{" + m.group(1).upper() + "}", text)
    return plain(fold_symbols(text)[0]) if "{" in text or "/" in text else text


def _decode_again(match: re.Match[str]) -> str:
    for codec in ("cp1252", "latin-1"):
        try:
            return match.group().encode(codec).decode()
        except (UnicodeEncodeError, UnicodeDecodeError):
            continue
    return match.group()


@lru_cache(maxsize=1 << 16)
def _words(token: str) -> tuple[str, ...]:
    """One token as compared words: lower case, contractions written out, the possessive split off."""
    low = token.lower().translate(_ACCENTS)
    if low in _CONTRACTIONS:
        return _CONTRACTIONS[low]
    if "'" in low:
        if low.endswith("n't"):
            return (low[:-3], "not")
        if low.endswith("'s"):
            return (low[:-2], "'s")
        if low.endswith("'"):
            return (low[:-1], "'s")
        for ending, word in _ENDINGS.items():
            if low.endswith(ending):
                return (low[: -len(ending)], word)
        return (low.replace("'", ""),)
    if low in _NUMBERS:
        return (_NUMBERS[low],)
    return (low.replace("−", "-").replace("–", "-"),)


_IRREGULAR = {
    "copies": "copy", "abilities": "ability", "has": "have", "does": "do", "goes": "go", "dies": "die",
    "libraries": "library", "dying": "die", "died": "die", "copied": "copied", "themselves": "itself",
    "those": "that", "these": "this", "men": "man", "werewolves": "werewolf", "elves": "elf", "dwarves": "dwarf",
    "halves": "half", "thieves": "thief", "wolves": "wolf", "this": "this", "its": "its", "is": "is", "was": "was",
    "as": "as", "us": "us", "always": "always", "plus": "plus", "minus": "minus", "less": "less",
    "unless": "unless", "across": "across", "plains": "plains", "~s": "~", "trigged": "triggered",
    "sorceries": "sorcery",
}  # fmt: skip


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """Singular of a plural, base of a third person: `creatures` -> `creature`, `triggers` -> `trigger`."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is", "'s")):
        if word.endswith("ies") and len(word) > 4:
            return word[:-3] + "y"
        if word.endswith(("ches", "shes", "sses", "xes", "zzes")):
            return word[:-2]
        return word[:-1]
    return word


def read(masked: str) -> Reading:
    """Reads one masked text."""
    text = undamaged(masked)
    words: list[str] = []
    sentences: list[int] = []
    capital: list[bool] = []
    asides: list[bool] = []
    brackets: list[bool] = []
    in_passing = [found.span() for found in _ASIDE.finditer(text)]
    joints = {found.start(): found.group(1) for found in _LIST.finditer(text)}
    unsaid: set[int] = set()
    number = depth = 0
    starts = True
    for match in _TOKEN.finditer(text):
        token = match.group()
        aside = any(low <= match.start() < high for low, high in in_passing)
        brackets += [depth > 0] * (len(words) - len(brackets))
        if token in _NOT_WORDS:
            depth = max(0, depth + (token == "(") - (token == ")"))
            if token in ".!?":
                nxt = text[match.end() : match.end() + 1]
                if nxt in ("", " ", '"', ")", "]"):
                    number += bool(words) and sentences[-1] == number
                    starts = True
            elif token in ":;—" or token in _OPENERS:
                starts = True
            elif match.start() in joints:
                unsaid.add(len(words))
                words.append(joints[match.start()].partition("/")[0])
                sentences.append(number)
                capital.append(False)
                asides.append(aside)
            elif token == "'" and words and words[-1].endswith("s"):
                words.append("'s")
                sentences.append(number)
                capital.append(False)
                asides.append(aside)
            continue
        named = not starts and token[0].isupper() and token.lower() != token and len(token) > 1
        for word in _words(token):
            words.append(word)
            sentences.append(number)
            capital.append(named and word != "'s")
            asides.append(aside)
        starts = False
    brackets += [False] * (len(words) - len(brackets))
    plainly = "".join(word for place, word in enumerate(words) if place not in unsaid)
    return _reading(text, plainly, words, sentences, capital, asides, brackets)


def _reading(
    text: str,
    plainly: str,
    words: list[str],
    sentences: list[int],
    capital: list[bool],
    asides: list[bool],
    brackets: list[bool],
) -> Reading:
    lex = lexicon()
    keys: list[str] = []
    forms: list[str] = []
    place: list[int] = []
    aside: list[str] = []
    holes: set[int] = set()
    bracketed: set[int] = set()
    named: set[int] = set()
    pointers: dict[int, frozenset[str]] = {}
    newest, said, origin = _newest_terms(words)
    at, end = 0, len(newest)
    while at < end:
        if asides[origin[at]]:
            aside.append(newest[at])
            holes.add(len(keys))
            at += 1
            continue
        if brackets[origin[at]]:
            bracketed.add(len(keys))
        place.append(sentences[origin[at]])
        taken = _pointer(newest, at)
        if taken:
            length, how = taken
            pointers[len(keys)] = how
            keys.append("~")
            forms.append(" ".join(newest[at : at + length]))
            at += length
            continue
        if capital[origin[at]]:
            named.add(len(keys))
        keys.append(stem(newest[at]))
        forms.append(said[at])
        at += 1
    content = frozenset(k for k in keys if k not in lex.function and k != "~")
    ranges = _sentence_ranges(place)
    return Reading(
        text=text,
        plainly=plainly,
        keys=tuple(keys),
        forms=tuple(forms),
        pointers=pointers,
        sentence=tuple(place),
        named=frozenset(named),
        aside=tuple(aside),
        holes=frozenset(holes),
        bracketed=frozenset(bracketed),
        content=content,
        ranges=tuple(ranges),
        worked=_worked(keys, place, ranges),
    )


def _sentence_ranges(sentence: list[int]) -> list[tuple[int, int]]:
    ranges: list[tuple[int, int]] = []
    for place, number in enumerate(sentence):
        if ranges and sentence[place - 1] == number:
            ranges[-1] = (ranges[-1][0], place + 1)
        else:
            ranges.append((place, place + 1))
    return ranges


def _worked(keys: list[str], sentence: list[int], ranges: list[tuple[int, int]]) -> frozenset[int]:
    """The sentences of worked examples: from "For example, ..." on, as long as they speak of "it"."""
    zone: set[int] = set()
    before = -1
    for low, _ in ranges:
        number = sentence[low]
        counts_on = tuple(keys[low : low + 3]) in (("if", "you", "tap"), ("you", "will", "have"))
        goes_on = before in zone and (keys[low] in ("it", "while") or counts_on)
        if keys[low : low + 2] == ["for", "example"] or goes_on:
            zone.add(number)
        before = number
    return frozenset(zone)


def _newest_terms(words: list[str]) -> tuple[list[str], list[str], list[int]]:
    """`words` with old terms written as the newest ones; what stood there; where each word came from."""
    phrases = lexicon().phrases
    newest: list[str] = []
    said: list[str] = []
    origin: list[int] = []
    at, end = 0, len(words)
    while at < end:
        word = words[at]
        if word == "the" and (owned := _genitive(words, at)):
            newest += owned
            said += [" ".join(words[at : at + len(owned) + 1])] * len(owned)
            origin += [at] * len(owned)
            at += len(owned) + 1
            continue
        for old, new in phrases.get(word, ()):
            if tuple(words[at : at + len(old)]) == old:
                newest += new
                said += [" ".join(old)] * len(new)
                origin += [at] * len(new)
                at += len(old)
                break
        else:
            newest.append(word)
            said.append(word)
            origin.append(at)
            at += 1
    return newest, said, origin


_OWNERS = frozenset("controller owner protector".split())
_DETERMINERS = frozenset("the that this a an".split())


def _genitive(words: list[str], at: int) -> list[str]:
    """ "The controller of that creature" as "that creature's controller"; empty where it is something else."""
    part = words[at + 1 : at + 7]
    if len(part) < 4 or part[0] not in _OWNERS or part[1] != "of" or part[2] not in _DETERMINERS:
        return []
    noun = 4 if part[3] in lexicon().droppable else 3  # "of the target creature"
    if part[noun : noun + 1] == [] or lexicon().kinds.get(part[noun]) != "type" or part[noun + 1 :][:1] in _GOES_ON:
        return []
    return [*part[2 : noun + 1], "'s", part[0]]


_GOES_ON = (["or"], ["and"], ["'s"])


def _pointer(words: list[str], at: int) -> tuple[int, frozenset[str]] | None:
    """A pointer at one of the card's own abilities that begins at `at`: how many words, and what it says.

    "~'s first ability", "its last ability", "the triggered ability of ~", "this ability". "First triggered ability
    of suspend" and "a triggered ability" are no pointers.
    """
    word = words[at]
    count = len(words)
    function = lexicon().function
    if word in ("~", "~s"):
        if at + 1 < count and words[at + 1] == "'s":
            begin = at + 2
        else:
            return None
    elif word in _POINTS:
        begin = at + 1
        named = ("~",) if word != "this" else ("~", *SELF_NOUNS)
        if begin + 1 < count and words[begin] in named and words[begin + 1] == "'s":
            begin += 2
    else:
        return None
    how: list[str] = []
    own = word in ("~", "~s", "its") or begin == at + 3
    while begin < count and len(how) < 4:
        current = words[begin]
        if current in ("ability", "abilities"):
            begin += 1
            if begin < count and words[begin] == "of":
                if begin + 1 < count and words[begin + 1] in ("~", "~s"):
                    begin += 2
                elif begin + 1 < count and ORDINALS & set(how) and lexicon().kinds.get(words[begin + 1]) == "keyword":
                    how.append(words[begin + 1])
                    begin += 2
                elif how and word not in ("~", "~s", "its", "their"):
                    return None
            if "mana" in how or (not how and not own and words[begin : begin + 1] in _TOLD):
                return None
            return begin - at, frozenset(w for w in how if w not in ("own",))
        if current == "emblem" or (current in ("'s", "own") and (own or words[begin - 1] == "emblem")):
            how += [current] if current == "emblem" else []
            begin += 1
            continue
        if current == "mode" and how and own:
            return begin + 1 - at, frozenset(w for w in how if w in ORDINALS)
        if current in _LOCATING or (own and current.isalpha() and current not in function):
            how.append(current)
            begin += 1
            continue
        return None
    return None
