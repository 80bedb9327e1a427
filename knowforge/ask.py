"""`python -m knowforge ask PATH... -q QUESTION`: answers from your own files, the stages shown as they happen."""

from __future__ import annotations

import argparse
import asyncio
import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from common.characters import has_half_pair
from common.documents import ParseOptions
from common.documents.model import Document
from common.llm import LLM, CallCache, Mode, Profile
from common.llm.choice import DEFAULT_MODEL, choose_profile, reachable
from common.paths import cache_root
from common.prompting import Prompts
from common.retrieval import Encoder, load_encoder
from knowforge.asking import WITHOUT_MODEL, Asked, Extractor, Indexed, ask, index_files, summary
from knowforge.construction import Built, build_with_model
from knowforge.fitting import fit_to_context
from knowforge.sources import resolve_paths
from knowforge.system import PROMPTS, SystemConfig
from knowforge.systems import load_system
from knowforge.trace_page import TracedRun, write_page

CONVENTIONS = ("mmlongbench", "m3docvqa", "multihop_rag")  # the first may answer "Not answerable"
ENCODERS = ("minilm", "wordllama", "nomic")  # an endpoint needs a URL and sizes: not from the command line
Write = Callable[[str], None]


class OutputError(Exception):
    """What the command makes cannot be kept where it should be; the message names the place and what to do."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `ask`."""
    add_index_arguments(parser)
    parser.add_argument("-q", "--question", required=True, type=_question)
    parser.add_argument("--system", default="M5", help="M5 (default), S4, P0, P1, ... or M5-L+R for other round caps")
    parser.add_argument(
        "--model", default=DEFAULT_MODEL, help="profile name, profile file, or URL of an OpenAI-compatible server"
    )
    parser.add_argument("--context", type=_tokens, default=8192, help="tokens of context of a model given by URL")
    parser.add_argument("--serve", action="store_true", help="start the embedded server for this question")
    parser.add_argument("--trace", type=Path, metavar="FILE.html", help="save a readable page of the run")
    parser.add_argument("--convention", choices=CONVENTIONS, default=CONVENTIONS[0], help="form of the answer")
    parser.add_argument(
        "--vision", choices=("ocr", "endpoint"), default="ocr", help="endpoint: the model sees pictures"
    )
    parser.add_argument("--points", choices=("sentences", "model"), default="sentences", help="who extracts points")


def add_index_arguments(parser: argparse.ArgumentParser) -> None:
    """The options that say what is indexed and how."""
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="PDF, HTML or Markdown file, or a folder")
    parser.add_argument("--encoder", choices=ENCODERS, default="minilm", help="minilm (default), wordllama, nomic")
    parser.add_argument("--no-ocr", action="store_true", help="do not read scanned pages and pictures")
    parser.add_argument("--cache", type=Path, default=None, help="folder of parsed files and indexes")


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


def index_of(options: argparse.Namespace, extractor: Extractor = WITHOUT_MODEL) -> Indexed:
    """The index that the options of `add_index_arguments` ask for. Raises `OutputError` where it cannot be kept."""
    parse, encoder = ParseOptions(ocr=not options.no_ocr), load_encoder(options.encoder)
    cache = cache_of(options)
    try:
        return index_files(options.paths, cache, encoder, extractor=extractor, parse=parse)
    except OSError as error:
        remedy = "free room there, or name a folder that may be written with --cache or DOCQA_CACHE"
        raise OutputError(f"{cache}: parsed files and indexes cannot be kept there ({error}); {remedy}") from error


def cache_of(options: argparse.Namespace) -> Path:
    return options.cache or cache_root() / "ask"


def ask_command(options: argparse.Namespace, write: Write) -> int:
    """Index, ask, cite; 0 when there is an answer, 1 when the run failed. Raises errors meant for the user."""
    resolve_paths(options.paths)  # a misspelt path is told before a server is looked for
    if options.trace is not None:
        _require_place(options.trace)
    profile = choose_profile(options.model, context=options.context)
    system = fit_to_context(load_system(options.system), profile.context)
    with reachable(profile, serve=options.serve) as served:
        extractor = WITHOUT_MODEL if options.points == "sentences" else model_extractor(served, cache_of(options))
        indexed = index_of(options, extractor)
        write("\n".join([*indexed.lines(), "", ""]))
        system = replace(system, convention=options.convention, vision=options.vision)
        asked = asyncio.run(_ask_live(options.question, indexed, served, system, write))
    write("\n".join(["", *summary(asked, indexed), ""]))
    if options.trace is not None:
        run = TracedRun(options.question, asked.record, indexed.built.base, indexed.library.files, asked.calls)
        try:
            write_page(run, options.trace)
        except OSError as error:
            raise OutputError(f"--trace {options.trace}: the page cannot be written ({error})") from error
        write(f"trace: {options.trace}\n")
    return 0 if asked.record.status == "done" else 1


def _require_place(trace: Path) -> None:
    """Refuse a page that could not be written before the run it would show is paid for. Raises `OutputError`."""
    try:
        trace.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"--trace {trace}: its folder cannot be made ({error}); name another file") from error
    if trace.is_dir() or not os.access(trace.parent, os.W_OK):
        raise OutputError(f"--trace {trace}: no file can be written there; name a file, such as run.html")


def model_extractor(profile: Profile, cache: Path) -> Extractor:
    """Points and relation types by the model, over a call cache: a killed indexing goes on where it stopped."""

    async def build(documents: Sequence[Document], encoder: Encoder, assets: Path) -> Built:
        async with LLM({"default": profile}, CallCache(cache / "calls" / profile.name), Mode.RECORD) as door:
            return await build_with_model(documents, encoder, assets, door, Prompts.load(PROMPTS))

    weights = profile.weights.sha256 or profile.weights.revision or "unpinned"
    name = f"model {profile.model} {weights} {Prompts.load(PROMPTS).sha256}"
    return Extractor(name, lambda documents, encoder, assets: asyncio.run(build(documents, encoder, assets)))


async def _ask_live(question: str, indexed: Indexed, profile: Profile, system: SystemConfig, write: Write) -> Asked:
    async with LLM({"default": profile}) as door:
        return await ask(question, indexed, door, system, model=profile.name, write=write)
