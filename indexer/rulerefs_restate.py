"""How far a ruling only reads its card out, or is a note on printing, art or the story, which no rule bears on."""

from __future__ import annotations

import re
from collections.abc import Callable

_NOTES = re.compile(
    r"https?://|\bart(?:work|ist)?\b|\billustrat|\bprint(?:ing|ings|ed (?:with|on this|version))|\bpromo\b|\bstory\b"
    r"|\bsocial media\b|\bfoil\b|\bframes?\b|\bgame pack|\bbooster|\bisn't required for play|\bsmall items\b"
    r"|\bstickers? sheet"
    r"|\bfloor rules\b|\btournament\b.*\blegal\b|\b(?:legal|banned) in\b"
)


def is_note(folded: str) -> bool:
    """Whether a folded ruling in lower case is a note on printing, art or the story."""
    return bool(_NOTES.search(folded))


def share_on_card(said: frozenset[str], on_card: frozenset[str], weigh: Callable[[str], float]) -> float:
    """How much of what a ruling says (`said`, its terms) stands in the card's rules text and type line (`on_card`),
    0 where no card is known; `weigh` tells rare terms from common ones."""
    return sum(map(weigh, said & on_card)) / sum(map(weigh, said)) if said and on_card else 0.0
