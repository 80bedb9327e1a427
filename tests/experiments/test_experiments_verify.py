"""record -> regenerate -> verify on a small corpus with the real pipeline, and every way in which verify must fail."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import ThreadingHTTPServer
from pathlib import Path

import pytest
from fake_server import MODEL, fake_server
from made_up import BENCHMARK, make_document, make_question

from common.llm.background import ServedModel
from common.llm.choice import ModelError
from common.paths import Workspace
from common.traces import TraceKey, read_trace, write_snapshot
from experiments.checks import Check
from experiments.config import compose_config
from experiments.rebuild import rebuild_check
from experiments.record import record_command
from experiments.regenerate import regenerate
from experiments.running.recording import StaleRecords
from experiments.verify import verify

SYSTEMS = ("S4", "P1", "P0", "M5")
OVERRIDES = [f"model={MODEL}", "encoder=wordllama", "systems=[S4,P1,P0,M5]"]
COUNT = 4


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    """A checkout whose four systems were recorded against the fake server, with its figures."""
    root = tmp_path_factory.mktemp("verify") / "checkout"
    for folder in ("conf", "published", "knowforge"):
        shutil.copytree(Workspace().experiments / folder, root / "experiments" / folder)
    workspace = Workspace(root, root.parent / "cache")
    with fake_server() as server:
        _write_model(workspace, server)
        questions = [make_question(number) for number in range(COUNT)]
        documents = [make_document(number) for number in range(COUNT + 1)]
        write_snapshot(workspace.corpus(BENCHMARK), questions, {"smoke": ["q1", "q0"]}, documents, root)
        assert record_command(OVERRIDES, workspace, serve=False) == 0
    _make_default(workspace)
    assert regenerate([], [], workspace) == 0
    yield workspace


@pytest.fixture
def checkout(recorded: Workspace, tmp_path: Path) -> Workspace:
    """A copy to tamper with."""
    shutil.copytree(recorded.root, tmp_path / "checkout")
    return Workspace(tmp_path / "checkout", tmp_path / "cache")


def _write_model(workspace: Workspace, server: ThreadingHTTPServer) -> None:
    url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    path = workspace.conf / "model" / f"{MODEL}.yaml"
    path.write_text(f"name: {MODEL}\nmodel: {MODEL}\nbase_urls: ['{url}']\nretries: 0\ntimeout_s: 20\n")


def _make_default(workspace: Workspace) -> None:
    """Artefacts read the traces of the default model and encoder."""
    path = workspace.conf / "config.yaml"
    text = path.read_text().replace("model: qwen2.5-coder-1.5b", f"model: {MODEL}")
    path.write_text(text.replace("encoder: minilm", "encoder: wordllama"))


def _key(system: str) -> TraceKey:
    return TraceKey(BENCHMARK, MODEL, "knowforge", system)


def test_untouched_traces_verify(recorded: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
    assert verify(recorded, progress=False) == 0
    printed = capsys.readouterr().out
    assert f"{4 * COUNT} runs gave the same records" in printed and "everything committed follows" in printed


def test_replay_needs_neither_server_nor_encoder(checkout: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("replay must not load an encoder")

    monkeypatch.setattr("experiments.running.workbench.load_encoder", refuse)
    assert verify(checkout, progress=False) == 0


def test_recording_again_makes_nothing_new(checkout: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
    assert record_command(OVERRIDES, checkout, serve=False) == 0
    assert f"{COUNT} questions x 4 systems: {4 * COUNT} runs kept, 0 to make" in capsys.readouterr().out
    assert record_command([*OVERRIDES, "subset=smoke", "limit=1"], checkout, serve=False) == 0
    assert "1 questions x 4 systems: 4 runs kept, 0 to make" in capsys.readouterr().out
    assert verify(checkout, progress=False) == 0


def test_without_a_server_a_new_run_is_refused_and_nothing_written(checkout: Workspace) -> None:
    before = {path: path.read_bytes() for path in checkout.traces.rglob("*") if path.is_file()}
    with pytest.raises(ModelError, match="no model server answers"):
        record_command([*OVERRIDES, "samples=2"], checkout, serve=False)
    assert {path: path.read_bytes() for path in checkout.traces.rglob("*") if path.is_file()} == before


def test_a_lost_trace_is_made_again_from_stored_replies_without_a_server(checkout: Workspace) -> None:
    _key("M5").path(checkout.records).unlink()
    assert record_command([*OVERRIDES, "redo_stale=true"], checkout, serve=False) == 0
    assert len(read_trace(_key("M5"), checkout.records).done) == COUNT


def test_second_regeneration_changes_no_byte(checkout: Workspace) -> None:
    before = {path: path.read_bytes() for path in checkout.figures.rglob("*") if path.is_file()}
    assert regenerate([], [], checkout) == 0
    assert {path: path.read_bytes() for path in checkout.figures.rglob("*") if path.is_file()} == before


def _failing(workspace: Workspace, capsys: pytest.CaptureFixture[str]) -> str:
    capsys.readouterr()
    assert verify(workspace, progress=False) == 1
    return capsys.readouterr().out


def test_a_tampered_record_is_found_by_seal_replay_and_csv(
    checkout: Workspace, capsys: pytest.CaptureFixture[str]
) -> None:
    path = _key("M5").path(checkout.records)
    path.write_bytes(path.read_bytes().replace(b'"answer":["Name 1"]', b'"answer":["Name 2"]'))
    printed = _failing(checkout, capsys)
    assert "FAILED seal" in printed and "knowforge-M5.jsonl: sha256" in printed and "git checkout" in printed
    assert "question q0: 1 field(s) differ" in printed and 'answer[0]: recorded "Name 2", replayed "Name 1"' in printed
    assert "FAILED artefacts: figures/knowforge/table02_role_ablation.csv is not what the records give" in printed


@pytest.mark.parametrize("text", ['{"files": {"a"', "[]", '{"files": {"a": 5}}'])
def test_a_damaged_manifest_or_config_is_named_and_the_other_checks_go_on(
    text: str, checkout: Workspace, capsys: pytest.CaptureFixture[str]
) -> None:
    (checkout.traces / "manifest.json").write_text(text)
    printed = _failing(checkout, capsys)
    assert "FAILED seal: " in printed and "manifest.json" in printed and "git checkout" in printed
    assert "runs gave the same records" in printed
    config = _key("S4").path(checkout.records).with_suffix(".config.json")
    config.write_text(config.read_text()[:-20])
    assert f"FAILED replay: {config}: " in _failing(checkout, capsys)


def test_a_missing_call_shard_is_named(checkout: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
    shard = next(checkout.calls(BENCHMARK, MODEL).glob("*.jsonl.zst"))
    shard.unlink()
    printed = _failing(checkout, capsys)
    assert shard.name in printed and "not there" in printed
    assert f"FAILED replay: {BENCHMARK}: " in printed  # no trace counts as replayed that could not be opened


def test_lost_embeddings_are_a_replay_that_failed(checkout: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.rmtree(checkout.corpus(BENCHMARK) / "embeddings-wordllama")
    assert f"FAILED replay: {BENCHMARK}: " in _failing(checkout, capsys)


def test_a_changed_prompt_is_named(
    checkout: Workspace, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from knowforge import system

    packaged = checkout.root / "prompts"
    shutil.copytree(system.PROMPTS, packaged)
    judge = packaged / "judge.md"
    judge.write_text(judge.read_text() + "\nOne more rule.")
    monkeypatch.setattr(system, "PROMPTS", packaged)
    printed = _failing(checkout, capsys)
    assert "knowforge-M5: prompt judge changed" in printed and "redo_stale=true" in printed


def test_a_changed_setting_is_named(checkout: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
    system = checkout.conf / "system" / "M5.yaml"
    system.write_text(system.read_text().replace("reader_rounds: 4", "reader_rounds: 3"))
    assert "setting reader_rounds changed (4 -> 3)" in _failing(checkout, capsys)
    with pytest.raises(StaleRecords, match=r"M5: 4 finished runs .*setting reader_rounds changed \(4 -> 3\)"):
        record_command(OVERRIDES, checkout, serve=False)
    with fake_server() as server:
        _write_model(checkout, server)
        assert record_command([*OVERRIDES[:2], "system=M5", "redo_stale=true"], checkout, serve=False) == 0
    assert f"{COUNT} questions x 1 systems: 0 runs kept, {COUNT} to make" in capsys.readouterr().out


def test_an_edited_csv_shows_the_line(checkout: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
    path = checkout.figures / "knowforge" / "table02_role_ablation.csv"
    path.write_text(path.read_text().replace("47.5", "47.6"))
    printed = _failing(checkout, capsys)
    assert "FAILED artefacts" in printed and "-M5,47.6" in printed and "+M5,47.5" in printed


def test_every_committed_table_is_compared(
    checkout: Workspace, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("_seal_check", "_replay_check"):
        monkeypatch.setattr(f"experiments.verify.{name}", lambda *_: Check("stood in for", "fine", ()))
    gone, *others = sorted(checkout.figures.rglob("*.csv"))
    gone.unlink()
    for path in others:
        path.write_text(path.read_text() + "one line more\n")
    printed = _failing(checkout, capsys)
    assert f"figures/{gone.relative_to(checkout.figures)}: not there; python -m experiments regenerate" in printed
    for path in others:
        assert f"figures/{path.relative_to(checkout.figures)} is not what the records give" in printed
    assert {path.name.partition(".")[2] for path in others} == {"csv", "claims.csv"}
    assert checkout.figures in {path.parent for path in others}, "tables over all artefacts, too"


def test_a_lost_call_explains_the_miss(checkout: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
    config = checkout.conf / "model" / f"{MODEL}.yaml"
    config.write_text(config.read_text() + "seed: 7\n")
    printed = _failing(checkout, capsys)
    assert "cannot be replayed" in printed and "ReplayMiss" in printed and "seed" in printed


def test_failures_are_recorded_named_and_later_redone(checkout: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
    more = [*OVERRIDES, "samples=2"]
    with fake_server() as server:
        _write_model(checkout, server)
        server.down = True  # type: ignore[attr-defined]
        assert record_command(more, checkout, serve=False) == 1
        printed = capsys.readouterr().out
        assert "FAILED q0 S4" in printed and "ServerUnavailable" in printed and "stopped: " in printed
        assert read_trace(_key("S4"), checkout.records).failed
        assert not read_trace(_key("M5"), checkout.records).failed, "not tried: no server answered"
        assert verify(checkout, progress=False) == 0  # finished runs still verify; failed ones are no claim
        assert f"{4 * COUNT} runs gave the same records" in capsys.readouterr().out
        server.down = False  # type: ignore[attr-defined]
        server.asked.clear()  # type: ignore[attr-defined]
        assert record_command(more, checkout, serve=False) == 0
        assert server.asked  # type: ignore[attr-defined]
    assert not read_trace(_key("S4"), checkout.records).failed
    assert regenerate([], [], checkout) == 0  # the repeats have a table
    assert verify(checkout, progress=False) == 0


def test_serve_records_with_the_server_it_starts(checkout: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[tuple[str, int, int]] = []

    @contextmanager
    def start(file: str, *, context: int, slots: int) -> Iterator[ServedModel]:
        started.append((file, context, slots))
        with fake_server() as server:
            yield ServedModel(f"http://127.0.0.1:{server.server_address[1]}/v1", MODEL, "0" * 64, 1)
        assert server.asked  # type: ignore[attr-defined]

    monkeypatch.setattr("experiments.record.serve_in_background", start)
    words = [*OVERRIDES[:2], "system=S4", "limit=1", "concurrency=2"]
    assert record_command([*words, "samples=2", "+model.context=4096"], checkout, serve=True) == 0
    assert record_command([*words, "samples=3", "+model.context=4096", "serve_file=x.gguf"], checkout, serve=True) == 0
    assert started == [(MODEL, 4096, 2), ("x.gguf", 4096, 2)]
    assert len(read_trace(_key("S4"), checkout.records).done) == COUNT + 2


def test_rebuild_parses_the_corpus_anew_before_a_recording(
    checkout: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken: list[str] = []
    monkeypatch.setattr("experiments.record.take_snapshot", lambda cfg, _: taken.append(cfg.benchmark.name))
    assert record_command(OVERRIDES, checkout, serve=False, rebuild=True) == 0
    assert taken == [BENCHMARK]
    assert record_command(OVERRIDES, checkout, serve=False) == 0
    assert taken == [BENCHMARK]


def test_unknown_override_is_a_clear_error(recorded: Workspace) -> None:
    from experiments.config import ConfigError

    with pytest.raises(ConfigError, match="sistem"):
        compose_config("config", ["sistem=M5"], workspace=recorded)


def test_a_snapshot_without_any_record_is_named_by_rebuild(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path / "checkout", tmp_path / "cache")
    write_snapshot(workspace.corpus(BENCHMARK), [make_question(0)], {}, [make_document(0)], tmp_path)
    [problem] = rebuild_check(workspace, progress=False).problems
    assert problem.startswith(f"{BENCHMARK}: no trace says how this snapshot was made")
