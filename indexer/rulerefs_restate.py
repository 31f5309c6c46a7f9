"""How far a ruling only reads its card out: the evidence that a rule must have before it is named.

The more of a ruling's words stand in the card's own rules text, the stronger the evidence must be; a note on printing,
art or the story is about no rule at all.
"""

from __future__ import annotations

import re
from collections.abc import Callable

ENOUGH = 4.0
"""Evidence below this is silence, whatever the card says."""
ALWAYS_ENOUGH = 5.0
"""Evidence that is enough, whatever the card says."""
STEPS = ((0.75, ALWAYS_ENOUGH), (0.68, 4.7), (0.55, 4.2))
"""From this share of a ruling's words on the card: the evidence that is wanted."""
NOTE = 4.9
"""The evidence that a note on printing, art or the story needs."""

_NOTES = re.compile(
    r"https?://|\bart(?:work|ist)?\b|\billustrat|\bprint(?:ing|ings|ed (?:with|on this|version))|\bpromo\b|\bstory\b"
    r"|\bsocial media\b|\bfoil\b|\bframes?\b|\bgame pack|\bbooster|\bisn't required for play|\bsmall items\b"
    r"|\bstickers? sheet"
    r"|\bfloor rules\b|\btournament\b.*\blegal\b|\b(?:legal|banned) in\b"
)


def wanted(folded: str, said: frozenset[str], on_card: frozenset[str], weigh: Callable[[str], float]) -> float:
    """The evidence that `folded` (the ruling, folded, in lower case) needs. `said` are its terms, `on_card` those of
    the card's rules text and type line (none where the card is not known), `weigh` tells rare terms from common ones.
    """
    enough = NOTE if _NOTES.search(folded) else ENOUGH
    if said and on_card:
        share = sum(map(weigh, said & on_card)) / sum(map(weigh, said))
        enough = max(enough, next((score for least, score in STEPS if share >= least), ENOUGH))
    return enough
