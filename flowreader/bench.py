"""`OMP_NUM_THREADS=1 python -m flowreader.bench`: scoring to selected paths on a synthetic graph, medians in ms.

The query's embedding and BM25 scores are given, the graph's matrices prepared, as they are between two queries.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Literal

import networkx as nx
import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_array

from common.arrays import Floats
from common.graph import Edge, Graph
from flowreader.config import FlowReaderConfig
from flowreader.graph import LINK, EvidenceGraph, Modality, Node
from flowreader.network import SCALE, Network, solve
from flowreader.routing import Arcs, Routing, choose_anchors, route
from flowreader.scoring import score_nodes

Words = Literal["near", "anywhere"]
WORDS: tuple[Words, ...] = ("near", "anywhere")
GOALS_MS = {2_000: 10.0, 20_000: 80.0}  # nodes -> goal, 10 edges a node
RATIOS = (("highs", 20), ("networkx", 40))
DIMENSIONS = 384


def synthetic_graph(count: int, *, degree: int = 10, seed: int = 5) -> EvidenceGraph:
    """Nodes around random topics of some forty, each with `degree` / 2 links: all but one into its topic."""
    topic_count = max(2, count // 40)
    rng = np.random.default_rng(seed)
    topics = rng.normal(size=(topic_count, DIMENSIONS))
    topic = rng.integers(0, topic_count, count)
    vectors = topics[topic] + rng.normal(size=(count, DIMENSIONS))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    modalities: tuple[Modality, ...] = ("txt", "vis", "tbl")
    kinds = rng.choice(3, count, p=[0.7, 0.2, 0.1]).tolist()
    lengths = rng.integers(5, 30, count)
    nodes = tuple(
        Node(f"n{row}", modalities[kinds[row]], "d", 1 + row // 5, row, "", "w " * int(lengths[row]))
        for row in range(count)
    )
    edges = []
    members = [np.flatnonzero(topic == t) for t in range(topic_count)]
    for row in range(count):
        for other in {*rng.choice(members[topic[row]], degree // 2 - 1).tolist(), int(rng.integers(0, count))} - {row}:
            edges.append(
                Edge(nodes[row].node_id, nodes[other].node_id, LINK, max(0.22, float(vectors[row] @ vectors[other])))
            )
    graph = Graph.build({node.node_id: node.modality for node in nodes}, edges)
    return EvidenceGraph(nodes, graph, vectors.astype(np.float32), ("synthetic", "1"))


def one_query(graph: EvidenceGraph, arcs: Arcs, cosine: Floats, bm25: Floats, config: FlowReaderConfig) -> Routing:
    """What is timed: scores, anchors, network, flow, decomposition, selection."""
    words = graph.words("summary")
    scores = score_nodes(graph.averaging, graph.transition, cosine, bm25, words, graph.visual, config.scoring)
    return route(graph, scores, arcs, *choose_anchors(graph, scores, config), config)


def queries_of(
    graph: EvidenceGraph, count: int, seed: int = 7, *, words: Words = "near"
) -> Iterator[tuple[Floats, Floats]]:
    """Cosines and BM25 scores of `count` queries, each aimed near a node.

    `near`: shared words go with shared meaning, in the measure seen on the 60 questions of pocket-m3doc (there, here
    at 2,000 nodes): share of nodes with any (.24, .23), correlation with the cosine (.52, .50), where among the
    nearest the eight best lie (.6 %, .6 %). `anywhere`: one node in twenty, wherever it is. Sources then lie in
    corners that share nothing, far less flow than F gets through over long ways, and solving takes longest.
    """
    rng, n = np.random.default_rng(seed), len(graph)
    for _ in range(count):
        aim = graph.embeddings[rng.integers(0, n)].astype(np.float64) + 0.03 * rng.normal(size=DIMENSIONS)
        cosine = graph.embeddings @ (aim / np.linalg.norm(aim))
        if words == "anywhere":
            yield cosine, np.where(rng.random(n) < 0.05, rng.random(n) * 10.0, 0.0)
        else:
            meaning = np.maximum(cosine, 0.0)
            shares = rng.random(n) < 0.2 + meaning
            yield cosine, np.where(shares, meaning + 0.6 / np.log(n) * rng.exponential(size=n), 0.0)


@dataclass(frozen=True)
class Timing:
    """Medians over queries in milliseconds: of the clock, and of the processor, which other programs disturb less."""

    clock: float
    processor: float
    solving: float  # of the processor, inside the solver
    saturation: float

    @property
    def line(self) -> str:
        return f"{self.clock:.1f} ms (processor {self.processor:.1f}, of it solving {self.solving:.1f})"


def query_times(graph: EvidenceGraph, *, queries: int = 21, words: Words = "near") -> Timing:
    """Each query counts by the fastest of three runs; set OMP_NUM_THREADS=1 for the goal's one thread."""
    config, arcs, rows = FlowReaderConfig("bench"), Arcs.of(graph), []
    for cosine, bm25 in queries_of(graph, queries, words=words):
        run = partial(one_query, graph, arcs, cosine, bm25, config)
        routing = run()  # the first query prepares the graph's matrices
        times = [_seconds(run) for _ in range(3)]
        solving = min(_seconds(partial(solve, routing.flow.network))[1] for _ in range(3)) if routing.flow else 0.0
        rows.append((*map(min, zip(*times, strict=True)), solving, routing.saturation / 1000.0))
    return Timing(*(1000.0 * statistics.median(column) for column in zip(*rows, strict=True)))


def solver_seconds(graph: EvidenceGraph, *, queries: int = 5, words: Words = "near") -> dict[str, float]:
    """Median processor seconds of the same flow problems by OR-Tools, HiGHS (LP) and networkx (integer simplex)."""
    config, arcs = FlowReaderConfig("bench"), Arcs.of(graph)
    times: dict[str, list[float]] = {"ortools": [], "highs": [], "networkx": []}
    for cosine, bm25 in queries_of(graph, queries, words=words):
        flow = one_query(graph, arcs, cosine, bm25, config).flow
        if flow is None:
            continue
        network, units = flow.network, round(flow.routed * SCALE)
        runs: dict[str, Callable[[], object]] = {
            "ortools": partial(solve, network),
            "highs": partial(_highs, network, units),
            "networkx": partial(_networkx, network, units),
        }
        for name, run in runs.items():
            times[name].append(min(_seconds(run)[1] for _ in range(1 if name == "networkx" else 3)))
    return {name: statistics.median(values) for name, values in times.items()}


def _seconds(run: Callable[[], object]) -> tuple[float, float]:
    """Of the clock and of the processor."""
    clock, processor = time.perf_counter(), time.process_time()
    run()
    return time.perf_counter() - clock, time.process_time() - processor


def _highs(network: Network, units: int) -> float:
    """Cost of routing `units` by a linear program."""
    n, m = network.nodes + 2, len(network.tail)
    ends = np.concatenate([network.tail, network.head]), np.tile(np.arange(m), 2)
    incidence = coo_array((np.repeat([1.0, -1.0], m), ends), shape=(n, m)).tocsr()
    supply = np.zeros(n)
    supply[network.source], supply[network.sink] = units / SCALE, -units / SCALE
    bounds = np.c_[np.zeros(m), np.floor(network.capacity * SCALE) / SCALE]
    return float(linprog(network.cost, A_eq=incidence, b_eq=supply, bounds=bounds, method="highs").fun)


def _networkx(network: Network, units: int) -> float:
    """Cost of routing `units` by the network simplex of networkx on the same integers; parallel arcs do not occur."""
    graph = nx.DiGraph()
    graph.add_nodes_from(range(network.nodes + 2), demand=0)
    graph.nodes[network.source]["demand"], graph.nodes[network.sink]["demand"] = -units, units
    capacity = np.floor(network.capacity * SCALE).astype(int).tolist()
    cost = np.rint(network.cost * SCALE).astype(int).tolist()
    for u, v, most, weight in zip(network.tail.tolist(), network.head.tolist(), capacity, cost, strict=True):
        graph.add_edge(u, v, capacity=most, weight=weight)
    return float(nx.network_simplex(graph)[0]) / SCALE**2


def diffusion(graph: EvidenceGraph, *, queries: int = 20) -> tuple[int, float]:
    """The most matrix-vector products a query's PageRank took, and its largest L1 error."""
    config, words = FlowReaderConfig("bench"), graph.words("summary")
    made = [
        score_nodes(graph.averaging, graph.transition, cosine, bm25, words, graph.visual, config.scoring)
        for cosine, bm25 in queries_of(graph, queries)
    ]
    return max(scores.psi_steps for scores in made), max(scores.psi_error for scores in made)


def goals() -> Iterator[tuple[str, float, str, Literal["<=", ">="], float]]:
    """Name, value, unit, relation and goal of each measured number, over both kinds of queries."""
    for count, goal in GOALS_MS.items():
        graph = synthetic_graph(count)
        for words in WORDS:
            name = f"scores to selected paths, {count:,} nodes, words {words}, processor"
            yield name, query_times(graph, words=words).processor, "ms", "<=", goal
        steps, error = diffusion(graph)
        yield f"PageRank products, {count:,} nodes", steps, "products", "<=", 70
        yield f"PageRank L1 error, {count:,} nodes", error, "L1", "<=", 1e-6
    graph = synthetic_graph(2_000)
    for words in WORDS:
        seconds = solver_seconds(graph, words=words)
        for name, least in RATIOS:
            ratio = seconds[name] / seconds["ortools"]
            yield f"OR-Tools against {name}, 2,000 nodes, words {words}", ratio, "times", ">=", least


def main() -> None:
    for name, value, unit, relation, goal in goals():
        print(f"{name}: {value:.3g} {unit} (goal {relation} {goal:g})")
    for count in GOALS_MS:
        graph = synthetic_graph(count)
        for words in WORDS:
            timing = query_times(graph, words=words)
            print(f"{count:,} nodes, words {words}, sigma {timing.saturation:.2f}: {timing.line}")
    graph = synthetic_graph(2_000)
    for words in WORDS:
        seconds = solver_seconds(graph, words=words)
        shown = ", ".join(f"{name} {1000.0 * value:.1f} ms" for name, value in seconds.items())
        print(f"2,000 nodes, words {words}: {shown}")


if __name__ == "__main__":
    main()
