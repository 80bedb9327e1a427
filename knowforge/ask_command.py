"""`python -m knowforge ask PATH... -q QUESTION`: answers from your own files, the stages shown as they happen."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from common.command_line import (
    Answered,
    Write,
    add_file_options,
    add_model_options,
    add_question_options,
    ask_each,
    cache_of,
    cannot_keep,
    keep_file,
    kept_replies,
    numbered,
    parse_options,
    require_place,
)
from common.documents.model import Document
from common.llm import LLM, Profile
from common.llm.choice import choose_profile, reachable
from common.own_files import resolve_paths
from common.prompting import Prompts
from common.retrieval import Encoder, load_encoder
from knowforge.construction import Built, build_with_model
from knowforge.fitting import fit_to_context
from knowforge.own_files import WITHOUT_MODEL, Extractor, Indexed, answered, ask, index_files, spent
from knowforge.system import PROMPTS, SystemConfig
from knowforge.systems import load_system
from knowforge.trace_page import TracedRun, page

CONVENTIONS = ("mmlongbench", "m3docvqa", "multihop_rag")  # the first may answer "Not answerable"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `ask`."""
    add_file_options(parser)
    add_question_options(parser)
    add_model_options(parser)
    parser.add_argument("--system", default="M5", help="M5 (default), S4, P0, P1, ... or M5-L+R for other round caps")
    parser.add_argument("--trace", type=Path, metavar="FILE.html", help="save a readable page of the run")
    parser.add_argument(
        "--convention", choices=CONVENTIONS, default=CONVENTIONS[0], help="form of the answer (default: mmlongbench)"
    )
    parser.add_argument(
        "--vision", choices=("ocr", "endpoint"), default="ocr", help="who reads pictures: OCR (default), or the model"
    )
    parser.add_argument(
        "--points", choices=("sentences", "model"), default="sentences",
        help="knowledge points: first sentences (default), or written by the model",
    )  # fmt: skip


def index_of(options: argparse.Namespace, extractor: Extractor = WITHOUT_MODEL) -> Indexed:
    """The index that the options of `add_file_options` ask for. Raises `CommandError` where it cannot be kept."""
    encoder, cache = load_encoder(options.encoder), cache_of(options)
    try:
        return index_files(options.paths, cache, encoder, extractor=extractor, parse=parse_options(options))
    except OSError as error:
        raise cannot_keep(cache, error) from error


def ask_command(options: argparse.Namespace, write: Write) -> int:
    """Index, ask, cite; 0 when every question has an answer. Raises errors meant for the user."""
    resolve_paths(options.paths)  # a misspelt path is told before a server is looked for
    require_place("--trace", options.trace)
    require_place("--json", options.json)
    profile = choose_profile(options.model, context=options.context)
    system = fit_to_context(load_system(options.system), profile.context, max(options.questions, key=len))
    with reachable(profile, serve=options.serve) as served:
        extractor = WITHOUT_MODEL if options.points == "sentences" else model_extractor(served, cache_of(options))
        indexed = index_of(options, extractor)
        write("\n".join([*indexed.lines(), "", ""]))
        system = replace(system, convention=options.convention, vision=options.vision)
        with kept_replies(served, cache_of(options)) as llm:
            return asyncio.run(_ask(options, indexed, llm, system, write, model=served.name))


def model_extractor(profile: Profile, cache: Path) -> Extractor:
    """Points and relation types by the model, over a call cache: a killed indexing goes on where it stopped."""

    async def build(documents: Sequence[Document], encoder: Encoder, assets: Path) -> Built:
        with kept_replies(profile, cache) as llm:
            async with llm:
                return await build_with_model(documents, encoder, assets, llm, Prompts.load(PROMPTS))

    weights = profile.weights.sha256 or profile.weights.revision or "unpinned"
    name = f"model {profile.model} {weights} {Prompts.load(PROMPTS).sha256}"
    return Extractor(name, lambda documents, encoder, assets: asyncio.run(build(documents, encoder, assets)))


async def _ask(
    options: argparse.Namespace, indexed: Indexed, llm: LLM, system: SystemConfig, write: Write, *, model: str
) -> int:
    async with llm:

        async def answer(question: str, number: int) -> Answered:
            asked = await ask(question, indexed, llm, system, model=model, write=write)
            told = answered(asked, indexed)
            write("\n".join(["", *told.lines(), spent(asked), ""]))
            if options.trace is not None:
                trace = numbered(options.trace, number, len(options.questions))
                run = TracedRun(question, asked.record, indexed.built.base, indexed.library.files, asked.calls)
                keep_file("--trace", trace, page(run))
                write(f"trace: {trace}\n")
            return told

        return await ask_each(options, answer, write)
