"""What is wrong with a wording: lost symbols, split hybrids, cut starts, fused words, and the like.

Each detector gives its reason. None repairs anything; `is_damaged` says which kinds mean that the wording must not
be the canonical one. The texts are expected to be normalised (`indexer.normalise`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from indexer.attachment import attachment
from indexer.fused import fused_words
from indexer.normalise import Normalised, normalise
from rulings.model import Card
from rulings.names import CardIndex
from rulings.symbols import find_symbols


@dataclass(frozen=True, slots=True)
class Damage:
    """One fault of a wording. `kind` is stable, `reason` is for people and quotes what was found."""

    kind: str
    reason: str
    severity: str = "error"  # "error" | "warning"


DAMAGED = frozenset({"symbol-loss", "truncated-start", "mojibake", "html-left", "fused-words", "hybrid-split"})
"""Kinds that make a wording lose against an undamaged one of the same ruling."""


def is_damaged(kinds: Iterable[str]) -> bool:
    """Whether one of these kinds makes a wording unfit to be the canonical one."""
    return not DAMAGED.isdisjoint(kinds)


def damage(
    text: str,
    *,
    own_names: Sequence[str] = (),
    card: Card | None = None,
    index: CardIndex | None = None,
) -> tuple[Damage, ...]:
    """All faults of `text`, each kind once. `own_names`: what the card is called (`rulings.names.own_names`); `card`
    and `index`: what is known of it and of all cards, where that is known."""
    found: list[Damage] = []
    encoding = normalise(text) if not text.isascii() or "&" in text or "<" in text else Normalised(text)
    if encoding.refused:
        found.append(Damage("mojibake", encoding.refused))
    for warning in encoding.warnings:
        kind, _, reason = warning.partition(": ")
        found.append(Damage(kind, reason, "warning"))
    if "html-tag" in encoding.steps or "html-entity" in encoding.steps:
        found.append(Damage("html-left", "HTML was left in the text", "warning"))
    if lost := lost_symbol(text):
        found.append(Damage("symbol-loss", lost))
    elif cut := truncated_start(text, own_names):
        found.append(Damage("truncated-start", cut))
    if fused := fused_words(text):
        found.append(Damage("fused-words", fused))
    if match := _SPACE_BEFORE.search(text):
        found.append(Damage("space-before-punctuation", f"a space before {match.group(1)!r}", "warning"))
    if card is not None and (split := hybrid_split(text, card)):
        found.append(Damage("hybrid-split", split, "warning"))
    if index is not None and own_names and (elsewhere := attachment(text, own_names, card, index)):
        found.append(Damage("attachment-suspect", elsewhere, "warning"))
    return tuple({one.kind: one for one in reversed(found)}.values())[::-1]


# --- lost symbols ---

# Where a symbol image was dropped, the words around it close up: "one or more , you get", "pay any even if".
_COST_WORD = (
    "of|more|any|get|gets|pay|pays|paying|paid|costs?|add|adds|adding|has|have|had|with|the|a|an|or|and|than|produces?"
    "|producing|for|is|are|be|to|by|spend|spending|includes?|including|contains?|additional|its|their|each|only|just"
    "|use|uses|without|ward|example|as|on|multiple|much|would|below|from|plus"
)
# Each fault: words one of which must be there (so that most texts are told at once), its pattern, and what to say.
_LOST: tuple[tuple[tuple[str, ...], re.Pattern[str], str], ...] = tuple(
    (tuple(hints.split("|")), re.compile(pattern), what)
    for hints, pattern, what in (
        (
            " ,| .| ;| :| )",
            rf"(?i)\b(?:{_COST_WORD}) [,.;:)](?!\d| ?\.)",
            "nothing stands before the punctuation in {!r}",
        ),
        (
            "or,|or ,|and,|and ,|example, ,|of,|of ,|than,|than ,|more,|more ,",
            r"(?i)\b(?:or|and|example,|of|than|more) ?, ?,|\b(?:or|of|than) ,",
            "nothing stands between the commas in {!r}",
        ),
        (
            ', ,|(,|( ,|, )|“:|“,|“ :|“ ,| ": |+ |+.|= ,|= .|=.',
            r", ,|\(\s*,|, \)|“ ?[:,]|(?<=\s)\": (?=[A-Z])|[+=] ?[.,;)=]",
            "nothing stands between the marks in {!r}",
        ),
        ("is|are|represents|stands|means", r"^(?:is|are|represents|stands|means)\b", "the text begins with {!r}"),
        (" symbol", r"(?<=[.!?] )(?:[Ii]s|[Rr]epresents) (?:the|a|an) \w+ symbol\b", "a sentence begins with {!r}"),
        (
            " in its| in their| in his| in her| in that| in a ",
            r"(?i)\b(?:has|have|had|with|an?|the|treat|instances?|contains?|more) in (?:its|their|his|her|that|a) "
            r"(?:\w+ )?(?:mana |activation |total |kicker |equip )?costs?\b",
            "nothing stands before 'in' in {!r}",
        ),
        (
            "cost to |costs to ",
            r"(?i)\b(?:will|would|’ll|'ll|might) costs? to (?:cast|activate|equip|cycle)\b",
            "no cost stands in {!r}",
        ),
        (
            "costs less|costs more",
            r"\b(?:spell|ability|abilities|it|card|that) costs (?:less|more) to (?:cast|activate)\b",
            "no amount stands in {!r}",
        ),
        (
            "amount of |amounts of |value of ",
            r"(?i)\b(?:amounts?|value) of (?:as|and|is|you|describes?|if|when|until|before|after|during|to|for|or|it"
            r"|even|multiple|only|once|may|can|can['’]t|they|from)\b",
            "nothing stands after 'of' in {!r}",
        ),
        (
            " any ",
            r"(?i)\b(?:pay|pays|get|gets|spend|lose) any (?:even|if|as|when|and|or|until|unless|because|before)\b",
            "nothing stands after 'any' in {!r}",
        ),
        (
            "give|gave|giving",
            r"(?i)\b(?:gives?|gave|giving) (?:you|players?|that player) (?:may|might|require|could|would|when|if)\b",
            "nothing is given in {!r}",
        ),
        (
            "one or more ",
            r"(?i)\bone or more (?:when|if|to|as|while|this way|at|during)\b",
            "nothing stands after 'more' in {!r}",
        ),
        (
            " pay ",
            r"(?i)\b(?:may|choose to|chose to|whether to|can['’]t) pay (?:as(?! you cast| part)|until|and sacrifice"
            r"|only once|multiple times|more than once|even)\b",
            "nothing is paid in {!r}",
        ),
        (
            " an additional ",
            r"(?i)\bpay(?:s|ing)? an additional (?:for|the|each|to|as|when|if|and)\b",
            "no amount stands in {!r}",
        ),
        (
            " paying ",
            r"(?i)\b(?:by|of|after|before) paying (?:or|and|rather|as|to cast|this way|multiple|more)\b",
            "nothing is paid in {!r}",
        ),
        (
            " symbol ",
            r"(?i)\b(?:the|an?) symbol (?:is|in|means|represents|can be) (?!same)",
            "no symbol stands in {!r}",
        ),
        (
            "add |to add",
            r"(?i)\badd (?:for|instead of|if|and|as|when)\b(?! (?:the|to|subtract|remove))|\bhow much to add\b",
            "nothing is added in {!r}",
        ),
        (
            " than to |less than ",
            r"(?i)\b(?:less|more) than to (?:cast|activate)|\bless than (?:this way|even)\b",
            "no amount stands in {!r}",
        ),
    )
)


def lost_symbol(text: str) -> str | None:
    """Why `text` looks as if a symbol had been lost from it, None if it does not."""
    low = text.lower()
    for hints, pattern, what in _LOST:
        for hint in hints:
            if hint in low:
                if match := pattern.search(text):
                    return "a symbol seems lost: " + what.format(match.group().strip())
                break
    return None


_SPACE_BEFORE = re.compile(r"(?<=[\w\"”’')\]}]) ([,.;:])(?![\w.]| ?\.)")  # ". . ." is a way to write an ellipsis

# --- cut starts ---

_FRAGMENT = re.compile(r"[,.;:)\]!?]|[a-z]")


def truncated_start(text: str, own_names: Sequence[str] = ()) -> str | None:
    """Why `text` looks as if its first characters were cut off, None if it does not."""
    start = text.lstrip("\"'“‘(")
    if not start or not _FRAGMENT.match(start) or start.startswith(("...", "http", "…")):
        return None
    if any(start.startswith(name) for name in own_names):
        return None
    return f"begins in the middle: {text[:30]!r}"


# --- hybrids ---


def hybrid_split(text: str, card: Card) -> str | None:
    """Why a cost in `text` looks like the card's own with its hybrid symbols split: `{B}{G}` for `{B/G}`."""
    costs = {cost for cost in (card.mana_cost, *(face.mana_cost for face in card.faces)) if "/" in cost}
    for cost in sorted(costs):
        codes = [code for _, _, code in find_symbols(cost)]
        split = "".join("{" + part + "}" for code in codes for part in code.split("/"))
        if split in text and cost not in text:
            return f"{split} stands where the cost is {cost}"
    return None
