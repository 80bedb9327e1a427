"""The replay loop: run recorded questions again from the call cache and demand the same records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tqdm import tqdm

from common.benchmarks.question import Question
from common.records import RunRecord
from common.traces import Difference, TraceKey, compare_records, read_trace, redact
from experiments.runners import Runner

SHOWN = 6


@dataclass(frozen=True)
class Mismatch:
    """One question whose replay is not its record."""

    key: TraceKey
    question_id: str
    differences: tuple[Difference, ...]
    errors: tuple[str, ...]

    def __str__(self) -> str:
        where = f"{self.key.benchmark}/{self.key.model}/{self.key.method}-{self.key.system}, question {self.question_id}"
        lines = [f"{where}: {len(self.differences)} field(s) differ", *(f"  replay: {error}" for error in self.errors)]
        lines += [f"  {difference}" for difference in self.differences[:SHOWN]]
        hidden = len(self.differences) - SHOWN
        return "\n".join([*lines, f"  ... and {hidden} more"] if hidden > 0 else lines)


async def replay_trace(key: TraceKey, records: Path, questions: Sequence[Question], runner: Runner, *, bar: tqdm | None = None) -> list[Mismatch]:
    """Replay every finished run of one trace; failed ones cannot be replayed, their calls were never stored."""
    by_id = {question.question_id: question for question in questions}
    mismatches = []
    for (question_id, sample), recorded in read_trace(key, records).done.items():
        if question_id not in by_id:
            lost = Difference("question_id", question_id, "no such question in the corpus snapshot")
            mismatches.append(Mismatch(key, question_id, (lost,), ()))
            continue
        replayed = await runner.run(by_id[question_id], key.system, sample)
        differences = differing(recorded, replayed)
        if differences:
            mismatches.append(Mismatch(key, question_id, differences, replayed.errors))
        if bar is not None:
            bar.update()
    return mismatches


def differing(recorded: RunRecord, replayed: RunRecord) -> tuple[Difference, ...]:
    """The fields in which a replay parts from its record; a redacted record is compared with the redacted replay."""
    return tuple(compare_records(recorded, redact(replayed) if recorded.redacted else replayed))
