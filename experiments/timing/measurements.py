"""Committed timings: what a machine measured, with the raw samples, so that latency tables recompute exactly.

One file per benchmark and name, `traces/measurements/<benchmark>/<name>.json`, sealed like every other trace:
about (machine, commit, encoder, day) and points; a point is one corpus size with its samples. Written by
`python -m experiments bench GROUP --record`, read by artefacts.
"""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from common.files import write_atomic
from common.paths import Workspace
from common.retrieval import Encoder
from experiments.paired import NoTraces
from experiments.running.provenance import code_commit

FORMAT = 1


@dataclass(frozen=True)
class About:
    """What was measured on: benchmark, encoder, machine, code. `day` is UTC."""

    benchmark: str
    encoder: str
    encoder_revision: str
    machine: str
    cores: int
    python: str
    commit: str
    day: str


@dataclass(frozen=True)
class Point:
    """One corpus size. `samples`: milliseconds by stage, one per question; `recall`: per question, in [0, 1].

    `facts` are counts of the corpus and costs of its index (documents, entries, seconds, gigabytes).
    """

    fragments: int
    questions: tuple[str, ...]
    samples: Mapping[str, tuple[float, ...]]
    recall: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    facts: Mapping[str, float] = field(default_factory=dict)

    def percentile(self, stage: str, share: float) -> float:
        """Milliseconds at `share` per cent of the questions. KeyError for a stage that was not timed."""
        return float(np.percentile(self.samples[stage], share))


def median_point(visits: Sequence[Point]) -> Point:
    """Several measurements of one size as one: medians of each question's times and of each fact."""
    first = visits[0]
    samples = {
        stage: tuple(map(median, zip(*(visit.samples[stage] for visit in visits), strict=True)))
        for stage in first.samples
    }
    facts = {name: median(visit.facts[name] for visit in visits) for name in first.facts}
    return Point(first.fragments, first.questions, samples, first.recall, facts)


@dataclass(frozen=True)
class Measurement:
    """A measurement and what it was made on."""

    about: About
    points: tuple[Point, ...]

    @property
    def where(self) -> str:
        """The machine in one phrase."""
        a = self.about
        return f"{a.machine}, 1 of {a.cores} cores, Python {a.python}, commit {a.commit}, {a.day}"


def about_here(benchmark: str, encoder: Encoder, workspace: Workspace) -> About:
    """This machine, today."""
    return About(
        benchmark, encoder.name, encoder.revision, _processor(), os.cpu_count() or 1, platform.python_version(),
        code_commit(workspace.root), datetime.now(UTC).date().isoformat(),
    )  # fmt: skip


def measurement_path(benchmark: str, name: str, workspace: Workspace) -> Path:
    """The file of one measurement."""
    return workspace.traces / "measurements" / benchmark / f"{name}.json"


def write_measurement(name: str, made: Measurement, workspace: Workspace) -> Path:
    """Keep a measurement in place of an older one of its name; times to the microsecond. Seal the traces after it."""
    path = measurement_path(made.about.benchmark, name, workspace)
    path.parent.mkdir(parents=True, exist_ok=True)
    points = [{**asdict(point), "samples": _rounded(point.samples)} for point in made.points]
    data = {"format": FORMAT, "about": asdict(made.about), "points": points}
    write_atomic(path, json.dumps(data, indent=None, separators=(",", ":"), sort_keys=True) + "\n")
    return path


def read_measurement(benchmark: str, name: str, workspace: Workspace) -> Measurement:
    """Inverse of `write_measurement`. Raises `NoTraces` with the command that makes it."""
    path = measurement_path(benchmark, name, workspace)
    again = f"measure on a quiet machine: python -m experiments bench {name} --record"
    if not path.exists():
        raise NoTraces(f"{path.relative_to(workspace.root)}: nothing was measured yet; {again}")
    try:
        data: dict[str, Any] = json.loads(path.read_text())
        if data["format"] != FORMAT:
            raise NoTraces(f"{path}: format {data['format']}, this code reads {FORMAT}; {again}")
        return Measurement(About(**data["about"]), tuple(map(_point, data["points"])))
    except (ValueError, KeyError, TypeError) as error:
        raise NoTraces(f"{path}: not a measurement ({error}); restore it with git checkout, or {again}") from error


def _point(data: dict[str, Any]) -> Point:
    lists = {name: {k: tuple(v) for k, v in data[name].items()} for name in ("samples", "recall")}
    return Point(data["fragments"], tuple(data["questions"]), facts=data["facts"], **lists)


def _rounded(samples: Mapping[str, Sequence[float]]) -> dict[str, list[float]]:
    return {stage: [round(value, 3) for value in values] for stage, values in samples.items()}


def _processor() -> str:
    """The processor's name as Linux tells it, else what Python knows."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()
