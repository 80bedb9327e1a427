"""Command line: ask | serve-kb.

python -m knowforge ask PATH... -q "question" [--serve] [--trace run.html]
python -m knowforge serve-kb PATH... [--key KEY] [--port 8090]
"""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Sequence

from common.llm import LLMError
from common.llm.choice import ModelError
from common.retrieval import EmbeddingStoreError, EncoderUnavailable
from knowforge import ask, serve_kb
from knowforge.fitting import ContextTooSmall
from knowforge.sources import SourceError
from knowforge.systems import UnknownSystem

# Errors whose message is meant for the user; anything else is a defect and keeps its traceback.
EXPECTED = (
    SourceError, ModelError, UnknownSystem, LLMError, EncoderUnavailable, EmbeddingStoreError, ContextTooSmall,
    ask.OutputError,
)  # fmt: skip


def main(argv: Sequence[str] | None = None) -> int:
    """Run one subcommand; returns the exit code. Expected errors are told on stderr, with code 2."""
    _show_any_text()
    options = _parser().parse_args(argv)
    try:
        if options.command == "serve-kb":
            return serve_kb.serve_command(options, _write)
        return ask.ask_command(options, _write)
    except EXPECTED as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m knowforge", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    ask.add_arguments(commands.add_parser("ask", help="a question over your own files"))
    serve_kb.add_arguments(commands.add_parser("serve-kb", help="your own files behind the read-only HTTP API"))
    return parser


def _show_any_text() -> None:
    """File names and model replies may hold what the terminal's encoding lacks: shown escaped, no end of the run."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _write(text: str) -> None:
    print(text, end="", flush=True)
