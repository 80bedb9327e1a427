"""FlowReader, Table 7: model calls a query, their bounds, and calls, tokens and seconds by stage.

    python -m experiments regenerate table07_call_profile
    python -m experiments.flowreader.table07_call_profile benchmark=pocket_visdom model=qwen2.5-coder-1.5b

Reads the run records of `full` and `no_system2`, and the printed profile.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import Any

from omegaconf import DictConfig

from common.artefact import Artefact, Column, Source
from common.records import RunRecord, Usage
from experiments.artefacts import script_main
from experiments.flowreader._judged import PAPER, printed
from experiments.paired import paired_runs
from experiments.printed import columns_of
from flowreader.config import FlowReaderConfig
from flowreader.records import FlowRecord

WITH, WITHOUT = "full", "no_system2"
NOTHING: list[Any] = [None] * 4  # tokens and seconds


def run(cfg: DictConfig) -> Artefact:
    """The printed rows, then one row per stage and one for all of them, of the full system."""
    spec = cfg.artefact
    paired = paired_runs(cfg, PAPER, [WITH, WITHOUT])
    first, full = (tuple(map(FlowRecord.from_run, paired.runs[name])) for name in (WITHOUT, WITH))
    measured = _measured(first, full)
    rows: list[list[Any]] = []
    for label in columns_of(PAPER, spec.name):  # the paper's rows are one system's cells each
        cells = (printed(spec.name, system, label) for system in ("G2-Reader", "FlowReader"))
        rows.append([label, *cells, measured.get(label), *NOTHING])
    rows += [["mean, S1 + S2 where the gate fired", None, None, _mean(_where_fired(full)), *NOTHING]]
    rows += [["mean of all queries", None, None, _mean([record.calls_made for record in full]), *NOTHING]]
    rows += _stages(paired.runs[WITH])
    lost = sum(sum(record.skipped.values()) for record in full)
    notes = [
        *paired.notes(),
        "Low and high are of single queries on which the gate fired; whether the print's are of queries or of subsets "
        "it does not say.",
        f"{lost} calls were not made because a query's limit of {FlowReaderConfig('full').budget.total} was reached.",
        "Seconds are the recorded calls' own, added up as if made one after another; where a recording had several in "
        "flight each also holds the time it shared the server. The judge's calls are in no row.",
    ]
    return Artefact.from_rows(
        spec.name, spec.paper, spec.item, spec.title, _columns(paired.source), rows, notes=tuple(notes)
    )


def _columns(source: Source) -> list[Column]:
    tokens = ("prompt tokens", "of them cached", "reply tokens")
    return [
        Column("a query", "label"), Column("G2-Reader", "published"), Column("FlowReader", "published"),
        Column("calls", "replica", "mean", source), *(Column(name, "replica", "mean", source) for name in tokens),
        Column("seconds", "replica", "seconds", source),
    ]  # fmt: skip


def _measured(first: Sequence[FlowRecord], full: Sequence[FlowRecord]) -> dict[str, float | None]:
    """What the replica has to say to a printed row."""
    fired = _where_fired(full)
    read = [len(p.read) for record in full for p in record.passes]
    return {
        "worst case calls": float(max(record.calls_made for record in full)),
        "measured S1": _mean([record.calls_made for record in first]),
        "measured S1+S2 low": float(min(fired)) if fired else None,
        "measured S1+S2 high": float(max(fired)) if fired else None,
        "paths (max)": float(max(read)) if read else None,
        "refinement passes (max)": float(max(max(0, len(record.passes) - 1) for record in full)),
    }


def _where_fired(records: Sequence[FlowRecord]) -> list[int]:
    return [record.calls_made for record in records if record.gate is not None and record.gate.fired is not None]


def _mean(values: Sequence[int]) -> float | None:
    return fmean(values) if values else None


def _stages(runs: Sequence[RunRecord]) -> list[list[Any]]:
    names = list(dict.fromkeys(stage for run in runs for stage in run.usage))
    rows = [[f"stage {name}", None, None, *_usage([run.usage.get(name, Usage()) for run in runs])] for name in names]
    totals = [sum(run.usage.values(), Usage()) for run in runs]
    return [*rows, ["all stages", None, None, *_usage(totals)]]


def _usage(used: Sequence[Usage]) -> list[float]:
    fields = ("calls", "prompt_tokens", "cached_tokens", "completion_tokens", "seconds")
    return [fmean(float(getattr(one, name)) for one in used) for name in fields]


main = script_main(__file__, run)

if __name__ == "__main__":
    main()
