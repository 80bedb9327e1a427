"""Verdicts on claims of direction (A above B) from the replica's paired tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from common.artefact import ClaimVerdict, Source, exact, shown
from common.stats import Interval, PairedComparison, compare, flips, sign_test

Scores = Mapping[str, Sequence[float]]  # system -> one score per question, all in the same order


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
        if source.n < 2:
            verdicts.append(ClaimVerdict(claim, place, "not resolved", f"n = {source.n}: no paired test", source))
            continue
        result = compare(scores[higher], scores[lower], margin=margin, resamples=resamples, seed=seed)
        verdict = result.verdict("above")
        short = "not resolved" if verdict.startswith("not resolved") else verdict
        verdicts.append(ClaimVerdict(claim, place, short, describe(result), source))  # type: ignore[arg-type]
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
