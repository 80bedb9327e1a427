"""The MMLongBench-Doc and MultiHop-RAG loaders, and what `fetch` knows; invented data in the official formats."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

import pypdfium2
import pytest

from common.benchmarks import BenchmarkError, load_benchmark
from common.benchmarks.fetch import RELEASES, check_release, describe
from common.benchmarks.multihop_rag import document_id, write_articles


def sample(position: int, **changes: Any) -> dict[str, Any]:
    return {
        "doc_id": f"report {position % 3}.v2.pdf",
        "doc_type": "Brochure",
        "question": f"invented question {position}?",
        "answer": "7",
        "evidence_pages": "[2]",
        "evidence_sources": "['Chart', 'Pure-text (Plain-text)']",
        "answer_format": "Int",
        "index": position,
    } | changes


def write(root: Path, samples: list[dict[str, Any]], *, pages: int = 3) -> Path:
    (root / "documents").mkdir(parents=True, exist_ok=True)
    for name in {str(entry.get("doc_id")) for entry in samples}:
        document = pypdfium2.PdfDocument.new()
        for _ in range(pages):
            document.new_page(100, 100)
        document.save(root / "documents" / name)
    (root / "samples.json").write_text(json.dumps(samples, indent=1))
    return root / "samples.json"


def test_fields_of_a_question(tmp_path: Path) -> None:
    lists = sample(5, answer="['a', 'b']", answer_format="List", evidence_pages="[3, 1, 3]")
    none = sample(9, answer="Not answerable", answer_format="None", evidence_pages="[]", evidence_sources="[]")
    write(tmp_path, [sample(0), lists, none])
    loaded = load_benchmark("mmlongbench", tmp_path, subset="held")
    assert (loaded.redistributable, loaded.issues) == (False, ())
    first, listed, refused = loaded.questions
    assert (first.question_id, first.document_id) == ("full-0000", "report 0.v2")
    assert first.gold_documents == ("report 0.v2",)
    assert [(e.page, e.kind) for e in first.evidence] == [(2, "chart"), (2, "text")]
    assert (listed.answers, listed.extra["gold"], listed.hops) == (("a", "b"), "['a', 'b']", 2)
    assert [q.question_type for q in loaded.questions] == ["single-page", "cross-page", "unanswerable"]
    assert (refused.answerable, refused.evidence) == (False, ())


def test_subsets_go_by_official_position(tmp_path: Path) -> None:
    write(tmp_path, [sample(index) for index in (0, 11, 12, 45, 90, 495)])
    for subset, expected in {"smoke": [0, 45, 90, 495], "mid": [0, 11, 495]}.items():
        loaded = load_benchmark("mmlongbench", tmp_path, subset=f"{subset}+held")
        assert [q.extra["index"] for q in loaded.questions] == expected
        assert loaded.subset == f"{subset}+held"


def test_a_part_is_never_taken_for_the_whole(tmp_path: Path) -> None:
    write(tmp_path, [sample(0), sample(1)])
    for subset in ("full", "mid", "smoke"):
        with pytest.raises(BenchmarkError, match="2 questions, the official release of mmlongbench has 1,082"):
            load_benchmark("mmlongbench", tmp_path, subset=subset)
    with pytest.raises(BenchmarkError, match="1,082"):
        check_release("mmlongbench", tmp_path)
    assert not check_release("mmlongbench", tmp_path, "held").complete


def test_positions_are_not_guessed_for_a_part(tmp_path: Path) -> None:
    without = [{key: value for key, value in sample(n).items() if key != "index"} for n in range(2)]
    write(tmp_path, without)
    with pytest.raises(BenchmarkError, match="'index'.*entries 0, 1"):
        load_benchmark("mmlongbench", tmp_path, subset="held")
    write(tmp_path, [{k: v for k, v in sample(n % 3).items() if k != "index"} for n in range(1082)])
    loaded = load_benchmark("mmlongbench", tmp_path, subset="questions")
    assert loaded.questions[-1].question_id == "full-1081"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"answer_format": "Bool"}, "'answer_format'"),
        ({"answer": 7}, "'answer'"),
        ({"evidence_pages": "[1"}, "'evidence_pages'.*no list literal"),
        ({"evidence_pages": "{[]: 1}"}, "'evidence_pages'.*no list literal"),
        ({"evidence_pages": "['x']"}, "'evidence_pages.0'"),
        ({"evidence_sources": "['Smell']"}, "'evidence_sources.0'"),
        ({"index": -1}, "'index'"),
        ({"question": ""}, "'question'"),
    ],
)
def test_a_bad_field_is_named_with_file_and_entry(tmp_path: Path, changes: dict[str, Any], message: str) -> None:
    write(tmp_path, [sample(0), sample(1, **changes)])
    with pytest.raises(BenchmarkError, match=rf"samples\.json, entry 1 \(line 12\): field {message}"):
        load_benchmark("mmlongbench", tmp_path, subset="held")


def test_oddities_are_named_and_kept_without_their_text(tmp_path: Path) -> None:
    odd = [
        sample(0, evidence_pages="[2, 40, 0]"),
        sample(1, answer="secret word", answer_format="Int"),
        sample(2, answer="secret word", answer_format="List"),
        sample(3, answer="secret", answer_format="Float"),
        sample(4, answer="secret", answer_format="None"),
        sample(5, answer="Not answerable", answer_format="Str"),
        sample(6, answer="$12.5%", answer_format="Float"),
    ]
    write(tmp_path, odd)
    loaded = load_benchmark("mmlongbench", tmp_path, subset="held")
    assert len(loaded.questions) == 7
    assert [issue.split(",")[0] for issue in loaded.issues] == [f"question full-000{n}" for n in (1, 2, 3, 4, 5, 0)]
    assert "pages [0, 40] are outside report 0.v2.pdf, which has 3" in loaded.issues[-1]
    assert not any("secret" in issue for issue in loaded.issues)


def test_damage_duplicates_and_missing_documents(tmp_path: Path) -> None:
    path = write(tmp_path, [sample(0), sample(1), sample(0)])
    with pytest.raises(BenchmarkError, match="'full-0000' stands at entry 0 and at entry 2"):
        load_benchmark("mmlongbench", tmp_path, subset="held")
    path.write_text(path.read_text()[:-30])
    with pytest.raises(BenchmarkError, match=r"samples\.json, line \d+, column \d+.*truncated"):
        load_benchmark("mmlongbench", tmp_path, subset="held")
    path.write_text("{}")
    with pytest.raises(BenchmarkError, match="JSON dict, not the list"):
        load_benchmark("mmlongbench", tmp_path, subset="held")
    path.write_bytes(b'["\xff"]')
    with pytest.raises(BenchmarkError, match="not UTF-8"):
        load_benchmark("mmlongbench", tmp_path, subset="held")
    write(tmp_path, [sample(n) for n in range(1082)])
    with pytest.raises(BenchmarkError, match="3 documents, the official release of mmlongbench has 135"):
        load_benchmark("mmlongbench", tmp_path)
    (tmp_path / "documents" / "report 1.v2.pdf").unlink()
    with pytest.raises(BenchmarkError, match=r"1 documents are missing \(report 1\.v2\.pdf\)"):
        load_benchmark("mmlongbench", tmp_path)
    (tmp_path / "documents" / "report 2.v2.pdf").write_bytes(b"no pdf")
    with pytest.raises(BenchmarkError, match=r"report 2\.v2\.pdf: cannot be opened"):
        load_benchmark("mmlongbench", tmp_path, subset="held")


def query(number: int, **changes: Any) -> dict[str, Any]:
    urls = [f"https://example.org/{n % 609}" for n in (number, number + 1)]
    return {
        "query": f"invented {number}?",
        "answer": "Yes",
        "question_type": "comparison_query",
        "evidence_list": [{"url": url, "title": "t", "fact": "f"} for url in urls],
    } | changes


def test_multihop_rag_unpacks_its_articles(tmp_path: Path) -> None:
    queries = [query(n) for n in range(2555)]
    null = query(9999, question_type="null_query", answer="Insufficient information.", evidence_list=[])
    (tmp_path / "MultiHopRAG.json").write_text(json.dumps([*queries, null]))
    article = {"title": "T", "body": "text", "source": "S", "published_at": "2023"}
    articles = [article | {"url": f"https://example.org/{n}"} for n in range(609)]
    (tmp_path / "corpus.json").write_text(json.dumps(articles))
    loaded = load_benchmark("multihop_rag", tmp_path)
    assert (len(loaded.questions), len(list(loaded.documents_folder.glob("*.md")))) == (2556, 609)
    first, last = loaded.questions[0], loaded.questions[-1]
    assert first.question_id == hashlib.md5(b"invented 0?").hexdigest()[:16]
    assert first.gold_documents == (document_id("https://example.org/0"), document_id("https://example.org/1"))
    assert (last.answerable, last.gold_documents) == (False, ())
    assert "Published: 2023" in (loaded.documents_folder / f"{first.gold_documents[0]}.md").read_text()
    assert check_release("multihop_rag", tmp_path).complete
    (loaded.documents_folder / f"{first.gold_documents[0]}.md").unlink()
    with pytest.raises(BenchmarkError, match="1 gold articles are missing"):
        load_benchmark("multihop_rag", tmp_path)
    with pytest.raises(BenchmarkError, match=r"entry 0 \(line 1\): field 'body'"):
        (tmp_path / "corpus.json").write_text(json.dumps([articles[0] | {"body": ""}]))
        write_articles(tmp_path / "corpus.json", tmp_path / "elsewhere")


def test_what_fetch_knows() -> None:
    counts = {name: (it.questions, it.documents) for name, it in RELEASES.items()}
    assert counts["m3docvqa"] == (2441, 3368)
    assert counts["mmlongbench"] == (1082, 135)
    assert counts["multihop_rag"] == (2556, 609)
    visdom = RELEASES["visdombench"]
    assert sum(part[1] for part in visdom.parts) == visdom.questions == 2271
    assert sum(part[2] for part in visdom.parts) == visdom.documents == 1277
    for name, it in RELEASES.items():
        text = describe(name)
        assert it.sources[0].url in text and it.licence in text and f"{it.questions:,}" in text
    with pytest.raises(BenchmarkError, match="unknown benchmark 'squad'"):
        describe("squad")


OFFICIAL = Path(os.environ.get("OFFICIAL_BENCHMARKS", "/nonexistent"))


@pytest.mark.skipif(not (OFFICIAL / "multimodalqa").is_dir(), reason="OFFICIAL_BENCHMARKS names no folder")
def test_counts_of_the_official_multimodalqa_file() -> None:
    questions = load_benchmark("m3docvqa", OFFICIAL / "multimodalqa", subset="questions").questions
    assert (len(questions), sum(q.multi_hop for q in questions)) == (2441, 980)
    carried = [kind for q in questions for kind in q.modalities]
    mentioned = [kind for q in questions for kind in q.extra["modalities_as_listed"]]
    assert [carried.count(kind) for kind in ("image", "text", "table")] == [940, 1216, 1265]
    assert mentioned.count("table") == 1335
    assert len({document for q in questions for document in q.gold_documents}) == 3366


@pytest.mark.skipif(not (OFFICIAL / "mmlongbench").is_dir(), reason="OFFICIAL_BENCHMARKS names no folder")
def test_official_mmlongbench_folder_loads() -> None:
    loaded = load_benchmark("mmlongbench", OFFICIAL / "mmlongbench", subset="held")
    assert len(loaded.questions) == len({q.question_id for q in loaded.questions}) > 0
    assert all(q.answers and q.document_id for q in loaded.questions)
