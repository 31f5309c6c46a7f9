"""`rulings completion`: completion of commands, cards and topics in the shell."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

EPILOG = """\b
Examples:
  eval "$(rulings completion bash)"
  rulings completion fish > ~/.config/fish/completions/rulings.fish
"""


@click.command(epilog=EPILOG)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> None:
    """Print the script that makes the shell complete commands, options, cards and topics."""
    from search.cli import cli

    found = get_completion_class(shell)
    assert found is not None  # the three that click knows
    click.echo(found(cli, {}, "rulings", "_RULINGS_COMPLETE").source())
