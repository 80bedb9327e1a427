"""What the repository promises of itself: one name per artefact, composable configs, sizes, a fresh README."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from common.paths import Workspace
from common.render import CLAIMS_SUFFIX
from experiments.artefacts import PAPERS, artefact_config, discover
from experiments.config import compose_config
from experiments.matrix import BEGIN, matrix, readme_block
from experiments.sealing import size_problems

WORKSPACE = Workspace()
GROUPS = ("model", "benchmark", "system", "encoder")


def names(folder: Path, suffix: str) -> set[str]:
    return {path.stem for path in folder.glob(f"*{suffix}") if not path.name.startswith("_")}


@pytest.mark.parametrize("paper", PAPERS)
def test_one_name_for_script_config_figure_and_published_numbers(paper: str) -> None:
    scripts = {entry.name for entry in discover(WORKSPACE) if entry.paper == paper}
    assert names(WORKSPACE.conf / paper, ".yaml") == scripts
    made = {
        path.name.removesuffix(CLAIMS_SUFFIX).removesuffix(path.suffix)
        for path in (WORKSPACE.figures / paper).glob("*.*")
    }
    assert made <= scripts, "a figure without a script"
    if paper != "joint":  # joint artefacts compare the papers and need no printed table of their own
        printed = {
            str(artefact_config(e, WORKSPACE).artefact.get("published", e.name))
            for e in discover(WORKSPACE)
            if e.paper == paper
        }
        assert printed <= names(WORKSPACE.published / paper, ".yaml")


def test_figures_are_complete_where_there_are_traces() -> None:
    states = {row.entry.config: row.state for row in matrix(discover(WORKSPACE), WORKSPACE)}
    lacking = {name: state for name, state in states.items() if not state.startswith(("complete", "no traces of"))}
    assert not lacking


@pytest.mark.parametrize(
    "path", sorted(WORKSPACE.conf.rglob("*.yaml")), ids=lambda path: path.relative_to(WORKSPACE.conf).as_posix()
)
def test_every_config_composes(path: Path) -> None:
    relative = path.relative_to(WORKSPACE.conf).with_suffix("").as_posix()
    group, _, option = relative.partition("/")
    if group in GROUPS and "/" not in option:  # what several options share stands one folder below
        cfg = compose_config("config", [f"{group}={option}"])
        assert cfg[group].name, f"{relative} has no name"
    elif group in PAPERS:
        cfg = compose_config(relative)
        assert cfg.artefact.item and cfg.artefact.title and "reads" in cfg.artefact
    else:
        compose_config(relative)


def test_every_artefact_script_is_short_and_has_its_parts() -> None:
    for entry in discover(WORKSPACE):
        text = (WORKSPACE.experiments / entry.paper / f"{entry.name}.py").read_text()
        assert text.startswith('"""') and "def run(cfg" in text and "script_main(__file__, run)" in text, entry.name
        assert not re.search(r"argparse|os\.chdir|round\(", text), f"{entry.name} does what common does once"
        artefact_config(entry, WORKSPACE)


def test_traces_are_within_their_sizes() -> None:
    assert not size_problems(WORKSPACE.traces)


def test_readme_matrix_is_not_stale() -> None:
    readme = (WORKSPACE.root / "README.md").read_text()
    assert BEGIN in readme
    assert readme_block(matrix(discover(WORKSPACE), WORKSPACE), WORKSPACE) in readme, (
        "run make reproduce: README.md's artefact matrix is stale"
    )


def test_readme_names_only_folders_that_exist() -> None:
    readme = (WORKSPACE.root / "README.md").read_text()
    named = set(re.findall(r"`((?:common|knowforge|flowreader|experiments|figures|tests)/[\w./-]*)`", readme))
    generated = {"experiments/traces/manifest.json", "figures/audit.md"}
    lost = [
        name
        for name in named - generated
        if not (WORKSPACE.root / name).exists() and "NAME" not in name and "ARTEFACT" not in name
    ]
    assert not lost


def make(*arguments: str) -> list[str]:
    """Lines that make prints; what a make around the tests handed down is left out."""
    environment = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL", "ARGS")}
    run = subprocess.run(
        ["make", *arguments], cwd=WORKSPACE.root, env=environment, capture_output=True, text=True, check=True
    )
    return run.stdout.splitlines()


@pytest.mark.skipif(shutil.which("make") is None, reason="needs make")
@pytest.mark.parametrize(
    ("given", "recorded"),
    [
        ("", ["systems=[S4,P1,P0,M5]"]), ("subset=smoke", ["systems=[S4,P1,P0,M5]", "subset=smoke"]),
        ("systems=[M5]", ["systems=[M5]"]), ("system=P0", ["system=P0"]), ("variants=[full]", ["variants=[full]"]),
    ],
)  # fmt: skip
def test_make_records_four_systems_where_none_is_named(given: str, recorded: list[str]) -> None:
    command = make("-n", "record", f"ARGS={given}")[-1]
    assert command.replace('"', "").split("experiments record")[1].split() == recorded


@pytest.mark.skipif(shutil.which("make") is None, reason="needs make")
def test_make_help_lists_every_target() -> None:
    targets = re.findall(r"^([a-z]+):", (WORKSPACE.root / "Makefile").read_text(), flags=re.MULTILINE)
    assert [line.split()[1] for line in make("help")] == targets


def test_file_sizes_stay_readable() -> None:
    lengths = sorted(
        len(path.read_text().splitlines())
        for package in ("common", "knowforge", "flowreader", "experiments")
        for path in (WORKSPACE.root / package).rglob("*.py")
    )
    assert lengths[len(lengths) // 2] <= 120
    assert lengths[int(0.95 * (len(lengths) - 1))] <= 300
