"""Multi-signal node scores (FlowReader 3.3-3.4): relevance r, propagation phi, diffusion psi, h and a.

Vectorised on CSR: `arcs` is an (n, n) sparse matrix of rectified cosines, row = tail, both directions of an
edge stored. All scores are (n,) float64.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, diags_array

from common.arrays import Floats, Integers, min_max
from common.graph import Transition, personalised_pagerank
from common.settings import CountFrom1, NonNegative, Positive, Share, ShareBelow1

DIGITS = 6  # of every score: the last digits of a sparse product differ between processors, prompts must not


@dataclass(frozen=True)
class ScoringConfig:
    """Table 5, with the constants the paper leaves out: alpha_phi, the number of seeds of psi."""

    alpha: Share = 0.50  # weight of BM25 in r
    alpha_phi: ShareBelow1 = 0.50  # weight of the predecessors in eq. 4
    phi_tolerance: Positive = 1e-6
    phi_rounds: CountFrom1 = 200
    damping: ShareBelow1 = 0.85
    psi_tolerance: Positive = 1e-6  # L1
    psi_seeds: CountFrom1 = 8
    weights: tuple[NonNegative, NonNegative, NonNegative] = (0.50, 0.30, 0.20)  # lambda_r, lambda_phi, lambda_psi
    visual_bonus: NonNegative = 0.05  # beta_v


@dataclass(frozen=True)
class Scores:
    """All signals of one query. `h` and `a` are divided by their maximum, so costs and capacities lie in [0, 1]."""

    r: Floats
    phi: Floats
    psi: Floats
    h: Floats
    a: Floats
    phi_rounds: CountFrom1
    phi_change: float
    psi_steps: int
    psi_error: float
    cosine: Floats  # as given, for the record
    bm25: Floats


def relevance(cosine: Floats, bm25: Floats, alpha: float) -> Floats:
    """r = (1 - alpha) max(cos, 0) + alpha minmax(BM25); BM25 that is the same everywhere counts as 0."""
    return (1.0 - alpha) * np.maximum(cosine, 0.0) + alpha * min_max(bm25)


def propagation_weight(similarity: Floats) -> Floats:
    """p = s sqrt(1 - s^2) with s = max(cos, 0) (eq. 3): largest at s = 0.707, nothing for near-duplicates."""
    s = np.clip(similarity, 0.0, 1.0)
    return s * np.sqrt(1.0 - s**2)


class Averaging:
    """The operator phi -> sum_u p_uv phi_u / (sum_u p_uv + eps) of eq. 4, prepared once for many queries."""

    def __init__(self, arcs: csr_array) -> None:
        incoming = arcs.copy()
        incoming.data = propagation_weight(arcs.data)
        incoming = incoming.T.tocsr()
        totals = np.asarray(incoming.sum(axis=1)).ravel() + np.finfo(float).eps
        self.matrix = (diags_array(1.0 / totals) @ incoming).tocsr()


def propagate(averaging: Averaging, r: Floats, config: ScoringConfig) -> tuple[Floats, int, float]:
    """phi = (1 - alpha_phi) r + alpha_phi sum_u p_uv phi_u / (sum_u p_uv + eps) (eq. 4), iterated from r.

    Returns phi, rounds made and the last L-infinity change. A contraction by alpha_phi: it always converges.
    """
    phi, change = r, np.inf
    for rounds in range(1, config.phi_rounds + 1):
        following = (1.0 - config.alpha_phi) * r + config.alpha_phi * (averaging.matrix @ phi)
        change = float(np.abs(following - phi).max(initial=0.0))
        phi = following
        if change <= config.phi_tolerance:
            return phi, rounds, change
    return phi, config.phi_rounds, change


def diffuse(transition: Transition, r: Floats, config: ScoringConfig) -> tuple[Floats, int, float]:
    """psi: personalised PageRank seeded at the top-r nodes, weighted by r, divided by its maximum.

    Raw PageRank sums to 1 over all nodes and would vanish in h. Returns psi, matrix-vector products, L1 error.
    """
    restart = np.zeros(len(r))
    seeds = highest(r, config.psi_seeds)
    restart[seeds] = r[seeds]
    if restart.sum() <= 0.0:
        return np.zeros(len(r)), 0, 0.0
    rank = personalised_pagerank(transition, restart, damping=config.damping, tolerance=config.psi_tolerance)
    return rank.scores / rank.scores.max(), rank.steps, rank.error


def answerability(r: Floats, words: Floats, visual: NDArray[np.bool_], bonus: float) -> Floats:
    """a = r rho, plus `bonus` for visual nodes (3.4); rho is the node's length in words over the longest."""
    longest = float(words.max(initial=0.0))
    rho = words / longest if longest > 0 else np.zeros(len(words))
    return r * rho + bonus * visual


def score_nodes(
    averaging: Averaging,
    transition: Transition,
    cosine: Floats,
    bm25: Floats,
    words: Floats,
    visual: NDArray[np.bool_],
    config: ScoringConfig,
) -> Scores:
    """Every signal for one query, rounded to `DIGITS`; a signal with weight 0 is not computed.

    `cosine`, `bm25` are (n,) of the query with each node, `words` (n,) lengths for rho. Raises `ValueError` naming the
    first node whose scores are no numbers.
    """
    bad = np.flatnonzero(~np.isfinite(cosine + bm25))
    if len(bad):
        raise ValueError(f"node {bad[0]}: cosine {cosine[bad[0]]}, BM25 {bm25[bad[0]]}; embed graph and question again")
    r = np.round(relevance(cosine, bm25, config.alpha), DIGITS)
    lambda_r, lambda_phi, lambda_psi = config.weights
    none = np.zeros(len(r))
    phi, rounds, change = propagate(averaging, r, config) if lambda_phi else (none, 0, 0.0)
    psi, steps, error = diffuse(transition, r, config) if lambda_psi else (none, 0, 0.0)
    phi, psi = np.round(phi, DIGITS), np.round(psi, DIGITS)
    h = _unit(lambda_r * r + lambda_phi * phi + lambda_psi * psi)
    a = _unit(answerability(r, words, visual, config.visual_bonus))
    return Scores(r, phi, psi, h, a, rounds, change, steps, error, cosine, bm25)


def highest(values: Floats, count: int) -> Integers:
    """Places of the `count` highest values, highest first, ties to the smaller place."""
    if 0 < count < len(values):
        least = np.partition(values, len(values) - count)[len(values) - count]
        places = np.flatnonzero(values >= least)
    else:
        places = np.arange(len(values))
    return places[np.argsort(-values[places], kind="stable")][:count]


def _unit(values: Floats) -> Floats:
    most = float(values.max(initial=0.0))
    return np.round(values / most, DIGITS) if most > 0 else values
