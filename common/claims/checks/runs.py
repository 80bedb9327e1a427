"""Checks on means of a few repeated runs printed as mean ± standard deviation."""

from __future__ import annotations

import math

from common.claims.interval import Interval, short
from common.claims.verdict import Outcome, check, statement


def standard_error_of_means(sd_one: Interval, sd_other: Interval, runs: Interval) -> Interval:
    """sqrt((s1^2 + s2^2) / runs): the standard error of the difference of two means of `runs` runs each."""
    ends = [
        math.sqrt((max(a, 0.0) ** 2 + max(b, 0.0) ** 2) / runs.point)
        for a, b in ((sd_one.low, sd_other.low), (sd_one.high, sd_other.high), (sd_one.point, sd_other.point))
    ]
    return Interval(*ends)


@check
def outside_run_spread(
    one: Interval,
    other: Interval,
    sd_one: Interval,
    sd_other: Interval,
    runs: Interval,
    multiple: float = 2.0,
    outside: bool = True,
) -> Outcome:
    """Two means differ (or do not) by more than `multiple` standard errors of their runs. At worst soft.

    The spread of runs says nothing of other questions, so this is the weaker of the two kinds of noise; with three
    runs a t test wants 2.78 standard errors, so 2 favours the paper.
    """
    gap = (one - other).magnitude()
    bound = standard_error_of_means(sd_one, sd_other, runs).scaled(multiple)
    holds = gap.high >= bound.low if outside else gap.low <= bound.high
    word = "more" if gap.point > bound.point else "not more"
    sentence = (
        f"The means differ by {short(gap.point)}, {word} than {short(multiple)} standard errors of {short(runs.point)} "
        f"runs ({short(bound.point)})"
    )
    return statement(
        holds,
        short(gap.point),
        f"{short(multiple)} se = {short(bound.point)}",
        f"{sentence}.",
        f"{sentence}, a margin of ours; the wording suggests otherwise.",
        hardness="soft",
    )
