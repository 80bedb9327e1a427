"""The three inner loops of a search, compiled once and cached on disk by numba.

They are here rather than in bm25s because its own kernels are recompiled in every process (seconds)
and cut tied scores arbitrarily.
"""

from __future__ import annotations

import heapq
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray


@njit(cache=True, nogil=True)
def add_postings(
    data: NDArray[np.float64],
    indices: NDArray[np.int32],
    indptr: NDArray[np.int64],
    terms: NDArray[np.int64],
    count: int,
) -> NDArray[np.float64]:
    """Sum of the precomputed term scores for each of `count` documents (column-compressed postings)."""
    scores = np.zeros(count)
    for term in terms:
        for place in range(indptr[term], indptr[term + 1]):
            scores[indices[place]] += data[place]
    return scores


@njit(cache=True, nogil=True)
def kth_largest(values: NDArray[np.float64], k: int) -> float:
    """The k-th largest value, 1 <= k <= len(values)."""
    heap: list[float] = [values[place] for place in range(k)]
    heapq.heapify(heap)
    for place in range(k, len(values)):
        if values[place] > heap[0]:
            heapq.heapreplace(heap, values[place])
    return heap[0]


@njit(cache=True, nogil=True, fastmath={"reassoc", "contract"})
def dot_rows(matrix: NDArray[np.float32], query: NDArray[np.float64]) -> NDArray[np.float64]:
    """(n, dim) float32 times (dim,) in float64: processor-dependent only near the 16th digit."""
    out = np.empty(matrix.shape[0])
    for row in range(matrix.shape[0]):
        total = 0.0
        for column in range(matrix.shape[1]):
            total += matrix[row, column] * query[column]
        out[row] = total
    return out


def top_rows(scores: NDArray[Any], depth: int, *, floor: float | None = None) -> NDArray[np.int64]:
    """Rows of the `depth` best scores, compared at 6 digits, ties by row number.

    With `floor`, rows at or below it are left out. Complete at the cut: no tied row is preferred by chance.
    """
    depth = min(depth, len(scores))
    if depth == 0:
        return np.zeros(0, dtype=np.int64)
    limit = kth_largest(scores, depth) - 1e-6
    rows = np.flatnonzero(scores >= limit if floor is None or limit > floor else scores > floor)
    order = np.lexsort((rows, -np.round(scores[rows], 6)))
    return rows[order[:depth]]
