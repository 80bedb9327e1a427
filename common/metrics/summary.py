"""From run records and questions to per-question rows and their means: what the tables read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from common.benchmarks.question import Question
from common.metrics.answers import AnswerScore
from common.metrics.behaviour import AtCap, Behaviour, at_cap, behaviour
from common.metrics.retrieval import Retrieval, retrieval
from common.metrics.scoring import score_record
from common.records import RunRecord

_NOTHING = AnswerScore(0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Row:
    """All measures of one question's run. A failed run scores 0 and keeps what it did before it failed."""

    question_id: str
    failed: bool
    score: AnswerScore
    retrieval: Retrieval | None
    behaviour: Behaviour
    answer_visible: bool
    locator_at_cap: AtCap | None
    reader_at_cap: AtCap | None


@dataclass(frozen=True)
class Summary:
    """Means over questions, as shares in [0, 1] or counts per question; None where nothing was measured."""

    n: int
    failed: int
    primary: float
    em: float
    f1: float
    r1: float | None
    r3: float | None
    r8: float | None
    r_all: float | None
    document_found: float | None
    answer_visible: float
    searches: float
    reads: float
    no_read: float
    read_media_calls: float
    images_read: float
    model_calls: float
    locator_stopped_at_cap: float | None
    locator_calls_at_cap: float | None
    reader_stopped_at_cap: float | None
    reader_calls_at_cap: float | None


def measure(scorer: str, questions: Sequence[Question], records: Iterable[RunRecord]) -> list[Row]:
    """One row per question, in the order of `questions`, so that rows of two systems pair up by position.

    Raises ValueError naming the question when a record is missing, doubled or answers no question of the list.
    """
    by_id: dict[str, RunRecord] = {}
    for record in records:
        if record.question_id in by_id:
            raise ValueError(f"question {record.question_id!r} has two records of {record.system!r}; keep one sample")
        by_id[record.question_id] = record
    wanted = {question.question_id for question in questions}
    missing = [q.question_id for q in questions if q.question_id not in by_id]
    strange = sorted(set(by_id) - wanted)
    if missing or strange:
        raise ValueError(
            f"{len(missing)} questions have no record (first: {missing[:3]}), {len(strange)} records belong to "
            f"no question (first: {strange[:3]}); record what is missing or name the subset that was run"
        )
    return [_row(scorer, question, by_id[question.question_id]) for question in questions]


def _row(scorer: str, question: Question, record: RunRecord) -> Row:
    failed = record.status == "failed"
    return Row(
        question_id=question.question_id,
        failed=failed,
        score=_NOTHING if failed else score_record(scorer, question, record),
        retrieval=retrieval(record, question.gold_documents),
        behaviour=behaviour(record),
        answer_visible=record.answer_visible,
        locator_at_cap=at_cap(record, "locator"),
        reader_at_cap=at_cap(record, "reader"),
    )


def _mean(values: Iterable[float]) -> float:
    return float(np.mean(list(values)))


def _mean_or_none(values: Iterable[float]) -> float | None:
    kept = list(values)
    return float(np.mean(kept)) if kept else None


def summarise(rows: Sequence[Row]) -> Summary:
    """Means of the rows. Recall is averaged over questions that have gold documents. Raises ValueError on no rows."""
    if not rows:
        raise ValueError("no rows to summarise: the run has no questions")
    found = [row.retrieval for row in rows if row.retrieval is not None]
    locator = [row.locator_at_cap for row in rows if row.locator_at_cap is not None]
    reader = [row.reader_at_cap for row in rows if row.reader_at_cap is not None]
    behaviours = [row.behaviour for row in rows]
    return Summary(
        n=len(rows),
        failed=sum(row.failed for row in rows),
        primary=_mean(row.score.primary for row in rows),
        em=_mean(row.score.em for row in rows),
        f1=_mean(row.score.f1 for row in rows),
        r1=_mean_or_none(r.r1 for r in found),
        r3=_mean_or_none(r.r3 for r in found),
        r8=_mean_or_none(r.r8 for r in found),
        r_all=_mean_or_none(r.r_all for r in found),
        document_found=_mean_or_none(r.document_found for r in found),
        answer_visible=_mean(row.answer_visible for row in rows),
        searches=_mean(b.searches for b in behaviours),
        reads=_mean(b.reads for b in behaviours),
        no_read=_mean(b.never_read for b in behaviours),
        read_media_calls=_mean(b.read_media_calls for b in behaviours),
        images_read=_mean(b.images_read for b in behaviours),
        model_calls=_mean(b.model_calls for b in behaviours),
        locator_stopped_at_cap=_mean_or_none(c.stopped for c in locator),
        locator_calls_at_cap=_mean_or_none(c.calls for c in locator),
        reader_stopped_at_cap=_mean_or_none(c.stopped for c in reader),
        reader_calls_at_cap=_mean_or_none(c.calls for c in reader),
    )
