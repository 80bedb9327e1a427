"""KnowForge, Table 2: what the Deep Reader and the separation of roles earn (S4, P1, P0, M5).

    python -m experiments regenerate table02_role_ablation
    python -m experiments.knowforge.table02_role_ablation benchmark=pocket_m3doc model=qwen2.5-coder-1.5b

Reads the run records of the four systems on the questions that all of them finished, and the printed table.
"""

from __future__ import annotations

from typing import Any

from omegaconf import DictConfig

from common.artefact import Artefact, Column, Source
from common.metrics import Row, measure, summarise
from experiments.artefacts import script_main
from experiments.direction import direction_claims, paired_settings, tested, tested_columns
from experiments.paired import paired_runs
from experiments.printed import value

PUBLISHED = [("F1", "score"), ("Doc@all", "percent"), ("Search/q", "mean"), ("Read/q", "mean"), ("No-read", "percent")]


def run(cfg: DictConfig) -> Artefact:
    """The table: per system the printed cells, then the replica's, then the paired test against the reference."""
    spec = cfg.artefact
    systems, reference = list(spec.reads.knowforge), spec.reference
    paired = paired_runs(cfg, "knowforge", systems)
    rows = {s: measure(cfg.benchmark.scorer, paired.questions, paired.runs[s]) for s in systems}
    f1 = {s: [100 * row.score.f1 for row in rows[s]] for s in systems}
    table = [
        [s, *(value(spec.paper, spec.name, s, column) for column, _ in PUBLISHED), *_replica(rows[s]),
         *tested(None if s == reference else f1[s], f1[reference], spec)]
        for s in systems
    ]  # fmt: skip
    return Artefact.from_rows(
        spec.name, spec.paper, spec.item, spec.title, _columns(paired.source, reference), table, notes=paired.notes(),
        claims=direction_claims(spec.claims, f1, paired.source, measure="F1", **paired_settings(spec)),
    )  # fmt: skip


def _columns(source: Source, reference: str) -> list[Column]:
    measured = [("n", "count"), ("F1", "score"), ("EM", "score"), *PUBLISHED[1:]]
    return [
        Column("system", "label"),
        *(Column(name, "published", "text") for name, _ in PUBLISHED),
        *(Column(name, "replica", kind, source) for name, kind in measured),  # type: ignore[arg-type]
        *tested_columns(reference, source),
    ]


def _replica(rows: list[Row]) -> list[Any]:
    mean = summarise(rows)
    found = None if mean.document_found is None else 100 * mean.document_found
    return [mean.n, 100 * mean.f1, 100 * mean.em, found, mean.searches, mean.reads, 100 * mean.no_read]


main = script_main(__file__, run)

if __name__ == "__main__":
    main()
