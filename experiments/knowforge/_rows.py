"""What the tables of recorded systems share: printed rows and cells, measured rows."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from statistics import fmean

import numpy as np
from omegaconf import DictConfig

from common.artefact import ClaimVerdict, Source
from common.metrics import Retrieval, Row, measure
from common.records import RunRecord
from experiments.direction import Scores, direction_claims, paired_settings
from experiments.paired import PairedRuns, paired_runs
from experiments.printed import rows_of, value_or_none

PAPER = "knowforge"
printed = partial(value_or_none, PAPER)  # item, row, column -> the cell as printed, None where the paper has none
# Names of the systems in the round-cap sweep; the others are called M5-L+R.
CAPS = {"S4": "0+0", "M5": "4+4"}


@dataclass(frozen=True)
class Measured:
    """The rows of a table in its order. A row without recorded runs is in `labels` only."""

    paired: PairedRuns
    labels: tuple[str, ...]
    rows: dict[str, list[Row]]  # label -> one measured row per question
    records: dict[str, tuple[RunRecord, ...]]

    @property
    def source(self) -> Source:
        return self.paired.source

    def scores(self, score: Callable[[Row], float]) -> dict[str, list[float]]:
        """One number per question for every recorded row."""
        return {label: [score(row) for row in rows] for label, rows in self.rows.items()}

    def f1(self) -> dict[str, list[float]]:
        """F1 in points."""
        return self.scores(lambda row: 100 * row.score.f1)

    def found(self) -> dict[str, list[float]]:
        """100 where all documents were found, over the questions that have gold documents."""
        return self._retrieved(lambda found: 100.0 * found.document_found)

    def first_recall(self) -> dict[str, list[float]]:
        """R@8 of the first search in percent, over the questions that have gold documents."""
        return self._retrieved(lambda found: 100.0 * found.r8)

    def union_recall(self) -> dict[str, list[float]]:
        """R@all in percent, over the questions that have gold documents."""
        return self._retrieved(lambda found: 100.0 * found.r_all)

    def _retrieved(self, value: Callable[[Retrieval], float]) -> dict[str, list[float]]:
        return {label: [value(row.retrieval) for row in rows if row.retrieval] for label, rows in self.rows.items()}

    def seconds(self, timed: Collection[str] | None) -> dict[str, list[float]]:
        """Recorded seconds per question of the rows in `timed`, all rows where it is None.

        A run's time is that of its recorded replies. Replies made under other load, or on another server, than those
        of the next row say nothing about the two systems, so an artefact names the rows that may be compared.
        """
        kept = {label: runs for label, runs in self.records.items() if timed is None or label in timed}
        return {label: [record.elapsed_s for record in runs] for label, runs in kept.items()}

    def on(self, count: int) -> Source:
        """The source of a cell that `count` of the questions are behind."""
        return replace(self.source, n=count)


def measured(cfg: DictConfig, item: str, name: Callable[[str], str] = str) -> Measured:
    """Measure the systems an artefact reads, all of them optional; `name` gives a system's label in `item`.

    Rows are the printed ones of `item` in its order, then systems it does not print. Raises `NoTraces`.
    """
    table = measured_systems(cfg, name)
    return replace(table, labels=tuple(dict.fromkeys([*rows_of(PAPER, item), *table.labels])))


def measured_systems(cfg: DictConfig, name: Callable[[str], str] = str) -> Measured:
    """The same for a table whose rows are no systems: labels are those of the systems alone."""
    systems = [str(system) for system in cfg.artefact.reads.knowforge]
    paired = paired_runs(cfg, PAPER, systems, optional=systems)
    records = {name(system): runs for system, runs in paired.runs.items()}
    rows = {label: measure(cfg.benchmark.scorer, paired.questions, runs) for label, runs in records.items()}
    return Measured(paired, tuple(map(name, systems)), rows, records)


def percentiles(seconds: Sequence[float] | None) -> list[float | None]:
    """The 50th and 90th percentile; None where nothing was timed."""
    return [float(value) for value in np.percentile(seconds, [50, 90])] if seconds else [None, None]


def timed_note(timed: Collection[str] | None) -> tuple[str, ...]:
    """Which rows have a time at all; nothing to say where all have."""
    if timed is None:
        return ()
    why = "the others hold replies recorded under other load, and would compare servers instead of systems"
    return (f"Times of {', '.join(timed) or 'no row'}: {why}.",)


def cap(system: str) -> str:
    """The caps L+R by which the sweep calls a system."""
    return CAPS.get(system, system.removeprefix("M5-"))


def verdicts(spec: DictConfig, table: Measured, scores: Mapping[str, Scores]) -> tuple[ClaimVerdict, ...]:
    """Verdicts on all claims of an artefact, `claims` by measure; `scores` holds each measure's, by row label.

    Raises ValueError for a measure without scores.
    """
    made: list[ClaimVerdict] = []
    for name, claims in spec.claims.items():
        if name not in scores:
            raise ValueError(f"{spec.name}: no scores of {name!r} for its claims; there are {', '.join(scores)}")
        source = table.on(len(next(iter(scores[name].values()), table.paired.questions)))
        made += direction_claims(claims, scores[name], source, measure=name, **paired_settings(spec))
    return tuple(made)


def percent(share: float | None) -> float | None:
    return None if share is None else 100 * share


def locator_calls(record: RunRecord) -> int:
    """Tool calls of the Locator and follow-up searches of the judge (caption of table 8)."""
    return sum(call.stage == "locator" for call in record.tools) + sum(s.issuer == "judge" for s in record.searches)


def mean_where(records: Sequence[RunRecord], stage: str, count: Callable[[RunRecord], float]) -> float | None:
    """Mean of a count over the questions; None for a system that has no such stage."""
    has = any(s.name == stage for record in records for s in record.stages)
    return fmean(map(count, records)) if has else None
