"""KnowForge, Table 2: what the Deep Reader and the separation of roles earn (S4, P1, P0, M5).

    python -m experiments regenerate table02_role_ablation
    python -m experiments.knowforge.table02_role_ablation benchmark=pocket_m3doc model=qwen2.5-coder-1.5b

Reads the run records of the four systems on the questions that all of them finished, and the printed table.
"""

from __future__ import annotations

from typing import Any

from omegaconf import DictConfig

from common.artefact import Artefact, Column, Source
from common.metrics import summarise
from experiments.artefacts import script_main
from experiments.direction import tested, tested_columns
from experiments.knowforge._rows import Measured, measured, percent, printed, verdicts

PUBLISHED = [("F1", "score"), ("Doc@all", "percent"), ("Search/q", "mean"), ("Read/q", "mean"), ("No-read", "percent")]


def run(cfg: DictConfig) -> Artefact:
    """The table: per system the printed cells, then the replica's, then the paired test against the reference."""
    spec, reference = cfg.artefact, str(cfg.artefact.reference)
    table = measured(cfg, spec.name)
    f1 = table.f1()
    rows = [
        [label, *(printed(spec.name, label, column) for column, _ in PUBLISHED), *_replica(table, label),
         *tested(None if label == reference else f1.get(label), f1.get(reference), spec)]
        for label in table.labels
    ]  # fmt: skip
    measures = {
        "F1": f1,
        "documents found": table.found(),
        "searches": table.scores(lambda row: float(row.behaviour.searches)),
        "reads": table.scores(lambda row: float(row.behaviour.reads)),
    }
    return Artefact.from_rows(
        spec.name, spec.paper, spec.item, spec.title, _columns(table.source, reference), rows,
        notes=table.paired.notes(), claims=verdicts(spec, table, measures),
    )  # fmt: skip


def _columns(source: Source, reference: str) -> list[Column]:
    ours = [("n", "count"), ("F1", "score"), ("EM", "score"), *PUBLISHED[1:]]
    return [
        Column("system", "label"),
        *(Column(name, "published", "text") for name, _ in PUBLISHED),
        *(Column(name, "replica", kind, source) for name, kind in ours),  # type: ignore[arg-type]
        *tested_columns(reference, source),
    ]


def _replica(table: Measured, label: str) -> list[Any]:
    if label not in table.rows:
        return [None] * (len(PUBLISHED) + 2)
    mean = summarise(table.rows[label])
    found = percent(mean.document_found)
    return [mean.n, 100 * mean.f1, 100 * mean.em, found, mean.searches, mean.reads, 100 * mean.no_read]


main = script_main(__file__, run)

if __name__ == "__main__":
    main()
