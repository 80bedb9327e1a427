"""FlowReader, Table 2: what path selector, entropy term and initialisation of the replicator earn.

    python -m experiments regenerate table02_selector_ablation
    python -m experiments.flowreader.table02_selector_ablation benchmark=pocket_visdom model=qwen2.5-coder-1.5b

Reads the run records of the variants on the questions that all of them finished, and the printed table.
"""

from __future__ import annotations

from omegaconf import DictConfig

from common.artefact import Artefact
from experiments.artefacts import script_main
from experiments.flowreader._ablation import Measure, ablation, mean_of, read_paths
from experiments.flowreader._judged import Judged
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
    return ablation(cfg, measures, notes)


def notes(table: Judged) -> list[str]:
    """What theta did, and why."""
    config = ReplicatorConfig()
    least = config.epsilon / config.extinct
    mixing = [r for variant in table.records if variant not in ("eps0", "greedy_topk") for r in table.of(variant)]
    most = max((len(p.paths) for record in mixing for p in record.passes), default=0)
    removed = sum(p.extinct for record in mixing for p in record.passes)
    return [
        f"theta removed {removed} paths from variants that mix uniformly: each step of eq. 10 leaves every path at "
        f"least eps / K, so theta removes none below K = {least:,.0f}; the most here was K = {most}. The cap of "
        f"{config.most} selects.",
        "The printed bound of 5e-4 can act without mixing only (row No entropy).",
    ]


main = script_main(__file__, run)

if __name__ == "__main__":
    main()
