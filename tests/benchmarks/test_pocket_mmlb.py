"""pocket-mmlb: six reports rendered once and read back with pdfium; answers found again from pages and blocks."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from common.benchmarks import load_benchmark
from common.benchmarks.fetch import check_release
from common.benchmarks.formats import format_problem
from common.benchmarks.generated import GeneratedCorpus, load_questions
from common.benchmarks.mmlongbench import page_problems
from common.benchmarks.pocket.article import Article, Chart, Figure, Picture, TableBlock
from common.benchmarks.pocket.checks import page_texts
from common.benchmarks.pocket_mmlb import generate, smoke_ids
from common.benchmarks.pocket_mmlb.article import write_report
from common.benchmarks.pocket_mmlb.corpus import check_question
from common.benchmarks.pocket_mmlb.drafts import choose_drafts
from common.benchmarks.pocket_mmlb.world import build_reports
from common.benchmarks.question import Question
from common.metrics import score_answer

SEED = 20261129


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> GeneratedCorpus:
    return generate(tmp_path_factory.mktemp("mmlb"), progress=False)


@pytest.fixture(scope="module")
def articles() -> dict[str, Article]:
    made = map(write_report, build_reports(SEED))
    return {article.document_id: article for article in made}


@pytest.fixture(scope="module")
def texts(corpus: GeneratedCorpus) -> dict[str, list[str]]:
    return {document: page_texts(corpus.folder, document) for document in corpus.document_ids}


def of_kind(corpus: GeneratedCorpus, start: str) -> list[Question]:
    return [question for question in corpus.questions if re.match(start, question.question)]


def test_corpus_is_what_was_asked_for(corpus: GeneratedCorpus, texts: dict[str, list[str]]) -> None:
    assert len(corpus.document_ids) == 6 and all(20 <= len(pages) <= 40 for pages in texts.values())
    assert [q.question_id for q in corpus.questions] == [f"pml-{n:03d}" for n in range(1, 41)]
    assert Counter(q.answer_format for q in corpus.questions) == {"Int": 11, "Str": 9, "Float": 6, "List": 6, "None": 8}
    kinds = Counter(q.question_type for q in corpus.questions)
    assert kinds["unanswerable"] == 8 and kinds["single-page"] >= 15 and kinds["cross-page"] >= 8
    assert {kind for q in corpus.questions for kind in q.modalities} == {"text", "table", "chart", "figure", "layout"}
    assert len({(q.document_id, q.question) for q in corpus.questions}) == 40


def test_the_whole_is_pinned_by_its_manifest(corpus: GeneratedCorpus) -> None:
    manifest = json.loads((corpus.folder / "manifest.json").read_text())
    assert set(manifest["files"]) == {f"documents/{d}.pdf" for d in corpus.document_ids} | {"questions.jsonl"}
    assert generate(corpus.folder, progress=False).reused
    assert tuple(load_questions(corpus.folder, "pocket-mmlb")) == corpus.questions


def test_one_report_rendered_again_is_the_same_file(corpus: GeneratedCorpus, articles: dict[str, Article]) -> None:
    from common.benchmarks.pocket.pdf import render_article

    document = corpus.document_ids[0]
    assert render_article(articles[document])[0] == (corpus.documents_folder / f"{document}.pdf").read_bytes()


def test_gold_answers_fit_their_format_and_score_full(corpus: GeneratedCorpus) -> None:
    for question in corpus.questions:
        assert format_problem(question) == "", question
        assert score_answer("mmlongbench", question, question.answers).primary == 1.0, question
    assert page_problems(corpus.questions, corpus.documents_folder) == []


def test_numbers_of_charts_and_posters_are_only_drawn(corpus: GeneratedCorpus, articles: dict[str, Article]) -> None:
    for question in (q for q in corpus.questions if set(q.modalities) & {"chart", "figure"}):
        figures = [b.content for b in articles[str(question.document_id)].blocks if isinstance(b, Figure)]
        drawn = {str(v) for c in figures if isinstance(c, Chart) for v in (*c.values, *c.labels)}
        drawn |= {str(p.count) for p in figures if isinstance(p, Picture)}
        known = question.answer_format == "Float" or question.answers[0] in drawn
        assert known or question.question.startswith("Were there more"), question


def test_charts_say_what_was_asked(corpus: GeneratedCorpus, articles: dict[str, Article]) -> None:
    """From the drawn blocks, by their captions: another way than the generator's chapters."""
    asked = (
        of_kind(corpus, "According to the chart")
        + of_kind(corpus, "How many .* for each of the")
        + of_kind(corpus, "Were")
    )
    assert len(asked) == 4 + 3 + 3 + 3
    for question in asked:
        blocks = articles[str(question.document_id)].blocks
        charts = {
            b.caption.split(", ")[1].split(" by year")[0]: dict(zip(b.content.labels, b.content.values, strict=True))
            for b in blocks if isinstance(b, Figure) and b.caption.endswith("by year.") and isinstance(b.content, Chart)
        }  # fmt: skip
        year = re.findall(r"\b20\d\d\b", question.question)[0]
        named = sorted((unit for unit in charts if f" {unit} " in question.question), key=question.question.index)
        values = [charts[unit].get(year) for unit in named]
        if question.answer_format == "Int":
            assert question.answers == (str(values[0]),)
        elif question.answer_format == "Float":
            assert question.answers == (f"{values[0] / values[1]:.2f}",)
        elif question.answer_format == "Str":
            assert question.answers == (named[0] if values[0] > values[1] else named[1],)
        else:
            assert values[0] is None


def test_tables_say_what_was_asked(corpus: GeneratedCorpus, articles: dict[str, Article]) -> None:
    for question in of_kind(corpus, "What percentage") + of_kind(corpus, "Which districts"):
        title = re.search(r"table of (.+?) by district", question.question).group(1)
        tables = [b for b in articles[str(question.document_id)].blocks if isinstance(b, TableBlock)]
        rows = next(table.rows for table in tables if title in table.caption.lower())
        units = {row[0]: int(row[1]) for row in rows}
        if question.answer_format == "List":
            limit = int(re.search(r"more than (\d+)", question.question).group(1))
            assert list(question.answers) == sorted(name for name, count in units.items() if count > limit)
        else:
            name = re.search(r"is in (\w+)\?", question.question).group(1)
            assert question.answers == (f"{100 * units[name] / sum(units.values()):.1f}%",)


def test_chairs_stand_on_their_pages(corpus: GeneratedCorpus, texts: dict[str, list[str]]) -> None:
    for question in of_kind(corpus, "Who chaired"):
        pages = [" ".join(texts[str(question.document_id)][e.page - 1].split()) for e in question.evidence]
        assert all(any(name in page for page in pages) for name in question.answers)


def test_the_check_catches_what_it_should(articles: dict[str, Article], texts: dict[str, list[str]]) -> None:
    reports = build_reports(SEED)
    made = [(reports[place], draft) for place, draft in choose_drafts(reports, SEED)]
    blank = Question("pml-001", "pocket-mmlb", "?", ("x",), hops=1)
    for report, draft in made:
        article = write_report(report)
        pages = dict.fromkeys([anchor for anchor, _ in (*draft.evidence, *draft.written)], 1)
        nothing, everything = [""], [" ".join(draft.absent)]
        if draft.written:
            with pytest.raises(ValueError, match="is not on page 1"):
                check_question(blank, draft, article, pages, nothing)
        elif draft.absent:
            with pytest.raises(ValueError, match="so there is an answer"):
                check_question(blank, draft, article, pages, everything)
        elif draft.not_in_table is not None:
            anchor, _ = draft.not_in_table
            table = next(b for b in article.blocks if isinstance(b, TableBlock) and b.anchor == anchor)
            with pytest.raises(ValueError, match="has a row"):
                check_question(blank, replace(draft, not_in_table=(anchor, table.rows[0][0])), article, pages, nothing)
        elif len(draft.evidence) > 1:
            with pytest.raises(ValueError, match="several pages"):
                check_question(blank, draft, article, pages, nothing)


def test_loading(corpus: GeneratedCorpus, tmp_path: Path) -> None:
    loaded = load_benchmark("pocket_mmlb", corpus.folder)
    assert loaded.redistributable and loaded.questions == corpus.questions
    smoke = load_benchmark("pocket-mmlb", corpus.folder, subset="smoke").questions
    assert [q.question_id for q in smoke] == smoke_ids(corpus.questions, n=24)
    assert check_release("pocket-mmlb", corpus.folder).complete
    with pytest.raises(FileNotFoundError, match="generate_benchmark.*pocket-mmlb"):
        load_questions(tmp_path, "pocket-mmlb")
