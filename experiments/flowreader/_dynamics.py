"""The replicator's course on one recorded query, computed again from the paths in the record: no model, no graph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from omegaconf import DictConfig

from common.arrays import Floats
from common.artefact import Source
from common.benchmarks.question import Question
from experiments.flowreader._judged import PAPER, recorded_config
from experiments.paired import PairedRuns, paired_runs
from flowreader.config import FlowReaderConfig
from flowreader.decomposition import Path
from flowreader.records import FlowRecord, Pass
from flowreader.replicator import ReplicatorConfig, payoff_matrix, replicate, start_population


@dataclass(frozen=True)
class Course:
    """A query's candidate paths: q (K,), A (K, K), x after 0, 1, ... steps (T + 1, K), and which were read."""

    quality: Floats
    payoff: Floats
    population: Floats
    kept: tuple[int | None, ...]  # rank among the read paths
    nodes: tuple[tuple[str, ...], ...]
    apart: float  # greatest distance between x recorded and x computed here

    @property
    def read(self) -> int:
        """How many of the paths were read."""
        return sum(rank is not None for rank in self.kept)


@dataclass(frozen=True)
class Queries:
    """The finished queries of one variant that flow was routed for, with the settings they ran with."""

    paired: PairedRuns
    config: FlowReaderConfig
    records: tuple[FlowRecord, ...]

    @property
    def source(self) -> Source:
        return replace(self.paired.source, n=len(self.records))

    def chosen(self, question_id: str | None) -> tuple[Question, FlowRecord]:
        """The named query; by default the one of most candidate paths, the first of several.

        Raises `ValueError` naming a question that was not recorded.
        """
        by_id = {question.question_id: question for question in self.paired.questions}
        found = [record for record in self.records if question_id in (None, record.run.question_id)]
        if not found:
            known = ", ".join(record.run.question_id for record in self.records)
            raise ValueError(f"question {question_id} has no recorded paths; recorded: {known}")
        best = max(found, key=lambda record: len(record.passes[0].paths))
        return by_id[best.run.question_id], best

    def course(self, record: FlowRecord) -> Course:
        return course(record.passes[0], self.config.replicator)


def queries(cfg: DictConfig) -> Queries:
    """The queries of the artefact's first variant. Raises `NoTraces`."""
    [variant, *_] = list(cfg.artefact.reads.flowreader)
    paired = paired_runs(cfg, PAPER, [str(variant)])
    records = tuple(map(FlowRecord.from_run, paired.runs[str(variant)]))
    routed = tuple(record for record in records if record.passes and record.passes[0].paths)
    return Queries(paired, recorded_config(cfg, str(variant)), routed)


def course(facts: Pass, config: ReplicatorConfig) -> Course:
    """Iterate eq. 9-10 again from the recorded flows and qualities (6 digits), one step at a time."""
    paths = [Path(path.nodes, path.flow) for path in facts.paths]
    quality = np.array([path.quality for path in facts.paths])
    payoff = payoff_matrix(paths, quality)
    steps = [start_population(paths, quality, config.initialisation)]
    one = replace(config, iterations=1)
    for _ in range(facts.steps["replicator"]):
        steps.append(replicate(payoff, steps[-1], one)[0])
    recorded = np.array([path.population for path in facts.paths])
    return Course(
        quality, payoff, np.array(steps), tuple(path.kept for path in facts.paths),
        tuple(map(facts.ids_of, facts.paths)),
        float(np.abs(recorded - steps[-1]).max(initial=0.0)),
    )  # fmt: skip


def by_quality(quality: Sequence[float] | Floats) -> list[int]:
    """Paths, the best first; equals in their order."""
    return np.argsort(-np.asarray(quality), kind="stable").tolist()
