"""Known errors of the publisher: the shipped list, and the one that a base adds.

In: YAML of the form `corrections: [{wrong, right, reason, link}]`. Out: `Correction`s and `Problem`s; faults in the
data are reported all at once and never stop the rest.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from pathlib import Path

from rulings.errors import Problem
from rulings.model import Correction
from rulings.text import plain
from rulings.yamlfile import YamlFault, load


@lru_cache(maxsize=1)
def shipped() -> tuple[Correction, ...]:
    """The corrections that come with the product."""
    text = files("rulings").joinpath("corrections.yaml").read_text(encoding="utf-8")
    corrections, problems = parse(text, "corrections.yaml")
    if problems:
        raise ValueError(str(problems[0]))
    return corrections


def parse(text: str, path: str) -> tuple[tuple[Correction, ...], tuple[Problem, ...]]:
    """The corrections in `text`; `path` is for the problems only."""
    try:
        data, lines = load(text, path)
    except YamlFault as fault:
        return (), (fault.problem,)
    if data is None:
        return (), ()
    rows = data.get("corrections") if isinstance(data, dict) else None
    if not isinstance(rows, list):
        return (), (
            Problem(path, "no list `corrections`", "write `corrections:` and one entry each", kind="corrections"),
        )
    found: list[Correction] = []
    problems: list[Problem] = []
    for number, row in enumerate(rows):
        line = lines.get(id(row))
        where = f"corrections[{number}]"
        if not isinstance(row, dict):
            problems.append(
                Problem(path, "not a mapping", "write wrong, right and reason", where=where, kind="corrections")
            )
            continue
        value = {key: row.get(key) for key in ("wrong", "right", "reason", "link")}
        odd = sorted(set(row) - set(value)) + [k for k, v in value.items() if v is not None and not isinstance(v, str)]
        lacking = [key for key in ("wrong", "right", "reason") if not value[key]]
        if odd or lacking:
            what = f"unknown or wrong: {', '.join(odd)}" if odd else f"missing: {', '.join(lacking)}"
            problems.append(
                Problem(path, what, "an entry has wrong, right, reason and perhaps link", line, where, "corrections")
            )
            continue
        wrong, right = plain(str(value["wrong"])), plain(str(value["right"]))
        if wrong == right or not wrong:
            problems.append(Problem(path, "wrong and right are one text", "", line, where, "corrections"))
            continue
        found.append(Correction(wrong, right, str(value["reason"]), str(value["link"] or "")))
    return tuple(found), tuple(problems)


def corrections(path: Path | None = None) -> tuple[tuple[Correction, ...], tuple[Problem, ...]]:
    """The shipped corrections and those of the file at `path` (none if it does not exist)."""
    if path is None or not path.exists():
        return shipped(), ()
    own, problems = parse(path.read_text(encoding="utf-8"), path.name)
    known = {(c.wrong, c.right) for c in own}
    return own + tuple(c for c in shipped() if (c.wrong, c.right) not in known), problems
