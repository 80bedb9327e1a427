"""Where flow enters and leaves: sources by maximal marginal relevance, sinks by answerability (FlowReader 3.4, B.1)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def select_sources(
    h: Floats, embeddings: NDArray[np.float32], *, count: int = 8, trade_off: float = 0.70, pool: int = 200
) -> Integers:
    """S by MMR: argmax of lambda h_v - (1 - lambda) max_{u in S} cos(v, u), ties to the smaller node.

    `embeddings` (n, d) unit rows. A candidate outside the `pool` best by h could only win with a redundancy
    lower by lambda / (1 - lambda) times the gap in h, so the pool is widened until that is impossible.
    """
    order = np.lexsort((np.arange(len(h)), -h))
    size = min(len(h), max(pool, count))
    while True:
        chosen, weakest = _mmr(order[:size], h, embeddings, count, trade_off)
        if size == len(h) or weakest >= trade_off * h[order[size]] + (1.0 - trade_off):
            return chosen
        size = min(len(h), 2 * size)


def _mmr(
    candidates: Integers, h: Floats, embeddings: NDArray[np.float32], count: int, trade_off: float
) -> tuple[Integers, float]:
    """Chosen nodes and the lowest winning score, for bounding what a node outside `candidates` could have scored."""
    redundancy = np.full(len(candidates), -np.inf)
    vectors = embeddings[candidates].astype(np.float64)  # float32 products part at the 7th digit between processors
    free = np.ones(len(candidates), dtype=bool)
    chosen: list[int] = []
    weakest = np.inf
    for _ in range(min(count, len(candidates))):
        penalty = np.where(np.isfinite(redundancy), redundancy, 0.0)
        score = np.where(free, trade_off * h[candidates] - (1.0 - trade_off) * penalty, -np.inf)
        best = int(np.lexsort((candidates, -np.round(score, 9)))[0])
        weakest = min(weakest, float(score[best]))
        chosen.append(int(candidates[best]))
        free[best] = False
        redundancy = np.maximum(redundancy, vectors @ vectors[best])
    return np.array(chosen, dtype=np.int64), weakest


def select_sinks(a: Floats, sources: Integers, *, count: int = 8) -> Integers:
    """T: the `count` nodes of highest a outside S, ties to the smaller node; nodes with a = 0 absorb nothing.

    A node that is source and sink would take most of the flow at no cost and nothing would be routed.
    """
    eligible = a > 0.0
    eligible[sources] = False
    nodes = np.flatnonzero(eligible)
    return nodes[np.lexsort((nodes, -a[nodes]))][:count].astype(np.int64)
