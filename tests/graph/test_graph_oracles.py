"""Random small graphs against networkx, dense linear algebra and their own files."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from common.graph import (
    Edge,
    Graph,
    Transition,
    from_networkx,
    load_graph,
    personalised_pagerank,
    save_graph,
    to_networkx,
)

TYPES = ("extends", "same-topic", "supports")


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    count = draw(st.integers(1, 9))
    nodes = {f"n{i}": draw(st.sampled_from(["text", "image"])) for i in range(count)}
    ends = st.tuples(st.sampled_from(list(nodes)), st.sampled_from(list(nodes)), st.sampled_from(TYPES))
    triples = draw(st.lists(ends, max_size=25, unique=True))
    return Graph.build(nodes, [Edge(*triple, draw(st.floats(0.01, 5.0))) for triple in triples])


def same(one: Graph, two: Graph) -> bool:
    return (one.nodes, one.kinds, one.types, one.edges()) == (two.nodes, two.kinds, two.types, two.edges())


def solve(weights: np.ndarray, restart: np.ndarray, damping: float) -> np.ndarray:
    """The exact answer by dense linear algebra."""
    v = restart / restart.sum()
    totals = weights.sum(axis=1, keepdims=True)
    rows = np.where(totals > 0, weights / np.where(totals > 0, totals, 1.0), v)
    return np.linalg.solve(np.eye(len(v)) - damping * rows.T, (1 - damping) * v)


@given(graphs())
def test_neighbours_agree_with_networkx(graph: Graph) -> None:
    other = to_networkx(graph)
    for node in graph.nodes:
        out = {(v, t, d["weight"]) for _, v, t, d in other.out_edges(node, keys=True, data=True)}
        into = {(u, t, d["weight"]) for u, _, t, d in other.in_edges(node, keys=True, data=True)}
        assert set(graph.neighbours(node)) == out
        assert set(graph.neighbours(node, direction="in")) == into
        assert len(graph.neighbours(node, direction="both")) == len(out) + len(into)


@given(graphs())
def test_adjacency_agrees_with_networkx(graph: Graph) -> None:
    expected = nx.to_numpy_array(to_networkx(graph), nodelist=list(graph.nodes), multigraph_weight=sum)
    assert np.allclose(graph.adjacency().toarray(), expected)


@given(graphs(), st.randoms())
def test_order_of_edges_does_not_matter(graph: Graph, random: object) -> None:
    edges = graph.edges()
    random.shuffle(edges)  # type: ignore[attr-defined]
    assert same(Graph.build(dict(zip(graph.nodes, graph.kinds, strict=True)), edges), graph)


@given(graphs())
def test_networkx_round_trip(graph: Graph) -> None:
    assert same(from_networkx(to_networkx(graph)), graph)


@settings(max_examples=25)
@given(graphs())
def test_files_round_trip_exactly(tmp_path_factory: pytest.TempPathFactory, graph: Graph) -> None:
    folder = tmp_path_factory.mktemp("graph")
    save_graph(graph, folder / "g.v1")
    loaded = load_graph(folder / "g.v1")
    assert same(loaded, graph)
    assert loaded.weights.tobytes() == graph.weights.tobytes()
    assert loaded.targets.dtype == graph.targets.dtype
    assert sorted(path.name for path in folder.iterdir()) == ["g.v1.json", "g.v1.npz"]


@given(graphs(), st.data())
def test_error_is_within_the_bound(graph: Graph, data: st.DataObject) -> None:
    seeds = data.draw(st.dictionaries(st.sampled_from(graph.nodes), st.floats(0.01, 3.0), min_size=1))
    restart = np.array([seeds.get(node, 0.0) for node in graph.nodes])
    result = personalised_pagerank(Transition(graph.adjacency()), restart)
    error = np.abs(result.scores - solve(graph.adjacency().toarray(), restart, 0.85)).sum()
    assert error <= result.error + 1e-12 <= 1e-6 + 1e-12
    assert result.scores.min() >= 0
    assert result.scores.sum() == pytest.approx(1.0, abs=1e-12)


@given(graphs(), st.data())
def test_agrees_with_networkx(graph: Graph, data: st.DataObject) -> None:
    seed = data.draw(st.sampled_from(graph.nodes))
    other = nx.from_numpy_array(graph.adjacency().toarray(), create_using=nx.DiGraph)
    expected = nx.pagerank(other, alpha=0.85, personalization={graph.nodes.index(seed): 1.0}, tol=1e-12, max_iter=500)
    restart = np.array([float(node == seed) for node in graph.nodes])
    assert np.allclose(
        personalised_pagerank(Transition(graph.adjacency()), restart).scores,
        [expected[i] for i in range(len(graph))],
        atol=2e-6,
    )
