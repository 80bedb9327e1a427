"""The two fusions of ranked lists, as pure functions with values in 0..1.

Reciprocal ranks (Cormack, Clarke, Buettcher, SIGIR 2009):   s(d) = sum_i 1 / (k + rank_i(d)),  k = 60
Min-max, convex combination:   s(d) = sum_i w_i (x_i(d) - min x_i) / (max x_i - min x_i),  w = (0.5, 0.5)
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

Key = TypeVar("Key", bound=Hashable)

RRF_K = 60


def fuse_rrf(rankings: Sequence[Sequence[Key]], *, k: int = RRF_K) -> dict[Key, float]:
    """Reciprocal rank fusion of rankings, best first, relative to the maximum attainable.

    The maximum, first in every ranking, is len(rankings) / (k + 1) and is mapped to 1. A key that a
    ranking lacks gets nothing from it. Raises `ValueError` when one ranking holds a key twice.
    """
    fused: dict[Key, float] = {}
    for number, ranking in enumerate(rankings):
        if len(set(ranking)) != len(ranking):
            raise ValueError(f"ranking {number} holds a key twice: rank each key once")
        for rank, key in enumerate(ranking, start=1):
            fused[key] = fused.get(key, 0.0) + 1.0 / (k + rank)
    best = len(rankings) / (k + 1)
    return {key: value / best for key, value in fused.items()}


def fuse_minmax(scores: Sequence[Mapping[Key, float]], weights: Sequence[float] = (0.5, 0.5)) -> dict[Key, float]:
    """Weighted sum of min-max normalised scores over the union of keys, divided by the sum of weights.

    A key that one mapping lacks gets 0 from it. A mapping whose values are all equal tells nothing
    about order: its keys get 1 when that value is positive (they matched), else 0.
    """
    if len(scores) != len(weights):
        raise ValueError(f"{len(scores)} score mappings but {len(weights)} weights: give one weight for each")
    total = sum(weights)
    if total <= 0 or min(weights) < 0:
        raise ValueError(f"weights {tuple(weights)} must not be negative and must not all be zero")
    fused: dict[Key, float] = {}
    for mapping, weight in zip(scores, weights, strict=True):
        if not mapping:
            continue
        low, high = min(mapping.values()), max(mapping.values())
        flat = 1.0 if high > 0 else 0.0
        for key, value in mapping.items():
            part = (value - low) / (high - low) if high > low else flat
            fused[key] = fused.get(key, 0.0) + weight / total * part
    return fused
