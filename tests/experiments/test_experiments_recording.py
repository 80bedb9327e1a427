"""The recording loop with a made-up runner: order, resumption, failures, stale configurations."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from made_up import BENCHMARK, MODEL, make_question, make_record

from common.benchmarks.question import Question
from common.llm import Profile, Reply
from common.llm.images import Message
from common.records import RunRecord
from common.traces import read_trace
from experiments.running.provenance import config_changes, write_config
from experiments.running.recording import Job, Progress, Recording, SaidCalls, StaleRecords, check_fresh, plan, record
from experiments.running.replaying import replay_trace

QUESTIONS = [make_question(number) for number in range(4)]
CONFIG = {"config_hash": "hash", "system": {"pool": {"cap": 30000}}, "prompts": {"locator": "aaa"}, "base": "b" * 64}


@dataclass
class FakeRunner:
    """Answers like the made-up records; `broken` questions fail, `crash` questions raise."""

    systems: list[str] = field(default_factory=lambda: ["S4", "M5"])
    broken: set[str] = field(default_factory=set)
    crash: set[str] = field(default_factory=set)
    errors: tuple[str, ...] = ("ServerUnavailable: gone",)
    answer: str | None = None
    hash: str = "hash"
    asked: list[tuple[str, str]] = field(default_factory=list)
    method: str = "knowforge"

    def config(self, system: str) -> dict[str, Any]:
        return {**CONFIG, "config_hash": self.hash}

    async def run(self, question: Question, system: str, sample: int) -> RunRecord:
        self.asked.append((question.question_id, system))
        if question.question_id in self.crash:
            raise KeyError("no such fragment")
        number = int(question.question_id[1:])
        if question.question_id in self.broken:
            return make_record(number, system, status="failed", errors=self.errors)
        return make_record(number, system, answer=self.answer, sample=sample, config_hash=self.hash)


def recording(runner: FakeRunner, folder: Path, **options: Any) -> Recording:
    return Recording(runner, folder, BENCHMARK, MODEL, **options)


def run(made: Recording, *, samples: int = 1) -> Progress:
    jobs, kept = plan(made, QUESTIONS, samples)
    return asyncio.run(record(made, jobs, kept=kept, progress=False))


def test_systems_of_a_question_come_before_the_next_question(tmp_path: Path) -> None:
    runner = FakeRunner()
    assert run(recording(runner, tmp_path)).done == 8
    assert runner.asked[:4] == [("q0", "S4"), ("q0", "M5"), ("q1", "S4"), ("q1", "M5")]


def test_only_missing_and_failed_runs_are_made_again(tmp_path: Path) -> None:
    first = run(recording(FakeRunner(broken={"q2"}), tmp_path))
    assert first.failed == {"q2 S4": "ServerUnavailable: gone", "q2 M5": "ServerUnavailable: gone"}
    runner = FakeRunner()
    second = run(recording(runner, tmp_path))
    assert runner.asked == [("q2", "S4"), ("q2", "M5")] and (second.kept, second.done) == (6, 2)
    assert not read_trace(recording(runner, tmp_path).key("M5"), tmp_path).failed


def test_without_a_server_the_first_run_is_the_only_one_tried(tmp_path: Path) -> None:
    runner = FakeRunner(broken={"q0", "q1", "q2", "q3"})
    first = run(recording(runner, tmp_path))
    assert runner.asked == [("q0", "S4")] and "no model server answered" in first.stopped
    lost = run(recording(FakeRunner(broken={"q1", "q2", "q3"}), tmp_path))
    assert (lost.done, len(lost.failed), lost.stopped) == (2, 6, "")  # it answered before: it may come back


@pytest.mark.parametrize("error", ["KeyRefused: HTTP 401", "worker: KeyRefused: HTTP 401"])  # of either method
def test_a_refused_key_is_told_once(tmp_path: Path, error: str) -> None:
    runner = FakeRunner(broken={"q0", "q1", "q2", "q3"}, errors=(error, error))
    told = run(recording(runner, tmp_path))
    assert runner.asked == [("q0", "S4")] and "api_key_env" in told.stopped
    assert told.failed == {"q0 S4": error}


def test_a_defect_on_one_question_is_a_failed_record_and_the_run_goes_on(tmp_path: Path) -> None:
    made = recording(FakeRunner(crash={"q1"}), tmp_path)
    assert run(made).done == 6
    failed = read_trace(made.key("S4"), tmp_path).failed[("q1", 0)]
    assert failed.errors == ("KeyError: 'no such fragment'",)


def test_samples_are_runs_of_their_own(tmp_path: Path) -> None:
    made = recording(FakeRunner(), tmp_path)
    assert run(made).done == 8 and run(made, samples=3).done == 16
    assert len(read_trace(made.key("S4"), tmp_path).done) == 12


def test_redacted_records_hold_no_query(tmp_path: Path) -> None:
    made = recording(FakeRunner(), tmp_path, redacted=True)
    run(made)
    assert b"race 1" not in made.key("S4").path(tmp_path).read_bytes()


def test_another_configuration_is_refused_and_the_change_is_named(tmp_path: Path) -> None:
    made = recording(FakeRunner(), tmp_path)
    run(made)
    check_fresh(made)
    write_config(made.key("S4"), tmp_path, {**CONFIG, "prompts": {"locator": "bbb"}})
    changed = recording(FakeRunner(hash="other"), tmp_path)
    with pytest.raises(StaleRecords, match=r"S4: 4 finished runs .*prompt locator changed \(bbb -> aaa\)"):
        check_fresh(changed)
    assert plan(changed, QUESTIONS, 1)[1] == 0  # with redo_stale all are made again
    run(changed)
    check_fresh(changed)


def test_config_changes_name_prompt_setting_and_corpus() -> None:
    now = {"config_hash": "x", "system": {"pool": {"cap": 12000}}, "prompts": {"judge": "c"}, "base": "d" * 64}
    changes = config_changes(CONFIG, now)
    assert changes == [
        "prompt judge is new", "prompt locator is gone", "setting pool.cap changed (30000 -> 12000)",
        "the corpus or its relations changed (bbbbbbbbbbbb -> dddddddddddd)",
    ]  # fmt: skip
    assert config_changes(CONFIG, {**now, "config_hash": "hash"}) == []
    recorded = {**CONFIG, "system": {"weights": [0.5, 0.5]}, "prompts": {"judge": "b"}}  # as JSON brings it back
    assert config_changes(recorded, {**now, "system": {"weights": (0.5, 0.5)}, "base": CONFIG["base"]}) == [
        "prompt judge changed (b -> c)"
    ]


def test_concurrent_runs_make_each_job_once(tmp_path: Path) -> None:
    made = recording(FakeRunner(), tmp_path)
    jobs, _ = plan(made, QUESTIONS, 1)
    assert asyncio.run(record(made, jobs, concurrency=3, progress=False)).done == 8
    assert len(read_trace(made.key("M5"), tmp_path).done) == 4


class FakeModel:
    async def complete(self, stage: str, messages: list[Message], **options: Any) -> Reply:
        return Reply("text", "stop", 1, 0, 1, 0.1)

    def profile(self, stage: str) -> Profile:
        return Profile(name=stage, model="m")


def test_the_bar_says_which_call_of_an_unfinished_run_is_being_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    calls = SaidCalls(FakeModel())
    runner = FakeRunner(systems=["M5"])
    shown = []

    async def asking(question: Question, system: str, sample: int) -> RunRecord:
        reply = await calls.llm.complete("reader", [], question_id=question.question_id)
        shown.append((reply.text, capsys.readouterr().err.rpartition("\r")[2]))
        return make_record(0, system)

    runner.run = asking  # type: ignore[method-assign]
    asyncio.run(record(recording(runner, tmp_path, calls=calls), [Job(QUESTIONS[3], "M5", 0)]))
    [(text, bar)] = shown
    assert text == "text" and "0/1 " in bar and "call 1: q3, reader, 0 failed" in bar
    assert calls.llm.profile("reader").name == "reader"


def test_replay_reports_the_question_and_field(tmp_path: Path) -> None:
    made = recording(FakeRunner(), tmp_path)
    run(made)
    key = made.key("M5")
    assert asyncio.run(replay_trace(key, tmp_path, QUESTIONS, FakeRunner())) == []
    mismatches = asyncio.run(replay_trace(key, tmp_path, QUESTIONS[:3], FakeRunner(answer="other")))
    assert len(mismatches) == 4
    assert "knowforge-M5, question q0" in str(mismatches[0]) and "answer[0]" in str(mismatches[0])
    assert "no such question" in str(mismatches[3])
