"""MMLongBench-Doc's first step of scoring: a model takes the short answer out of a reply, then the rules compare it.

The benchmark's protocol (and the KnowForge paper, section 4) scores what a judge model extracts. The words of the
prompt are ours. The call goes through the model client as stage `extractor`, so it is recorded and replayed like any.
"""

from __future__ import annotations

import re
from pathlib import Path

from common.benchmarks.question import Question
from common.llm import LLM, EmptyReply
from common.loose_json import json_objects
from common.metrics.text import parse_answer
from common.prompting import Prompts
from common.records import RunRecord

STAGE = "extractor"
PROMPTS = Prompts.load(Path(__file__).with_name("prompts"))
MAX_TOKENS = 96
MAX_CHARS = 2_000  # of the reply; its end holds the conclusion
SCHEMA = {
    "type": "object",
    "properties": {
        "kind": {"type": "string", "enum": ["number", "list", "text", "none"]},
        "answer": {
            "anyOf": [
                {"type": "string", "maxLength": 200},
                {"type": "array", "items": {"type": "string", "maxLength": 80}, "maxItems": 12},
            ]
        },
    },
    "required": ["kind", "answer"],
}
_NUMBER = re.compile(r"[-+]?\d[\d,]*(?:\.\d+)?\s*%?")
_FINAL_LINE = re.compile(r"^.*FINAL ANSWER\s*[:：].*$", re.IGNORECASE | re.MULTILINE)


def delivered(record: RunRecord) -> str:
    """The reply a user gets: the run's text, its final line as the checker left it."""
    body = _FINAL_LINE.sub("", record.answer_text).strip()[-MAX_CHARS:]
    final = record.answer[0] if len(record.answer) == 1 else str(list(record.answer)) if record.answer else ""
    return f"{body}\nFINAL ANSWER: {final}".strip()


async def extract_answer(llm: LLM, question: Question, record: RunRecord, *, context: str = "") -> tuple[str, ...]:
    """Elements of the short answer; empty where the extractor gave nothing usable. Raises `LLMError`."""
    messages = [
        {"role": "system", "content": PROMPTS.render("extractor_rules")},
        {
            "role": "user",
            "content": PROMPTS.render("extractor", question=question.question, response=delivered(record)),
        },
    ]
    try:
        reply = await llm.complete(
            STAGE, messages, question_id=question.question_id, context=context, sample=record.sample, schema=SCHEMA,
            max_tokens=MAX_TOKENS, temperature=0.0,
        )  # fmt: skip
    except EmptyReply:
        return ()
    return read_extraction(reply.text)


def read_extraction(text: str) -> tuple[str, ...]:
    """The elements in an extractor's reply; empty when it holds no answer.

    Small models call an answer a number and keep its unit, which the rules of the benchmark would not read: where one
    is announced and the answer holds one number only, it is taken without unit and thousands commas.
    """
    data = next((data for data in json_objects(text) if "answer" in data), None)
    if data is None:
        return ()
    answer = data["answer"]
    if isinstance(answer, list) and len(answer) == 1:
        answer = answer[0]
    if isinstance(answer, list):
        return tuple(str(item).strip() for item in answer if str(item).strip())
    numbers = _NUMBER.findall(str(answer)) if data.get("kind") == "number" else []
    return (bare_number(numbers[0]),) if len(numbers) == 1 else parse_answer(str(answer))


def bare_number(text: str) -> str:
    """`13,893` as `13893`, `47 %` as `47%`."""
    return re.sub(r"[,\s]", "", text)
