"""`rulings fmt`: the one form of a base's files."""

from __future__ import annotations

import click

from rulings.errors import DataError
from search.cli.common import base_to_change, open_base, plural


@click.command(epilog="\b\nExamples:\n  rulings fmt\n  rulings fmt --check")
@click.option("--check", is_flag=True, help="Change nothing; exit 1 if a file is not in its form.")
@click.pass_context
def command(ctx: click.Context, check: bool) -> int:
    """Write the base's files in their one form: order, quoting, each ruling in the file of its earliest date.

    Run it after editing by hand, before a commit. It refuses to touch a base with records that it cannot read.
    """
    from rulings import store, transaction

    base = open_base(ctx) if check else base_to_change(ctx)
    if check:
        loaded = store.load(base)
        files = store.files_of(loaded.knowledge)
        wrong = [n for n, body in files.items() if not (base / n).is_file() or (base / n).read_bytes() != body]
        for name in wrong:
            click.echo(f"not in its form: {name}")
        return 1 if wrong or loaded.problems else 0
    with transaction.writing(base):
        loaded = store.load(base)
        if loaded.problems:
            raise DataError(
                "the base has records that cannot be read", loaded.problems, "mend them, then run fmt again"
            )
        changed = store.save(base, loaded.knowledge)
    click.echo(f"{plural(len(changed), 'file')} written." if changed else "Every file is in its form.")
    return 0
