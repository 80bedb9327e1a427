"""`python -m knowforge serve-kb PATH...`: your own files behind the read-only knowledge-base API."""

from __future__ import annotations

import argparse
import secrets
import uuid

import uvicorn

from common.asking import Write, add_file_options
from common.own_files import resolve_paths
from knowforge.ask import index_of
from knowforge.kb_accounts import Accounts
from knowforge.kb_views import Package
from knowforge.service import create_app


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `serve-kb`."""
    add_file_options(parser)
    parser.add_argument("--name", default=None, help="name of the knowledge base; default: that of the first path")
    parser.add_argument("--key", action="append", default=[], help="an API key (repeatable); default: a new one, shown")
    parser.add_argument("--per-minute", type=int, default=600, help="requests a key may make in a minute")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8090)


def serve_command(options: argparse.Namespace, write: Write) -> int:
    """Index and serve until Ctrl-C. Raises `SourceError` where nothing can be read."""
    paths = resolve_paths(options.paths)
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
    uvicorn.run(app, host=options.host, port=options.port, log_level="warning")
    return 0
