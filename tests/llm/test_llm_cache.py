"""The call cache on disk: shards, seals, damage, two writers, and kill -9."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest
from llm_calls import make_profile, user
from llm_fake_server import Handler, fake_server, says

from common.llm import Asker, CacheDamaged, CacheInUse, CallCache, Reply
from common.llm.miss import explain
from common.llm.request import Request, build_request
from common.llm.shards import open_shards, read_manifest, sealed_shards, write_sealed
from common.paths import ROOT

PROFILE = make_profile("http://a/v1")
ASKER = Asker("table02", "q1", "locator")


def request(text: str, **options: float) -> Request:
    return build_request(PROFILE, user(text), **options)  # type: ignore[arg-type]


def fill(cache: CallCache, count: int, *, start: int = 0) -> None:
    for i in range(start, start + count):
        cache.put(
            request(f"prompt {i} \u2028 \r\n ü"), Reply(f"reply {i} \u2028\r\n", "stop", 5, 2, 3, 0.25, 0.1, "s"), ASKER
        )


def test_a_put_is_on_disk_at_once(folder: Path) -> None:
    fill(CallCache(folder), 3)
    assert len(open_shards(folder)[0].read_bytes().split(b"\n")) == 4
    again = CallCache(folder).lookup(request("prompt 1 \u2028 \r\n ü").key)
    assert again is not None and again.replayed
    assert (again.text, again.cached_tokens, again.first_token_s) == ("reply 1 \u2028\r\n", 2, 0.1)


def test_sealing_keeps_every_reply_and_names_rows_bytes_model_hash(folder: Path) -> None:
    cache = CallCache(folder)
    fill(cache, 20)
    cache.seal()
    fill(cache, 5, start=20)
    cache.seal()
    cache.seal()  # nothing new: nothing happens
    assert [path.name for path in sealed_shards(folder)] == ["000.jsonl.zst", "001.jsonl.zst"] and not open_shards(
        folder
    )
    seals = read_manifest(folder)
    assert [seal.rows for seal in seals.values()] == [20, 5]
    assert all(
        seal.bytes == (folder / name).stat().st_size and seal.models == ("fake",) for name, seal in seals.items()
    )
    assert len(CallCache(folder)) == 25
    assert sorted(path.name for path in folder.iterdir()) == ["000.jsonl.zst", "001.jsonl.zst", "manifest.json"]


def test_the_same_rows_seal_to_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        cache = CallCache(tmp_path / name)
        fill(cache, 10)
        cache.seal()
    assert (tmp_path / "a/000.jsonl.zst").read_bytes() == (tmp_path / "b/000.jsonl.zst").read_bytes()


def test_shards_stay_under_their_limit(tmp_path: Path) -> None:
    rows = [
        {"key": str(i), "text": os.urandom(300).hex(), "request": {"model": "fake"}} for i in range(50)
    ]  # fmt: skip
    seals = write_sealed(tmp_path, 7, rows, limit=5000)
    assert len(seals) > 3 and all(seal.bytes <= 5000 for seal in seals.values())
    assert sum(seal.rows for seal in seals.values()) == 50 and min(seals) == "007.jsonl.zst"


def test_a_seal_killed_before_its_clean_up_loses_and_doubles_nothing(folder: Path) -> None:
    cache = CallCache(folder)
    fill(cache, 3)
    cache.close()
    opened = open_shards(folder)[0].read_bytes()
    cache.seal()
    (folder / "000.jsonl").write_bytes(opened)  # as if killed after the manifest, before the open shard went
    again = CallCache(folder)
    assert len(again) == 3
    again.seal()
    assert sum(seal.rows for seal in read_manifest(folder).values()) == 3
    (folder / "manifest.json").unlink()  # as if killed between shard and manifest
    (folder / "000.jsonl").write_bytes(opened)
    assert len(CallCache(folder)) == 3


def test_a_torn_last_line_is_left_out_and_overwritten(folder: Path) -> None:
    cache = CallCache(folder)
    fill(cache, 2)
    cache.close()
    with open_shards(folder)[0].open("ab") as handle:
        handle.write(b'{"key": "torn')
    again = CallCache(folder)
    assert len(again) == 2
    fill(again, 1, start=2)
    assert len(CallCache(folder)) == 3


def test_two_writers_are_refused_and_the_next_may_write_after_close(folder: Path) -> None:
    first, second = CallCache(folder), CallCache(folder)
    fill(first, 1)
    with pytest.raises(CacheInUse, match=f"process {os.getpid()}.*folder of its own"):
        fill(second, 1, start=1)
    with pytest.raises(CacheInUse):
        second.seal()
    first.close()
    fill(second, 1, start=1)
    second.close()
    assert len(CallCache(folder)) == 2 and not (folder / ".lock").exists()


@pytest.mark.parametrize(
    ("damage", "words"), [("change", "sha256 .* sealed as"), ("remove", "missing"), ("unlist", "not in manifest")]
)
def test_damaged_shards_are_named(folder: Path, damage: str, words: str) -> None:
    cache = CallCache(folder)
    fill(cache, 3)
    cache.seal()
    shard = folder / "000.jsonl.zst"
    if damage == "change":
        shard.write_bytes(shard.read_bytes()[:-1] + b"x")
    elif damage == "remove":
        shard.unlink()
    else:
        (folder / "manifest.json").unlink()
    with pytest.raises(CacheDamaged, match=f"(?s)000.jsonl.zst.*{words}|{words}"):
        CallCache(folder)


def test_a_broken_line_in_the_middle_is_named_with_its_number(folder: Path) -> None:
    fill(CallCache(folder), 3)
    shard = open_shards(folder)[0]
    lines = shard.read_bytes().split(b"\n")
    shard.write_bytes(b"\n".join([lines[0], b"{oops", *lines[2:]]))
    with pytest.raises(CacheDamaged, match=r"000\.jsonl:2"):
        CallCache(folder)


def test_the_first_of_two_equal_calls_counts(folder: Path) -> None:
    cache = CallCache(folder)
    stored = [cache.put(request("x"), Reply(text, "stop"), ASKER).text for text in ("one", "two")]
    assert stored == ["one", "one"]
    assert cache.put(request("x"), Reply("three", "stop"), ASKER, overwrite=True).text == "three"
    lookup = CallCache(folder).lookup(request("x").key)
    assert lookup is not None and lookup.text == "three"


def test_the_nearest_request_is_of_the_same_stage_and_question_first(folder: Path) -> None:
    cache = CallCache(folder)
    reply = Reply("r", "stop")
    cache.put(request("Where is the castle?"), reply, Asker("", "q2", "locator"))
    cache.put(request("Where was the castle built?"), reply, Asker("", "q2", "locator"))
    cache.put(request("Who built it?"), reply, Asker("", "q1", "locator"))
    wanted = request("Where was the castle burnt?")
    same = cache.nearest(wanted, Asker("", "q1", "locator"))
    assert same is not None and same.key == request("Who built it?").key
    other = cache.nearest(wanted, Asker("", "q3", "judge"))
    assert other is not None and other.key == request("Where was the castle built?").key
    cache.seal()
    miss = explain(wanted, "table02", "judge", "q3", CallCache(folder).nearest(wanted, Asker("", "q3", "judge")))
    assert "messages[0] at character 23" in str(miss) and "'Where was the castle built?'" in str(miss)
    assert [d.field for d in miss.differences] == ["messages[0] at character 23"]


RECORDER = """
    import asyncio, sys
    from pathlib import Path
    from common.llm import LLM, CallCache, Mode, Profile

    async def main(url, folder):
        profile = Profile(name="fake", model="fake", base_urls=[url])
        async with LLM({"default": profile}, CallCache(Path(folder)), Mode.RECORD) as llm:
            for i in range(1000):
                reply = await llm.complete("locator", [{"role": "user", "content": f"number {i}"}])
                print(i, "replayed" if reply.replayed else "asked", flush=True)

    asyncio.run(main(*sys.argv[1:]))
"""


def recorder(url: str, folder: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", textwrap.dedent(RECORDER), url, str(folder)]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}
    )


def read_lines(process: subprocess.Popen[str], count: int) -> list[str]:
    assert process.stdout is not None
    return [process.stdout.readline().strip() for _ in range(count)]


def test_kill_9_loses_at_most_the_call_in_flight(folder: Path) -> None:
    def answer(handler: Handler) -> None:
        time.sleep(0.005)
        says("a reply")(handler)

    with fake_server(answer) as server:
        process = recorder(server.url, folder)
        read_lines(process, 15)
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert process.stdout is not None
        finished = 15 + len([line for line in process.stdout.read().splitlines() if line.strip()])
        answered = len(server.requests)
        stored = len(CallCache(folder))
        assert answered - 1 <= stored <= answered and stored >= finished
        with open_shards(folder)[0].open("ab") as handle:
            handle.write(b'{"key": "cut in mid-wri')  # the worst moment: inside the write
        process = recorder(server.url, folder)  # the dead process's lock is no hindrance
        lines = read_lines(process, stored + 3)
        process.kill()
        process.wait()
    assert lines[:stored] == [f"{i} replayed" for i in range(stored)]
    assert [line.split()[1] for line in lines[stored:]] == ["asked"] * 3
    rows = [json.loads(line) for line in open_shards(folder)[0].read_bytes().split(b"\n")[: stored + 3]]
    assert [row["request"]["messages"][0]["content"] for row in rows] == [f"number {i}" for i in range(stored + 3)]
