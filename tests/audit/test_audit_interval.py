"""Printed numbers as intervals: rounding borders, hedges, suffixes, arithmetic."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.claims.interval import Interval, parse_printed

NUMBERS = st.floats(-1000, 1000, allow_nan=False)


@pytest.mark.parametrize(
    ("text", "unit", "low", "high"),
    [
        ("47.5", "points", 47.45, 47.55),
        ("2,441", "count", 2441, 2441),
        ("2,441", "points", 2440.5, 2441.5),
        ("≈ 9", "count", 8, 10),
        ("≈ 0.5", "", 0.4, 0.6),
        ("±2.0", "points", 1.95, 2.05),
        ("+11.0", "points", 10.95, 11.05),
        ("-3.3", "points", -3.35, -3.25),
        ("30K", "tokens", 29_500, 30_500),
        ("30K", "count", 29_500, 30_500),
        ("57.7M", "chars", 57_650_000, 57_750_000),
        ("3.45–3.58", "", 3.445, 3.585),
        ("55–60", "%", 54.5, 60.5),
        ("2–4", "count", 2, 4),
        ("5e-4", "", 0.00045, 0.00055),
        ("10^-5", "p", 1e-5, 1e-5),
        ("<10^-12", "p", -math.inf, 1e-12),
        ("≤ 2", "count", -math.inf, 2),
        ("≥ 60", "points", 60, math.inf),
    ],
)
def test_a_print_stands_for_an_interval(text: str, unit: str, low: float, high: float) -> None:
    interval = parse_printed(text, unit)
    assert interval.low == pytest.approx(low)
    assert interval.high == pytest.approx(high)


@pytest.mark.parametrize(("text", "unit"), [("–", "points"), ("n/r", ""), ("five", "count"), ("5.4", "reference")])
def test_words_and_blanks_are_no_numbers(text: str, unit: str) -> None:
    with pytest.raises(ValueError):
        parse_printed(text, unit)


def test_the_borders_of_rounding_belong_to_the_print() -> None:
    printed = parse_printed("47.5", "points")
    assert printed.holds(47.45) and printed.holds(47.55)
    assert not printed.holds(47.4499) and not printed.holds(47.5501)


def test_arithmetic_on_hand_computed_intervals() -> None:
    a, b = Interval(1, 2, 1.5), Interval(-1, 3, 1)
    assert (a + b) == Interval(0, 5, 2.5)
    assert (a - b) == Interval(-2, 3, 0.5)
    assert (a * b) == Interval(-2, 6, 1.5)
    assert b.magnitude() == Interval(0, 3, 1)
    assert (Interval.exact(6) / a) == Interval(3, 6, 4)
    for divisor in (b, Interval(0, 1, 0.5), Interval(-1, 0, -0.5)):
        with pytest.raises(ZeroDivisionError):
            a / divisor


@given(NUMBERS, NUMBERS, st.floats(0, 5), st.floats(0, 5), st.floats(0, 1), st.floats(0, 1))
def test_results_hold_for_every_choice_inside(
    a: float, b: float, half_a: float, half_b: float, at: float, bt: float
) -> None:
    left, right = Interval(a - half_a, a + half_a, a), Interval(b - half_b, b + half_b, b)
    x, y = left.low + at * (left.high - left.low), right.low + bt * (right.high - right.low)
    assert (left + right).holds(x + y)
    assert (left - right).holds(x - y)
    product = left * right
    assert product.low - 1e-6 <= x * y <= product.high + 1e-6
