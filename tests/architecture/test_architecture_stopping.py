"""A command that is ended from outside: by Ctrl-C, even while it loads its modules, or by a reader that goes away."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from common.paths import ROOT


@pytest.mark.parametrize("words", ["knowforge --help", "flowreader --help", "experiments regenerate"])
def test_ctrl_c_while_modules_are_loaded_ends_with_a_line(words: str, tmp_path: Path) -> None:
    (tmp_path / "numpy.py").write_text("raise KeyboardInterrupt\n")
    done = subprocess.run(
        [sys.executable, "-m", *words.split()], cwd=ROOT, env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 130
    assert done.stderr == "stopped; what was finished is kept: the same command goes on from here\n"


ASK = "flowreader ask notes.md -q Who? -q When? --no-model --encoder wordllama --fast-parse --cache cache"


@pytest.mark.parametrize("words", ["experiments list", ASK])
def test_a_reader_that_goes_away_ends_a_command_without_a_word(words: str, tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("# Regatta\n\nAnna won it in May.\n")
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [sys.executable, "-m", *words.split()], cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=write, stderr=subprocess.PIPE, text=True, check=False,
    )  # fmt: skip
    os.close(write)
    assert done.returncode == 1
    assert "BrokenPipe" not in done.stderr and "Broken pipe" not in done.stderr
