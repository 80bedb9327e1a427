"""KnowForge, Appendix B, "Noise": the same system run again, nothing changed but the sample index.

    python -m experiments regenerate appendixB_noise
    python -m experiments record 'systems=[M5]' samples=3 subset=smoke     (what it reads)

Reads every recorded run of the systems, on the questions that all these runs finished. Agents, judge and checker run
at temperature 0, so what differs between runs starts with the synthesizer; `same searches` says how far.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray
from omegaconf import DictConfig

from common.artefact import Artefact, Column
from common.metrics import measure
from common.records import RunRecord
from experiments.artefacts import script_main
from experiments.direction import tested
from experiments.knowforge._rows import printed
from experiments.paired import PairedRuns, paired_repeats, repeat

Vector = NDArray[np.float64]
Scores = tuple[Vector, Vector]  # F1 and exact match in points, by question

MID, FULL = "repeats on mid300", "repeats on the full set"
ITEM = "text_appendix_m3docvqa"
SYSTEM, EARLIER = "M5", "M4"  # 4+4, and the earlier pipeline (Section 3.4)
REPLICA = [
    ("n", "count"), ("F1", "score"), ("EM", "score"), ("flips vs run 1", "text"), ("sign test p vs run 1", "p"),
    ("95% CI vs run 1", "interval"), ("sd", "mean"), ("same searches", "percent"),
]  # fmt: skip


def run(cfg: DictConfig) -> Artefact:
    """Per system one row per run, against its first run, and one with the range of F1 and the paired deviation."""
    spec = cfg.artefact
    paired = paired_repeats(cfg, "knowforge", list(spec.reads.knowforge), int(spec.samples))
    scores = {name: _scores(cfg, paired, name) for name in paired.runs}
    rows = []
    for system in spec.reads.knowforge:
        names = [repeat(system, sample) for sample in range(int(spec.samples))]
        names = [name for name in names if name in paired.runs or _printed(name) != [None] * 3]
        rows += [[name, *_printed(name), *_replica(spec, paired, scores, names[0], name)] for name in names]
        ours = _range(paired, [scores[name] for name in names if name in scores])
        rows.append([f"{system}, all its runs", *_printed_range(system), *ours])
    columns = [
        Column("run", "label"), *(Column(name, "published") for name in ("F1", "flips vs run 1", "sd")),
        *(Column(name, "replica", kind, paired.source) for name, kind in REPLICA),  # type: ignore[arg-type]
    ]  # fmt: skip
    return Artefact.from_rows(
        spec.name, spec.paper, spec.item, spec.title, columns, rows, notes=(*_notes(), *paired.notes())
    )


def _printed(name: str) -> list[str | None]:
    """F1, flips and deviation the paper prints for one run."""
    number = name.rpartition(" ")[2]
    if name.startswith(f"{SYSTEM} "):
        return [printed(ITEM, MID, f"run {number}"), None, None]
    won, lost = printed(ITEM, FULL, "won"), printed(ITEM, FULL, "lost")
    return [None, f"{won}:{lost}" if name == repeat(EARLIER, 1) else None, None]


def _printed_range(system: str) -> list[str | None]:
    if system == SYSTEM:
        return [printed("text_main_results", "plateau", "range"), None, printed(ITEM, "deviation", "sd")]
    return [printed(ITEM, FULL, "difference") if system == EARLIER else None, None, None]


def _replica(spec: DictConfig, paired: PairedRuns, scores: dict[str, Scores], first: str, name: str) -> list[Any]:
    if name not in scores:
        return [None] * len(REPLICA)
    f1, em = scores[name]
    head = [paired.source.n, float(f1.mean()), float(em.mean())]
    if name == first or first not in scores:
        return [*head, *[None] * 5]
    reference = scores[first][0]
    same = [_queries(a) == _queries(b) for a, b in zip(paired.runs[name], paired.runs[first], strict=True)]
    tests = tested(list(f1), list(reference), spec)
    return [*head, *tests, _deviation([f1, reference]), 100 * float(np.mean(same))]


def _range(paired: PairedRuns, runs: list[Scores]) -> list[Any]:
    """Largest less smallest F1 and the deviation over all pairs; blank for fewer than two runs."""
    if len(runs) < 2:
        return [None] * len(REPLICA)
    f1, em = [scores[0] for scores in runs], [scores[1] for scores in runs]
    spans = [float(np.ptp([scores.mean() for scores in measured])) for measured in (f1, em)]
    return [paired.source.n, *spans, None, None, None, _deviation(f1), None]


def _scores(cfg: DictConfig, paired: PairedRuns, name: str) -> Scores:
    """F1 and exact match of one run in points, by question."""
    rows = measure(cfg.benchmark.scorer, paired.questions, paired.runs[name])
    return np.array([100 * row.score.f1 for row in rows]), np.array([100 * row.score.em for row in rows])


def _deviation(runs: list[Vector]) -> float | None:
    """Per-question standard deviation of the paired difference on the 0-1 scale, pooled over all pairs of runs."""
    if runs[0].size < 2:
        return None
    variances = [float(np.var(a - b, ddof=1)) for a, b in combinations(runs, 2)]
    return float(np.sqrt(np.mean(variances))) / 100


def _queries(record: RunRecord) -> list[str]:
    return [search.query for search in record.searches]


def _notes() -> tuple[str, ...]:
    errors = [printed(ITEM, "deviation", f"standard error on {where}") for where in ("300", "the full set")]
    return (
        f"The row of all runs has the largest less the smallest F1 and EM. {EARLIER} stands for the earlier pipeline "
        "of which the paper repeats a full run.",
        f"sd: deviation of a question's paired F1 difference, on the 0-1 scale. The paper prints one "
        f"({printed(ITEM, 'deviation', 'sd')}) without naming the pair and takes from it the paired standard errors "
        f"{errors[0]} on 300 questions and {errors[1]} on the full set; ours is pooled over the repeats of a system.",
        "same searches: questions on which a run sent the queries of run 1. Agents, judge and checker run at "
        "temperature 0, the synthesizer samples.",
    )


main = script_main(__file__, run)

if __name__ == "__main__":
    main()
