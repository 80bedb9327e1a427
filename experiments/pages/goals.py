"""The measured goals of page recall on real documents, read from the committed ranks."""

from __future__ import annotations

from collections.abc import Iterator

from common.paths import Workspace
from experiments.artefacts import compute, select

GOALS = {"r1": 42.0, "r5": 71.0, "r8": 80.0, "all8": 72.0}  # per cent
ROW = "pages"


def page_goals(workspace: Workspace) -> Iterator[tuple[str, float, float]]:
    """Name, per cent found and goal, for the two-fold row over all questions; nothing where nothing was recorded."""
    outcome = compute(select(["joint/mmlongbench_retrieval"], workspace)[0], workspace)
    if outcome.artefact is None:
        return
    frame = outcome.artefact.frame
    row = frame[(frame["method"] == ROW) & (frame["source"] == "all")].iloc[0]
    for name, goal in GOALS.items():
        yield f"evidence pages {name}, {row['n']} questions on real documents, two-fold", float(row[name]), goal
