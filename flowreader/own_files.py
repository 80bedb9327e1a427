"""The graph of one's own files: built from documents, without a model or by one, or read from a GraphML file."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from common.command_line import cache_of, cannot_keep, kept_replies, parse_options
from common.llm import LLM, Profile, ServerUnavailable
from common.llm.choice import reachable
from common.own_files import Library, open_library, stores_of
from common.prompting import Prompts
from common.retrieval import CachedEncoder, load_encoder
from common.turns import in_turn
from flowreader.construction import build_with_model, build_without_model
from flowreader.fitting import fit_construction
from flowreader.graph import EvidenceGraph
from flowreader.options import ConstructionOptions
from flowreader.session import PACKAGED


class NoModel:
    """Stands in for the model client where none is asked: every call fails."""

    async def complete(self, stage: str, *_: object, **__: object) -> None:
        raise ServerUnavailable(f"{stage}: --no-model was given")

    async def aclose(self) -> None:
        """There is nothing to close."""


@dataclass(frozen=True)
class Opened:
    """A graph, the encoder of its space, each document's file and pictures, and the calls that it took."""

    graph: EvidenceGraph
    encoder: CachedEncoder
    files: dict[str, Path] = field(default_factory=dict)
    assets: dict[str, Path] = field(default_factory=dict)
    calls: int = 0
    new_calls: int = 0


def add_graph_options(parser: argparse.ArgumentParser) -> None:
    """Who makes the graph."""
    parser.add_argument(
        "--graph-model", action="store_true", help="let the model write and evolve the graph (T + 1 calls a node)"
    )


@contextmanager
def open_model(options: argparse.Namespace, profile: Profile) -> Iterator[LLM]:
    """The model with a server behind it, told before documents are read, whose parsing may take long."""
    with reachable(profile, serve=options.serve) as served, kept_replies(served, _home(options)) as llm:
        yield llm


def read_graph(file: Path, options: argparse.Namespace) -> Opened:
    """The graph of a GraphML file, as `graph` wrote it or a user edited it."""
    encoder = _encoder(options)
    return Opened(EvidenceGraph.read_graphml(file, encoder), encoder)


async def build_graph(options: argparse.Namespace, llm: LLM | NoModel) -> Opened:
    """The graph of the documents that are given; what it took is told on stderr."""
    encoder, library = _encoder(options), open_documents(options)
    documents, assets = library.documents, {d.document_id: library.assets for d in library.documents}
    if not options.graph_model or not isinstance(llm, LLM) or llm.cache is None:
        graph, report = build_without_model(documents, encoder, ConstructionOptions(model=False))
        print(f"graph: {report.nodes} nodes, {report.links} links, no calls", file=sys.stderr)
        return Opened(graph, encoder, library.files, assets)
    stored = len(llm.cache)
    construction = fit_construction(ConstructionOptions(), llm.profile("analyze").context)
    graph, report = await build_with_model(
        documents, encoder, llm, Prompts.load(PACKAGED), construction, assets=library.assets
    )
    new = len(llm.cache) - stored
    print(
        f"graph: {report.nodes} nodes, {report.links} links, {report.pruned} pruned, {report.calls} calls, "
        f"{new} of them new; {report.unreadable} replies unreadable, "
        f"{report.unknown} unknown neighbours and {report.loops} self-links dropped",
        file=sys.stderr,
    )
    return Opened(graph, encoder, library.files, assets, report.calls, new)


def open_documents(options: argparse.Namespace) -> Library:
    """The parsed documents of all paths; two commands on one path take turns."""
    cache = cache_of(options)
    try:
        with in_turn(stores_of(options.paths, cache)):
            library = open_library(options.paths, cache, parse_options(options))
    except OSError as error:
        raise cannot_keep(cache, error) from error
    for line in library.left_out():
        print(line, file=sys.stderr)
    return library


def _encoder(options: argparse.Namespace) -> CachedEncoder:
    return CachedEncoder(load_encoder(options.encoder), _home(options) / f"embeddings-{options.encoder}")


def _home(options: argparse.Namespace) -> Path:
    return cache_of(options) / "flowreader"
