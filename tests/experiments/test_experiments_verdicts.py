"""What `verify` and `record` tell of what their parts found: nothing is lost on the way to the verdict."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from omegaconf import DictConfig, OmegaConf

from common.llm import LLMError
from common.paths import Workspace
from common.retrieval import EmbeddingStoreError, MissingEmbedding
from common.traces import TraceError, TraceKey
from experiments import verify as verifying
from experiments.artefacts import Entry, Outcome
from experiments.checks import Check
from experiments.config import ConfigError
from experiments.record import _report
from experiments.running.recording import Progress

PARTS = ("_seal_check", "_replay_check", "_artefact_check")
STANDS_ON = {"encoder": {"name": "minilm"}, "base": {}, "stages": {}, "judge": {"runs": 3}, "graph": "extractive"}


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What each part of `verify` finds: its problems, or an error that it raises."""
    problems: dict[str, Any] = dict.fromkeys((*PARTS, "rebuild_check"), ())

    def part(name: str) -> Any:
        def check(workspace: Workspace, progress: bool) -> Check:
            if isinstance(problems[name], Exception):
                raise problems[name]
            return Check(name, f"{name} is fine", problems[name])

        return check

    for name in PARTS:
        monkeypatch.setattr(verifying, name, part(name))
    monkeypatch.setattr("experiments.rebuild.rebuild_check", part("rebuild_check"))
    return problems


@pytest.mark.parametrize("bad", PARTS)
def test_one_bad_part_fails_the_whole(bad: str, found: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    found[bad] = ("first", "second")
    assert verifying.verify(Workspace()) == 1
    printed = capsys.readouterr().out
    assert f"FAILED {bad}: first\nFAILED {bad}: second\n" in printed and "verdict: 1 of 3 checks FAILED" in printed
    assert f"{bad} is fine" not in printed and all(f"{part} is fine" in printed for part in PARTS if part != bad)


@pytest.mark.parametrize("error", verifying.DAMAGE)
def test_a_part_that_cannot_go_on_is_a_failed_one(
    error: type[Exception], found: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    found["_replay_check"] = error("cut off")
    assert verifying.verify(Workspace()) == 1
    printed = capsys.readouterr().out
    assert "FAILED replay: cut off" in printed and "_artefact_check is fine" in printed
    assert {LLMError, EmbeddingStoreError, MissingEmbedding, TraceError, ConfigError} == set(verifying.DAMAGE)


def test_rebuild_is_a_part_where_it_is_asked_for(found: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    found["rebuild_check"] = ("another parse",)
    assert verifying.verify(Workspace()) == 0
    assert verifying.verify(Workspace(), rebuild=True) == 1
    assert "verdict: 1 of 4 checks FAILED" in capsys.readouterr().out


def test_shards_that_grew_too_large_are_problems_of_the_seal(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    workspace = Workspace(tmp_path, tmp_path)
    workspace.traces.mkdir(parents=True)
    monkeypatch.setattr(verifying, "check_manifest", lambda _: [])
    monkeypatch.setattr(verifying, "size_problems", lambda _: ["too large"])
    assert verifying._seal_check(workspace, False).problems == ("too large",)


def _stands_on(**changed: Any) -> DictConfig:
    named = {"benchmark": {"name": "b"}, "model": {"name": "m"}}
    return OmegaConf.create({**named, **STANDS_ON, **changed})


def test_replayed_runs_are_added_up_and_what_was_not_replayed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("small", "large", "closed", "broken", "changed")
    groups = {name: (_stands_on(benchmark={"name": name}), []) for name in names}

    async def replay(cfg: DictConfig, *_: object) -> tuple[list[str], int]:
        if cfg.benchmark.name == "broken":
            raise TraceError("cut off")
        return {"small": ([], 3), "large": ([], 4), "changed": (["q1 differs"], 2)}[str(cfg.benchmark.name)]

    monkeypatch.setattr(verifying, "_groups", lambda _: groups)
    monkeypatch.setattr(verifying, "_replay_group", replay)
    monkeypatch.setattr(verifying, "replayable", lambda benchmark, *_: benchmark != "closed")
    check = verifying._replay_check(Workspace(), False)
    assert check.problems == ("broken: cut off", "q1 differs")
    assert check.passed.startswith("9 runs gave the same records; not replayed, ") and check.passed.endswith(": closed")


def test_traces_are_replayed_together_only_on_the_same_ground(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = [TraceKey("b", "m", "knowforge", name) for name in ("S4", "M5")]
    other = [TraceKey("c", "m", "knowforge", "M5"), TraceKey("b", "n", "knowforge", "M5")]
    other += [TraceKey("b", "m", "flowreader", "full")]
    others = {field: "model" if field == "graph" else {"name": "other"} for field in STANDS_ON}
    changed = {TraceKey("b", "m", "knowforge", field): {field: value} for field, value in others.items()}
    monkeypatch.setattr(verifying, "find_traces", lambda _: [*keys, *other, *changed])
    monkeypatch.setattr(verifying, "trace_config", lambda key, _: _stands_on(**changed.get(key, {})))
    members = [group for _, group in verifying._groups(Workspace()).values()]
    assert members == [keys, *([key] for key in [*other, *changed])]


@pytest.mark.parametrize(("method", "words"), [("knowforge", "systems=[full]"), ("flowreader", "variants=[full]")])
def test_a_changed_configuration_names_the_recording_to_repeat(method: str, words: str, tmp_path: Path) -> None:
    now = {"config_hash": "new", "prompts": {"judge": "c"}, "system": {}, "base": "d"}
    runner: Any = SimpleNamespace(config=lambda _: now)
    key, workspace = TraceKey("b", "m", method, "full"), Workspace(tmp_path, tmp_path)
    [problem], runs = asyncio.run(verifying._replay_key(key, [], runner, workspace, False))
    assert runs == 0 and str(key) in problem and "prompt judge is new" in problem
    assert problem.endswith(f"python -m experiments record {words} redo_stale=true")


def test_an_artefact_or_audit_that_breaks_is_a_problem_and_an_unrecorded_one_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    entries = [Entry("knowforge", "table1"), Entry("knowforge", "table2")]
    monkeypatch.setattr(verifying, "discover", lambda _: entries)
    monkeypatch.setattr(
        verifying, "compute", lambda entry, _: Outcome(entry, None, "ValueError: no", 0.0, entry.name == "table2")
    )
    monkeypatch.setattr(verifying, "audit_files", lambda _: ({}, "audit: no claim"))
    check = verifying._artefact_check(Workspace(tmp_path, tmp_path), False)
    assert check.problems == ("table1: ValueError: no", "audit: no claim")
    assert check.passed.endswith("without any trace, and without a table: table2")


def test_a_recording_with_a_failed_run_ends_with_its_reason(capsys: pytest.CaptureFixture[str]) -> None:
    assert _report(Progress(kept=3, done=2)) == 0
    assert capsys.readouterr().out == "verdict: 2 runs recorded, 3 kept, 0 failed\n"
    assert _report(Progress(kept=3, done=2, failed={"q1 M5": "too long"}, stopped="no model server answered")) == 1
    told = capsys.readouterr().out.splitlines()
    assert told[:2] == ["FAILED q1 M5: too long", "verdict: 2 runs recorded, 3 kept, 1 failed"]
    assert "no model server answered" in told[2] and "runs only the failed ones again" in told[3]
