"""Report of an audit: one row per claim, Markdown for readers, and which printed cells nothing uses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import astuple, dataclass, fields

from common.claims.ledger import Judged
from common.claims.published import Cell, Published

VERDICTS = ("inconsistent, hard", "inconsistent, soft", "rounding", "not checkable", "consistent")
MEANING = {
    "inconsistent, hard": "Printed facts contradict each other.",
    "inconsistent, soft": "The wording is stronger than the numbers, or a hedged statement does not fit them.",
    "rounding": "Only values inside the rounding of the printed digits fit.",
    "not checkable": "The paper prints no numbers that could decide it.",
    "consistent": "The claim follows from the printed numbers.",
}


@dataclass(frozen=True)
class AuditRow:
    """One line of figures/audit.csv. `comment` is the sentence of the check, then the context beside the claim."""

    id: str
    paper: str
    place: str
    claim: str
    check: str
    computed: str
    printed: str
    verdict: str
    hardness: str
    comment: str
    replica: str

    @property
    def group(self) -> str:
        """Verdict with its hardness, one of `VERDICTS`."""
        return f"{self.verdict}, {self.hardness}" if self.hardness else self.verdict


HEADER = tuple(field.name for field in fields(AuditRow))


def audit_row(judged: Judged, replica: str = "") -> AuditRow:
    """The row of one evaluated claim; `replica` is what our own traces say of the same claim, if anything."""
    claim, outcome = judged.claim, judged.outcome
    decoded = "Uses a value decoded from figure text." if any(cell.decoded for cell in judged.cells) else ""
    comment = " ".join(part for part in (outcome.sentence, claim.comment, decoded) if part)
    return AuditRow(
        claim.id, claim.paper, claim.place, claim.claim, claim.check, outcome.computed, outcome.printed,
        outcome.verdict, outcome.hardness, comment, replica,
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


def markdown(rows: Sequence[AuditRow], used: Mapping[str, str]) -> str:
    """The audit as a page: counts, every claim by verdict with the consistent ones last, unused cells."""
    papers = list(dict.fromkeys(row.paper for row in rows))
    counts = Counter((row.paper, row.group) for row in rows)
    lines = [
        "# Audit of printed claims", "",
        "Every verdict is computed from the printed numbers, as intervals of what the print can stand for. "
        "Written by `python -m experiments audit`.", "",
        *_table(
            ["verdict", *papers, "meaning"],
            [[name, *(str(counts[paper, name]) for paper in papers), MEANING[name]] for name in VERDICTS],
        ),
    ]  # fmt: skip
    for name in VERDICTS:
        group = [row for row in rows if row.group == name]
        cells = [[r.id, r.place, r.claim, r.computed, r.printed, r.comment, r.replica] for r in group]
        header = ["id", "place", "claim", "computed", "printed", "comment", "replica"]
        lines += ["", f"## {name.capitalize()} ({len(group)})", "", *(_table(header, cells) if cells else ["None."])]
    unused = [address for address, by in used.items() if by == "unused"]
    lines += ["", f"## Printed values that no artefact and no claim uses ({len(unused)} of {len(used)})", ""]
    return "\n".join([*lines, *(f"- {address}" for address in unused)]) + "\n"


def as_records(rows: Sequence[AuditRow]) -> list[tuple[str, ...]]:
    """The rows as tuples in the order of `HEADER`."""
    return [astuple(row) for row in rows]


def _table(header: list[str], rows: list[list[str]]) -> list[str]:
    table = [header, ["---"] * len(header), *rows]
    return ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in table]
