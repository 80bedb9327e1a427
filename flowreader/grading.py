"""The accuracy judge (FlowReader appendix F, C.1): 1 or 0 for an answer, and the mean and spread of several runs."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from common.benchmarks.question import NOT_ANSWERABLE, Question
from common.llm import LLM, EmptyReply
from common.loose_json import json_objects
from common.prompting import Prompts

JUDGE_SCHEMA = {
    "type": "object",
    "properties": {"reasoning": {"type": "string", "maxLength": 100}, "accuracy": {"enum": [0, 1]}},
    "required": ["reasoning", "accuracy"],
}
STAGE = "grader"  # the judge of KnowForge's bridges is called "judge"


@dataclass(frozen=True)
class Judgement:
    """One verdict. `correct` is None when the judge gave none that could be read: that is not a 0."""

    question_id: str
    correct: bool | None
    reason: str
    model: str
    seed: int | None
    sample: int


@dataclass(frozen=True)
class Accuracy:
    """Percent correct: mean of the runs, their sample standard deviation (0 for one run), and sizes."""

    mean: float
    std: float
    runs: int
    questions: int


def gold_answer(question: Question, refusal: str = NOT_ANSWERABLE) -> str:
    """The gold answer in one line; an unanswerable question's is the refusal."""
    return "; ".join(question.answers) if question.answerable and question.answers else refusal


async def judge_answer(
    question: Question,
    answer: str,
    llm: LLM,
    prompts: Prompts,
    *,
    sample: int = 0,
    context: str = "",
    max_tokens: int = 80,
    temperature: float | None = None,
) -> Judgement:
    """Ask the judge; no answer counts as "Not answerable", "||" in a gold answer parts alternatives.

    Raises `LLMError`: an answer that could not be judged is not a wrong one.
    """
    content = prompts.render(
        "judge", question=question.question, gold=gold_answer(question), answer=answer.strip() or NOT_ANSWERABLE
    )
    profile = llm.profile(STAGE)
    seed = None if profile.seed is None else profile.seed + sample
    try:
        reply = await llm.complete(
            STAGE, [{"role": "user", "content": content}], question_id=question.question_id, context=context,
            sample=sample, max_tokens=max_tokens, schema=JUDGE_SCHEMA, temperature=temperature,
        )  # fmt: skip
    except EmptyReply as error:
        return Judgement(question.question_id, None, str(error), profile.model, seed, sample)
    correct, reason = read_judgement(reply.text)
    return Judgement(question.question_id, correct, reason, profile.model, seed, sample)


def read_judgement(text: str) -> tuple[bool | None, str]:
    """The verdict in a reply; None when there is none that can be read."""
    for data in json_objects(text):
        value = str(data.get("accuracy", "")).strip()
        if value in ("0", "1", "0.0", "1.0"):
            return value.startswith("1"), str(data.get("reasoning", ""))
    return None, f"unreadable: {' '.join(text.split())[:120]}"


def accuracy(runs: Sequence[Sequence[Judgement]]) -> Accuracy:
    """Mean and spread over runs of the same questions.

    Raises `ValueError` when there is no run, runs judge different questions, or one has no verdict, naming it.
    """
    if not runs or not runs[0]:
        raise ValueError("no judgements: judge at least one run")
    asked = sorted(j.question_id for j in runs[0])
    for number, run in enumerate(runs):
        if sorted(j.question_id for j in run) != asked:
            raise ValueError(f"run {number} judges other questions than run 0: judge all of them")
        for judgement in run:
            if judgement.correct is None:
                raise ValueError(f"run {number}, question {judgement.question_id}: no verdict ({judgement.reason})")
    scores = [100.0 * sum(bool(j.correct) for j in run) / len(run) for run in runs]
    spread = statistics.stdev(scores) if len(scores) > 1 else 0.0
    return Accuracy(round(statistics.fmean(scores), 6), round(spread, 6), len(runs), len(asked))
