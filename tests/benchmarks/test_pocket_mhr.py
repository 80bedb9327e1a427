"""pocket-mhr: one world written and read back; the answers found again by reading the files another way."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from common.benchmarks import BenchmarkError, generate_benchmark, load_benchmark
from common.benchmarks.fetch import check_release
from common.benchmarks.generated import GeneratedCorpus, load_questions
from common.benchmarks.pocket_mhr import generate, smoke_ids
from common.benchmarks.pocket_mhr.article import read_header
from common.benchmarks.pocket_mhr.checks import check_answers, read_articles
from common.metrics import multihop_rag, rank_facts


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> GeneratedCorpus:
    return generate(tmp_path_factory.mktemp("mhr"))


def contents(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def texts(corpus: GeneratedCorpus) -> dict[str, str]:
    return {path.stem: path.read_text(encoding="utf-8") for path in corpus.documents_folder.iterdir()}


def test_two_runs_are_byte_identical(corpus: GeneratedCorpus, tmp_path: Path) -> None:
    other = generate(tmp_path)
    assert contents(tmp_path) == contents(corpus.folder) and other.sha256 == corpus.sha256
    assert generate(tmp_path, seed=20261129).reused
    victim = next(other.documents_folder.iterdir())
    victim.write_bytes(victim.read_bytes()[:-1])
    assert not generate(tmp_path).reused and contents(tmp_path) == contents(corpus.folder)


def test_corpus_is_what_was_asked_for(corpus: GeneratedCorpus) -> None:
    assert len(corpus.document_ids) == 80 and len(corpus.questions) == 50
    assert [q.question_id for q in corpus.questions] == [f"pmh-{n:03d}" for n in range(1, 51)]
    kinds = Counter(q.question_type for q in corpus.questions)
    assert kinds == {"inference_query": 16, "comparison_query": 17, "temporal_query": 11, "null_query": 6}
    for question in corpus.questions:
        null = question.question_type == "null_query"
        assert question.answerable != null and multihop_rag.is_null(question.answers[0]) == null
        assert len(question.gold_documents) == 0 if null else 2 <= len(set(question.gold_documents)) <= 4
    assert {len(q.gold_documents) for q in corpus.questions} == {0, 2, 3, 4}
    assert len({q.question for q in corpus.questions}) == 50


def test_every_article_has_its_header(corpus: GeneratedCorpus) -> None:
    headers = {name: read_header(text, name) for name, text in texts(corpus).items()}
    assert len({header.url for header in headers.values()}) == 80
    assert len({header.published for header in headers.values()}) == 80  # so that "before" is never a tie
    lengths = [len(text.split()) for text in texts(corpus).values()]
    assert min(lengths) > 80
    with pytest.raises(ValueError, match="x.md: does not begin"):
        read_header("Source: nobody\n", "x.md")


def test_answers_are_in_balance(corpus: GeneratedCorpus) -> None:
    choices = [q for q in corpus.questions if q.question_type in ("comparison_query", "temporal_query")]
    answers = Counter(q.answers[0] for q in choices)
    assert abs(answers["Yes"] - answers["No"]) <= 3 and answers["before"] == answers["after"] == 2


def test_no_article_alone_answers_an_inference_question(corpus: GeneratedCorpus) -> None:
    """By words, not by the generator's tables: what a clause says stands in at least two articles."""
    written = texts(corpus)
    for question in (q for q in corpus.questions if q.question_type == "inference_query"):
        traits = [trait.split("=") for trait in question.extra["check"][1:]]
        joint: set[str] | None = None
        for kind, value in traits:
            needle = {
                "opening": f"a works in {value} that", "recall": f"because of {value}.", "results": f" {value} by ",
                "appointment": f", {value}, has",
            }[kind]  # fmt: skip
            found = {text.split("\n")[0] for text in written.values() if needle in text}
            assert len(found) >= 2, (question.question_id, kind, value)
            named = {title.removeprefix("# New head for ").removeprefix("# ") for title in found}
            companies = {" ".join(name.split()[:2]) for name in named}
            joint = companies if joint is None else joint & companies
        assert joint is not None and len(joint) == 1
        told = question.answers[0] in joint
        assert told or any(question.answers[0] in written[document] for document in question.gold_documents)


def test_facts_can_be_retrieved(corpus: GeneratedCorpus) -> None:
    written = texts(corpus)
    for question in (q for q in corpus.questions if q.answerable):
        ranking = rank_facts([written[d] for d in question.gold_documents], question.extra["facts"])
        assert ranking.hits4 == ranking.mrr10 == 1.0
        assert ranking.map10 == pytest.approx(sum(1 / rank for rank in range(1, question.hops + 1)) / question.hops)


def test_the_check_catches_a_wrong_answer_and_a_changed_file(corpus: GeneratedCorpus, tmp_path: Path) -> None:
    for question in {q.extra["check"][0]: q for q in corpus.questions}.values():
        wrong = replace(question, answers=("Somebody else",))
        with pytest.raises(ValueError, match=f"{question.question_id}: the files say"):
            check_answers([wrong], corpus.documents_folder)
    for name, text in texts(corpus).items():
        (tmp_path / f"{name}.md").write_text(text.replace("2031-", "2030-") if name < "m" else text)
    moved = [q for q in corpus.questions if q.question_type == "temporal_query"]
    with pytest.raises(ValueError, match="the files say"):
        check_answers(moved, tmp_path)
    (tmp_path / f"{corpus.document_ids[0]}.md").write_text(texts(corpus)[corpus.document_ids[0]].split("\n\n")[0])
    with pytest.raises(ValueError, match=corpus.document_ids[0]):
        read_articles(tmp_path)


def test_loading(corpus: GeneratedCorpus, tmp_path: Path) -> None:
    assert tuple(load_questions(corpus.folder, "pocket-mhr")) == corpus.questions
    loaded = load_benchmark("pocket_mhr", corpus.folder)
    assert loaded.questions == corpus.questions and loaded.redistributable
    smoke = load_benchmark("pocket-mhr", corpus.folder, subset="smoke")
    assert [q.question_id for q in smoke.questions] == smoke_ids(corpus.questions, n=24)
    assert {q.question_type for q in smoke.questions[:12]} == {q.question_type for q in corpus.questions}
    assert check_release("pocket-mhr", corpus.folder).complete
    with pytest.raises(FileNotFoundError, match="generate_benchmark.*pocket-mhr"):
        load_questions(tmp_path, "pocket-mhr")
    with pytest.raises(BenchmarkError, match="'m3docvqa' is not generated"):
        generate_benchmark("m3docvqa", tmp_path)
    generate_benchmark("pocket-mhr", corpus.folder)
    manifest = json.loads((corpus.folder / "manifest.json").read_text())
    assert set(manifest["files"]) == set(contents(corpus.folder)) - {"manifest.json"}


def test_a_world_too_small_or_uneven_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="documents=81"):
        generate(tmp_path, documents=81)
    with pytest.raises(ValueError, match="could be built"):
        generate(tmp_path, documents=8)
