"""Both papers, no table of theirs: the difference each subset size can resolve, at the printed and at our spread.

    python -m experiments regenerate figure_power

Reads the printed paired deviation and subset sizes, and, where there are any, the run records of two systems.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from omegaconf import DictConfig

from common.artefact import Artefact, Column, Source
from common.metrics import measure
from experiments.artefacts import script_main
from experiments.paired import NoTraces, paired_runs
from experiments.power import PRINTED_SD, printed_sd, resolution, subset_sizes
from experiments.printed import value

SYSTEM, N, DETECTABLE = "subset", "n", "detectable (points)"


def run(cfg: DictConfig) -> Artefact:
    """One row per subset: its size, the printed deviation, and what it resolves at that deviation and at ours."""
    spec = cfg.artefact
    ours, source = _our_spread(cfg)
    settings = {"alpha": float(spec.alpha), "power": float(spec.power)}
    columns = [
        Column(SYSTEM, "label"), Column(N, "label", "count"), Column("sd", "published"),
        Column("1.96 se (points)", "verdict", "mean"), Column(DETECTABLE, "verdict", "mean"),
    ]  # fmt: skip
    rows = []
    for label, n in subset_sizes():
        stated = resolution(printed_sd(), n, **settings)
        row = [label, n, value(*PRINTED_SD), stated.noise, stated.detectable]
        rows.append([*row, 100 * ours, resolution(ours, n, **settings).detectable] if ours and source else row)
    if ours and source:
        columns += [Column("sd (points)", "replica", "score", source), Column(DETECTABLE, "replica", "mean", source)]
    notes = (
        "sd: of a question's paired F1 difference; the printed one is on the 0-1 scale"
        + (f", ours of {' and '.join(spec.reads.knowforge)} is in points." if source else "."),
        "1.96 se: half the width of the 95% interval of the mean difference on n questions, at the printed sd.",
        f"Detectable: found with power {spec.power:g} at two-sided alpha {spec.alpha:g}, normal approximation; "
        "also at our sd n is the subset's.",
    )
    return Artefact.from_rows(spec.name, spec.paper, spec.item, spec.title, columns, rows, notes=notes, draw=draw)


def _our_spread(cfg: DictConfig) -> tuple[float, Source | None]:
    systems = list(cfg.artefact.reads.knowforge)
    if len(systems) < 2:  # of imported files one may be there alone, and a spread needs a pair
        return 0.0, None
    first, second = systems
    try:
        paired = paired_runs(cfg, "knowforge", [first, second])
    except NoTraces:
        return 0.0, None
    scored = [measure(cfg.benchmark.scorer, paired.questions, paired.runs[system]) for system in (first, second)]
    one, other = ([row.score.f1 for row in rows] for rows in scored)
    difference = np.subtract(one, other)
    return (float(difference.std(ddof=1)) if difference.size > 1 else 0.0), paired.source


def draw(frame: pd.DataFrame, ax: Axes) -> None:
    """Detectable difference against the number of questions, both axes logarithmic."""
    n = frame[N].astype(float)
    for column in [c for c in frame.columns if DETECTABLE in c]:
        replica = "replica" in column
        name = "at the replica's spread" if replica else "at the published spread"
        style = {"markersize": 4} if replica else {"markersize": 8, "fillstyle": "none"}  # one lies upon the other
        ax.plot(n, frame[column].astype(float), "C1-s" if replica else "C0--o", label=name, **style)
    for label, x, y in zip(frame[SYSTEM], n, frame[DETECTABLE].astype(float), strict=True):
        ax.annotate(label, (x, y), xytext=(3, 6), textcoords="offset points", fontsize=7)
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.set_xticks(n, [f"{size:,.0f}" for size in n], rotation=60, fontsize=7)
    ax.set_yticks([2, 3, 5, 10], ["2", "3", "5", "10"])
    ax.minorticks_off()
    ax.set_xlabel("paired questions")
    ax.set_ylabel("detectable difference in F1, points")
    ax.legend()


main = script_main(__file__, run)

if __name__ == "__main__":
    main()
