"""From scores to the paths that are read: anchors, flow network, min-cost flow, decomposition, replicator (3.3-3.5)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from common.arrays import Floats, Integers
from common.retrieval import Encoder
from flowreader.anchors import select_sinks, select_sources
from flowreader.config import FlowReaderConfig
from flowreader.decomposition import Decomposition, Path, decompose
from flowreader.graph import EvidenceGraph
from flowreader.network import Flow, build_network, solve
from flowreader.replicator import Selection, select_paths
from flowreader.scoring import DIGITS, Scores, score_nodes

NO_NODES = np.zeros(0, dtype=np.int64)


@dataclass(frozen=True)
class Arcs:
    """The arcs flow may take, (m,) each. System 2 adds to them and changes similarities."""

    tail: Integers
    head: Integers
    similarity: Floats

    @classmethod
    def of(cls, graph: EvidenceGraph) -> Arcs:
        return cls(*graph.arc_ends)


@dataclass(frozen=True)
class Routing:
    """One pass. `flow` is None when there was nothing to solve; `note` says why no path came from a flow."""

    sources: Integers
    sinks: Integers
    flow: Flow | None
    paths: tuple[Path, ...]
    leftover: float
    selection: Selection
    note: str = ""

    @property
    def kept(self) -> tuple[Path, ...]:
        return tuple(self.paths[k] for k in self.selection.chosen)

    @property
    def saturation(self) -> float:
        """sigma; nothing routed is sigma = 0."""
        return self.flow.saturation if self.flow is not None else 0.0


def score_query(
    graph: EvidenceGraph, question: str, lexical: str, encoder: Encoder, config: FlowReaderConfig
) -> Scores:
    """r, phi, psi, h, a of every node. `lexical` is the BM25 query. Raises `ValueError` for another encoder's graph."""
    if (encoder.name, encoder.revision) != graph.encoder:
        raise ValueError(
            f"the graph was embedded by {graph.encoder}, the query would be by {encoder.name}: use the same"
        )
    cosine = graph.dense.cosines(encoder.encode([question], query=True)[0])
    bm25 = graph.lexical.scores(lexical)
    words = graph.words(config.routing.length_of)
    return score_nodes(graph.averaging, graph.transition, cosine, bm25, words, graph.visual, config.scoring)


def choose_anchors(graph: EvidenceGraph, scores: Scores, config: FlowReaderConfig) -> tuple[Integers, Integers]:
    """S and T. A node without score anchors nothing."""
    routing = config.routing
    scored = int((scores.h > 0.0).sum())
    most = min(routing.sources, max(1, int(routing.source_share * scored)))
    sources = select_sources(scores.h, graph.embeddings, count=most, trade_off=routing.trade_off)
    sources = sources[scores.h[sources] > 0.0]
    return sources, select_sinks(scores.a, sources, count=routing.sinks, overlap=routing.overlap)


def route(
    graph: EvidenceGraph, scores: Scores, arcs: Arcs, sources: Integers, sinks: Integers, config: FlowReaderConfig,
    *, cited: frozenset[int] = frozenset(),
) -> Routing:  # fmt: skip
    """Solve, decompose, select. `cited` nodes weigh more in the choice of paths (second pass, appendix C)."""
    flow, parts, note = None, Decomposition((), 0.0), ""
    if not len(sources):
        note = "no node has a score"
    elif not len(sinks):
        note = "no node outside the sources can answer"
    else:
        network = build_network(
            arcs.tail, arcs.head, arcs.similarity, scores.h, scores.a, sources, sinks, config.routing.demand
        )
        flow = solve(network)
        parts = decompose(flow, most=config.routing.most_paths)
        note = "" if parts.paths else "no flow reaches a sink"
    paths = parts.paths or _alone(sources, config)
    selection = select_paths(
        paths, _boosted(scores.h, cited, config), graph.words(config.routing.length_of), config.replicator
    )
    return Routing(sources, sinks, flow, paths, parts.leftover, selection, note)


def _alone(sources: Integers, config: FlowReaderConfig) -> tuple[Path, ...]:
    """Each source as a path of its own: what is read when nothing could be routed. Equal, nominal flow."""
    if config.routing.when_unrouted == "nothing":
        return ()
    return tuple(Path((int(node),), 0.0) for node in sources)


def _boosted(h: Floats, cited: frozenset[int], config: FlowReaderConfig) -> Floats:
    if not cited:
        return h
    boosted = h.copy()
    rows = sorted(cited)
    boosted[rows] = np.minimum(1.0, np.round(h[rows] + config.refinement.boost, DIGITS))
    return boosted


def flat_routing(scores: Scores, config: FlowReaderConfig) -> Routing:
    """The flat baseline: the top nodes by r, each a path of its own; no graph, no flow, nothing to gate."""
    order = np.lexsort((np.arange(len(scores.r)), -scores.r))[: config.replicator.most]
    top = order[scores.r[order] > 0.0]
    paths = tuple(Path((int(node),), 0.0) for node in top)
    quality = scores.r[top]
    population = quality / quality.sum() if len(top) else quality
    selection = Selection(tuple(range(len(top))), population, quality, np.diag(quality**2), 0, 0, 0)
    note = "" if len(top) else "no node has a score"
    return Routing(top.astype(np.int64), NO_NODES, None, paths, 0.0, selection, note)


def with_similarity(arcs: Arcs, places: Integers, values: Floats) -> Arcs:
    """The arcs with new similarities at some places."""
    similarity = arcs.similarity.copy()
    similarity[places] = values
    return replace(arcs, similarity=similarity)


def with_links(arcs: Arcs, pairs: list[tuple[int, int]], values: list[float]) -> Arcs:
    """The arcs and new ones."""
    tails, heads = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    return Arcs(
        np.concatenate([arcs.tail, tails]), np.concatenate([arcs.head, heads]),
        np.concatenate([arcs.similarity, np.array(values, dtype=np.float64)]),
    )  # fmt: skip
