"""The command `rulings`. Commands are imported when they are called, so that each starts quickly.

The only layer that knows click, exit codes and the terminal: 0 fine, 1 the data has problems, 2 wrong usage.
"""

from __future__ import annotations

import sys

import click

from rulings import __version__
from search.cli.common import Context, LazyGroup, run_safely

COMMANDS: dict[str, tuple[str, str]] = {
    "demo": ("demo_command", "Build a small base from the shipped sample and show one search."),
    "init": ("init_command", "Make a new, empty base."),
    "import": ("import_command", "Bring rulings, cards and Comprehensive Rules into the base."),
    "fetch": ("fetch_command", "Download rulings, cards or the Comprehensive Rules from their publishers."),
    "build": ("build_command", "Build the index that searching uses."),
    "search": ("search_command", "Find rulings by words, phrases, cards, topics, dates."),
    "show": ("show_command", "Show a ruling, a card, a rule or a glossary entry."),
    "cite": ("cite_command", "Quote a ruling so that others can check it."),
    "lookup": ("lookup_command", "Check the rulings and rules that a text quotes."),
    "topics": ("topics_command", "List topics, or show one with its rulings."),
    "review": ("review_command", "Decide doubtful pairs of wordings, one by one."),
    "edit": ("edit_command", "Open a ruling in your editor, at its line."),
    "check": ("check_command", "Look for faults in the base, or in a document that quotes rulings."),
    "fmt": ("fmt_command", "Write the base's files in their one form."),
    "status": ("status_command", "Say what is in the base, and how old it is."),
    "site": ("site_command", "Write the static site."),
    "serve": ("serve_command", "Serve the site and the search API on this machine."),
    "export": ("export_command", "Write the rulings as JSONL, CSV or one archive."),
    "completion": ("completion_command", "Print the script that completes commands, cards and topics in a shell."),
}

_EPILOG = """\b
Examples:
  rulings demo
  rulings search "energy symbol"
  rulings show "Confiscation Coup"
  rulings cite r-0pcdnc32 --style discord
"""


@click.command(
    cls=LazyGroup,
    commands_by_name=COMMANDS,
    package=__name__,
    epilog=_EPILOG,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option(
    "--kb",
    metavar="FOLDER",
    envvar="RULINGS_KB",
    help="The base to use. Else RULINGS_KB, else the nearest parent folder with a kb.yaml, else the shipped sample.",
)
@click.version_option(__version__, prog_name="rulings")
@click.pass_context
def cli(ctx: click.Context, kb: str | None) -> None:
    """Magic rulings: each one once, with all its cards; found in a second, cited for ever."""
    ctx.obj = Context(kb)


def main() -> None:
    """Entry point: errors become one plain message and an exit code, never a traceback."""
    sys.exit(run_safely(cli))
