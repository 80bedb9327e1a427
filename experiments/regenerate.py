"""`regenerate`: artefacts from the records into figures/, the rest finished after a failure; `run`: one, printed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tqdm import tqdm

from common.figures_index import write_index
from common.files import write_atomic
from common.paths import Workspace
from common.render import markdown, write_artefact
from common.traces import TraceError
from experiments.artefacts import Outcome, artefact_config, compute, select
from experiments.audit import audit_files
from experiments.matrix import matrix, matrix_lines, update_readme


def regenerate(names: Sequence[str], overrides: Sequence[str], workspace: Workspace) -> int:
    """Compute and write the named artefacts and the index; returns the exit code.

    Without names all of them, and then what stands over all: the audit's tables and README's matrix.
    """
    entries = select(names, workspace)
    for entry in entries if overrides else ():
        artefact_config(entry, workspace, overrides)  # a misspelt override is told once, before anything is computed
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
    rows = matrix(entries, workspace)
    if not names:
        problems += _audit(workspace)
        update_readme(rows, workspace)
    write_index(workspace)
    failed = {outcome.entry for outcome in outcomes if outcome.artefact is None and not outcome.unrecorded}
    print("\n".join(matrix_lines([replace(row, state="FAILED") if row.entry in failed else row for row in rows])))
    _report(outcomes, problems, workspace)
    return 1 if problems else 0


def run_command(name: str, overrides: Sequence[str], workspace: Workspace) -> int:
    """Compute one artefact under overrides and print it, writing nothing. Raises `TraceError` where it has none."""
    [entry] = select([name], workspace)
    artefact_config(entry, workspace, overrides)  # raises where an override is misspelt
    outcome = compute(entry, workspace, overrides)
    if outcome.artefact is None:
        raise TraceError(f"{name}: {outcome.error}")
    print(markdown(outcome.artefact))
    return 0


def _audit(workspace: Workspace) -> list[str]:
    texts, problem = audit_files(workspace)
    for name, text in texts.items():
        write_atomic(workspace.figures / name, text)
    return [problem] if problem else []


def _report(outcomes: list[Outcome], problems: list[str], workspace: Workspace) -> None:
    for outcome in outcomes:
        for claim in outcome.artefact.claims if outcome.artefact else ():
            print(f"claim {claim.verdict:<12} {claim.claim} ({claim.place}): {claim.detail}")
    for outcome in outcomes:
        if outcome.unrecorded:
            print(f"not recorded yet: {outcome.entry.name}: {outcome.error}")
    for problem in problems:
        print(f"FAILED {problem}")
    made = sum(outcome.artefact is not None for outcome in outcomes)
    verdict = "complete" if not problems else f"INCOMPLETE, {len(problems)} problem(s) above"
    print(f"verdict: {made} of {len(outcomes)} artefacts regenerated into {workspace.figures}: {verdict}")
