"""The power command against hand-computed values."""

from __future__ import annotations

from pathlib import Path

import pytest
from omegaconf import DictConfig, OmegaConf

from common.artefact import Source
from common.plotting import figure
from experiments import power
from experiments.joint import figure_power


def test_resolution_by_hand() -> None:
    found = power.resolution(0.344, 300)
    assert found.noise == pytest.approx(100 * 1.959964 * 0.344 / 300**0.5, abs=1e-4)
    assert found.detectable == pytest.approx(100 * (1.959964 + 0.841621) * 0.344 / 300**0.5, abs=1e-4)


def test_four_times_the_questions_resolve_half_the_difference() -> None:
    assert power.resolution(0.3, 400).detectable == pytest.approx(power.resolution(0.3, 100).detectable / 2)


def test_the_printed_deviation_and_subsets_are_the_default(capsys: pytest.CaptureFixture[str]) -> None:
    assert power.main([]) == 0
    shown = capsys.readouterr().out
    assert "0.344" in shown and "full M3DocVQA" in shown and "2441" in shown


def test_questions_for_a_difference(capsys: pytest.CaptureFixture[str]) -> None:
    assert power.main(["--sd", "0.5", "--delta", "14"]) == 0
    assert "needs 101 questions" in capsys.readouterr().out  # (2.8016 x 0.5 / 0.14)^2 = 100.1


@pytest.mark.parametrize(
    "words", [["--sd", "0", "--n", "9"], ["--sd", "nan", "--n", "9"], ["--sd", "inf", "--delta", "2"]]
)
def test_nonsense_is_refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert power.main(words) == 2
    assert "std" in capsys.readouterr().err


@pytest.fixture
def cfg(tmp_path: Path) -> DictConfig:
    root = str(tmp_path)
    spec = {"name": "figure_power", "paper": "joint", "item": "Figure P", "title": "Power"}
    return OmegaConf.create({
        "artefact": {**spec, "reads": {"knowforge": ["M5", "P0"]}, "alpha": 0.05, "power": 0.8},
        "benchmark": {"name": "pocket-m3doc", "scorer": "m3docvqa"},
        "model": {"name": "none"},
        "workspace": {"root": root, "cache": root},
    })  # fmt: skip


def test_the_figure_without_traces_shows_the_printed_spread(cfg: DictConfig) -> None:
    artefact = figure_power.run(cfg)
    assert [row[1] for row in artefact.frame.itertuples(index=False)] == sorted(n for _, n in power.subset_sizes())
    assert not artefact.sources
    with figure() as (_, axis):
        figure_power.draw(artefact.frame, axis)
        assert axis.get_xscale() == "log" and len(axis.lines) == 1


def test_our_spread_stands_beside_the_printed_one(cfg: DictConfig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figure_power, "_our_spread", lambda _: (0.688, Source("pocket-m3doc", "tiny", 24)))
    artefact = figure_power.run(cfg)
    printed = artefact.frame["detectable (points)"].astype(float)
    ours = artefact.frame["replica detectable (points) (pocket-m3doc, tiny, n = 24)"].astype(float)
    assert (ours / printed).tolist() == pytest.approx([2.0] * len(printed)), "twice the spread, twice the difference"
    with figure() as (_, axis):
        figure_power.draw(artefact.frame, axis)
        assert len(axis.lines) == 2


def test_subset_sizes_are_printed_values() -> None:
    assert dict(power.subset_sizes())["mid300"] == 300
