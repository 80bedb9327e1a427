"""The embedded server: refusals with a reason and exit code 2, and one real model end to end."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import urllib.request
from dataclasses import replace
from pathlib import Path

import pytest
from llm_calls import user

from common.llm import LLM, CallCache, ContextTooLong, Mode, ServerUnavailable, load_profile
from common.llm.background import serve_in_background
from common.llm.server import _parser, main
from common.llm.weights import KNOWN, WeightsError, find_model
from common.paths import Workspace

FOLDER = Workspace().conf / "model"
NAMES = sorted(path.stem for path in FOLDER.glob("*.yaml"))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--model", "/no/such.gguf"], "no such file, and no known name .smollm2-135m"),
        (
            ["--model", "qwen2.5-coder-0.5b"],
            "0.5b-instruct-q4_k_m.gguf not found in .*Qwen/Qwen2.5-Coder-0.5B-Instruct-GGUF",
        ),
        (["--model", __file__], "not a GGUF"),
        (["--model", "EMPTY"], "llama.cpp cannot load it"),
    ],
)
def test_what_cannot_be_served_ends_with_code_2_and_the_reason(
    arguments: list[str], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DOCQA_CACHE", str(tmp_path))
    monkeypatch.delenv("DOCQA_MODELS", raising=False)
    (tmp_path / "EMPTY").write_bytes(b"GGUF" + bytes(60))
    arguments = [str(tmp_path / "EMPTY") if a == "EMPTY" else a for a in arguments]
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        assert main([*arguments, "--port", "0"]) == 2
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    errors = capfd.readouterr().err
    assert re.search(words, errors), errors


def test_a_port_in_use_is_named_before_the_model_is_loaded() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with (
            pytest.raises(ServerUnavailable, match=f"code 2: .*127.0.0.1:{port}.*--port"),
            serve_in_background(port=port),
        ):
            pass


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="this system binds no process to cores")
def test_it_takes_the_cores_it_may_use_not_all_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {1, 5, 6})
    monkeypatch.setattr("os.cpu_count", lambda: 64)
    assert _parser().parse_args([]).threads == 3


def test_wrong_weights_under_a_known_name_are_refused(tmp_path: Path) -> None:
    known = KNOWN["qwen2.5-coder-0.5b"]
    (tmp_path / known.file).write_bytes(b"GGUF of something else")
    with pytest.raises(WeightsError, match=f"{known.sha256}; fetch"):
        find_model(known.name, (tmp_path,))


def test_a_known_file_given_by_path_is_served_under_its_name(tmp_path: Path) -> None:
    packaged = find_model("smollm2-135m", ())
    shutil.copyfile(packaged.path, tmp_path / "renamed.gguf")
    assert find_model(str(tmp_path / "renamed.gguf"), ()) == replace(packaged, path=tmp_path / "renamed.gguf")
    assert packaged.sha256 == KNOWN["smollm2-135m"].sha256


@pytest.mark.parametrize("name", NAMES)
def test_every_profile_loads_under_its_own_name_and_pins_known_weights(name: str) -> None:
    profile = load_profile(FOLDER / f"{name}.yaml")
    assert profile.name == name and profile.temperature == 0.0
    if name in KNOWN:
        assert (profile.model, profile.weights.sha256, profile.weights.file) == (
            name,
            KNOWN[name].sha256,
            KNOWN[name].file,
        )


def test_the_embedded_model_records_and_replays(tmp_path: Path) -> None:
    """SmolLM2 for real: stream, prefix cache, context limit, offline replay, clean end on SIGTERM."""
    question = user("Name three colours.")

    async def run(url: str, mode: Mode) -> list[object]:
        profile = load_profile(FOLDER / "smollm2-135m.yaml").model_copy(update={"base_urls": (url,), "timeout_s": 60.0})
        async with LLM({"default": profile}, CallCache(tmp_path), mode) as llm:
            first = await llm.complete("locator", question, max_tokens=4)
            more = [*question, {"role": "assistant", "content": first.text}, *user("And one more?")]
            return [first, await llm.complete("locator", more, max_tokens=4)]

    async def too_long(url: str) -> None:
        profile = load_profile(FOLDER / "smollm2-135m.yaml").model_copy(update={"base_urls": (url,)})
        async with LLM({"default": profile}) as llm:
            await llm.complete("locator", user("word " * 800), question_id="q1")

    with serve_in_background(context=512) as server:
        assert server.model == "smollm2-135m" and server.sha256 == KNOWN["smollm2-135m"].sha256
        with urllib.request.urlopen(server.url.removesuffix("/v1") + "/health") as health:
            assert health.status == 200
        recorded = asyncio.run(run(server.url, Mode.RECORD))
        with pytest.raises(ContextTooLong, match="question q1, stage locator.*512"):
            asyncio.run(too_long(server.url))
    first, second = recorded
    assert first.text.strip() and first.completion_tokens == 4 and first.finish_reason == "length"  # type: ignore[attr-defined]
    assert second.cached_tokens >= first.prompt_tokens // 2 and second.first_token_s  # type: ignore[attr-defined]
    with pytest.raises(OSError):
        urllib.request.urlopen(server.url.removesuffix("/v1") + "/health", timeout=2)  # the server is gone
    replayed = asyncio.run(run(server.url, Mode.REPLAY))
    assert replayed == [replace(reply, replayed=True) for reply in recorded]  # type: ignore[type-var]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, None])
def test_the_server_ends_cleanly_on_signals_and_when_its_parent_is_gone(number: signal.Signals | None) -> None:
    command = [sys.executable, "-m", "common.llm.server", "--port", "0", "--ctx", "256", "--until-eof"]
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, cwd=Workspace().root)
    try:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("ready: http://127.0.0.1:")
        if number is not None:
            process.send_signal(number)  # else communicate() closes its standard input
        _, errors = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 0 and "Traceback" not in errors
