"""FlowReader, Figure 2: the replicator choosing among the candidate paths of one real question, step by step.

    python -m experiments regenerate figure02_replicator_example
    python -m experiments.flowreader.figure02_replicator_example artefact.question=pvd-001

Reads one recorded query's paths (flow, quality, nodes) and iterates the replicator on them again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
from matplotlib import colormaps
from matplotlib.axes import Axes
from omegaconf import DictConfig

from common.artefact import Artefact, Column
from common.plotting import name_lines
from experiments.artefacts import script_main
from experiments.flowreader._dynamics import Course, by_quality, queries
from experiments.flowreader._judged import printed

ROW, STEP, COUNT = "path", "x % after", "number"
SHOWN = (0, 1, 2, 3, 5, 7, 10, 15)  # steps with a column, and the last


def run(cfg: DictConfig) -> Artefact:
    """Counts beside those of the drawn example, then one row per path, the best first, with x at each step."""
    spec = cfg.artefact
    found = queries(cfg)
    question, record = found.chosen(spec.question)
    course, source = found.course(record), found.source
    last = len(course.population) - 1
    steps = sorted({step for step in SHOWN if step < last} | {last})
    columns = [
        Column(ROW, "label"), Column(COUNT, "published"), Column(COUNT, "replica", "count", source),
        Column("nodes", "replica", "count", source), Column("q", "replica", "mean", source),
        Column("read as", "replica", "count", source),
        *(Column(f"{STEP} {step}", "replica", "score", source) for step in steps),
    ]  # fmt: skip
    blank = [None] * (3 + len(steps))
    rows = [
        ["Candidate paths", printed(spec.name, "Candidate paths", "number"), len(course.kept), *blank],
        ["Selected paths", printed(spec.name, "Selected paths", "number"), course.read, *blank],
        *(_path(number, k, course, steps) for number, k in enumerate(by_quality(course.quality), start=1)),
    ]
    notes = [
        f"Query {question.question_id}: {question.question} x is of this query alone; n counts the queries to choose "
        "from.",
        f"Computed again from the record; greatest distance to the recorded x: {course.apart:.0e}.",
        f"theta = {found.config.replicator.extinct:g} removed {record.passes[0].extinct} of {len(course.kept)} paths; "
        f"the cap of {found.config.replicator.most} left out {record.passes[0].capped}.",
    ]
    return Artefact.from_rows(
        spec.name, spec.paper, spec.item, spec.title, columns, rows, notes=tuple(notes), draw=draw
    )


def _path(number: int, k: int, course: Course, steps: Sequence[int]) -> list[Any]:
    rank = course.kept[k]
    shown = None if rank is None else rank + 1
    x = [100 * course.population[step, k] for step in steps]
    return [f"pi{number}", None, None, len(course.nodes[k]), course.quality[k], shown, *x]


def draw(frame: pd.DataFrame, ax: Axes) -> None:
    """x of every path against the steps; read paths in colour with their names, the others grey."""
    steps = [column for column in frame.columns if f"replica {STEP}" in column]
    rank = next(column for column in frame.columns if column.startswith("replica read as"))
    places = [int(column.split(STEP)[1].split()[0]) for column in steps]
    paths = frame[frame[steps[0]].notna()]
    colours = colormaps["tab10"].colors  # type: ignore[attr-defined]
    for number, (_, path) in enumerate(paths.iterrows()):
        style: dict[str, Any] = {"color": "0.75", "linewidth": 0.8, "zorder": 1}
        if pd.notna(path[rank]):
            style = {"color": colours[number % len(colours)], "linewidth": 1.4, "label": path[ROW]}
        ax.plot(places, [float(path[step]) for step in steps], **style)
    ax.set_xlabel("step of the replicator (pi1: best quality; grey: not read)")
    ax.locator_params(axis="x", integer=True)
    ax.set_ylabel("population x, %")
    name_lines(ax)


main = script_main(__file__, run)

if __name__ == "__main__":
    main()
