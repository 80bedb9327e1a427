"""The files of figures/ that belong to no single artefact: the audit's tables and the tidy printed numbers."""

from __future__ import annotations

from common.claims import PublishedError
from common.paths import Workspace
from experiments.audit import run


def overall_texts(workspace: Workspace) -> tuple[dict[str, str], str]:
    """File name -> text, and a sentence on what went wrong (empty if nothing did).

    The audit shows the replica's verdicts beside its own, so it comes after the artefacts' claims are written.
    """
    try:
        audit = run(workspace.published, workspace.published / "claims", workspace.figures, workspace.experiments)
    except PublishedError as error:
        return {}, f"audit: {error}"
    return audit.files(), ""
