"""`python -m flowreader ask PATH... -q QUESTION`: answers from your own files, with the paths that were read."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from common.benchmarks.question import Question
from common.command_line import (
    Answered,
    CommandError,
    Write,
    add_file_options,
    add_model_options,
    add_question_options,
    ask_each,
    keep_file,
    numbered,
    require_place,
)
from common.llm import LLM
from common.llm.choice import choose_profile
from common.own_files import resolve_paths
from common.records import RunLabel
from flowreader.citations import cite
from flowreader.config import CONTROLS, FlowReaderConfig
from flowreader.evidence import KIND
from flowreader.fitting import fit_to_context
from flowreader.graph import EvidenceGraph
from flowreader.own_files import NoModel, Opened, add_graph_options, build_graph, open_model, read_graph
from flowreader.picture import draw
from flowreader.pipeline import answer_question
from flowreader.records import FlowRecord
from flowreader.session import Event
from flowreader.variants import load_variant, read_variant

FIGURES = (".svg",)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `ask`."""
    add_file_options(parser, paths="*")
    add_question_options(parser)
    parser.add_argument(
        "--graph", type=Path, metavar="IN.graphml", help="ask this graph, as `graph` wrote it or edited"
    )
    parser.add_argument("--figure", type=Path, metavar="OUT.svg", help="draw the paths")
    parser.add_argument(
        "--variant", default="overlap", help="a name in experiments/conf/variant, or a YAML file (default: overlap)"
    )
    parser.add_argument("--no-model", action="store_true", help="no call at all: show the paths that would be read")
    add_model_options(parser)
    add_graph_options(parser)


def ask_command(options: argparse.Namespace, write: Write) -> int:
    """Open the graph, ask, draw; 0 when every question has an answer. Raises errors meant for the user."""
    _check_sources(options)
    if options.no_model and (options.graph_model or options.serve):
        raise CommandError("--no-model makes no call: leave out --graph-model and --serve, or --no-model")
    require_place("--figure", options.figure, FIGURES)
    require_place("--json", options.json)
    config = _variant(options)
    profile = choose_profile(options.model, context=options.context)
    if options.no_model:
        return asyncio.run(_ask(options, config, profile.name, NoModel(), write))
    config = fit_to_context(config, profile.context, max(options.questions, key=len))
    with open_model(options, profile) as llm:
        return asyncio.run(_ask(options, config, profile.name, llm, write))


def _check_sources(options: argparse.Namespace) -> None:
    """Before anything is parsed or asked. Raises `CommandError` and `SourceError`."""
    graph: Path | None = options.graph
    if bool(options.paths) == bool(graph):
        raise CommandError("give the documents, or --graph with a file of theirs" + (", not both" if graph else ""))
    if graph is not None and options.graph_model:
        raise CommandError("--graph-model builds a graph from documents: leave it out, or --graph")
    resolve_paths([*options.paths, *([graph] if graph else [])])


def _variant(options: argparse.Namespace) -> FlowReaderConfig:
    """The variant that is asked for. Raises `CommandError` for one that cannot answer a user's question."""
    name = str(options.variant)
    config = read_variant(Path(name)) if name.endswith((".yaml", ".yml")) else load_variant(name)
    if config.shape in CONTROLS:
        raise CommandError(f"--variant {config.name} starts from gold answers: a question of yours has none")
    if options.figure is not None and not config.reads_paths:
        raise CommandError(f"--figure: variant {config.name} reads the document as it is, there are no paths to draw")
    if options.no_model:  # one pass, the question as BM25 query: nothing that waits for a reply
        return replace(config, system2=False, reading=replace(config.reading, keywords=False))
    return config


async def _ask(
    options: argparse.Namespace, config: FlowReaderConfig, model: str, llm: LLM | NoModel, write: Write
) -> int:
    try:
        opened = await build_graph(options, llm) if options.graph is None else read_graph(options.graph, options)

        async def answer(question: str, number: int) -> Answered:
            record = await answer_question(
                Question("ask", "ask", question, ()), opened.graph, llm, config,  # type: ignore[arg-type]
                opened.encoder, RunLabel("ask", model), assets=opened.assets, on_event=_show,
            )  # fmt: skip
            return _report(options, opened, question, number, record, write)

        return await ask_each(options, answer, write)
    finally:
        await llm.aclose()


def _report(
    options: argparse.Namespace, opened: Opened, question: str, number: int, record: FlowRecord, write: Write
) -> Answered:
    """Tell the paths and the answer, then draw: a full disk takes no answer with it."""
    for line in _path_lines(record, opened.graph, "no" if options.no_model else str(sum(record.calls.values()))):
        write(f"{line}\n")
    run = record.run
    done = options.no_model or (run.status == "done" and bool(run.answer))  # a model that says nothing is no answer
    cited = () if options.no_model else tuple(cite(record, opened.graph, opened.files))
    answered = Answered(question, done, run.answer, cited, run.errors, record.to_json())
    if not options.no_model:
        write("\n".join([*answered.lines(), ""]))
    if options.figure is not None:
        figure = numbered(options.figure, number, len(options.questions))
        keep_file("--figure", figure, draw(opened.graph, record, question, asked=not options.no_model))
        write(f"figure: {figure}\n")
    return answered


def _path_lines(record: FlowRecord, graph: EvidenceGraph, calls: str) -> Iterator[str]:
    nodes = {node.node_id: node for node in graph.nodes}
    for facts in record.passes[-1:]:
        for path in facts.read:
            stops = [nodes[name] for name in facts.ids_of(path)]
            steps = " -> ".join(f"{node.document_id} p.{node.page} {KIND[node.modality]}" for node in stops)
            yield f"flow {path.flow:.3f}  x {path.population:.3f}  {steps}"
        yield f"sigma {facts.saturation:.2f}, {len(facts.paths)} paths, {calls} calls. {facts.note}".rstrip()


def _show(event: Event) -> None:
    if event.kind != "token":
        print(f"{event.kind}: {event.text}", file=sys.stderr)
