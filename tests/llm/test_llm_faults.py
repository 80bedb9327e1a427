"""Every way a server can misbehave: what is raised, what is retried, and that nothing of it is stored."""

from __future__ import annotations

import socket
import time
from pathlib import Path

import pytest
from llm_calls import Complete, make_profile
from llm_fake_server import Behaviour, broken_event, cut, error_event, event, fake_server, html, says, stalls, status

from common.llm import BadReply, CallCache, ContextTooLong, KeyRefused, LLMError, Refused, ServerUnavailable

TOO_LONG_VLLM = "This model's maximum context length is 4096 tokens. However, you requested 9031 tokens"
TOO_LONG_LLAMA = "request (9031 tokens) exceeds the available context size (4096 tokens), try increasing it"


@pytest.mark.parametrize(
    ("fault", "expected", "words"),
    [
        (html(), BadReply, "text/html.*It works.*base_urls"),
        (broken_event(), BadReply, "malformed event"),
        (event([1, 2]), BadReply, r"malformed event in the stream: '\[1, 2\]'; check base_urls"),
        (event({"choices": [{"delta": None, "finish_reason": "stop"}]}), BadReply, "malformed event"),
        (event({"choices": [{"delta": {"content": [{"text": "a"}]}}]}), BadReply, "malformed event"),
        (event({"choices": [], "usage": "many"}), BadReply, "malformed event.*many"),
        (status(400, TOO_LONG_VLLM, "BadRequestError"), ContextTooLong, "9031"),
        (status(400, TOO_LONG_LLAMA, "exceed_context_size_error"), ContextTooLong, "9031"),
        (status(500, TOO_LONG_LLAMA), ContextTooLong, "9031"),  # asking again would not help
        (error_event(TOO_LONG_LLAMA, "exceed_context_size_error"), ContextTooLong, "9031"),
        (status(400, "temperature must be positive"), Refused, "temperature"),
        (status(401, "bad key"), KeyRefused, "api_key_env"),
        (html(404), Refused, "base_urls"),
        (says("partly", finish="content_filter"), Refused, "content filter"),
    ],
)
def test_final_faults_are_raised_at_once_and_never_stored(
    fault: Behaviour, expected: type[LLMError], words: str, complete: Complete, folder: Path
) -> None:
    with fake_server(fault) as server:
        with pytest.raises(expected, match=f"(?s)table02, question q1, stage locator.*{words}"):
            complete(make_profile(server.url), context="table02")
        assert len(server.requests) == 1
    assert len(CallCache(folder)) == 0


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (cut(), "connection cut after 2 pieces"),
        (cut(chunked=True), "peer closed|incomplete|Connection"),
        (event({"id": "1"}), "connection cut after 0 pieces"),
        (status(503, "loading model"), "HTTP 503: .*loading model"),
        (status(500), "HTTP 500"),
        (status(429, retry_after="0"), "HTTP 429"),
        (html(502), "HTTP 502"),
        (error_event("slot failed", "server_error"), "inside the stream"),
        (stalls(2.0), "no complete reply within 0.8 s"),
        (says("late", wait=2.0), "within 0.8 s|timed out"),
    ],
)
def test_passing_faults_are_retried_then_raised_and_never_stored(
    fault: Behaviour, words: str, complete: Complete, folder: Path
) -> None:
    timeout = 0.8 if "0.8" in words else 20.0
    with fake_server(fault) as server:
        with pytest.raises(ServerUnavailable, match=f"(?s)question q1, stage locator.*3 attempts.*({words})"):
            complete(make_profile(server.url, timeout_s=timeout))
        assert len(server.requests) == 3
    assert len(CallCache(folder)) == 0


@pytest.mark.parametrize(
    "fault", [cut(), cut(chunked=True), status(503), status(429), error_event("x", "y"), html(502)]
)
def test_a_passing_fault_followed_by_an_answer_is_an_answer(fault: Behaviour, complete: Complete, folder: Path) -> None:
    with fake_server(fault, says("fine")) as server:
        assert complete(make_profile(server.url)).text == "fine"
        assert len(server.requests) == 2
    assert len(CallCache(folder)) == 1


def test_an_absent_server_is_named(complete: Complete, folder: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{probe.getsockname()[1]}/v1"
    with pytest.raises(ServerUnavailable, match=f"3 attempts failed, the last at {url}.*make serve"):
        complete(make_profile(url))
    assert not folder.exists() or len(CallCache(folder)) == 0


def test_a_server_that_dies_in_mid_run_fails_the_call_and_its_return_heals_it(complete: Complete, folder: Path) -> None:
    with fake_server(says("one")) as server:
        profile = make_profile(server.url, retries=0)
        complete(profile, "first")
        port = int(server.url.split(":")[2].split("/")[0])
    with pytest.raises(ServerUnavailable):
        complete(profile, "second")
    assert len(CallCache(folder)) == 1  # what came before is kept
    with fake_server(says("two"), port=port):
        assert complete(profile, "first").replayed
        assert complete(profile, "second").text == "two"


def test_retry_after_is_obeyed(complete: Complete) -> None:
    with fake_server(status(429, retry_after="0.4"), says("fine")) as server:
        started = time.perf_counter()
        complete(make_profile(server.url))
        assert time.perf_counter() - started >= 0.4


def test_empty_content_is_asked_once_more_then_bad_and_repeats_in_replay(complete: Complete, folder: Path) -> None:
    with fake_server(says(" \n"), says("filled")) as server:
        assert complete(make_profile(server.url), "once empty").text == "filled"
    with fake_server(says("")) as server:
        profile = make_profile(server.url)
        with pytest.raises(BadReply, match="empty reply"):
            complete(profile, "always empty")
        assert len(server.requests) == 2
        with pytest.raises(BadReply, match="empty reply"):  # the model's silence is its answer
            complete(profile, "always empty", mode="replay")


def test_endless_repetition_comes_back_as_length(complete: Complete) -> None:
    with fake_server(says("la la la la", finish="length")) as server:
        recorded = complete(make_profile(server.url), max_tokens=4)
        assert (recorded.finish_reason, server.requests[0]["max_tokens"]) == ("length", 4)
        assert complete(make_profile(server.url), mode="replay", max_tokens=4).finish_reason == "length"


def test_usage_without_numbers_counts_as_none(complete: Complete) -> None:
    finished = {"choices": [{"delta": {"content": "fine"}, "finish_reason": "stop"}], "usage": {"prompt_tokens": None}}
    with fake_server(event(finished)) as server:
        reply = complete(make_profile(server.url))
    assert (reply.text, reply.prompt_tokens, reply.completion_tokens) == ("fine", 0, 0)


def test_another_model_than_the_pinned_one_is_refused(complete: Complete, folder: Path) -> None:
    words = "serves 'smollm2-135m', the profile pins 'fake'"
    with fake_server(says("hi"), model="smollm2-135m") as server, pytest.raises(BadReply, match=words):
        complete(make_profile(server.url, weights={"sha256": "ab" * 32}))
    assert len(CallCache(folder)) == 0


def test_a_missing_api_key_is_named(complete: Complete, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_SUCH_KEY", raising=False)
    with pytest.raises(KeyRefused, match="NO_SUCH_KEY"):
        complete(make_profile("http://127.0.0.1:9/v1", api_key_env="NO_SUCH_KEY"))


def test_text_that_is_no_unicode_is_refused_before_it_is_sent(complete: Complete) -> None:
    with fake_server(says("hi")) as server, pytest.raises(Refused, match="no Unicode"):
        complete(make_profile(server.url), "broken \ud800 text")
    assert server.requests == []
