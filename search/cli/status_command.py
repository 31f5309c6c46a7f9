"""`rulings status`: what is in the base, and how old it is."""

from __future__ import annotations

import datetime
import re

import click

from rulings.errors import UsageError
from rulings.text import printable
from search.cli.common import built, echo_json, open_base, plural, progress


@click.command(epilog="\b\nExamples:\n  rulings status\n  rulings status --max-age 120d")
@click.option("--max-age", metavar="DAYS", help="Exit 1 if the base or its rules are older, as 120d.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def command(ctx: click.Context, max_age: str | None, as_json: bool) -> int:
    """Say what is in the base, from which sources, as of when, and how old that is."""

    limit = None
    if max_age is not None:
        found = re.fullmatch(r"(\d{1,5})d?", max_age.strip())
        if not found:
            raise UsageError(f"{max_age!r} is no age", "write a number of days, as 120d")
        limit = int(found[1])
    base = open_base(ctx)
    with progress() as tell:
        snapshot = built(base, tell).snapshot()
    today = datetime.datetime.now(tz=datetime.UTC).date()
    ages = {
        "rulings": (snapshot.as_of, _age(snapshot.as_of, today)),
        "comprehensive rules": (
            snapshot.meta.get("rules_effective") or None,
            _age(snapshot.meta.get("rules_effective"), today),
        ),
    }
    old = [n for n, (_, age) in ages.items() if limit is not None and age is not None and age > limit]
    if as_json:
        echo_json(
            {
                "name": snapshot.name,
                "folder": str(base),
                **snapshot.counts,
                "as_of": snapshot.as_of,
                "rules_effective": ages["comprehensive rules"][0],
                "age_days": {n: age for n, (_, age) in ages.items()},
                "sources": [{"name": s.name, "as_of": s.as_of} for s in snapshot.sources],
                "too_old": old,
            }
        )
        return 1 if old else 0
    counts = snapshot.counts
    held = f"{plural(counts['rulings'], 'ruling')} on {plural(counts['cards_with_rulings'], 'card')}"
    click.echo(f"{printable(snapshot.name)}: {held}")
    click.echo(f"  {plural(counts['cards'], 'card')} known")
    for what, (date, age) in ages.items():
        said = f"as of {date}" if date else "none"
        click.echo(f"  {what}: {said}" + (f", {plural(age, 'day')} old" if age is not None else ""))
    for s in snapshot.sources:
        click.echo(f"  source {printable(s.name)}: as of {s.as_of or 'unknown'}")
    for what in old:
        click.echo(f"  {what}: older than {limit} days")
    return 1 if old else 0


def _age(date: str | None, today: datetime.date) -> int | None:
    """Days since `date`; of a month or year, since its first day."""
    if not date:
        return None
    full = date + "-01" * (2 - date.count("-"))
    return max(0, (today - datetime.date.fromisoformat(full)).days)
