"""Printed numbers and the claims that can be checked from them.

`audit(published, claims)` evaluates a folder of claims against a folder of printed numbers; both are YAML, so auditing
another paper takes no code. The page is experiments/published/README.md.
"""

from __future__ import annotations

from pathlib import Path

from common.claims.interval import Interval, parse_printed
from common.claims.ledger import Claim, Judged, judge, load_claims
from common.claims.published import Cell, Published, PublishedError, load_published
from common.claims.verdict import CHECKS, Outcome, check

__all__ = [
    "CHECKS",
    "Cell",
    "Claim",
    "Interval",
    "Judged",
    "Outcome",
    "Published",
    "PublishedError",
    "audit",
    "check",
    "judge",
    "load_claims",
    "load_published",
    "parse_printed",
]


def audit(published: Path, claims: Path | None = None) -> tuple[Judged, ...]:
    """Evaluate every claim of `claims` (default: `published/claims`) on the printed numbers under `published`.

    Raises PublishedError, naming file and claim id, for anything that does not resolve.
    """
    numbers = load_published(published)
    return tuple(judge(claim, numbers) for claim in load_claims(claims or published / "claims"))
