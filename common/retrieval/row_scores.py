"""Scores 0-10 of rows from the rankings that found them: what a search does between its lists and its hits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from common.retrieval.fusion import fuse_minmax, fuse_rrf

Fusion = Literal["rrf", "minmax"]
Mode = Literal["hybrid", "dense", "bm25"]


def filled(
    rows: NDArray[np.int64],
    known: NDArray[np.int64],
    values: NDArray[np.float64],
    measure: Callable[[NDArray[np.int64]], NDArray[np.float64]],
) -> NDArray[np.float64]:
    """Values of sorted `rows`: of `known` ones as given, of the others measured."""
    filled, others = np.empty(len(rows)), np.ones(len(rows), dtype=bool)
    places = np.searchsorted(rows, known)
    filled[places], others[places] = values, False
    filled[others] = measure(rows[others])
    return filled


def fused_scores(
    fusion: Fusion,
    rows: NDArray[np.int64],
    lexical: NDArray[np.int64],
    nearest: NDArray[np.int64],
    cosine: NDArray[np.float64],
    bm25: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Fused scores 0-10 of `rows`. Min-max sees both scores of every row, found by that list or not."""
    names = rows.tolist()
    if fusion == "rrf":
        fused = fuse_rrf([lexical.tolist(), nearest.tolist()])
    elif fusion == "minmax":
        fused = fuse_minmax(
            [dict(zip(names, bm25.tolist(), strict=True)), dict(zip(names, cosine.tolist(), strict=True))]
        )
    else:
        raise ValueError(f"unknown fusion {fusion!r}: choose rrf or minmax")
    return np.round(np.asarray([10.0 * fused[name] for name in names]), 6)


def single_scores(mode: Mode, cosine: NDArray[np.float64], bm25: NDArray[np.float64]) -> NDArray[np.float64]:
    """Scores 0-10 of one ranking alone."""
    if mode == "dense":
        return np.round(10.0 * np.maximum(cosine, 0.0), 6)
    best = bm25.max(initial=0.0)
    return np.round(10.0 * bm25 / best, 6) if best > 0 else bm25
