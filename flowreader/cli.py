"""The command line: the graph of some documents, answers from it, its pictures and files.

python -m flowreader ask PATH... -q "QUESTION" [-q "ANOTHER"] [--serve] [--figure paths.svg] [--json answers.json]
python -m flowreader graph PATH... [--figure graph.svg] [--graphml graph.graphml]
python -m flowreader ask --graph edited.graphml -q "QUESTION"
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from common.command_line import carry_out, write
from flowreader import ask_command, graph_command


def main(argv: Sequence[str] | None = None) -> int:
    """Run one subcommand; returns the exit code, see `carry_out`."""
    options = _parser().parse_args(argv)
    command = ask_command.ask_command if options.command == "ask" else graph_command.graph_command
    kept = "replies that came back are kept: the same command goes on from here"
    return carry_out("flowreader", lambda: command(options, write), kept=kept, also=(OSError, ValueError))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m flowreader", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    ask_command.add_arguments(commands.add_parser("ask", help="answer questions from documents"))
    graph_command.add_arguments(commands.add_parser("graph", help="build, draw and export the graph of documents"))
    return parser
