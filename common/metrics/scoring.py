"""Which answer of a run is scored, and how where the question's gold answer is not at hand."""

from __future__ import annotations

from collections.abc import Sequence

from common.benchmarks.question import Question
from common.metrics.answers import AnswerScore, score_answer
from common.records import RunRecord

SCORING = "scoring"  # the key in `RunRecord.facts`


def scored_answer(record: RunRecord) -> tuple[str, ...]:
    """The extractor's short answer where one was recorded, else the run's own final answer."""
    extracted = record.facts.get(SCORING, {}).get("answer")
    return tuple(extracted) if extracted else record.answer


def is_refused(answer: Sequence[str], refusal: str) -> bool:
    """Whether an answer is the benchmark's refusal."""
    return " ".join(answer).strip().lower() == refusal.lower()


def was_extracted(record: RunRecord) -> bool:
    """Whether a model took the scored answer out of the reply, as MMLongBench-Doc's protocol has it."""
    return bool(record.facts.get(SCORING, {}).get("answer"))


def score_record(scorer: str, question: Question, record: RunRecord) -> AnswerScore:
    """Score a run by the named rule; a question without gold answers has its score in the record.

    Raises ValueError naming the question where neither is there.
    """
    if question.answers:
        return score_answer(scorer, question, scored_answer(record))
    scores = record.facts.get(SCORING, {}).get("scores", {})
    if scorer not in scores:
        raise ValueError(
            f"question {question.question_id} of {question.benchmark} has no gold answer here, and its record of "
            f"{record.system} no score by {scorer!r} (it has {sorted(scores) or 'none'}); record it again"
        )
    primary, em, f1 = scores[scorer]
    return AnswerScore(primary, em, f1)
