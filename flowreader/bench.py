"""`OMP_NUM_THREADS=1 python -m flowreader.bench`: scoring to selected paths on a synthetic graph, medians in ms.

The query's embedding and BM25 scores are given, the graph's matrices prepared, as they are between two queries.
"""

from __future__ import annotations

import statistics
import time

import numpy as np
from numpy.typing import NDArray

from common.graph import Edge, Graph
from flowreader.config import FlowReaderConfig
from flowreader.graph import LINK, EvidenceGraph, Node
from flowreader.routing import Arcs, Routing, choose_anchors, route
from flowreader.scoring import score_nodes

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
    kinds = rng.choice(["txt", "vis", "tbl"], count, p=[0.7, 0.2, 0.1])
    lengths = rng.integers(5, 30, count)
    nodes = tuple(
        Node(f"n{row}", str(kinds[row]), "d", 1 + row // 5, row, "", "w " * int(lengths[row]))
        for row in range(count)  # type: ignore[arg-type]
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


def one_query(
    graph: EvidenceGraph, arcs: Arcs, cosine: NDArray[np.float64], bm25: NDArray[np.float64], config: FlowReaderConfig
) -> Routing:
    """What is timed: scores, anchors, network, flow, decomposition, selection."""
    words = graph.words("summary")
    scores = score_nodes(graph.averaging, graph.transition, cosine, bm25, words, graph.visual, config.scoring)
    return route(graph, scores, arcs, *choose_anchors(graph, scores, config), config)


def milliseconds(count: int, *, queries: int = 20, seed: int = 7) -> float:
    """Median time of a query on a graph of `count` nodes; set OMP_NUM_THREADS=1 for the goal's one thread."""
    graph, config = synthetic_graph(count), FlowReaderConfig("bench")
    arcs = Arcs.of(graph)
    rng = np.random.default_rng(seed)
    times = []
    for number in range(queries + 1):
        aim = graph.embeddings[rng.integers(0, count)].astype(np.float64) + 0.03 * rng.normal(size=DIMENSIONS)
        cosine = graph.embeddings @ (aim / np.linalg.norm(aim))
        bm25 = np.where(rng.random(count) < 0.05, rng.random(count) * 10.0, 0.0)
        started = time.perf_counter()
        one_query(graph, arcs, cosine, bm25, config)
        if number:  # the first one prepares the matrices
            times.append(1000.0 * (time.perf_counter() - started))
    return statistics.median(times)


def main() -> None:
    for count, goal in GOALS_MS.items():
        print(f"{count} nodes: {milliseconds(count):.1f} ms (goal {goal:g} ms)")


if __name__ == "__main__":
    main()
