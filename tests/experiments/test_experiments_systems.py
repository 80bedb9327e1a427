"""Systems as `record` and `verify` open them: at the benchmark's sizes, named after their file."""

from __future__ import annotations

from pathlib import Path

import pytest
from fake_server import fake_server

from common.llm.choice import ModelError
from common.paths import Workspace
from experiments.config import ConfigError, compose_config
from experiments.record import record_command
from experiments.running.knowforge_runner import load_systems

WORKSPACE = Workspace()


def test_a_smaller_pool_keeps_its_share_of_the_benchmarks_cap() -> None:
    systems = load_systems(["M5", "M4"], compose_config("config", ["benchmark=pocket_m3doc"]), WORKSPACE)
    assert systems["M5"].pool.cap == 4_500
    assert systems["M4"].pool.cap == 4_500 * 12_000 / 30_000


def test_a_benchmark_without_sizes_leaves_the_papers() -> None:
    [system] = load_systems(["M5"], compose_config("config", ["benchmark=m3docvqa"]), WORKSPACE).values()
    assert system.pool.cap == 30_000
    assert system.convention == "m3docvqa"


def test_any_caps_can_be_recorded_by_name() -> None:
    [system] = load_systems(["M5-2+1"], compose_config("config", []), WORKSPACE).values()
    assert (system.name, system.locator_rounds, system.reader_rounds) == ("M5-2+1", 2, 1)


def test_fields_of_a_named_system_cannot_be_overridden_in_passing() -> None:
    cfg = compose_config("config", ["system=M5", "system.locator_rounds=2"])
    with pytest.raises(ConfigError, match=r"write a file .*NAME\.yaml"):
        load_systems(["M5"], cfg, WORKSPACE)


def test_an_unknown_system_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ConfigError, match=r"no system 'M9'; known: .*S4"):
        load_systems(["M9"], compose_config("config", []), WORKSPACE)


WRONG = {
    "samples=0": "samples=0: give a whole number, 1 or more", "concurrency=many": "concurrency=many: give a whole",
    "limit=-1": "limit=-1: give a whole", "systems=[M9]": "no system 'M9'", "variants=[fast]": "no variant 'fast'",
    "systems=[]": r"systems=\[\]: give a list of one or more names", "variants=[]": r"variants=\[\]: give a list",
    "systems=M5": r"systems=M5: give a list of one or more names, as in systems=\[A,B\]",
}  # fmt: skip


@pytest.mark.parametrize("word", WRONG)
def test_what_cannot_be_recorded_is_told_before_a_corpus_is_opened(word: str, tmp_path: Path) -> None:
    there = Workspace()
    workspace = Workspace(tmp_path, tmp_path / "cache")
    workspace.experiments.mkdir()
    workspace.conf.symlink_to(there.conf)
    with pytest.raises(ConfigError, match=WRONG[word]):
        record_command([word], workspace, serve=False)
    assert [path.name for path in tmp_path.rglob("*")] == ["experiments", "conf"]


@pytest.mark.parametrize("word", ["model.max_tokens=100", "stages.judge=far"])
def test_a_missing_server_is_told_before_a_corpus_is_opened(word: str, workspace: Workspace) -> None:
    near, far = workspace.conf / "model" / "near.yaml", workspace.conf / "model" / "far.yaml"
    far.write_text("name: far\nmodel: m\nbase_urls: ['http://127.0.0.1:9/v1']\n")
    told = r"no model server answers at http://127.0.0.1:9/v1 .*--serve.*\+\+model.base_urls=\[URL\]"
    with fake_server() as server, pytest.raises(ModelError, match=told):
        near.write_text(f"name: near\nmodel: m\nbase_urls: ['http://127.0.0.1:{server.server_address[1]}/v1']\n")
        record_command(["model=near" if "stages" in word else "model=far", f"++{word}"], workspace, serve=False)
    assert not workspace.traces.exists() and not workspace.cache.exists()
