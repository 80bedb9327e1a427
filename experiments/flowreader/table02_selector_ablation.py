"""FlowReader, Table 2: what path selector, entropy term and initialisation of the replicator earn.

    python -m experiments regenerate table02_selector_ablation
    python -m experiments.flowreader.table02_selector_ablation benchmark=pocket_visdom model=qwen2.5-coder-1.5b

Reads the run records of the variants on the questions that all of them finished, and the printed table.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial

from omegaconf import DictConfig

from common.artefact import Artefact
from experiments.artefacts import script_main
from experiments.flowreader._ablation import Measure, ablation, mean_of, read_paths
from experiments.flowreader._judged import Judged, recorded_config
from flowreader.replicator import ReplicatorConfig


def run(cfg: DictConfig) -> Artefact:
    """The ablation, with how many paths each selector had, read, and shares with the full system."""
    reference = str(cfg.artefact.reference)

    def shared(table: Judged, variant: str) -> float | None:
        pairs = [(read_paths(a), read_paths(b)) for a, b in zip(table.of(variant), table.of(reference), strict=False)]
        shares = [100.0 * len(one & other) / len(one) for one, other in pairs if one]
        return sum(shares) / len(shares) if shares else None

    measures: list[Measure] = [
        ("paths decomposed", "mean", mean_of(lambda r: float(len(r.passes[0].paths)) if r.passes else None)),
        ("paths read", "mean", mean_of(lambda r: float(len(read_paths(r))))),
        ("removed by theta", "mean", mean_of(lambda r: float(r.passes[0].extinct) if r.passes else None)),
        ("over the cap", "mean", mean_of(lambda r: float(r.passes[0].capped) if r.passes else None)),
        ("best by quality among read", "percent", mean_of(lambda r: 100 * r.passes[0].overlap_with_quality)),
        (f"read by {reference} too", "percent", shared),
    ]
    return ablation(cfg, measures, partial(notes, cfg))


def notes(cfg: DictConfig, table: Judged) -> list[str]:
    """What theta did, and why: for each theta, epsilon and cap that variants ran with."""
    ran = {variant: recorded_config(cfg, variant).replicator for variant in table.records}
    alike: dict[ReplicatorConfig, list[str]] = {}
    for variant, config in ran.items():
        if config.selector == "replicator" and config.epsilon > 0:
            bounds = ReplicatorConfig(epsilon=config.epsilon, extinct=config.extinct, most=config.most)
            alike.setdefault(bounds, []).append(variant)
    told = [
        _bounds_note(table, bounds, variants, "variants that mix uniformly" if len(alike) == 1 else ", ".join(variants))
        for bounds, variants in alike.items()
    ]
    without = [str(row) for name, row in cfg.artefact.labels.items() if name in ran and ran[name].epsilon == 0]
    if without:
        told.append(f"The printed bound of 5e-4 can act without mixing only (row {', '.join(without)}).")
    return told


def _bounds_note(table: Judged, bounds: ReplicatorConfig, variants: Sequence[str], whose: str) -> str:
    passes = [found for variant in variants for record in table.of(variant) for found in record.passes]
    least = bounds.epsilon / bounds.extinct if bounds.extinct else math.inf
    most, removed = max((len(found.paths) for found in passes), default=0), sum(found.extinct for found in passes)
    cap = f"left out {sum(found.capped for found in passes)} more" if removed else "selects"
    return (
        f"theta removed {removed} paths from {whose}: each step of eq. 10 leaves every path at least eps / K, so theta "
        f"removes none below K = {least:,.0f}; the most here was K = {most}. The cap of {bounds.most} {cap}."
    )


main = script_main(__file__, run)

if __name__ == "__main__":
    main()
