"""FlowReader, Table 3: what forward propagation and diffusion earn in the node score.

    python -m experiments regenerate table03_scoring_ablation
    python -m experiments.flowreader.table03_scoring_ablation benchmark=pocket_visdom model=qwen2.5-coder-1.5b

Reads the run records of the variants on the questions that all of them finished, and the printed table.
"""

from __future__ import annotations

from statistics import fmean

from omegaconf import DictConfig

from common.artefact import Artefact
from experiments.artefacts import script_main
from experiments.flowreader._ablation import Measure, ablation, mean_of, read_paths
from experiments.flowreader._judged import Judged


def run(cfg: DictConfig) -> Artefact:
    """The ablation, with what the scores led to before a model read: evidence pages, saturation, path length."""
    measures: list[Measure] = [
        ("evidence pages on read paths", "percent", page_recall),
        ("sigma", "mean", mean_of(lambda r: r.passes[0].saturation if r.passes else None)),
        ("nodes of a read path", "mean", mean_of(lambda r: _length(read_paths(r)))),
    ]
    return ablation(cfg, measures, lambda _: ["Evidence pages, sigma and lengths are of the first pass."])


def page_recall(table: Judged, variant: str) -> float | None:
    """Share of a question's evidence pages that nodes of the read paths stand on, mean over questions that name any."""
    shares = []
    for question, record in zip(table.paired.questions, table.of(variant), strict=False):
        gold = {(e.document_id, e.page) for e in question.evidence if e.page is not None}
        found = {(hit.document_id, hit.page) for search in record.run.searches[:1] for hit in search.hits}
        if gold:
            shares.append(100.0 * len(gold & found) / len(gold))
    return fmean(shares) if shares else None


def _length(paths: frozenset[tuple[str, ...]]) -> float | None:
    return fmean(map(len, paths)) if paths else None


main = script_main(__file__, run)

if __name__ == "__main__":
    main()
