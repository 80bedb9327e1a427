"""Outcome of a check, and the two comparisons every numeric check ends in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeVar

from common.claims.interval import TOLERANCE, Interval, short

VerdictName = Literal["consistent", "rounding", "inconsistent", "not checkable"]
Hardness = Literal["hard", "soft", ""]


@dataclass(frozen=True)
class Outcome:
    """What a check found. `hardness` is filled for inconsistent only: hard = printed facts contradict each other,
    soft = the wording is stronger than the numbers. `sentence` is neutral and can be pasted into a review."""

    verdict: VerdictName
    computed: str
    printed: str
    sentence: str
    hardness: Hardness = ""


Check = Callable[..., Outcome]
CHECKS: dict[str, Check] = {}
Function = TypeVar("Function", bound=Check)


def check(function: Function) -> Function:
    """Register a check under its function name, which is the name claims use."""
    if function.__name__ in CHECKS:
        raise ValueError(f"two checks are named {function.__name__!r}")
    CHECKS[function.__name__] = function
    return function


def agreement(
    computed: Interval, printed: Interval, what: str, *, hardness: Hardness = "hard", scale: float = 1.0
) -> Outcome:
    """Compare a computed interval with a printed one.

    consistent: the value computed from the digits as printed lies in the printed interval; rounding: only some value
    inside the intervals does, or an exact count was cut instead of rounded; inconsistent: none does. `scale` brings
    very small values to the size the tolerance for float noise is meant for.
    """
    left, right = str(computed), str(printed)
    fits, found = printed.scaled(scale), computed.scaled(scale)
    if fits.holds(found.point):
        return Outcome("consistent", left, right, f"{what} gives {short(computed.point)}, as printed.")
    if found.meets(fits):
        return Outcome("rounding", left, right, f"{what} gives {left}; the printed {right} is within rounding.")
    if found.is_exact and _cut(found.point, fits):
        return Outcome("rounding", left, right, f"{what} gives {left}; the printed {right} is cut, not rounded.")
    sentence = f"{what} gives {left}, whereas {right} is printed; rounding cannot explain the difference."
    return Outcome("inconsistent", left, right, sentence, hardness)


def _cut(value: float, printed: Interval) -> bool:
    step = printed.high - printed.low
    return step < float("inf") and 0 <= (abs(value) - abs(printed.point)) * (1 + TOLERANCE) < step


def order(
    higher: Interval,
    lower: Interval,
    what: str,
    *,
    strict: bool = True,
    hardness: Hardness = "hard",
    names: str = "the numbers",
) -> Outcome:
    """Compare two intervals that are said to be ordered.

    consistent: the printed digits are in that order (equal digits count unless `strict`); rounding: the digits are
    equal but values inside the intervals are in order; inconsistent: the digits are in the other order.
    """
    left, right = short(higher.point), short(lower.point)
    found = f"{what}; {names} are {left} and {right}"
    gap = higher.point - lower.point
    slack = TOLERANCE * max(1.0, abs(lower.point))
    if gap > slack or (not strict and gap >= -slack):
        return Outcome("consistent", left, right, f"{found}.")
    if abs(gap) <= slack and higher.high > lower.low:
        return Outcome("rounding", left, right, f"{found}, so the order cannot be told.")
    if higher.high >= lower.low - slack and not (higher.is_exact and lower.is_exact):
        return Outcome("rounding", left, right, f"{found}, in order only within rounding.")
    return Outcome("inconsistent", left, right, f"{found}, in the other order.", hardness)


def statement(holds: bool, computed: str, printed: str, yes: str, no: str, *, hardness: Hardness = "hard") -> Outcome:
    """Outcome of a yes/no check with a sentence for either side."""
    if holds:
        return Outcome("consistent", computed, printed, yes)
    return Outcome("inconsistent", computed, printed, no, hardness)


def worst(outcomes: list[Outcome]) -> Outcome:
    """The most severe of several outcomes, the first one among equals; its sentence stands for all."""
    severity = {"consistent": 0, "not checkable": 1, "rounding": 2, "inconsistent": 3}
    return max(outcomes, key=lambda outcome: severity[outcome.verdict])
