"""Paired statistics against hand-computed values and their own symmetries."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.stats import (
    Flips,
    compare,
    flips,
    holm,
    minimum_detectable_difference,
    paired_bootstrap,
    paired_standard_error,
    required_questions,
    sign_test,
)

scores = st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=2, max_size=30)


@pytest.mark.parametrize(
    ("won", "lost", "expected"),
    [
        (0, 0, 1.0),
        (5, 5, 1.0),
        (1, 0, 1.0),
        (5, 0, 2 / 32),  # 2 * (1/2)^5
        (8, 1, 2 * (1 + 9) / 512),
        # counts the KnowForge paper prints; the p beside them is what the counts give, not what is printed
        (215, 157, 0.0030716467588372),  # printed 0.005
        (206, 155, 0.0084087132199545),  # printed 0.003
        (149, 247, 9.6668386774464e-07),
        (447, 255, 4.0567218120420e-13),
    ],
)
def test_sign_test_values(won: int, lost: int, expected: float) -> None:
    assert sign_test(won, lost) == pytest.approx(expected, rel=1e-9)


@given(st.integers(0, 400), st.integers(0, 400))
def test_sign_test_is_both_tails_of_a_fair_coin(won: int, lost: int) -> None:
    p = sign_test(won, lost)
    assert p == sign_test(lost, won)
    tail = sum(math.comb(won + lost, k) for k in range(min(won, lost) + 1))
    assert p == pytest.approx(min(1.0, 2 * tail / 2 ** (won + lost)), rel=1e-8)


def test_sign_test_refuses_negative_counts() -> None:
    with pytest.raises(ValueError, match="-1:3"):
        sign_test(-1, 3)


def test_flips_count_only_beyond_the_margin() -> None:
    first, second = [1.0, 0.5, 0.52, 0.0, 0.3], [0.0, 0.5, 0.50, 0.2, 0.25]
    assert flips(first, second) == Flips(3, 1, 1, 0.0)
    assert flips(first, second, 0.05) == Flips(1, 1, 3, 0.05)  # 0.3 - 0.25 is not more than 0.05
    assert str(flips(first, second)) == "3:1"


def test_flips_ignore_rounding_noise() -> None:
    assert flips([0.1 + 0.2], [0.3]) == Flips(0, 0, 1, 0.0)


def test_standard_error_by_hand_and_the_paper_s_two_values() -> None:
    # differences 1, 0, -1, 1: mean 1/4, squares 9/16 + 1/16 + 25/16 + 9/16 = 44/16, variance 44/48
    assert paired_standard_error([1, 1, 0, 1], [0, 1, 1, 0]) == pytest.approx(math.sqrt(44 / 48 / 4))
    assert round(100 * 0.344 / math.sqrt(300), 1) == 2.0  # appendix B
    assert round(100 * 0.344 / math.sqrt(2441), 1) == 0.7


@pytest.mark.parametrize("size", [200, 2441])  # all resamples at once; in several chunks
def test_bootstrap_is_that_of_the_seeded_resamples_and_of_no_other(size: int) -> None:
    generator = np.random.default_rng(7)
    a, b = generator.random(size), generator.random(size)
    rows = np.random.default_rng(3).integers(0, size, (2000, size))
    low, high = np.quantile((a - b)[rows].mean(1), [0.025, 0.975])
    interval = paired_bootstrap(a, b, seed=3)
    assert (interval.low, interval.high) == (pytest.approx(low, abs=1e-12), pytest.approx(high, abs=1e-12))
    assert paired_bootstrap(a, b, seed=3) != paired_bootstrap(a, b, seed=4)


def test_bootstrap_agrees_with_the_normal_interval_on_a_large_sample() -> None:
    generator = np.random.default_rng(1)
    a = generator.normal(0.05, 0.344, 2441)
    b = np.zeros_like(a)
    interval, error = paired_bootstrap(a, b), paired_standard_error(a, b)
    assert interval.low == pytest.approx(a.mean() - 1.96 * error, abs=0.15 * error)
    assert interval.high == pytest.approx(a.mean() + 1.96 * error, abs=0.15 * error)


@given(scores)
def test_comparison_turns_round_with_its_arguments(pairs: list[tuple[float, float]]) -> None:
    a, b = np.array(pairs).T
    forward, backward = compare(a, b, resamples=50), compare(b, a, resamples=50)
    assert forward.difference == pytest.approx(-backward.difference, abs=1e-12)
    assert (forward.flips.won, forward.flips.lost) == (backward.flips.lost, backward.flips.won)
    assert forward.p_value == backward.p_value
    assert forward.standard_error == pytest.approx(backward.standard_error, abs=1e-12)
    assert forward.interval.low == pytest.approx(-backward.interval.high, abs=1e-12)
    assert -1 <= forward.interval.low <= forward.interval.high <= 1
    assert forward.flips.won + forward.flips.lost + forward.flips.tied == forward.n


def test_verdicts() -> None:
    ones, zeros = np.ones(10), np.zeros(10)
    won = compare(ones, zeros)
    assert won.p_value == pytest.approx(2 / 1024)
    assert won.verdict("above") == "reproduced"
    assert won.verdict("below") == "opposite"
    assert compare(zeros, ones).verdict("above") == "opposite"
    assert compare(ones[:5], zeros[:5]).verdict("above") == "not resolved"  # p = 1/16
    assert compare(ones, ones).verdict("above") == "not resolved"


def test_no_verdict_when_flips_and_mean_disagree() -> None:
    # nine small wins against one large loss: 9:1 has p = 0.02, the mean is negative
    result = compare([0.1] * 9 + [0.0], [0.0] * 9 + [1.0])
    assert (result.p_value < 0.05, result.difference < 0) == (True, True)
    assert result.verdict("above") == result.verdict("below") == "not resolved"


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [([1, 2], [1], "one length"), ([], [], "empty"), ([1, math.nan], [1, 2], "NaN"), ([1], [1], "two questions")],
)
def test_bad_pairs_are_refused(first: list[float], second: list[float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        compare(first, second)


def test_power_by_hand_and_back() -> None:
    # (1.959964 + 0.841621) * 0.344 / sqrt(300)
    assert minimum_detectable_difference(0.344, 300) == pytest.approx(0.055641, abs=1e-6)
    assert required_questions(0.344, 0.055642) == 300
    assert required_questions(0.344, -0.019) == required_questions(0.344, 0.019)


@given(st.floats(0.01, 1), st.integers(1, 5000))
def test_power_is_its_own_inverse(std: float, n: int) -> None:
    assert required_questions(std, minimum_detectable_difference(std, n)) in (n, n + 1)  # ceil of n plus rounding


def test_holm_by_hand() -> None:
    # Sorted .01, .03, .04 times 3, 2, 1, never falling: .03, .06, .06.
    assert holm([0.04, 0.01, 0.03]) == pytest.approx([0.06, 0.03, 0.06])
    assert holm([0.5, 0.9]) == pytest.approx([1.0, 1.0]) and holm([0.2]) == [0.2] and holm([]) == []
