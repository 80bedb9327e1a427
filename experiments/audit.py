"""`python -m experiments audit`: what follows from the printed numbers, and what does not.

Writes figures/audit.csv and .md (one row per claim), figures/published.csv (every printed value and what uses it).
Another paper: `--published FOLDER --out FOLDER`, see experiments/published/README.md.
"""

from __future__ import annotations

import argparse
import csv
import inspect
import io
import sys
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from common.claims import CHECKS, Claim, PublishedError, judge, load_claims, load_published
from common.claims.page import markdown
from common.claims.published import Cell, Published, read_yaml
from common.claims.report import HEADER, VERDICTS, AuditRow, as_records, audit_row, usage
from common.files import write_atomic
from common.paths import Workspace

PRINTED = ("paper", "item", "row", "column", "value", "unit", "place", "decoded", "used_by")  # of published.csv


@dataclass(frozen=True)
class Audit:
    """A finished audit: a row per claim, the printed values behind it, and what uses each of them."""

    rows: tuple[AuditRow, ...]
    published: Published
    used: dict[str, str]

    def files(self) -> dict[str, str]:
        """The texts to write: file name -> content."""
        printed = [
            (c.paper, c.item, c.row, c.column, _without_separators(c), c.unit, c.place, c.decoded, self.used[c.address])
            for c in self.published.cells
            if not c.blank
        ]
        return {
            "audit.csv": _csv(HEADER, as_records(self.rows)),
            "audit.md": markdown(self.rows, self.used),
            "published.csv": _csv(PRINTED, printed),
        }


def run(published: Path, claims: Path, figures: Path, experiments: Path) -> Audit:
    """Evaluate all claims; `figures` holds the verdicts of our traces, `experiments` the artefact scripts.

    Raises PublishedError, naming file and claim id, for anything that does not resolve.
    """
    numbers = load_published(published)
    judged = [judge(claim, numbers) for claim in load_claims(claims)]
    rows = tuple(audit_row(one, replica_verdict(one.claim, figures)) for one in judged)
    drawn = _drawn({cell.paper for cell in numbers.cells}, experiments)
    return Audit(rows, numbers, dict(usage(numbers, judged, drawn)))


def audit_files(workspace: Workspace) -> tuple[dict[str, str], str]:
    """What the audit adds to figures/: file name -> text, and a sentence on what went wrong (empty if nothing did).

    It shows the replica's verdicts beside its own, so it comes after the artefacts' claims are written.
    """
    try:
        audit = run(workspace.published, workspace.published / "claims", workspace.figures, workspace.experiments)
    except PublishedError as error:
        return {}, f"audit: {error}"
    return audit.files(), ""


def replica_verdict(claim: Claim, figures: Path) -> str:
    """What the paired test on our traces says of the same direction: verdict, test and what it was measured on.

    Read from `<figures>/<artefact>.claims.csv`; empty where the claim names none or no traces exist yet.
    """
    if not claim.replica:
        return ""
    path = figures / f"{claim.replica['artefact']}.claims.csv"
    if not path.exists():
        return ""
    with path.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            if row["claim"] == claim.replica["claim"]:
                return f"{row['verdict']}: {row['detail']} ({row['corpus']}, {row['model']})"
    raise PublishedError(f"{claim.source}: {claim.id}: {path.name} has no claim {claim.replica['claim']!r}")


def _drawn(papers: Collection[str], experiments: Path) -> set[tuple[str, str]]:
    """(paper, item) shown by an artefact script: the item of its own name, or the one its configuration names."""
    drawn = set()
    for paper in papers:
        for script in (experiments / paper).glob("[!_]*.py"):
            config = experiments / "conf" / paper / f"{script.stem}.yaml"
            artefact = read_yaml(config).get("artefact", {}) if config.exists() else {}
            drawn.add((paper, str(artefact.get("published", script.stem))))
    return drawn


def _without_separators(printed: Cell) -> str:
    """The printed string, `2,441` as `2441`; lists of words keep their commas."""
    try:
        printed.interval()
    except ValueError:
        return printed.value
    return printed.value.replace(",", "")


def _csv(header: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\n").writerows([header, *rows])
    return buffer.getvalue()


def main(argv: Sequence[str] | None = None) -> int:
    """Command line of the audit; 0 when it ran (whatever the verdicts), 2 when a file is broken."""
    workspace = Workspace()
    parser = argparse.ArgumentParser(prog="python -m experiments audit", description=__doc__)
    parser.add_argument("--published", type=Path, default=workspace.published, help="folder of printed numbers")
    parser.add_argument("--claims", type=Path, help="folder of claims (default: PUBLISHED/claims)")
    parser.add_argument("--out", type=Path, default=workspace.figures, help="folder to write to")
    parser.add_argument("--checks", action="store_true", help="print the table of checks and stop")
    options = parser.parse_args(argv)
    if options.checks:
        print("\n".join(checks_table()))
        return 0
    claims = options.claims or options.published / "claims"
    try:
        _require_folder("--published", options.published)
        _require_folder("--claims", claims)
        audit = run(options.published, claims, workspace.figures, workspace.experiments)
    except PublishedError as error:
        print(error, file=sys.stderr)
        return 2
    try:
        options.out.mkdir(parents=True, exist_ok=True)
        for name, text in audit.files().items():
            write_atomic(options.out / name, text)
    except OSError as error:
        print(f"--out {options.out}: cannot be written ({error}); name another folder", file=sys.stderr)
        return 2
    _summary(audit, options.out)
    return 0


def _require_folder(option: str, folder: Path) -> None:
    """A misspelt folder holds no file: its audit would replace the one there is by an empty one."""
    if not folder.is_dir():
        raise PublishedError(f"{option} {folder}: no such folder; check the spelling")


def checks_table() -> list[str]:
    """Markdown table of every check: name, arguments, when it holds."""
    rows = []
    for name, function in sorted(CHECKS.items()):
        parameters = inspect.signature(function).parameters.values()
        shown = ", ".join(p.name if p.default is p.empty else f"{p.name}={p.default}" for p in parameters)
        first = " ".join((inspect.getdoc(function) or "").split()).split(". ")[0].rstrip(".")
        rows.append(f"| `{name}` | {shown} | {first} |")
    return ["| check | arguments | holds when |", "|---|---|---|", *rows]


def _summary(audit: Audit, out: Path) -> None:
    counts = Counter((row.paper, row.group) for row in audit.rows)
    papers = list(dict.fromkeys(row.paper for row in audit.rows))
    print(f"{'verdict':<20}" + "".join(f"{paper:>14}" for paper in papers))
    for verdict in VERDICTS:
        print(f"{verdict:<20}" + "".join(f"{counts[paper, verdict]:>14}" for paper in papers))
    unused = sum(by == "unused" for by in audit.used.values())
    print(f"{len(audit.rows)} claims, {len(audit.used)} printed values ({unused} used by nothing), see {out}/audit.md")


if __name__ == "__main__":
    sys.exit(main())
