"""Every check on hand-computed cases: one that holds, one that does not, and the border of rounding between them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.claims import CHECKS, Cell, Interval, parse_printed

I = Interval.exact  # noqa: E741  (short on purpose, the table below is wide)


def p(text: str, unit: str = "points") -> Interval:
    return parse_printed(text, unit)


def ps(*texts: str, unit: str = "points") -> list[Interval]:
    return [p(text, unit) for text in texts]


def cell(value: str, unit: str = "list", row: str = "r") -> Cell:
    return Cell("paper", "item", row, "column", value, unit, "Section 1")


CASES: list[tuple[str, str, dict[str, Any]]] = [
    # 47.45..47.55 less 40.35..40.45 is 7.0..7.2
    ("consistent", "difference", {"minuend": p("47.5"), "subtrahend": p("40.4"), "printed": p("7.1")}),
    ("rounding", "difference", {"minuend": p("47.5"), "subtrahend": p("40.4"), "printed": p("7.2")}),
    ("rounding", "difference", {"minuend": p("47.5"), "subtrahend": p("40.4"), "printed": p("7.0")}),
    ("inconsistent", "difference", {"minuend": p("47.5"), "subtrahend": p("40.4"), "printed": p("7.3")}),
    ("consistent", "distance", {"one": p("40.4"), "other": p("47.5"), "printed": p("7.1")}),
    ("inconsistent", "distance", {"one": p("40.4"), "other": p("47.5"), "printed": p("-7.1")}),
    ("consistent", "same", {"values": ps("84.6", "85", "84.6")}),
    ("rounding", "same", {"values": ps("65.1", "65.2")}),
    ("inconsistent", "same", {"values": [p("360", "count"), p("358", "count")]}),
    ("consistent", "total", {"parts": ps("2.3", "0.6"), "printed": p("2.9")}),
    ("rounding", "total", {"parts": ps("2.3", "0.6"), "printed": p("3.0")}),
    ("inconsistent", "total", {"parts": ps("2.3", "0.6"), "printed": p("3.1")}),
    ("consistent", "product", {"factors": [I(9), p("3.0")], "printed": p("27")}),
    ("inconsistent", "product", {"factors": [I(9), I(3)], "printed": p("28")}),
    ("consistent", "ratio", {"numerator": p("3,368", "count"), "denominator": p("80", "count"), "printed": p("42")}),
    ("inconsistent", "ratio", {"numerator": p("3,368", "count"), "denominator": p("80", "count"), "printed": p("41")}),
    ("consistent", "share", {"part": I(409), "whole": I(2255), "printed": p("18.1")}),
    ("inconsistent", "share", {"part": I(409), "whole": I(2255), "printed": p("18.3")}),
    # 220 / 2,255 is 9.756: an exact count cut to 9.7 is rounding, 9.6 is not
    ("rounding", "share", {"part": I(220), "whole": I(2255), "printed": p("9.7")}),
    ("inconsistent", "share", {"part": I(220), "whole": I(2255), "printed": p("9.6")}),
    ("consistent", "percent_change", {"new": p("4.81"), "old": p("3.58"), "printed": p("34")}),
    ("inconsistent", "percent_change", {"new": p("4.81"), "old": p("3.58"), "printed": p("36")}),
    ("consistent", "mean", {"values": ps("51.1", "50.7", "50.9"), "printed": p("50.9")}),
    ("inconsistent", "mean", {"values": ps("51.1", "50.7", "50.9"), "printed": p("51.2")}),
    # (980 x 36.6 + 1,461 x 54.9) / 2,441 = 47.553
    ("rounding", "weighted_mean", {"values": ps("36.6", "54.9"), "weights": [I(980), I(1461)], "printed": p("47.5")}),
    ("consistent", "weighted_mean", {"values": ps("36.6", "54.9"), "weights": [I(980), I(1461)], "printed": p("47.6")}),
    (
        "inconsistent",
        "weighted_mean",
        {"values": ps("31.7", "91.9"), "weights": [I(859), I(223)], "printed": p("47.0")},
    ),
    ("consistent", "spread", {"values": ps("51.1", "50.7", "50.9"), "printed": p("0.4")}),
    ("inconsistent", "spread", {"values": ps("51.1", "50.7", "50.9"), "printed": p("0.6")}),
    ("consistent", "extent", {"values": ps("46.4", "46.7", "46.2"), "low": p("46.2"), "high": p("46.7")}),
    ("inconsistent", "extent", {"values": ps("46.4", "46.7", "46.2"), "low": p("46.2"), "high": p("46.9")}),
    ("consistent", "spans", {"values": ps("44", "57", "50"), "printed": cell("44–57", "%")}),
    ("inconsistent", "spans", {"values": ps("44", "55", "50"), "printed": cell("44–57", "%")}),
    ("consistent", "within", {"values": ps("94.0", "96.1"), "low": p("94–96"), "high": p("94–96")}),
    ("inconsistent", "within", {"values": ps("93.3", "96.1"), "low": p("94–96"), "high": p("94–96")}),
    ("consistent", "possible_share", {"printed": ps("12.9"), "n": I(31)}),  # 4 of 31
    ("inconsistent", "possible_share", {"printed": ps("12.0"), "n": I(31)}),  # between 3 and 4 of 31
    ("consistent", "above", {"higher": p("47.5"), "lower": p("47.4")}),
    ("rounding", "above", {"higher": p("47.5"), "lower": p("47.5")}),
    ("inconsistent", "above", {"higher": p("47.3"), "lower": p("47.5")}),
    ("inconsistent", "above", {"higher": I(5), "lower": I(5)}),
    ("consistent", "at_most", {"values": [I(5), I(6)], "bound": I(6)}),
    ("inconsistent", "at_most", {"values": [I(5), I(7)], "bound": I(6)}),
    ("consistent", "at_least", {"values": [I(6)], "bound": I(6)}),
    ("inconsistent", "at_least", {"values": [I(5)], "bound": I(6)}),
    ("consistent", "best", {"winner": p("73.5"), "others": ps("71.2", "70.3")}),
    ("inconsistent", "best", {"winner": p("73.5"), "others": ps("71.2", "74.1")}),
    ("consistent", "best", {"winner": p("2.3"), "others": ps("4.3"), "highest": False}),
    ("consistent", "increasing", {"values": ps("40.4", "43.7", "45.6", "47.5")}),
    ("inconsistent", "increasing", {"values": ps("40.4", "45.6", "43.7")}),
    ("consistent", "increasing", {"values": [I(1), I(1)], "strict": False}),
    ("consistent", "decreasing", {"values": ps("3.0", "2.0", "1.0")}),
    ("inconsistent", "decreasing", {"values": ps("3.0", "4.0", "1.0")}),
    ("consistent", "rank", {"value": p("47"), "others": ps("35", "62", "53"), "place": 3}),
    ("inconsistent", "rank", {"value": p("47"), "others": ps("35", "62", "53"), "place": 2}),
    ("consistent", "rank", {"value": p("47"), "others": ps("47.4"), "place": 1}),  # 47 may be 47.5
    ("consistent", "level", {"one": p("47.0"), "other": p("46.3"), "margin": I(2)}),
    ("inconsistent", "level", {"one": p("41.4"), "other": p("44.9"), "margin": I(2)}),
    ("consistent", "about", {"value": p("48"), "target": I(50), "margin": I(5)}),
    ("inconsistent", "about", {"value": p("40"), "target": I(50), "margin": I(5)}),
    (
        "consistent",
        "about_ratio",
        {"numerator": p("0.34"), "denominator": p("0.71"), "target": I(0.5), "margin": I(0.1)},
    ),
    (
        "inconsistent",
        "about_ratio",
        {"numerator": p("0.60"), "denominator": p("0.71"), "target": I(0.5), "margin": I(0.1)},
    ),
    ("consistent", "wording", {"higher": p("41.3"), "lower": p("41.3")}),
    ("inconsistent", "wording", {"higher": p("41.3"), "lower": p("41.9")}),
    ("consistent", "sign_test", {"won": I(149), "lost": I(247), "printed": p("<10^-5", "p")}),
    ("consistent", "sign_test", {"won": I(215), "lost": I(157), "printed": p("0.003", "p")}),
    ("inconsistent", "sign_test", {"won": I(215), "lost": I(157), "printed": p("0.005", "p")}),
    # 3.86e-14: far below the tolerance for float noise, and still above 10^-14
    ("consistent", "sign_test", {"won": I(136), "lost": I(38), "printed": p("<10^-13", "p")}),
    ("inconsistent", "sign_test", {"won": I(136), "lost": I(38), "printed": p("<10^-14", "p")}),
    ("consistent", "sign_test_decides", {"won": I(179), "lost": I(184), "significant": False}),
    ("inconsistent", "sign_test_decides", {"won": I(179), "lost": I(184)}),
    ("consistent", "flips_fit", {"won": I(6), "lost": I(4), "n": I(10)}),
    ("inconsistent", "flips_fit", {"won": I(7), "lost": I(4), "n": I(10)}),
    ("consistent", "flips_direction", {"won": I(6), "lost": I(4), "delta": p("1.0")}),
    ("inconsistent", "flips_direction", {"won": I(6), "lost": I(4), "delta": p("-1.0")}),
    ("inconsistent", "flips_direction", {"won": I(5), "lost": I(5), "delta": p("1.0")}),
    ("consistent", "delta_within_flips", {"won": I(6), "lost": I(4), "n": I(100), "delta": p("5.9")}),
    ("inconsistent", "delta_within_flips", {"won": I(6), "lost": I(4), "n": I(100), "delta": p("6.2")}),
    # 90 ties move the mean by up to 0.05 each: 6 + 4.5 less the lost ones
    ("consistent", "delta_within_flips", {"won": I(6), "lost": I(4), "n": I(100), "delta": p("6.2"), "margin": 0.05}),
    # the other end: 6 won ones add more than 0.05 each, 4 lost ones take 1, 90 ties take 0.05: no lower than -8.2
    (
        "inconsistent",
        "delta_within_flips",
        {"won": I(6), "lost": I(4), "n": I(100), "delta": p("-8.4"), "margin": 0.05},
    ),
    ("consistent", "deviation_within_flips", {"won": I(9), "lost": I(7), "n": I(100), "sd": p("0.40")}),
    ("inconsistent", "deviation_within_flips", {"won": I(9), "lost": I(7), "n": I(100), "sd": p("0.43")}),
    ("consistent", "standard_error", {"sd": p("0.344"), "n": I(300), "printed": p("±2.0")}),
    ("inconsistent", "standard_error", {"sd": p("0.344"), "n": I(300), "printed": p("±2.2")}),
    ("consistent", "noise_bound", {"sd": p("0.344"), "n": I(2441), "printed": p("1.4")}),
    ("inconsistent", "noise_bound", {"sd": p("0.344"), "n": I(2441), "printed": p("1.6")}),
    ("consistent", "resolved", {"delta": p("4.4"), "sd": p("0.344"), "n": I(300)}),
    ("inconsistent", "resolved", {"delta": p("3.1"), "sd": p("0.344"), "n": I(300)}),
    ("consistent", "resolved", {"delta": p("-0.5"), "sd": p("0.344"), "n": I(2441), "larger": False}),
    ("consistent", "interval_holds", {"low": p("5.5"), "high": p("8.8"), "delta": p("7.1")}),
    ("inconsistent", "interval_holds", {"low": p("5.5"), "high": p("8.8"), "delta": p("9.1")}),
    ("consistent", "interval_centred", {"low": p("5.0"), "high": p("9.0"), "delta": p("7.3")}),
    ("inconsistent", "interval_centred", {"low": p("5.0"), "high": p("9.0"), "delta": p("8.5")}),
    ("consistent", "interval_width", {"low": p("0.5"), "high": p("3.4"), "sd": p("0.344"), "n": I(2441)}),
    ("inconsistent", "interval_width", {"low": p("0.5"), "high": p("6.4"), "sd": p("0.344"), "n": I(2441)}),
    ("consistent", "interval_and_test", {"low": p("0.5"), "high": p("3.4"), "p": p("0.005", "p")}),
    ("inconsistent", "interval_and_test", {"low": p("-0.5"), "high": p("3.4"), "p": p("0.005", "p")}),
    ("consistent", "interval_and_test", {"low": p("0.0"), "high": p("3.4"), "p": p("0.03", "p")}),  # 0.0 may be 0.04
    ("consistent", "flips_give_delta", {"won": I(16), "lost": I(10), "n": I(299), "printed": p("2.0")}),
    ("inconsistent", "flips_give_delta", {"won": I(16), "lost": I(10), "n": I(299), "printed": p("2.2")}),
    # sqrt((0.3 - 0.01) / 100) x 2 x 1.96 x 100 = 21.1
    (
        "consistent",
        "flips_give_interval",
        {"won": I(20), "lost": I(10), "n": I(100), "low": p("-0.5"), "high": p("20.5")},
    ),
    (
        "inconsistent",
        "flips_give_interval",
        {"won": I(20), "lost": I(10), "n": I(100), "low": p("5.0"), "high": p("15.0")},
    ),
    ("consistent", "never_below", {"higher": ps("3.0", "2.0"), "lower": ps("3.0", "1.0")}),
    ("inconsistent", "never_below", {"higher": ps("3.0", "1.0"), "lower": ps("3.0", "2.0")}),
    ("consistent", "mean_fits_zeros", {"mean": p("0.24"), "zeros": p("76"), "cap": I(1)}),
    ("inconsistent", "mean_fits_zeros", {"mean": p("0.27"), "zeros": p("76"), "cap": I(1)}),
    ("consistent", "units_agree", {"cells": [cell("30K", "tokens"), cell("12K", "tokens")]}),
    ("inconsistent", "units_agree", {"cells": [cell("30K", "tokens"), cell("25K", "chars")]}),
    ("consistent", "disjoint", {"one": cell("a, b"), "other": cell("c")}),
    ("inconsistent", "disjoint", {"one": cell("a, b"), "other": cell("c, b")}),
    ("consistent", "same_list", {"lists": [cell("a, b"), cell("b, a")]}),
    ("inconsistent", "same_list", {"lists": [cell("a, b"), cell("a")]}),
    ("consistent", "contained", {"part": cell("a"), "whole": cell("a, b")}),
    ("inconsistent", "contained", {"part": cell("a, c"), "whole": cell("a, b")}),
    ("consistent", "only", {"holder": cell("✓", "mark"), "others": [cell("–", "mark")], "mark": "✓"}),
    ("inconsistent", "only", {"holder": cell("✓", "mark"), "others": [cell("✓", "mark")], "mark": "✓"}),
    ("consistent", "marks", {"cells": [cell("✓", "mark"), cell("∘", "mark")], "allowed": ["✓", "∘"]}),
    ("inconsistent", "marks", {"cells": [cell("–", "mark")], "allowed": ["✓", "∘"]}),
    ("consistent", "points_to", {"cited": cell("5", "reference"), "actual": cell("5.4", "reference")}),
    ("inconsistent", "points_to", {"cited": cell("3", "reference"), "actual": cell("5.4", "reference")}),
    ("consistent", "matches_source", {"printed": p("980", "count"), "source": cell("980", "count")}),
    ("inconsistent", "matches_source", {"printed": p("980", "count"), "source": cell("981", "count")}),
    ("not checkable", "needs_unprinted", {"quantity": "the per-question score"}),
]


@pytest.mark.parametrize(
    ("verdict", "name", "arguments"), CASES, ids=[f"{c[1]}-{c[0]}-{i}" for i, c in enumerate(CASES)]
)
def test_check_on_a_hand_computed_case(verdict: str, name: str, arguments: dict[str, Any]) -> None:
    outcome = CHECKS[name](**arguments)
    assert outcome.verdict == verdict, outcome
    assert bool(outcome.hardness) == (verdict == "inconsistent")
    assert outcome.sentence.endswith(".")


@given(st.floats(0, 100), st.floats(0, 100), st.integers(0, 2))
def test_rounding_alone_never_makes_a_difference_inconsistent(a: float, b: float, decimals: int) -> None:
    printed = [p(f"{value:.{decimals}f}") for value in (a, b, a - b)]
    assert CHECKS["difference"](minuend=printed[0], subtrahend=printed[1], printed=printed[2]).verdict != "inconsistent"


@given(st.lists(st.tuples(st.floats(0, 100), st.integers(1, 500)), min_size=1, max_size=6))
def test_rounding_alone_never_makes_a_weighted_mean_inconsistent(buckets: list[tuple[float, int]]) -> None:
    size = sum(n for _, n in buckets)
    total = sum(value * n for value, n in buckets) / size
    outcome = CHECKS["weighted_mean"](
        values=[p(f"{value:.1f}") for value, _ in buckets],
        weights=[I(n) for _, n in buckets],
        printed=p(f"{total:.1f}"),
    )
    assert outcome.verdict != "inconsistent"


@given(st.floats(0, 100), st.floats(0, 100))
def test_rounding_alone_never_turns_an_order_round(a: float, b: float) -> None:
    high, low = max(a, b), min(a, b)
    if high > low:
        assert CHECKS["above"](higher=p(f"{high:.1f}"), lower=p(f"{low:.1f}")).verdict != "inconsistent"


@given(st.integers(1, 400), st.integers(0, 400))
def test_every_whole_share_is_possible(n: int, k: int) -> None:
    k = min(k, n)
    assert CHECKS["possible_share"](printed=ps(f"{100 * k / n:.1f}"), n=I(n)).verdict == "consistent"


def test_every_check_has_a_case_here_or_in_a_test_of_its_own_module() -> None:
    mine = {name for name, check in CHECKS.items() if check.__module__.rsplit(".", 1)[1] in {
        "numbers", "order", "statistics", "counts", "logic"}}  # fmt: skip
    assert mine == {name for _, name, _ in CASES}
