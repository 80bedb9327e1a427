"""The graph store by hand: edges, import, files and what it refuses."""

from __future__ import annotations

from pathlib import Path

import networkx as nx
import numpy as np
import pytest

from common.graph import (
    Edge,
    Graph,
    GraphRefused,
    Transition,
    from_networkx,
    load_graph,
    personalised_pagerank,
    save_graph,
)


def test_undirected_networkx_edge_becomes_two() -> None:
    other = nx.Graph()
    other.add_edge(1, 2)
    other.add_edge(2, 2, weight=0.5)
    graph = from_networkx(other)
    assert graph.edges() == [("1", "2", "edge", 1.0), ("2", "1", "edge", 1.0), ("2", "2", "edge", 0.5)]
    assert graph.kinds == ("node", "node")


def test_networkx_names_that_collide_are_refused() -> None:
    other = nx.Graph()
    other.add_nodes_from([1, "1"])
    with pytest.raises(ValueError, match="relabel"):
        from_networkx(other)


@pytest.mark.parametrize(
    ("edge", "message"),
    [
        (Edge("a", "nowhere", "t"), "'nowhere' is not in the graph"),
        (Edge("a", "b", "t", 0.0), "positive and finite"),
        (Edge("a", "b", "t", float("nan")), "positive and finite"),
        (Edge("a", "b", "t", float("inf")), "positive and finite"),
        (Edge("b", "a", "t", 2.0), "given twice"),
    ],
)
def test_bad_edges_are_named(edge: Edge, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Graph.build({"a": "text", "b": "text"}, [Edge("b", "a", "t"), edge])


def test_parallel_edges_of_other_types_are_kept() -> None:
    graph = Graph.build({"a": "text", "b": "image"}, [("a", "b", "supports", 1.0), ("a", "b", "extends", 2.0)])
    assert graph.neighbours("a") == [("b", "extends", 2.0), ("b", "supports", 1.0)]
    assert graph.edge_count == 2


def test_empty_graph(tmp_path: Path) -> None:
    graph = Graph.build({}, [])
    save_graph(graph, tmp_path / "empty")
    assert len(load_graph(tmp_path / "empty")) == 0
    assert personalised_pagerank(Transition(graph.adjacency()), np.ones(0)).scores.shape == (0,)


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "g"
    with pytest.raises(GraphRefused, match=r"g\.npz does not exist"):
        load_graph(path)
    save_graph(Graph.build({"a": "text"}, [("a", "a", "t", 1.0)]), path)
    names, arrays = tmp_path / "g.json", tmp_path / "g.npz"
    good = arrays.read_bytes()
    arrays.write_bytes(good[:-1] + bytes([good[-1] ^ 1]))
    with pytest.raises(GraphRefused, match=r"g\.npz does not match the checksum.*save it again"):
        load_graph(path)
    arrays.write_bytes(good)
    names.write_text(names.read_text().replace('"format": 1', '"format": 9'))
    with pytest.raises(GraphRefused, match="format 9"):
        load_graph(path)
    names.write_text("{")
    with pytest.raises(GraphRefused, match="damaged"):
        load_graph(path)
