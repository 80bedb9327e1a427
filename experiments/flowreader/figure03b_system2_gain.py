"""FlowReader, Figure 3(b): what System 2 gains in judged accuracy, against how often and by which trigger it starts.

    python -m experiments regenerate figure03b_system2_gain
    python -m experiments.flowreader.figure03b_system2_gain benchmark=pocket_visdom model=qwen2.5-coder-1.5b

Reads the run records of `full` and `no_system2`, which differ in the refinement pass alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from omegaconf import DictConfig

from common.artefact import Artefact, Column
from experiments.artefacts import script_main
from experiments.flowreader._judged import ALL, SUBSETS, Judged, judged, printed, verdicts
from flowreader.records import FlowRecord, Trigger

TEXT = "text_section4_results"
ROW, GAIN, RATE = "questions", "gain", "trigger rate"
WITH, WITHOUT = "full", "no_system2"
TRIGGERS: tuple[Trigger, ...] = ("T1", "T2", "T3")


def run(cfg: DictConfig) -> Artefact:
    """Rows: the five subsets, all questions, then those on which each trigger was acted on."""
    spec = cfg.artefact
    table = judged(cfg, [WITH, WITHOUT])
    source = table.source()
    columns = [
        Column(ROW, "label"), Column(GAIN, "published"), Column(RATE, "published"),
        Column(GAIN, "replica", "score", source), Column(RATE, "replica", "percent", source),
        Column("graph changed", "replica", "percent", source),
        *(Column(f"{name} holds", "replica", "percent", source) for name in TRIGGERS),
        Column("calls added", "replica", "mean", source), Column("questions", "replica", "count", source),
    ]  # fmt: skip
    everything = table.of(WITH)
    rows = [[s, _printed_gain(spec.name, s), printed(spec.name, s, RATE), *_cells(table, table.places.get(s, []))]
            for s in SUBSETS]  # fmt: skip
    rows.append([ALL, None, None, *_cells(table, range(len(everything)))])
    rows += [[f"acted on {t}", None, None, *_cells(table, _places(everything, t))] for t in TRIGGERS]
    notes = [
        *table.notes(),
        _printed_note(),
        "Trigger rate: share of questions on which the gate fired; several triggers may hold, one is acted on (T3, "
        "T2, T1).",
        "sigma = fmax / F stays far below xi = 0.60 where the capacities, which the scores bound by 1, cannot carry "
        "F = 6: T1 then holds on every question.",
    ]
    return Artefact.from_rows(
        spec.name, spec.paper, spec.item, spec.title, columns, rows, notes=tuple(notes), draw=draw,
        claims=verdicts(spec, table),
    )  # fmt: skip


def _printed_gain(item: str, subset: str) -> str | None:
    """The gain as Section 4.3 prints it: of the figure, or as the change without System 2, with its sign turned."""
    change = printed(TEXT, f"System 2 off {subset}", "change")
    return printed(item, subset, GAIN) or (change.removeprefix("-") if change else None)


def _printed_note() -> str:
    change = printed(TEXT, "System 2 off SlideVQA", "change")
    both = " and ".join(str(printed(TEXT, "System 2 off PaperTab", name)) for name in ("with", "without"))
    return (
        "Printed gains: Section 4.3 reads SPIQA, FetaTab and SciGraphQA off the figure. SlideVQA's is its "
        f"change without System 2, {change}, with the sign turned; of PaperTab it prints the accuracies "
        f"with and without, {both}."
    )


def _places(records: Sequence[FlowRecord], trigger: Trigger) -> list[int]:
    return [n for n, record in enumerate(records) if record.gate is not None and record.gate.fired == trigger]


def _cells(table: Judged, places: Sequence[int]) -> list[Any]:
    """Gain, trigger rate, share with an edit, shares by trigger, calls added, and how many questions."""
    if not places or WITH not in table.records:
        return [None] * (3 + len(TRIGGERS) + 1) + [len(places)]
    records = [table.records[WITH][n] for n in places]
    gates = [record.gate for record in records if record.gate is not None]
    shares = [100 * fmean(trigger in gate.holding for gate in gates) if gates else None for trigger in TRIGGERS]
    fired = 100 * fmean(gate.fired is not None for gate in gates) if gates else None
    changed = 100 * fmean(record.edit is not None and record.edit.changed for record in records)
    gain = added = None
    if WITHOUT in table.records:
        one, other = table.points(WITH), table.points(WITHOUT)
        gain = fmean(one[n] - other[n] for n in places)
        added = fmean(table.records[WITH][n].calls_made - table.records[WITHOUT][n].calls_made for n in places)
    return [gain, fired, changed, *shares, added, len(places)]


def draw(frame: pd.DataFrame, ax: Axes) -> None:
    """Gain against trigger rate by subset, printed and measured."""
    subsets = frame[frame[ROW].isin(SUBSETS)]
    for origin, marker, edge, face in (("published", "o", "C0", "none"), ("replica", "s", "C1", "C1")):
        gain, rate = (next(c for c in frame.columns if c.startswith(f"{origin} {name}")) for name in (GAIN, RATE))
        shown = subsets[subsets[gain].notna() & subsets[rate].notna()]
        places = shown[rate].astype(float), shown[gain].astype(float)
        ax.scatter(*places, marker=marker, edgecolors=edge, facecolors=face, label=origin)
        for number, ((x, y), rows) in enumerate(shown.groupby([*places])):  # subsets at one point share a label
            left = number % 2 == 1 or float(x) > 60.0  # neighbours on either side of their points
            ax.annotate(
                "\n".join(rows[ROW]), (float(x), float(y)), (-5 if left else 5, 4), textcoords="offset points",
                fontsize=7, ha="right" if left else "left",
            )  # fmt: skip
    ax.axhline(0.0, color="0.6", linewidth=0.8)
    ax.margins(x=0.1)  # room for names
    ax.set_xlabel("questions on which System 2 started, %")
    ax.set_ylabel("gain in accuracy, points")
    ax.legend()


main = script_main(__file__, run)

if __name__ == "__main__":
    main()
