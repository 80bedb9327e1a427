"""`python -m flowreader ask PATH... -q QUESTION`: build the graph of some documents and answer one question."""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import yaml

from common.benchmarks.question import Question
from common.documents import ParseOptions, load_documents, parse_folder
from common.documents.model import Document
from common.llm import LLM, CallCache, LLMError, Mode, ServerUnavailable, load_profile
from common.paths import Workspace
from common.prompting import Prompts
from common.retrieval import CachedEncoder, load_encoder
from flowreader.config import FlowReaderConfig
from flowreader.construction import build_with_model, build_without_model
from flowreader.evidence import KIND
from flowreader.graph import EvidenceGraph
from flowreader.options import ConstructionOptions
from flowreader.picture import draw
from flowreader.pipeline import answer_question
from flowreader.records import FlowRecord
from flowreader.session import PACKAGED, Event


class CommandError(Exception):
    """A command that cannot be carried out; the message says what to change."""


class NoModel:
    """Stands in for the door to the models with `--no-model`: every call fails, so that only paths are shown."""

    async def complete(self, stage: str, *_: object, **__: object) -> None:
        raise ServerUnavailable(f"{stage}: --no-model was given")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; 1 with a line on stderr when it cannot be done or its run failed."""
    arguments = _parser().parse_args(argv)
    try:
        return asyncio.run(_ask(arguments))
    except (CommandError, LLMError, FileNotFoundError, ValueError) as error:
        print(f"flowreader: {error}", file=sys.stderr)
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m flowreader", description=__doc__)
    ask = parser.add_subparsers(dest="command", required=True).add_parser(
        "ask", help="answer a question from documents"
    )
    ask.add_argument(
        "paths", nargs="+", type=Path, metavar="PATH", help="PDF, HTML or Markdown files, or folders of them"
    )
    ask.add_argument("-q", "--question", required=True)
    ask.add_argument("--figure", type=Path, metavar="OUT.svg", help="draw the paths")
    ask.add_argument("--json", type=Path, metavar="OUT.json", help="write the whole record")
    ask.add_argument("--variant", default="full", help="a name in experiments/conf/variant, or a YAML file")
    ask.add_argument("--model", default="smollm2-135m", help="a name in experiments/conf/model, or a YAML file")
    ask.add_argument("--encoder", default="minilm", help="minilm, wordllama, nomic or endpoint")
    ask.add_argument(
        "--graph-model", action="store_true", help="let the model write and evolve the graph (T + 1 calls a node)"
    )
    ask.add_argument("--no-model", action="store_true", help="no call at all: show the paths that would be read")
    ask.add_argument("--fast-parse", action="store_true", help="no OCR and no layout model")
    return parser


async def _ask(arguments: argparse.Namespace) -> int:
    workspace = Workspace()
    config = FlowReaderConfig.from_mapping(_yaml(workspace.conf / "variant", arguments.variant))
    if arguments.no_model:  # one pass, the question as BM25 query: nothing that waits for a reply
        config = replace(config, system2=False, reading=replace(config.reading, keywords=False))
    home = workspace.cache / "flowreader"
    documents, assets = _documents(
        arguments.paths, home, ParseOptions(ocr=not arguments.fast_parse, layout=not arguments.fast_parse)
    )
    encoder = CachedEncoder(load_encoder(arguments.encoder), home / f"embeddings-{arguments.encoder}")
    profile = load_profile(_file(workspace.conf / "model", arguments.model))
    llm = (
        NoModel()
        if arguments.no_model
        else LLM({"default": profile}, CallCache(home / "calls" / profile.name), Mode.RECORD)
    )
    try:
        graph = await _graph(arguments, documents, encoder, llm, assets)
        question = Question("ask", "ask", arguments.question, ())
        record = await answer_question(
            question, graph, llm, config, encoder, benchmark="ask", model=profile.name, commit="unknown",  # type: ignore[arg-type]
            assets=assets, on_event=_show,
        )  # fmt: skip
    finally:
        if isinstance(llm, LLM):
            await llm.aclose()
    return _report(arguments, graph, record)


async def _graph(
    arguments: argparse.Namespace, documents: list[Document], encoder: CachedEncoder, llm: LLM | NoModel,
    assets: dict[str, Path],
) -> EvidenceGraph:  # fmt: skip
    if arguments.graph_model and isinstance(llm, LLM):
        folders = set(assets.values())
        folder = folders.pop() if len(folders) == 1 else None
        graph, report = await build_with_model(documents, encoder, llm, Prompts.load(PACKAGED), assets=folder)
    else:
        graph, report = build_without_model(documents, encoder, ConstructionOptions(model=False))
    print(f"graph: {report.nodes} nodes, {report.links} links, {report.calls} calls", file=sys.stderr)
    return graph


def _documents(paths: Sequence[Path], home: Path, options: ParseOptions) -> tuple[list[Document], dict[str, Path]]:
    """The parsed documents of all paths, and where each one's pictures lie."""
    documents: dict[str, Document] = {}
    assets: dict[str, Path] = {}
    for path in paths:
        store = home / "parsed" / hashlib.sha256(os.fsencode(path.resolve())).hexdigest()[:16]
        for failure in parse_folder(path, store, options=options).failures:
            print(f"left out: {failure.source}: {failure.reason}", file=sys.stderr)
        for document in load_documents(store):
            if document.document_id in documents:
                raise CommandError(
                    f"{path}: a second document is called {document.document_id}; rename one of the files"
                )
            documents[document.document_id] = document
            assets[document.document_id] = store / "assets"
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
    if arguments.figure is not None:
        _write(arguments.figure, draw(graph, record, arguments.question))
    if arguments.json is not None:
        _write(arguments.json, json.dumps(record.to_json(), indent=1, ensure_ascii=False) + "\n")
    if arguments.no_model:
        return 0
    print("; ".join(record.run.answer) or "(no answer)")
    for error in record.run.errors:
        print(f"flowreader: {error}", file=sys.stderr)
    return 0 if record.run.status == "done" else 1


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
    data = yaml.safe_load(_file(folder, name).read_text(encoding="utf-8"))
    if not isinstance(data, dict):
        raise CommandError(f"{name}: not a mapping of fields")
    return data


def _write(path: Path, text: str) -> None:
    temporary = path.with_name(path.name + ".tmp")
    temporary.write_text(text, encoding="utf-8")
    os.replace(temporary, path)
