"""`rulings fetch`: download rulings, cards and rules from their publishers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from indexer.download import Client
from indexer.fetch import BULK_KINDS, RULES_PAGE, SCRYFALL, Fetched, fetch_rules, fetch_scryfall
from rulings.text import printable
from search.cli.common import echo_json

EPILOG = """\b
Examples:
  rulings fetch scryfall
  rulings fetch rules --to ~/magic
  rulings import rulings-downloads
"""
SCRYFALL_EPILOG = """\b
Examples:
  rulings fetch scryfall
  rulings fetch scryfall rulings --to ~/magic
  rulings fetch scryfall oracle_cards --again
"""
RULES_EPILOG = """\b
Examples:
  rulings fetch rules
  rulings fetch rules --to ~/magic
"""


@click.group(epilog=EPILOG)
def command() -> None:
    """Download from the publishers: what is new, once, and as they ask.

    The files go to a folder, and from there into the base with `rulings import`. Nothing that is there is replaced
    before the new file is whole and checked; a download that was cut goes on where it ended.
    """


def _options(function: Any) -> Any:
    for option in (
        click.option("--json", "as_json", is_flag=True, help="Say what was fetched as JSON."),
        click.option("--offline", is_flag=True, help="Ask nobody; an error if something would have to be fetched."),
        click.option("--again", is_flag=True, help="Ask even if the last look was less than a day ago."),
        click.option(
            "--to",
            "folder",
            type=click.Path(path_type=Path, file_okay=False),
            default=Path("rulings-downloads"),
            show_default=True,
            help="Folder for the files.",
        ),
    ):
        function = option(function)
    return function


@command.command(epilog=SCRYFALL_EPILOG)
@click.argument("kinds", nargs=-1, type=click.Choice(list(BULK_KINDS)), metavar="[KIND]...")
@_options
@click.option("--api", envvar="RULINGS_SCRYFALL_API", default=SCRYFALL, hidden=True)
def scryfall(kinds: tuple[str, ...], folder: Path, again: bool, offline: bool, as_json: bool, api: str) -> int:
    """Scryfall's bulk files: all rulings and one entry a card, unless KIND says otherwise.

    KIND is one or more of rulings, oracle_cards, default_cards (every printing) and all_cards (every language).
    """
    wanted = kinds or ("rulings", "oracle_cards")
    return _report(fetch_scryfall(folder, wanted, client=_client(offline), api=api, again=again), as_json)


@command.command(epilog=RULES_EPILOG)
@_options
@click.option("--page", envvar="RULINGS_RULES_PAGE", default=RULES_PAGE, hidden=True)
def rules(folder: Path, again: bool, offline: bool, as_json: bool, page: str) -> int:
    """The Comprehensive Rules that are in effect now, as text."""
    return _report([fetch_rules(folder, client=_client(offline), page=page, again=again)], as_json)


def _client(offline: bool) -> Client:
    return Client(offline=offline, tell=lambda message: click.echo(printable(message), err=True))


def _report(files: Sequence[Fetched], as_json: bool) -> int:
    if as_json:
        names = ("kind", "new", "as_of", "size")
        echo_json([{**{name: getattr(f, name) for name in names}, "path": str(f.path)} for f in files])
        return 0
    for file in files:
        state = "fetched" if file.new else "has not changed"
        size = f"{file.size / 1e6:,.1f} MB"
        click.echo(f"{file.kind}: {state}, as of {printable(file.as_of)}, {size}, {printable(str(file.path))}")
    if any(file.new for file in files):
        click.echo(f"Next: rulings import {' '.join(printable(str(file.path)) for file in files if file.new)}")
    return 0
