"""Every table that imported records allow: fewer systems where some are not there, blanks where the file is silent."""

from __future__ import annotations

import importlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import pandas as pd
from omegaconf import DictConfig, OmegaConf

from common.artefact import Artefact
from common.benchmarks.release import BenchmarkError
from common.paths import Workspace
from common.render import write_artefact
from common.traces import TraceKey, find_traces
from experiments.artefacts import Entry, artefact_config, discover, explain
from experiments.config import group_options, load_option

# A field of the result file and the columns that cannot be computed without it; "" is in no result file.
COLUMNS: tuple[tuple[str, str], ...] = (
    ("search_hits", r"Doc@|R@|Search/q|documents? found|evidence"),
    ("tools", r"Read/q|No-read|Search/q|images read|read_media"),
    ("elapsed_s", r"seconds|latency|\bs/q"),
    ("", r"at cap|rounds|visible|calls/q|model calls|tokens|cost"),
)
Gaps = Mapping[str, frozenset[str]]  # system -> fields that its file lacks


@dataclass(frozen=True)
class Made:
    """What became of one artefact: files written, or why there are none, and what is missing in it."""

    name: str
    state: str
    files: tuple[Path, ...] = ()


def imported_workspace(workspace: Workspace) -> Workspace:
    """Where imported traces and their tables stand: apart from the recorded ones, which alone can be replayed."""
    return Workspace(workspace.outputs / "imported", workspace.cache)


def make_tables(workspace: Workspace, benchmark: str, model: str, gaps: Gaps) -> list[Made]:
    """All artefacts over the imported traces of one benchmark and model, written below outputs/imported/figures."""
    option = benchmark_option(benchmark, workspace)
    apart = imported_workspace(workspace)
    systems = [k.system for k in find_traces(apart.records) if (k.benchmark, k.model) == (benchmark, model)]
    return [_make(entry, workspace, apart, option, TraceKey(benchmark, model, "knowforge", "any"), systems, gaps)
            for entry in discover(workspace)]  # fmt: skip


def benchmark_option(benchmark: str, workspace: Workspace) -> str:
    """The file in conf/benchmark with this name, which knows the scorer. Raises BenchmarkError listing the names."""
    names = {str(load_option("benchmark", o, workspace)["name"]): o for o in group_options("benchmark", workspace)}
    if benchmark not in names:
        raise BenchmarkError(f"--benchmark {benchmark}: no scorer is known for it; known: {', '.join(sorted(names))}")
    return names[benchmark]


def _make(
    entry: Entry, workspace: Workspace, apart: Workspace, option: str, key: TraceKey, systems: list[str], gaps: Gaps
) -> Made:
    cfg = artefact_config(entry, workspace, [f"benchmark={option}"])
    wanted = [str(system) for system in cfg.artefact.reads.get("knowforge", [])]
    there = [system for system in wanted if system in systems]
    absent = [system for system in wanted if system not in systems]
    if not wanted:
        return Made(entry.name, "reads no records of KnowForge")
    if not there:
        return Made(entry.name, f"missing: no imported records of {', '.join(wanted)}")
    try:
        computed: Artefact = importlib.import_module(entry.module).run(_narrowed(cfg, there, apart, key))
    except Exception as error:  # one table that these records do not allow must not hide the others
        return Made(entry.name, f"not made: {explain(error)}")
    artefact, blanks = blanked(computed, gaps, there)
    missing = [f"no rows of {', '.join(absent)} (not imported)"] if absent else []
    missing += [f"not in the result file: {', '.join(blanks)}"] if blanks else []
    notes = (f"Imported result files: {', '.join(there)}.", *(f"Missing: {text}." for text in missing))
    written = write_artefact(replace(artefact, notes=(*artefact.notes, *notes)), apart.figures)
    return Made(entry.name, "; ".join(["made", *missing]), tuple(written))


def _narrowed(cfg: DictConfig, there: list[str], apart: Workspace, key: TraceKey) -> DictConfig:
    """The artefact's configuration over the imported traces and the systems that are there."""
    spec = cfg.artefact
    cfg.workspace.root = str(apart.root)
    cfg.model.name = key.model
    OmegaConf.update(cfg, "artefact.reads", {"knowforge": there}, merge=False)
    if "reference" in spec and spec.reference not in there:
        spec.reference = there[-1]
    return cfg


def blanked(artefact: Artefact, gaps: Gaps, systems: list[str]) -> tuple[Artefact, list[str]]:
    """The artefact without the replica cells that have no source in the files, and the names of their columns.

    Rows of a table by system go by that system's file; any other table by what any file lacks.
    """
    anything = frozenset().union(*(gaps.get(system, frozenset()) for system in systems))
    frame, touched = artefact.frame.copy(), []
    for column in artefact.columns:
        if column.origin != "replica":
            continue
        needed = {field for field, pattern in COLUMNS if re.search(pattern, column.name, re.IGNORECASE)}
        lacking = [bool(needed & ({""} | gaps.get(str(row), anything))) for row in frame.iloc[:, 0]]
        if any(lacking):
            frame[column.header] = pd.Series(
                [None if gone else value for gone, value in zip(lacking, frame[column.header], strict=True)],
                dtype=object, index=frame.index,
            )  # fmt: skip
            touched.append(column.name)
    return replace(artefact, frame=frame), touched
