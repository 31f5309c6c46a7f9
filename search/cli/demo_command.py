"""`rulings demo`: the main job on the shipped sample, from pages to a site."""

from __future__ import annotations

import shutil
from pathlib import Path

import click

from rulings import store
from rulings.errors import UsageError
from rulings.text import printable
from search.cli.common import plural

QUERY = "energy symbol"


@click.command(epilog="\b\nExamples:\n  rulings demo\n  rulings demo --folder /tmp/rulings-demo")
@click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("rulings-demo"),
    show_default=True,
    help="Where to build it. A demo that stands there is made anew.",
)
def command(folder: Path) -> None:
    """Build a small base from the shipped sample, make its index and its site, and show one search."""
    from indexer import build
    from indexer.sample import import_sample, make_base, sample_pages
    from search.cli.import_command import REPAIRS
    from search.cli.site_command import write_site
    from search.render import render_hit
    from search.results import Searcher

    marker = folder / ".demo"
    if folder.exists() and any(folder.iterdir()):
        if not (store.is_base(folder) and marker.exists()):
            raise UsageError(
                f"{folder} stands there already and is no demo", "name another: rulings demo --folder NAME"
            )
        shutil.rmtree(folder)
    name = printable(str(folder))
    pages = sorted(p.name for p in sample_pages().iterdir())
    make_base(folder, "rulings-demo")
    marker.touch()
    report = import_sample(folder)
    click.echo(f"1. Read {plural(report.read, 'occurrence')} of rulings on {len(pages)} pages: {', '.join(pages)}")
    click.echo(f"2. Kept {plural(report.rulings, 'ruling')}: {report.shared} are shared by several cards.")
    repaired = {why: n for why, n in report.repaired.items() if why != "typography"}
    mended = "; ".join(f"{n} {REPAIRS[why]}" for why, n in sorted(repaired.items(), key=lambda i: (-i[1], i[0])))
    click.echo(f"3. Repaired: {mended or 'nothing'}.")
    click.echo(f"   {report.repaired.get('typography', 0)} more {REPAIRS['typography']}. Every original text is kept.")
    files = sorted(p.relative_to(folder).as_posix() for p in (folder / "rulings").rglob("*.yaml"))
    click.echo(f"4. Wrote them as YAML: {', '.join(files)}")
    made = build.ensure(folder)
    click.echo(f"5. Built the search index ({made.seconds:.1f} s), in your cache directory.")
    site = write_site(folder, made, folder / "_site")
    click.echo(f"6. Wrote the site: {plural(site.pages, 'page')} in {name}/_site")
    click.echo(f"\n$ rulings search {QUERY!r}\n".replace("'", '"'))
    results = Searcher(made.index_path).search(QUERY, limit=1)
    for n, hit in enumerate(results.hits, 1):
        click.echo(render_hit(hit, n))
    click.echo("\nNext:")
    click.echo(f'  rulings --kb {name} search "can\'t pay"')
    click.echo(f'  rulings --kb {name} show "Deadlock Trap"')
    click.echo(f"  rulings --kb {name} serve        and open the address it prints")
    click.echo(f"  open {name}/_site/index.html in a browser")
