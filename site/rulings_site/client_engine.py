"""The engine of the search in the page: the scripts in `assets/search` and the tables that Python reads too, joined to
one script. No other tool is needed to build it, and it has no parts from elsewhere."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import lru_cache
from importlib.resources import files
from typing import Any

from rulings.language.tokens import stem, words
from rulings.language.vocabulary import vocabulary

_SCRIPTS = files("rulings_site") / "assets" / "search"
_TABLES = files("rulings") / "language"
PARTS = (
    "store", "tokens", "vocabulary", "patterns", "fields", "grammar", "reading", "names", "spelling", "question",
    "engine", "rank", "highlight", "relax", "results", "typed", "worker",
)  # fmt: skip
"""In the order in which they run."""


@lru_cache(maxsize=1)
def engine() -> bytes:
    """A script that defines `RulingsEngine`, a function that sets up the engine. It is a function so that a page can
    run it, or hand its source to a worker, without asking for a second file."""
    stems = _table("stems")
    ranking = _table("ranking")
    tables = {
        "stems": {name: stems[name] for name in ("min_length", "vowels", "plural", "past", "irregular")},
        "ranking": {name: value for name, value in ranking.items() if name != "comment"},
        "concepts": [[c.key, int(c.same), _stemmed(c.terms), _stemmed(c.asked)] for c in vocabulary().concepts],
        "light": " ".join(sorted(vocabulary().light)),
        "ordinary": " ".join(sorted(vocabulary().ordinary)),
    }
    said = json.dumps(tables, ensure_ascii=False, separators=(",", ":"))
    pieces = [_without_comments((_SCRIPTS / f"{name}.js").read_text(encoding="utf-8")) for name in PARTS]
    head = '"use strict";\nvar RS = globalThis.RS = globalThis.RS || {};\n'
    return "".join(["function RulingsEngine() {\n", head, f"RS.tables = {said};\n", *pieces, "}\n"]).encode()


def _stemmed(wordings: Iterable[str]) -> str:
    """Wordings as stems, each once: a third of the text, and a phone need not stem some thousand words to begin."""
    return "|".join(dict.fromkeys(" ".join(stem(word) for word in words(wording)) for wording in wordings))


def _table(name: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((_TABLES / f"{name}.json").read_text(encoding="utf-8"))
    return data


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
