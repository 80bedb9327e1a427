"""KnowForge, Table 3: the round-cap sweep L+R, and the single-role cuts of Appendix C.

    python -m experiments regenerate table03_round_caps
    python -m experiments.knowforge.table03_round_caps 'artefact.reads.knowforge=[S4,M5-1+1,M5]'

Reads the run records of S4 (0+0), M5 (4+4) and M5-L+R on the questions that all recorded ones finished. A cap that
was never recorded keeps its printed cells. Of the single-role cuts the paper prints calls and cost, no scores.
"""

from __future__ import annotations

from typing import Any

from omegaconf import DictConfig

from common.artefact import Artefact, Column, Source
from common.metrics import summarise
from experiments.artefacts import script_main
from experiments.direction import tested, tested_columns
from experiments.knowforge._rows import (
    Measured,
    cap,
    locator_calls,
    mean_where,
    measured,
    percent,
    printed,
    verdicts,
)

PUBLISHED = [
    ("F1", "score"), ("Doc found", "percent"), ("R@all", "percent"), ("Loc calls", "mean"), ("Read calls", "mean"),
]  # fmt: skip
COST = "F1 cost"
# Where the paper prints what a lower cap costs against 4+4: column of row "single-role cuts" of Appendix C.
COSTS = {
    "3+4": "Locator 4 to 3", "1+4": "Locator 4 to 1", "4+3": "Reader 4 to 3", "4+1": "Reader 4 to 1",
    "3+3": "both to 3",
}  # fmt: skip


def run(cfg: DictConfig) -> Artefact:
    """One row per cap: the printed cells, then the replica's, then the paired test against 4+4."""
    spec = cfg.artefact
    table = measured(cfg, spec.name, cap)
    f1 = table.f1()
    rows = [
        [label, *_printed(spec.name, label), *_replica(table, label, spec.reference),
         *tested(None if label == spec.reference else f1.get(label), f1.get(spec.reference), spec)]
        for label in table.labels
    ]  # fmt: skip
    measures = {"F1": f1, "documents found": table.found(), "union recall": table.union_recall()}
    return Artefact.from_rows(
        spec.name, spec.paper, spec.item, spec.title, _columns(table.source, spec.reference), rows,
        notes=(*_notes(spec.reference), *table.paired.notes()), claims=verdicts(spec, table, measures),
    )  # fmt: skip


def _columns(source: Source, reference: str) -> list[Column]:
    return [
        Column("caps L+R", "label"),
        *(Column(name, "published", "text") for name, _ in PUBLISHED),
        Column(COST, "published", "text"),
        Column("n", "replica", "count", source),
        *(Column(name, "replica", kind, source) for name, kind in PUBLISHED),  # type: ignore[arg-type]
        Column(COST, "replica", "score", source),
        *tested_columns(reference, source),
    ]


def _printed(item: str, label: str) -> list[str | None]:
    cells = [printed(item, label, column) for column, _ in PUBLISHED]
    calls = [printed("table08_cap_usage", label, column) for column in ("Loc. calls", "Read calls")]
    cost = printed("text_appendix_sweep", "single-role cuts", COSTS.get(label, ""))
    return [*cells[:3], *(cell or call for cell, call in zip(cells[3:], calls, strict=True)), cost]


def _replica(table: Measured, label: str, reference: str) -> list[Any]:
    if label not in table.rows:
        return [None] * (len(PUBLISHED) + 2)
    mean, records = summarise(table.rows[label]), table.records[label]
    whole = table.rows.get(reference)
    cost = None if whole is None or label == reference else 100 * (summarise(whole).f1 - mean.f1)
    located = mean_where(records, "locator", locator_calls)
    reads = None if located is None else mean.reads
    return [mean.n, 100 * mean.f1, percent(mean.document_found), percent(mean.r_all), located, reads, cost]


def _notes(reference: str) -> tuple[str, ...]:
    runs = printed("table03_round_caps", reference, "runs")
    return (
        f"F1 cost: F1 of {reference} less F1 of the row. Printed for the cuts alone (Appendix C); their calls are "
        "printed in Table 8, their F1, documents found and R@all nowhere.",
        "Loc calls: tool calls of the Locator and the judge's follow-up searches, as Table 8 counts.",
        f"The printed {reference} is the mean of {runs} runs, the replica's its first run (see appendixB_noise).",
    )


main = script_main(__file__, run)

if __name__ == "__main__":
    main()
