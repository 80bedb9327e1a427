"""The node and edge store of both methods: string ids, kinds, typed weighted directed edges in CSR arrays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

Direction = Literal["out", "in", "both"]


class Edge(NamedTuple):
    """A directed edge. Two nodes may have several edges of different types, one of each type."""

    source: str
    target: str
    type: str
    weight: float = 1.0


class Neighbour(NamedTuple):
    """The other end of an edge."""

    node: str
    type: str
    weight: float


@dataclass(frozen=True, eq=False)
class Graph:
    """Immutable. Nodes keep their order; edges are sorted by source, target, type (by node position, type name).

    nodes, kinds: (n,) ids and kinds. types: names of edge types, sorted. indptr (n+1,) int64; targets (m,) int32,
    codes (m,) int16 into `types`, weights (m,) float64, positive and finite. Make one with `Graph.build`.
    """

    nodes: tuple[str, ...]
    kinds: tuple[str, ...]
    types: tuple[str, ...]
    indptr: NDArray[np.int64]
    targets: NDArray[np.int32]
    codes: NDArray[np.int16]
    weights: NDArray[np.float64]

    @classmethod
    def build(cls, nodes: Mapping[str, str], edges: Iterable[Edge | tuple[str, str, str, float]]) -> Graph:
        """From node id -> kind and edges. The order of edges does not matter.

        Raises `ValueError`, naming the edge, for an unknown end, a weight that is not positive and finite, or a
        second edge of the same type between the same nodes.
        """
        position = {node: place for place, node in enumerate(nodes)}
        listed = [Edge(*edge) for edge in edges]
        for edge in listed:
            for end in (edge.source, edge.target):
                if end not in position:
                    raise ValueError(f"edge {edge}: node {end!r} is not in the graph; add it to `nodes`")
            if not 0.0 < edge.weight < float("inf"):
                raise ValueError(f"edge {edge}: the weight must be positive and finite; leave weaker edges out")
        types = tuple(sorted({edge.type for edge in listed}))
        code = {name: number for number, name in enumerate(types)}
        sources = np.asarray([position[edge.source] for edge in listed], dtype=np.int64)
        targets = np.asarray([position[edge.target] for edge in listed], dtype=np.int32)
        codes = np.asarray([code[edge.type] for edge in listed], dtype=np.int16)
        order = np.lexsort((codes, targets, sources))
        same = np.ones(max(len(listed) - 1, 0), dtype=bool)
        for column in (sources, targets, codes):
            same &= np.diff(column[order]) == 0
        if same.any():
            twice = listed[int(order[int(np.flatnonzero(same)[0])])]
            raise ValueError(f"edge {twice} is given twice: merge the weights before building")
        indptr = np.zeros(len(position) + 1, dtype=np.int64)
        np.cumsum(np.bincount(sources, minlength=len(position)), out=indptr[1:])
        weights = np.asarray([edge.weight for edge in listed], dtype=np.float64)
        return cls(tuple(nodes), tuple(nodes.values()), types, indptr, targets[order], codes[order], weights[order])

    def __len__(self) -> int:
        return len(self.nodes)

    @property
    def edge_count(self) -> int:
        return len(self.targets)

    @cached_property
    def position(self) -> dict[str, int]:
        """Node id -> row."""
        return {node: place for place, node in enumerate(self.nodes)}

    @cached_property
    def sources(self) -> NDArray[np.int32]:
        """(m,) source row of each edge."""
        return np.repeat(np.arange(len(self), dtype=np.int32), np.diff(self.indptr))

    def edges(self) -> list[Edge]:
        """All edges, sorted by source row, target row, type name."""
        return [
            Edge(self.nodes[source], self.nodes[target], self.types[code], float(weight))
            for source, target, code, weight in zip(self.sources, self.targets, self.codes, self.weights, strict=True)
        ]

    def neighbours(self, node: str, *, direction: Direction = "out") -> list[Neighbour]:
        """Ends of the edges at `node`, by row then type; with `both`, outgoing ones first. `KeyError` if unknown."""
        row = self.position[node]
        found: list[Neighbour] = []
        if direction != "in":
            found += self._ends(range(self.indptr[row], self.indptr[row + 1]), self.targets)
        if direction != "out":
            order, starts = self._incoming
            found += self._ends(order[starts[row] : starts[row + 1]], self.sources)
        return found

    def _ends(self, places: Iterable[int], ends: NDArray[np.int32]) -> list[Neighbour]:
        return [
            Neighbour(self.nodes[ends[place]], self.types[self.codes[place]], float(self.weights[place]))
            for place in places
        ]

    @cached_property
    def _incoming(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Edge places grouped by target, and where each target's group starts."""
        starts = np.zeros(len(self) + 1, dtype=np.int64)
        np.cumsum(np.bincount(self.targets, minlength=len(self)), out=starts[1:])
        return np.argsort(self.targets, kind="stable"), starts

    def adjacency(self) -> csr_array:
        """(n, n) sparse weights, row = source; parallel edges are summed."""
        matrix = csr_array((self.weights, (self.sources, self.targets)), shape=(len(self), len(self)))
        matrix.sum_duplicates()
        return matrix
