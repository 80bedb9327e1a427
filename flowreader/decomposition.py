"""Path decomposition of the optimal flow into weighted s*-t* chains (FlowReader 3.4-3.5)."""

from __future__ import annotations

import heapq
from dataclasses import dataclass

from flowreader.network import SCALE, Flow

Label = tuple[int, int, tuple[int, ...]]  # minus the width, hops, nodes: the least is the best


@dataclass(frozen=True)
class Path:
    """One candidate chain pi_k: its inner nodes from source to sink, and the flow b_k on it."""

    nodes: tuple[int, ...]
    flow: float


@dataclass(frozen=True)
class Decomposition:
    """Paths, widest first; `leftover` is the routed flow beyond the cap on paths."""

    paths: tuple[Path, ...]
    leftover: float


def decompose(flow: Flow, *, most: int = 60) -> Decomposition:
    """Take the widest path off the flow until none is left or `most` are taken; cycles carry nothing to t*.

    Works on integers; ties go to fewer hops, then to smaller node numbers, so the order of arcs does not matter.
    """
    remaining = _support(flow)
    network = flow.network
    paths: list[Path] = []
    while len(paths) < most:
        nodes, width = _widest(remaining, network.source, network.sink)
        if width == 0:
            break
        for u, v in zip(nodes, nodes[1:], strict=False):
            remaining[u][v] -= width
            if remaining[u][v] == 0:
                del remaining[u][v]
        paths.append(Path(tuple(nodes[1:-1]), width / SCALE))
    taken = sum(round(path.flow * SCALE) for path in paths)
    return Decomposition(tuple(paths), (round(flow.routed * SCALE) - taken) / SCALE)


def _support(flow: Flow) -> dict[int, dict[int, int]]:
    """The arcs that carry flow. Parallel arcs add up; a pair of opposite arcs keeps only its difference."""
    network = flow.network
    remaining: dict[int, dict[int, int]] = {}
    arcs = flow.units.nonzero()[0]
    for u, v, units in zip(
        network.tail[arcs].tolist(), network.head[arcs].tolist(), flow.units[arcs].tolist(), strict=True
    ):
        back = remaining.get(v, {}).get(u, 0)
        cancelled = min(back, units)
        if cancelled:
            remaining[v][u] -= cancelled
            if remaining[v][u] == 0:
                del remaining[v][u]
        if units > cancelled:
            row = remaining.setdefault(u, {})
            row[v] = row.get(v, 0) + units - cancelled
    return remaining


def _widest(remaining: dict[int, dict[int, int]], source: int, sink: int) -> tuple[list[int], int]:
    """The path of the largest bottleneck, by Dijkstra on (width, hops, nodes); ([], 0) when t* is cut off."""
    start: Label = (-(1 << 62), 0, (source,))
    best = {source: start}
    queue = [start]
    while queue:
        label = heapq.heappop(queue)
        width, hops, nodes = label
        node = nodes[-1]
        if node == sink:
            return list(nodes), -width
        if label != best[node]:
            continue  # a better one was found since
        for neighbour, units in remaining.get(node, {}).items():
            known = best.get(neighbour)
            bottleneck = max(width, -units)
            if known is None or (bottleneck, hops + 1) <= known[:2]:
                found: Label = (bottleneck, hops + 1, (*nodes, neighbour))
                if known is None or found < known:
                    best[neighbour] = found
                    heapq.heappush(queue, found)
    return [], 0
