"""Personalised PageRank by hand, on a larger graph, and what it refuses."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from scipy.sparse import csr_array

from common.graph import Graph, PageRank, Transition, from_networkx, personalised_pagerank, to_networkx


def rank(graph: Graph, seeds: dict[str, float], tolerance: float = 1e-6) -> PageRank:
    restart = np.array([seeds.get(node, 0.0) for node in graph.nodes])
    return personalised_pagerank(Transition(graph.adjacency()), restart, tolerance=tolerance)


def test_two_nodes_by_hand() -> None:
    """a <-> b, restart at a: a = .15 + .85 b, b = .85 a, so a = .15 / (1 - .85^2)."""
    graph = Graph.build({"a": "text", "b": "text"}, [("a", "b", "t", 1.0), ("b", "a", "t", 1.0)])
    result = rank(graph, {"a": 1.0})
    a = 0.15 / (1 - 0.85**2)
    assert result.scores == pytest.approx([a, 0.85 * a], abs=1e-6)
    assert result.steps <= 8, "plain iteration keeps the alternating part for 90 steps"


@pytest.mark.parametrize("linked", ["cycle", "path"])
def test_slowest_graphs_stay_within_a_hundred_products(linked: str) -> None:
    """Mass far from the seed decays as .85^distance: no method can do these in fewer than 85."""
    other = nx.cycle_graph(300, nx.DiGraph) if linked == "cycle" else nx.path_graph(300, nx.DiGraph)
    result = rank(from_networkx(other), {"0": 1.0})
    exact = 0.85 ** np.arange(300)
    assert result.steps <= 100
    assert np.abs(result.scores - exact / exact.sum()).sum() <= 1e-6


def test_dangling_node_restarts_at_the_seed() -> None:
    """a -> b, b has no edge: a = .15 + .85 b, b = .85 a again."""
    graph = Graph.build({"a": "text", "b": "text"}, [("a", "b", "t", 3.0)])
    a = 0.15 / (1 - 0.85**2)
    assert rank(graph, {"a": 2.0}).scores == pytest.approx([a, 0.85 * a], abs=1e-6)


def test_forty_products_are_enough_for_a_similarity_graph() -> None:
    graph = from_networkx(nx.random_geometric_graph(2_000, 0.04, seed=3))
    result = rank(graph, {"7": 1.0, "911": 0.5})
    assert result.steps <= 40  # plain power iteration: 63
    finer = rank(graph, {"7": 1.0, "911": 0.5}, tolerance=1e-12)
    assert np.abs(result.scores - finer.scores).sum() <= 1e-6


def test_uniform_restart_is_plain_pagerank() -> None:
    graph = from_networkx(nx.gnp_random_graph(30, 0.2, seed=5, directed=True))
    expected = nx.pagerank(nx.DiGraph(to_networkx(graph)), tol=1e-12, max_iter=500)
    assert np.allclose(
        personalised_pagerank(Transition(graph.adjacency()), np.ones(30)).scores,
        [expected[node] for node in graph.nodes],
        atol=2e-6,
    )


@pytest.mark.parametrize("restart", [[0.0, 0.0], [-1.0, 2.0], [float("nan"), 1.0]])
def test_bad_restart_is_refused(restart: list[float]) -> None:
    with pytest.raises(ValueError, match="restart weights"):
        personalised_pagerank(Transition(csr_array((2, 2))), np.array(restart))


def test_bad_weights_and_damping_are_refused() -> None:
    with pytest.raises(ValueError, match="clip similarities"):
        Transition(csr_array(np.array([[0.0, -0.5], [0.0, 0.0]])))
    with pytest.raises(ValueError, match="damping"):
        personalised_pagerank(Transition(csr_array((2, 2))), np.ones(2), damping=1.0)
