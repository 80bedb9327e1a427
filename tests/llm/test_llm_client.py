"""The model client on good days: modes, stages, servers, limits, streaming, usage."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import pytest
from llm_calls import Complete, make_profile, user
from llm_fake_server import Behaviour, Handler, fake_server, says, status

from common.llm import LLM, CacheInUse, CallCache, Mode, ReplayMiss, Reply
from common.llm.listening import Listener
from common.llm.request import build_request
from common.llm.servers import Servers
from common.records import Usage


def test_record_then_replay_gives_the_same_reply_without_a_server(complete: Complete) -> None:
    with fake_server(says("red, blue")) as server:
        profile = make_profile(server.url, price_in=1.0, price_out=2.0, price_cached=0.5)
        recorded = complete(profile)
    replayed = complete(profile, mode=Mode.REPLAY)
    assert recorded.text == "red, blue"
    assert replayed.replayed and not recorded.replayed
    assert replayed.cost == recorded.cost == pytest.approx((7 * 1.0 + 3 * 0.5 + 2 * 2.0) / 1e6)
    assert {**vars(replayed), "replayed": False} == vars(recorded)


def test_record_asks_only_what_is_missing(complete: Complete) -> None:
    with fake_server(says("first"), says("second")) as server:
        profile = make_profile(server.url)
        assert [complete(profile).text, complete(profile).text] == ["first", "first"]
        assert complete(profile, "other").text == "second"
        assert len(server.requests) == 2


def test_refresh_asks_anew_once_a_run_and_replaces(complete: Complete, folder: Path) -> None:
    async def twice(url: str) -> list[str]:
        async with LLM({"default": make_profile(url)}, CallCache(folder), Mode.REFRESH) as llm:
            return [(await llm.complete("locator", user("hello"))).text for _ in range(2)]

    with fake_server(says("old"), says("new"), says("never")) as server:
        complete(make_profile(server.url))
        assert asyncio.run(twice(server.url)) == ["new", "new"]
        assert complete(make_profile(server.url), mode=Mode.REPLAY).text == "new"


def test_live_stores_nothing(complete: Complete, folder: Path) -> None:
    with fake_server(says("hi")) as server:
        complete(make_profile(server.url), mode=Mode.LIVE)
    assert not folder.exists()


def test_a_folder_in_use_is_told_before_a_call_is_paid_for(complete: Complete, folder: Path) -> None:
    holder = CallCache(folder)
    holder.claim()
    with fake_server(says("costly")) as server:
        with pytest.raises(CacheInUse):
            complete(make_profile(server.url))
        assert server.requests == []
    holder.close()


def test_samples_are_separate_requests_with_separate_seeds(complete: Complete) -> None:
    with fake_server(says("a"), says("b")) as server:
        profile = make_profile(server.url, seed=5)
        assert [complete(profile, sample=i).text for i in (0, 1, 0, 1)] == ["a", "b", "a", "b"]
        assert [request["seed"] for request in server.requests] == [5, 6]


def test_a_miss_names_artefact_question_stage_and_remedy(complete: Complete) -> None:
    with pytest.raises(ReplayMiss, match="table02, question q7, stage locator.*(?s:.*)make record") as caught:
        complete(make_profile("http://127.0.0.1:9/v1"), mode=Mode.REPLAY, context="table02", question_id="q7")
    assert (caught.value.stage, caught.value.question_id, caught.value.nearest) == ("locator", "q7", None)


def test_stages_choose_their_profile(folder: Path) -> None:
    async def both(big: str, small: str) -> list[str]:
        profiles = {"default": make_profile(big), "judge": make_profile(small, name="small")}
        async with LLM(profiles) as llm:
            return [(await llm.complete(stage, user("x"))).text for stage in ("reader", "judge")]

    with fake_server(says("from big")) as big, fake_server(says("from small")) as small:
        assert asyncio.run(both(big.url, small.url)) == ["from big", "from small"]


def test_tokens_come_as_they_are_made_and_at_once_in_replay(complete: Complete) -> None:
    pieces: list[str] = []
    with fake_server(says("red, blue")) as server:
        reply = complete(make_profile(server.url), on_token=pieces.append)
    assert pieces == ["red,", " blue"]
    assert reply.first_token_s is not None and 0 < reply.first_token_s <= reply.seconds
    complete(make_profile(server.url), mode=Mode.REPLAY, on_token=pieces.append)
    assert pieces[2:] == ["red, blue"]


@pytest.mark.parametrize(
    ("answer", "cached"),
    [(says("x", cached=4), 4), (says("x", cached=None, timings=6), 6), (says("x", cached=None), 0)],
)
def test_cached_tokens_in_both_dialects(answer: object, cached: int, complete: Complete) -> None:
    with fake_server(answer) as server:  # type: ignore[arg-type]
        assert complete(make_profile(server.url)).cached_tokens == cached


def test_schema_is_sent_only_where_the_profile_says_so(complete: Complete) -> None:
    schema = {"type": "object", "properties": {"tool": {"type": "string"}}}
    with fake_server(says("{}")) as server:
        complete(make_profile(server.url), schema=schema)
        complete(make_profile(server.url, structured="schema"), schema=schema)
        assert "response_format" not in server.requests[0]
        assert server.requests[1]["response_format"]["json_schema"]["schema"] == schema


def test_extra_body_reaches_the_server(complete: Complete) -> None:
    with fake_server(says("x")) as server:
        complete(make_profile(server.url, extra_body={"chat_template_kwargs": {"enable_thinking": False}}))
        assert server.requests[0]["chat_template_kwargs"] == {"enable_thinking": False}


async def _many(llm: LLM, count: int) -> list[Reply]:
    async with llm:
        return await asyncio.gather(*(llm.complete("reader", user(f"{i}"), question_id=f"q{i}") for i in range(count)))


@pytest.mark.parametrize("limit", [1, 3])
def test_concurrency_limit_holds_and_is_used(limit: int) -> None:
    together, answer = threading.Barrier(limit), says("x")

    def behaviour(handler: Handler) -> None:
        together.wait(10)  # nobody is answered before as many have asked as may ask at once
        answer(handler)

    with fake_server(behaviour) as server:
        asyncio.run(_many(LLM({"default": make_profile(server.url, concurrency=limit)}), 9))
        assert server.most_in_flight == limit


def test_two_that_ask_the_same_at_once_share_one_call(folder: Path) -> None:
    async def ask(url: str) -> list[str]:
        profile = make_profile(url, concurrency=4)
        async with LLM({"default": profile}, CallCache(folder), Mode.RECORD) as llm:
            texts = ("same", "same", "other")
            return [reply.text for reply in await asyncio.gather(*(llm.complete("reader", user(t)) for t in texts))]

    with fake_server(says("first", wait=0.05), says("second", wait=0.05), says("third")) as server:
        answers = asyncio.run(ask(server.url))
        assert answers[0] == answers[1] != answers[2]
        assert len(server.requests) == 2


def test_questions_spread_over_servers_and_stay_with_theirs() -> None:
    async def two_rounds(urls: tuple[str, ...]) -> list[list[str]]:
        async with LLM({"default": make_profile(urls, concurrency=4)}) as llm:
            return [
                [
                    r.server
                    for r in await asyncio.gather(
                        *(llm.complete("a", user(f"{n} {i}"), question_id=f"q{i}") for i in range(6))
                    )
                ]
                for n in range(2)
            ]

    with fake_server(says("x")) as one, fake_server(says("x")) as two:
        first, second = asyncio.run(two_rounds((one.url, two.url)))
        assert first == second
        assert first.count(one.url) == first.count(two.url) == 3


def test_a_dead_server_is_left_for_the_living_one() -> None:
    with fake_server(status(503)) as dead, fake_server(says("x")) as alive:
        replies = asyncio.run(_many(LLM({"default": make_profile((dead.url, alive.url))}), 3))
        assert {reply.server for reply in replies} == {alive.url}


def pauses(*failures: Behaviour) -> list[float]:
    """How long the client waits after each failure before an answer."""
    taken: list[float] = []

    async def sleep(seconds: float) -> None:
        taken.append(seconds)

    async def call(url: str) -> None:
        profile = make_profile(url, retries=4, backoff_s=1.0)
        servers = Servers(profile, sleep=sleep)
        await servers.call(build_request(profile, user("x")), "q1")
        await servers.aclose()

    with fake_server(*failures, says("x")) as server:
        asyncio.run(call(server.url))
    return taken


def test_a_server_may_ask_for_a_minute_at_most() -> None:
    assert pauses(status(429, retry_after="7"), status(429, retry_after="3600")) == [7.0, 60.0]


def test_back_off_doubles_with_the_same_jitter_every_time() -> None:
    first = pauses(*[status(503)] * 4)
    assert all(0.5 * 2**n <= pause < 1.5 * 2**n for n, pause in enumerate(first)) and len(first) == 4
    assert len({pause / 2**n for n, pause in enumerate(first)}) == 4  # jittered, not merely doubled
    assert pauses(*[status(503)] * 4) == first


def test_a_listener_counts_by_stage() -> None:
    async def calls(url: str) -> dict[str, Usage]:
        async with LLM({"default": make_profile(url, price_in=1e6)}) as llm:
            listener = Listener(llm)
            for stage in ("reader", "reader", "judge"):
                await listener.complete(stage, user("x"))
            return listener.usage

    with fake_server(says("x")) as server:
        usage = asyncio.run(calls(server.url))
    assert {stage: spent.calls for stage, spent in usage.items()} == {"reader": 2, "judge": 1}
    assert (usage["reader"].prompt_tokens, usage["reader"].cached_tokens, usage["reader"].cost) == (20, 6, 20.0)
    assert sum(usage.values(), Usage()).calls == 3
