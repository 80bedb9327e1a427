"""Result files of the released KnowForge runner into tables.

python -m experiments import M5.json --benchmark m3docvqa --model qwen3.6-35b-a3b --system M5
python -m experiments import

FILE is a path, or a name below experiments/traces/imported/. Without FILE, every
imported/<benchmark>/<model>/<system>.json is read. Traces and tables of imported files stand in
experiments/outputs/imported/, apart from the recorded ones: they cannot be replayed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from common.benchmarks.release import BenchmarkError
from common.paths import Workspace
from common.traces import TraceError
from experiments.config import ConfigError
from experiments.interchange.files import import_file, lacking
from experiments.interchange.records import Names
from experiments.interchange.tables import make_tables


def main(argv: Sequence[str], workspace: Workspace | None = None) -> int:
    """Import and report each artefact; expected errors are one line on stderr and code 2."""
    options, workspace = _parser().parse_args(argv), workspace or Workspace()
    try:
        jobs = _jobs(options, workspace)
        for path, names in jobs:
            count = import_file(path, names, workspace)
            print(f"imported {count} records of {path} as {names.benchmark}/{names.model}/{names.system}")
        for benchmark, model in dict.fromkeys((names.benchmark, names.model) for _, names in jobs):
            _report(benchmark, model, workspace)
    except (BenchmarkError, TraceError, ConfigError) as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m experiments import", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("file", type=Path, nargs="?")
    for name in ("benchmark", "model", "system"):
        parser.add_argument(f"--{name}")
    return parser


def _jobs(options: argparse.Namespace, workspace: Workspace) -> list[tuple[Path, Names]]:
    """The files to read and what they are. Raises BenchmarkError where there is none or a name is missing."""
    dropped, given = workspace.traces / "imported", (options.benchmark, options.model, options.system)
    if options.file is None:
        jobs = [(path, Names(*path.with_name(path.stem).parts[-3:])) for path in sorted(dropped.glob("*/*/*.json"))]
        if not jobs or any(given):
            raise BenchmarkError(
                f"{dropped}: name a FILE, or put files there as <benchmark>/<model>/<system>.json and give no options"
            )
        return jobs
    if None in given:
        raise BenchmarkError(f"{options.file}: --benchmark, --model and --system must say what it is")
    return [(options.file if options.file.exists() else dropped / options.file, Names(*given))]


def _report(benchmark: str, model: str, workspace: Workspace) -> None:
    for made in make_tables(workspace, benchmark, model, lacking(benchmark, model, workspace)):
        tables = [str(path.relative_to(workspace.root)) for path in made.files if path.suffix == ".csv"]
        print(f"{made.name}: {made.state}" + (f" -> {', '.join(tables)}" if tables else ""))
