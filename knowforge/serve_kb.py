"""`python -m knowforge serve-kb PATH...`: your own files behind the read-only knowledge-base API."""

from __future__ import annotations

import argparse
import secrets
import socket
import uuid

import uvicorn

from common.command_line import CommandError, Write, add_file_options
from common.own_files import resolve_paths
from knowforge.ask_command import index_of
from knowforge.kb_accounts import Accounts
from knowforge.kb_views import Package
from knowforge.service import create_app


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `serve-kb`."""
    add_file_options(parser)
    parser.add_argument("--name", default=None, help="name of the knowledge base; default: that of the first path")
    parser.add_argument("--key", action="append", default=[], help="an API key (repeatable); default: a new one, shown")
    parser.add_argument(
        "--per-minute", type=_at_least_one, default=600, metavar="N", help="requests a minute and key (default: 600)"
    )
    parser.add_argument("--host", default="127.0.0.1", help="address to listen at (default: 127.0.0.1)")
    parser.add_argument("--port", type=_at_least_one, default=8090, help="default: 8090")


def serve_command(options: argparse.Namespace, write: Write) -> int:
    """Index and serve until Ctrl-C. Raises `SourceError` where nothing can be read, `CommandError` for a taken port."""
    paths = resolve_paths(options.paths)
    with _bound(options.host, options.port) as listening:  # before the index is made, which may take long
        indexed = index_of(options)
        name = options.name or paths[0].stem
        identity = str(uuid.uuid5(uuid.NAMESPACE_URL, "\n".join(sorted(path.as_uri() for path in paths))))
        package = Package(identity, name, f"questions on {name}", indexed.built.base)
        keys = options.key or [secrets.token_urlsafe(24)]
        write("\n".join([*indexed.lines(), ""]))
        write(f"ready: http://{options.host}:{options.port}/api/v2/kb/{identity}/card\n")
        if not options.key:
            write(f"key: {keys[0]}\n")
        app = create_app([package], Accounts.with_keys(keys, [identity], options.per_minute))
        uvicorn.Server(uvicorn.Config(app, log_level="warning")).run(sockets=[listening])
    return 0


def _bound(host: str, port: int) -> socket.socket:
    """A socket at this address. Raises `CommandError` where there can be none."""
    try:
        return socket.create_server((host, port))
    except (OSError, OverflowError) as error:
        raise CommandError(f"--host {host} --port {port}: cannot listen there ({error}); choose another") from error


def _at_least_one(text: str) -> int:
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 1 on")
    return int(text)
