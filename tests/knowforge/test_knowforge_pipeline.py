"""The chain of jobs: who sees what, what a judge may do, and what a record says afterwards."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from knowforge_fakes import LABEL, QUESTION, ScriptedLLM

from common.llm import ContextTooLong, ReplayMiss, ServerUnavailable
from common.records import RunRecord
from common.settings import settings_hash
from knowforge.base import KnowledgeBase
from knowforge.judge import read_verdict
from knowforge.pipeline import answer_question
from knowforge.system import SystemConfig

STOP = '{"thought": "enough", "final": "ok"}'
SEARCH = '{"thought": "race", "tool": "search_knowledge", "args": {"query": "1979 Orlen Cup"}}'
COVERED = '{"need_more": false, "bridge_entities": [], "queries": [], "reason": "covered"}'
BRIDGE = json.dumps(
    {
        "need_more": True,
        "bridge_entities": ["Iska Dorn"],
        "queries": ["Iska Dorn born", "1979 ORLEN  cup"],
        "reason": "birthplace missing",
    }
)
ANSWER = "Iska Dorn was a lap down and was born in Pellwick.\nFINAL ANSWER: the town of Pellwick"
CHECKED = '{"final": "Pellwick"}'
SCRIPTS: dict[str, list[str | Exception]] = {
    "locator": [SEARCH, STOP], "agent": [SEARCH, STOP], "judge": [BRIDGE], "reader": [STOP],
    "synthesizer": [ANSWER], "checker": [CHECKED], "vision": ["Row 2: Iska Dorn, +1 lap"],
}  # fmt: skip


def run(base: KnowledgeBase, scripts: dict[str, Any] | None = None, **system: Any) -> tuple[RunRecord, ScriptedLLM]:
    llm = ScriptedLLM({**SCRIPTS, **(scripts or {})})
    config = SystemConfig.from_mapping({"name": "M5", **system})
    record = asyncio.run(
        answer_question(QUESTION, base, llm, config, LABEL)  # type: ignore[arg-type]
    )
    return record, llm


def test_the_full_pipeline_answers_and_records_every_job(base: KnowledgeBase) -> None:
    record, _ = run(base)
    assert record.status == "done" and record.answer == ("Pellwick",)
    assert record.answer_before == "the town of Pellwick" and record.answer_text == ANSWER
    assert [(s.issuer, s.query) for s in record.searches] == [
        ("locator", "1979 Orlen Cup"),
        ("judge", "Iska Dorn born"),
    ]
    assert list(record.usage) == ["locator", "judge", "reader", "synthesizer", "checker"]
    assert record.answer_visible and record.verdict is not None and record.verdict.need_more
    assert record.elapsed_s == 0.5 * 6 and record.answer_start_s == 0.5 * 4 + 0.1
    assert RunRecord.from_json(json.loads(json.dumps(record.to_json()))) == record


def test_judge_reader_and_synthesizer_share_the_pool_as_a_prefix(base: KnowledgeBase) -> None:
    _, llm = run(base, {"judge": [COVERED]})
    openings = [llm.seen[stage][0] for stage in ("judge", "reader", "synthesizer")]
    prefix = openings[0][1]["content"].split("----")[0]
    assert QUESTION.question in prefix and "Tavi Moreno" in prefix
    assert all(o[0] == openings[0][0] and o[1]["content"].startswith(prefix) for o in openings)


def test_the_judge_sees_the_beginning_of_the_pool_and_every_query(base: KnowledgeBase) -> None:
    _, whole = run(base)
    _, cut = run(base, judge_chars=40)
    pool, beginning = (
        llm.seen["judge"][0][1]["content"].split("Materials:\n")[1].split("\n\n----")[0] for llm in (whole, cut)
    )
    assert len(pool) > 40 and beginning == pool[:40]
    assert "- 1979 Orlen Cup" in cut.seen["judge"][0][1]["content"]


@pytest.mark.parametrize("convention", ["m3docvqa", "mmlongbench", "multihop_rag"])
def test_a_benchmark_sets_its_rule_paragraph_guardrail_and_checker_alone(base: KnowledgeBase, convention: str) -> None:
    _, llm = run(base, convention=convention)
    texts = SystemConfig("M5").load_prompts().texts
    assert texts[f"rule_{convention}"] in llm.seen["locator"][0][0]["content"]
    assert texts[f"rule_{convention}"] in llm.seen["reader"][0][1]["content"]
    assert texts[f"guardrail_{convention}"] in llm.seen["synthesizer"][0][1]["content"]
    rules, checked = llm.seen["checker"][0]
    assert rules["content"] == texts[f"checker_{convention}"]
    assert checked["content"] == f"Question: {QUESTION.question}\n\nAnswer text:\n{ANSWER}"  # never the materials


def test_the_reader_never_sees_the_locators_conversation(base: KnowledgeBase) -> None:
    _, llm = run(base)
    assert SEARCH not in json.dumps(llm.seen["reader"][0])


def test_what_was_read_reaches_the_synthesizer(base: KnowledgeBase) -> None:
    table = base.short_id(next(f.fragment_id for f in base.fragments.values() if f.kind == "table"))
    read = json.dumps(
        {"thought": "read", "tool": "read_media", "args": {"fragment_ids": [table], "question": "Who is +1 lap?"}}
    )
    record, llm = run(base, {"reader": [read, STOP]})
    assert "Row 2: Iska Dorn, +1 lap" in llm.seen["synthesizer"][0][1]["content"]
    assert [(t.stage, t.tool, t.model_calls) for t in record.tools if t.stage == "reader"] == [
        ("reader", "read_media", 1)
    ]
    assert record.usage["vision"].calls == 1
    vision = llm.seen["vision"][0][0]["content"]
    assert "Who is +1 lap?" in vision and "Iska Dorn | +1 lap" in vision


def test_a_vision_endpoint_is_sent_the_image(base: KnowledgeBase) -> None:
    table = next(f for f in base.fragments.values() if f.kind == "table")
    read = json.dumps(
        {"thought": "read", "tool": "read_media", "args": {"fragment_ids": [table.fragment_id], "question": "q"}}
    )
    _, llm = run(base, {"reader": [read, STOP]}, vision="endpoint")
    assert llm.seen["vision"][0][0]["content"][0] == {"type": "image", "path": str(base.assets / "results.png")}


def test_one_shot_makes_one_search_and_two_calls(base: KnowledgeBase) -> None:
    record, llm = run(base, {"synthesizer": ["Pellwick"]}, name="S4", shape="one_shot", template="short")
    assert [s.issuer for s in record.searches] == ["system"] and record.searches[0].query == QUESTION.question
    assert {stage: usage.calls for stage, usage in record.usage.items()} == {"synthesizer": 1, "checker": 1}
    assert record.answer_before == "Pellwick" and record.stages == ()


def test_the_single_agent_keeps_judge_pool_and_answer(base: KnowledgeBase) -> None:
    record, _ = run(base, name="P0", shape="single_agent")
    assert list(record.usage) == ["agent", "judge", "synthesizer", "checker"]
    assert record.stages[0].cap == 8 and record.searches[0].issuer == "agent"


def test_closed_book_searches_nothing(base: KnowledgeBase) -> None:
    record, _ = run(base, name="S0", shape="closed_book")
    assert record.searches == () and list(record.usage) == ["synthesizer", "checker"]


def test_with_nothing_collected_the_question_itself_is_searched(base: KnowledgeBase) -> None:
    record, _ = run(base, {"locator": [STOP], "judge": [COVERED]})
    assert [(s.issuer, s.query) for s in record.searches] == [("fallback", QUESTION.question)]


def test_a_checker_that_fails_leaves_the_synthesizers_line(base: KnowledgeBase) -> None:
    assert run(base, {"checker": ["no json here"]})[0].answer == ("the town of Pellwick",)
    assert run(base, {"checker": ['{"final": ["a", "b"]}']})[0].answer == ("a", "b")


@pytest.mark.parametrize(
    ("convention", "refusal"), [("mmlongbench", "Not answerable"), ("multihop_rag", "Insufficient information")]
)
def test_refusal_words_become_the_benchmarks_refusal(base: KnowledgeBase, convention: str, refusal: str) -> None:
    record, _ = run(base, {"checker": ['{"final": "no information found"}']}, convention=convention)
    assert record.answer == (refusal,)
    assert run(base, {"checker": ['{"final": "no information found"}']})[0].answer == ("no information found",)


def test_a_dead_server_fails_the_question_with_its_reason(base: KnowledgeBase) -> None:
    record, _ = run(base, {"judge": [ServerUnavailable("connection refused by http://127.0.0.1:9")]})
    assert record.status == "failed" and record.answer == ()
    assert "connection refused" in record.errors[0] and record.searches


@pytest.mark.parametrize("stage", ["locator", "judge", "reader", "checker"])
def test_what_the_server_will_not_serve_fails_the_question(base: KnowledgeBase, stage: str) -> None:
    record, _ = run(base, {stage: [ContextTooLong("9,000 tokens do not fit 8,192")]})
    assert record.status == "failed" and "do not fit" in record.errors[0]


def test_a_replay_miss_is_never_swallowed(base: KnowledgeBase) -> None:
    with pytest.raises(ReplayMiss):
        run(base, {"judge": [ReplayMiss("not recorded")]})


def test_the_judges_verdict_is_read_with_care() -> None:
    verdict = read_verdict(BRIDGE, ["1979 Orlen Cup"], 2)
    assert verdict.queries == ("Iska Dorn born",)
    assert read_verdict('{"need_more": true, "queries": ["A b", " a  B", "c"]}', [], 3).queries == ("A b", "c")
    assert not read_verdict("I cannot say", [], 2).need_more
    assert read_verdict('{"need_more": true, "bridge_entities": ["A", "B", "C"], "queries": []}', [], 2).queries == (
        "A",
        "B",
    )
    assert read_verdict('{"need_more": "no", "queries": ["x"]}', [], 2).queries == ()


def test_a_changed_prompt_or_base_changes_the_config_hash() -> None:
    system = SystemConfig("M5")
    assert settings_hash(system, prompts="a") != settings_hash(system, prompts="b")
    assert settings_hash(system, prompts="a", base="1") != settings_hash(system, prompts="a", base="2")
    with pytest.raises(ValueError, match="unknown field 'rounds'"):
        SystemConfig.from_mapping({"name": "M5", "rounds": 4})
