"""Two words that ran together: `combatdamage`, `thirdsecond` (scryfall/gatherer-bugs#187).

Parts are common words of rulings that are no beginnings or endings of other words. Of the 47,000 distinct texts of
2018 to 2026 the list finds five fused words and no other.
"""

from __future__ import annotations

import re
from functools import lru_cache

_PARTS = frozenset(
    """
    abilities ability activate activated activates additional additionally again another any artifact attack
    attacked attacking attacks aura battlefield because before beginning block blocked blocking cannot cards cast
    casting casts cause causes choose chooses chosen color colors combat control controlled controller controls
    copied copies copy cost costs could counted counter counters creature creatures damage damaged deals dealt
    declared destroyed discard does doesn draw during each effect effects enchanted enchantment ends enter
    entering enters equal equipment equipped every exile exiled exiles face fifth first fourth from gain gains
    game graveyard graveyards hand hands have having illegal instead into land leaves legal library life lose
    loses mana many may more moves must named normal number once only opponent opponents other paid paying
    permanent permanents phase phases planeswalker player players power produced put rather remain remains removed
    replaced resolve resolved resolves reveal revealed sacrifice sacrificed same second shuffle sixth spell spells
    stack step steps such target targeted targets than that their them then there these they third this those
    three time times token tokens total toughness trigger triggered triggers turn turns twice type types untap
    until upkeep value was were what when whenever where whether which while will with without won would you your
    """.split()
)
_WORD = re.compile(r"[a-z]{8,}")
_LONGEST = 2 * max(map(len, _PARTS))
# Compounds of such parts that are words.
_COMPOUNDS = frozenset("another anymore anytime anywhere beforehand counterspell everywhere wherewith".split())


def fused_words(text: str) -> str | None:
    """Which word of `text` is two words run together, None if none is."""
    for word in _WORD.findall(text):
        if parts := _split(word):
            return f"two words ran together: {word!r} is {parts!r}"
    return None


@lru_cache(maxsize=65536)
def _split(word: str) -> str | None:
    if len(word) > _LONGEST or word in _PARTS or word in _COMPOUNDS:
        return None
    for cut in range(3, len(word) - 2):
        first, second = word[:cut], word[cut:]
        if first in _PARTS and second in _PARTS:
            return f"{first} {second}"
    return None
