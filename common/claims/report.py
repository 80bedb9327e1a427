"""Report of an audit: one row per claim, and which printed cells nothing uses. The page for readers is in page.py."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import astuple, dataclass, fields

from common.claims.ledger import Judged
from common.claims.published import Cell, Published

VERDICTS = ("inconsistent, hard", "inconsistent, soft", "rounding", "not checkable", "consistent")
MEANING = {
    "inconsistent, hard": "Printed facts contradict each other.",
    "inconsistent, soft": "The wording is stronger than the numbers, or another reading than the checked one may fit.",
    "rounding": "Only values inside the rounding of the printed digits fit.",
    "not checkable": "The paper prints no numbers that could decide it.",
    "consistent": "The claim follows from the printed numbers.",
}


@dataclass(frozen=True)
class AuditRow:
    """One line of figures/audit.csv. `sentence` can be pasted into a review, `comment` is its context, `finding` the
    name inconsistent claims share when one phenomenon is behind them."""

    id: str
    paper: str
    place: str
    claim: str
    check: str
    computed: str
    printed: str
    verdict: str
    hardness: str
    sentence: str
    comment: str
    replica: str
    finding: str

    @property
    def group(self) -> str:
        """Verdict with its hardness, one of `VERDICTS`."""
        return f"{self.verdict}, {self.hardness}" if self.hardness else self.verdict


HEADER = tuple(field.name for field in fields(AuditRow))


def audit_row(judged: Judged, replica: str = "") -> AuditRow:
    """The row of one evaluated claim; `replica` is what our own traces say of the same claim, if anything."""
    claim, outcome = judged.claim, judged.outcome
    decoded = "Uses a value decoded from figure text." if any(cell.decoded for cell in judged.cells) else ""
    missed = outcome.verdict == "inconsistent"
    sentence = (missed and claim.sentence) or outcome.sentence
    comment = " ".join(part for part in (claim.comment.strip(), decoded) if part)
    return AuditRow(
        claim.id, claim.paper, claim.place, claim.claim, claim.check, outcome.computed, outcome.printed,
        outcome.verdict, outcome.hardness, sentence, comment, replica, (missed and claim.finding) or "",
    )  # fmt: skip


def usage(published: Published, judged: Sequence[Judged], drawn: Collection[tuple[str, str]]) -> Mapping[str, str]:
    """What uses each printed cell, by address: `artefact`, `3 claims`, both, or `unused`.

    `drawn` holds (paper, item) of the tables and figures an artefact shows.
    """
    counts = Counter(address for one in judged for address in {cell.address for cell in one.cells})
    return {cell.address: _used_by(cell, counts[cell.address], drawn) for cell in published.cells if not cell.blank}


def _used_by(cell: Cell, claims: int, drawn: Collection[tuple[str, str]]) -> str:
    parts = ["artefact"] if (cell.paper, cell.item) in drawn else []
    if claims:
        parts.append(f"{claims} claim{'s' if claims > 1 else ''}")
    return "; ".join(parts) or "unused"


def as_records(rows: Sequence[AuditRow]) -> list[tuple[str, ...]]:
    """The rows as tuples in the order of `HEADER`."""
    return [astuple(row) for row in rows]
