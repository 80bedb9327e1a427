"""Checks on order and size: above, best, monotone, level with, about; at most and at least."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Literal

from common.claims.interval import Interval, short
from common.claims.verdict import Outcome, check, order, statement, worst


@check
def above(higher: Interval, lower: Interval) -> Outcome:
    """The first value is greater than the second."""
    return order(higher, lower, "The first is said to exceed the second")


@check
def at_most(values: Sequence[Interval], bound: Interval) -> Outcome:
    """No value exceeds the bound (equal counts)."""
    found = worst(
        [
            order(bound, value, "A value is not to exceed its bound", strict=False, names="bound and value")
            for value in values
        ]
    )
    return replace(found, computed=found.printed, printed=f"at most {found.computed}")


@check
def at_least(values: Sequence[Interval], bound: Interval) -> Outcome:
    """No value is below the bound (equal counts)."""
    found = worst(
        [
            order(value, bound, "A value is to reach its bound", strict=False, names="value and bound")
            for value in values
        ]
    )
    return replace(found, printed=f"at least {found.printed}")


@check
def best(winner: Interval, others: Sequence[Interval], highest: bool = True) -> Outcome:
    """The winner is above (or, with `highest: false`, below) every other value."""
    if highest:
        return worst([order(winner, other, "The value is said to be the highest") for other in others])
    return worst([order(other, winner, "The value is said to be the lowest") for other in others])


@check
def increasing(values: Sequence[Interval], strict: bool = True) -> Outcome:
    """Each value is above the one before it (`strict: false` allows equal ones)."""
    return _monotone(values, strict, "increase")


@check
def decreasing(values: Sequence[Interval], strict: bool = True) -> Outcome:
    """Each value is below the one before it (`strict: false` allows equal ones)."""
    return _monotone(list(reversed(values)), strict, "decrease")


def _monotone(rising: Sequence[Interval], strict: bool, word: str) -> Outcome:
    steps = [
        order(later, earlier, f"The values are said to {word}", strict=strict) for earlier, later in pairwise(rising)
    ]
    shown = ", ".join(short(value.point) for value in (rising if word == "increase" else list(reversed(rising))))
    found = worst(steps)
    return Outcome(found.verdict, shown, word, f"{found.sentence[:-1]} (all: {shown}).", found.hardness)


@check
def rank(value: Interval, others: Sequence[Interval], place: int, highest: bool = True) -> Outcome:
    """The value has the given rank (1 = best) among itself and the others."""
    sign = 1 if highest else -1
    surely_before = sum(sign * other.point > sign * value.point and not other.meets(value) for other in others)
    maybe_before = sum(sign * other.point > sign * value.point or other.meets(value) for other in others)
    ranks = f"{surely_before + 1}" if surely_before == maybe_before else f"{surely_before + 1} to {maybe_before + 1}"
    return statement(
        surely_before < place <= maybe_before + 1,
        ranks,
        str(place),
        f"The value has rank {ranks} of {len(others) + 1}.",
        f"The value has rank {ranks} of {len(others) + 1}, whereas rank {place} is stated.",
    )


@check
def level(one: Interval, other: Interval, margin: Interval) -> Outcome:
    """Two values are called level: they differ by no more than the margin. Wording, so at worst soft."""
    gap = (one - other).magnitude()
    return statement(
        gap.low <= margin.high,
        str(gap),
        f"within {short(margin.point)}",
        f"The two values differ by {short(gap.point)}, within {short(margin.point)}.",
        f"The two values differ by {gap}, more than {short(margin.point)}; the wording is stronger than the numbers.",
        hardness="soft",
    )


@check
def about(value: Interval, target: Interval, margin: Interval) -> Outcome:
    """A hedged statement (about, roughly, half): the value is within a margin of the target. At worst soft."""
    gap = (value - target).magnitude()
    return statement(
        gap.low <= margin.high,
        short(value.point),
        f"about {short(target.point)}",
        f"{short(value.point)} is about {short(target.point)} (allowed difference {short(margin.point)}).",
        f"{value} is further from {short(target.point)} than a reader of 'about' may expect ({short(margin.point)}).",
        hardness="soft",
    )


@check
def about_ratio(numerator: Interval, denominator: Interval, target: Interval, margin: Interval) -> Outcome:
    """A hedged ratio (twice, half): numerator / denominator is within a margin of the target. At worst soft."""
    return about(numerator / denominator, target, margin)


@check
def wording(higher: Interval, lower: Interval, relation: Literal["above", "below"] = "above") -> Outcome:
    """A word such as more than, under, at least ranks two values; a miss is a matter of wording, so soft."""
    first, second = (higher, lower) if relation == "above" else (lower, higher)
    return order(first, second, "The wording ranks the two values", strict=False, hardness="soft")
