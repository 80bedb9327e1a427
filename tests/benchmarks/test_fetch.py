"""`fetch NAME --from DIR`: whole and partial releases, made small by smaller counts; what is wrong is named."""

from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pypdfium2
import pytest

from common.benchmarks import BenchmarkError, fetch, load_benchmark
from common.benchmarks.placing import place_release, report_lines
from common.paths import Workspace
from experiments import __main__ as cli

SMALL = {"m3docvqa": (3, 4), "mmlongbench": (3, 2), "multihop_rag": (2, 3), "visdombench": (5, 5)}
PARTS = ("paper_tab", "feta_tab", "scigraphqa", "spiqa", "slidevqa")


@pytest.fixture(autouse=True)
def small_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """The releases' own counts, but for a handful of questions: no test writes 3,368 PDFs."""
    for name, (questions, documents) in SMALL.items():
        parts = tuple((part, 1, 1) for part in PARTS) if name == "visdombench" else ()
        small = replace(fetch.RELEASES[name], questions=questions, documents=documents, parts=parts)
        monkeypatch.setitem(fetch.RELEASES, name, small)


def pdf(path: Path, pages: int = 2) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    document = pypdfium2.PdfDocument.new()
    for _ in range(pages):
        document.new_page(100, 100)
    document.save(path)


def m3docvqa(root: Path) -> Path:
    for number in range(4):
        pdf(root / "documents" / f"doc{number}.pdf")
    answer = {"answer": "yes", "type": "yesno", "modality": "text"}
    lines = [
        {
            "qid": f"q{n}", "question": "invented?", "answers": [answer],
            "metadata": {"type": "TextQ", "modalities": ["text"]},
            "supporting_context": [{"doc_id": f"doc{n}", "doc_part": "text"}],
        }
        for n in range(3)
    ]  # fmt: skip
    (root / "MMQA_dev.jsonl").write_text("\n".join(map(json.dumps, lines)) + "\n")
    return root / "MMQA_dev.jsonl"


def mmlongbench(root: Path) -> Path:
    for number in range(2):
        pdf(root / "documents" / f"report{number}.pdf")
    samples = [
        {
            "doc_id": f"report{n % 2}.pdf", "doc_type": "Brochure", "question": "invented?", "answer": "7",
            "evidence_pages": "[2]", "evidence_sources": "['Chart']", "answer_format": "Int", "index": n,
        }
        for n in range(3)
    ]  # fmt: skip
    (root / "samples.json").write_text(json.dumps(samples, indent=1))
    return root / "samples.json"


def multihop_rag(root: Path) -> Path:
    urls = [f"https://example.org/{n}" for n in range(3)]
    queries = [
        {"query": f"{n}?", "answer": "Yes", "question_type": "comparison_query",
         "evidence_list": [{"url": url} for url in urls[n : n + 2]]}
        for n in range(2)
    ]  # fmt: skip
    root.mkdir(parents=True, exist_ok=True)
    (root / "MultiHopRAG.json").write_text(json.dumps(queries, indent=1))
    (root / "corpus.json").write_text(json.dumps([{"title": "T", "url": url, "body": "text"} for url in urls]))
    return root / "MultiHopRAG.json"


def visdombench(root: Path) -> Path:
    for part in PARTS:
        pdf(root / part / "docs" / f"{part}.pdf")
        row = {
            "q_id": f"{part}_0", "question": "invented?", "answer": "7", "doc_id": part, "doc_path": f"{part}.pdf",
            "documents": f"['{part}.pdf']", "evidence_pages": "[2]",
        }  # fmt: skip
        with (root / part / f"{part}.csv").open("w", newline="") as file:
            writer = csv.DictWriter(file, list(row))
            writer.writeheader()
            writer.writerow(row)
    return root / "slidevqa" / "slidevqa.csv"


MAKERS: dict[str, Callable[[Path], Path]] = {
    "m3docvqa": m3docvqa, "mmlongbench": mmlongbench, "multihop_rag": multihop_rag, "visdombench": visdombench,
}  # fmt: skip


@pytest.fixture
def source(tmp_path: Path) -> Path:
    (tmp_path / "download").mkdir()
    return tmp_path / "download"


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    monkeypatch.setattr(cli, "Workspace", lambda: Workspace(tmp_path / "checkout", tmp_path / "cache"))
    return lambda *words: cli.main(["fetch", *map(str, words)])


@pytest.mark.parametrize("name", MAKERS)
def test_a_whole_release_is_checked_and_linked(
    name: str, source: Path, tmp_path: Path, run: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    MAKERS[name](source)
    assert run(name, "--from", source) == 0
    said = capsys.readouterr().out
    questions, documents = SMALL[name]
    assert f"{name}: complete\n" in said
    assert f"questions {questions} of {questions}, documents {documents} of {documents}" in said
    target = tmp_path / "cache" / "benchmarks" / name
    assert target.is_symlink() and target.resolve() == source
    assert len(load_benchmark(name, target).questions) == questions
    assert run(name, "--from", target) == 0  # a second time, even through the link itself
    assert target.resolve() == source


@pytest.mark.parametrize("name", ["m3docvqa", "mmlongbench", "visdombench"])
def test_a_part_must_be_asked_for_and_is_named(
    name: str, source: Path, tmp_path: Path, run: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    MAKERS[name](source)
    missing = sorted(source.rglob("*.pdf"))[0]
    missing.unlink()
    target = tmp_path / "cache" / "benchmarks" / name
    assert run(name, "--from", source) == 2
    error = capsys.readouterr().err
    assert error.startswith("BenchmarkError: ") and missing.stem in error and "held" in error
    assert not target.exists()
    assert run(name, "--from", source, "--subset", "held") == 0
    said = capsys.readouterr().out
    assert f"{name}: a part, under the name 'held'" in said
    assert f"documents {SMALL[name][1] - 1} of {SMALL[name][1]}" in said
    assert f"benchmark={name} subset=full benchmark.documents=held" in said
    assert target.resolve() == source
    with pytest.raises(BenchmarkError):
        load_benchmark(name, target)


def test_news_without_an_article_are_refused(source: Path, tmp_path: Path) -> None:
    multihop_rag(source)
    articles = json.loads((source / "corpus.json").read_text())
    (source / "corpus.json").write_text(json.dumps(articles[:2]))
    with pytest.raises(BenchmarkError, match=r"corpus\.json: 2 documents, the official release .* has 3"):
        place_release("multihop_rag", source, tmp_path / "t")
    assert not (source / "documents").exists() and not (tmp_path / "t").exists()


@pytest.mark.parametrize("name", ["m3docvqa", "mmlongbench", "multihop_rag"])
def test_truncated_files_are_named_with_the_line(name: str, source: Path, tmp_path: Path) -> None:
    path = MAKERS[name](source)
    text = path.read_text()
    path.write_text(text[:-20])
    with pytest.raises(BenchmarkError, match=rf"{path.name}, line \d+.*truncated"):
        place_release(name, source, tmp_path / "t")
    path.write_text("")
    with pytest.raises(BenchmarkError, match=rf"{path.name}.*"):
        place_release(name, source, tmp_path / "t")


@pytest.mark.parametrize("name", ["m3docvqa", "mmlongbench", "multihop_rag"])
def test_wrong_counts_and_duplicates(name: str, source: Path, tmp_path: Path) -> None:
    path = MAKERS[name](source)
    lines = path.suffix == ".jsonl"
    entries = [json.loads(line) for line in path.read_text().splitlines()] if lines else json.loads(path.read_text())

    def write(changed: list[Any]) -> None:
        path.write_text("\n".join(map(json.dumps, changed)) if lines else json.dumps(changed))

    write(entries[:-1])
    number = SMALL[name][0]
    with pytest.raises(BenchmarkError, match=rf"{path.name}: {number - 1} questions, the official .* has {number}"):
        place_release(name, source, tmp_path / "t")
    write([*entries[:-1], entries[0]])
    with pytest.raises(BenchmarkError, match=rf"{path.name}: question id '\S+' stands at .* and at"):
        place_release(name, source, tmp_path / "t")


def test_fields_and_lines_of_bad_entries(source: Path, tmp_path: Path) -> None:
    path = m3docvqa(source)
    path.write_text(path.read_text().replace('"yes", "type": "yesno"', '"maybe", "type": "yesno"'))
    with pytest.raises(BenchmarkError, match=r"MMQA_dev\.jsonl, line 1 .*field 'answers': .* declared type 'yesno'"):
        place_release("m3docvqa", source, tmp_path / "t")
    path = multihop_rag(tmp_path / "news")
    path.write_text(path.read_text().replace('"answer": "Yes"', '"answer": 7', 1))
    with pytest.raises(BenchmarkError, match=r"MultiHopRAG\.json, entry 0 \(line 2\): field 'answer'"):
        place_release("multihop_rag", tmp_path / "news", tmp_path / "t")
    path = mmlongbench(tmp_path / "long")
    samples = json.loads(path.read_text())
    samples[2]["answer_format"] = "Bool"
    path.write_text(json.dumps(samples, indent=1))
    with pytest.raises(BenchmarkError, match=r"samples\.json, entry 2 \(line 22\): field 'answer_format'"):
        place_release("mmlongbench", tmp_path / "long", tmp_path / "t")


def test_oddities_of_the_official_data_are_all_told(source: Path, tmp_path: Path) -> None:
    path = mmlongbench(source)
    samples = json.loads(path.read_text())
    samples[0]["evidence_pages"], samples[1]["answer"] = "[2, 9]", "many"
    path.write_text(json.dumps(samples))
    report = place_release("mmlongbench", source, tmp_path / "t")
    said = "\n".join(report_lines(report, source, tmp_path / "t"))
    assert "kept as it is: question full-0001, field 'answer': not of its format 'Int'" in said
    assert "question full-0000, field 'evidence_pages': pages [9] are outside report0.pdf, which has 2" in said
    slides = visdombench(tmp_path / "visdom")
    slides.write_text(slides.read_text().replace("[2]", "[3]"))
    report = place_release("visdombench", tmp_path / "visdom", tmp_path / "t")
    assert report.complete and len(report.issues) == 1
    assert "slidevqa_0, field 'evidence_pages': pages [3] are outside slidevqa.pdf, which has 2" in report.issues[0]


def test_questions_alone_are_of_use_for_scoring_only(source: Path, tmp_path: Path) -> None:
    (m3docvqa(source).parent / "documents").rename(tmp_path / "elsewhere")
    report = place_release("m3docvqa", source, tmp_path / "t", "questions")
    assert not report.complete and (report.questions, report.documents) == (3, 0)
    assert "without documents nothing is run" in report_lines(report, source, tmp_path / "t")[-1]


def test_files_that_are_no_pdfs_are_named(source: Path, tmp_path: Path) -> None:
    m3docvqa(source)
    (source / "documents" / "doc2.pdf").write_text("<html>gone</html>")
    with pytest.raises(BenchmarkError, match=r"1 files are no PDFs \(documents/doc2\.pdf\)"):
        place_release("m3docvqa", source, tmp_path / "t")
    assert not (tmp_path / "t").exists()


def test_what_is_in_the_way_is_left_alone(source: Path, tmp_path: Path) -> None:
    mmlongbench(source)
    target = tmp_path / "cache" / "mmlongbench"
    target.mkdir(parents=True)
    with pytest.raises(BenchmarkError, match=r"is there already and no link; move it away, or set benchmark\.root="):
        place_release("mmlongbench", source, target)
    target.rmdir()
    target.symlink_to(tmp_path / "gone")  # a link to a folder that was moved
    place_release("mmlongbench", source, target)
    assert target.resolve() == source


def test_nothing_to_fetch(
    source: Path, tmp_path: Path, run: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("pocket-visdom", "--from", source) == 2
    assert "generated here" in capsys.readouterr().err
    assert run("mmlongbench", "--from", tmp_path / "nowhere") == 2
    assert "nowhere: no such folder" in capsys.readouterr().err
    assert run("mmlongbench", "--subset", "held") == 2
    assert "name it with --from" in capsys.readouterr().err
    assert run("mmlongbench") == 0
    said = capsys.readouterr().out
    assert "CC BY-NC 4.0" in said and "https://huggingface.co" in said and "samples.json" in said
    assert run("mmlongbench", "--from", source, "--subset", "hold") == 2
    assert "unknown subset 'hold'" in capsys.readouterr().err


def test_folders_files_and_nesting_in_the_wrong_place(source: Path, tmp_path: Path) -> None:
    path = mmlongbench(source)
    (source / "documents" / "report0.pdf").unlink()
    (source / "documents" / "report0.pdf").mkdir()
    with pytest.raises(BenchmarkError, match=r"report0\.pdf: cannot be opened as a PDF"):
        place_release("mmlongbench", source, tmp_path / "t")
    path.write_text("[" * 100_000)
    with pytest.raises(BenchmarkError, match=r"samples\.json: nested too deeply"):
        place_release("mmlongbench", source, tmp_path / "t")
    path.unlink()
    path.mkdir()
    with pytest.raises(BenchmarkError, match="looked for samples.json"):
        place_release("mmlongbench", source, tmp_path / "t")
    m3docvqa(tmp_path / "wiki")
    shutil.rmtree(tmp_path / "wiki" / "documents")
    (tmp_path / "wiki" / "documents").write_text("no folder")
    with pytest.raises(BenchmarkError, match="looked for documents"):
        place_release("m3docvqa", tmp_path / "wiki", tmp_path / "t")


def test_values_their_type_denies(source: Path, tmp_path: Path) -> None:
    path = m3docvqa(source)
    (source / "m3d_mid_qids.json").write_text("[]")
    with pytest.raises(BenchmarkError, match=r"m3d_mid_qids\.json: the list of ids is empty"):
        place_release("m3docvqa", source, tmp_path / "t", "mid")
    path.write_text(path.read_text().replace('"yes", "type": "yesno"', 'NaN, "type": "number"', 1))
    with pytest.raises(BenchmarkError, match=r"line 1 .*field 'answers': .* declared type 'number'"):
        place_release("m3docvqa", source, tmp_path / "t")
    path = multihop_rag(tmp_path / "news")
    path.write_text(path.read_text().replace("comparison_query", "odd_query", 1))
    with pytest.raises(BenchmarkError, match=r"entry 0 \(line 2\): field 'question_type'"):
        place_release("multihop_rag", tmp_path / "news", tmp_path / "t")
