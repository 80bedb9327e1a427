"""Runs of several systems on the same questions, aligned: what paired tests need."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from omegaconf import DictConfig

from common.artefact import Source
from common.benchmarks.question import Question
from common.paths import Workspace
from common.records import RunRecord
from common.traces import Trace, TraceKey, read_questions, read_subsets, read_trace


class NoTraces(Exception):
    """No question was finished by all systems of an artefact; the message names them and the command."""


@dataclass(frozen=True)
class PairedRuns:
    """Finished runs of each system on the same questions, in the benchmark's order."""

    benchmark: str
    model: str
    questions: tuple[Question, ...]
    runs: dict[str, tuple[RunRecord, ...]]  # system -> one record per question
    failed: dict[str, tuple[str, ...]]  # system -> ids of failed questions
    missing: dict[str, int]  # system -> questions that another system finished and this one never ran

    @property
    def source(self) -> Source:
        return Source(self.benchmark, self.model, len(self.questions))

    def notes(self) -> tuple[str, ...]:
        """One sentence for each kind of question that was left out."""
        failed = [f"{system}: {', '.join(ids)}" for system, ids in self.failed.items() if ids]
        missing = [f"{system}: {count}" for system, count in self.missing.items() if count]
        notes = [f"Left out because the run failed: {'; '.join(failed)}."] if failed else []
        return (
            (*notes, f"Left out because a system has not run them: {'; '.join(missing)}.") if missing else tuple(notes)
        )


def workspace_of(cfg: DictConfig) -> Workspace:
    """The workspace an artefact's configuration belongs to."""
    return Workspace(Path(cfg.workspace.root), Path(cfg.workspace.cache))


def paired_runs(cfg: DictConfig, method: str, systems: Sequence[str]) -> PairedRuns:
    """Read the traces of `systems` and keep the questions that all of them finished. Raises `NoTraces` if none."""
    workspace, benchmark, model = workspace_of(cfg), str(cfg.benchmark.name), str(cfg.model.name)
    traces = {s: read_trace(TraceKey(benchmark, model, method, s), workspace.records) for s in systems}
    done = {
        s: {record.question_id: record for (_, sample), record in t.done.items() if sample == 0}
        for s, t in traces.items()
    }
    shared = set.intersection(*(set(records) for records in done.values()))
    if not shared:
        counts = ", ".join(f"{system} {len(records)}" for system, records in done.items())
        groups = f"systems=[{','.join(systems)}] benchmark={benchmark.replace('-', '_')} model={model}"
        command = f"python -m experiments record {groups}"
        raise NoTraces(f"{cfg.artefact.name}: no question was finished by all systems ({counts}); record: {command}")
    questions = tuple(q for q in read_questions(workspace.find_corpus(benchmark)) if q.question_id in shared)
    tried = set().union(*(_tried(trace) for trace in traces.values()))
    return PairedRuns(
        benchmark,
        model,
        questions,
        {s: tuple(records[q.question_id] for q in questions) for s, records in done.items()},
        {s: tuple(sorted(qid for qid, sample in trace.failed if sample == 0)) for s, trace in traces.items()},
        {s: len(tried - _tried(trace)) for s, trace in traces.items()},
    )


def subset_ids(cfg: DictConfig, subset: str) -> tuple[str, ...]:
    """Question ids of a named subset, in recording order; empty where the snapshot does not know it."""
    return read_subsets(workspace_of(cfg).find_corpus(str(cfg.benchmark.name))).get(subset, ())


def _tried(trace: Trace) -> set[str]:
    return {qid for qid, sample in trace.records if sample == 0}
