"""`rulings import`: bring in whatever people have."""

from __future__ import annotations

import json
from pathlib import Path

import click

from indexer import ingest
from indexer.report import Report
from indexer.sources import FORMATS, ReadOptions
from rulings.text import printable
from search.cli.common import base_to_change, echo_json, plural, progress

EPILOG = """\b
Examples:
  rulings import deadlock-trap.txt confiscation-coup.txt
  rulings import rulings.json oracle-cards.json
  rulings import AllPrintings.json.gz --report report.json
  rulings import page.txt --date-order dmy
"""

REPAIRS = {
    "typography": "differ in quotes, dashes or spaces only",
    "typo": "have a known or plain typo",
    "symbol-lost": "lost a symbol",
    "encoding": "have broken characters",
    "symbol-form": "write a symbol in another form",
    "card-name": "call the card by another name",
    "older-wording": "have other words for the same ruling",
    "damaged": "are cut, fused or otherwise damaged",
}


@click.command(epilog=EPILOG)
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="PATH...")
@click.option("--format", "format_", type=click.Choice(FORMATS), help="Read as this format instead of looking.")
@click.option("--date-order", type=click.Choice(["dmy", "mdy"]), help="How to read dates like 8/11/2024.")
@click.option("--source", help="Name of the source. Default: from the file.")
@click.option("--as-of", metavar="DATE", help="When this state of the source was current. Default: from the file.")
@click.option("--partial", is_flag=True, help="The file is a part of its source: what it lacks is not missing.")
@click.option("--accept-loss", is_flag=True, help="Go on although the new state lacks a large part of the source.")
@click.option("--report", type=click.Path(path_type=Path, dir_okay=False), help="Write the report as JSON.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
@click.pass_context
def command(
    ctx: click.Context,
    paths: tuple[Path, ...],
    format_: str | None,
    date_order: str | None,
    source: str | None,
    as_of: str | None,
    partial: bool,
    accept_loss: bool,
    report: Path | None,
    as_json: bool,
) -> int:
    """Bring rulings, cards and Comprehensive Rules into the base.

    PATH is a file or a folder: ruling pages, Scryfall or MTGJSON files, JSONL, CSV, saved Gatherer pages, release
    notes, MagicCompRules. The format is seen from the content. Nothing is ever deleted; what cannot be read is put
    aside and named.
    """
    options = ingest.Options(
        read=ReadOptions(format=format_, date_order=date_order, source=source, as_of=as_of),
        accept_loss=accept_loss,
        partial=partial,
    )
    with progress() as tell:
        result = ingest.run(base_to_change(ctx), list(paths), options, tell)
    if report:
        report.write_text(json.dumps(result.to_json(), ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    if as_json:
        echo_json(result.to_json())
    else:
        click.echo("\n".join(describe(result)))
    return 1 if any(p.severity == "error" for p in result.problems) or result.quarantined else 0


def describe(r: Report) -> list[str]:
    """The report in plain words, one line a fact."""
    lines = []
    for path, rules in r.rules.items():
        lines.append(f"Comprehensive Rules of {rules} ({printable(path)})")
    lines.append(
        f"Read {plural(r.read, 'occurrence')} in {plural(len(r.files), 'file')}: {r.new:,} new, {r.known:,} known."
    )
    if r.gone > r.missing:
        lines.append(f"Replaced by a newer wording on their card: {r.gone - r.missing:,}. The old ones are kept.")
    if r.missing:
        lines.append(f"Missing in this state of the source: {plural(r.missing, 'ruling')}. They are kept and marked.")
    lines.append(
        f"The base holds {plural(r.rulings, 'ruling')} ({r.occurrences:,} occurrences); "
        f"{r.shared:,} of them {'is' if r.shared == 1 else 'are'} shared by several cards."
    )
    if r.repaired:
        lines.append("  Of all occurrences in the base:")
    for why, n in sorted(r.repaired.items(), key=lambda item: (-item[1], item[0])):
        lines.append(f"  {n:>6,} {REPAIRS.get(why, why)}")
    for step, n in sorted(r.normalised.items(), key=lambda item: (-item[1], item[0])):
        lines.append(f"  {n:>6,} normalised: {step}")
    if r.reviews:
        lines.append(f"{plural(r.reviews, 'doubtful pair')} waiting for a person: rulings review")
    if r.quarantined:
        lines.append(
            f"Put aside, to be mended and imported again ({plural(len(r.quarantined), 'record')}, in quarantine/):"
        )
        lines += [f"  {printable(str(q.as_problem()))[:300]}" for q in r.quarantined[:10]]
        if len(r.quarantined) > 10:
            lines.append(f"  and {len(r.quarantined) - 10:,} more")
    shown = {str(q.as_problem()) for q in r.quarantined}
    notes = [p for p in r.problems if str(p) not in shown]
    if notes:
        lines.append(f"{plural(len(notes), 'note')} on the files:")
        lines += [f"  {printable(str(p))[:300]}" for p in notes[:10]]
        if len(notes) > 10:
            lines.append(f"  and {len(notes) - 10:,} more (all in --report FILE.json)")
    if not r.changed:
        lines.append("Nothing changed.")
    lines.append(f"{r.seconds:.1f} s")
    return lines
