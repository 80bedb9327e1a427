"""`show`: a committed run down to its calls; runs that are not there, or are there twice, are told."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

import pandas
import pytest
from made_up import BENCHMARK, make_record

from common.paths import Workspace
from common.traces import RecordWriter, TraceError, TraceKey
from experiments.__main__ import main
from experiments.show_run import find_run


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another machine's cache: corpora that may not be passed on are not there."""
    monkeypatch.setenv("DOCQA_CACHE", str(tmp_path))


def test_a_run_of_knowforge_is_shown_down_to_its_calls(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "M5", "pm3-026", "--prompts"]) == 0
    shown = capsys.readouterr().out
    assert "railway signalmen" in shown and "rule m3docvqa" in shown  # gold and score
    for stage in ("locator", "judge", "reader", "synthesizer", "checker"):
        assert f": {stage}, " in shown
    assert "  | [system]" in shown
    assert shown.rstrip().endswith("stored calls: the same record")


def test_a_run_of_flowreader_names_the_pages_of_its_paths(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "full", "pvd-013"]) == 0
    shown = capsys.readouterr().out
    assert "bellester-regatta p. 2 table > " in shown and "gate" in shown and "judge, run 3" in shown
    assert "  | [" not in shown  # prompts only when asked for
    assert shown.rstrip().endswith("stored calls: the same record")


def test_a_corpus_that_stays_behind_shows_the_record_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "S4", "full-0045"]) == 0
    shown = capsys.readouterr().out
    assert "not passed on" in shown and "rule mmlongbench" in shown and "the record alone" in shown


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["M9", "pm3-026"], "no trace of a system or variant 'M9'; recorded: M4, "),
        (["full", "pvd-013", "--benchmark", "bad"], "full has no trace with --benchmark bad; recorded: --benchmark "),
        (["M5", "pm3-026", "--model", "gpt"], "M5 has no trace with --model gpt; recorded: --benchmark "),
        (["M5", "pm3-999"], "M5 has no run of question pm3-999; it has full-0000, "),
        (["M5", "pm3-026", "--sample", "9"], "M5 ran question pm3-026, but has no sample 9; --sample: pocket-m3doc, "),
    ],
)
def test_a_run_that_is_not_there_is_told(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", *words]) == 2
    told = capsys.readouterr().err
    assert said in told and len(told) < 700


def test_a_run_that_two_models_made_must_be_chosen(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path / "checkout", tmp_path / "cache")
    for model in ("small", "large"):
        with RecordWriter(TraceKey(BENCHMARK, model, "knowforge", "M5"), workspace.records) as writer:
            writer.append(make_record(1, "M5"))
    wanted = Namespace(system="M5", question="q1", sample=0, benchmark=None, model=None)
    with pytest.raises(TraceError, match=f"choose one: --benchmark {BENCHMARK} --model large, --benchmark"):
        find_run(wanted, workspace)
    wanted.model = "small"
    assert find_run(wanted, workspace)[0].model == "small"


def test_the_questions_behind_an_artefact_have_its_mean(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("knowforge/table02_role_ablation", "flowreader/table01_visdombench"):
        assert main(["show", name]) == 0
        shown = capsys.readouterr().out.splitlines()
        frame = pandas.read_csv(Workspace().figures / f"{name}.csv")
        header, mean = shown[1].split(), next(line for line in shown if line.startswith("mean of ")).split()
        column = next(c for c in frame.columns if c.startswith(("replica F1 (", "replica all accuracy (")))
        recorded = [f"{value:.1f}" for value in frame[column].dropna()]
        assert mean[3:] == recorded and len(header) == len(recorded) + 1
        assert sum(line.startswith(("pm3-", "pvd-")) for line in shown) == int(mean[2])


def test_an_artefact_that_is_not_there_or_reads_no_runs_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "M9"]) == 2
    said = capsys.readouterr().err
    assert "no artefact M9; known: " in said and said.rstrip().endswith("show SYSTEM QUESTION")
    assert main(["show", "M5"]) == 2
    said = capsys.readouterr().err
    assert "which run of M5? show M5 QUESTION; it has full-0000, " in said and "artefact" not in said
    assert main(["show", "table05_hyperparameters"]) == 2
    assert "table05_hyperparameters reads no runs of questions" in capsys.readouterr().err
