"""Personalised PageRank by power iteration, stopped by a proven bound on its error.

    x = damping (P^T x + (dangling mass of x) v) + (1 - damping) v,    v = restart / sum(restart)
P holds the out-weights of each node divided by their sum; a node without out-edges restarts.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from common.arrays import Floats

MAX_STEPS = 1_000
CYCLE = 8


class Transition:
    """P^T of a weight matrix, prepared once for many queries."""

    def __init__(self, weights: csr_array) -> None:
        """`weights` (n, n), row = source, entries not negative. Raises `ValueError` otherwise."""
        if weights.nnz and (not np.isfinite(weights.data).all() or weights.data.min() < 0):
            raise ValueError("PageRank needs finite weights that are not negative: clip similarities at 0 first")
        totals = np.asarray(weights.sum(axis=1)).ravel()
        scale = np.divide(1.0, totals, out=np.zeros_like(totals), where=totals > 0)
        self.dangling = totals <= 0
        self.matrix = (weights.multiply(scale[:, None])).T.tocsr()
        self._leaks = bool(self.dangling.any())

    def step(self, x: Floats, restart: Floats, damping: float) -> Floats:
        lost = x[self.dangling].sum() if self._leaks else 0.0
        moved: Floats = damping * (self.matrix @ x) + (damping * lost + 1.0 - damping) * restart
        return moved


@dataclass(frozen=True, eq=False)
class PageRank:
    """(n,) scores that sum to 1, the matrix-vector products they took, and a bound on their L1 error."""

    scores: Floats
    steps: int
    error: float


def personalised_pagerank(
    transition: Transition, restart: Floats, *, damping: float = 0.85, tolerance: float = 1e-6
) -> PageRank:
    """The fixed point of the equation above, to an L1 error of at most `tolerance`.

    The map f contracts L1 distances by `damping`, so f(x) with r = f(x) - x is within damping |r| / (1 - damping)
    of the solution. Plain iteration needs up to 100 products; every `CYCLE` of them the iterates are combined,
    weights summing to 1, so that the combined residual is least (reduced rank extrapolation). f is
    affine, so that residual is known exactly and the bound holds for the combination too.
    Raises `ValueError` for a restart vector that is negative, not finite or zero, or damping outside [0, 1).
    """
    restart = np.asarray(restart, dtype=np.float64)
    if len(restart) == 0:
        return PageRank(restart, 0, 0.0)
    if not np.isfinite(restart).all() or restart.min() < 0 or restart.sum() <= 0:
        raise ValueError("the restart weights must be finite, not negative, and not all zero: choose at least one seed")
    if not 0.0 <= damping < 1.0:
        raise ValueError(f"damping = {damping}: must be at least 0 and below 1")
    v = restart / restart.sum()
    x, error = v, np.inf
    images: list[Floats] = []
    residuals: list[Floats] = []
    for steps in range(1, MAX_STEPS + 1):
        images.append(transition.step(x, v, damping))
        residuals.append(images[-1] - x)
        x, rest = images[-1], residuals[-1]
        if len(residuals) == CYCLE:
            mixed, mixed_rest = _combine(images, residuals)
            if np.abs(mixed_rest).sum() < np.abs(rest).sum():
                x, rest = mixed, mixed_rest
            images, residuals = [], []
        error = damping * float(np.abs(rest).sum()) / (1.0 - damping)
        if x.min() < 0.0:  # only a combination can be; clipping brings it nearer, rescaling may double the error
            error *= 2.0
        if error <= tolerance:
            scores = np.maximum(x, 0.0)
            return PageRank(scores / scores.sum(), steps, error)
    raise ValueError(f"PageRank is at error {error:.1e} after {MAX_STEPS} steps: lower damping or raise tolerance")


def _combine(images: list[Floats], residuals: list[Floats]) -> tuple[Floats, Floats]:
    """sum_i c_i f(x_i) and its residual sum_i c_i r_i, with c of sum 1 and least |sum_i c_i r_i| in L2."""
    last = residuals[-1]
    differences = np.stack([r - last for r in residuals[:-1]])
    gram = differences @ differences.T
    ridge = 1e-14 * np.trace(gram) * np.eye(len(gram)) + 1e-300 * np.eye(len(gram))
    c = np.linalg.solve(gram + ridge, -(differences @ last))
    mixed = images[-1] + sum(weight * (image - images[-1]) for weight, image in zip(c, images, strict=False))
    return mixed, last + c @ differences
