"""KnowForge, Figure 3: answer F1 and retrieval over the round caps, with the single-role cuts.

    python -m experiments regenerate figure03_round_caps

Reads the same runs as table03_round_caps, and the caps printed on the figure's axis. The printed curves are Table 3's
numbers; a single-role cut's F1 is not printed and stands where its printed cost puts it (4+4 less the cost).
"""

from __future__ import annotations

import pandas as pd
from matplotlib.axes import Axes
from omegaconf import DictConfig

from common.artefact import Artefact, Column
from common.metrics import summarise
from experiments.artefacts import script_main
from experiments.knowforge._rows import cap, measured, percent, printed
from experiments.knowforge.table03_round_caps import COSTS
from experiments.printed import interval

TABLE, REFERENCE = "table03_round_caps", "4+4"
CAPS, CURVE, DERIVED = "caps L+R", "curve", "F1 from the printed cost"
NAMES = ("F1", "Doc found", "R@all")


def run(cfg: DictConfig) -> Artefact:
    """One row per cap on the figure's axis: printed and replica F1, documents found, union recall."""
    spec = cfg.artefact
    table = measured(cfg, TABLE, cap)
    rows = []
    for curve in ("sweep", "single-role cuts"):
        for label in (printed(spec.name, "caps", curve) or "").split(", "):
            mean = summarise(table.rows[label]) if label in table.rows else None
            ours = [100 * mean.f1, percent(mean.document_found), percent(mean.r_all)] if mean else [None] * len(NAMES)
            cost = _by_cost(spec.paper, label) if curve != "sweep" else None
            rows.append([curve, label, *(printed(TABLE, label, name) for name in NAMES), cost, *ours])
    columns = [
        Column(CURVE, "label"), Column(CAPS, "label"),
        *(Column(name, "published") for name in NAMES),
        Column(DERIVED, "verdict", "score"),
        Column("F1", "replica", "score", table.source),
        *(Column(name, "replica", "percent", table.source) for name in NAMES[1:]),
    ]  # fmt: skip
    note = f"{DERIVED}: the printed F1 of {REFERENCE} less the cost of the cut in Appendix C; no printed number."
    return Artefact.from_rows(
        spec.name, spec.paper, spec.item, spec.title, columns, rows, notes=(note, *table.paired.notes()), draw=draw
    )


def _by_cost(paper: str, label: str) -> float:
    whole = interval(paper, TABLE, REFERENCE, "F1")
    cost = interval(paper, "text_appendix_sweep", "single-role cuts", COSTS[label])
    return (whole.low + whole.high - cost.low - cost.high) / 2


def draw(frame: pd.DataFrame, ax: Axes) -> None:
    """Answer F1 on the left, retrieval on the right; published dashed, replica solid, single-role cuts as crosses."""
    ax.axis("off")
    left, right = ax.inset_axes((0.0, 0.0, 0.46, 0.98)), ax.inset_axes((0.56, 0.0, 0.44, 0.98))
    sweep, cuts = frame[frame[CURVE] == "sweep"], frame[frame[CURVE] != "sweep"]
    ours = {name: next(c for c in frame.columns if c.startswith(f"replica {name} ")) for name in NAMES}
    _line(left, sweep, "published F1", "F1, published", "C0--o")
    _line(left, sweep, ours["F1"], "F1, replica", "C1-o")
    start = len(sweep) + 0.5
    _line(left, cuts, DERIVED, "cut, from published cost", "C0x", start)
    _line(left, cuts, ours["F1"], "cut, replica", "C1x", start)
    for name, mark in (("Doc found", "o"), ("R@all", "s")):
        _line(right, sweep, f"published {name}", f"{name}, published", f"C0--{mark}")
        _line(right, sweep, ours[name], f"{name}, replica", f"C1-{mark}")
    left.set_xticks([*range(len(sweep)), *(start + i for i in range(len(cuts)))])
    left.set_xticklabels([*sweep[CAPS], *cuts[CAPS]], rotation=60, fontsize=7)
    right.set_xticks(range(len(sweep)))
    right.set_xticklabels(sweep[CAPS], rotation=60, fontsize=7)
    for panel, label in ((left, "answer F1"), (right, "retrieval, %")):
        panel.set_ylabel(label)
        panel.set_xlabel("round caps Locator + Reader", fontsize=8)
        panel.legend(fontsize=6, loc="upper center", bbox_to_anchor=(0.5, -0.2), ncols=2)  # below: free of curves


def _line(ax: Axes, rows: pd.DataFrame, column: str, label: str, style: str, start: float = 0.0) -> None:
    """One curve over the caps that have a value; nothing where none has."""
    points = [(start + i, float(v)) for i, v in enumerate(rows[column]) if pd.notna(v)]
    fill = "none" if "--" in style else "full"
    if points:
        ax.plot(*zip(*points, strict=True), style, label=label, markersize=4, fillstyle=fill)


main = script_main(__file__, run)

if __name__ == "__main__":
    main()
