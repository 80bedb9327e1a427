"""FlowReader, Figure 3(a): converged population over the paths of one query, and what theta and the cap do on all.

    python -m experiments regenerate figure03a_replicator_population
    python -m experiments.flowreader.figure03a_replicator_population artefact.question=pvd-001

Reads the recorded paths of every query; the drawn one is the query of most paths unless one is named.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from omegaconf import DictConfig

from common.artefact import Artefact, Column
from experiments.artefacts import script_main
from experiments.flowreader._dynamics import Queries, by_quality, queries
from experiments.flowreader._judged import printed

ROW, X, READ = "row", "x %", "read"


def run(cfg: DictConfig) -> Artefact:
    """Measures over all queries beside the print, then the drawn query's paths, the best first."""
    spec = cfg.artefact
    found = queries(cfg)
    question, record = found.chosen(spec.question)
    course, source = found.course(record), found.source
    columns = [
        Column(ROW, "label"), Column("value", "published"),
        *(Column(name, "replica", "mean", source) for name in ("mean", "least", "most")),
        Column("q", "replica", "mean", source), Column(X, "replica", "score", source),
        Column(READ, "replica", "count", source),
    ]  # fmt: skip
    rows = [[*row, None, None, None] for row in _over_queries(spec.name, found)]
    for number, k in enumerate(by_quality(course.quality), start=1):
        rows.append([f"path {number}", None, None, None, None, course.quality[k], 100 * course.population[-1, k],
                     int(course.kept[k] is not None)])  # fmt: skip
    replicator = found.config.replicator
    least = replicator.epsilon / replicator.extinct
    removed = sum(record.passes[0].extinct for record in found.records)
    notes = [
        f"Paths: query {question.question_id}, {question.question}",
        f"theta = {replicator.extinct:g} removed {removed} paths from {len(found.records)} queries: uniform mixing "
        f"leaves each path at least eps / K, so theta removes none below K = {least:,.0f}. The cap of "
        f"{replicator.most} paths selects, not theta.",
        "The print's 0.7 and 0.24 are the highest tick labels of its axes, not measured values.",
    ]
    return Artefact.from_rows(
        spec.name, spec.paper, spec.item, spec.title, columns, rows, notes=tuple(notes), draw=draw
    )


def _over_queries(item: str, found: Queries) -> list[list[Any]]:
    courses = [found.course(record) for record in found.records]
    passes = [record.passes[0] for record in found.records]
    measures: list[tuple[str, str | None, list[float]]] = [
        ("Retained paths", printed(item, "Retained paths", "number"), [float(c.read) for c in courses]),
        ("Candidate paths", None, [float(len(c.kept)) for c in courses]),
        ("Paths removed by theta", None, [float(p.extinct) for p in passes]),
        ("Highest weight in A", printed(item, "Weight A ticks", "8"), [float(c.payoff.max()) for c in courses]),
        ("Highest x", printed(item, "Population x ticks", "4"), [float(c.population[-1].max()) for c in courses]),
        ("Lowest x", None, [float(c.population[-1].min()) for c in courses]),
        ("Steps", None, [float(p.steps["replicator"]) for p in passes]),
        ("Share of read paths best by quality", None, [p.overlap_with_quality for p in passes]),
    ]
    return [[name, print_, float(np.mean(v)), min(v), max(v)] for name, print_, v in measures]


def draw(frame: pd.DataFrame, ax: Axes) -> None:
    """x of each path, the best quality first; what is read is dark."""
    x, read = (next(c for c in frame.columns if c.startswith(f"replica {name} (")) for name in (X, READ))
    paths = frame[frame[x].notna()]
    colours = ["C0" if kept else "0.75" for kept in paths[read]]
    ax.bar(range(1, len(paths) + 1), paths[x].astype(float), color=colours)
    ax.set_xlabel("path, best quality first (dark: read)")
    ax.set_ylabel("converged population x, %")


main = script_main(__file__, run)

if __name__ == "__main__":
    main()
