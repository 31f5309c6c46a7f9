"""`rulings init`: a new base."""

from __future__ import annotations

from pathlib import Path

import click

from rulings import store
from rulings.errors import UsageError
from rulings.text import printable


@click.command(epilog="\b\nExamples:\n  rulings init my-rulings\n  rulings init my-rulings --sample")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("--sample", is_flag=True, help="Put the three cards of the shipped sample in.")
def command(folder: Path, sample: bool) -> None:
    """Make a new base in FOLDER: plain files that you can read, edit and keep in git."""
    from indexer.sample import import_sample, make_base

    if not store.is_base(folder) and folder.exists() and any(p.name != ".git" for p in folder.iterdir()):
        raise UsageError(f"{folder} is not empty", "choose a new or empty folder")
    make_base(folder)
    if sample:
        import_sample(folder)
    name = printable(str(folder))
    click.echo(f"Made {name}." + (" It holds the sample." if sample else ""))
    click.echo(f"Next: rulings --kb {name} import FILE...")
