"""Web addresses inside a ruling, without the punctuation of the sentence around them."""

from __future__ import annotations

import re

_URL = re.compile(r"https?://[^\s<>\"“”{}|\\^`\u00a0]+", re.IGNORECASE)
_PAIRS = {")": "(", "]": "["}
_NEVER_LAST = ".,;:!?'’*_…"


def find_links(text: str) -> list[tuple[int, int, str]]:
    """(start, end, address) of each link. `see https://x.example/a?b=1).` -> the address without `).`; a bracket that
    the address opened itself stays (scryfall/gatherer-bugs#112)."""
    found = []
    for match in _URL.finditer(text):
        url = match.group()
        while True:
            last = url[-1]
            if last in _NEVER_LAST or (last in _PAIRS and url.count(last) > url.count(_PAIRS[last])):
                url = url[:-1]
            else:
                break
        if "." in url.partition("://")[2]:
            found.append((match.start(), match.start() + len(url), url))
    return found
