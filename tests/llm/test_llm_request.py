"""The key: everything that changes the output is in it, nothing else is."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from llm_calls import Complete, make_profile, user
from llm_fake_server import fake_server, says

from common.llm import Mode
from common.llm.miss import common_prefix, differences
from common.llm.request import build_request

BASE = make_profile("http://a/v1", weights={"sha256": "aa"}, extra_body={"top_k": 1})


def key(profile: Any = BASE, text: str = "x", **options: Any) -> str:
    return build_request(profile, user(text), **options).key


@pytest.mark.parametrize(
    "change",
    [
        {"model": "other"}, {"weights": {"sha256": "bb"}}, {"weights": {"sha256": "aa", "revision": "r2"}},
        {"temperature": 0.3},
        {"top_p": 0.9}, {"max_tokens": 7}, {"seed": 1}, {"seed": None}, {"extra_body": {"top_k": 2}},
    ],
)  # fmt: skip
def test_whatever_changes_the_output_changes_the_key(change: dict[str, Any]) -> None:
    assert (
        key(make_profile("http://a/v1", **{"weights": {"sha256": "aa"}, "extra_body": {"top_k": 1}, **change})) != key()
    )


@pytest.mark.parametrize("options", [{"sample": 1}, {"max_tokens": 9}, {"temperature": 0.1}, {"text": "y"}])
def test_call_options_change_the_key(options: dict[str, Any]) -> None:
    assert key(**options) != key()


def test_a_schema_counts_where_it_is_sent() -> None:
    sent = BASE.model_copy(update={"structured": "schema"})
    assert key(schema={"type": "object"}) == key()
    assert len({key(sent), key(sent, schema={"type": "object"}), key(sent, schema={"type": "array"})}) == 3


@pytest.mark.parametrize(
    "change",
    [
        {"base_urls": ("http://b/v1", "http://c/v1")}, {"api_key_env": "KEY"}, {"timeout_s": 1.0}, {"retries": 9},
        {"backoff_s": 9.0},
        {"concurrency": 64}, {"name": "renamed"}, {"price_in": 3.0}, {"context": 99},
    ],
)  # fmt: skip
def test_throughput_fields_stay_out(change: dict[str, Any]) -> None:
    assert key(BASE.model_copy(update=change)) == key()


def test_zero_and_zero_point_zero_are_one_request() -> None:
    assert key(temperature=0) == key(temperature=0.0)


def test_a_call_that_asks_for_no_chance_gets_none_whatever_its_profile_says() -> None:
    warm = make_profile("http://a/v1", temperature=0.7)
    assert build_request(warm, user("x"), temperature=0.0).body["temperature"] == 0.0
    assert build_request(warm, user("x")).body["temperature"] == 0.7


def png(colour: int) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(bytes([0, colour])))
        + chunk(b"IEND", b"")
    )


def picture(path: Path, **more: Any) -> list[dict[str, Any]]:
    return [
        {
            "role": "user",
            "content": [{"type": "image", "path": str(path), **more}, {"type": "text", "text": "what is it?"}],
        }
    ]


def test_an_image_counts_by_its_bytes_not_its_path(tmp_path: Path) -> None:
    for name, colour in (("a.png", 1), ("b.png", 1), ("c.png", 2)):
        (tmp_path / name).write_bytes(png(colour))
    a, b, c = (build_request(BASE, picture(tmp_path / name)) for name in ("a.png", "b.png", "c.png"))
    assert a.key == b.key != c.key
    assert str(tmp_path) not in str(a.identity)


def test_an_image_is_sent_as_data_and_stored_as_hash(tmp_path: Path, complete: Complete, folder: Path) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(png(1))
    request = build_request(BASE, picture(path))
    digest = request.identity["messages"][0]["content"][0]["sha256"]
    from common.llm.images import for_server

    assert for_server(request.messages)[0]["content"][0]["image_url"]["url"].startswith("data:image/png;base64,iVBOR")
    path.unlink()
    assert build_request(BASE, picture(path, sha256=digest)).key == request.key  # a replay needs no file
    path.write_bytes(png(2))
    with pytest.raises(ValueError, match="the request says"):
        build_request(BASE, picture(path, sha256=digest))


def test_every_field_that_is_sent_is_in_the_key(complete: Complete) -> None:
    profile = {"top_p": 0.9, "structured": "schema", "extra_body": {"min_p": 0.1}, "seed": 3}
    with fake_server(says("x")) as server:
        complete(make_profile(server.url, **profile), schema={"type": "object"}, mode=Mode.LIVE)
        sent = dict(server.requests[0])
    identity = build_request(make_profile("http://a/v1", **profile), user("hello"), schema={"type": "object"}).identity
    assert sent.pop("stream") is True
    assert sent.pop("stream_options") == {"include_usage": True}
    flat = {**identity, **identity["extra_body"]}
    assert {name: flat[name] for name in sent} == sent


@given(st.text(), st.text(), st.text())
def test_common_prefix_is_the_plain_definition(shared: str, one: str, other: str) -> None:
    a, b = shared + one, shared + other
    expected = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    assert common_prefix(a, b) == expected


def test_differences_show_field_message_and_window() -> None:
    old = build_request(BASE, [*user("s" * 500 + "Vienna lies" + "t" * 500), *user("same")]).identity
    new = build_request(BASE, [*user("s" * 500 + "Verona lies" + "t" * 500), *user("same")], temperature=0.3).identity
    by_field = {d.field: (d.stored, d.asked) for d in differences(old, new)}
    assert by_field["temperature"] == ("0.0", "0.3")
    stored, asked = by_field["messages[0] at character 501"]
    assert "Vienna" in stored and "Verona" in asked and len(stored) < 120


def test_a_longer_conversation_is_told_by_its_first_extra_message() -> None:
    old, new = (build_request(BASE, m).identity for m in (user("a"), [*user("a"), *user("tool result 7")]))
    (difference,) = differences(old, new)
    assert (difference.field, difference.stored) == ("messages", "1 messages")
    assert "tool result 7" in difference.asked
