"""The agent loop: how it stops, what it tells the model, and what a stage may call."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable

import pytest

from common.llm import EmptyReply
from knowforge.agents import deep_reader, locator, single_agent
from knowforge.loop import run_agent
from knowforge.session import Session

STOP = '{"thought": "enough", "final": "ok"}'


def call(tool: str, **args: object) -> str:
    return json.dumps({"thought": "go on", "tool": tool, "args": args})


def run(session: Session) -> Session:
    asyncio.run(run_agent(session, locator(session)))
    return session


def test_the_locator_stops_when_it_says_so(make_session: Callable[..., Session]) -> None:
    session = run(make_session({"locator": [call("search_knowledge", query="1979 Orlen Cup"), STOP]}))
    assert [(s.rounds, s.stop) for s in session.stages] == [(2, "final")]
    assert session.queries == ["1979 Orlen Cup"] and not session.notes
    assert session.usage["locator"].calls == 2 and session.clock == 1.0 and session.first_event == 0.5


def test_the_cap_ends_the_stage_after_its_last_call_was_run(make_session: Callable[..., Session]) -> None:
    searches: list[str | Exception] = [call("search_knowledge", query=f"query {i}") for i in range(9)]
    session = run(make_session({"locator": searches}, locator_rounds=3))
    assert len(session.queries) == 3
    assert session.stages[0].stop == "cap" and "cap" in session.notes[0]


def test_the_third_identical_call_is_not_run(make_session: Callable[..., Session]) -> None:
    session = run(make_session({"locator": [call("search_knowledge", query="again")]}, locator_rounds=8))
    assert session.queries == ["again", "again"] and session.stages[0].stop == "repeat"


def test_prose_is_turned_back_once_and_ends_the_stage_the_second_time(make_session: Callable[..., Session]) -> None:
    recovered = run(make_session({"locator": ["Let me think.", call("search_knowledge", query="cup"), STOP]}))
    assert recovered.stages[0].stop == "final" and recovered.queries == ["cup"]
    lost = run(make_session({"locator": ["Let me think.", "The answer is 4."]}))
    assert lost.stages[0].stop == "bad_json" and lost.stages[0].rounds == 2 and lost.notes


def test_prose_between_calls_is_turned_back_each_time(make_session: Callable[..., Session]) -> None:
    searches = [call("search_knowledge", query=f"query {i}") for i in range(2)]
    session = run(make_session({"locator": ["Well.", searches[0], "Hm.", searches[1], STOP]}, locator_rounds=6))
    assert session.stages[0].stop == "final" and len(session.queries) == 2


def test_a_long_result_is_cut_at_the_limit_and_says_so(make_session: Callable[..., Session]) -> None:
    session = run(make_session({"locator": [call("list_books"), STOP]}, loop={"result_chars": 20}))
    shown = session.llm.seen["locator"][-1][-1]["content"]  # type: ignore[attr-defined]
    assert shown.startswith("1979 Orlen Cup (2 pa … (cut)\n")


def test_unknown_and_failing_tools_come_back_as_structured_errors(make_session: Callable[..., Session]) -> None:
    session = run(
        make_session({"locator": [call("read_media", fragment_ids=["x"]), call("book_toc", book="nothing"), STOP]})
    )
    prompts = session.llm.seen["locator"]  # type: ignore[attr-defined]
    unknown, missing = prompts[1][-1]["content"], prompts[2][-1]["content"]
    assert json.loads(unknown.splitlines()[0])["error"] == "unknown_tool"
    assert json.loads(missing.splitlines()[0])["error"] == "not_found"
    assert [tool.ok for tool in session.tools] == [False, False]


def test_every_result_ends_with_the_reminder_and_the_last_two_with_the_rounds_left(
    make_session: Callable[..., Session],
) -> None:
    searches: list[str | Exception] = [call("search_knowledge", query=f"query {i}") for i in range(4)]
    session = run(make_session({"locator": searches}))
    last = session.llm.seen["locator"][-1]  # type: ignore[attr-defined]
    results = [m["content"] for m in last if m["role"] == "user"][1:]
    reminder = session.prompts.texts["locator_reminder"]
    assert [reminder in result for result in results] == [True] * 3
    assert ["Rounds left" in result for result in results] == [False, True, True]


def test_prompts_only_grow_so_that_the_server_reuses_its_prefix(make_session: Callable[..., Session]) -> None:
    searches: list[str | Exception] = [call("search_knowledge", query=f"query {i}") for i in range(4)]
    seen = run(make_session({"locator": searches})).llm.seen["locator"]  # type: ignore[attr-defined]
    for earlier, later in zip(seen, seen[1:], strict=False):
        assert later[: len(earlier)] == earlier


def test_a_useless_reply_fails_the_stage_not_the_question(make_session: Callable[..., Session]) -> None:
    session = run(make_session({"locator": [call("search_knowledge", query="cup"), EmptyReply("empty content")]}))
    assert session.stages[0].stop == "failed" and session.queries == ["cup"]
    assert "empty content" in session.errors[0]


def test_a_cap_of_zero_asks_nothing(make_session: Callable[..., Session]) -> None:
    session = run(make_session({}, locator_rounds=0))
    assert session.stages == [] and session.usage == {}


def test_roles_hold_the_papers_tools(make_session: Callable[..., Session]) -> None:
    session = make_session({})
    searching, reading = set(locator(session).tools), set(deep_reader(session).tools)
    assert "search_knowledge" not in reading and "read_media" not in searching
    assert set(single_agent(session).tools) == searching | reading
    assert single_agent(session).cap == 8
    strict = make_session({}, loop={"tools": "strict"})
    assert not set(locator(strict).tools) & set(deep_reader(strict).tools)


@pytest.mark.parametrize("role", [locator, deep_reader, single_agent])
def test_each_role_is_told_of_exactly_its_tools(
    make_session: Callable[..., Session], role: Callable[..., object]
) -> None:
    session = make_session({})
    agent = role(session)
    text = "\n".join(m["content"] for m in agent.opening)  # type: ignore[attr-defined]
    for line in session.prompts.texts["tools"].splitlines():
        assert (line in text) == (line.split("(")[0] in agent.tools)  # type: ignore[attr-defined]
