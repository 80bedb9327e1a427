"""The extractor of MMLongBench-Doc's protocol: what it is shown, how its replies are read, which answer is scored."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from flowreader_fakes import FakeLLM
from knowforge_fakes import ScriptedLLM

from common.benchmarks.question import Question
from common.llm import EmptyReply
from common.metrics import measure, score_record, scored_answer, was_extracted
from common.metrics.extraction import MAX_CHARS, STAGE, delivered, extract_answer, read_extraction
from common.records import RunRecord

QUESTION = Question("q1", "mmlongbench", "How many people work there?", ("13893",), answer_format="Int")
RECORD = RunRecord(
    "q1", "mmlongbench", "knowforge", "M5", "model", "hash", "commit", "done", answer=("13,893 employees",),
    answer_text="Item 1 counts 13,893 employees.\nFINAL ANSWER: about 13,893 employees",
)  # fmt: skip


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ('{"kind": "number", "answer": "13,893 employees"}', ("13893",)),
        ('{"kind": "number", "answer": "-4.50 million"}', ("-4.50",)),
        ('{"kind": "number", "answer": "47 %"}', ("47%",)),
        ('{"kind": "number", "answer": "3 of 5"}', ("3 of 5",)),  # which of the two is the answer?
        ('{"kind": "number", "answer": 7}', ("7",)),
        ('{"kind": "number", "answer": ["1,200 m"]}', ("1200",)),
        ('{"kind": "text", "answer": "Route 66"}', ("Route 66",)),
        ('{"kind": "list", "answer": ["Kenya", " Peru ", ""]}', ("Kenya", "Peru")),
        ('{"kind": "text", "answer": "[\'a\', \'b\']"}', ("a", "b")),
        ('{"kind": "none", "answer": "Not answerable"}', ("Not answerable",)),
        ('Sure: {"answer": "red"} is it', ("red",)),
        ('{"kind": "text", "answer": ""}', ()),
        ('{"kind": "text"}', ()),
        ("the answer is red", ()),
    ],
)
def test_replies(reply: str, answer: tuple[str, ...]) -> None:
    assert read_extraction(reply) == answer


def test_it_is_shown_the_reply_as_delivered_and_never_the_gold_answer() -> None:
    llm = FakeLLM(lambda stage, prompt: '{"kind": "number", "answer": "13,893 employees"}')
    assert asyncio.run(extract_answer(llm, QUESTION, RECORD)) == ("13893",)  # type: ignore[arg-type]
    [(stage, prompt)] = llm.prompts
    assert stage == STAGE and "How many people work there?" in prompt and "Item 1 counts" in prompt
    assert prompt.endswith("FINAL ANSWER: 13,893 employees") and "about" not in prompt  # the checker's line
    assert "13893" not in prompt


def test_it_is_asked_without_chance_and_for_each_sample_anew() -> None:
    llm = ScriptedLLM({STAGE: ['{"answer": "red"}']})
    asyncio.run(extract_answer(llm, QUESTION, replace(RECORD, sample=2)))  # type: ignore[arg-type]
    [options] = llm.options[STAGE]
    assert (options["temperature"], options["sample"], options["question_id"]) == (0.0, 2, "q1")


def test_a_list_stays_a_list_and_a_long_reply_keeps_its_end() -> None:
    long = replace(RECORD, answer=("a", "b"), answer_text="x" * 5_000 + " end")
    assert delivered(long).endswith(" end\nFINAL ANSWER: ['a', 'b']")
    assert len(delivered(long)) < MAX_CHARS + 50
    assert delivered(replace(RECORD, answer=())).endswith("FINAL ANSWER:")


def test_an_empty_reply_extracts_nothing_and_the_runs_own_answer_is_scored() -> None:
    llm = FakeLLM(lambda stage, prompt: EmptyReply("nothing"))
    assert asyncio.run(extract_answer(llm, QUESTION, RECORD)) == ()  # type: ignore[arg-type]
    assert scored_answer(replace(RECORD, facts={"scoring": {"answer": []}})) == RECORD.answer


def test_the_extracted_answer_is_the_scored_one() -> None:
    extracted = replace(RECORD, facts={"open": ["scoring"], "scoring": {"answer": ["13893"]}})
    assert score_record("mmlongbench", QUESTION, RECORD).primary == 0  # "13,893 employees" is no number to the rules
    assert score_record("mmlongbench", QUESTION, extracted).primary == 1
    assert (was_extracted(RECORD), was_extracted(extracted)) == (False, True)
    assert [row.score.primary for row in measure("mmlongbench", [QUESTION], [extracted])] == [1]


def test_a_question_without_gold_answers_has_its_score_in_the_record() -> None:
    outlined = replace(QUESTION, answers=())
    kept = replace(RECORD, facts={"scoring": {"scores": {"mmlongbench": [0.75, 0.0, 0.75]}}})
    assert score_record("mmlongbench", outlined, kept).primary == 0.75
    with pytest.raises(ValueError, match=r"q1 of mmlongbench has no gold answer here.*no score by 'm3docvqa'"):
        score_record("m3docvqa", outlined, kept)
