"""The command around asking: which model and server, and the whole way from files to a trace page."""

from __future__ import annotations

import contextlib
import io
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from knowforge_fakes import ScriptedLLM, WordEncoder

from common.llm import LLM, Profile, Reply, ServerUnavailable
from common.llm.choice import ModelError, choose_profile, reachable
from common.llm.request import Request
from knowforge import ask_command as command
from knowforge.cli import main

SCRIPTS: dict[str, list[str | Exception]] = {
    "synthesizer": ["Pellwick.\nFINAL ANSWER: Pellwick"], "checker": ['{"final": "Pellwick"}'],
}  # fmt: skip


class Words(WordEncoder):
    asymmetric = False


class ScriptedClient(ScriptedLLM):
    """A scripted model that opens and closes like the real client."""

    async def __aenter__(self) -> ScriptedClient:
        return self

    async def __aexit__(self, *_: object) -> None:
        return None


def served(monkeypatch: pytest.MonkeyPatch, status: int, body: Any) -> None:
    answer = httpx.Response(status, content=json.dumps(body).encode())
    monkeypatch.setattr("common.llm.choice.httpx.get", lambda *_, **__: answer)


def test_the_command_indexes_answers_cites_and_writes_the_trace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    served(monkeypatch, 200, {"data": [{"id": "smollm2-135m"}]})
    monkeypatch.setattr(command, "load_encoder", lambda name: Words())
    monkeypatch.setattr("common.command_line.LLM", lambda *_: ScriptedClient(SCRIPTS))
    note = tmp_path / "dorn.md"
    note.write_text("# Iska Dorn\n\nIska Dorn is a driver born in Pellwick.\n")
    trace = tmp_path / "run.html"
    words = ["ask", str(note), "-q", "Where was Iska Dorn born?", "--system", "S4", "--cache", str(tmp_path / "cache")]
    assert main([*words, "--no-ocr", "--trace", str(trace)]) == 0
    told = capsys.readouterr().out
    assert "index built: 1 files read" in told and "1 documents, 1 pages" in told
    assert "ANSWER: Pellwick" in told and f"[1] {note}, page 1 (text, holds the answer)" in told
    assert "Where was Iska Dorn born?" in trace.read_text() and str(trace) in told
    assert main([*words, "--no-ocr"]) == 0
    assert "index used again: 0 files read, 1 kept" in capsys.readouterr().out


def test_a_url_takes_the_servers_first_model(monkeypatch: pytest.MonkeyPatch) -> None:
    served(monkeypatch, 200, {"data": [{"id": "qwen"}, {"id": "other"}]})
    profile = choose_profile("http://127.0.0.1:9/v1/", context=4096)
    assert (profile.model, profile.context, profile.base_urls) == ("qwen", 4096, ("http://127.0.0.1:9/v1",))
    assert profile.name == "127.0.0.1-9-v1"  # replies of one server are not taken for another's
    assert choose_profile("https://me:secret@models.example/api/v1").name == "models.example-api-v1"
    served(monkeypatch, 200, {"data": []})
    with pytest.raises(ModelError, match="lists no models: .* with /v1 at its end, or write a profile"):
        choose_profile("http://127.0.0.1:9/v1")
    served(monkeypatch, 401, {})
    with pytest.raises(ModelError, match="refuses the key .*write a profile .*api_key_env"):
        choose_profile("http://127.0.0.1:9/v1")


def test_a_profile_file_and_the_embedded_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("name: mine\nmodel: m\nbase_urls: ['http://127.0.0.1:9/v1']\n")
    assert choose_profile(str(path)).model == "m"
    asked: list[tuple[str, int]] = []

    @contextmanager
    def serve(model: str, *, context: int) -> Iterator[Any]:
        asked.append((model, context))
        yield type("Running", (), {"url": "http://127.0.0.1:7/v1"})

    monkeypatch.setattr("common.llm.choice.serve_in_background", serve)
    with reachable(Profile(name="smollm2-135m", model="x", weights={"file": "f.gguf"}), serve=True) as profile:  # type: ignore[arg-type]
        assert profile.base_urls == ("http://127.0.0.1:7/v1",)
    assert asked == [("smollm2-135m", 8192)]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["-q", "  "], "the question is empty"),
        (["-q", "\udcff tide"], "the question is not valid UTF-8"),
        (["-q", "x", "--encoder", "bert"], "invalid choice: 'bert' (choose from 'minilm'"),
        (["-q", "x", "--context", "-5"], "'-5' is no number of tokens"),
    ],
)
def test_options_that_make_no_sense_are_refused_by_name(
    options: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["ask", str(tmp_path), *options])
    assert stop.value.code == 2 and said in capsys.readouterr().err


@pytest.fixture
def scripted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """`ask` over one note with a scripted model and encoder: the words of the command line."""
    served(monkeypatch, 200, {"data": [{"id": "smollm2-135m"}]})
    monkeypatch.setattr(command, "load_encoder", lambda name: Words())
    monkeypatch.setattr("common.command_line.LLM", lambda *_: ScriptedClient(SCRIPTS))
    (tmp_path / "dorn.md").write_text("# Iska Dorn\n\nIska Dorn is a driver born in Pellwick.\n")
    words = ["ask", str(tmp_path / "dorn.md"), "-q", "Where was Iska Dorn born?", "--system", "S4", "--no-ocr"]
    return [*words, "--cache", str(tmp_path / "cache")]


def test_a_trace_page_that_cannot_be_written_is_refused_before_the_run(
    scripted: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    for place in (tmp_path, tmp_path / "file" / "run.html"):
        assert main([*scripted, "--trace", str(place)]) == 2
        told = capsys.readouterr()
        assert told.err.startswith(f"knowforge: --trace {place}: ") and "name " in told.err and not told.out


def test_a_cache_without_room_is_named(
    scripted: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("knowforge.stored.save_graph", full)
    assert main(scripted) == 2
    told = capsys.readouterr().err
    assert f"knowforge: {tmp_path / 'cache'}: " in told and "No space left" in told and "--cache" in told
    monkeypatch.undo()
    (tmp_path / "cache2").touch()
    assert main([*scripted[:-1], str(tmp_path / "cache2"), "--model", "smollm2-135m"]) == 2


def test_a_small_context_is_told_without_a_traceback(scripted: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*scripted, "--model", "http://127.0.0.1:9/v1", "--context", "1000"]) == 2
    told = capsys.readouterr().err
    assert told.startswith("knowforge: context of 1,000 tokens: too small for S4; use a model with 3,800 or more")


def test_any_file_name_can_be_shown(scripted: list[str], tmp_path: Path) -> None:
    """A terminal that knows only ASCII, as a program's output through a pipe may be."""
    (tmp_path / "dörn 文.md").write_text("Iska Dorn was born in Pellwick, it is said.\n")
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    with contextlib.redirect_stdout(stream):
        assert main([scripted[0], str(tmp_path / "dörn 文.md"), *scripted[2:]]) == 0
    stream.flush()
    assert rb"d\xf6rn \u6587.md, page 1" in stream.buffer.getvalue()  # type: ignore[attr-defined]


def test_several_questions_each_have_an_answer_a_trace_and_a_place_in_the_json(
    scripted: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    trace, told = tmp_path / "out" / "run.html", tmp_path / "answers.json"
    more = ["-q", "Who was born in Pellwick?", "--trace", str(trace), "--json", str(told)]
    assert main([*scripted, *more]) == 0
    shown = capsys.readouterr().out
    assert "QUESTION 2 of 2: Who was born in Pellwick?\n" in shown and shown.count("ANSWER: Pellwick\n") == 2
    assert "Who was born" in trace.with_name("run-2.html").read_text() and not trace.exists()
    first, second = json.loads(told.read_text())
    assert (first["question"], second["question"]) == ("Where was Iska Dorn born?", "Who was born in Pellwick?")
    assert second["done"] and second["answer"] == ["Pellwick"]
    assert second["citations"][0]["file"] == str(tmp_path / "dorn.md") and second["record"]["system"] == "S4"


def test_a_question_that_is_stopped_takes_no_earlier_answer_with_it(
    scripted: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = iter([command.ask])

    async def stop(*arguments: Any, **options: Any) -> Any:
        for answer in answers:
            return await answer(*arguments, **options)
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "ask", stop)
    told = tmp_path / "answers.json"
    with pytest.raises(KeyboardInterrupt):
        main([*scripted, "-q", "Who else?", "--json", str(told)])
    assert [answered["question"] for answered in json.loads(told.read_text())] == ["Where was Iska Dorn born?"]


def test_replies_are_kept_so_a_repeated_question_costs_no_call(
    scripted: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("common.command_line.LLM", LLM)
    asked: list[str] = []

    async def call(_: object, request: Request, *__: object) -> Reply:
        if len(asked) == 1:
            asked.append("")
            raise ServerUnavailable("gone")
        asked.append(request.key)
        return Reply("Pellwick.\nFINAL ANSWER: Pellwick", "stop")

    monkeypatch.setattr("common.llm.servers.Servers.call", call)
    assert main(scripted) == 1  # stopped by the second call
    assert "ServerUnavailable" in capsys.readouterr().out
    assert main(scripted) == 0  # goes on from it
    calls = len(asked)
    assert calls == len(set(asked)) and "ANSWER: Pellwick" in capsys.readouterr().out
    assert main(scripted) == 0 and len(asked) == calls
    assert " 0 of them new" in capsys.readouterr().out
    with pytest.MonkeyPatch.context() as full:
        full.setattr("common.llm.cache.CallCache.put", lambda *_, **__: _raise(OSError(28, "No space left on device")))
        assert main([*scripted, "-q", "Who else?"]) == 2
    told = capsys.readouterr().err
    assert "smollm2-135m: what was read and answered cannot be kept there" in told and "No space left" in told


def _raise(error: Exception) -> None:
    raise error
