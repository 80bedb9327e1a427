"""`show ARTEFACT`: which questions stand behind an artefact's averages, and what each of its runs scored on them."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import fmean

from common.benchmarks.question import Question
from common.metrics import score_record
from common.paths import Workspace
from common.records import RunRecord
from common.traces import TraceError
from experiments.artefacts import Entry, artefact_config, reads, require_sealed_rows
from experiments.methods import FLOWREADER
from experiments.paired import PairedRuns, on_benchmark, paired_across
from experiments.terminal import table_lines
from flowreader.records import FlowRecord


def behind(entry: Entry, workspace: Workspace) -> Iterator[str]:
    """One table for each corpus the artefact reads. Raises `TraceError` for one that reads no runs, and `NoTraces`."""
    cfg = artefact_config(entry, workspace)
    corpora: dict[str, dict[str, tuple[str, str]]] = {}  # benchmark -> system -> (method, system)
    require_sealed_rows(reads(cfg), workspace)
    for key in reads(cfg):
        corpora.setdefault(key.benchmark, {})[key.system] = (key.method, key.system)
    if not corpora:
        raise TraceError(f"{entry.name} reads no runs of questions; python -m experiments list says what it reads")
    for benchmark, systems in corpora.items():
        part = on_benchmark(cfg, benchmark)
        paired = paired_across(part, systems)
        yield f"{paired.benchmark}, {paired.model}: points of each question"
        yield from _scores(paired, str(part.benchmark.scorer))
        yield from paired.notes()
        yield ""


def _scores(paired: PairedRuns, scorer: str) -> list[str]:
    columns = [
        [_points(scorer, question, run) for question, run in zip(paired.questions, runs, strict=True)]
        for runs in paired.runs.values()
    ]
    kept = [values for values in zip(*columns, strict=True) if None not in values]
    means = [fmean(values) for values in zip(*kept, strict=True)]  # type: ignore[type-var]
    rows = [
        [question.question_id, *map(_cell, values)]
        for question, *values in zip(paired.questions, *columns, strict=True)
    ]
    return table_lines(["question", *paired.runs], [*rows, [f"mean of {len(kept)}", *map(_cell, means)]])


def _points(scorer: str, question: Question, run: RunRecord) -> float | None:
    """The benchmark's own score, or where a judge was asked the share of its verdicts; None if one is unreadable."""
    judged = FlowRecord.from_run(run) if run.method == FLOWREADER else None
    if judged is not None and judged.judgements:
        return judged.points
    return 100 * score_record(scorer, question, run).primary


def _cell(points: float | None) -> str:
    return "unread" if points is None else f"{points:.1f}"
