"""Printed numbers as intervals: a printed 47.5 is any value in [47.45, 47.55].

Everything the audit computes is computed on intervals, so rounding in print alone can never make a claim wrong.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass

TOLERANCE = 1e-9  # float noise only; the slack of rounding is in the intervals
WORD_UNITS = frozenset({"list", "reference", "mark", "text"})
SUFFIXES = {"": 1.0, "K": 1e3, "M": 1e6, "B": 1e9}
NUMBER = re.compile(
    r"^(?P<hedge>≈|~|±|\+|<=|>=|≤|≥|<|>)?\s*(?P<body>-?\d[\d,]*(?:\.\d+)?|-?\.\d+)"
    r"(?:e(?P<e>-?\d+)|\^(?P<power>-?\d+)|\s*[x×]\s*10\^(?P<scale>-?\d+))?\s*(?P<suffix>[KMB]?)$"
)


@dataclass(frozen=True)
class Interval:
    """Closed interval [low, high]; `point` is the value as printed or computed from printed values."""

    low: float
    high: float
    point: float

    @classmethod
    def exact(cls, value: float) -> Interval:
        """A value known exactly: low = high = point."""
        return cls(value, value, value)

    @property
    def is_exact(self) -> bool:
        """True when nothing is lost to rounding."""
        return self.high - self.low <= TOLERANCE * max(1.0, abs(self.point))

    def __add__(self, other: Interval) -> Interval:
        return Interval(self.low + other.low, self.high + other.high, self.point + other.point)

    def __sub__(self, other: Interval) -> Interval:
        return Interval(self.low - other.high, self.high - other.low, self.point - other.point)

    def __mul__(self, other: Interval) -> Interval:
        ends = [_times(a, b) for a in (self.low, self.high) for b in (other.low, other.high)]
        return Interval(min(ends), max(ends), self.point * other.point)

    def __truediv__(self, other: Interval) -> Interval:
        if other.low <= 0 <= other.high:
            raise ZeroDivisionError(f"the divisor {other} may be zero")
        return self * Interval(1 / other.high, 1 / other.low, 1 / other.point)

    def scaled(self, factor: float) -> Interval:
        """Each end times `factor` (negative factors swap the ends)."""
        return self * Interval.exact(factor)

    def magnitude(self) -> Interval:
        """Interval of the absolute value."""
        low = 0.0 if self.low <= 0 <= self.high else min(abs(self.low), abs(self.high))
        return Interval(low, max(abs(self.low), abs(self.high)), abs(self.point))

    def meets(self, other: Interval) -> bool:
        """True when some value lies in both (touching ends count)."""
        slack = TOLERANCE * max(1.0, abs(self.point), abs(other.point))
        return self.low <= other.high + slack and other.low <= self.high + slack

    def holds(self, value: float) -> bool:
        """True when `value` lies inside (ends count)."""
        return self.meets(Interval.exact(value))

    def __str__(self) -> str:
        if self.is_exact:
            return short(self.point)
        if math.isinf(self.low):
            return f"at most {short(self.high)}"
        if math.isinf(self.high):
            return f"at least {short(self.low)}"
        return f"{short(self.point)} [{short(self.low)}, {short(self.high)}]"


def _times(a: float, b: float) -> float:
    return 0.0 if a == 0 or b == 0 else a * b  # an open end times an exact zero is zero, not nan


def short(value: float) -> str:
    """Four significant digits, whole numbers in full, no trailing zeros."""
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    if abs(value - round(value)) <= TOLERANCE * abs(value) and abs(value) < 1e15:
        return str(round(value))
    digits = max(4, len(str(int(abs(value)))) + 2)
    return f"{value:.{digits}g}"


def total(parts: Iterable[Interval]) -> Interval:
    """Sum of intervals; the empty sum is exactly zero."""
    result = Interval.exact(0.0)
    for part in parts:
        result = result + part
    return result


def hull(parts: Iterable[Interval]) -> Interval:
    """Smallest interval around all; its point is the middle of the outer points."""
    parts = list(parts)
    points = [part.point for part in parts]
    return Interval(min(p.low for p in parts), max(p.high for p in parts), (min(points) + max(points)) / 2)


def is_blank(text: str) -> bool:
    """True for a cell the paper leaves empty."""
    return text.strip() in {"", "–", "—", "-", "n/a", "n/r"}


def parse_printed(text: str, unit: str = "") -> Interval:
    """Interval of a printed string such as `47.5`, `2,441`, `≈ 9`, `<10^-12`, `±2.0`, `30K`, `3.45–3.58`.

    Unit `count` makes a plain whole number exact; otherwise half a unit of the last digit is unknown, a whole unit
    after `≈` or `~`. Raises ValueError for words and blanks.
    """
    text = text.strip()
    if unit in WORD_UNITS or is_blank(text):
        raise ValueError(f"{text!r} (unit {unit or 'none'}) is not a number")
    if "–" in text:
        first, last = (part.strip() for part in text.split("–", 1))
        if last and last[-1] in "KMB" and first[-1] not in "KMB":
            first += last[-1]
        return hull([parse_printed(first, unit), parse_printed(last, unit)])
    match = NUMBER.match(text.replace("−", "-"))
    if match is None:
        raise ValueError(f"{text!r} is not a printed number; see experiments/published/README.md")
    return _interval_of(match, unit)


def _interval_of(match: re.Match[str], unit: str) -> Interval:
    body = match["body"].replace(",", "")
    hedge = match["hedge"] or ""
    if match["power"] is not None:
        value, step = float(body) ** int(match["power"]), 0.0  # 10^-5 is exact
    else:
        scale = 10.0 ** int(match["e"] or match["scale"] or 0) * SUFFIXES[match["suffix"]]
        decimals = len(body.partition(".")[2])
        value, step = float(body) * scale, 10.0**-decimals * scale
        if unit == "count" and decimals == 0 and not match["suffix"] and hedge not in {"≈", "~"}:
            step = 0.0
    half = step if hedge in {"≈", "~"} else step / 2
    if hedge in {"<", "≤", "<="}:
        return Interval(-math.inf, value, value)
    if hedge in {">", "≥", ">="}:
        return Interval(value, math.inf, value)
    return Interval(value - half, value + half, value)
