"""FlowReader's variants on the same questions: judged accuracy by subset, and what their passes did."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from statistics import fmean
from typing import Any

from omegaconf import DictConfig

from common.artefact import ClaimVerdict, Column, Source
from common.benchmarks.question import NOT_ANSWERABLE
from common.metrics import measure
from common.records import RunRecord
from common.traces import TraceKey
from experiments.direction import direction_claims, paired_settings, tested
from experiments.paired import PairedRuns, paired_runs, workspace_of
from experiments.printed import value_or_none
from experiments.running.provenance import read_config
from flowreader.config import FlowReaderConfig
from flowreader.grading import Accuracy, Judgement, accuracy
from flowreader.records import FlowRecord

PAPER, MEASURE = "flowreader", "judged accuracy over all subsets"
printed = partial(value_or_none, PAPER)  # item, row, column -> the cell as printed, None where the paper has none
SUBSETS = ("SPIQA", "FetaTab", "PaperTab", "SciGraphQA", "SlideVQA")
ALL = "all"  # every question, whatever its subset


@dataclass(frozen=True)
class Judged:
    """Variants on the questions all of them finished and the judge gave verdicts on. A variant may be absent."""

    paired: PairedRuns
    records: Mapping[str, tuple[FlowRecord, ...]]  # variant -> one record per question of `paired`
    unjudged: tuple[str, ...]  # ids of questions left out for want of a verdict

    @cached_property
    def places(self) -> dict[str, list[int]]:
        """Subset -> its questions' places; subsets without a question are absent."""
        found: dict[str, list[int]] = {ALL: list(range(len(self.paired.questions)))}
        for place, question in enumerate(self.paired.questions):
            name = next((s for s in SUBSETS if s.lower() == question.question_type.lower().replace("_", "")), None)
            if name is not None:
                found.setdefault(name, []).append(place)
        return found

    def source(self, subset: str = ALL) -> Source:
        return replace(self.paired.source, n=len(self.places.get(subset, ())))

    def of(self, variant: str, subset: str = ALL) -> list[FlowRecord]:
        """The records of a variant on a subset; none where it was not recorded."""
        records = self.records.get(variant, ())
        return [records[place] for place in self.places.get(subset, ())] if records else []

    def accuracy(self, variant: str, subset: str = ALL) -> Accuracy | None:
        """Mean and spread over the runs of the judge."""
        records = self.of(variant, subset)
        return accuracy(list(zip(*(record.judgements for record in records), strict=True))) if records else None

    def points(self, variant: str, subset: str = ALL) -> list[float]:
        """Each question's share of verdicts that were right, in points."""
        return [points for record in self.of(variant, subset) if (points := record.points) is not None]

    def scores(self, subset: str = ALL) -> dict[str, list[float]]:
        return {variant: self.points(variant, subset) for variant in self.records}

    def overlap(self, variant: str, scorer: str) -> float | None:
        """Mean score of the benchmark's own rule, word overlap, in points."""
        if variant not in self.records:
            return None
        rows = measure(scorer, self.paired.questions, self.paired.runs[variant])
        return 100.0 * fmean(row.score.primary for row in rows)

    def certainly_wrong(self, scorer: str) -> list[Judgement]:
        """The verdicts on answers that no word of the gold answer stands in.

        A refusal is left out: no judge takes it for an answer, so it would only make this one look strict.
        """
        return [
            verdict
            for variant, records in self.records.items()
            for row, record in zip(
                measure(scorer, self.paired.questions, self.paired.runs[variant]), records, strict=True
            )
            if row.score.primary == 0.0 and _answered(record)
            for verdict in record.judgements
        ]

    def lenience(self, scorer: str) -> str:
        """What the judge makes of answers that are certainly wrong."""
        verdicts = self.certainly_wrong(scorer)
        granted = sum(bool(verdict.correct) for verdict in verdicts)
        return (
            f"Of {len(verdicts)} verdicts on answers that share no word with the gold answer, refusals left out, "
            f"{granted} say right."
        )

    def notes(self) -> tuple[str, ...]:
        judges = sorted({j.model for records in self.records.values() for record in records for j in record.judgements})
        runs = max((len(record.judgements) for records in self.records.values() for record in records), default=0)
        said = [f"Judge: {', '.join(judges)}, {runs} runs of each answer; the deviation is over these runs alone."]
        if self.unjudged:
            said.append(f"Left out, a judge's reply could not be read: {', '.join(self.unjudged)}.")
        return (*self.paired.notes(), *said)


def recorded_config(cfg: DictConfig, variant: str) -> FlowReaderConfig:
    """The settings that a recorded variant ran with, from beside its trace."""
    key = TraceKey(str(cfg.benchmark.name), str(cfg.model.name), PAPER, variant)
    described = dict(read_config(key, workspace_of(cfg).records)["system"])
    described.pop("judge", None)
    return FlowReaderConfig.from_mapping(described)


def judged(cfg: DictConfig, variants: Sequence[str]) -> Judged:
    """Read the variants, all of them optional. Raises `NoTraces` where there is no question to compare."""
    paired = paired_runs(cfg, PAPER, list(variants), optional=list(variants))
    records = {name: tuple(map(FlowRecord.from_run, runs)) for name, runs in paired.runs.items()}
    kept = [n for n in range(len(paired.questions)) if all(own[n].points is not None for own in records.values())]
    left = [q.question_id for n, q in enumerate(paired.questions) if n not in kept]
    runs: dict[str, tuple[RunRecord, ...]] = {name: tuple(own[n] for n in kept) for name, own in paired.runs.items()}
    questions = tuple(paired.questions[n] for n in kept)
    records = {name: tuple(own[n] for n in kept) for name, own in records.items()}
    return Judged(replace(paired, questions=questions, runs=runs), records, tuple(left))


def _answered(record: FlowRecord) -> bool:
    return " ".join(record.run.answer).strip().lower() not in ("", NOT_ANSWERABLE.lower())


def printed_spread(item: str, row: str, subset: str) -> str | None:
    """`74.23 ± 0.70`, as the paper prints it."""
    mean, std = printed(item, row, subset), printed(item, row, f"{subset} std")
    return None if mean is None else f"{mean} ± {std}"


def spread_columns(subset: str, source: Source) -> list[Column]:
    return [
        Column(f"{subset} accuracy", "replica", "score", source),
        Column(f"{subset} std", "replica", "mean", source),
    ]


def spread_cells(found: Accuracy | None) -> list[float | None]:
    return [None, None] if found is None else [found.mean, found.std]


def tested_against(table: Judged, variant: str, spec: DictConfig) -> list[Any]:
    """The paired test of a variant against the reference; three blanks for the reference itself or an absent one."""
    first, second = table.points(variant), table.points(str(spec.reference))
    return tested(first or None, second or None, spec) if variant != spec.reference else [None] * 3


def verdicts(spec: DictConfig, table: Judged) -> tuple[ClaimVerdict, ...]:
    """Verdicts on the artefact's claims of direction, over all subsets."""
    return direction_claims(
        spec.claims, table.scores(), table.source(), measure=MEASURE, **paired_settings(spec)
    )  # fmt: skip
