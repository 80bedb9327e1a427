"""The recording loop: question-major over systems, resumable, failures kept and redone later."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tqdm import tqdm

from common.benchmarks.question import Question
from common.llm import KeyRefused, Reply, ServerUnavailable
from common.llm.images import Message
from common.llm.listening import PassedOn
from common.records import RunRecord
from common.traces import RecordWriter, TraceKey, read_trace, redact
from experiments.running.provenance import config_changes, read_config
from experiments.running.runner import Runner

# What no other run can escape when the first one meets it: the error, and what to tell.
HOPELESS = {
    ServerUnavailable.__name__: "no model server answered: start it (make serve, or --serve) or correct base_urls",
    KeyRefused.__name__: "the model's server wants a valid key: set the variable named by api_key_env",
}


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
    """What a recording did. `failed` maps "question system" to the reason; `stopped` says why it gave up, if it did."""

    kept: int = 0
    done: int = 0
    failed: dict[str, str] = field(default_factory=dict)
    stopped: str = ""


@dataclass
class SaidCalls(PassedOn):
    """Says which call starts: a run of many calls may take a quarter of an hour."""

    say: Callable[[str], None] = lambda _: None
    count: int = 0

    async def complete(self, stage: str, messages: list[Message], **options: Any) -> Reply:
        self.count += 1
        self.say(f"call {self.count}: {options.get('question_id') or 'no question'}, {stage}")
        return await super().complete(stage, messages, **options)


@dataclass(frozen=True)
class Recording:
    """Where the runs of one runner go. `redacted` leaves out all text of a corpus that may not be passed on.

    `calls` are the runner's model calls, said while they are made.
    """

    runner: Runner
    records: Path
    benchmark: str
    model: str
    commit: str = "unknown"
    redacted: bool = False
    calls: SaidCalls | None = None

    def key(self, system: str) -> TraceKey:
        return TraceKey(self.benchmark, self.model, self.runner.method, system)

    def done(self, system: str) -> dict[tuple[str, int], RunRecord]:
        return read_trace(self.key(system), self.records).done


def plan(recording: Recording, questions: Sequence[Question], samples: int) -> tuple[list[Job], int]:
    """The runs that are missing, failed or stale, and how many are kept.

    All systems of a question come before the next question, so a recording cut short holds the same questions for
    every system.
    """
    kept = {system: set(_fresh(recording, system)) for system in recording.runner.systems}
    wanted = [Job(q, s, i) for i in range(samples) for q in questions for s in recording.runner.systems]
    jobs = [job for job in wanted if (job.question.question_id, job.sample) not in kept[job.system]]
    return jobs, len(wanted) - len(jobs)


def check_fresh(recording: Recording) -> None:
    """Refuse to mix runs of two configurations in one trace: raises `StaleRecords` saying what changed."""
    stale = []
    for system in recording.runner.systems:
        old = len(recording.done(system)) - len(_fresh(recording, system))
        if old:
            changes = config_changes(
                read_config(recording.key(system), recording.records), recording.runner.config(system)
            )
            stale.append(f"{system}: {old} finished runs are of another configuration ({'; '.join(changes)})")
    if stale:
        raise StaleRecords("\n".join([*stale, "Undo the change, or record these systems anew with redo_stale=true."]))


async def record(
    recording: Recording, jobs: Sequence[Job], *, concurrency: int = 1, kept: int = 0, progress: bool = True
) -> Progress:
    """Run the jobs in order, `concurrency` at a time, appending each record as it comes.

    Stops where the first run finds no server or has no key: each run would fail so, the former after a long wait.
    """
    result, queue = Progress(kept=kept), iter(jobs)
    with ExitStack() as stack:
        bar = stack.enter_context(tqdm(total=len(jobs), desc="record", unit="run", disable=not progress, mininterval=5))
        if recording.calls is not None:
            recording.calls.say = lambda told: bar.set_postfix_str(f"{told}, {len(result.failed)} failed")
        writers = {
            s: stack.enter_context(RecordWriter(recording.key(s), recording.records)) for s in recording.runner.systems
        }
        async with asyncio.TaskGroup() as group:
            for _ in range(max(1, concurrency)):
                group.create_task(_worker(recording, queue, writers, result, bar))
    return result


async def _worker(
    recording: Recording, queue: Iterator[Job], writers: dict[str, RecordWriter], result: Progress, bar: tqdm
) -> None:
    for job in queue:  # the workers share one iterator
        if result.stopped:
            return
        made = await _run(recording, job)
        writers[job.system].append(redact(made) if recording.redacted else made)
        if made.status == "done":
            result.done += 1
        else:
            result.failed[f"{job.question.question_id} {job.system}"] = (
                "; ".join(dict.fromkeys(made.errors)) or "no reason given"
            )
            if not result.done:
                result.stopped = result.stopped or _hopeless(made)
        bar.set_postfix_str(f"{job.question.question_id} {job.system}, {len(result.failed)} failed")
        bar.update()


def _hopeless(record: RunRecord) -> str:
    """Why no other run can do better, or "". A server lost later is no reason to stop: it may come back."""
    return next((why for name, why in HOPELESS.items() for error in record.errors if f"{name}: " in error), "")


async def _run(recording: Recording, job: Job) -> RunRecord:
    try:
        return await recording.runner.run(job.question, job.system, job.sample)
    except Exception as error:  # a defect met on one question must not end a night's recording: it is kept as a failure
        key = recording.key(job.system)
        return RunRecord(
            job.question.question_id, key.benchmark, key.method, key.system, key.model,
            config_hash=recording.runner.config(job.system)["config_hash"], commit=recording.commit, status="failed",
            sample=job.sample, errors=(f"{type(error).__name__}: {error}",),
        )  # fmt: skip


def _fresh(recording: Recording, system: str) -> dict[tuple[str, int], RunRecord]:
    now = recording.runner.config(system)["config_hash"]
    return {slot: record for slot, record in recording.done(system).items() if record.config_hash == now}
