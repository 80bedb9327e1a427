"""The loop's wire format forgives what real models do, and nothing more."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.loose_json import json_objects
from knowforge.protocol import parse_step

CALL = {"thought": "look", "tool": "search_knowledge", "args": {"query": 'a "quoted" {brace}'}}


@pytest.mark.parametrize(
    "reply",
    [
        json.dumps(CALL),
        "```json\n" + json.dumps(CALL, indent=1) + "\n```",
        "Sure! " + json.dumps(CALL) + " Hope this helps.",
        json.dumps(CALL) + "\n" + json.dumps({"thought": "then", "final": "ok"}),
        json.dumps(CALL).replace("}}", ",},}"),
        json.dumps(CALL)[:-1],
        json.dumps(CALL)[:-2],
    ],
)
def test_one_call_is_read_through_fences_noise_commas_and_a_cut_tail(reply: str) -> None:
    step = parse_step(reply)
    assert step is not None
    assert (step.tool, step.args) == ("search_knowledge", CALL["args"])


def test_a_string_cut_in_the_middle_keeps_what_was_said() -> None:
    step = parse_step('{"thought": "x", "tool": "search_knowledge", "args": {"query": "orlen cu')
    assert step is not None and step.args == {"query": "orlen cu"}


def test_stop_and_unusable_replies() -> None:
    stop = parse_step('{"thought": "enough", "final": "ok"}')
    assert stop is not None and stop.stops
    assert parse_step("The answer is Pellwick.") is None
    assert parse_step('{"thought": "I think"}') is None
    assert parse_step("") is None


def test_args_that_are_no_object_become_the_query() -> None:
    step = parse_step('{"tool": "search_knowledge", "args": "orlen cup"}')
    assert step is not None and step.args == {"query": "orlen cup"}


def test_same_arguments_in_another_order_have_the_same_signature() -> None:
    one = parse_step('{"tool": "t", "args": {"a": 1, "b": 2}}')
    two = parse_step('{"tool": "t", "args": {"b": 2, "a": 1}}')
    assert one is not None and two is not None and one.signature == two.signature


@given(st.text(max_size=200))
def test_no_reply_can_break_the_parser(reply: str) -> None:
    assert parse_step(reply) is None or isinstance(parse_step(reply).thought, str)  # type: ignore[union-attr]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
)


@given(st.dictionaries(st.text(max_size=6), JSON, max_size=4), st.text(alphabet="abc .\n", max_size=10))
def test_a_sound_object_is_read_unchanged_wherever_it_stands(data: dict[str, object], noise: str) -> None:
    assert json_objects(noise + json.dumps(data) + noise) == [data] or "```" in json.dumps(data)
