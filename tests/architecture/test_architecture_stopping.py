"""Ctrl-C while a command still loads its modules, which takes seconds, ends it as Ctrl-C later does."""

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
