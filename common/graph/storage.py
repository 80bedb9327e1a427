"""Graphs in files, arrays in .npz and names in .json, and as networkx graphs in memory."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np

from common.files import sha256_of, write_atomic
from common.graph.graph import Edge, Graph

FORMAT = 1
ARRAYS = ("indptr", "targets", "codes", "weights")


class GraphRefused(ValueError):
    """A saved graph is absent, damaged or of another format; the message names the fix."""


def save_graph(graph: Graph, path: Path | str) -> None:
    """Write `path`.npz (arrays) and `path`.json (ids, kinds, types, hash of the arrays)."""
    arrays, names = _files(path)
    arrays.parent.mkdir(parents=True, exist_ok=True)
    packed = io.BytesIO()
    np.savez(packed, **{name: getattr(graph, name) for name in ARRAYS})
    write_atomic(arrays, packed.getvalue())
    about = {"format": FORMAT, "sha256": sha256_of(arrays)}
    about |= {"nodes": graph.nodes, "kinds": graph.kinds, "types": graph.types}
    write_atomic(names, json.dumps(about, ensure_ascii=False).encode("utf-8", "surrogatepass"))


def load_graph(path: Path | str) -> Graph:
    """Inverse of `save_graph`, exact. Raises `GraphRefused`."""
    arrays, names = _files(path)
    fix = "build the graph and save it again"
    for file_path in (arrays, names):
        if not file_path.is_file():
            raise GraphRefused(f"{file_path} does not exist: {fix}")
    try:
        about: dict[str, Any] = json.loads(names.read_bytes().decode("utf-8", "surrogatepass"))
        nodes, kinds, types = (tuple(about[key]) for key in ("nodes", "kinds", "types"))
        format_, expected = about["format"], about["sha256"]
    except (ValueError, KeyError, TypeError) as error:
        raise GraphRefused(f"{names} is damaged ({error}): {fix}") from error
    if format_ != FORMAT:
        raise GraphRefused(f"{names} has format {format_}, this code reads {FORMAT}: {fix}")
    if sha256_of(arrays) != expected:
        raise GraphRefused(f"{arrays} does not match the checksum in {names.name}: {fix}")
    with np.load(arrays, allow_pickle=False) as data:
        return Graph(nodes, kinds, types, *(data[name] for name in ARRAYS))


def to_networkx(graph: Graph) -> nx.MultiDiGraph:
    """Node attribute `kind`; an edge's key and attribute `type` are its type; attribute `weight`."""
    other = nx.MultiDiGraph()
    other.add_nodes_from((node, {"kind": kind}) for node, kind in zip(graph.nodes, graph.kinds, strict=True))
    other.add_edges_from((e.source, e.target, e.type, {"type": e.type, "weight": e.weight}) for e in graph.edges())
    return other


def from_networkx(other: nx.Graph) -> Graph:
    """From any networkx graph; undirected edges become two. Missing: kind "node", type "edge", weight 1."""
    nodes = {str(node): str(data.get("kind", "node")) for node, data in other.nodes(data=True)}
    if len(nodes) != other.number_of_nodes():
        raise ValueError("two nodes of the networkx graph have the same name as text: relabel them first")
    edges: list[Edge] = []
    for source, target, data in other.edges(data=True):
        edge = Edge(str(source), str(target), str(data.get("type", "edge")), float(data.get("weight", 1.0)))
        edges.append(edge)
        if not other.is_directed() and source != target:
            edges.append(edge._replace(source=edge.target, target=edge.source))
    return Graph.build(nodes, edges)


def _files(path: Path | str) -> tuple[Path, Path]:
    path = Path(path)
    return path.with_name(path.name + ".npz"), path.with_name(path.name + ".json")
