"""The recording loop: question-major over systems, resumable, failures kept and redone later."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from tqdm import tqdm

from common.benchmarks.question import Question
from common.records import RunRecord
from common.traces import RecordWriter, TraceKey, read_trace, redact
from experiments.runners import Runner


class StaleRecords(Exception):
    """Records made with another configuration, prompts or corpus; the message says which and what to do."""


@dataclass(frozen=True)
class Job:
    """One run to make."""

    question: Question
    system: str
    sample: int


@dataclass
class Progress:
    """What a recording did."""

    kept: int = 0
    done: int = 0
    failed: dict[str, str] = field(default_factory=dict)  # "question system" -> reason


@dataclass(frozen=True)
class Recording:
    """Where the runs of one runner go. `redacted` leaves out all text of a corpus that may not be passed on."""

    runner: Runner
    records: Path
    benchmark: str
    model: str
    redacted: bool = False

    def key(self, system: str) -> TraceKey:
        return TraceKey(self.benchmark, self.model, self.runner.method, system)

    def done(self, system: str) -> dict[tuple[str, int], RunRecord]:
        return read_trace(self.key(system), self.records).done


def plan(recording: Recording, questions: Sequence[Question], samples: int, *, redo: bool = False) -> tuple[list[Job], int]:
    """The runs that are missing or failed, all systems of a question before the next question; and how many are kept.

    So a recording that is cut short still holds the same questions for every system.
    """
    done = {system: set() if redo else set(recording.done(system)) for system in recording.runner.systems}
    wanted = [Job(q, s, i) for i in range(samples) for q in questions for s in recording.runner.systems]
    jobs = [job for job in wanted if (job.question.question_id, job.sample) not in done[job.system]]
    return jobs, len(wanted) - len(jobs)


def check_fresh(recording: Recording, hashes: dict[str, str]) -> None:
    """Refuse to mix runs of two configurations in one trace. `hashes` is system -> config hash now."""
    stale = []
    for system, now in hashes.items():
        others = [r for r in recording.done(system).values() if r.config_hash != now]
        if others:
            stale.append(f"{system}: {len(others)} records with config {others[0].config_hash}, now {now}")
    if stale:
        raise StaleRecords(
            "; ".join(stale) + ". The configuration, the prompts or the corpus changed since they were recorded: "
            "restore them, or record these systems anew with redo_stale=true"
        )


async def record(recording: Recording, jobs: Sequence[Job], *, concurrency: int = 1, kept: int = 0, progress: bool = True) -> Progress:
    """Run the jobs in order, `concurrency` at a time, appending each record as it comes."""
    result, queue = Progress(kept=kept), iter(jobs)
    with ExitStack() as stack:
        bar = stack.enter_context(tqdm(total=len(jobs), desc="record", unit="run", disable=None if progress else True))
        writers = {s: stack.enter_context(RecordWriter(recording.key(s), recording.records)) for s in recording.runner.systems}
        async with asyncio.TaskGroup() as group:
            for _ in range(max(1, concurrency)):
                group.create_task(_worker(recording, queue, writers, result, bar))
    return result


async def _worker(recording: Recording, queue: Iterator[Job], writers: dict[str, RecordWriter], result: Progress, bar: tqdm) -> None:
    for job in queue:  # the workers share one iterator
        made = await recording.runner.run(job.question, job.system, job.sample)
        writers[job.system].append(redact(made) if recording.redacted else made)
        if made.status == "done":
            result.done += 1
        else:
            result.failed[f"{job.question.question_id} {job.system}"] = "; ".join(made.errors) or "no reason given"
        bar.set_postfix_str(f"{job.question.question_id} {job.system} failed {len(result.failed)}")
        bar.update()
