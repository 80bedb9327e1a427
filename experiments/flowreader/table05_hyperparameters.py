"""FlowReader, Table 5: the printed hyperparameters and those the full variant runs with.

    python -m experiments regenerate table05_hyperparameters
    python -m experiments.flowreader.table05_hyperparameters benchmark=pocket_mmlb

Reads the printed table, `variant/full.yaml` at the benchmark's sizes, and the options of the graph.
"""

from __future__ import annotations

from typing import Any

from omegaconf import DictConfig

from common.artefact import Artefact, Column
from experiments.artefacts import script_main
from experiments.flowreader._judged import PAPER
from experiments.paired import workspace_of
from experiments.printed import interval, value
from experiments.running.flowreader_runner import construction_options, load_variants


def run(cfg: DictConfig) -> Artefact:
    """One row per printed parameter: its value, the field here, its value, and whether they are the same."""
    spec = cfg.artefact
    [full] = load_variants(["full"], cfg, workspace_of(cfg)).values()
    settings = {"variant": full, "graph": construction_options(cfg)}
    rows = []
    for label, field in spec.fields.items():
        here = _value(settings, str(field))
        column = "bound" if label in spec.bounds else "value"
        printed = interval(PAPER, spec.name, str(label), column)
        same = printed.low <= here <= printed.high
        rows.append([label, value(PAPER, spec.name, str(label), "value"), field, f"{here:g}", "yes" if same else "NO"])
    own = [[name, None, field, f"{_value(settings, str(field)):g}", None] for name, field in spec.unprinted.items()]
    columns = [
        Column("parameter", "label"), Column("value", "published"), Column("field", "label"), Column("here", "label"),
        Column("as printed", "verdict"),
    ]  # fmt: skip
    return Artefact.from_rows(
        spec.name, spec.paper, spec.item, spec.title, columns, [*rows, *own], notes=tuple(spec.notes)
    )


def _value(settings: dict[str, Any], field: str) -> float:
    """A number by its dotted place, `variant.scoring.weights.0` for instance."""
    found: Any = settings
    for name in field.split("."):
        if isinstance(found, tuple):
            found = found[int(name)]
        else:
            found = found[name] if isinstance(found, dict) else getattr(found, name)
    return float(found)


main = script_main(__file__, run)

if __name__ == "__main__":
    main()
