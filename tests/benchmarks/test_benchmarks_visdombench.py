"""The VisDoMBench loader on invented questions in the official form."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pypdfium2
import pytest

from common.benchmarks import BenchmarkError, load_benchmark
from common.benchmarks.fetch import RELEASES, check_release
from common.benchmarks.visdombench import KINDS, file_stem
from common.documents.folder import find_sources

PARTS = {name: (questions, documents) for name, questions, documents in RELEASES["visdombench"].parts}


def row(part: str, number: int, **changes: Any) -> dict[str, Any]:
    documents = [f"{part}.{n % PARTS[part][1]:04d}v1.pdf" for n in (number, number + 1)]
    return {
        "q_id": f"{part}_{number}", "question": f" \n\nInvented, {number}?",
        "answer": f'it "is" {number},\nmore or less', "doc_id": documents[0][:-4],
        "doc_path": documents[0], "documents": str(documents), "paper_abstract": "a\nb",
    } | changes  # fmt: skip


def write(root: Path, part: str, rows: list[dict[str, Any]], *, documents: int | None = None, folder: str = "") -> Path:
    path = root / (folder or part) / f"{part}.csv"
    (path.parent / "docs").mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    for number in range(PARTS[part][1] if documents is None else documents):
        (path.parent / "docs" / f"{part}.{number:04d}v1.pdf").touch()
    return path


def test_fields_of_a_question(tmp_path: Path) -> None:
    slides = row("slidevqa", 0, evidence_pages="[7, 3]", answer="['4', 'four']")
    path = write(tmp_path, "slidevqa", [slides], documents=2)
    deck = pypdfium2.PdfDocument.new()
    for _ in range(7):
        deck.new_page(160, 90)
    deck.save(path.parent / "docs" / "slidevqa.0000v1.pdf")
    loaded = load_benchmark("visdombench", tmp_path, subset="slidevqa+held")
    (question,) = loaded.questions
    assert (question.question_id, question.question, question.answers) == ("slidevqa_0", "Invented, 0?", ("4", "four"))
    assert question.gold_documents == ("slidevqa.0000v1",)
    assert [(e.page, e.kind) for e in question.evidence] == [(3, "slide"), (7, "slide")]
    assert question.extra["documents"] == ["slidevqa.0000v1", "slidevqa.0001v1"]
    assert loaded.documents_folder == tmp_path / "slidevqa" / "docs" and loaded.issues == ()
    assert not loaded.redistributable and loaded.subset == "slidevqa+held"


def test_the_whole_release(tmp_path: Path) -> None:
    for part, (questions, _) in PARTS.items():
        folder = "scigraphvqa" if part == "scigraphqa" else ""
        write(tmp_path, part, [row(part, n) for n in range(questions)], folder=folder)
    loaded = load_benchmark("visdombench", tmp_path)
    assert (len(loaded.questions), loaded.documents_folder) == (2271, tmp_path)
    assert {q.question_type: q.modalities for q in loaded.questions} == KINDS
    assert check_release("visdombench", tmp_path).complete
    assert len(load_benchmark("visdombench", tmp_path, subset="spiqa").questions) == 586
    (tmp_path / "spiqa" / "docs" / "spiqa.0000v1.pdf").unlink()
    with pytest.raises(BenchmarkError, match=r"1 gold documents have no PDF \(spiqa\.0000v1\).*'spiqa\+held'"):
        load_benchmark("visdombench", tmp_path)
    held = load_benchmark("visdombench", tmp_path, subset="held")
    assert len(held.questions) == 2271 - 6  # 586 questions go round 117 documents: 0, 117, ... 585 lost theirs


def test_a_document_of_two_parts_gets_the_parsers_ids(tmp_path: Path) -> None:
    for part in PARTS:
        shared = row(part, 0, doc_path="1805.01216v3.pdf", documents="['1805.01216v3.pdf', 'gone.pdf']")
        path = write(tmp_path, part, [shared], documents=0)
        (path.parent / "docs" / "1805.01216v3.pdf").write_bytes(b"%PDF")
    loaded = load_benchmark("visdombench", tmp_path, subset="held")
    parsed = {source.document_id for source in find_sources(tmp_path, tmp_path / "store")}
    assert {d for q in loaded.questions for d in q.gold_documents} == parsed
    assert "spiqa__docs__1805.01216v3" in parsed
    assert [issue for issue in loaded.issues if "spiqa" in issue] == ["part spiqa: 1 distractors have no PDF (gone)"]
    alone = load_benchmark("visdombench", tmp_path, subset="spiqa+held")
    assert alone.questions[0].gold_documents == ("1805.01216v3",)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"documents": "['a.pdf'"}, "field 'documents'.*no list literal"),
        ({"documents": "[]"}, "field 'documents'"),
        ({"documents": "[3]"}, r"field 'documents\.0'"),
        ({"question": " \n"}, "field 'question'.*is empty"),
        ({"answer": ""}, "field 'answer'"),
        ({"doc_path": "", "doc_id": ""}, "field 'doc_path': empty"),
        ({"evidence_pages": "['x']"}, r"field 'evidence_pages\.0'"),
    ],
)
def test_a_bad_field_is_named_with_file_and_row(tmp_path: Path, changes: dict[str, Any], message: str) -> None:
    rows = [row("spiqa", 0, evidence_pages=""), row("spiqa", 1, **{"evidence_pages": "", **changes})]
    write(tmp_path, "spiqa", rows)
    with pytest.raises(BenchmarkError, match=rf"spiqa\.csv, row 2 \(line \d+\): {message}"):
        load_benchmark("visdombench", tmp_path, subset="spiqa+held")


def test_damage_duplicates_and_counts(tmp_path: Path) -> None:
    with pytest.raises(BenchmarkError, match=r"no questions of part spiqa.*spiqa/spiqa\.csv"):
        load_benchmark("visdombench", tmp_path, subset="spiqa")
    path = write(tmp_path, "spiqa", [row("spiqa", 0), row("spiqa", 1)])
    with pytest.raises(BenchmarkError, match="2 questions, the official part spiqa has 586"):
        load_benchmark("visdombench", tmp_path, subset="spiqa")
    text = path.read_text(encoding="utf-8")
    path.write_text(text[: text.rindex('"')], encoding="utf-8")
    with pytest.raises(BenchmarkError, match=r"spiqa\.csv, after row 1: .*cut off"):
        load_benchmark("visdombench", tmp_path, subset="spiqa+held")
    path.write_text(text + "spiqa_9,alone\n", encoding="utf-8")
    with pytest.raises(BenchmarkError, match=r"row 3 \(line \d+\): too many or too few cells"):
        load_benchmark("visdombench", tmp_path, subset="spiqa+held")
    path.write_text(text.replace("documents", "docs", 1), encoding="utf-8")
    with pytest.raises(BenchmarkError, match="no column documents"):
        load_benchmark("visdombench", tmp_path, subset="spiqa+held")
    path.write_bytes(text.encode().replace(b"Invented", b"\xff", 1))
    with pytest.raises(BenchmarkError, match="not UTF-8"):
        load_benchmark("visdombench", tmp_path, subset="spiqa+held")
    write(tmp_path, "spiqa", [row("spiqa", 0), row("spiqa", 0)])
    with pytest.raises(BenchmarkError, match=r"'spiqa_0' stands at row 1 .* and at row 2"):
        load_benchmark("visdombench", tmp_path, subset="spiqa+held")


def test_oddities_are_named_and_kept(tmp_path: Path) -> None:
    write(tmp_path, "spiqa", [row("spiqa", 0, documents="['spiqa.0005v1.pdf']")])
    loaded = load_benchmark("visdombench", tmp_path, subset="spiqa+held")
    assert loaded.issues == ("question spiqa_0, field 'documents': does not list the question's own document",)
    assert len(loaded.questions) == 1


@pytest.mark.parametrize(
    ("name", "stem"), [("1805.01216v3.pdf", "1805.01216v3"), ("1805.01216v3", "1805.01216v3"), ("a\\b/d_9.PDF", "d_9")]
)
def test_file_stems(name: str, stem: str) -> None:
    assert file_stem(name) == stem
