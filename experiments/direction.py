"""The replica's paired tests: verdicts on claims of direction (A above B), and their cells in a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from omegaconf import DictConfig

from common.artefact import ClaimVerdict, Column, Source, exact, shown
from common.stats import Interval, PairedComparison, compare, flips, sign_test

Scores = Mapping[str, Sequence[float]]  # system -> one score per question, all in the same order


def paired_settings(spec: DictConfig) -> dict[str, Any]:
    """Margin, resamples and seed of an artefact's paired tests."""
    return {"margin": float(spec.margin), "resamples": int(spec.resamples), "seed": int(spec.seed)}


def direction_claims(
    claims: Sequence[Sequence[str]],
    scores: Scores,
    source: Source,
    *,
    measure: str,
    margin: float,
    resamples: int,
    seed: int,
) -> tuple[ClaimVerdict, ...]:
    """One verdict per claim (higher, lower, place); scores are in points, margin too. No scores, no data."""
    verdicts = []
    for higher, lower, place in claims:
        claim = f"{higher} above {lower} in {measure}"
        absent = [system for system in (higher, lower) if system not in scores]
        if absent:
            verdicts.append(ClaimVerdict(claim, place, "no data", f"no runs to compare: {', '.join(absent)}", source))
            continue
        if source.n == 0:
            verdicts.append(ClaimVerdict(claim, place, "no data", "none of the questions is of this kind", source))
            continue
        if source.n == 1:
            verdicts.append(ClaimVerdict(claim, place, "not resolved", "n = 1: no paired test", source))
            continue
        result = compare(scores[higher], scores[lower], margin=margin, resamples=resamples, seed=seed)
        verdict = result.verdict("above")
        verdicts.append(ClaimVerdict(claim, place, verdict, describe(result), source, result.p_value))
    return tuple(verdicts)


def describe(result: PairedComparison) -> str:
    """A comparison in one line: difference, interval, flips, p, n."""
    interval = shown((result.interval.low, result.interval.high), "interval")
    p = exact(result.p_value, "p")
    sign = "" if p.startswith("<") else "= "
    return f"{result.difference:+.1f} {interval}, flips {result.flips}, p {sign}{p}, n = {result.n}"


def against(
    first: Sequence[float], second: Sequence[float], *, margin: float, resamples: int, seed: int
) -> tuple[str, float, Interval | None]:
    """Flips, sign-test p and 95% interval of first minus second; no interval below two questions."""
    if len(first) < 2:
        counted = flips(first, second, margin)
        return str(counted), sign_test(counted.won, counted.lost), None
    result = compare(first, second, margin=margin, resamples=resamples, seed=seed)
    return str(result.flips), result.p_value, result.interval


def tested_columns(reference: str, source: Source) -> list[Column]:
    """Columns of `tested`."""
    return [
        Column(f"flips vs {reference}", "replica", "text", source),
        Column(f"sign test p vs {reference}", "replica", "p", source),
        Column(f"95% CI vs {reference}", "replica", "interval", source),
    ]


def tested(first: Sequence[float] | None, reference: Sequence[float] | None, spec: DictConfig) -> list[Any]:
    """Flips, sign-test p and interval of a row against its reference; three blanks where one of them is missing."""
    if first is None or reference is None:
        return [None] * 3
    counted, p, interval = against(first, reference, **paired_settings(spec))
    return [counted, p, None if interval is None else (interval.low, interval.high)]
