"""The M3DocVQA loader on small files in the official format, whole and damaged."""

from __future__ import annotations

import gzip
import json
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from common.benchmarks import BenchmarkError, load_benchmark, m3docvqa
from common.benchmarks.fetch import check_release
from common.benchmarks.question_lines import dump
from common.benchmarks.sampling import stratified, stratum

TYPES = (("TextQ", ["text"]), ("TableQ", ["table", "table"]), ("Compose(TableQ,ImageQ)", ["image", "table"]))
SIZE = 2441  # the official number of questions


def line(number: int, **changes: Any) -> dict[str, Any]:
    kind, modalities = TYPES[number % len(TYPES)]
    data = {
        "qid": f"{number:032x}",
        "question": f"invented question {number}?",
        "answers": [{"answer": f"answer {number}", "type": "string", "modality": "text", "table_indices": []}],
        "metadata": {"type": kind, "modalities": modalities, "table_id": "t"},
        "supporting_context": [
            {"doc_id": f"doc{number % 50}", "doc_part": "text"},
            {"doc_id": f"doc{(number + 1) % 50}", "doc_part": "table"},
        ],
    }
    return data | changes


def write(root: Path, lines: list[dict[str, Any]], *, name: str = "MMQA_dev.jsonl.gz") -> Path:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(entry) + "\n" for entry in lines)
    path.write_bytes(gzip.compress(text.encode(), mtime=0) if name.endswith(".gz") else text.encode())
    return path


def whole() -> list[dict[str, Any]]:
    return [line(number) for number in range(SIZE)]


def pdfs(root: Path, count: int, folder: str = "documents") -> None:
    (root / folder).mkdir(parents=True, exist_ok=True)
    for number in range(count):
        (root / folder / f"doc{number}.pdf").write_bytes(b"%PDF-")


def test_a_whole_release_loads(tmp_path: Path) -> None:
    write(tmp_path, whole())
    pdfs(tmp_path, 3368)
    loaded = load_benchmark("m3docvqa", tmp_path)
    assert (len(loaded.questions), loaded.subset) == (SIZE, "full")
    report = check_release("m3docvqa", tmp_path)
    assert (report.questions, report.documents, report.complete) == (SIZE, 3368, True)


def test_fields_of_a_question() -> None:
    number_answer = {"answer": 300.0, "type": "number", "modality": "table"}
    question = m3docvqa.question_from_record(line(2, answers=[number_answer, number_answer]), "here")
    assert question.answers == ("300.0", "300.0")
    assert (question.hops, question.multi_hop, question.modalities) == (2, True, ("image", "table"))
    assert question.gold_documents == ("doc2", "doc3")
    assert [(e.document_id, e.kind, e.page) for e in question.evidence] == [
        ("doc2", "text", None),
        ("doc3", "table", None),
    ]
    table = m3docvqa.question_from_record(line(1), "here")
    assert (table.modalities, table.hops) == (("table",), 1)
    assert table.extra["modalities_as_listed"] == ["table", "table"]
    nested = {"type": "Compare(Compose(TableQ,ImageQ),Compose(TableQ,TextQ))", "modalities": ["table"]}
    assert m3docvqa.question_from_record(line(0, metadata=nested), "here").hops == 4


def test_the_layout_of_the_m3docvqa_scripts_is_read_too(tmp_path: Path) -> None:
    write(tmp_path, whole(), name="multimodalqa/MMQA_dev.jsonl")
    pdfs(tmp_path, 50, "splits/pdfs_dev")
    assert len(load_benchmark("m3docvqa", tmp_path, subset="held").questions) == SIZE


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"question": 7}, "'question'"),
        ({"qid": ""}, "'qid'"),
        ({"answers": []}, "'answers'"),
        ({"answers": [{"answer": "x", "type": "colour", "modality": "text"}]}, "'answers.0.type'"),
        ({"answers": [{"answer": None, "type": "string", "modality": "text"}]}, "'answers.0.answer"),
        ({"answers": [{"answer": "perhaps", "type": "yesno", "modality": "text"}]}, "'answers'.*'yesno'"),
        ({"answers": [{"answer": 4, "type": "string", "modality": "text"}]}, "'answers'.*'string'"),
        ({"answers": [{"answer": "four", "type": "number", "modality": "text"}]}, "'answers'.*'number'"),
        ({"metadata": {"type": "TextQ", "modalities": ["sound"]}}, "'metadata.modalities.0'"),
        ({"supporting_context": []}, "'supporting_context'"),
    ],
)
def test_a_bad_field_is_named_with_file_and_line(tmp_path: Path, changes: dict[str, Any], field: str) -> None:
    write(tmp_path, [line(0), line(1, **changes)])
    with pytest.raises(BenchmarkError, match=rf"MMQA_dev\.jsonl\.gz, line 2.*{field}"):
        load_benchmark("m3docvqa", tmp_path, subset="questions")


def test_truncated_json_names_the_line(tmp_path: Path) -> None:
    path = write(tmp_path, [line(0), line(1)], name="MMQA_dev.jsonl")
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(BenchmarkError, match=r"MMQA_dev\.jsonl, line 2: no complete JSON.*truncated"):
        load_benchmark("m3docvqa", tmp_path, subset="questions")


@pytest.mark.parametrize("damage", [lambda b: b[:-12], lambda b: b"no gzip", lambda b: b[:200] + b"\0" * 40 + b[240:]])
def test_a_damaged_archive_is_named(tmp_path: Path, damage) -> None:
    path = write(tmp_path, [line(number) for number in range(60)])
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(BenchmarkError, match=r"MMQA_dev\.jsonl\.gz.*fetch"):
        load_benchmark("m3docvqa", tmp_path, subset="questions")


def test_duplicate_ids_and_wrong_counts(tmp_path: Path) -> None:
    write(tmp_path, [line(0), line(1), line(0)])
    with pytest.raises(BenchmarkError, match="line 1 and at line 3"):
        load_benchmark("m3docvqa", tmp_path, subset="questions")
    write(tmp_path, [line(0), line(1)])
    with pytest.raises(BenchmarkError, match="2 questions, the official release of m3docvqa has 2,441"):
        load_benchmark("m3docvqa", tmp_path, subset="questions")


def test_missing_documents_are_named_and_a_part_must_be_asked_for(tmp_path: Path) -> None:
    write(tmp_path, whole())
    with pytest.raises(BenchmarkError, match="no folder of PDFs"):
        load_benchmark("m3docvqa", tmp_path)
    pdfs(tmp_path, 49)
    with pytest.raises(BenchmarkError, match=r"1 gold documents have no PDF \(doc49\.pdf\).*full\+held"):
        load_benchmark("m3docvqa", tmp_path)
    held = load_benchmark("m3docvqa", tmp_path, subset="held")
    assert 0 < len(held.questions) < SIZE
    assert not any("doc49" in question.gold_documents for question in held.questions)
    assert not check_release("m3docvqa", tmp_path, "held").complete
    pdfs(tmp_path, 50)  # all gold documents, yet not the whole corpus
    with pytest.raises(BenchmarkError, match="50 documents, the official release of m3docvqa has 3,368"):
        load_benchmark("m3docvqa", tmp_path)


def test_subsets_by_seed_and_by_list(tmp_path: Path) -> None:
    write(tmp_path, whole())
    mid = load_benchmark("m3docvqa", tmp_path, subset="mid300+questions")
    assert (len(mid.questions), mid.subset) == (300, "mid300+questions, seed 0")
    assert mid == load_benchmark("m3docvqa", tmp_path, subset="mid300+questions")
    other = m3docvqa.load(tmp_path, subset="mid300+questions", seed=1)
    assert {q.question_id for q in other.questions} != {q.question_id for q in mid.questions}
    with pytest.raises(BenchmarkError, match="m3d_mid_qids.json"):
        load_benchmark("m3docvqa", tmp_path, subset="mid+questions")
    (tmp_path / "m3d_mid_qids.json").write_text(json.dumps([line(7)["qid"], line(3)["qid"]]))
    listed = load_benchmark("m3docvqa", tmp_path, subset="mid+questions")
    assert [q.question_id for q in listed.questions] == [line(3)["qid"], line(7)["qid"]]
    (tmp_path / "m3d_mid_qids.json").write_text(json.dumps(["nobody"]))
    with pytest.raises(BenchmarkError, match="nobody"):
        load_benchmark("m3docvqa", tmp_path, subset="mid+questions")


@pytest.mark.parametrize("subset", ["", "midd", "held+questions", "mid+smoke", "mid+mid+mid", "FULL"])
def test_unknown_subsets_are_refused(tmp_path: Path, subset: str) -> None:
    write(tmp_path, whole())
    with pytest.raises(BenchmarkError, match="unknown subset"):
        load_benchmark("m3docvqa", tmp_path, subset=subset)


def test_stratified_draw_keeps_shares_and_ignores_file_order() -> None:
    questions = [m3docvqa.question_from_record(line(number), "here") for number in range(100)]
    drawn = stratified(questions, 30, seed=5)
    shares = [sum(stratum(q) == key for q in drawn) for key in {stratum(q) for q in questions}]
    assert sorted(shares) == [10, 10, 10]
    assert {q.question_id for q in stratified(questions[::-1], 30, seed=5)} == {q.question_id for q in drawn}
    assert len(stratified(questions, 100)) == 100
    with pytest.raises(BenchmarkError, match="101 of 100"):
        stratified(questions, 101)


def test_the_pocket_corpus_keeps_the_order_of_its_smoke_rule(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = [replace(m3docvqa.question_from_record(line(n), "here"), question_id=f"pm3-{n:03d}") for n in range(3)]
    pocket = ModuleType("common.benchmarks.pocket")
    (tmp_path / "questions.jsonl").write_bytes(dump(made))
    (tmp_path / "manifest.json").write_text("{}")
    pocket.smoke_ids = lambda questions, n: ["pm3-002", "pm3-000"]  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "common.benchmarks.pocket", pocket)
    full = load_benchmark("pocket-m3doc", tmp_path)
    assert [q.question_id for q in full.questions] == ["pm3-000", "pm3-001", "pm3-002"]
    assert (full.redistributable, full.documents_folder) == (True, tmp_path / "documents")
    smoke = load_benchmark("pocket_m3doc", tmp_path, subset="smoke")
    assert [q.question_id for q in smoke.questions] == ["pm3-002", "pm3-000"]
    with pytest.raises(BenchmarkError, match="3 questions and 0 documents"):
        check_release("pocket-m3doc", tmp_path)


def test_unknown_benchmark(tmp_path: Path) -> None:
    with pytest.raises(BenchmarkError, match="no loader for benchmark 'm4'"):
        load_benchmark("m4", tmp_path)
    with pytest.raises(BenchmarkError, match="fetch m3docvqa"):
        load_benchmark("m3docvqa", tmp_path / "nowhere")
