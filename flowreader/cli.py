"""The command line: the graph of some documents, answers from it, its pictures and files.

python -m flowreader ask PATH... -q "QUESTION" [--figure paths.svg]
python -m flowreader graph PATH... [--figure graph.svg] [--graphml graph.graphml]
python -m flowreader ask --graph edited.graphml -q "QUESTION"
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import yaml

from common.benchmarks.question import Question
from common.characters import has_half_pair
from common.documents import ParseOptions, assets_folder, load_documents, parse_folder
from common.documents.model import Document
from common.files import write_atomic
from common.llm import LLM, CallCache, LLMError, Mode, Profile, ServerUnavailable
from common.llm.choice import DEFAULT_MODEL, ModelError, choose_profile, reachable
from common.paths import Workspace
from common.prompting import Prompts
from common.retrieval import CachedEncoder, EmbeddingStoreError, EncoderUnavailable, load_encoder
from common.turns import in_turn
from flowreader.config import FlowReaderConfig
from flowreader.construction import build_with_model, build_without_model
from flowreader.description import described
from flowreader.evidence import KIND
from flowreader.graph import EvidenceGraph
from flowreader.options import ConstructionOptions
from flowreader.picture import draw
from flowreader.pipeline import answer_question
from flowreader.records import FlowRecord
from flowreader.session import PACKAGED, Event

FIGURES = {"ask": (".svg",), "graph": (".svg", ".png", ".pdf")}


class CommandError(Exception):
    """A command that cannot be carried out; the message says what to change."""


# Errors whose message is meant for the user; anything else is a defect and keeps its traceback.
EXPECTED = (CommandError, ModelError, LLMError, EncoderUnavailable, EmbeddingStoreError, OSError, ValueError)


class NoModel:
    """Stands in for the door to the models with `--no-model`: every call fails, so that only paths are shown."""

    async def complete(self, stage: str, *_: object, **__: object) -> None:
        raise ServerUnavailable(f"{stage}: --no-model was given")

    async def aclose(self) -> None:
        """There is nothing to close."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; 1 with a line on stderr when it cannot be done or its run failed."""
    arguments = _parser().parse_args(argv)
    try:
        check_arguments(arguments)
        return _ask_command(arguments) if arguments.command == "ask" else _graph_command(arguments)
    except EXPECTED as error:
        print(f"flowreader: {error}", file=sys.stderr)
        if isinstance(error, LLMError):
            print("replies that came back are kept: the same command goes on from here", file=sys.stderr)
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m flowreader", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    ask = commands.add_parser("ask", help="answer a question from documents")
    ask.add_argument("-q", "--question", required=True)
    ask.add_argument("--graph", type=Path, metavar="IN.graphml", help="ask this graph, as `graph` wrote it or edited")
    ask.add_argument("--figure", type=Path, metavar="OUT.svg", help="draw the paths")
    ask.add_argument("--json", type=Path, metavar="OUT.json", help="write the whole record")
    ask.add_argument("--variant", default="full", help="a name in experiments/conf/variant, or a YAML file")
    ask.add_argument("--no-model", action="store_true", help="no call at all: show the paths that would be read")
    graph = commands.add_parser("graph", help="build, draw and export the graph of documents")
    graph.add_argument("--figure", type=Path, metavar="OUT.svg", help="draw the graph, as .svg, .png or .pdf")
    graph.add_argument(
        "--graphml", type=Path, metavar="OUT.graphml", help="write the graph for Gephi, yEd and the like"
    )
    graph.set_defaults(no_model=False, graph=None)
    for command in (ask, graph):
        _add_document_options(command)
    return parser


def _add_document_options(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "paths", nargs="*", type=Path, metavar="PATH", help="PDF, HTML or Markdown files, or folders of them"
    )
    command.add_argument(
        "--model", default=DEFAULT_MODEL, help="profile name, profile file, or URL of an OpenAI-compatible server"
    )
    command.add_argument("--context", type=int, default=8192, help="tokens of context of a model given by URL")
    command.add_argument("--serve", action="store_true", help="start the embedded server for this command")
    command.add_argument("--encoder", default="minilm", help="minilm, wordllama, nomic or endpoint")
    command.add_argument(
        "--graph-model", action="store_true", help="let the model write and evolve the graph (T + 1 calls a node)"
    )
    command.add_argument("--fast-parse", action="store_true", help="no OCR and no layout model")


def check_arguments(arguments: argparse.Namespace) -> None:
    """Before anything is parsed or asked. Raises `CommandError`."""
    question: str = getattr(arguments, "question", "?")
    if not question.strip():
        raise CommandError("-q: the question is empty")
    if has_half_pair(question):
        raise CommandError("-q: the question is not valid UTF-8 text; check the terminal's encoding")
    _check_sources(arguments)
    if arguments.no_model and (arguments.graph_model or arguments.serve):
        raise CommandError("--no-model makes no call: leave out --graph-model and --serve, or --no-model")
    if arguments.command == "graph" and arguments.serve and not arguments.graph_model:
        raise CommandError("--serve: without --graph-model no model is asked; add that, or leave out --serve")
    forms = FIGURES[arguments.command]
    if arguments.figure is not None and arguments.figure.suffix.lower() not in forms:
        raise CommandError(f"--figure {arguments.figure}: give a name that ends in {' or '.join(forms)}")
    for option in ("figure", "json", "graphml"):
        path: Path | None = getattr(arguments, option, None)
        if path is not None and not path.parent.is_dir():
            raise CommandError(f"--{option} {path}: there is no folder {path.parent}; make it first")
        if path is not None and path.is_dir():
            raise CommandError(f"--{option} {path}: this is a folder; name a file")


def _check_sources(arguments: argparse.Namespace) -> None:
    graph: Path | None = arguments.graph
    if bool(arguments.paths) == bool(graph):
        raise CommandError("give the documents, or --graph with a file of theirs" + (", not both" if graph else ""))
    if graph is not None and arguments.graph_model:
        raise CommandError("--graph-model builds a graph from documents: leave it out, or --graph")
    for source in [*arguments.paths, *([graph] if graph else [])]:
        if not source.exists():
            raise CommandError(f"{source}: there is no such file or folder")


def _graph_command(arguments: argparse.Namespace) -> int:
    """Build the graph or open it again, say what it is, draw and export it."""
    home = Workspace().cache / "flowreader"
    if not arguments.graph_model:
        return _show_graph(arguments, asyncio.run(_built(arguments, home, NoModel())))
    profile = choose_profile(arguments.model, context=arguments.context)
    with _door(arguments, profile, home) as door:
        return _show_graph(arguments, asyncio.run(_built(arguments, home, door)))


@contextmanager
def _door(arguments: argparse.Namespace, profile: Profile, home: Path) -> Iterator[LLM]:
    """The model with a server behind it, told before documents are read, whose parsing may take long."""
    with reachable(profile, serve=arguments.serve) as served:
        yield LLM({"default": served}, CallCache(home / "calls" / profile.name), Mode.RECORD)


async def _built(arguments: argparse.Namespace, home: Path, llm: LLM | NoModel) -> _Opened:
    try:
        return await _opened(arguments, home, llm)
    finally:
        await llm.aclose()


def _show_graph(arguments: argparse.Namespace, opened: _Opened) -> int:
    print("\n".join(described(opened.graph)))
    print(f"{opened.calls} calls, {opened.new_calls} of them new" if opened.calls else "no calls")
    if arguments.graphml is not None:
        opened.graph.write_graphml(arguments.graphml)
    if arguments.figure is not None:
        from flowreader.graph_picture import draw_graph  # here, not above: only this needs matplotlib

        write_atomic(arguments.figure, draw_graph(opened.graph, arguments.figure.suffix.lower().removeprefix(".")))
    return 0


def _ask_command(arguments: argparse.Namespace) -> int:
    workspace = Workspace()
    config = FlowReaderConfig.from_mapping(_yaml(workspace.conf / "variant", arguments.variant))
    if config.shape == "zero_shot" and arguments.figure is not None:
        raise CommandError(f"--figure: variant {config.name} reads the document as it is, there are no paths to draw")
    if arguments.no_model:  # one pass, the question as BM25 query: nothing that waits for a reply
        config = replace(config, system2=False, reading=replace(config.reading, keywords=False))
    profile = choose_profile(arguments.model, context=arguments.context)
    home = workspace.cache / "flowreader"
    if arguments.no_model:
        return asyncio.run(_ask(arguments, config, home, profile.name, NoModel()))
    with _door(arguments, profile, home) as door:
        return asyncio.run(_ask(arguments, config, home, profile.name, door))


async def _ask(
    arguments: argparse.Namespace, config: FlowReaderConfig, home: Path, model: str, llm: LLM | NoModel
) -> int:
    try:
        opened = await _opened(arguments, home, llm)
        record = await answer_question(
            Question("ask", "ask", arguments.question, ()), opened.graph, llm, config,  # type: ignore[arg-type]
            opened.encoder, benchmark="ask", model=model, commit="unknown", assets=opened.assets, on_event=_show,
        )  # fmt: skip
    finally:
        await llm.aclose()
    return _report(arguments, opened.graph, record)


@dataclass(frozen=True)
class _Opened:
    """A graph, the encoder of its space, where each document's pictures lie, and the calls that it took."""

    graph: EvidenceGraph
    encoder: CachedEncoder
    assets: dict[str, Path]
    calls: int = 0
    new_calls: int = 0


async def _opened(arguments: argparse.Namespace, home: Path, llm: LLM | NoModel) -> _Opened:
    """The graph of the documents, or of the given file."""
    encoder = CachedEncoder(load_encoder(arguments.encoder), home / f"embeddings-{arguments.encoder}")
    if arguments.graph is not None:
        return _Opened(EvidenceGraph.read_graphml(arguments.graph, encoder), encoder, {})
    options = ParseOptions(ocr=not arguments.fast_parse, layout=not arguments.fast_parse)
    documents, assets = _documents(arguments.paths, home, options)
    if not arguments.graph_model or not isinstance(llm, LLM) or llm.cache is None:
        graph, report = build_without_model(documents, encoder, ConstructionOptions(model=False))
        print(f"graph: {report.nodes} nodes, {report.links} links, no calls", file=sys.stderr)
        return _Opened(graph, encoder, assets)
    folders = set(assets.values())
    folder = folders.pop() if len(folders) == 1 else None
    stored = len(llm.cache)
    graph, report = await build_with_model(documents, encoder, llm, Prompts.load(PACKAGED), assets=folder)
    new = len(llm.cache) - stored
    print(
        f"graph: {report.nodes} nodes, {report.links} links, {report.pruned} pruned, {report.calls} calls, "
        f"{new} of them new; {report.unreadable} replies unreadable, "
        f"{report.unknown} unknown neighbours and {report.loops} self-links dropped",
        file=sys.stderr,
    )
    return _Opened(graph, encoder, assets, report.calls, new)


def _documents(paths: Sequence[Path], home: Path, options: ParseOptions) -> tuple[list[Document], dict[str, Path]]:
    """The parsed documents of all paths, and where each one's pictures lie; two commands on one path take turns."""
    documents: dict[str, Document] = {}
    assets: dict[str, Path] = {}
    for path in paths:
        store = home / "parsed" / hashlib.sha256(os.fsencode(path.resolve())).hexdigest()[:16]
        with in_turn([store]):
            failures, parsed = parse_folder(path, store, options=options).failures, load_documents(store)
        for failure in failures:
            print(f"left out: {failure.source}: {failure.reason}", file=sys.stderr)
        for document in parsed:
            if document.document_id in documents:
                raise CommandError(
                    f"{path}: a second document is called {document.document_id}; rename one of the files"
                )
            documents[document.document_id] = document
            assets[document.document_id] = assets_folder(store)
    return [documents[name] for name in sorted(documents)], assets


def _report(arguments: argparse.Namespace, graph: EvidenceGraph, record: FlowRecord) -> int:
    nodes = {node.node_id: node for node in graph.nodes}
    for facts in record.passes[-1:]:
        for path in sorted((p for p in facts.paths if p.kept is not None), key=lambda p: p.kept or 0):
            stops = [nodes[facts.nodes[row]] for row in path.nodes]
            steps = " -> ".join(f"{node.document_id} p.{node.page} {KIND[node.modality]}" for node in stops)
            print(f"flow {path.flow:.3f}  x {path.population:.3f}  {steps}")
        made = "no" if arguments.no_model else sum(record.calls.values())
        print(f"sigma {facts.saturation:.2f}, {len(facts.paths)} paths, {made} calls. {facts.note}".rstrip())
    if not arguments.no_model:  # before the files: a full disk takes no answer with it
        print("; ".join(record.run.answer) or "(no answer)")
        for error in record.run.errors:
            print(f"flowreader: {error}", file=sys.stderr)
    if arguments.figure is not None:
        write_atomic(arguments.figure, draw(graph, record, arguments.question))
    if arguments.json is not None:
        write_atomic(arguments.json, json.dumps(record.to_json(), indent=1, ensure_ascii=False) + "\n")
    return 0 if arguments.no_model or record.run.status == "done" else 1


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
