"""`rulings search`: find rulings by words, phrases, cards, topics, dates."""

from __future__ import annotations

import shlex
import shutil
import sys
from pathlib import Path

import click

from rulings.text import printable
from search.cli.common import built, echo_json, open_base, progress

EPILOG = """\b
Examples:
  rulings search energy symbol
  rulings search '"can'"'"'t pay" -target'
  rulings search 'card:"Deadlock Trap" untapped'
  rulings search topic:energy date:2016..2018 --sort oldest --facets
  rulings search "does Chalice of the Void counter Abrupt Decay" --explain
The query language: rulings search --syntax
"""
FORMATS = ("text", "json", "jsonl", "csv", "markdown")
SORTS = ("relevance", "newest", "oldest", "card", "shared")  # as search.results has them; importing it takes 100 ms
THREE = """Say what you look for, in your own words or exactly:

  rulings search energy symbol                      words, in any order
  rulings search '"can'"'"'t pay" -target'              an exact phrase, and without a word
  rulings search card:opt date:2016..2020           on a card, in some years

All of it: rulings search --syntax"""


def _complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Topics after `topic:`, cards after `card:`; nothing where there is no index yet."""
    from indexer import build
    from rulings.errors import RulingsError
    from search.completing import complete

    try:
        return complete(build.ensure(open_base(ctx)).index_path, incomplete)
    except (RulingsError, OSError):
        return []


class _Query(click.Command):
    """A search without a word (`energy -target`) or for a negative number looks like options: says how to write it."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        given = list(args)
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            letter = error.option_name.removeprefix("-")
            word = next((a for a in given if a[:1] == "-" != a[1:2] and letter in a), "")
            if not word:  # a long option, misspelt
                raise
            options = any(a.startswith("--") for a in given)
            example = f"[OPTIONS] -- ... {shlex.quote(word)}" if options else f"-- {shlex.join(given)}"
            message = f"{word} is read as an option. Put -- before the words to search for:"
            raise click.UsageError(printable(f"{message}\n  rulings search {example}"), ctx) from None


@click.command(cls=_Query, epilog=EPILOG)
@click.argument("query", nargs=-1, shell_complete=_complete)
@click.option("--limit", type=click.IntRange(0, 1000), default=10, show_default=True, help="How many hits.")
@click.option("--offset", type=click.IntRange(0), default=0, help="How many hits to pass over.")
@click.option("--sort", type=click.Choice(SORTS), default="relevance", show_default=True, help="The order of hits.")
@click.option("--facets", is_flag=True, help="Count topics, years, sources, card types, rule sections.")
@click.option("--explain", is_flag=True, help="Say how the query was read and why each hit is there.")
@click.option("--plain", is_flag=True, help="Take the query as words alone, whatever signs it holds.")
@click.option("--open", "open_", is_flag=True, help="Open the first hit in the site (rulings site writes it).")
@click.option(
    "--format", "format_", type=click.Choice(FORMATS), default="text", show_default=True, help="How to print."
)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option("--syntax", is_flag=True, help="Print the query language.")
@click.pass_context
def command(
    ctx: click.Context,
    query: tuple[str, ...],
    limit: int,
    offset: int,
    sort: str,
    facets: bool,
    explain: bool,
    plain: bool,
    open_: bool,
    format_: str,
    as_json: bool,
    syntax: bool,
) -> int:
    """Find rulings. Plain words find the best matches; phrases, fields and operators find exactly what they say."""
    if syntax:
        from rulings.language.grammar import help_text

        click.echo(help_text())
        return 0
    text = _joined(query)
    if not text.strip():
        click.echo(THREE)
        return 0
    from search.results import Searcher

    base = open_base(ctx)
    with progress() as tell:
        made = built(base, tell)
    searcher = Searcher(made.index_path)
    results = searcher.search(text, limit=limit, offset=offset, sort=sort, facets=facets, explain=explain, plain=plain)
    if as_json or format_ == "json":
        echo_json(results.to_json())
    elif format_ == "text":
        from search.render import render

        terminal = sys.stdout.isatty()
        width = shutil.get_terminal_size().columns if terminal else 80
        cards = made.snapshot().find_cards(results.card) if results.card and not offset else ()
        card = cards[0] if cards else None
        click.echo(render(results, width=width, colour=terminal, explain=explain, card=card))
    else:
        from search import formats

        made_text = {"jsonl": formats.jsonl, "csv": formats.as_csv, "markdown": formats.markdown}[format_](results)
        click.echo(made_text, nl=False)
    if open_ and results.hits:
        _open(base, results.hits[0].id)
    return 0


def _joined(words: tuple[str, ...]) -> str:
    """The query as typed. One argument is the query; several are put together with spaces, and a phrase or a value
    that the shell took the quotation marks from gets them back."""
    if len(words) < 2:
        return "".join(words)
    parts = []
    for word in words:
        field, colon, value = word.partition(":")
        if " " not in word or '"' in word:
            parts.append(word)
        elif colon and field.isalpha() and not value.startswith(" "):
            parts.append(f'{field}:"{value}"')
        else:
            parts.append(f'"{word}"')
    return " ".join(parts)


def _open(base: Path, ruling_id: str) -> None:
    page = base / "_site" / "r" / ruling_id / "index.html"
    if page.is_file():
        click.launch(page.resolve().as_uri())
    else:
        click.echo("There is no site yet; write it with: rulings site", err=True)
