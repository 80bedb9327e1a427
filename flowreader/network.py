"""The flow network G* and its min-cost flow (FlowReader 3.4, eq. 5-6), solved by OR-Tools on integers.

The bulk API truncates floats, maps NaN to -2^63 and ends the process on a negative node id, so every
input is checked here first; the objective is recomputed in floats because `optimal_cost` can saturate.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from ortools.graph.python import min_cost_flow
from scipy.sparse import coo_array
from scipy.sparse.csgraph import breadth_first_order

from common.arrays import Floats, Integers

SCALE = 1_000_000  # integer units in 1.0 of flow or cost


class FlowInputError(ValueError):
    """An input the solver must not see; names the node or edge."""


@dataclass(frozen=True)
class Network:
    """Arcs of G* sorted by (tail, head). Node `n` is the supersource s*, `n + 1` the supersink t*.

    `tail`, `head` are (m,) node numbers; `cost` (m,) >= 0; `capacity` (m,) >= 0; `demand` is F.
    """

    nodes: int
    tail: Integers
    head: Integers
    cost: Floats
    capacity: Floats
    demand: float

    @property
    def source(self) -> int:
        return self.nodes

    @property
    def sink(self) -> int:
        return self.nodes + 1


@dataclass(frozen=True)
class Flow:
    """An optimal flow. `units` (m,) are integer flows, `SCALE` to 1.0; `saturation` is sigma = min(fmax / F, 1)."""

    network: Network
    units: Integers

    @cached_property
    def values(self) -> Floats:
        return self.units / SCALE

    @cached_property
    def routed(self) -> float:
        return float(self.values[self.network.tail == self.network.source].sum())

    @property
    def saturation(self) -> float:
        return min(self.routed / self.network.demand, 1.0)

    @cached_property
    def cost(self) -> float:
        return float(self.values @ self.network.cost)


def edge_cost(similarity: Floats, h_tail: Floats, h_head: Floats) -> Floats:
    """c_uv = 1 - max(s_uv, 0) (h_u + h_v) / 2 (eq. 5), in [0, 1] for s, h in [0, 1]."""
    return 1.0 - np.maximum(similarity, 0.0) * (h_tail + h_head) / 2.0


def build_network(
    tail: Integers,
    head: Integers,
    similarity: Floats,
    h: Floats,
    a: Floats,
    sources: Integers,
    sinks: Integers,
    demand: float,
) -> Network:
    """G*: inner arcs with eq. 5 costs and capacity min(h_u, h_v); s*-u arcs of h_u; v-t* arcs of a_v.

    `tail`, `head`, `similarity` are (m,), both directions of an edge given as two arcs; `h`, `a` are (n,) in [0, 1].
    Raises `FlowInputError` naming the first offending value.
    """
    n = len(h)
    _check_scores(h, a, sources, sinks, demand)
    _check_arcs(n, tail, head, similarity)
    h_tail, h_head = h[tail], h[head]
    tails = np.concatenate([tail, np.full(len(sources), n), sinks]).astype(np.int64, copy=False)
    heads = np.concatenate([head, sources, np.full(len(sinks), n + 1)]).astype(np.int64, copy=False)
    cost = np.concatenate([edge_cost(similarity, h_tail, h_head), np.zeros(len(sources) + len(sinks))])
    capacity = np.concatenate([np.minimum(h_tail, h_head), h[sources], a[sinks]])
    order = np.argsort(tails * (n + 2) + heads, kind="stable")  # timsort: the arcs of a graph are sorted already
    return Network(n, tails[order], heads[order], cost[order], capacity[order], demand)


def solve(network: Network) -> Flow:
    """Route min(F, fmax) from s* to t* at least cost (eq. 6)."""
    solver = min_cost_flow.SimpleMinCostFlow()
    capacity = np.floor(network.capacity * SCALE).astype(np.int64)
    cost = np.rint(network.cost * SCALE).astype(np.int64)
    arcs = solver.add_arcs_with_capacity_and_unit_cost(network.tail, network.head, capacity, cost)
    supply = round(network.demand * SCALE)
    solver.set_nodes_supplies(np.array([network.source, network.sink]), np.array([supply, -supply]))
    status = solver.solve_max_flow_with_min_cost()
    if status != solver.OPTIMAL:
        raise FlowInputError(f"the solver ended with {status} on {network.nodes} nodes and {len(arcs)} arcs")
    return Flow(network, np.asarray(solver.flows(arcs), dtype=np.int64))


def min_cut(flow: Flow) -> list[tuple[int, int]]:
    """Inner pairs (u, v) across the residual min cut: u reachable from s* in the residual graph, v not.

    Meaningful when the flow is maximal (sigma < 1). Empty when only source or sink arcs are in the cut.
    """
    network = flow.network
    open_ = flow.units < np.floor(network.capacity * SCALE).astype(np.int64)
    back = flow.units > 0  # flow that could be taken back
    ends = np.r_[network.tail[open_], network.head[back]], np.r_[network.head[open_], network.tail[back]]
    residual = coo_array((np.ones(len(ends[0])), ends), shape=(network.nodes + 2,) * 2).tocsr()
    reached = np.zeros(network.nodes + 2, dtype=bool)
    reached[breadth_first_order(residual, network.source, return_predecessors=False)] = True
    inner = (network.tail < network.nodes) & (network.head < network.nodes)
    crossing = inner & reached[network.tail] & ~reached[network.head]
    return list(zip(network.tail[crossing].tolist(), network.head[crossing].tolist(), strict=True))


def _check_scores(h: Floats, a: Floats, sources: Integers, sinks: Integers, demand: float) -> None:
    for name, values in (("h", h), ("a", a)):
        bad = np.flatnonzero(~((values >= 0.0) & (values <= 1.0)))
        if len(bad):
            raise FlowInputError(f"node {bad[0]}: {name} = {values[bad[0]]} is not in [0, 1]; scale scores first")
    for name, nodes in (("source", sources), ("sink", sinks)):
        if not len(nodes):
            raise FlowInputError(f"there is no {name} node; the graph has too few scored nodes")
        bad = np.flatnonzero((nodes < 0) | (nodes >= len(h)))
        if len(bad):
            raise FlowInputError(f"{name} node {nodes[bad[0]]} is not in the graph of {len(h)} nodes")
    if not (np.isfinite(demand) and 0.0 < demand <= 1e6):
        raise FlowInputError(f"demand F = {demand} must be in (0, 1e6]")


def _check_arcs(n: int, tail: Integers, head: Integers, similarity: Floats) -> None:
    if not len(tail) == len(head) == len(similarity):
        raise FlowInputError(f"{len(tail)} tails, {len(head)} heads and {len(similarity)} similarities: lengths differ")
    outside = np.flatnonzero((tail < 0) | (tail >= n) | (head < 0) | (head >= n))
    if len(outside):
        raise FlowInputError(f"edge {tail[outside[0]]} -> {head[outside[0]]} leaves the graph of {n} nodes")
    bad = np.flatnonzero(~(np.abs(similarity) <= 1.0 + 1e-6))  # so written that NaN is bad
    if len(bad):
        raise FlowInputError(
            f"edge {tail[bad[0]]} -> {head[bad[0]]}: similarity {similarity[bad[0]]} is not in [-1, 1]"
        )
