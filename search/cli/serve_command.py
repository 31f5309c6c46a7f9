"""`rulings serve`: site and API on this machine."""

from __future__ import annotations

import click

from search.cli.common import built, open_base, progress


@click.command(
    epilog="\b\nExamples:\n  rulings serve\n  rulings serve --port 8080\n  curl 'http://127.0.0.1:8000/api/v1/search?q=energy+symbol'"
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="Port; 0 takes a free one."
)
@click.option("--no-site", is_flag=True, help="Only the API.")
@click.pass_context
def command(ctx: click.Context, host: str, port: int, no_site: bool) -> None:
    """Serve the site and the API (/api/v1/search, /api/v1/rulings/ID, /api/v1/cards/NAME/rulings, ...).

    It listens on this machine only unless told otherwise, answers only reads, and stops with Ctrl-C.
    """
    from search.service import server

    base = open_base(ctx)
    with progress() as tell:
        made = built(base, tell)
        site = None
        if not no_site:
            from search.cli.site_command import write_site

            site = made.folder / "site"
            write_site(base, made, site)
    with server.make_server(base, host, port, site) as running:
        click.echo(f"Serving on http://{running.server_name}:{running.server_port}/  (Ctrl-C stops)")
        try:
            running.serve_forever()
        except KeyboardInterrupt:
            click.echo("stopped")
