"""`bench`: the measured goals, printed and written to the untracked experiments/outputs/bench.csv.

python -m experiments bench [GROUP ...]
python -m experiments bench rounds growth-wordllama --record     keep the timings of retrieval rounds among the traces
"""

from __future__ import annotations

import argparse
import csv
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from common.paths import Workspace
from common.traces import find_traces, read_trace
from experiments.sealing import seal
from experiments.terminal import table_lines

HEADER = ("name", "value", "unit", "goal", "holds")
PAGES = 50
RECORDED = {"rounds", "growth-minilm", "growth-wordllama"}  # groups whose timings artefacts read
LONG = {"growth-minilm"}  # measured only when named: its index takes more than an hour of a core, once


@dataclass(frozen=True)
class Measure:
    """One measured number and the goal it is held to."""

    name: str
    value: float
    unit: str
    relation: Literal["<=", ">=", "about"]
    goal: float

    @property
    def holds(self) -> bool:
        """`about` allows a third either way."""
        if self.relation == "about":
            return abs(self.value - self.goal) <= self.goal / 3
        return self.value <= self.goal if self.relation == "<=" else self.value >= self.goal

    def cells(self) -> list[str]:
        return [
            self.name,
            f"{self.value:.3g}",
            self.unit,
            f"{self.relation} {self.goal:g}",
            "yes" if self.holds else "NO",
        ]


def main(argv: Sequence[str]) -> int:
    """Run the named measurements (all but the long ones by default); 1 if a goal is missed."""
    groups: dict[str, Callable[[Workspace], Iterator[Measure]]] = {
        "records": record_measures, "parse": parse_measures, "construction": construction_measures,
        "pages": page_measures, "load": load_measures, "rounds": round_measures,
        "growth-wordllama": partial(growth_measures, encoder="wordllama"),
        "growth-minilm": partial(growth_measures, encoder="minilm"),
        "flow": flow_measures, "reproduce": reproduce_measures, "verify": verify_measures,
    }  # fmt: skip
    parser = argparse.ArgumentParser(
        prog="python -m experiments bench", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument(
        "groups",
        nargs="*",
        metavar="GROUP",
        help=f"any of {', '.join(groups)}; without names all but {', '.join(LONG)}",
    )
    parser.add_argument("--record", action="store_true", help="keep the timings and seal the traces")
    options = parser.parse_args(list(argv))
    chosen = options.groups or [name for name in groups if name not in LONG]
    if unknown := set(chosen) - groups.keys():
        parser.error(f"no group {', '.join(sorted(unknown))}; there are {', '.join(groups)}")
    if options.record and not set(chosen) <= RECORDED:
        parser.error(f"--record keeps {' and '.join(sorted(RECORDED))}: name only these")
    workspace = Workspace()
    if options.record:
        groups |= {name: partial(group, record=True) for name, group in groups.items() if name in RECORDED}  # type: ignore[call-arg]
    measures: list[Measure] = []
    for name in chosen:
        print(f"measuring: {name}", file=sys.stderr)
        measures += groups[name](workspace)
    if options.record:
        print(f"sealed: {seal(workspace)}")
    rows = [measure.cells() for measure in measures]
    print("\n".join(table_lines(HEADER, rows)))
    _write(workspace.outputs / "bench.csv", rows)
    return 0 if all(measure.holds for measure in measures) else 1


def record_measures(workspace: Workspace) -> Iterator[Measure]:
    """Prefix reuse and model calls a question of M5, from the records' recorded usage."""
    for key in find_traces(workspace.records):
        runs = list(read_trace(key, workspace.records).done.values())
        if key.system != "M5" or not runs:
            continue
        usages = [usage for run in runs for usage in run.usage.values()]
        prompt = sum(usage.prompt_tokens for usage in usages)
        reuse = sum(usage.cached_tokens for usage in usages) / prompt if prompt else 0.0
        where = f"{key.benchmark}, {key.model}"
        yield Measure(f"M5 prompt tokens from the server's cache ({where})", reuse, "share", ">=", 0.5)
        yield Measure(
            f"M5 model calls a question ({where})", sum(u.calls for u in usages) / len(runs), "calls", "about", 9
        )


def parse_measures(workspace: Workspace) -> Iterator[Measure]:
    """A generated report of 50 pages: plain parsing, then parsing with layout and OCR and indexing it."""
    from common.documents import ParseOptions, assets_folder, load_documents, parse_folder
    from common.retrieval import load_encoder
    from experiments.timing.report_pdf import write_report
    from knowforge.base import KnowledgeBase

    with TemporaryDirectory() as scratch:
        folder = Path(scratch)
        report = write_report(folder / "report.pdf", PAGES)
        parse_folder(report, folder / "warm", options=ParseOptions(ocr=False, layout=False), progress=False)
        started = time.perf_counter()
        parse_folder(report, folder / "plain", options=ParseOptions(ocr=False, layout=False), progress=False)
        yield Measure(
            "parsing without OCR and layout", 1000 * (time.perf_counter() - started) / PAGES, "ms/page", "<=", 40
        )
        started = time.perf_counter()
        parse_folder(report, folder / "full", progress=False)
        KnowledgeBase.build(load_documents(folder / "full"), load_encoder("minilm"), assets_folder(folder / "full"))
        yield Measure(f"{PAGES}-page report parsed and indexed", time.perf_counter() - started, "s", "<=", 60)


def construction_measures(workspace: Workspace) -> Iterator[Measure]:
    """Fragments a second of an index built without a model, by encoder."""
    from experiments.timing.retrieval import construction_rates

    goals = {"minilm": 8.0, "wordllama": 200.0}
    for encoder, fragments, rate in construction_rates(workspace):
        yield Measure(f"{fragments:,} fragments indexed with {encoder}", rate, "fragments/s", ">=", goals[encoder])


def load_measures(workspace: Workspace) -> Iterator[Measure]:
    """A full-size set of made-up records turned into every KnowForge table that reads them, in its own process."""
    from experiments.timing.load import SYSTEMS, measure_load

    made = measure_load(workspace)
    what = f"{len(made.made)} KnowForge tables from {made.records:,} records ({len(SYSTEMS)} systems)"
    yield Measure(what, made.seconds, "s of one core", "<=", 20)
    yield Measure(f"{what}, peak memory", made.peak_gb, "GB", "<=", 2)


def page_measures(workspace: Workspace) -> Iterator[Measure]:
    """Evidence pages found in real documents, from the committed ranks."""
    from experiments.pages.goals import page_goals

    for name, value, goal in page_goals(workspace):
        yield Measure(name, value, "%", ">=", goal)


def round_measures(workspace: Workspace, record: bool = False) -> Iterator[Measure]:
    """One retrieval round over the recorded corpus, query embedding included."""
    from experiments.timing.measurements import write_measurement
    from experiments.timing.retrieval import measure_rounds
    from experiments.timing.rounds import ROUND

    made = measure_rounds(workspace)
    if record:
        write_measurement("rounds", made, workspace)
    where = f"{made.about.benchmark}, {made.about.encoder}"
    yield Measure(f"one round, p50 ({where})", made.points[0].percentile(ROUND, 50), "ms", "<=", 12)


def growth_measures(workspace: Workspace, encoder: str, record: bool = False) -> Iterator[Measure]:
    """Rounds over the grown corpus: latency at the largest size, growth from the smallest, memory, load time."""
    from experiments.timing.measurements import write_measurement
    from experiments.timing.retrieval import measure_growth
    from experiments.timing.rounds import ROUND

    made = measure_growth(encoder, workspace)
    if record:
        write_measurement(f"growth-{encoder}", made, workspace)
    small, large = made.points[0], made.points[-1]
    before, after = small.percentile(ROUND, 50), large.percentile(ROUND, 50)
    where = f"{large.fragments:,} fragments, {made.about.encoder}"
    yield Measure(f"one round, p50 ({where})", after, "ms", "<=", 12)
    growth = f"a round's growth from {small.fragments:,} to {where}"
    yield Measure(growth, 100 * (after / before - 1), "%", "<=", 25)
    yield Measure(f"resident memory ({where})", large.facts["resident_gb"], "GB", "<=", 2.5)
    yield Measure(f"index load ({where})", large.facts["load_s"], "s", "<=", 5)


def flow_measures(workspace: Workspace) -> Iterator[Measure]:
    """FlowReader from scores to selected paths on made-up graphs, and its solver against two others."""
    from flowreader.bench import goals

    yield from (Measure(*goal) for goal in goals())


def reproduce_measures(workspace: Workspace) -> Iterator[Measure]:
    """Wall time and memory of `regenerate` in a process of its own."""
    seconds, gigabytes = _timed([sys.executable, "-m", "experiments", "regenerate"], workspace)
    yield Measure("make reproduce, wall time", seconds, "s", "<=", 60)
    yield Measure("make reproduce, resident memory", gigabytes, "GB", "<=", 2)


def verify_measures(workspace: Workspace) -> Iterator[Measure]:
    """Wall time of `verify` in a process of its own."""
    yield Measure(
        "verify, wall time", _timed([sys.executable, "-m", "experiments", "verify"], workspace)[0], "s", "<=", 600
    )


def _timed(command: list[str], workspace: Workspace) -> tuple[float, float]:
    """Seconds and peak resident GB of a command; its output goes to stderr. Raises if it fails."""
    started = time.perf_counter()
    child = os.posix_spawn(command[0], command, os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, 2, 1)])
    _, status, usage = os.wait4(child, 0)
    if os.waitstatus_to_exitcode(status):
        raise RuntimeError(f"{' '.join(command)}: ended with {os.waitstatus_to_exitcode(status)}, see its output above")
    return time.perf_counter() - started, usage.ru_maxrss / 1e6


def _write(path: Path, rows: list[list[str]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="") as handle:
        csv.writer(handle).writerows([HEADER, *rows])
