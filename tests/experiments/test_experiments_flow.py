"""FlowReader through record and verify: question by question, resumable, judged, redacted where it must be."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from fake_server import MODEL
from flow_recording import COUNT, checkout, record_with_fake
from made_up import BENCHMARK

from common.paths import Workspace
from common.records import RunRecord
from common.traces import TraceKey, compare_records, read_trace, redact
from experiments.config import ConfigError, compose_config
from experiments.record import record_command
from experiments.running.flowreader_runner import load_variants
from experiments.verify import verify
from flowreader.records import FlowRecord

VARIANTS = ("full", "no_system2", "topk_rag", "zero_shot")
OVERRIDES = [f"model={MODEL}", "encoder=wordllama", f"variants=[{','.join(VARIANTS)}]"]


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    """A checkout with four variants recorded against the made-up model, in the open domain."""
    workspace = checkout(tmp_path_factory.mktemp("flow"))
    record_with_fake(workspace, OVERRIDES)
    yield workspace


def key(variant: str) -> TraceKey:
    return TraceKey(BENCHMARK, MODEL, "flowreader", variant)


def records(workspace: Workspace, variant: str) -> dict[str, RunRecord]:
    return {qid: run for (qid, _), run in read_trace(key(variant), workspace.records).done.items()}


def test_every_variant_is_recorded_and_replays(recorded: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
    assert all(set(records(recorded, variant)) == {"q0", "q1", "q2"} for variant in VARIANTS)
    capsys.readouterr()
    verify(recorded, progress=False)
    assert f"ok     replay: {COUNT * len(VARIANTS)} runs gave the same records" in capsys.readouterr().out


def test_facts_go_there_and_back(recorded: Workspace) -> None:
    run = records(recorded, "full")["q1"]
    flow = FlowRecord.from_run(run)
    assert flow.to_run() == replace(run, facts=flow.to_run().facts)
    assert not compare_records(run, flow.to_run())
    assert (
        flow.gate is not None
        and flow.passes[0].paths
        and sum(flow.calls.values()) == sum(usage.calls for usage in run.usage.values())
    )
    assert FlowRecord.from_run(records(recorded, "zero_shot")["q1"]).passes == ()
    with pytest.raises(ValueError, match="none of FlowReader"):
        FlowRecord.from_run(replace(run, method="knowforge"))


def test_each_answer_is_judged_thrice_by_its_own_seed(recorded: Workspace) -> None:
    judged = FlowRecord.from_run(records(recorded, "full")["q1"]).judgements
    assert [(j.sample, j.seed, j.correct) for j in judged] == [(0, 0, True), (1, 1, True), (2, 2, True)]
    assert not any(j.correct for j in FlowRecord.from_run(records(recorded, "full")["q0"]).judgements)
    assert "grader" not in records(recorded, "full")["q0"].usage


def test_recording_goes_on_where_it_was(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    workspace = checkout(tmp_path)
    some = [*OVERRIDES[:2], "variants=[full,no_system2]"]
    first = record_with_fake(workspace, [*some, "limit=1"])
    assert "1 questions x 2 systems: 0 runs kept, 2 to make" in capsys.readouterr().out
    again = record_with_fake(workspace, some)
    assert "3 questions x 2 systems: 2 runs kept, 4 to make" in capsys.readouterr().out
    assert not set(first) & set(again)  # variants share calls, and nothing is asked twice
    order = [run.question_id for run in read_trace(key("full"), workspace.records).records.values()]
    assert order == ["q0", "q1", "q2"]


def test_a_changed_judge_or_graph_is_stale(recorded: Workspace, tmp_path: Path) -> None:
    from experiments.running.recording import StaleRecords

    shutil.copytree(recorded.root, tmp_path / "checkout")
    workspace = Workspace(tmp_path / "checkout", tmp_path / "cache")
    for change in ("judge.runs=1", "graph=model"):
        with pytest.raises(StaleRecords, match="redo_stale=true"):
            record_command([*OVERRIDES, change], workspace, serve=False)


def test_systems_and_variants_at_once_are_refused(recorded: Workspace) -> None:
    with pytest.raises(ConfigError, match="two recordings"):
        record_command([*OVERRIDES, "systems=[M5]"], recorded, serve=False)


def test_sizes_come_from_the_benchmark_and_yield_to_the_variant() -> None:
    cfg = compose_config("config", ["benchmark=pocket_m3doc"])
    made = load_variants(["full", "eps0"], cfg, Workspace())
    assert made["full"].reading.worker_chars == cfg.benchmark.flow.reading.worker_chars
    assert made["full"].replicator.epsilon == 0.2 and made["eps0"].replicator.epsilon == 0.0
    assert made["full"].budget.total == 48 and made["full"].replicator.most == 11
    with pytest.raises(ConfigError, match="no variant 'nonsense'; known: eps0, full"):
        load_variants(["nonsense"], cfg, Workspace())


def test_closed_domain_and_redaction(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    workspace = checkout(tmp_path, closed=True, redistributable=False)
    record_with_fake(workspace, [*OVERRIDES[:2], "variants=[full,topk_rag]"])
    run = records(workspace, "full")["q1"]
    assert run.redacted and {hit.document_id for hit in run.searches[0].hits} == {"doc-1"}
    flow = FlowRecord.from_run(run)
    assert [report.answer for report in flow.passes[0].reports] == ["Name 1"]
    assert flow.passes[0].reports[0].evidence.startswith("sha256:") and flow.keywords.startswith("sha256:")
    assert all(node.startswith("frag_") for node in flow.passes[0].nodes)
    text = json.dumps(run.to_json())
    assert "won by" not in text and "same name" not in text
    assert redact(run) == run
    capsys.readouterr()
    verify(workspace, progress=False)
    assert f"ok     replay: {2 * COUNT} runs gave the same records" in capsys.readouterr().out


def test_a_graph_by_the_model_replays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    workspace = checkout(tmp_path)
    asked = record_with_fake(workspace, [*OVERRIDES[:2], "variants=[topk_rag]", "graph=model", "judge.runs=0"])
    assert any(prompt.startswith("List what this passage names") for prompt in asked)
    capsys.readouterr()
    verify(workspace, progress=False)
    assert f"ok     replay: {COUNT} runs gave the same records" in capsys.readouterr().out


def test_records_without_facts_keep_their_bytes() -> None:
    bare = RunRecord("q", "b", "knowforge", "M5", "m", "h", "c", "done")
    assert "facts" not in bare.to_json() and RunRecord.from_json(bare.to_json()) == bare
    kept = redact(
        replace(bare, facts={"open": ["id"], "id": ["frag"], "deep": [{"id": "x", "text": "secret"}], "n": 1})
    )
    assert kept.facts["id"] == ["frag"] and kept.facts["n"] == 1 and kept.facts["deep"][0]["id"] == "x"
    assert kept.facts["deep"][0]["text"].startswith("sha256:")
