"""A user's own files: indexed once, answered with a scripted model, cited by file and page, traced on one page."""

from __future__ import annotations

import asyncio
import json
import re
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from knowforge_fakes import ScriptedLLM, WordEncoder

from common.documents import ParseOptions, parse_folder
from common.llm import Reply, ServerUnavailable
from common.room import CHARS_PER_TOKEN
from knowforge.cli import main
from knowforge.fitting import PROMPT_TOKENS, fit_to_context
from knowforge.own_files import Asked, Indexed, answered, ask, index_files, spent
from knowforge.search import search
from knowforge.system import SearchConfig, SystemConfig
from knowforge.systems import load_system
from knowforge.trace_page import TracedRun, page

PARSE = ParseOptions(ocr=False, layout=False)
QUESTION = "Where was Iska Dorn <i>born</i>?"
CUP = "# Orlen Cup\n\nIska Dorn was one lap down in the Orlen Cup. <script>alert(1)</script>\n"
DORN = (
    "# Iska Dorn\n\nIska Dorn is a driver born in Pellwick.\n\n| year | prize |\n|---|---|\n| 1979 | Halden Trophy |\n"
)
STOP = '{"thought": "enough", "final": "ok"}'
JUDGED = (
    '{"need_more": true, "bridge_entities": ["Orlen Cup"], "queries": ["Orlen Cup laps"], "reason": "race <missing>"}'
)
SCRIPTS: dict[str, list[str | Exception]] = {
    "locator": ['{"thought": "who", "tool": "search_knowledge", "args": {"query": "Iska Dorn born"}}', STOP],
    "judge": [JUDGED],
    "synthesizer": ["She was born in Pellwick.\nFINAL ANSWER: the town of Pellwick"],
    "checker": ['{"final": "Pellwick"}'],
}


class CountingEncoder(WordEncoder):
    """Knows which texts it really had to encode."""

    asymmetric = False

    def __init__(self) -> None:
        self.encoded: list[str] = []

    def encode(self, texts: Sequence[str], *, query: bool = False) -> np.ndarray:
        self.encoded += texts
        return super().encode(texts, query=query)


class StreamingLLM(ScriptedLLM):
    """Gives the synthesizer's text in pieces."""

    async def complete(self, stage: str, messages: list[dict[str, Any]], **options: Any) -> Reply:
        reply = await super().complete(stage, messages, **options)
        for piece in re.findall(r"\S+\s*", reply.text) if options.get("on_token") else []:
            options["on_token"](piece)
        return reply


@pytest.fixture
def files(tmp_path: Path) -> Path:
    folder = tmp_path / "my files"
    folder.mkdir()
    (folder / "cup.md").write_text(CUP)
    (folder / "dorn.md").write_text(DORN)
    return folder


def index(paths: list[Path], cache: Path, encoder: WordEncoder | None = None) -> Indexed:
    return index_files(paths, cache, encoder or CountingEncoder(), parse=PARSE, progress=False)  # type: ignore[arg-type]


def run(indexed: Indexed, scripts: dict[str, Any] | None = None) -> tuple[Asked, str]:
    told: list[str] = []
    table = next(f.fragment_id for f in indexed.built.base.fragments.values() if f.kind == "table")
    read = json.dumps({"thought": "look", "tool": "media_context", "args": {"fragment_id": table}})
    llm = StreamingLLM({**SCRIPTS, "reader": [read, STOP], **(scripts or {})})
    system = SystemConfig("M5", convention="mmlongbench")
    return asyncio.run(ask(QUESTION, indexed, llm, system, model="scripted", write=told.append)), "".join(told)


def test_the_index_is_made_once_and_only_changes_are_redone(files: Path, tmp_path: Path) -> None:
    cache, encoder = tmp_path / "cache", CountingEncoder()
    first = index([files], cache, encoder)
    assert (first.library.redone, first.reused) == (2, False) and encoder.encoded
    encoder.encoded.clear()
    second = index([files], cache, encoder)
    assert (second.library.redone, second.library.reused, second.reused) == (0, 2, True)
    assert not encoder.encoded and second.built.ledger == first.built.ledger
    found = [search(i.built.base, "Iska Dorn born", SearchConfig()) for i in (first, second)]
    assert found[0] == found[1] and found[0][0].fragment.document_id == "dorn"
    (files / "cup.md").write_text(CUP + "\nRain fell in Velmora.\n")
    encoder.encoded.clear()
    third = index([files], cache, encoder)
    assert (third.library.redone, third.library.reused, third.reused) == (1, 1, False)
    assert encoder.encoded and not any("born in Pellwick" in text for text in encoder.encoded)
    (files / "cup.md").unlink()
    assert list(index([files], cache, encoder).built.base.documents) == ["dorn"]


def test_a_second_question_at_the_same_files_waits_for_its_turn(
    files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """The first clears away what its run did not make: a second must not be in the middle of making it."""
    inside, seen, parse = threading.Lock(), [], parse_folder

    def alone(*args: Any, **options: Any) -> Any:
        free = inside.acquire(blocking=False)
        seen.append(free)
        time.sleep(0.2)
        if free:
            inside.release()
        return parse(*args, **options)

    monkeypatch.setattr("common.own_files.parse_folder", alone)
    with ThreadPoolExecutor(2) as pool:  # each opens the lock file for itself, as two processes do
        made = list(pool.map(lambda _: index([files], tmp_path / "cache"), range(2)))
    assert seen == [True, True] and sorted(one.library.reused for one in made) == [0, 2]
    assert "waiting: another process is writing to" in capfd.readouterr().err


def test_files_of_the_same_name_in_two_folders_both_stay(files: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "dorn.md").write_text(DORN)
    made = index([files, files / "cup.md", other], tmp_path / "cache")
    assert len(made.built.base.documents) == 3
    assert sorted(made.library.files.values()) == sorted([files / "cup.md", files / "dorn.md", other / "dorn.md"])
    assert len({f.fragment_id for d in made.library.documents for f in d.fragments}) == made.library.fragments


def test_stages_stream_and_the_answer_is_cited_by_file_and_page(files: Path, tmp_path: Path) -> None:
    indexed = index([files], tmp_path / "cache")
    asked, told = run(indexed)
    order = [
        "Locator\n", "search: Iska Dorn born", "Judge\n", "verdict: race <missing>", "search: Orlen Cup laps",
        "Deep Reader\n", "media_context", "Answer\nShe was born in Pellwick.", "Checker\n", "final answer: Pellwick",
    ]  # fmt: skip
    places = [told.index(part) for part in order]
    assert places == sorted(places) and told.count("Iska Dorn born") == 1
    lines = [*answered(asked, indexed).lines(), spent(asked)]
    assert lines[0] == "ANSWER: Pellwick" and lines[-1].startswith("7 model calls, 7 of them new, 770 tokens, 3.5 s")
    assert lines[1] == f"  [1] {files / 'dorn.md'}, page 1 (text, holds the answer)"
    assert any("cup.md, page 1 (text, " in line for line in lines)


def test_the_trace_page_shows_every_stage_and_needs_nothing_else(files: Path, tmp_path: Path) -> None:
    indexed = index([files], tmp_path / "cache")
    asked, _ = run(indexed)
    traced = TracedRun(QUESTION, asked.record, indexed.built.base, indexed.library.files, asked.calls)
    text = page(traced)
    shown = (
        "Iska Dorn born", "race &lt;missing&gt;", "Orlen Cup laps", "media_context(", "Evidence pool", "Halden Trophy",
        "the town of Pellwick", "2 of 4 rounds, stopped by final", str(files / "dorn.md"), "what a tool read",
    )  # fmt: skip
    for part in shown:
        assert part in text, part
    best = asked.record.searches[0].hits[0]
    assert f'<td class="n">{best.score:.2f}</td>' in text and f"<td>{best.kind}</td>" in text
    evidence = text[text.index("<ol class='evidence'>") : text.index("</ol>")]  # under the answer, before any stage
    assert "dorn.md, page 1 (text, holds the answer)<br><q>" in evidence and "<mark>Pellwick</mark>" in evidence
    assert text.index("class='answer'") < text.index(evidence) < text.index("<h2>Locator</h2>")
    assert "<script" not in text and "<i>born" not in text
    assert not re.search(r"(src|href)\s*=|@import|url\(", text)


def test_a_failed_run_says_why_and_still_makes_a_page(files: Path, tmp_path: Path) -> None:
    indexed = index([files], tmp_path / "cache")
    asked, _ = run(indexed, {"judge": [ServerUnavailable("the server is gone")]})
    lines = answered(asked, indexed).lines()
    assert lines[0] == "the run failed:" and "server is gone" in lines[1]
    assert "server is gone" in page(TracedRun(QUESTION, asked.record, indexed.built.base))


def test_errors_name_the_path_or_the_server_and_what_to_do(
    files: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    options = ["-q", "x", "--cache", str(tmp_path / "cache")]
    absent = "http://127.0.0.1:9/v1"
    assert main(["ask", str(tmp_path / "nowhere"), *options]) == 2
    assert "no such file or folder" in capsys.readouterr().err
    assert main(["ask", str(files), *options, "--model", absent]) == 2
    assert "start the embedded one with --serve" in capsys.readouterr().err
    assert main(["ask", str(files), *options, "--model", "gpt-9"]) == 2
    assert "known: " in capsys.readouterr().err
    with pytest.raises(Exception, match="no PDF, HTML, Markdown, CSV or TSV file there"):
        index([empty], tmp_path / "cache")


@pytest.mark.parametrize("name", ["M5", "P0", "P1", "S4", "M5-6+6"])
@pytest.mark.parametrize("context", [4096, 8192, 65536, 262144])
def test_a_system_is_cut_to_the_models_context(name: str, context: int) -> None:
    system = load_system(name)
    made = fit_to_context(system, context)
    room = (context - PROMPT_TOKENS - system.answer_tokens) * CHARS_PER_TOKEN
    reads = made.reader_rounds if made.shape == "pipeline" else 0
    assert made.pool.cap + reads * made.loop.result_chars <= room
    assert made.judge_chars <= made.pool.cap and made.pool.text_floor <= made.pool.cap
    assert (made == system) == (context >= 65536)


def test_a_context_without_room_is_refused() -> None:
    with pytest.raises(ValueError, match="too small for M5"):
        fit_to_context(load_system("M5"), 2048)


def test_a_question_that_takes_the_context_is_refused_and_a_long_one_takes_room_from_the_evidence() -> None:
    with pytest.raises(ValueError, match=r"too small for M5 and a question of 20,000 characters: shorten it, or use "):
        fit_to_context(load_system("M5"), 8192, "x" * 20_000)
    system = load_system("M5")
    assert fit_to_context(system, 8192, "x" * 500) == fit_to_context(system, 8192)
    assert fit_to_context(system, 8192, "x" * 5_000).pool.cap < fit_to_context(system, 8192).pool.cap
