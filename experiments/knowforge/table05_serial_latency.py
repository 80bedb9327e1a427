"""KnowForge, Table 5 and Section 5.8: seconds of a question one at a time, and milliseconds of one retrieval round.

    python -m experiments regenerate table05_serial_latency
    python -m experiments bench rounds --record          (measures the rounds anew on this machine)

Reads the recorded model seconds of the run records and the recorded timings of retrieval rounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from omegaconf import DictConfig

from common.artefact import Artefact, Column, Source
from common.metrics import Row, measure, summarise
from common.records import RunRecord
from experiments.artefacts import script_main
from experiments.direction import direction_claims, paired_settings
from experiments.paired import PairedRuns, paired_runs, workspace_of
from experiments.printed import published, value
from experiments.timing.growing import AT_ONCE
from experiments.timing.measurements import Measurement, Point, read_measurement
from experiments.timing.rounds import ROUND, STAGES

PRINTED = ("p50", "p90", "first event", "answer start", "calls", "F1")
TEXT = "text_transfer_efficiency"


def run(cfg: DictConfig) -> Artefact:
    """One row per system, printed or ours, then one per stage of a retrieval round."""
    spec = cfg.artefact
    paired = paired_runs(cfg, "knowforge", list(spec.reads.knowforge))
    timed = read_measurement(str(cfg.benchmark.name), "rounds", workspace_of(cfg))
    seconds = {system: [record.elapsed_s for record in records] for system, records in paired.runs.items()}
    rows = [*_system_rows(cfg, paired), *_round_rows(spec, timed)]
    return Artefact.from_rows(
        spec.name, spec.paper, spec.item, spec.title, _columns(paired.source, timed), rows,
        notes=(*_notes(paired, timed), *paired.notes()),
        claims=direction_claims(spec.claims, seconds, paired.source, measure="seconds", **paired_settings(spec)),
    )  # fmt: skip


def _system_rows(cfg: DictConfig, paired: PairedRuns) -> list[list[Any]]:
    """Our systems beside the printed ones of the same design, then the printed rows that have no counterpart."""
    spec = cfg.artefact
    rows = []
    for system, records in paired.runs.items():
        scores = measure(cfg.benchmark.scorer, paired.questions, records)
        printed = _printed(spec, spec.printed[system]) if system in spec.printed else [None] * len(PRINTED)
        rows.append([system, *printed, *_latency(records, scores), None, None, None, None, None])
    taken = set(spec.printed.values())
    labels = [cell.row for cell in published().select(spec.paper, spec.name, "*", "p50")]
    return [*rows, *([label, *_printed(spec, label), *[None] * 12] for label in labels if label not in taken)]


def _printed(spec: DictConfig, label: str) -> list[str]:
    return [value(spec.paper, spec.name, label, column) for column in PRINTED]


def _latency(records: Sequence[RunRecord], scores: list[Row]) -> list[Any]:
    mean, seconds = summarise(scores), [record.elapsed_s for record in records]
    first = [record.first_event_s for record in records if record.first_event_s is not None]
    start = [record.answer_start_s for record in records if record.answer_start_s is not None]
    return [
        mean.n, np.percentile(seconds, 50), np.percentile(seconds, 90), _median(first), _median(start),
        mean.model_calls, 100 * mean.f1,
    ]  # fmt: skip


def _median(values: Sequence[float]) -> float | None:
    return float(np.median(values)) if values else None


def _round_rows(spec: DictConfig, timed: Measurement) -> list[list[Any]]:
    """Each stage, then the whole round; a printed time carries its unit."""
    point, rows = timed.points[0], []
    for stage in STAGES:
        column = spec.stages.get(stage)
        printed = f"{value(spec.paper, TEXT, 'stages', column)} ms" if column else None
        rows.append([f"{ROUND}: {stage}", *[None] * 13, printed, *_percentiles(point, stage), None, None])
    printed = f"{value(spec.paper, TEXT, 'latency', 'one retrieval round')} s"
    whole = [*_percentiles(point, ROUND), *_percentiles(point, AT_ONCE)]
    return [*rows, [f"one {ROUND}", *[None] * 13, printed, *whole]]


def _percentiles(point: Point, stage: str) -> list[float]:
    return [point.percentile(stage, share) for share in (50, 90)]


def _columns(source: Source, timed: Measurement) -> list[Column]:
    ours = [
        ("n", "count"), ("p50 s", "seconds"), ("p90 s", "seconds"), ("first event s", "seconds"),
        ("answer start s", "seconds"), ("calls", "mean"), ("F1", "score"),
    ]  # fmt: skip
    rounds = Source(timed.about.benchmark, timed.about.encoder, len(timed.points[0].questions))
    names = ("round p50 ms", "round p90 ms", "round p50 ms, 4 at once", "round p90 ms, 4 at once")
    return [
        Column("system or stage", "label"),
        *(Column(name if name in ("calls", "F1") else f"{name} s", "published") for name in PRINTED),
        *(Column(name, "replica", kind, source) for name, kind in ours),  # type: ignore[arg-type]
        Column("round", "published"),
        *(Column(name, "replica", "mean", rounds) for name in names),
    ]


def _notes(paired: PairedRuns, timed: Measurement) -> tuple[str, ...]:
    m5 = paired.runs["M5"]
    searches = float(np.mean([len(record.searches) for record in m5]))
    whole = 1000 * float(np.median([record.elapsed_s for record in m5]))
    one = timed.points[0].percentile(ROUND, 50)
    return (
        "Systems: model seconds as recorded, one question at a time; retrieval and tools add milliseconds. A system "
        "without tools has no first event.",
        "Flash is an API model that the replica does not have: its rows are the printed ones alone. The paper's own "
        "4-way times are in Table 6; ours were recorded serially, so 4 at once is measured for rounds only.",
        f"Rounds: {timed.points[0].fragments:,} fragments, {timed.where}; a question's time is the median of its "
        "passes. Stages are timed inside whole rounds; their medians need not add up to the round's.",
        f"M5 makes {searches:.1f} searches a question: {100 * searches * one / whole:.2f} % of its median time "
        f"({value('knowforge', TEXT, 'calls', 'retrieval share')} % printed).",
    )


main = script_main(__file__, run)

if __name__ == "__main__":
    main()
