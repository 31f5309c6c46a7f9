"""The engine of the search in the page: the scripts in `assets/search` and the tables that Python reads too, joined to
one script. No other tool is needed to build it, and it has no parts from elsewhere."""

from __future__ import annotations

import json
from collections import defaultdict
from functools import lru_cache
from importlib.resources import files
from typing import Any

from rulings.language.tokens import stem, words
from rulings.language.vocabulary import MARK, vocabulary
from rulings_site.client_words import homes

_SCRIPTS = files("rulings_site") / "assets" / "search"
_TABLES = files("rulings") / "language"
PARTS = (
    "store", "tokens", "vocabulary", "patterns", "fields", "grammar", "reading", "names", "spelling", "question",
    "engine", "rank", "highlight", "relax", "results", "typed", "worker",
)  # fmt: skip
"""In the order in which they run."""


AT_ONCE = "//# allFunctionsCalledOnLoad\n"
"""Asks a browser to compile the whole while it comes, beside the page, not function by function in its way."""


@lru_cache(maxsize=1)
def engine() -> bytes:
    """A script that defines `RulingsEngine`, a function that sets up the engine, and the page's side of it. It is a
    function so that a page can run it, or hand its source to a worker, without asking for a second file; in brackets,
    since a browser then reads it once, while it comes."""
    stems = _table("stems")
    ranking = _table("ranking")
    tables = {
        "stems": {name: stems[name] for name in ("min_length", "vowels", "plural", "past", "irregular")},
        "ranking": {name: value for name, value in ranking.items() if name != "comment"},
        "concepts": [[c.key, int(c.same), homes().get(MARK + c.key, 0)] for c in vocabulary().concepts],
        "wordings": _wordings(),
        "light": " ".join(sorted(vocabulary().light)),
        "ordinary": " ".join(sorted(vocabulary().ordinary)),
    }
    said = json.dumps(tables, ensure_ascii=False, separators=(",", ":"))
    pieces = [_script(name) for name in PARTS]
    head = '"use strict";\nvar RS = globalThis.RS = globalThis.RS || {};\n'
    body = "".join([head, f"RS.tables = {said};\n", *pieces])
    return f"{AT_ONCE}var RulingsEngine = (function () {{\n{body}}});\n{_script('client')}".encode()


def _wordings() -> dict[str, str]:
    """The wordings of concepts as stems, by their first: number of the concept, `?` where only a question says it so,
    the further stems. A phone need neither stem some thousand words nor put them in order to begin."""
    found: dict[str, list[str]] = defaultdict(list)
    for number, concept in enumerate(vocabulary().concepts):
        for mark, wordings in (("", concept.terms), ("?", concept.asked)):
            for stems in dict.fromkeys(tuple(stem(word) for word in words(wording)) for wording in wordings):
                if stems:
                    found[stems[0]].append(" ".join((f"{number}{mark}", *stems[1:])))
    return {first: "|".join(rest) for first, rest in found.items()}


def _table(name: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((_TABLES / f"{name}.json").read_text(encoding="utf-8"))
    return data


def _script(name: str) -> str:
    return _without_comments((_SCRIPTS / f"{name}.js").read_text(encoding="utf-8"))


def _without_comments(script: str) -> str:
    """Without lines that are nothing but comment, and without indents: a phone need not fetch them. Our scripts have
    no text over several lines."""
    kept = []
    inside = False
    for line in script.split("\n"):
        text = line.strip()
        if inside or text.startswith("/*"):
            inside = "*/" not in text
        elif text and not text.startswith("//"):
            kept.append(text)
    return "\n".join(kept) + "\n"
