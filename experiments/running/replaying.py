"""Replay: open a trace's configuration, run its questions again from the call cache, demand the same records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from omegaconf import DictConfig, OmegaConf
from tqdm import tqdm

from common.benchmarks.question import Question
from common.llm import ReplayMiss
from common.paths import Workspace
from common.records import RunRecord
from common.retrieval import MissingEmbedding
from common.traces import Difference, TraceKey, compare_records, read_trace, redact
from experiments.config import compose_config, option_named
from experiments.running.provenance import read_config
from experiments.running.runner import Runner

# Field of the configuration -> where the trace keeps it.
RECORDED = {"encoder": "encoder", "base": "base_options", "stages": "stages", "graph": "graph", "judge": "judge"}
SHOWN = 6


@dataclass(frozen=True)
class Mismatch:
    """One question whose replay is not its record."""

    key: TraceKey
    question_id: str
    differences: tuple[Difference, ...]
    errors: tuple[str, ...]

    def __str__(self) -> str:
        what = f"{len(self.differences)} field(s) differ" if self.differences else "cannot be replayed"
        lines = [f"{self.key}, question {self.question_id}: {what}", *(f"  replay: {error}" for error in self.errors)]
        lines += [f"  {difference}" for difference in self.differences[:SHOWN]]
        hidden = len(self.differences) - SHOWN
        return "\n".join([*lines, f"  ... and {hidden} more"] if hidden > 0 else lines)


def trace_config(key: TraceKey, workspace: Workspace) -> DictConfig:
    """The configuration a trace was recorded with, from its names and the configuration file beside it."""
    cfg, recorded = replay_config(key.benchmark, key.model, workspace), read_config(key, workspace.records)
    for name, field in RECORDED.items():
        OmegaConf.update(cfg, name, recorded.get(field, cfg[name]), merge=False, force_add=True)
    return cfg


def replay_config(benchmark: str, model: str, workspace: Workspace) -> DictConfig:
    """The configuration whose benchmark and model have these names, found by reading the options' `name` fields."""
    named = (("benchmark", benchmark), ("model", model))
    overrides = [f"{group}={option_named(group, name, workspace)}" for group, name in named]
    return compose_config("config", overrides, workspace=workspace)


def replayable(benchmark: str, model: str, workspace: Workspace) -> bool:
    """Whether snapshot and calls are here; those of a corpus that may not be passed on are where it was recorded."""
    if workspace.corpus(benchmark).exists():
        return True
    local = workspace.calls(benchmark, model, redistributable=False)
    return workspace.find_corpus(benchmark).exists() and local.exists()


async def replay_trace(
    key: TraceKey, records: Path, questions: Sequence[Question], runner: Runner, *, bar: tqdm | None = None
) -> list[Mismatch]:
    """Replay every finished run of one trace; failed ones cannot be replayed, their calls were never stored."""
    by_id = {question.question_id: question for question in questions}
    mismatches = []
    for (question_id, _), recorded in read_trace(key, records).done.items():
        if question_id not in by_id:
            lost = Difference("question_id", question_id, "no such question in the corpus snapshot")
            mismatches.append(Mismatch(key, question_id, (lost,), ()))
            continue
        mismatch = await _replay(key, recorded, by_id[question_id], runner)
        mismatches += [mismatch] if mismatch else []
        if bar is not None:
            bar.update()
    return mismatches


async def _replay(key: TraceKey, recorded: RunRecord, question: Question, runner: Runner) -> Mismatch | None:
    try:
        replayed = await runner.run(question, key.system, recorded.sample)
    except (ReplayMiss, MissingEmbedding) as error:
        return Mismatch(key, question.question_id, (), (f"{type(error).__name__}: {error}",))
    differences = differing(recorded, replayed)
    return Mismatch(key, question.question_id, differences, replayed.errors) if differences else None


def differing(recorded: RunRecord, replayed: RunRecord) -> tuple[Difference, ...]:
    """The fields in which a replay parts from its record; a redacted record is compared with the redacted replay."""
    return tuple(compare_records(recorded, redact(replayed) if recorded.redacted else replayed))
