"""FlowReader, Table 1: judged accuracy on VisDoMBench's five subsets, with and without System 2, and flat baselines.

    python -m experiments regenerate table01_visdombench
    python -m experiments.flowreader.table01_visdombench benchmark=pocket_visdom model=qwen2.5-coder-1.5b

Reads the run records of the variants on the questions that all of them finished, and the printed table.
"""

from __future__ import annotations

from typing import Any

from omegaconf import DictConfig

from common.artefact import Artefact, Column
from experiments.artefacts import script_main
from experiments.flowreader._judged import (
    ALL,
    PAPER,
    SUBSETS,
    Judged,
    judged,
    printed,
    printed_spread,
    spread_cells,
    spread_columns,
    verdicts,
)
from experiments.printed import rows_of


def run(cfg: DictConfig) -> Artefact:
    """One row per printed system, then the variants the paper has no row for."""
    spec = cfg.artefact
    labels = {str(label): str(variant) for variant, label in spec.labels.items()}
    table = judged(cfg, list(spec.reads.flowreader))
    rows = dict.fromkeys([*rows_of(PAPER, spec.name), *labels])
    cells = [_row(label, labels.get(label, ""), table, cfg) for label in rows]
    return Artefact.from_rows(
        spec.name, spec.paper, spec.item, spec.title, _columns(table), cells,
        notes=(*table.notes(), table.lenience(str(cfg.benchmark.scorer)), *spec.notes), claims=verdicts(spec, table),
    )  # fmt: skip


def _columns(table: Judged) -> list[Column]:
    columns = [Column("system", "label"), Column("type", "published")]
    for subset in SUBSETS:
        columns += [Column(subset, "published"), *spread_columns(subset, table.source(subset))]
    everything = table.source()
    return [
        *columns,
        Column("macro-average", "published"),
        *spread_columns(ALL, everything),
        Column("word overlap", "replica", "score", everything),
        Column("n", "replica", "count", everything),
    ]


def _row(label: str, variant: str, table: Judged, cfg: DictConfig) -> list[Any]:
    item = cfg.artefact.name
    cells: list[Any] = [label, printed(item, label, "Type")]
    for subset in SUBSETS:
        cells += [printed_spread(item, label, subset), *spread_cells(table.accuracy(variant, subset))]
    count = len(table.of(variant)) or None
    macro = printed("text_abstract_intro", "Macro-average", label)
    overlap = table.overlap(variant, str(cfg.benchmark.scorer))
    return [*cells, macro, *spread_cells(table.accuracy(variant)), overlap, count]


main = script_main(__file__, run)

if __name__ == "__main__":
    main()
