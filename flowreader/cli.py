"""The command line: the graph of some documents, answers from it, its pictures and files.

python -m flowreader ask PATH... -q "QUESTION" [-q "ANOTHER"] [--serve] [--figure paths.svg] [--json answers.json]
python -m flowreader graph PATH... [--figure graph.svg] [--graphml graph.graphml]
python -m flowreader ask --graph edited.graphml -q "QUESTION"
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import yaml

from common.asking import (
    Answered,
    CommandError,
    add_file_options,
    add_model_options,
    add_question_options,
    ask_each,
    cache_of,
    cannot_keep,
    carry_out,
    keep_file,
    kept_replies,
    numbered,
    parse_options,
    require_place,
    write,
)
from common.benchmarks.question import Question
from common.llm import LLM, Profile, ServerUnavailable
from common.llm.choice import choose_profile, reachable
from common.own_files import Library, open_library, resolve_paths, stores_of
from common.paths import Workspace
from common.prompting import Prompts
from common.records import RunLabel
from common.retrieval import CachedEncoder, load_encoder
from common.turns import in_turn
from flowreader.citations import cite
from flowreader.config import CONTROLS, FlowReaderConfig
from flowreader.construction import build_with_model, build_without_model
from flowreader.description import described
from flowreader.evidence import KIND
from flowreader.fitting import fit_construction, fit_to_context
from flowreader.graph import EvidenceGraph
from flowreader.options import ConstructionOptions
from flowreader.picture import draw
from flowreader.pipeline import answer_question
from flowreader.records import FlowRecord
from flowreader.session import PACKAGED, Event

FIGURES = {"ask": (".svg",), "graph": (".svg", ".png", ".pdf")}


class NoModel:
    """Stands in for the model client with `--no-model`: every call fails, so that only paths are shown."""

    async def complete(self, stage: str, *_: object, **__: object) -> None:
        raise ServerUnavailable(f"{stage}: --no-model was given")

    async def aclose(self) -> None:
        """There is nothing to close."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit code, see `carry_out`."""
    arguments = _parser().parse_args(argv)
    command = _ask_command if arguments.command == "ask" else _graph_command

    def checked() -> int:
        check_arguments(arguments)
        return command(arguments)

    kept = "replies that came back are kept: the same command goes on from here"
    return carry_out("flowreader", checked, kept=kept, also=(OSError, ValueError))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m flowreader", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    ask = commands.add_parser("ask", help="answer questions from documents")
    add_file_options(ask, paths="*")
    add_question_options(ask)
    ask.add_argument("--graph", type=Path, metavar="IN.graphml", help="ask this graph, as `graph` wrote it or edited")
    ask.add_argument("--figure", type=Path, metavar="OUT.svg", help="draw the paths")
    ask.add_argument(
        "--variant", default="full", help="a name in experiments/conf/variant, or a YAML file (default: full)"
    )
    ask.add_argument("--no-model", action="store_true", help="no call at all: show the paths that would be read")
    graph = commands.add_parser("graph", help="build, draw and export the graph of documents")
    add_file_options(graph)
    graph.add_argument("--figure", type=Path, metavar="OUT.svg", help="draw the graph, as .svg, .png or .pdf")
    graph.add_argument(
        "--graphml", type=Path, metavar="OUT.graphml", help="write the graph for Gephi, yEd and the like"
    )
    graph.set_defaults(no_model=False, graph=None, json=None)
    for command in (ask, graph):
        add_model_options(command)
        command.add_argument(
            "--graph-model", action="store_true", help="let the model write and evolve the graph (T + 1 calls a node)"
        )
    return parser


def check_arguments(arguments: argparse.Namespace) -> None:
    """Before anything is parsed or asked. Raises `CommandError` and `SourceError`."""
    _check_sources(arguments)
    if arguments.no_model and (arguments.graph_model or arguments.serve):
        raise CommandError("--no-model makes no call: leave out --graph-model and --serve, or --no-model")
    if arguments.command == "graph" and arguments.serve and not arguments.graph_model:
        raise CommandError("--serve: without --graph-model no model is asked; add that, or leave out --serve")
    forms = FIGURES[arguments.command]
    if arguments.figure is not None and arguments.figure.suffix.lower() not in forms:
        raise CommandError(f"--figure {arguments.figure}: give a name that ends in {' or '.join(forms)}")
    for option in ("figure", "json", "graphml"):
        require_place(f"--{option}", getattr(arguments, option, None))


def _check_sources(arguments: argparse.Namespace) -> None:
    graph: Path | None = arguments.graph
    if bool(arguments.paths) == bool(graph):
        raise CommandError("give the documents, or --graph with a file of theirs" + (", not both" if graph else ""))
    if graph is not None and arguments.graph_model:
        raise CommandError("--graph-model builds a graph from documents: leave it out, or --graph")
    resolve_paths([*arguments.paths, *([graph] if graph else [])])


def _home(arguments: argparse.Namespace) -> Path:
    return cache_of(arguments) / "flowreader"


def _graph_command(arguments: argparse.Namespace) -> int:
    """Build the graph or open it again, say what it is, draw and export it."""
    if not arguments.graph_model:
        return _show_graph(arguments, asyncio.run(_built(arguments, NoModel())))
    profile = choose_profile(arguments.model, context=arguments.context)
    with _model_client(arguments, profile) as llm:
        return _show_graph(arguments, asyncio.run(_built(arguments, llm)))


@contextmanager
def _model_client(arguments: argparse.Namespace, profile: Profile) -> Iterator[LLM]:
    """The model with a server behind it, told before documents are read, whose parsing may take long."""
    with reachable(profile, serve=arguments.serve) as served, kept_replies(served, _home(arguments)) as llm:
        yield llm


async def _built(arguments: argparse.Namespace, llm: LLM | NoModel) -> _Opened:
    try:
        return await _opened(arguments, llm)
    finally:
        await llm.aclose()


def _show_graph(arguments: argparse.Namespace, opened: _Opened) -> int:
    print("\n".join(described(opened.graph)))
    print(f"{opened.calls} calls, {opened.new_calls} of them new" if opened.calls else "no calls")
    if arguments.graphml is not None:
        opened.graph.write_graphml(arguments.graphml)
        print(f"graphml: {arguments.graphml}")
    if arguments.figure is not None:
        from flowreader.graph_picture import draw_graph  # here, not above: only this needs matplotlib

        form = arguments.figure.suffix.lower().removeprefix(".")
        keep_file("--figure", arguments.figure, draw_graph(opened.graph, form))
        print(f"figure: {arguments.figure}")
    return 0


def _ask_command(arguments: argparse.Namespace) -> int:
    config = FlowReaderConfig.from_mapping(_yaml(Workspace().conf / "variant", arguments.variant))
    if config.shape in CONTROLS:
        raise CommandError(f"--variant {config.name} starts from gold answers: a question of yours has none")
    if arguments.figure is not None and not config.reads_paths:
        raise CommandError(f"--figure: variant {config.name} reads the document as it is, there are no paths to draw")
    if arguments.no_model:  # one pass, the question as BM25 query: nothing that waits for a reply
        config = replace(config, system2=False, reading=replace(config.reading, keywords=False))
    profile = choose_profile(arguments.model, context=arguments.context)
    if arguments.no_model:
        return asyncio.run(_ask(arguments, config, profile.name, NoModel()))
    config = fit_to_context(config, profile.context, max(arguments.questions, key=len))
    with _model_client(arguments, profile) as llm:
        return asyncio.run(_ask(arguments, config, profile.name, llm))


async def _ask(arguments: argparse.Namespace, config: FlowReaderConfig, model: str, llm: LLM | NoModel) -> int:
    try:
        opened = await _opened(arguments, llm)

        async def answer(question: str, number: int) -> Answered:
            record = await answer_question(
                Question("ask", "ask", question, ()), opened.graph, llm, config,  # type: ignore[arg-type]
                opened.encoder, RunLabel("ask", model), assets=opened.assets, on_event=_show,
            )  # fmt: skip
            return _report(arguments, opened, question, number, record)

        return await ask_each(arguments, answer, write)
    finally:
        await llm.aclose()


@dataclass(frozen=True)
class _Opened:
    """A graph, the encoder of its space, each document's file and pictures, and the calls that it took."""

    graph: EvidenceGraph
    encoder: CachedEncoder
    files: dict[str, Path] = field(default_factory=dict)
    assets: dict[str, Path] = field(default_factory=dict)
    calls: int = 0
    new_calls: int = 0


async def _opened(arguments: argparse.Namespace, llm: LLM | NoModel) -> _Opened:
    """The graph of the documents, or of the given file."""
    home = _home(arguments)
    encoder = CachedEncoder(load_encoder(arguments.encoder), home / f"embeddings-{arguments.encoder}")
    if arguments.graph is not None:
        return _Opened(EvidenceGraph.read_graphml(arguments.graph, encoder), encoder)
    library = _library(arguments)
    documents, assets = library.documents, {d.document_id: library.assets for d in library.documents}
    if not arguments.graph_model or not isinstance(llm, LLM) or llm.cache is None:
        graph, report = build_without_model(documents, encoder, ConstructionOptions(model=False))
        print(f"graph: {report.nodes} nodes, {report.links} links, no calls", file=sys.stderr)
        return _Opened(graph, encoder, library.files, assets)
    stored = len(llm.cache)
    options = fit_construction(ConstructionOptions(), llm.profile("analyze").context)
    graph, report = await build_with_model(
        documents, encoder, llm, Prompts.load(PACKAGED), options, assets=library.assets
    )  # fmt: skip
    new = len(llm.cache) - stored
    print(
        f"graph: {report.nodes} nodes, {report.links} links, {report.pruned} pruned, {report.calls} calls, "
        f"{new} of them new; {report.unreadable} replies unreadable, "
        f"{report.unknown} unknown neighbours and {report.loops} self-links dropped",
        file=sys.stderr,
    )
    return _Opened(graph, encoder, library.files, assets, report.calls, new)


def _library(arguments: argparse.Namespace) -> Library:
    """The parsed documents of all paths; two commands on one path take turns."""
    cache = cache_of(arguments)
    try:
        with in_turn(stores_of(arguments.paths, cache)):
            library = open_library(arguments.paths, cache, parse_options(arguments))
    except OSError as error:
        raise cannot_keep(cache, error) from error
    for line in library.left_out():
        print(line, file=sys.stderr)
    return library


def _report(arguments: argparse.Namespace, opened: _Opened, question: str, number: int, record: FlowRecord) -> Answered:
    """Tell the paths and the answer, then draw: a full disk takes no answer with it."""
    _tell_paths(record, opened.graph, "no" if arguments.no_model else str(sum(record.calls.values())))
    run = record.run
    done = arguments.no_model or (run.status == "done" and bool(run.answer))  # a model that says nothing is no answer
    cited = () if arguments.no_model else tuple(cite(record, opened.graph, opened.files))
    answered = Answered(question, done, run.answer, cited, run.errors, record.to_json())
    if not arguments.no_model:
        print("\n".join(answered.lines()))
    if arguments.figure is not None:
        figure = numbered(arguments.figure, number, len(arguments.questions))
        keep_file("--figure", figure, draw(opened.graph, record, question, asked=not arguments.no_model))
        print(f"figure: {figure}")
    return answered


def _tell_paths(record: FlowRecord, graph: EvidenceGraph, calls: str) -> None:
    nodes = {node.node_id: node for node in graph.nodes}
    for facts in record.passes[-1:]:
        for path in facts.read:
            stops = [nodes[name] for name in facts.ids_of(path)]
            steps = " -> ".join(f"{node.document_id} p.{node.page} {KIND[node.modality]}" for node in stops)
            print(f"flow {path.flow:.3f}  x {path.population:.3f}  {steps}")
        print(f"sigma {facts.saturation:.2f}, {len(facts.paths)} paths, {calls} calls. {facts.note}".rstrip())


def _show(event: Event) -> None:
    if event.kind != "token":
        print(f"{event.kind}: {event.text}", file=sys.stderr)


def _file(folder: Path, name: str) -> Path:
    """A named YAML of a folder, or the path of one. Raises `CommandError` listing the names."""
    path = Path(name) if name.endswith((".yaml", ".yml")) else folder / f"{name}.yaml"
    if not path.is_file():
        known = ", ".join(sorted(p.stem for p in folder.glob("*.yaml")))
        raise CommandError(f"{name!r} is neither a YAML file nor one of: {known}")
    return path


def _yaml(folder: Path, name: str) -> dict[str, object]:
    path = _file(folder, name)
    try:
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise CommandError(f"{path} is no YAML: {error}") from error
    if not isinstance(data, dict):
        raise CommandError(f"{name}: not a mapping of fields")
    return data
