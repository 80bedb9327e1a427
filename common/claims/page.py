"""The audit as a page for readers: a summary, what is inconsistent by finding, then every other claim."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from common.claims.report import MEANING, VERDICTS, AuditRow
from common.markdown import markdown_table

INTRODUCTION = (
    "Every verdict is computed from the printed numbers, taken as intervals of what the print can stand for, so "
    "rounding alone makes nothing inconsistent. Written by `python -m experiments audit`.",
    "A finding is one phenomenon; it may show in several claims. The first sentence of each can be pasted into a "
    "review; the context names other readings where there are any; below it stands, claim by claim, what was computed "
    "against what is printed or expected. Hard says that two prints cannot both be right as they "
    "stand, not that a result is wrong.",
)


def markdown(rows: Sequence[AuditRow], used: Mapping[str, str]) -> str:
    """Counts by paper and verdict, inconsistent claims by finding, the others as tables, values nothing uses."""
    lines = ["# Audit of printed claims", "", *_summary(rows)]
    for paragraph in INTRODUCTION:
        lines += ["", paragraph]
    for name in VERDICTS:
        group = [row for row in rows if row.group == name]
        inconsistent = name.startswith("inconsistent")
        count = _count(group) if inconsistent else str(len(group))
        lines += ["", f"## {name.capitalize()} ({count})", "", *(_by_finding(group) if inconsistent else _plain(group))]
    unused = [address for address, by in used.items() if by == "unused"]
    lines += ["", f"## Printed values that no artefact and no claim uses ({len(unused)} of {len(used)})", ""]
    return "\n".join([*lines, *(f"- {address}" for address in unused)]) + "\n"


def _summary(rows: Sequence[AuditRow]) -> list[str]:
    papers = list(dict.fromkeys(row.paper for row in rows))
    counts = Counter((row.paper, row.group) for row in rows)
    table = []
    for name in VERDICTS:
        cells = [str(counts[paper, name]) for paper in papers]
        if name.startswith("inconsistent"):
            cells = [_count([row for row in rows if (row.paper, row.group) == (paper, name)]) for paper in papers]
        table.append([name, *cells, MEANING[name]])
    table.append(["all", *(str(sum(row.paper == paper for row in rows)) for paper in papers), ""])
    return markdown_table(["verdict", *papers, "meaning"], table)


def _count(rows: Sequence[AuditRow]) -> str:
    found = len({(row.paper, row.finding or row.id) for row in rows})
    if not rows:
        return "0"
    return f"{found} finding{'s' if found > 1 else ''} in {len(rows)} claim{'s' if len(rows) > 1 else ''}"


def _by_finding(rows: Sequence[AuditRow]) -> list[str]:
    groups: dict[tuple[str, str], list[AuditRow]] = {}
    for row in rows:
        groups.setdefault((row.paper, row.finding or row.id), []).append(row)
    lines: list[str] = []
    above = ""
    for (paper, _), group in groups.items():
        if paper != above:
            lines += [*([""] if lines else []), f"### {paper}", ""]
            above = paper
        lines += _finding(group)
    return lines or ["None."]


def _finding(group: Sequence[AuditRow]) -> list[str]:
    """A bullet: places, sentence, shared context; then, claim by claim, computed against printed or expected."""
    places = "; ".join(dict.fromkeys(place for row in group for place in row.place.split("; ")))
    shared = len({row.comment for row in group}) == 1
    context = [f"Context: {group[0].comment}"] if shared and group[0].comment else []
    lines = [f"- **{places}.** " + " ".join([group[0].sentence, *context])]
    for row in group:
        own = "" if shared or not row.comment else f" {row.comment}"
        replica = f" Replica: {row.replica}." if row.replica else ""
        lines.append(f"  - `{row.id}` {row.claim} {row.computed} against {row.printed}.{own}{replica}")
    return lines


def _plain(rows: Sequence[AuditRow]) -> list[str]:
    if not rows:
        return ["None."]
    header = ["id", "place", "claim", "computed", "printed", "note", "replica"]
    return markdown_table(header, [[r.id, r.place, r.claim, r.computed, r.printed, _note(r), r.replica] for r in rows])


def _note(row: AuditRow) -> str:
    parts: Iterable[str] = (row.comment,) if row.verdict == "consistent" else (row.sentence, row.comment)
    return " ".join(part for part in parts if part)
