"""Runs of several systems on the same questions, aligned: what paired tests need."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from omegaconf import DictConfig, OmegaConf

from common.artefact import Source
from common.benchmarks.question import Question
from common.paths import Workspace
from common.records import RunRecord
from common.traces import Trace, TraceKey, read_trace
from experiments.config import load_option, option_named
from experiments.methods import override
from experiments.running.outline import corpus_view

Records = Mapping[str, RunRecord]  # question id -> its record, finished or failed


class NoTraces(Exception):
    """No question was finished by all systems of an artefact; the message names them and the command."""


@dataclass(frozen=True)
class PairedRuns:
    """Finished runs of each system on the same questions, in the benchmark's order."""

    benchmark: str  # how the corpus is named in results: a partial one with how much of it there is
    model: str
    questions: tuple[Question, ...]
    runs: dict[str, tuple[RunRecord, ...]]  # system -> one record per question
    failed: dict[str, tuple[str, ...]]  # system -> ids of failed questions
    missing: dict[str, int]  # system -> questions that another system finished and this one never ran
    unrecorded: tuple[str, ...] = ()  # optional systems without a finished run: they are not among `runs`

    @property
    def source(self) -> Source:
        return Source(self.benchmark, self.model, len(self.questions))

    def notes(self) -> tuple[str, ...]:
        """One sentence for each kind of question or system that was left out."""
        failed = [f"{system}: {', '.join(ids)}" for system, ids in self.failed.items() if ids]
        missing = [f"{system}: {count}" for system, count in self.missing.items() if count]
        notes = [f"Failed runs, left out: {'; '.join(failed)}."] if failed else []
        notes += [f"Left out because a system has not run them: {'; '.join(missing)}."] if missing else []
        names = ", ".join(self.unrecorded)
        notes += [f"Not recorded, so without replica and without say in the questions: {names}."] if names else []
        return tuple(notes)


def workspace_of(cfg: DictConfig) -> Workspace:
    """The workspace an artefact's configuration belongs to."""
    return Workspace(Path(cfg.workspace.root), Path(cfg.workspace.cache))


def on_benchmark(cfg: DictConfig, name: str) -> DictConfig:
    """An artefact's configuration on another benchmark, by that one's `name`."""
    workspace = workspace_of(cfg)
    option = load_option("benchmark", option_named("benchmark", name, workspace), workspace)
    part = OmegaConf.merge(cfg, {})
    OmegaConf.update(part, "benchmark", option, merge=False, force_add=True)
    return part  # type: ignore[return-value]


def paired_runs(cfg: DictConfig, method: str, systems: Sequence[str], *, optional: Collection[str] = ()) -> PairedRuns:
    """Read the traces of `systems` and keep the questions that all of them finished. Raises `NoTraces` if none.

    A system of `optional` without a finished run takes no part and is named in `unrecorded`; one that was begun
    counts like any other, so a half recorded row shrinks n for all (leave it out of the artefact's `reads` instead).
    """
    runs = {s: _sample(trace, 0) for s, trace in _read(cfg, method, systems).items()}
    return _pair(cfg, runs, [s for s in systems if s in optional and not _finished(runs[s])], override(method, systems))


def paired_repeats(cfg: DictConfig, method: str, systems: Sequence[str], samples: int) -> PairedRuns:
    """The first `samples` runs of each system, each as a system of its own, see `repeat`; all are optional."""
    traces = _read(cfg, method, systems)
    runs = {repeat(s, n): _sample(trace, n) for s, trace in traces.items() for n in range(samples)}
    unrecorded = [name for name, records in runs.items() if not _finished(records)]
    return _pair(cfg, runs, unrecorded, f"{override(method, systems)} samples={samples}")


def paired_across(cfg: DictConfig, names: Mapping[str, tuple[str, str]]) -> PairedRuns:
    """First runs of several methods: name -> (method, system); all are optional, as in `paired_runs`."""
    runs = {name: _sample(_read(cfg, method, [system])[system], 0) for name, (method, system) in names.items()}
    by_method: dict[str, list[str]] = {}
    for method, system in names.values():
        by_method.setdefault(method, []).append(system)
    what = ", and then ".join(override(method, systems) for method, systems in by_method.items())
    return _pair(cfg, runs, [name for name in names if not _finished(runs[name])], what)


def repeat(system: str, sample: int) -> str:
    """Name of one run of a system; the first has sample index 0."""
    return f"{system} run {sample + 1}"


def subset_ids(cfg: DictConfig, subset: str) -> tuple[str, ...]:
    """Question ids of a named subset, in recording order; empty where the snapshot does not know it."""
    return corpus_view(workspace_of(cfg), str(cfg.benchmark.name)).subsets.get(subset, ())


def _read(cfg: DictConfig, method: str, systems: Sequence[str]) -> dict[str, Trace]:
    benchmark, model, records = str(cfg.benchmark.name), str(cfg.model.name), workspace_of(cfg).records
    return {s: read_trace(TraceKey(benchmark, model, method, s), records) for s in systems}


def _sample(trace: Trace, wanted: int) -> dict[str, RunRecord]:
    return {qid: record for (qid, sample), record in trace.records.items() if sample == wanted}


def _finished(records: Records) -> set[str]:
    return {question_id for question_id, record in records.items() if record.status == "done"}


def _pair(cfg: DictConfig, runs: Mapping[str, Records], unrecorded: Sequence[str], what: str) -> PairedRuns:
    benchmark, model = str(cfg.benchmark.name), str(cfg.model.name)
    kept = {name: records for name, records in runs.items() if name not in unrecorded}
    done = {name: _finished(records) for name, records in kept.items()}
    shared = set.intersection(*done.values()) if done else set()
    if not shared:
        counts = ", ".join(f"{name} {len(done.get(name, ()))}" for name in runs)
        command = f"python -m experiments record {what} benchmark={benchmark.replace('-', '_')} model={model}"
        raise NoTraces(f"no question was finished by all systems ({counts}); record: {command}")
    corpus = corpus_view(workspace_of(cfg), benchmark)
    paired = tuple(question for question in corpus.questions if question.question_id in shared)
    tried = set().union(*kept.values())
    return PairedRuns(
        corpus.label,
        model,
        paired,
        {name: tuple(records[q.question_id] for q in paired) for name, records in kept.items()},
        {name: tuple(sorted(set(records) - _finished(records))) for name, records in runs.items()},
        {name: len(tried - set(records)) for name, records in kept.items()},
        tuple(unrecorded),
    )
