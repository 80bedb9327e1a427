"""Where flow enters and leaves: sources by maximal marginal relevance, sinks by answerability (FlowReader 3.4, B.1)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from common.arrays import Floats, Integers
from flowreader.scoring import highest

FLOAT32 = 1e-5  # more than a float32 product of unit vectors is off by


def select_sources(
    h: Floats, embeddings: NDArray[np.float32], *, count: int = 8, trade_off: float = 0.70, pool: int = 200
) -> Integers:
    """S by MMR: argmax of lambda h_v - (1 - lambda) max_{u in S} cos(v, u), ties to the smaller node.

    `embeddings` (n, d) unit rows. Chosen among the `pool` best by h; as a score only falls while S grows, a node
    outside could have won only if lambda h - (1 - lambda) cos with the first source, or without it known lambda h +
    (1 - lambda), reaches the lowest winning score. Such nodes join the pool: the outcome is that over all nodes.
    """
    candidates = highest(h, max(pool, count))
    bound = np.full(len(h), -np.inf)
    while True:
        chosen, weakest = _mmr(candidates, h, embeddings, count, trade_off)
        if len(candidates) == len(h) or not len(chosen):
            return chosen
        if np.isinf(bound).all():
            outside = np.delete(np.arange(len(h)), candidates)
            if weakest >= trade_off * h[outside].max() + (1.0 - trade_off):
                return chosen
            bound[outside] = trade_off * h[outside] - (1.0 - trade_off) * (embeddings @ embeddings[chosen[0]])[outside]
        bound[candidates] = -np.inf
        rivals = np.flatnonzero(bound >= weakest - FLOAT32)
        if not len(rivals):
            return chosen
        candidates = np.concatenate([candidates, rivals])


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


def select_sinks(a: Floats, sources: Integers, *, count: int = 8, overlap: bool = False) -> Integers:
    """T: the `count` nodes of highest a, ties to the smaller node; nodes with a = 0 absorb nothing.

    Without `overlap` outside S: a node that is source and sink takes most of the flow at no cost, by a path of its own.
    """
    eligible = np.where(a > 0.0, a, 0.0)
    if not overlap:
        eligible[sources] = 0.0
    nodes = highest(eligible, count)
    return nodes[eligible[nodes] > 0.0]
