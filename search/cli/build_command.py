"""`rulings build`: the index that searching uses."""

from __future__ import annotations

import click

from search.cli.common import built, echo_json, open_base, progress


@click.command(epilog="\b\nExamples:\n  rulings build\n  rulings build --force")
@click.option("--force", is_flag=True, help="Build again even if nothing changed.")
@click.option("--json", "as_json", is_flag=True, help="Print what was done as JSON.")
@click.pass_context
def command(ctx: click.Context, force: bool, as_json: bool) -> int:
    """Build the index that searching uses.

    Other commands build it by themselves when the base has changed; this one lets you choose the moment. The index
    lies in your cache directory, never in the base, and is switched in at once when it is finished.
    """

    base = open_base(ctx)
    with progress() as tell:
        made = built(base, tell, force=force)
    with_counts = made.snapshot().counts
    if as_json:
        steps = {k: round(v, 3) for k, v in made.steps}
        echo_json({"made": made.made, "seconds": round(made.seconds, 3), "steps": steps, **with_counts})
    elif made.made:
        click.echo(f"Built the index of {with_counts['rulings']:,} rulings in {made.seconds:.1f} s.")
    else:
        click.echo(f"The index of {with_counts['rulings']:,} rulings is up to date.")
    return 1 if made.faults else 0
