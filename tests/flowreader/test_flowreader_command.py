"""The command line when something is wrong: told in one line before work is done, and no answer lost after it."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from flowreader_fakes import REPLIES
from knowforge_fakes import WordEncoder

from common.documents import parse_folder
from common.llm import Profile, Reply, ServerUnavailable
from common.llm.lock import FolderLock
from flowreader import ask_command, cli, own_files

PAGE = "# Orlen Cup\n\nThe Orlen Cup was won by Iska Dorn.\n\n# Dorn\n\nIska Dorn was born in Pellwick.\n"
ANALYSIS = '{"keywords": ["Iska Dorn"], "summary": "Of Iska Dorn."}'


class Server:
    """Stands for the servers of a profile: answers by stage, `alive` calls long."""

    alive = 100
    asked: list[str] = []

    def __init__(self, profile: Profile) -> None: ...

    async def call(self, request: Any, question_id: str, on_token: object) -> Reply:
        await asyncio.sleep(0)
        if len(Server.asked) >= Server.alive:
            raise ServerUnavailable("gone")
        prompt = str(request.messages[-1]["content"])
        words = {
            "search terms": "keywords", "fields:": "worker", "both answers be right": "consistency", "EXISTS": "bridge",
            "this step help": "edge", "Several readers": "synthesis",
        }  # fmt: skip
        stage = next((stage for word, stage in words.items() if word in prompt), "")
        Server.asked.append(request.key)
        if stage == "worker":
            return Reply(json.dumps({"status": "supported", "answer": "Pellwick", "evidence": "born"}), "stop")
        return Reply(REPLIES[stage] if stage else ANALYSIS if "Passage:" in prompt else '{"links": [1]}', "stop")

    async def aclose(self) -> None: ...


@contextmanager
def reachable(profile: Profile, *, serve: bool) -> Iterator[Profile]:
    yield profile


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A short document; encoder and server are stood in for, the cache is the test's own."""
    monkeypatch.setenv("DOCQA_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(own_files, "load_encoder", lambda name: type("Words", (WordEncoder,), {"asymmetric": False})())
    monkeypatch.setattr(own_files, "reachable", reachable)
    monkeypatch.setattr("common.llm.servers.Servers", Server)
    monkeypatch.setattr(Server, "alive", 100)
    monkeypatch.setattr(Server, "asked", [])
    path = tmp_path / "cup.md"
    path.write_text(PAGE)
    return path


def ask(page: Path, *more: str, question: str = "Where was Iska Dorn born?") -> int:
    return cli.main(["ask", str(page), "-q", question, "--fast-parse", *more])


@pytest.mark.parametrize(
    ("more", "question", "told"),
    [
        (["--no-model", "--graph-model"], "?", "--no-model makes no call"),
        (["--no-model", "--serve"], "?", "--no-model makes no call"),
        (["--figure", "out"], "?", "--figure out: give a name that ends in .svg"),
        (["--figure", "out.png"], "?", "ends in .svg"),
        (["--figure", "cup.md/out.svg"], "?", "--figure cup.md/out.svg: its folder cannot be made"),
        (["--json", "cup.md/out.json"], "?", "--json cup.md/out.json: its folder cannot be made"),
        (["--json", "."], "?", "--json .: no file can be written there"),
        (["--variant", "zero_shot", "--figure", "out.svg"], "?", "there are no paths to draw"),
        (["--variant", "gold"], "?", "a question of yours has none"),
        (["--model", "nonsense"], "?", "no model profile 'nonsense'; known: "),
        (["--model", "tiny.yaml"], "?", "context of 2,048 tokens: too small for variant overlap; use a model with"),
        ([], "x" * 20_000, "and a question of 20,000 characters: shorten it, or use a model with"),
        (["--variant", "nonsense"], "?", "no variant 'nonsense'; known: eps0, full"),
    ],
)
def test_what_cannot_be_done_is_told_before_anything_is_read(
    more: list[str], question: str, told: str, page: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(page.parent)
    Path("tiny.yaml").write_text("{name: tiny, model: tiny, context: 2048}")
    monkeypatch.setattr("common.own_files.parse_folder", lambda *_, **__: pytest.fail("documents were parsed"))
    assert ask(page, *more, question=question) == 2
    errors = capsys.readouterr().err
    assert told in errors and errors.count("\n") == 1


def test_a_node_that_answers_alone_is_a_path_of_its_own(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    others = "\n\n".join(f"# Part {n}\n\nBarge {n} of the club brings {n} loads." for n in range(8))
    page.write_text(f"# Club\n\nThe rowing club of Velm was founded in 1911.\n\n{others}\n")
    assert ask(page, "--no-model", question="When was the rowing club of Velm founded?") == 0
    [path] = [line for line in capsys.readouterr().out.splitlines() if line.startswith("flow ")]
    assert path == "flow 1.000  x 1.000  cup p.1 text"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("name: x\nscoring: {alpha: [}", "is no YAML"),
        ("name: x\nscoring: {alpha: high}", "scoring.alpha: 'high' is no number"),
        ("name: x\nscoring: 5", "variant.scoring: 5 is no mapping"),
        ("- a", "not a mapping"),
        ("", "not a mapping"),
        ("shape: flow", "'name' is missing"),
        ("name: x\nreading: {pairs: 15}", "leaves no call for a worker"),
    ],
)
def test_a_variant_file_that_cannot_be_used_is_named(
    text: str, told: str, page: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = page.with_name("mine.yaml")
    file.write_text(text)
    assert ask(page, "--no-model", "--variant", str(file)) == 2
    errors = capsys.readouterr().err
    assert told in errors and "Traceback" not in errors


def test_a_graph_is_described_drawn_exported_and_asked_again(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page.write_text("\n\n".join(f"# Part {n}\n\n{'Iska Dorn drove. ' * 40} Lap {n}." for n in range(3)))
    figure, export = page.with_name("g.svg"), page.with_name("g.graphml")
    build = ["graph", str(page), "--fast-parse", "--figure", str(figure), "--graphml", str(export)]
    assert cli.main(build) == 0
    first = figure.read_bytes(), export.read_bytes()
    assert capsys.readouterr().out.splitlines() == [
        "1 document, 3 nodes: 3 text",
        "6 links between 3 pairs: 3 in a document, 0 across; 3 named by both ends, 0 by one",
        "1 connected part, 0 nodes alone",
        "no calls",
        f"graphml: {export}",
        f"figure: {figure}",
    ]
    ElementTree.fromstring(first[0])
    assert first[0].count(b"<!-- p. 1 text -->") == 3 and first[0].count(b"<!-- cup -->") == 1
    assert cli.main(build) == 0
    assert (figure.read_bytes(), export.read_bytes()) == first
    question = ["-q", "Where was Iska Dorn born?"]
    assert cli.main(["ask", "--graph", str(export), *question]) == 0
    assert "ANSWER: Pellwick\n" in capsys.readouterr().out
    for wrong in (["ask", *question], ["ask", str(page), "--graph", str(export), *question]):
        assert cli.main(wrong) == 2
        assert "give the documents" in capsys.readouterr().err
    export.write_text("no graph")
    assert cli.main(["ask", "--graph", str(export), *question]) == 2
    assert "g.graphml" in capsys.readouterr().err


@pytest.mark.parametrize(("form", "start"), [("PNG", b"\x89PNG"), ("pdf", b"%PDF"), ("svg", b"<?xml")])
def test_a_graph_is_drawn_in_the_form_its_name_asks_for(
    form: str, start: bytes, page: Path, recwarn: pytest.WarningsRecorder
) -> None:
    figure, odd = page.with_name(f"g.{form}"), page.with_name("潮 $x$ \x1b & <--.md")
    odd.write_text(PAGE)
    drawn = []
    for _ in range(2):
        assert cli.main(["graph", str(page), str(odd), "--fast-parse", "--figure", str(figure)]) == 0
        drawn.append(figure.read_bytes())
    assert drawn[0] == drawn[1] and drawn[0].startswith(start) and not recwarn.list
    if form == "svg":
        ElementTree.fromstring(drawn[0])


def test_a_graph_is_drawn_in_no_other_form(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["graph", str(page), "--figure", str(page.with_name("g.gif"))]) == 2
    assert "g.gif: give a name that ends in .svg or .png or .pdf" in capsys.readouterr().err


def test_a_graph_without_a_model_needs_no_server(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["graph", str(page), "--fast-parse", "--serve"]) == 2
    assert "--serve: without --graph-model no model is asked" in capsys.readouterr().err


def test_the_graph_of_a_model_is_drawn_from_its_stored_replies(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["graph", str(page), "--fast-parse", "--graph-model"]) == 0
    made = len(Server.asked)
    told = capsys.readouterr().out.splitlines()[-1]
    assert made and told.endswith(f"calls, {made} of them new")
    assert ask(page, "--graph-model") == 0
    assert "0 of them new" in capsys.readouterr().err


def test_the_picture_of_paths_that_no_model_read_says_so(page: Path, tmp_path: Path) -> None:
    figure = tmp_path / "paths.svg"
    assert ask(page, "--no-model", "--figure", str(figure)) == 0
    drawn = figure.read_text()
    assert "Answer: (no model was asked)" in drawn and "paths would be read" in drawn and ": was not asked<" in drawn
    assert "did not answer" not in drawn


def test_documents_without_a_word_and_a_misspelt_path(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page.write_text("")
    assert ask(page, "--no-model") == 2
    assert "cup.md: empty file (0 bytes)" in capsys.readouterr().err
    assert ask(page.with_name("absent"), "--no-model") == 2
    assert "no such file or folder: " in capsys.readouterr().err


@pytest.mark.parametrize(
    "question",
    ["サンドヴィクの潮汐は", "أين ولد؟", "Где родилась Iska Dorn?", "😀", "? ? ?", "$text ${x} {y} %s", "\x00\x1b[0m"],
)
def test_a_question_in_any_script_is_asked_and_drawn(
    question: str, page: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    figure = page.with_name("out.svg")
    assert ask(page, "--figure", str(figure), question=question) == 0
    assert re.search("^ANSWER: (Pellwick|Not answerable)$", capsys.readouterr().out, re.MULTILINE)
    assert figure.read_text().startswith("<svg")


def test_the_answer_is_told_although_the_picture_cannot_be_written(
    page: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("common.command_line.write_atomic", full)
    figure = page.with_name("out.svg")
    assert ask(page, "--figure", str(figure)) == 2
    shown = capsys.readouterr()
    assert "ANSWER: Pellwick\n" in shown.out
    assert f"--figure {figure}: the file cannot be written" in shown.err and "No space left" in shown.err


def test_a_server_that_dies_in_the_middle_costs_the_calls_in_flight_alone(
    page: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """After keywords and one worker: that worker's answer is given, and the same command asks only for the rest."""
    monkeypatch.setattr(Server, "alive", 2)
    record = page.with_name("run.json")
    assert ask(page, "--json", str(record)) == 1
    shown = capsys.readouterr()
    assert "ANSWER: Pellwick\n" in shown.out and "synthesis: ServerUnavailable" in shown.out
    [told] = json.loads(record.read_text())
    assert not told["done"] and told["answer"] == ["Pellwick"]
    told = told["record"]
    assert told["run"]["status"] == "failed" and told["run"]["answer_before"] == "workers"
    monkeypatch.setattr(Server, "alive", 100)
    assert ask(page) == 0
    assert len(Server.asked) == len(set(Server.asked)) > 2


def test_a_model_that_says_nothing_has_not_answered(
    page: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def silent(*_: object) -> Reply:
        return Reply("", "stop")

    monkeypatch.setattr(Server, "call", silent)
    assert ask(page) == 1
    told = capsys.readouterr().out
    assert "the run failed:" in told and "synthesis: EmptyReply: question ask, stage synthesis: empty reply" in told


def test_a_graph_that_was_stopped_is_gone_on_with_and_then_used_again(
    page: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page.write_text("\n\n".join(f"# Part {n}\n\n{'Iska Dorn drove. ' * 40} Lap {n}." for n in range(3)))
    monkeypatch.setattr(Server, "alive", 4)
    assert ask(page, "--graph-model") == 2
    told = capsys.readouterr().err
    assert "stage" in told and "gone" in told and "the same command goes on from here" in told
    monkeypatch.setattr(Server, "alive", 1000)
    assert ask(page, "--graph-model") == 0
    line = next(line for line in capsys.readouterr().err.splitlines() if line.startswith("graph:"))
    assert "12 calls, 2 of them new" in line  # rounds 2 and 3 ask what round 1 asked: nothing has changed
    assert len(Server.asked) == len(set(Server.asked))
    made = len(Server.asked)
    assert ask(page, "--graph-model") == 0
    assert "12 calls, 0 of them new" in capsys.readouterr().err and len(Server.asked) == made


def test_two_commands_on_one_file_take_turns_at_parsing(
    page: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    inside, seen, parse = threading.Lock(), [], parse_folder

    def alone(*arguments: Any, **options: Any) -> Any:
        seen.append(inside.acquire(blocking=False))
        time.sleep(0.2)
        inside.release()
        return parse(*arguments, **options)

    monkeypatch.setattr("common.own_files.parse_folder", alone)
    given = argparse.Namespace(paths=[page], cache=page.parent / "home", no_ocr=True, fast_parse=True)
    with ThreadPoolExecutor(2) as pool:  # each opens the lock file for itself, as two processes do
        made = list(pool.map(lambda _: own_files.open_documents(given), range(2)))
    assert seen == [True, True] and made[0].documents == made[1].documents
    assert "waiting: another process is writing to" in capfd.readouterr().err


def test_a_cache_that_is_being_filled_is_told_before_a_call_is_paid(
    page: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = page.parent / "cache" / "ask" / "flowreader" / "calls" / "smollm2-135m"
    folder.mkdir(parents=True)
    other = FolderLock(folder)
    other.acquire()
    try:
        assert ask(page) == 2
    finally:
        other.release()
    assert f"process {os.getpid()} is recording into this folder" in capsys.readouterr().err and not Server.asked


def test_several_questions_each_have_an_answer_a_picture_and_a_place_in_the_json(
    page: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    figure, told = page.with_name("paths.svg"), page.with_name("answers.json")
    more = ["-q", "Who won the Orlen Cup?", "--figure", str(figure), "--json", str(told)]
    assert ask(page, *more) == 0
    shown = capsys.readouterr().out
    assert "QUESTION 1 of 2: Where was Iska Dorn born?\n" in shown and shown.count("ANSWER: Pellwick\n") == 2
    assert f"  [1] {page}, page 1 (text, holds the answer)\n" in shown
    assert page.with_name("paths-1.svg").exists() and page.with_name("paths-2.svg").exists() and not figure.exists()
    first, second = json.loads(told.read_text())
    assert (first["question"], second["question"]) == ("Where was Iska Dorn born?", "Who won the Orlen Cup?")
    assert second["done"] and second["answer"] == ["Pellwick"] and second["citations"][0]["file"] == str(page)
    told.unlink()
    answers = iter([ask_command.answer_question])

    async def stop(*arguments: Any, **options: Any) -> Any:
        for answer in answers:
            return await answer(*arguments, **options)
        raise KeyboardInterrupt

    monkeypatch.setattr(ask_command, "answer_question", stop)
    with pytest.raises(KeyboardInterrupt):
        ask(page, "-q", "Who won the Orlen Cup?", "--json", str(told))
    assert json.loads(told.read_text()) == [first]


def test_files_of_one_name_are_both_read_and_other_kinds_are_named(
    page: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folders = [page.parent / name for name in "ab"]
    for folder in folders:
        folder.mkdir()
        (folder / "cup.md").write_text(f"{PAGE}\n\nFolder {folder.name}.\n")
    (folders[0] / "rows.txt").write_text("1,2\n")
    assert cli.main(["graph", *map(str, folders), "--fast-parse"]) == 0
    shown = capsys.readouterr()
    assert shown.out.startswith("2 documents")
    assert f"left out, no PDF, HTML, Markdown, CSV or TSV by name: {folders[0] / 'rows.txt'}; " in shown.err
