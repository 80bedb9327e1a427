"""`regenerate`: every artefact from the records into figures/; the rest is finished after a failure."""

from __future__ import annotations

from collections.abc import Sequence

from tqdm import tqdm

from common.figures_index import write_index
from common.files import write_atomic
from common.paths import Workspace
from common.render import write_artefact
from experiments.artefacts import Outcome, compute, select
from experiments.matrix import HEADER, matrix, update_readme
from experiments.overall import overall_texts
from experiments.terminal import table_lines


def regenerate(names: Sequence[str], overrides: Sequence[str], workspace: Workspace) -> int:
    """Compute and write the named artefacts (default: all), the index and README's matrix; returns the exit code."""
    entries = select(names, workspace)
    outcomes: list[Outcome] = []
    for entry in tqdm(entries, desc="artefacts", disable=None):
        outcome = compute(entry, workspace, overrides)
        if outcome.artefact is not None:
            write_artefact(outcome.artefact, workspace.figures)
        outcomes.append(outcome)
    problems = [
        f"{outcome.entry.name}: {outcome.error}"
        for outcome in outcomes
        if outcome.artefact is None and not outcome.unrecorded
    ]
    if not names:
        problems += _overall(workspace)
    write_index(workspace)
    update_readme(workspace)
    _report(outcomes, problems, workspace)
    return 1 if problems else 0


def _overall(workspace: Workspace) -> list[str]:
    texts, problem = overall_texts(workspace)
    for name, text in texts.items():
        write_atomic(workspace.figures / name, text)
    return [problem] if problem else []


def _report(outcomes: list[Outcome], problems: list[str], workspace: Workspace) -> None:
    for line in table_lines(HEADER, [row.cells() for row in matrix(workspace)]):
        print(line)
    for outcome in outcomes:
        for claim in outcome.artefact.claims if outcome.artefact else ():
            print(f"claim {claim.verdict:<12} {claim.claim} ({claim.place}): {claim.detail}")
    for outcome in outcomes:
        if outcome.unrecorded:
            print(f"not recorded yet: {outcome.error}")
    for problem in problems:
        print(f"FAILED {problem}")
    made = sum(outcome.artefact is not None for outcome in outcomes)
    verdict = "complete" if not problems else f"INCOMPLETE, {len(problems)} problem(s) above"
    print(f"verdict: {made} of {len(outcomes)} artefacts regenerated into {workspace.figures}: {verdict}")
