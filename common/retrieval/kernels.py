"""The inner loops of a search, compiled once and cached on disk by numba.

They are here rather than in bm25s because its own kernels are recompiled in every process (seconds)
and cut tied scores arbitrarily.
"""

from __future__ import annotations

import heapq
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

WINDOW = 4_096  # rows; 32 KB of sums
SMALLEST = 5e-324  # the smallest positive number
MARGIN = 1e-6  # rows this near to the last one taken may be equal to it at 6 digits


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
def best_postings(
    data: NDArray[np.float64],
    indices: NDArray[np.int32],
    indptr: NDArray[np.int64],
    terms: NDArray[np.int64],
    count: int,
    depth: int,
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Every row with a positive sum that can be among the `depth` best at 6 digits, in no order, and its sum.

    The sums are those of `add_postings`, to the last bit. A window of rows at a time, so that all of it stays in the
    processor's first cache however large the corpus is, and only rows with a term are looked at. The rows of each
    term must be in ascending order.
    """
    at = np.empty(len(terms), dtype=np.int64)
    for number in range(len(terms)):
        at[number] = indptr[terms[number]]
    began = at.copy()
    window, heap = np.zeros(WINDOW), np.zeros(depth)
    rows, sums = np.empty(count, dtype=np.int64), np.empty(count)  # pages never written to cost nothing
    held, low = 0, SMALLEST
    for start in range(0, count, WINDOW):
        for number in range(len(terms)):
            place, stop = at[number], indptr[terms[number] + 1]
            while place < stop:
                row = indices[place] - start
                if row >= WINDOW:
                    break
                window[row] += data[place]
                place += 1
            at[number] = place
        for number in range(len(terms)):
            part = indices[began[number] : at[number]]
            held, low = _collect(window, part, start, low, heap, rows, sums, held)
            began[number] = at[number]
    kept = np.flatnonzero(sums[:held] >= low)
    return rows[kept], sums[kept]


@njit(cache=True, nogil=True)
def _collect(
    window: NDArray[np.float64],
    part: NDArray[np.int32],
    start: int,
    low: float,
    heap: NDArray[np.float64],
    rows: NDArray[np.int64],
    sums: NDArray[np.float64],
    held: int,
) -> tuple[int, float]:
    """Append the sums of `part` from `low` up, and raise `low` with the best ones kept in `heap`; clears its rows."""
    for row in part:
        value = window[row - start]
        window[row - start] = 0.0  # a row of a second term is not met again
        if value >= low:
            rows[held], sums[held] = row, value
            held += 1
            if value > heap[0]:
                _replace_smallest(heap, value)
                low = max(heap[0] - MARGIN, SMALLEST)
    return held, low


@njit(cache=True, nogil=True)
def _replace_smallest(heap: NDArray[np.float64], value: float) -> None:
    """`heapq.heapreplace` on an array, which is several times as fast as on a list here."""
    place = 0
    while True:
        child = 2 * place + 1
        if child + 1 < len(heap) and heap[child + 1] < heap[child]:
            child += 1
        if child >= len(heap) or heap[child] >= value:
            break
        heap[place] = heap[child]
        place = child
    heap[place] = value


@njit(cache=True, nogil=True)
def sums_at(
    data: NDArray[np.float64],
    indices: NDArray[np.int32],
    indptr: NDArray[np.int64],
    terms: NDArray[np.int64],
    rows: NDArray[np.int64],
) -> NDArray[np.float64]:
    """What `add_postings` gives for `rows` alone, to the last bit; the rows of each term in ascending order."""
    sums = np.zeros(len(rows))
    for term in terms:
        for number in range(len(rows)):
            low, high = indptr[term], indptr[term + 1]
            while low < high:
                middle = (low + high) // 2
                if indices[middle] < rows[number]:
                    low = middle + 1
                else:
                    high = middle
            if low < indptr[term + 1] and indices[low] == rows[number]:
                sums[number] += data[low]
    return sums


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


def top_rows(scores: NDArray[Any], depth: int) -> NDArray[np.int64]:
    """Rows of the `depth` best scores, compared at 6 digits, ties by row number.

    Complete at the cut: no tied row is preferred by chance.
    """
    depth = min(depth, len(scores))
    if depth == 0:
        return np.zeros(0, dtype=np.int64)
    rows = np.flatnonzero(scores >= kth_largest(scores, depth) - MARGIN)
    order = np.lexsort((rows, -np.round(scores[rows], 6)))
    return rows[order[:depth]]
