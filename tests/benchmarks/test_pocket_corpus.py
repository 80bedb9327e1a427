"""pocket-m3doc on disk: a reduced corpus is rendered and read back with pdfium."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pypdfium2
import pytest

from common.benchmarks.generated import GeneratedCorpus, load_questions
from common.benchmarks.pocket import generate, generate_text_fragments
from common.benchmarks.pocket.article import Paragraph, Picture
from common.benchmarks.pocket.articles import write_articles
from common.benchmarks.pocket.build import build_world
from common.benchmarks.pocket.checks import check_rendered
from common.benchmarks.pocket.pictures import draw_picture

SIZE = {"documents": 48, "questions": 20, "progress": False}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> GeneratedCorpus:
    return generate(tmp_path_factory.mktemp("pocket"), **SIZE)


def pages(corpus: GeneratedCorpus, document: str) -> list[str]:
    pdf = pypdfium2.PdfDocument(corpus.documents_folder / f"{document}.pdf")
    return [re.sub(r"\s+", " ", page.get_textpage().get_text_range()) for page in pdf]


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }


def test_two_runs_are_byte_identical(corpus: GeneratedCorpus, tmp_path: Path):
    other = generate(tmp_path, **SIZE)
    assert other.sha256 == corpus.sha256
    assert contents(tmp_path) == contents(corpus.folder)


def test_corpus_is_what_was_asked_for(corpus: GeneratedCorpus):
    assert len(corpus.document_ids) == 48 == len(list(corpus.documents_folder.glob("*.pdf")))
    assert [question.question_id for question in corpus.questions] == [f"pm3-{n:03d}" for n in range(1, 21)]
    assert all(2 <= len(pages(corpus, document)) <= 3 for document in corpus.document_ids)
    assert {d for question in corpus.questions for d in question.gold_documents} <= set(corpus.document_ids)


def test_gold_answers_are_on_their_rendered_pages(corpus: GeneratedCorpus):
    for question in corpus.questions:
        for answer, place in zip(question.answers, question.extra["answer_places"], strict=True):
            texts = pages(corpus, place["document_id"])
            if place["drawn"]:
                assert not any(re.search(rf"\b{re.escape(answer)}\b", text, re.IGNORECASE) for text in texts), question
            else:
                assert answer.lower() in texts[place["page"] - 1].lower(), question


def test_evidence_pages_exist_and_carry_kinds(corpus: GeneratedCorpus):
    for question in corpus.questions:
        assert {item.document_id for item in question.evidence} == set(question.gold_documents)
        assert {item.kind for item in question.evidence} <= {"text", "table", "image"}
        for item in question.evidence:
            assert 1 <= item.page <= len(pages(corpus, item.document_id))


def test_rendered_check_catches_a_wrong_answer(corpus: GeneratedCorpus):
    text = next(q for q in corpus.questions if not q.extra["answer_places"][0]["drawn"])
    with pytest.raises(ValueError, match=text.question_id):
        check_rendered([replace(text, answers=("Never Written Here",) * len(text.answers))], corpus.folder)
    drawn = next(q for q in corpus.questions if q.extra["answer_places"][0]["drawn"])
    title = pages(corpus, drawn.gold_documents[-1])[0].split()[0]
    with pytest.raises(ValueError, match="should be drawn only"):
        check_rendered([replace(drawn, answers=(title,) * len(drawn.answers))], corpus.folder)


def test_image_only_tables_leave_no_text(corpus: GeneratedCorpus):
    world = build_world(20261129, 48)
    seasons = {season.title.lower().replace(" ", "-"): season for season in world.seasons.values()}
    for document, season in seasons.items():
        text = " ".join(pages(corpus, document))
        assert "Leading goalscorers" in text
        assert not any(player in text for player, _, _ in season.scorers)
        assert all(row[1] in text for row in season.table)


def test_pages_hold_the_article_in_reading_order(corpus: GeneratedCorpus):
    article = write_articles(build_world(20261129, 48))[corpus.document_ids[0]]
    text = " ".join(pages(corpus, article.document_id))
    places = [text.find(block.text) for block in article.blocks if isinstance(block, Paragraph)]
    assert -1 not in places and places == sorted(places)


def test_loading_gives_the_generated_questions(corpus: GeneratedCorpus):
    assert tuple(load_questions(corpus.folder, "pocket-m3doc")) == corpus.questions
    assert all(question.benchmark == "pocket-m3doc" for question in corpus.questions)


def test_complete_folder_is_reused_and_a_damaged_one_made_anew(corpus: GeneratedCorpus):
    stamps = {path: path.stat().st_mtime_ns for path in corpus.folder.rglob("*.pdf")}
    assert generate(corpus.folder, **SIZE).reused
    assert stamps == {path: path.stat().st_mtime_ns for path in corpus.folder.rglob("*.pdf")}
    victim = corpus.documents_folder / f"{corpus.document_ids[3]}.pdf"
    victim.write_bytes(victim.read_bytes()[:-100])
    repaired = generate(corpus.folder, **SIZE)
    assert not repaired.reused and repaired.sha256 == corpus.sha256


def test_loading_from_an_empty_folder_says_what_to_do(tmp_path: Path):
    with pytest.raises(FileNotFoundError, match="generate_benchmark.*pocket-m3doc"):
        load_questions(tmp_path, "pocket-m3doc")


def test_a_torn_question_file_names_its_line(corpus: GeneratedCorpus, tmp_path: Path):
    (tmp_path / "manifest.json").write_text("{}")
    good = (corpus.folder / "questions.jsonl").read_text().splitlines()[0]
    (tmp_path / "questions.jsonl").write_text(good + "\n" + good[:40])
    with pytest.raises(ValueError, match="questions.jsonl:2"):
        load_questions(tmp_path, "pocket-m3doc")


def test_manifest_lists_every_file(corpus: GeneratedCorpus):
    manifest = json.loads((corpus.folder / "manifest.json").read_text())
    assert set(manifest["files"]) == set(contents(corpus.folder)) - {"manifest.json"}


def test_lettering_can_be_read_by_ocr(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("ORT_DISABLE_TELEMETRY", "1")
    rapidocr = pytest.importorskip("rapidocr")
    path = tmp_path / "poster.jpg"
    path.write_bytes(draw_picture(Picture("poster", ("NO ROAD RETURNS",), "green", 5, "boats")).jpeg())
    assert "NO ROAD RETURNS" in " ".join(rapidocr.RapidOCR()(str(path)).txts).upper()


def test_an_unknown_motif_is_an_error_and_no_other_thing_is_drawn():
    with pytest.raises(KeyError, match="comets"):
        draw_picture(Picture("poster", ("NO ROAD RETURNS",), "green", 5, "comets"))


def test_text_fragments_are_as_many_as_asked_unique_and_a_prefix_of_more():
    few, more = list(generate_text_fragments(1500, 7)), list(islice(generate_text_fragments(5000, 7), 1500))
    assert few == more and len(few) == 1500
    assert len({fragment.fragment_id for fragment in few}) == 1500
    assert {fragment.kind for fragment in few} == {"text", "table", "image"}
    assert any(fragment.document_id.endswith("__w1") for fragment in few)
    assert list(generate_text_fragments(0)) == []


def test_a_negative_number_of_fragments_is_refused():
    with pytest.raises(ValueError, match="n=-1"):
        next(generate_text_fragments(-1))
