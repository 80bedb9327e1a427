"""Checks on counts and tests: sign tests on won:lost, flips, standard errors, confidence intervals."""

from __future__ import annotations

import math

from common import stats
from common.claims.interval import Interval, short
from common.claims.verdict import Outcome, agreement, check, order, statement
from common.stats import Z95


@check
def sign_test(won: Interval, lost: Interval, printed: Interval) -> Outcome:
    """The exact two-sided sign test on won:lost gives the printed p (or one below a printed bound)."""
    p = Interval.exact(stats.sign_test(round(won.point), round(lost.point)))
    what = f"The exact two-sided sign test on {short(won.point)}:{short(lost.point)}"
    return agreement(p, printed, what, scale=1 / printed.point if printed.point else 1.0)


@check
def sign_test_decides(won: Interval, lost: Interval, alpha: float = 0.05, significant: bool = True) -> Outcome:
    """The sign test on won:lost is (or is not) significant at alpha, as the wording implies. At worst soft."""
    p = stats.sign_test(round(won.point), round(lost.point))
    side = "below" if p < alpha else "not below"
    return statement(
        (p < alpha) == significant,
        f"p = {short(p)}",
        f"{'below' if significant else 'not below'} {alpha}",
        f"The exact sign test gives p = {short(p)}, {side} {alpha}.",
        f"The exact sign test gives p = {short(p)}, {side} {alpha}; the wording suggests otherwise.",
        hardness="soft",
    )


@check
def flips_fit(won: Interval, lost: Interval, n: Interval) -> Outcome:
    """won + lost is no more than the number of questions."""
    return order(n, won + lost, "Won and lost together are not to exceed the questions", strict=False)


@check
def flips_direction(won: Interval, lost: Interval, delta: Interval) -> Outcome:
    """won - lost has the sign of the mean difference. A mean may differ in sign from its flips, so soft."""
    balance = won.point - lost.point
    return statement(
        balance * delta.point > 0,
        f"{short(won.point)}:{short(lost.point)}",
        short(delta.point),
        "The balance of flips has the sign of the mean difference.",
        "The balance of flips has not the sign of the mean difference.",
        hardness="soft",
    )


@check
def delta_within_flips(won: Interval, lost: Interval, n: Interval, delta: Interval, margin: float = 0.0) -> Outcome:
    """A mean difference (points on 0-100) is possible with these flips: a won question adds at most one, the questions
    that are no flip at most `margin` each, and a won one more than `margin`."""
    ties = n.point - won.point - lost.point
    slack = margin * ties
    low = 100 * (margin * won.point - lost.point - slack) / n.point
    high = 100 * (won.point - margin * lost.point + slack) / n.point
    known = f"With these flips the mean difference lies in [{short(low)}, {short(high)}] points"
    return statement(
        delta.low <= high and delta.high >= low,
        short(delta.point),
        f"{short(low)} to {short(high)}",
        f"{known}; {short(delta.point)} does.",
        f"{known}; {delta} does not.",
    )


@check
def deviation_within_flips(won: Interval, lost: Interval, n: Interval, sd: Interval) -> Outcome:
    """A paired deviation on 0-1 scores is at most sqrt((won + lost) / n), as each flip moves by at most one."""
    bound = Interval.exact(math.sqrt((won.point + lost.point) / n.point))
    return order(bound, sd, "The flips bound the paired deviation", strict=False)


@check
def standard_error(sd: Interval, n: Interval, printed: Interval, scale: float = 100.0) -> Outcome:
    """scale * sd / sqrt(n) = printed."""
    return agreement(sd.scaled(scale / math.sqrt(n.point)), printed, "The standard error from the printed deviation")


@check
def noise_bound(sd: Interval, n: Interval, printed: Interval, scale: float = 100.0) -> Outcome:
    """1.96 * scale * sd / sqrt(n) = printed: the difference that is outside noise at 95 %."""
    return agreement(sd.scaled(Z95 * scale / math.sqrt(n.point)), printed, "1.96 standard errors")


@check
def resolved(delta: Interval, sd: Interval, n: Interval, scale: float = 100.0, larger: bool = True) -> Outcome:
    """A difference is (or is not) larger than 1.96 standard errors of the printed deviation. At worst soft."""
    bound = sd.scaled(Z95 * scale / math.sqrt(n.point))
    size = delta.magnitude()
    holds = size.high >= bound.low if larger else size.low <= bound.high
    word = "exceeds" if size.point > bound.point else "does not exceed"
    fact = f"The difference of {short(size.point)} {word} 1.96 standard errors ({short(bound.point)})"
    return statement(
        holds,
        short(size.point),
        f"1.96 se = {short(bound.point)}",
        f"{fact}.",
        f"{fact}; the printed deviation alone does not support the wording.",
        hardness="soft",
    )


@check
def interval_holds(low: Interval, high: Interval, delta: Interval) -> Outcome:
    """A confidence interval contains its own estimate."""
    holds = low.low <= delta.high and delta.low <= high.high
    shown = f"[{short(low.point)}, {short(high.point)}]"
    return statement(
        holds,
        short(delta.point),
        shown,
        f"The interval {shown} contains the estimate {short(delta.point)}.",
        f"The interval {shown} does not contain the estimate {delta}.",
    )


@check
def interval_centred(low: Interval, high: Interval, delta: Interval, margin: float = 0.25) -> Outcome:
    """The estimate is near the middle of its interval: off by at most `margin` of the half width. At worst soft."""
    middle, half = (low + high).scaled(0.5), (high - low).scaled(0.5)
    off = (delta - middle).magnitude()
    return statement(
        off.low <= margin * half.high,
        str(middle),
        short(delta.point),
        f"The middle of the interval is {short(middle.point)}, the estimate {short(delta.point)}.",
        f"The middle of the interval is {short(middle.point)}, the estimate {delta}; the interval is lopsided.",
        hardness="soft",
    )


@check
def interval_width(
    low: Interval, high: Interval, sd: Interval, n: Interval, scale: float = 100.0, margin: float = 0.25
) -> Outcome:
    """The width of a 95 % interval is 2 * 1.96 * scale * sd / sqrt(n), give or take `margin`.

    The printed deviation is a typical one and pairs of systems differ, hence the margin. At worst soft."""
    width, expected = high - low, sd.scaled(2 * Z95 * scale / math.sqrt(n.point))
    holds = width.high >= expected.low * (1 - margin) and width.low <= expected.high * (1 + margin)
    return statement(
        holds,
        short(width.point),
        short(expected.point),
        f"The interval is {short(width.point)} wide; the printed deviation gives {short(expected.point)}.",
        f"The interval is {short(width.point)} wide, whereas the printed deviation gives {short(expected.point)}.",
        hardness="soft",
    )


@check
def interval_and_test(low: Interval, high: Interval, p: Interval, alpha: float = 0.05) -> Outcome:
    """A 95 % interval excludes zero exactly when p is below alpha. Different tests may part, so soft."""
    excludes = low.low > 0 or high.high < 0
    touches = low.holds(0) or high.holds(0)
    return statement(
        touches or excludes == (p.point < alpha or p.high <= alpha),
        f"[{short(low.point)}, {short(high.point)}]",
        f"p = {short(p.point)}",
        "The interval and the test agree on whether the difference is resolved.",
        "The interval and the test do not agree on whether the difference is resolved.",
        hardness="soft",
    )
