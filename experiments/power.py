"""`python -m experiments power`: what difference a number of questions can resolve, and how many a difference needs.

    python -m experiments power                       the papers' subsets at the printed deviation
    python -m experiments power --sd 0.344 --n 300    the smallest difference 300 questions can resolve
    python -m experiments power --sd 0.344 --delta 1.9    the questions a difference of 1.9 points needs

`--sd` is the per-question deviation of paired differences of a score on 0-1, `--delta` is in points (score x 100).
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from common.stats import Z95, minimum_detectable_difference, required_questions
from experiments.printed import cell, interval

POINTS = 100.0  # a score of 0-1 in points
PRINTED_SD = ("knowforge", "text_appendix_m3docvqa", "deviation", "sd")
SUBSETS = (  # label, printed cell that holds the size
    ("scale study", ("knowforge", "text_transfer_efficiency", "scale accuracy", "questions")),
    ("serial latency", ("knowforge", "text_transfer_efficiency", "Table 5 caption", "questions")),
    ("mid300", ("knowforge", "text_setup", "M3DocVQA", "mid300")),
    ("over the pool cap", ("knowforge", "text_appendix_m3docvqa", "pool", "over the cap")),
    ("multi-hop", ("knowforge", "text_setup", "M3DocVQA", "multi-hop questions")),
    ("full M3DocVQA", ("knowforge", "text_setup", "M3DocVQA", "questions")),
)


@dataclass(frozen=True)
class Resolution:
    """What `n` paired questions resolve, in points: 1.96 standard errors, and the difference found with the power."""

    n: int
    noise: float
    detectable: float


def printed_sd() -> float:
    """The paired deviation KnowForge states (appendix B), on 0-1."""
    return interval(*PRINTED_SD).point


def subset_sizes() -> list[tuple[str, int]]:
    """Subsets of the papers by size, as printed."""
    return [(label, round(interval(*address).point)) for label, address in SUBSETS]


def resolution(sd: float, n: int, *, alpha: float = 0.05, power: float = 0.8) -> Resolution:
    """Noise and detectable difference in points for `n` paired questions with deviation `sd` (0-1)."""
    detectable = minimum_detectable_difference(sd, n, alpha=alpha, power=power)
    return Resolution(n, POINTS * Z95 * sd / math.sqrt(n), POINTS * detectable)


def main(argv: Sequence[str] | None = None) -> int:
    """Command line of the power calculation; 0, or 2 for arguments that make no sense."""
    parser = argparse.ArgumentParser(
        prog="python -m experiments power", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sd", type=float, help="deviation of paired differences on 0-1 (default: as printed)")
    asked = parser.add_mutually_exclusive_group()
    asked.add_argument("--n", type=int, help="number of paired questions")
    asked.add_argument("--delta", type=float, help="difference in points")
    parser.add_argument("--power", type=float, default=0.8, help="chance to see the difference (0.8)")
    parser.add_argument("--alpha", type=float, default=0.05, help="level of the two-sided test (0.05)")
    options = parser.parse_args(argv)
    sd = printed_sd() if options.sd is None else options.sd
    settings = {"alpha": options.alpha, "power": options.power}
    try:
        lines = _answer(sd, options.n, options.delta, settings)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    print("\n".join(lines))
    return 0


def _answer(sd: float, n: int | None, delta: float | None, settings: dict[str, float]) -> list[str]:
    head = f"paired deviation {sd:g}, two-sided alpha {settings['alpha']:g}, power {settings['power']:g}"
    if delta is not None:
        needed = required_questions(sd, delta / POINTS, **settings)
        return [head, f"a difference of {delta:g} points needs {needed} questions"]
    sizes = [("asked", n)] if n is not None else subset_sizes()
    rows = [(label, resolution(sd, size, **settings)) for label, size in sizes]
    source = f" ({cell(*PRINTED_SD).place})" if n is None else ""
    return [
        head + source,
        f"{'subset':<20}{'n':>7}{'1.96 se':>10}{'detectable':>12}",
        *(f"{label:<20}{row.n:>7}{row.noise:>10.2f}{row.detectable:>12.2f}" for label, row in rows),
    ]


if __name__ == "__main__":
    sys.exit(main())
