"""Checks that tie means to counts: flips of right/wrong scores, means with many zeros, bounding columns."""

from __future__ import annotations

import math
from collections.abc import Sequence

from common.claims.interval import Interval, short
from common.claims.verdict import Outcome, agreement, check, order, statement, worst
from common.stats import Z95


@check
def flips_give_delta(won: Interval, lost: Interval, n: Interval, printed: Interval) -> Outcome:
    """For right/wrong scores the mean difference in points is 100 * (won - lost) / n = printed."""
    return agreement((won - lost).scaled(100 / n.point), printed, "Won less lost over the questions, in points,")


@check
def flips_give_interval(
    won: Interval, lost: Interval, n: Interval, low: Interval, high: Interval, margin: float = 0.1
) -> Outcome:
    """For right/wrong scores won:lost gives the width of a 95 % interval, within `margin` of it. At worst soft."""
    flipped, balance = (won.point + lost.point) / n.point, (won.point - lost.point) / n.point
    expected = 200 * Z95 * math.sqrt((flipped - balance**2) / n.point)
    width = high - low
    holds = width.high >= expected * (1 - margin) and width.low <= expected * (1 + margin)
    return statement(
        holds,
        short(expected),
        short(width.point),
        f"The flips give an interval {short(expected)} points wide; {short(width.point)} is printed.",
        f"The flips give an interval {short(expected)} points wide, whereas {short(width.point)} is printed.",
        hardness="soft",
    )


@check
def never_below(higher: Sequence[Interval], lower: Sequence[Interval]) -> Outcome:
    """Row by row the first column is at least the second (recall at more hits, F1 against exact match)."""
    if len(higher) != len(lower):
        raise ValueError(f"{len(higher)} values against {len(lower)}")
    pairs = zip(higher, lower, strict=True)
    return worst([order(a, b, "The first column bounds the second row by row", strict=False) for a, b in pairs])


@check
def mean_fits_zeros(mean: Interval, zeros: Interval, cap: Interval) -> Outcome:
    """With `zeros` percent of questions at zero calls, the mean lies in [1, cap] times the share of the others."""
    users = Interval((100 - zeros.high) / 100, (100 - zeros.low) / 100, (100 - zeros.point) / 100)
    low, high = users.low, users.high * cap.point
    known = f"With {short(zeros.point)} % at zero the mean lies in [{short(low)}, {short(high)}]"
    return statement(
        mean.high >= low and mean.low <= high,
        short(mean.point),
        f"{short(low)} to {short(high)}",
        f"{known}; {short(mean.point)} does.",
        f"{known}; {mean} does not.",
    )
