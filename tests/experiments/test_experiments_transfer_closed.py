"""A closed domain whose corpus may not be passed on: own index per document, extraction, redaction, partial sets."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Literal

import pytest
from fake_server import MODEL, fake_server
from knowforge_fakes import WordEncoder
from omegaconf import OmegaConf
from reportlab.pdfgen.canvas import Canvas

from common.benchmarks import BenchmarkError
from common.benchmarks.mmlongbench import question_from_entry
from common.benchmarks.question import Question
from common.documents.model import Document, Fragment
from common.metrics import measure
from common.paths import Workspace
from common.records import RunRecord
from common.traces import TraceKey, read_trace, write_snapshot
from experiments.config import compose_config
from experiments.paired import paired_runs
from experiments.record import record_command
from experiments.regenerate import regenerate
from experiments.running.bases import DocumentBases, OpenBase, bases_for
from experiments.running.outline import corpus_view, coverage_of, write_coverage
from experiments.running.own_document import UnknownDocument
from experiments.running.workbench import take_snapshot
from experiments.verify import verify
from knowforge.base import BaseOptions

NAME, SYSTEMS = "mmlongbench", ("S4", "M5")
OVERRIDES = ["benchmark=mmlongbench", f"model={MODEL}", "encoder=wordllama", "systems=[S4,M5]"]


def document(number: int, words: str = "was won by") -> Document:
    texts = (f"Race {number} {words} Name {number}.", f"Secret passage {number} about the weather.")
    fragments = tuple(
        Fragment(f"frag_{number:08x}{order:08x}", f"doc-{number}", order + 1, "text", text, order)
        for order, text in enumerate(texts)
    )
    return Document(f"doc-{number}", f"Race {number}", f"doc-{number}.pdf", "0" * 64, 2, fragments)


def question(number: int) -> Question:
    entry = {
        "doc_id": f"doc-{number % 3}.pdf", "doc_type": "Report", "question": f"Who is secret winner {number}?",
        "answer": "Not answerable" if number == 4 else f"Name {number}", "evidence_pages": "[1]",
        "evidence_sources": "['Table']", "answer_format": "None" if number == 4 else "Str",
    }  # fmt: skip
    return question_from_entry(entry, 10 * number, "made up")


DOCUMENTS = [document(number) for number in range(3)]
QUESTIONS = [question(number) for number in range(5)]


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Workspace, ThreadingHTTPServer]]:
    """S4 and M5 on five questions about three documents, recorded against the fake server."""
    root = tmp_path_factory.mktemp("closed") / "checkout"
    for folder in ("conf", "published"):
        shutil.copytree(Workspace().experiments / folder, root / "experiments" / folder)
    workspace = Workspace(root, root.parent / "cache")
    with fake_server() as server:
        url = f"http://127.0.0.1:{server.server_address[1]}/v1"
        path = workspace.conf / "model" / f"{MODEL}.yaml"
        path.write_text(f"name: {MODEL}\nmodel: {MODEL}\nbase_urls: ['{url}']\nretries: 0\ntimeout_s: 20\n")
        local = workspace.corpus(NAME, redistributable=False)
        write_snapshot(local, QUESTIONS, {"smoke": [QUESTIONS[0].question_id]}, DOCUMENTS, root)
        write_coverage(local, coverage_of(NAME, len(DOCUMENTS), len(QUESTIONS)))
        assert record_command(OVERRIDES, workspace, serve=False) == 0
        workspace.figures.mkdir()
        assert regenerate([], [], workspace) == 0
        yield workspace, server


def runs(workspace: Workspace, system: str) -> list[RunRecord]:
    return list(read_trace(TraceKey(NAME, MODEL, "knowforge", system), workspace.records).done.values())


def test_each_question_is_searched_for_in_its_own_document(recorded: tuple[Workspace, ThreadingHTTPServer]) -> None:
    workspace, _ = recorded
    own = {q.question_id: q.document_id for q in QUESTIONS}
    for system in SYSTEMS:
        made = runs(workspace, system)
        assert len(made) == 5 and all(run.searches for run in made)
        found = {(run.question_id, hit.document_id) for run in made for s in run.searches for hit in s.hits}
        assert found == set(own.items())


def test_nothing_of_the_corpus_is_in_the_tree(recorded: tuple[Workspace, ThreadingHTTPServer]) -> None:
    workspace, server = recorded
    assert any("Secret passage" in str(request) for request in server.asked)  # type: ignore[attr-defined]
    for path in workspace.traces.rglob("*"):
        text = path.read_bytes().lower() if path.is_file() else b""
        assert b"secret" not in text and b"weather" not in text and b"name 3" not in text, path
    assert not (workspace.traces / "calls").exists() and not (workspace.traces / "corpora").exists()


def test_records_hold_extraction_and_scores(recorded: tuple[Workspace, ThreadingHTTPServer]) -> None:
    workspace, _ = recorded
    scoring = {run.question_id: run.facts["scoring"] for run in runs(workspace, "M5")}
    assert all(facts["answer"] == ["Name 1"] for facts in scoring.values())
    assert scoring["full-0010"]["scores"] == {"mmlongbench": [1.0, 1.0, 1.0]}
    assert 0 < scoring["full-0020"]["scores"]["mmlongbench"][0] < 1  # "Name 1" for "Name 2" by edit distance
    assert scoring["full-0040"]["scores"]["mmlongbench"] == [0.0, 0.0, 0.0]


def test_tables_are_made_without_the_corpus_and_say_how_partial_it_is(
    recorded: tuple[Workspace, ThreadingHTTPServer], tmp_path: Path
) -> None:
    workspace, _ = recorded
    elsewhere = Workspace(workspace.root, tmp_path / "another-machine")
    cfg = compose_config("config", OVERRIDES, workspace=workspace)
    OmegaConf.set_struct(cfg, False)
    cfg.artefact = {"name": "made_up"}
    cfg.workspace = {"root": str(elsewhere.root), "cache": str(elsewhere.cache)}
    paired = paired_runs(cfg, "knowforge", SYSTEMS)
    assert str(paired.source) == "mmlongbench (3 of 135 documents), fake-model, n = 5"
    here = measure("mmlongbench", QUESTIONS, runs(workspace, "M5"))
    there = measure("mmlongbench", paired.questions, paired.runs["M5"])
    assert [row.score for row in here] == [row.score for row in there] and here[1].score.primary == 1
    view = corpus_view(elsewhere, NAME)
    assert view.subsets == {"smoke": ("full-0000",)} and view.questions[0].answers == ()
    stripped = [replace(run, facts={}) for run in paired.runs["M5"]]
    with pytest.raises(ValueError, match=r"full-0000 of mmlongbench has no gold answer here.*record it again"):
        measure("mmlongbench", paired.questions, stripped)


def test_verify_replays_where_the_corpus_is_and_says_so_where_not(
    recorded: tuple[Workspace, ThreadingHTTPServer], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    workspace, _ = recorded
    assert verify(workspace, progress=False) == 0
    here = capsys.readouterr().out
    assert "10 runs gave the same records" in here and "not replayed" not in here
    assert verify(Workspace(workspace.root, tmp_path), progress=False) == 0
    assert "0 runs gave the same records; not replayed" in capsys.readouterr().out


def test_a_changed_score_or_extraction_is_noticed(
    recorded: tuple[Workspace, ThreadingHTTPServer], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    workspace, _ = recorded
    shutil.copytree(workspace.root, tmp_path / "checkout")
    copy = Workspace(tmp_path / "checkout", workspace.cache)
    path = TraceKey(NAME, MODEL, "knowforge", "M5").path(copy.records)
    path.write_text(path.read_text().replace('{"mmlongbench":[0.0,0.0,0.0]}', '{"mmlongbench":[1.0,0.0,0.0]}'))
    assert verify(copy, progress=False) == 1
    assert "facts.scoring.scores.mmlongbench[0]" in capsys.readouterr().out


def test_bases_are_closed_where_every_question_names_its_document(tmp_path: Path) -> None:
    encoder, options = WordEncoder(), BaseOptions()
    closed = bases_for(QUESTIONS, DOCUMENTS, encoder, tmp_path, options)
    opened = bases_for([*QUESTIONS, replace(QUESTIONS[0], document_id=None)], DOCUMENTS, encoder, tmp_path, options)
    assert isinstance(closed, DocumentBases) and isinstance(opened, OpenBase)
    first = closed.of(QUESTIONS[0])
    assert list(closed.built) == ["doc-0"] and closed.of(QUESTIONS[3]) is first  # question 3 is of document 0 too
    assert set(opened.of(QUESTIONS[0]).documents) == {"doc-0", "doc-1", "doc-2"}
    with pytest.raises(UnknownDocument, match=r"full-0000 is asked of document 'gone'"):
        closed.of(replace(QUESTIONS[0], document_id="gone"))


def test_the_hash_names_the_whole_corpus_and_how_it_is_indexed(tmp_path: Path) -> None:
    def sha256(documents: list[Document], points: Literal["sentences", "none"] = "sentences") -> str:
        return DocumentBases(documents, WordEncoder(), tmp_path, BaseOptions(points=points)).sha256

    same = sha256(DOCUMENTS)
    assert sha256([document(number) for number in range(3)]) == same
    assert len({same, sha256(DOCUMENTS[:2]), sha256([*DOCUMENTS[:2], document(2, "was lost by")])}) == 3
    assert sha256(DOCUMENTS, "none") != same


def test_a_partial_set_must_be_asked_for(tmp_path: Path) -> None:
    files = tmp_path / "files"
    (files / "documents").mkdir(parents=True)
    canvas = Canvas(str(files / "documents" / "doc-0.pdf"))
    for line in range(20):
        canvas.drawString(50, 700 - 20 * line, f"Line {line}: race {line} was won by somebody whose name is long.")
    canvas.save()
    entries = [
        {**{k: q.extra[k] for k in ("doc_id", "doc_type", "index")}, "question": q.question, "answer": q.extra["gold"],
         "evidence_pages": "[1]", "evidence_sources": "['Table']", "answer_format": q.answer_format}
        for q in QUESTIONS
    ]  # fmt: skip
    (files / "samples.json").write_text(json.dumps(entries))
    asked = ["benchmark=mmlongbench", f"benchmark.root={files}", "+parse.layout=false", "+parse.ocr=false"]
    workspace = Workspace(tmp_path / "checkout", tmp_path / "cache")
    with pytest.raises(BenchmarkError, match="'held'"):
        take_snapshot(compose_config("config", asked), workspace)
    folder = take_snapshot(compose_config("config", [*asked, "benchmark.documents=held"]), workspace)
    view = corpus_view(workspace, NAME)
    assert folder.is_relative_to(tmp_path / "cache") and view.label == "mmlongbench (1 of 135 documents)"
    assert [q.question_id for q in view.questions] == ["full-0000", "full-0030"]
    assert view.subsets == {"smoke": ("full-0000",), "mid": ("full-0000",)}
