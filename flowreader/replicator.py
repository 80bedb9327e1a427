"""Quality-diversity path selection by replicator dynamics (FlowReader 3.5.1, eq. 7-10)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal

import numpy as np

from common.arrays import Floats, Integers
from common.settings import Count, CountFrom1, NonNegative, ShareBelow1
from flowreader.decomposition import Path

Initialisation = Literal["quality", "flow", "mixed"]


@dataclass(frozen=True)
class ReplicatorConfig:
    """Table 5: exponents (a, b, c) of q, epsilon_rd, tolerance, iterations, theta_extinct, most paths read."""

    exponents: tuple[NonNegative, NonNegative, NonNegative] = (0.20, 0.50, 0.30)
    epsilon: ShareBelow1 = 0.20
    tolerance: NonNegative = 1e-4
    iterations: Count = 20
    extinct: ShareBelow1 = 5e-4
    most: CountFrom1 = 11
    initialisation: Initialisation = "quality"
    selector: Literal["replicator", "greedy"] = "replicator"


@dataclass(frozen=True)
class Selection:
    """Chosen paths, by population then index. `extinct` counts paths theta removed, `capped` those over `most`."""

    chosen: tuple[int, ...]
    population: Floats  # x*, (K,)
    quality: Floats  # q, (K,)
    payoff: Floats  # A, (K, K)
    iterations: int
    extinct: int
    capped: int

    @property
    def overlap_with_quality(self) -> float:
        """Share of the chosen paths that sorting by quality alone would also choose."""
        best = np.argsort(-self.quality, kind="stable")[: len(self.chosen)]
        return len(set(best.tolist()) & set(self.chosen)) / len(self.chosen) if self.chosen else 1.0


def path_quality(
    paths: Sequence[Path], h: Floats, length: Floats, exponents: tuple[NonNegative, NonNegative, NonNegative]
) -> Floats:
    """q_k = (b_k / max b)^a (max h)^b (length-weighted mean h)^c, (K,). `h`, `length` are (n,)."""
    flow = np.array([path.flow for path in paths])
    rows, starts = _members(paths)
    peak = np.maximum.reduceat(h[rows], starts)
    total = np.add.reduceat(length[rows], starts)
    weights = np.where(np.repeat(total, np.diff(starts, append=len(rows))) > 0, length[rows], 1.0)
    mean = np.add.reduceat(h[rows] * weights, starts) / np.add.reduceat(weights, starts)
    a, b, c = exponents
    share = flow / flow.max() if flow.max() > 0 else np.ones(len(paths))  # paths without flow differ by h alone
    return share**a * peak**b * mean**c


def payoff_matrix(paths: Sequence[Path], quality: Floats) -> Floats:
    """A with q_k^2 on the diagonal and sqrt(q_k q_l) (1 - Jaccard(k, l)) off it (eq. 7-8), (K, K)."""
    rows, starts = _members(paths)
    sizes = np.diff(starts, append=len(rows))
    nodes, columns = np.unique(rows, return_inverse=True)
    held = np.zeros((len(paths), len(nodes)))
    held[np.repeat(np.arange(len(paths)), sizes), columns] = 1.0
    common = held @ held.T  # whole numbers: exact
    distance = 1.0 - common / (sizes[:, None] + sizes[None, :] - common)
    payoff = np.sqrt(np.outer(quality, quality)) * distance
    np.fill_diagonal(payoff, quality**2)
    return payoff


def _members(paths: Sequence[Path]) -> tuple[Integers, Integers]:
    """The nodes of all paths one after another, and where each path starts. A path has no node twice."""
    starts = np.cumsum([0, *(len(path.nodes) for path in paths[:-1])])
    return np.fromiter(chain.from_iterable(path.nodes for path in paths), dtype=np.int64), starts


def replicate(payoff: Floats, start: Floats, config: ReplicatorConfig) -> tuple[Floats, int]:
    """Iterate eq. 9-10 from `start` on the simplex; returns x* (K,) and the iterations made.

    A population without payoff (all zero) stays where it is. Eq. 10 mixes uniformly each step, so
    x >= epsilon / K: theta_extinct can remove a path only when K > epsilon / theta (400 by default).
    """
    x, count = start, len(start)
    for iteration in range(1, config.iterations + 1):
        fitness = payoff @ x
        mean = float(x @ fitness)
        grown = x * fitness / mean if mean > 0 else x
        mixed = (1.0 - config.epsilon) * grown + config.epsilon / count
        step = float(np.linalg.norm(mixed - x))
        x = mixed / mixed.sum()
        if step < config.tolerance:
            return x, iteration
    return x, config.iterations


def start_population(paths: Sequence[Path], quality: Floats, initialisation: Initialisation) -> Floats:
    """x(0) proportional to q, b, or q b (table 2)."""
    flow = np.array([path.flow for path in paths])
    weights = {"quality": quality, "flow": flow, "mixed": quality * flow}[initialisation]
    total = float(weights.sum())
    return weights / total if total > 0 else np.full(len(paths), 1.0 / len(paths))


def select_paths(paths: Sequence[Path], h: Floats, length: Floats, config: ReplicatorConfig) -> Selection:
    """The compact, diverse subset Pi*. `greedy` takes the paths of most flow instead (table 2)."""
    if not paths:
        return Selection((), np.zeros(0), np.zeros(0), np.zeros((0, 0)), 0, 0, 0)
    quality = path_quality(paths, h, length, config.exponents)
    payoff = payoff_matrix(paths, quality)
    start = start_population(paths, quality, config.initialisation)
    if config.selector == "greedy":
        flow = np.array([path.flow for path in paths])
        chosen = np.argsort(-flow, kind="stable")[: config.most]
        return Selection(tuple(chosen.tolist()), start, quality, payoff, 0, 0, max(0, len(paths) - config.most))
    population, iterations = replicate(payoff, start, config)
    population = np.round(population, 9)  # paths that are alike tie, whatever the processor's last digits
    alive = np.flatnonzero(population > config.extinct)
    order = alive[np.argsort(-population[alive], kind="stable")]
    chosen = order[: config.most]
    return Selection(
        tuple(chosen.tolist()), population, quality, payoff, iterations,
        extinct=len(paths) - len(alive), capped=len(alive) - len(chosen),
    )  # fmt: skip
