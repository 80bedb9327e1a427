"""Checks on printed numbers: sums, differences, ratios, shares, means, the same quantity printed twice."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from common.claims.interval import Interval, hull, parse_printed, short
from common.claims.interval import total as add
from common.claims.published import Cell
from common.claims.verdict import Outcome, agreement, check, statement, worst


@check
def same(values: Sequence[Interval]) -> Outcome:
    """One quantity printed in several places: all prints can stand for one value."""
    return worst([_alike(*sorted(pair, key=lambda value: value.high - value.low)) for pair in combinations(values, 2)])


def _alike(finer: Interval, coarser: Interval) -> Outcome:
    left, right = str(finer), str(coarser)
    if coarser.holds(finer.point):
        return Outcome("consistent", left, right, "All prints of the quantity agree.")
    if finer.meets(coarser):
        return Outcome("rounding", left, right, f"The prints {left} and {right} are alike within rounding.")
    return Outcome("inconsistent", left, right, f"The quantity is printed as {left} and as {right}.", "hard")


@check
def difference(minuend: Interval, subtrahend: Interval, printed: Interval) -> Outcome:
    """minuend - subtrahend = printed."""
    return agreement(minuend - subtrahend, printed, "The difference of the printed values")


@check
def distance(one: Interval, other: Interval, printed: Interval) -> Outcome:
    """|one - other| = printed, for deltas printed without a sign."""
    return agreement((one - other).magnitude(), printed, "The distance of the printed values")


@check
def total(parts: Sequence[Interval], printed: Interval) -> Outcome:
    """Sum of parts = printed."""
    return agreement(add(parts), printed, "The sum of the printed parts")


@check
def product(factors: Sequence[Interval], printed: Interval) -> Outcome:
    """Product of factors = printed."""
    result = Interval.exact(1.0)
    for factor in factors:
        result = result * factor
    return agreement(result, printed, "The product of the printed values")


@check
def ratio(numerator: Interval, denominator: Interval, printed: Interval) -> Outcome:
    """numerator / denominator = printed."""
    return agreement(numerator / denominator, printed, "The ratio of the printed values")


@check
def share(part: Interval, whole: Interval, printed: Interval) -> Outcome:
    """100 * part / whole = printed, in percent."""
    return agreement((part / whole).scaled(100), printed, "The share of the printed counts in percent")


@check
def percent_change(new: Interval, old: Interval, printed: Interval) -> Outcome:
    """100 * (new - old) / old = printed, in percent."""
    # new / old - 1, not (new - old) / old: each interval enters once, so the result is as tight as it can be
    change = (new / old - Interval.exact(1.0)).scaled(100)
    return agreement(change, printed, "The relative change of the printed values in percent")


@check
def mean(values: Sequence[Interval], printed: Interval) -> Outcome:
    """Unweighted mean of the values = printed."""
    return agreement(add(values).scaled(1 / len(values)), printed, "The mean of the printed values")


@check
def weighted_mean(values: Sequence[Interval], weights: Sequence[Interval], printed: Interval) -> Outcome:
    """Mean of bucket values weighted by (exact) bucket sizes = printed."""
    _same_length(values, weights)
    size = sum(weight.point for weight in weights)
    weighted = add(value.scaled(weight.point / size) for value, weight in zip(values, weights, strict=True))
    return agreement(weighted, printed, "The mean of the buckets weighted by their printed sizes")


@check
def spread(values: Sequence[Interval], printed: Interval) -> Outcome:
    """Largest minus smallest value = printed range."""
    top = max(values, key=lambda value: value.point)
    bottom = min(values, key=lambda value: value.point)
    return agreement(top - bottom, printed, "The largest less the smallest printed value")


@check
def extent(values: Sequence[Interval], low: Interval, high: Interval) -> Outcome:
    """Smallest and largest of the values are the two ends of a printed range."""
    smallest = min(values, key=lambda value: value.point)
    largest = max(values, key=lambda value: value.point)
    return worst(
        [
            agreement(smallest, low, "The smallest of the printed values"),
            agreement(largest, high, "The largest of the printed values"),
        ]
    )


@check
def spans(values: Sequence[Interval], printed: Cell) -> Outcome:
    """A printed range `a–b` runs from the smallest of the values to the largest."""
    low, high = (parse_printed(end.strip(), printed.unit) for end in printed.value.split("–", 1))
    return extent(values, low, high)


@check
def within(values: Sequence[Interval], low: Interval, high: Interval) -> Outcome:
    """Every value lies between two printed ends (ends count, rounding of both sides allowed)."""
    outer = hull([low, high])
    outside = [value for value in values if not value.meets(outer)]
    printed = f"{short(outer.low)} to {short(outer.high)}"
    return statement(
        not outside,
        ", ".join(short(value.point) for value in outside or values),
        printed,
        f"All values ({len(values)}) lie in {printed}.",
        f"Of {len(values)} values {', '.join(short(value.point) for value in outside)} lies outside {printed}.",
    )


@check
def possible_share(printed: Sequence[Interval], n: Interval) -> Outcome:
    """Each printed percentage is k / n of n whole questions for some whole k, within rounding."""
    impossible = []
    for percent in printed:
        low, high = percent.low * n.point / 100, percent.high * n.point / 100
        if int(high + 1e-6) < low - 1e-6:  # no whole number between the two
            impossible.append(percent)
    shown = ", ".join(short(percent.point) for percent in impossible or printed)
    return statement(
        not impossible,
        shown,
        f"n = {short(n.point)}",
        f"Every printed percentage is a whole number of {short(n.point)} questions within rounding.",
        f"No whole number of {short(n.point)} questions gives {shown} % within rounding.",
    )


def _same_length(values: Sequence[Interval], weights: Sequence[Interval]) -> None:
    if len(values) != len(weights):
        raise ValueError(f"{len(values)} values but {len(weights)} weights")
