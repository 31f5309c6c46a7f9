"""`rulings check`: faults in a base, or in a document that quotes rulings."""

from __future__ import annotations

from pathlib import Path

import click

from rulings.errors import Problem
from rulings.text import printable
from search.cli.common import echo_json, open_base, plural

EPILOG = """\b
Examples:
  rulings check
  rulings check --open
  rulings check --document faq.md
"""


@click.command(epilog=EPILOG)
@click.option(
    "--open", "show_open", is_flag=True, help="List every damaged or doubtful wording, not only their number."
)
@click.option(
    "--document",
    type=click.Path(path_type=Path, dir_okay=False, allow_dash=True),
    help="Check the quotes and rule numbers in this text instead; exit 1 unless all are exact and current.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def command(ctx: click.Context, show_open: bool, document: Path | None, as_json: bool) -> int:
    """Look for faults: records that cannot be read, ids that resolve to nothing, texts in two places, open damage.

    Exit code 1 if there are any; open damage alone is no fault of the base.
    """
    base = open_base(ctx)
    if document is not None:
        from search.cli.lookup_command import check_document

        return check_document(base, document, as_json=as_json)
    from rulings import store, topics
    from rulings.validate import open_damage, validate

    loaded = store.load(base)
    vocabulary = topics.of_base(base)
    problems = [*loaded.problems, *topics.check_phrases(vocabulary, str(base / topics.OWN))]
    problems += validate(loaded.knowledge, loaded.lines, vocabulary.by_key, store.printed_ids(base))
    damaged = open_damage(loaded.knowledge, loaded.lines)
    quarantine = sorted((base / "quarantine").glob("*.jsonl"))
    errors = [p for p in problems if p.severity == "error"]
    if as_json:
        echo_json(
            {
                "problems": [_json(p) for p in problems],
                "open": [_json(p) for p in damaged],
                "review": len(loaded.knowledge.reviews),
                "quarantine": [p.name for p in quarantine],
            }
        )
        return 1 if errors else 0
    for problem in problems:
        click.echo(printable(str(problem)))
    for problem in damaged if show_open else ():
        click.echo(printable(str(problem)))
    if damaged and not show_open:
        click.echo(f"{plural(len(damaged), 'wording')} open to doubt or damage: rulings check --open lists them")
    for path in quarantine:
        n = sum(1 for _ in path.open(encoding="utf-8"))
        click.echo(f"{plural(n, 'record')} put aside in quarantine/{printable(path.name)}: mend it and import it")
    if loaded.knowledge.reviews:
        click.echo(f"{plural(len(loaded.knowledge.reviews), 'doubtful pair')} waiting for a person: rulings review")
    kept = f"{plural(len(loaded.knowledge.rulings), 'ruling')} checked"
    click.echo(f"{kept}: {plural(len(errors), 'fault')}." if errors else f"{kept}: no faults.")
    return 1 if errors else 0


def _json(p: Problem) -> dict[str, object]:
    names = ("path", "line", "where", "kind", "severity", "message", "hint")
    return {name: getattr(p, name) for name in names}
