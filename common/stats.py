"""Paired statistics of the papers: flips, exact sign test, paired bootstrap, standard error, power.

KnowForge section 4: win:loss count per question, two-sided exact sign test on it, 95 % paired bootstrap
interval of the mean difference from 2,000 resamples. All inputs are per-question scores in the same order.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

Verdict = Literal["reproduced", "opposite", "not resolved"]
_NORMAL = NormalDist()
Z95 = _NORMAL.inv_cdf(0.975)  # 1.96: half the width of a 95 % interval in standard errors
_ROUNDING = 1e-9  # differences of equal scores computed in another order are no flips
_CHUNK = 1 << 20  # resampled indices drawn at a time


@dataclass(frozen=True)
class Flips:
    """Questions on which the first system scores higher than the second by more than the margin, lower, and neither."""

    won: int
    lost: int
    tied: int
    margin: float = 0.0

    def __str__(self) -> str:
        return f"{self.won}:{self.lost}"


@dataclass(frozen=True)
class Interval:
    """A percentile interval of a mean difference."""

    low: float
    high: float
    level: float = 0.95


@dataclass(frozen=True)
class PairedComparison:
    """Everything a table prints about "first minus second" on the same `n` questions."""

    n: int
    difference: float
    standard_error: float
    flips: Flips
    p_value: float
    interval: Interval

    def verdict(self, claimed: Literal["above", "below"], *, alpha: float = 0.05) -> Verdict:
        """Whether the claim "first is above (below) second" holds here.

        Resolved only if the sign test gives p < alpha and the mean difference and the flips point the same way.
        """
        direction = np.sign(self.difference)
        if self.p_value >= alpha or direction == 0 or direction != np.sign(self.flips.won - self.flips.lost):
            return "not resolved"
        return "reproduced" if (direction > 0) == (claimed == "above") else "opposite"


def _paired(first: ArrayLike, second: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    a, b = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    if a.ndim != 1 or a.shape != b.shape:
        raise ValueError(f"paired scores need two vectors of one length, got shapes {a.shape} and {b.shape}")
    if a.size == 0:
        raise ValueError("paired scores are empty: no question was answered by both systems")
    if not (np.isfinite(a).all() and np.isfinite(b).all()):
        raise ValueError("paired scores hold NaN or infinity: score every question before comparing")
    return a, b


def sign_test(won: int, lost: int) -> float:
    """Exact two-sided p of won:lost under a fair coin, ties left out: min(1, 2 P(X <= min)), X ~ B(won + lost, 1/2)."""
    if won < 0 or lost < 0:
        raise ValueError(f"flips cannot be negative, got {won}:{lost}")
    n, ways, total = won + lost, 1, 1
    for k in range(min(won, lost)):
        ways = ways * (n - k) // (k + 1)  # n over k + 1; whole numbers, so nothing is rounded before the division below
        total += ways
    return min(1.0, 2 * total / 2**n)


def holm(p_values: Sequence[float]) -> list[float]:
    """p-values adjusted for being tested together (Holm, 1979), in the given order: the chance of any false find."""
    from statsmodels.stats.multitest import multipletests  # a second to import, and few commands need it

    return [float(p) for p in multipletests(p_values, method="holm")[1]] if len(p_values) else []


def flips(first: ArrayLike, second: ArrayLike, margin: float = 0.0) -> Flips:
    """Count questions whose scores differ by more than `margin` (0 or, in section 5.1 of the paper, 0.05)."""
    if margin < 0:
        raise ValueError(f"margin must not be negative, got {margin}")
    a, b = _paired(first, second)
    difference = a - b
    won = int((difference > margin + _ROUNDING).sum())
    lost = int((difference < -margin - _ROUNDING).sum())
    return Flips(won, lost, a.size - won - lost, margin)


def paired_standard_error(first: ArrayLike, second: ArrayLike) -> float:
    """Sample standard deviation of the differences over sqrt(n). Raises ValueError below two questions."""
    a, b = _paired(first, second)
    if a.size < 2:
        raise ValueError("a standard error needs at least two questions")
    return float((a - b).std(ddof=1) / math.sqrt(a.size))


def paired_bootstrap(
    first: ArrayLike, second: ArrayLike, *, resamples: int = 2000, seed: int = 0, level: float = 0.95
) -> Interval:
    """Percentile interval of the mean difference over questions resampled with replacement; seeded, repeatable."""
    if resamples < 1 or not 0 < level < 1:
        raise ValueError(f"need resamples >= 1 and 0 < level < 1, got {resamples} and {level}")
    a, b = _paired(first, second)
    difference = a - b
    means = np.concatenate([difference[rows].mean(1) for rows in _resampled(difference.size, resamples, seed)])
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(low), float(high), level)


@lru_cache(maxsize=2)  # every comparison of a table resamples the same number of questions with the same seed
def _resampled(size: int, resamples: int, seed: int) -> tuple[NDArray[np.int64], ...]:
    """Indices of the resampled questions, a row per resample, in parts of at most `_CHUNK` numbers or one row."""
    generator, rows = np.random.default_rng(seed), max(1, _CHUNK // size)
    return tuple(
        generator.integers(0, size, (min(rows, resamples - start), size)) for start in range(0, resamples, rows)
    )


def compare(
    first: ArrayLike, second: ArrayLike, *, margin: float = 0.0, resamples: int = 2000, seed: int = 0
) -> PairedComparison:
    """Compare two systems question by question. Raises ValueError on unequal lengths, NaN or fewer than 2 questions."""
    a, b = _paired(first, second)
    counted = flips(a, b, margin)
    return PairedComparison(
        n=a.size,
        difference=float((a - b).mean()),
        standard_error=paired_standard_error(a, b),
        flips=counted,
        p_value=sign_test(counted.won, counted.lost),
        interval=paired_bootstrap(a, b, resamples=resamples, seed=seed),
    )


def minimum_detectable_difference(std: float, n: int, *, alpha: float = 0.05, power: float = 0.8) -> float:
    """Smallest true mean difference a paired two-sided test finds with `power` (normal approximation).

    `std` is the per-question standard deviation of the differences (the paper's appendix B gives 0.344 for F1).
    """
    if not 0 < std < math.inf or n < 1:  # nor nan
        raise ValueError(f"need a finite std > 0 and n >= 1, got {std} and {n}")
    return _quantiles(alpha, power) * std / math.sqrt(n)


def required_questions(std: float, difference: float, *, alpha: float = 0.05, power: float = 0.8) -> int:
    """Questions needed to find a mean difference with `power`; inverse of `minimum_detectable_difference`."""
    if not 0 < std < math.inf or not 0 < abs(difference) < math.inf:
        raise ValueError(f"need a finite std > 0 and a difference other than 0, got {std} and {difference}")
    return math.ceil((_quantiles(alpha, power) * std / abs(difference)) ** 2)


def _quantiles(alpha: float, power: float) -> float:
    if not 0 < alpha < 1 or not 0 < power < 1:
        raise ValueError(f"alpha and power lie between 0 and 1, got {alpha} and {power}")
    return _NORMAL.inv_cdf(1 - alpha / 2) + _NORMAL.inv_cdf(power)
