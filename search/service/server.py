"""Serving the application on this machine, one thread a request. For more than a few people, put the WSGI
application behind a server made for that (docs/service.md)."""

from __future__ import annotations

import socketserver
import sys
from pathlib import Path
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer
from wsgiref.simple_server import make_server as make_wsgi_server

from rulings.errors import UsageError
from rulings.text import printable
from search.service.app import App


class _Threaded(socketserver.ThreadingMixIn, WSGIServer):
    daemon_threads = True
    request_queue_size = 64


class _Quiet(WSGIRequestHandler):
    """Logs one line a request to stderr, with nothing in it that a terminal would obey."""

    timeout = 30

    def log_message(self, format: str, *args: Any) -> None:
        sys.stderr.write(printable(format % args) + "\n")


def make_server(base: Path, host: str, port: int, site: Path | None = None) -> WSGIServer:
    """A server that is bound but not yet running. Raises UsageError if the address cannot be had."""
    try:
        return make_wsgi_server(host, port, App(base, site), server_class=_Threaded, handler_class=_Quiet)
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UsageError(f"cannot listen on {host}:{port}: {reason}", "choose another --port") from None
