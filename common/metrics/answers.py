"""The answer scorers behind one call: a question, the answer's elements and the name of the rule."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from common.benchmarks.question import Question
from common.metrics import m3docvqa, mmlongbench, multihop_rag, visdombench


@dataclass(frozen=True)
class AnswerScore:
    """Scores in [0, 1]. `primary` is the number the paper reports: F1, judge accuracy or word intersection.

    `em` is exact match (MMLongBench-Doc: rule score of 1), `f1` token or list F1 (MMLongBench-Doc: rule score).
    """

    primary: float
    em: float
    f1: float


def _m3docvqa(question: Question, predicted: Sequence[str]) -> AnswerScore:
    return _list_score(tuple(predicted), tuple(question.answers), official=False)


def _m3docvqa_official(question: Question, predicted: Sequence[str]) -> AnswerScore:
    return _list_score(tuple(predicted), tuple(question.answers), official=True)


@lru_cache(maxsize=50_000)  # the same runs stand in several tables
def _list_score(predicted: tuple[str, ...], gold: tuple[str, ...], *, official: bool) -> AnswerScore:
    result = (m3docvqa.score_official if official else m3docvqa.score)(predicted, gold)
    return AnswerScore(result.f1, result.em, result.f1)


def _one_string(predicted: Sequence[str]) -> str:
    """A list answer as the literal that the rule scorer reads back."""
    return predicted[0] if len(predicted) == 1 else str(list(predicted)) if predicted else ""


def _mmlongbench(question: Question, predicted: Sequence[str]) -> AnswerScore:
    gold = str(question.extra.get("gold", _one_string(question.answers)))
    value = mmlongbench.score(_one_string(predicted), gold, question.answer_format)
    return AnswerScore(value, float(value == 1), value)


def _multihop_rag(question: Question, predicted: Sequence[str]) -> AnswerScore:
    answer, gold = " ".join(predicted), " ".join(question.answers)
    result = multihop_rag.score(answer, gold)
    return AnswerScore(multihop_rag.word_intersection(answer, gold), result.em, result.f1)


def _visdombench(question: Question, predicted: Sequence[str]) -> AnswerScore:
    result = visdombench.score(predicted, question.answers)
    return AnswerScore(result.f1, result.em, result.f1)


SCORERS: dict[str, Callable[[Question, Sequence[str]], AnswerScore]] = {
    "m3docvqa": _m3docvqa,
    "m3docvqa_official": _m3docvqa_official,
    "mmlongbench": _mmlongbench,
    "multihop_rag": _multihop_rag,
    "visdombench": _visdombench,
}


def score_answer(scorer: str, question: Question, predicted: Sequence[str]) -> AnswerScore:
    """Score an answer by the named rule (`SCORERS`). Raises ValueError on an unknown name."""
    if scorer not in SCORERS:
        raise ValueError(f"unknown scorer {scorer!r}; there are {', '.join(sorted(SCORERS))}")
    return SCORERS[scorer](question, predicted)
