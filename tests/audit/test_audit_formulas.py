"""Checks on printed formulas and on spread of runs, on cases computed by hand."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.claims.checks.formulas import can_fall_below, evaluate, formula, formula_bound, uncapped
from common.claims.checks.runs import outside_run_spread, standard_error_of_means
from common.claims.interval import Interval, parse_printed
from common.claims.published import Cell


def counts(*values: float) -> list[Interval]:
    return [Interval.exact(float(value)) for value in values]


def word(value: str) -> Cell:
    return Cell("toy", "item", "row", "column", value, "text", "Section 1")


def test_formula_with_counts_is_exact() -> None:
    # 1+1 + N + R(N+2) + 1 at N = 4, R = 3: 2 + 4 + 18 + 1
    result = evaluate("a + b + c * (b + d) + e", counts(2, 4, 3, 2, 1))
    assert (result.low, result.high, result.point) == (25.0, 25.0, 25.0)


def test_formula_against_hedged_print() -> None:
    values = counts(2, 4, 3, 2, 1)
    expression = "a + b + c * (b + d) + e"
    assert formula(expression, values, parse_printed("≈22")).verdict == "inconsistent"
    assert formula(expression, values, parse_printed("≈24")).verdict == "consistent"  # [23, 25] has 25
    assert formula(expression, values, parse_printed("25", "count")).verdict == "consistent"


def test_formula_carries_rounding() -> None:
    # 10.0 / 4.0 lies in [9.95/4.05, 10.05/3.95] = [2.457, 2.544]
    result = evaluate("a / b", [parse_printed("10.0"), parse_printed("4.0")])
    assert result.low == pytest.approx(9.95 / 4.05) and result.high == pytest.approx(10.05 / 3.95)


@pytest.mark.parametrize(
    "expression",
    [
        "a ** b",
        "abs(a)",
        "a if b else a",
        "a +",
        "a + c",
        "a < b",
        "-a + b",
        "a + b + 'x'",
        "a + b + True",
    ],
)
def test_formula_refuses_what_is_not_arithmetic(expression: str) -> None:
    with pytest.raises(ValueError, match="formula"):
        evaluate(expression, counts(1, 2))


def test_formula_refuses_a_value_without_use() -> None:
    with pytest.raises(ValueError, match="does not use b"):
        evaluate("a + 1", counts(1, 2))


@given(st.lists(st.floats(-50, 50), min_size=3, max_size=3), st.lists(st.floats(0, 1), min_size=3, max_size=3))
def test_formula_contains_every_value_inside_its_intervals(points: list[float], at: list[float]) -> None:
    intervals = [Interval(p - 0.5, p + 0.5, p) for p in points]
    inside = [i.low + t * (i.high - i.low) for i, t in zip(intervals, at, strict=True)]
    result = evaluate("a * (b - c) + b / 4", intervals)
    value = inside[0] * (inside[1] - inside[2]) + inside[1] / 4
    assert result.low - 1e-6 <= value <= result.high + 1e-6


def test_formula_bound_on_both_sides() -> None:
    pairs = "a + a * (a - 1) / 2"
    assert formula_bound(pairs, counts(11), Interval.exact(66)).verdict == "consistent"  # 11 + 55
    assert formula_bound(pairs, counts(11), Interval.exact(65)).verdict == "inconsistent"
    assert formula_bound(pairs, counts(11), Interval.exact(65), side="at least").verdict == "consistent"
    assert formula_bound("a", [parse_printed("0.6")], parse_printed("0.60")).verdict == "consistent"
    assert formula_bound("a", [parse_printed("0.64")], parse_printed("0.6")).verdict == "rounding"


def test_floor_decides_whether_a_threshold_acts() -> None:
    # 0.20 / 60 = 0.0033 is above 5e-4; 0.20 / 1000 is below it
    theta = parse_printed("5×10^-4")
    assert can_fall_below(theta, [parse_printed("0.20"), Interval.exact(60)], "a / b").verdict == "inconsistent"
    assert can_fall_below(theta, [parse_printed("0.20"), Interval.exact(1000)], "a / b").verdict == "consistent"
    assert can_fall_below(parse_printed("0.60"), counts(1)).hardness == "hard"


def test_floor_within_rounding_of_the_threshold_is_no_contradiction() -> None:
    assert can_fall_below(parse_printed("0.60"), [parse_printed("0.604")]).verdict == "consistent"
    assert can_fall_below(parse_printed("0.60"), [parse_printed("0.606")]).verdict == "inconsistent"


def test_unbounded_loop_with_a_cap_is_wording() -> None:
    outcome = uncapped(word("unbounded"), word("3"))
    assert (outcome.verdict, outcome.hardness) == ("inconsistent", "soft")
    assert uncapped(word("unbounded"), word("–")).verdict == "consistent"


def test_standard_error_of_two_means() -> None:
    # sqrt((3^2 + 4^2) / 25) = 1
    error = standard_error_of_means(Interval.exact(3.0), Interval.exact(4.0), Interval.exact(25.0))
    assert error.point == pytest.approx(1.0) and error.is_exact


def test_spread_of_zero_is_no_negative_variance() -> None:
    error = standard_error_of_means(parse_printed("0.00"), parse_printed("0.00"), Interval.exact(3.0))
    assert error.low == 0.0 and error.high == pytest.approx(0.005 * math.sqrt(2 / 3))


@pytest.mark.parametrize(
    ("gap", "outside", "verdict"),
    [
        ("1.30", True, "consistent"),
        ("1.30", False, "inconsistent"),
        ("0.70", True, "inconsistent"),
        ("0.70", False, "consistent"),
    ],
)
def test_gap_against_two_standard_errors(gap: str, outside: bool, verdict: str) -> None:
    # sd 0.60 and 0.80 of three runs: 2 se = 2 / sqrt(3) = 1.155
    spread = (parse_printed("0.60"), parse_printed("0.80"), Interval.exact(3))
    outcome = outside_run_spread(parse_printed(gap), parse_printed("0.00"), *spread, outside=outside)
    assert outcome.verdict == verdict
    assert outcome.hardness == ("soft" if verdict == "inconsistent" else "")


def test_gap_on_the_border_favours_the_paper() -> None:
    # 2 se lies in [1.147, 1.163], the gap in [1.145, 1.155]: either wording passes
    printed = [parse_printed(text) for text in ("1.15", "0.000", "0.60", "0.80")]
    arguments = (*printed, Interval.exact(3))
    assert outside_run_spread(*arguments, outside=True).verdict == "consistent"
    assert outside_run_spread(*arguments, outside=False).verdict == "consistent"
