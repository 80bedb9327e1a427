"""`OMP_NUM_THREADS=1 python -m flowreader.bench`: scoring to selected paths on a synthetic graph, medians in ms.

The query's embedding and BM25 scores are given, the graph's matrices prepared, as they are between two queries.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial

import networkx as nx
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.sparse import coo_array

from common.graph import Edge, Graph
from flowreader.config import FlowReaderConfig
from flowreader.graph import LINK, EvidenceGraph, Modality, Node
from flowreader.network import SCALE, Network, solve
from flowreader.routing import Arcs, Routing, choose_anchors, route
from flowreader.scoring import score_nodes

Floats = NDArray[np.float64]
GOALS_MS = {2_000: 10.0, 20_000: 80.0}  # nodes -> goal, 10 edges a node
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


def queries_of(graph: EvidenceGraph, count: int, seed: int = 7) -> Iterator[tuple[Floats, Floats]]:
    """Cosines and BM25 scores of `count` queries, each aimed near a node; one node in twenty shares a term."""
    rng, n = np.random.default_rng(seed), len(graph)
    for _ in range(count):
        aim = graph.embeddings[rng.integers(0, n)].astype(np.float64) + 0.03 * rng.normal(size=DIMENSIONS)
        cosine = graph.embeddings @ (aim / np.linalg.norm(aim))
        yield cosine, np.where(rng.random(n) < 0.05, rng.random(n) * 10.0, 0.0)


def milliseconds(count: int, *, queries: int = 20) -> float:
    """Median time of a query on a graph of `count` nodes; set OMP_NUM_THREADS=1 for the goal's one thread."""
    graph, config = synthetic_graph(count), FlowReaderConfig("bench")
    arcs = Arcs.of(graph)
    times = []
    for cosine, bm25 in queries_of(graph, queries + 1):
        started = time.perf_counter()
        one_query(graph, arcs, cosine, bm25, config)
        times.append(1000.0 * (time.perf_counter() - started))
    return statistics.median(times[1:])  # the first one prepares the matrices


def solver_seconds(count: int = 2_000, *, queries: int = 3) -> dict[str, float]:
    """Median seconds of the same flow problems by OR-Tools, HiGHS (LP) and networkx (integer simplex)."""
    graph, config = synthetic_graph(count), FlowReaderConfig("bench")
    arcs = Arcs.of(graph)
    times: dict[str, list[float]] = {"ortools": [], "highs": [], "networkx": []}
    for cosine, bm25 in queries_of(graph, queries):
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
            started = time.perf_counter()
            run()
            times[name].append(time.perf_counter() - started)
    return {name: statistics.median(values) for name, values in times.items()}


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


def main() -> None:
    for count, goal in GOALS_MS.items():
        print(f"{count} nodes: {milliseconds(count):.1f} ms (goal {goal:g} ms)")
    seconds = solver_seconds()
    for name, goal in (("highs", 20), ("networkx", 40)):
        print(f"OR-Tools {seconds[name] / seconds['ortools']:.0f} times as fast as {name} (goal {goal})")


if __name__ == "__main__":
    main()
