"""Command line: ask | serve-kb.

python -m knowforge ask PATH... -q "QUESTION" [-q "ANOTHER"] [--serve] [--trace run.html] [--json answers.json]
python -m knowforge serve-kb PATH... [--key KEY] [--port 8090]
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from common.command_line import carry_out, write
from knowforge import ask_command, serve_kb
from knowforge.systems import UnknownSystem


def main(argv: Sequence[str] | None = None) -> int:
    """Run one subcommand; returns the exit code, see `carry_out`."""
    options = _parser().parse_args(argv)
    command = serve_kb.serve_command if options.command == "serve-kb" else ask_command.ask_command
    kept = "what was read and the replies that came back are kept: the same command goes on from here"
    return carry_out("knowforge", lambda: command(options, write), kept=kept, also=(UnknownSystem,))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m knowforge", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    ask_command.add_arguments(commands.add_parser("ask", help="questions over your own files"))
    serve_kb.add_arguments(commands.add_parser("serve-kb", help="your own files behind the read-only HTTP API"))
    return parser
