"""`rulings site`: the whole base as a static site."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulings.errors import RulingsError, UsageError
from search.cli.common import built, echo_json, open_base, plural, progress

if TYPE_CHECKING:
    from indexer.build import Build
    from rulings_site import BuildReport

EPILOG = """\b
Examples:
  rulings site
  rulings site --out public --base-url https://example.org/rulings/
  rulings site --compact --zip rulings-site.zip
"""
HOST_LIMIT = 20_000
"""Common hosts take no more files than this."""


@click.command(epilog=EPILOG)
@click.option(
    "--out", type=click.Path(path_type=Path, file_okay=False), help="The folder to write. Default: _site in the base."
)
@click.option(
    "--base-url",
    metavar="URL",
    default="",
    envvar="RULINGS_BASE_URL",
    help="Where the site will be, for what must be a full address: links in citations, feeds, the sitemap.",
)
@click.option("--compact", is_flag=True, help="Fewer than 20,000 files: rulings only on card and topic pages.")
@click.option(
    "--zip", "archive", type=click.Path(path_type=Path, dir_okay=False), help="Also write the site as one zip file."
)
@click.option("--json", "as_json", is_flag=True, help="Print what was done as JSON.")
@click.pass_context
def command(
    ctx: click.Context, out: Path | None, base_url: str, compact: bool, archive: Path | None, as_json: bool
) -> None:
    """Write the static site.

    It needs no server: open index.html, or put the folder on any host. A second run writes only what changed.
    """

    if base_url and not base_url.startswith(("https://", "http://")):
        raise UsageError(f"{base_url} is no address of a site", "give it with https://")
    base = open_base(ctx)
    folder = out or base / "_site"
    if archive:
        _check_archive(archive, folder)
    with progress() as tell:
        made = built(base, tell)
        report = write_site(base, made, folder, base_url=base_url, compact=compact, progress=tell)
        if archive:
            tell("packing", 0, 0)
            pack(folder, archive)
    if as_json:
        echo_json(
            {
                "out": str(folder),
                "pages": report.pages,
                "files": report.files,
                "bytes": report.bytes,
                "written": report.written,
                "unchanged": report.unchanged,
                "removed": report.removed,
                "seconds": round(report.seconds, 3),
            }
        )
        return
    click.echo(
        f"Wrote {plural(report.pages, 'page')} to {folder}: {plural(report.files, 'file')}, "
        f"{report.bytes / 1e6:,.0f} MB, {report.written:,} changed, in {report.seconds:.1f} s."
    )
    if compact and report.files >= HOST_LIMIT:
        click.echo(f"This is over {HOST_LIMIT:,} files, the limit of common hosts.", err=True)
    click.echo(f"Open {folder / 'index.html'}")


def write_site(
    base: Path,
    made: Build,
    out: Path,
    *,
    base_url: str = "",
    compact: bool = False,
    progress: Callable[[str, int, int], None] | None = None,
) -> BuildReport:
    """The site of the base in `base`, whose build is `made`, into the folder `out`."""
    from indexer.cache import cache_of
    from indexer.make import traced
    from rulings import topics
    from rulings_site import build_snapshot

    if progress:
        progress("reading the base", 0, 0)
    return build_snapshot(
        made.snapshot(),
        out,
        around=made.around,
        versions=traced(base, cache_of(base)),
        topics=topics.of_base(base),
        search=made.index_path / "search.sqlite",
        base_url=base_url,
        compact=compact,
        progress=progress,
    )


def _check_archive(archive: Path, folder: Path) -> None:
    """Raises UsageError, before anything is built, where the zip file has no place of its own."""
    if not archive.parent.is_dir():
        raise UsageError(f"{archive.parent} is no folder", f"make it first, or give another place for {archive.name}")
    if archive.resolve().is_relative_to(folder.resolve()):
        raise UsageError(f"{archive} is inside {folder}, which is packed", "put the zip file beside the folder")


def pack(folder: Path, archive: Path) -> None:
    """The site as one zip file: the same site gives the same bytes."""
    beside = archive.with_name(f".{archive.name}.new")
    try:
        with zipfile.ZipFile(beside, "w") as packed:
            for path in sorted(p for p in folder.rglob("*") if p.is_file()):
                name = path.relative_to(folder).as_posix()
                if not name.startswith(".rulings-site"):
                    packed.writestr(_entry(f"rulings-site/{name}"), path.read_bytes(), compresslevel=6)
        beside.replace(archive)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise RulingsError(
            f"the zip file {archive} could not be written: {error.strerror or error}",
            f"the site itself is complete, in {folder}",
        ) from error
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def _entry(name: str) -> zipfile.ZipInfo:
    """A file that all may read, packed small, the same on every day and system."""
    info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    info.compress_type = zipfile.ZIP_DEFLATED
    info.create_system = 3
    info.external_attr = 0o644 << 16
    return info
