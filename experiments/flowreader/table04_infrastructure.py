"""FlowReader, Table 4: models, hardware and tools of the paper, and those the replica's configuration names.

    python -m experiments regenerate table04_infrastructure
    python -m experiments.flowreader.table04_infrastructure model=qwen3-vl-32b encoder=nomic

Reads the printed table, the model's profile, the encoder, the stages' models and FlowReader's settings.
"""

from __future__ import annotations

from typing import Any

from omegaconf import DictConfig

from common.artefact import Artefact, Column
from experiments.artefacts import script_main
from experiments.config import load_option, plain
from experiments.flowreader._judged import PAPER
from experiments.paired import workspace_of
from experiments.printed import published
from experiments.running.flowreader_runner import load_variants
from flowreader.config import FlowReaderConfig
from flowreader.grading import STAGE

UNITS = ("GB",)  # the others are kinds of cells: text, count, reference


def run(cfg: DictConfig) -> Artefact:
    """One row per printed component: its choice, its other printed cells, and ours."""
    spec = cfg.artefact
    [full] = load_variants(["full"], cfg, workspace_of(cfg)).values()
    ours = {**plain(spec.ours), **_configured(cfg, full)}
    cells: dict[str, dict[str, str]] = {}
    for cell in published().select(PAPER, spec.name, "*", "*"):
        unit = f" {cell.unit}" if cell.unit in UNITS else ""
        cells.setdefault(cell.row, {})[cell.column] = f"{cell.value}{unit}"
    rows = [[name, row.pop("choice"), "; ".join(f"{k} {v}" for k, v in row.items()), ours.get(name)]
            for name, row in cells.items()]  # fmt: skip
    columns = [
        Column("component", "label"), Column("choice", "published"), Column("details", "published"),
        Column("here", "label"),
    ]  # fmt: skip
    return Artefact.from_rows(spec.name, spec.paper, spec.item, spec.title, columns, rows, notes=tuple(spec.notes))


def _configured(cfg: DictConfig, full: FlowReaderConfig) -> dict[str, str]:
    profile: dict[str, Any] = plain(cfg.model)
    stages = plain(cfg.stages)
    judge = load_option("model", stages[STAGE], workspace_of(cfg)) if STAGE in stages else profile
    scoring = full.scoring
    return {
        "Generator": _model(profile),
        "Node embedder": f"{cfg.encoder.name}",
        "Personalized PageRank": f"power iteration on CSR; damping {scoring.damping:g}; L1 error at most "
        f"{scoring.psi_tolerance:g}",
        "Accuracy judge": f"{_model(judge)}; {cfg.judge.runs} runs",
    }


def _model(profile: dict[str, Any]) -> str:
    file = (profile.get("weights") or {}).get("file")
    return f"{profile['name']} ({file})" if file else str(profile["name"])


main = script_main(__file__, run)

if __name__ == "__main__":
    main()
