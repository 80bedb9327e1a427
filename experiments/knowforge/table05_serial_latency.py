"""KnowForge, Table 5 and Section 5.8: seconds of a question one at a time, and milliseconds of one retrieval round.

    python -m experiments regenerate table05_serial_latency
    python -m experiments bench rounds --record          (measures the rounds anew on this machine)

Reads the recorded model seconds of the run records and the recorded timings of retrieval rounds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean, median
from typing import Any

from omegaconf import DictConfig

from common.artefact import Artefact, Column, Source
from common.metrics import summarise
from common.records import RunRecord
from experiments.artefacts import script_main
from experiments.knowforge._rows import PAPER, Measured, measured, percentiles, printed, verdicts
from experiments.paired import workspace_of
from experiments.printed import rows_of, value
from experiments.timing.growing import AT_ONCE
from experiments.timing.measurements import Measurement, Point, read_measurement
from experiments.timing.rounds import ROUND, STAGES

PRINTED = ("p50", "p90", "first event", "answer start", "calls", "F1")
TEXT = "text_transfer_efficiency"


def run(cfg: DictConfig) -> Artefact:
    """One row per system, printed or ours, then one per stage of a retrieval round."""
    spec = cfg.artefact
    table = measured(cfg, spec.name)
    timed = read_measurement(str(cfg.benchmark.name), "rounds", workspace_of(cfg))
    return Artefact.from_rows(
        spec.name, spec.paper, spec.item, spec.title, _columns(table.source, timed),
        [*_system_rows(spec, table), *_round_rows(spec, timed)],
        notes=(*_notes(table.records, timed), *table.paired.notes()),
        claims=verdicts(spec, table, {"seconds": table.seconds(None)}),
    )  # fmt: skip


def _system_rows(spec: DictConfig, table: Measured) -> list[list[Any]]:
    """Our systems beside the printed ones of the same design, then the printed rows that have no counterpart."""
    alone = [label for label in rows_of(PAPER, spec.name) if label not in spec.printed.values()]
    cells = {system: _latency(table, system) for system in table.rows} | dict.fromkeys(alone, [None] * 7)
    return [
        [label, *(printed(spec.name, spec.printed.get(label, label), column) for column in PRINTED), *ours, *[None] * 5]
        for label, ours in cells.items()
    ]


def _latency(table: Measured, system: str) -> list[Any]:
    mean, records = summarise(table.rows[system]), table.records[system]
    first = [record.first_event_s for record in records if record.first_event_s is not None]
    start = [record.answer_start_s for record in records if record.answer_start_s is not None]
    times = [*percentiles(table.seconds(None)[system]), percentiles(first)[0], percentiles(start)[0]]
    return [mean.n, *times, mean.model_calls, 100 * mean.f1]


def _round_rows(spec: DictConfig, timed: Measurement) -> list[list[Any]]:
    """Each stage, then the whole round; a printed time carries its unit."""
    point, rows = timed.points[0], []
    for stage in STAGES:
        column = spec.stages.get(stage)
        stated = f"{value(spec.paper, TEXT, 'stages', column)} ms" if column else None
        rows.append([f"{ROUND}: {stage}", *[None] * 13, stated, *_percentiles(point, stage), None, None])
    stated = f"{value(spec.paper, TEXT, 'latency', 'one retrieval round')} s"
    whole = [*_percentiles(point, ROUND), *_percentiles(point, AT_ONCE)]
    return [*rows, [f"one {ROUND}", *[None] * 13, stated, *whole]]


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


def _notes(records: Mapping[str, Sequence[RunRecord]], timed: Measurement) -> tuple[str, ...]:
    return (
        "Systems: model seconds as recorded, one question at a time; retrieval and tools add milliseconds. A system "
        "without tools has no first event.",
        "Flash is an API model that the replica does not have: its rows are the printed ones alone. The paper's own "
        "4-way times are in Table 6; ours were recorded serially, so 4 at once is measured for rounds only.",
        f"Rounds: {timed.points[0].fragments:,} fragments, {timed.where}; a question's time is the median of its "
        "passes. Stages are timed inside whole rounds; their medians need not add up to the round's.",
        *(_share(records["M5"], timed) if "M5" in records else ()),
    )


def _share(m5: Sequence[RunRecord], timed: Measurement) -> tuple[str]:
    """Which part of a question's time its retrieval rounds are."""
    searches = fmean(len(record.searches) for record in m5)
    share = 100 * searches * timed.points[0].percentile(ROUND, 50) / (1000 * median(record.elapsed_s for record in m5))
    stated = value(PAPER, TEXT, "calls", "retrieval share")
    return (f"M5 makes {searches:.1f} searches a question: {share:.2f} % of its median time ({stated} % printed).",)


main = script_main(__file__, run)

if __name__ == "__main__":
    main()
