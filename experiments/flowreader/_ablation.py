"""The form of tables 2 and 3: variants against the full system on two printed subsets and on all questions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from omegaconf import DictConfig

from common.artefact import Artefact, Column
from common.artefact import Kind as CellKind
from experiments.direction import tested_columns
from experiments.flowreader._judged import (
    ALL,
    Judged,
    judged,
    printed,
    printed_spread,
    spread_cells,
    spread_columns,
    tested_against,
    verdicts,
)
from flowreader.records import FlowRecord

Measure = tuple[str, CellKind, Callable[[Judged, str], float | None]]  # name, kind, value of a variant


def ablation(cfg: DictConfig, measures: Sequence[Measure], notes: Callable[[Judged], Sequence[str]]) -> Artefact:
    """One row per printed configuration; `measures` are columns of what the variants' passes did."""
    spec = cfg.artefact
    table = judged(cfg, list(spec.reads.flowreader))
    subsets = [str(name) for name in spec.subsets]
    columns = [Column("configuration", "label"), Column("variant", "label")]
    for subset in subsets:
        source = table.source(subset)
        columns += [Column(subset, "published"), Column(f"{subset} delta", "published")]
        columns += [*spread_columns(subset, source), Column(f"{subset} delta", "replica", "score", source)]
    everything = table.source()
    columns += [*spread_columns(ALL, everything), Column("all delta", "replica", "score", everything)]
    columns += [
        Column("word overlap", "replica", "score", everything),
        *tested_columns(str(spec.reference), everything),
    ]
    columns += [Column(name, "replica", kind, everything) for name, kind, _ in measures]
    columns.append(Column("n", "replica", "count", everything))
    rows = []
    for variant, label in ((str(name), str(row)) for name, row in spec.labels.items()):
        means = [value(table, variant) for _, _, value in measures]
        rows.append([*_row(label, variant, subsets, table, cfg), *means, len(table.of(variant)) or None])
    return Artefact.from_rows(
        spec.name, spec.paper, spec.item, spec.title, columns, rows,
        notes=(*table.notes(), *notes(table)), claims=verdicts(spec, table),
    )  # fmt: skip


def _row(label: str, variant: str, subsets: Sequence[str], table: Judged, cfg: DictConfig) -> list[Any]:
    spec = cfg.artefact
    cells: list[Any] = [label, variant]
    for subset in subsets:
        cells += [printed_spread(spec.name, label, subset), printed(spec.name, label, f"{subset} delta")]
        cells += [*spread_cells(table.accuracy(variant, subset)), _delta(table, variant, str(spec.reference), subset)]
    cells += [*spread_cells(table.accuracy(variant)), _delta(table, variant, str(spec.reference), ALL)]
    return [*cells, table.overlap(variant, str(cfg.benchmark.scorer)), *tested_against(table, variant, spec)]


def _delta(table: Judged, variant: str, reference: str, subset: str) -> float | None:
    one, other = table.accuracy(variant, subset), table.accuracy(reference, subset)
    return None if one is None or other is None else one.mean - other.mean


def mean_of(value: Callable[[FlowRecord], float | None]) -> Callable[[Judged, str], float | None]:
    """The mean of a measure of single records over those that have it."""

    def over(table: Judged, variant: str) -> float | None:
        found = [measured for record in table.of(variant) if (measured := value(record)) is not None]
        return sum(found) / len(found) if found else None

    return over


def read_paths(record: FlowRecord) -> frozenset[tuple[str, ...]]:
    """Node ids of the paths that the first pass handed to workers."""
    if not record.passes:
        return frozenset()
    first = record.passes[0]
    return frozenset(map(first.ids_of, first.read))
