"""What the commands over a user's own files share: options, the questions one after another, JSON, how errors are told.

`python -m knowforge ask` and `python -m flowreader ask` take the same files, questions and models and answer alike.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import sys
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from common.characters import has_half_pair
from common.citations import Citation
from common.documents import ParseOptions
from common.documents.sniff import KINDS
from common.files import write_atomic
from common.llm import LLM, CallCache, LLMError, Mode, Profile
from common.llm.choice import DEFAULT_MODEL, ModelError
from common.own_files import SourceError
from common.paths import cache_root
from common.retrieval import EmbeddingStoreError, EncoderUnavailable
from common.retrieval.encoders import ENCODERS
from common.room import ContextTooSmall
from common.turns import in_turn

Write = Callable[[str], None]


class CommandError(Exception):
    """A command that cannot be carried out; the message says what to change."""


# Errors whose message is meant for the user; anything else is a defect and keeps its traceback.
EXPECTED = (
    CommandError, SourceError, ModelError, LLMError, ContextTooSmall, EncoderUnavailable, EmbeddingStoreError
)  # fmt: skip


@dataclass(frozen=True)
class Answered:
    """One question and what became of it; `record` is the method's whole record as plain JSON values."""

    question: str
    done: bool
    answer: tuple[str, ...]
    citations: tuple[Citation, ...]
    errors: tuple[str, ...]
    record: dict[str, Any]

    def lines(self) -> list[str]:
        """The answer with its pages, or why there is none."""
        told = [f"ANSWER: {'; '.join(self.answer) or 'none'}"] if self.done or self.answer else []
        told += [f"  [{number}] {citation}" for number, citation in enumerate(self.citations, start=1)]
        return told if self.done else [*told, "the run failed:", *(f"  {error}" for error in self.errors)]


def write(text: str) -> None:
    """Print as it comes, without a line's end of its own."""
    print(text, end="", flush=True)


def add_file_options(parser: argparse.ArgumentParser, paths: str = "+") -> None:
    """Which files are read, and how; `paths` is argparse's number of them."""
    parser.add_argument("paths", nargs=paths, type=Path, metavar="PATH", help=f"{KINDS} file, or a folder of them")
    parser.add_argument(
        "--encoder", choices=ENCODERS, default="minilm", help="how texts are embedded (default: minilm)"
    )
    parser.add_argument("--no-ocr", action="store_true", help="do not read scanned pages and pictures")
    parser.add_argument("--fast-parse", action="store_true", help="no OCR and no search for figures and tables")
    parser.add_argument("--cache", type=Path, metavar="DIR", help="folder of what is parsed and indexed")


def add_question_options(parser: argparse.ArgumentParser) -> None:
    """What is asked, and where the answers go."""
    parser.add_argument(
        "-q", "--question", dest="questions", action="append", required=True, type=_question, metavar="QUESTION",
        help="what you want to know; give it again for more questions",
    )  # fmt: skip
    parser.add_argument(
        "--json", type=Path, metavar="FILE.json", help="save the answers, their pages and the whole records"
    )


def add_model_options(parser: argparse.ArgumentParser) -> None:
    """Which model answers."""
    parser.add_argument(
        "--model", default=DEFAULT_MODEL,
        help=f"profile name, profile file, or URL of an OpenAI-compatible server (default: {DEFAULT_MODEL})",
    )  # fmt: skip
    parser.add_argument(
        "--context", type=_tokens, default=8192, metavar="TOKENS",
        help="context of a model given by URL (default: 8192)",
    )  # fmt: skip
    parser.add_argument("--serve", action="store_true", help="start the embedded server for this command")


def parse_options(options: argparse.Namespace) -> ParseOptions:
    return ParseOptions(ocr=not (options.no_ocr or options.fast_parse), layout=not options.fast_parse)


def cache_of(options: argparse.Namespace) -> Path:
    """Where what is parsed and made for these files is kept."""
    return options.cache or cache_root() / "ask"


def cannot_keep(cache: Path, error: OSError) -> CommandError:
    """What to say when the cache cannot be written."""
    remedy = "free room there, or name a folder that may be written with --cache or DOCQA_CACHE"
    return CommandError(f"{cache}: what was read and answered cannot be kept there ({error}); {remedy}")


@contextmanager
def kept_replies(profile: Profile, home: Path) -> Iterator[LLM]:
    """The model with its replies kept below `home`: a stopped command goes on, a repeated question costs no call.

    Another command with this model and place waits for its turn. Raises `CommandError` where nothing can be kept.
    """
    calls = home / "calls" / profile.name
    try:
        with in_turn([calls]):
            yield LLM({"default": profile}, CallCache(calls), Mode.RECORD)
    except BrokenPipeError:  # of the output
        raise
    except OSError as error:
        raise cannot_keep(calls, error) from error


def require_place(option: str, path: Path | None, forms: Sequence[str] = ()) -> None:
    """Refuse a file that could not be written before what it would show is paid for; `forms` are its possible ends.

    Raises `CommandError`.
    """
    if path is None:
        return
    if forms and path.suffix.lower() not in forms:
        raise CommandError(f"{option} {path}: give a name that ends in {' or '.join(forms)}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CommandError(f"{option} {path}: its folder cannot be made ({error}); name another file") from error
    if path.is_dir() or not os.access(path.parent, os.W_OK):
        raise CommandError(f"{option} {path}: no file can be written there; name a file")


def numbered(path: Path, number: int, of: int) -> Path:
    """The file of one question: `run.html`, with several questions `run-1.html`, `run-2.html`, ..."""
    return path if of == 1 else path.with_name(f"{path.stem}-{number}{path.suffix}")


async def ask_each(options: argparse.Namespace, answer: Callable[[str, int], Awaitable[Answered]], write: Write) -> int:
    """Answer the questions one after another; 0 when all were, 1 when a run failed. Raises `CommandError`.

    `answer` gets a question and its number from 1. The JSON file is written after each: a stop loses only the
    question it stops.
    """
    questions: Sequence[str] = options.questions
    answers: list[Answered] = []
    for number, question in enumerate(questions, start=1):
        if len(questions) > 1:
            write(f"{'' if number == 1 else chr(10)}QUESTION {number} of {len(questions)}: {question}\n")
        answers.append(await answer(question, number))
        if options.json is not None:
            keep_file("--json", options.json, _json(answers))
    return 0 if all(answered.done for answered in answers) else 1


def keep_file(option: str, path: Path, data: str | bytes) -> None:
    """Write a file an option asked for; a file name in a text may be no Unicode. Raises `CommandError`."""
    try:
        write_atomic(path, data.encode("utf-8", "replace") if isinstance(data, str) else data)
    except OSError as error:
        raise CommandError(f"{option} {path}: the file cannot be written ({error}); name another place") from error


def carry_out(prog: str, command: Callable[[], int], *, kept: str, also: tuple[type[Exception], ...] = ()) -> int:
    """Run a command; 2 with a line on stderr for an error meant for the user, `also` naming further kinds of it.

    `kept` says what is not lost when a model fails in the middle.
    """
    told: tuple[type[Exception], ...] = (*EXPECTED, *also)
    _show_any_text()
    try:
        return command()
    except BrokenPipeError:  # of the output: `common.stopping` ends the program
        raise
    except told as error:
        print(f"{prog}: {error}", file=sys.stderr)
        if isinstance(error, LLMError):
            print(f"{prog}: {kept}", file=sys.stderr)
        return 2


def _json(answers: Sequence[Answered]) -> str:
    return json.dumps([asdict(answered) for answered in answers], indent=1, ensure_ascii=False) + "\n"


def _question(text: str) -> str:
    if not text.strip():
        raise argparse.ArgumentTypeError("the question is empty; write what you want to know")
    if has_half_pair(text):
        raise argparse.ArgumentTypeError("the question is not valid UTF-8 text; check the terminal's encoding")
    return text


def _tokens(text: str) -> int:
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of tokens; give what the server was started with")
    return int(text)


def _show_any_text() -> None:
    """File names and model replies may hold what the terminal's encoding lacks: shown escaped, no end of the run."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
