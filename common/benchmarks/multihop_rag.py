"""MultiHop-RAG: questions over 609 news articles, some without an answer (Tang and Yang, 2024)."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from common.benchmarks.fetch import require_count
from common.benchmarks.question import Evidence, Question
from common.benchmarks.reading import first_existing, read_entries, refuse_duplicates, validated
from common.benchmarks.release import Benchmark, BenchmarkError, listed, parse_subset
from common.files import write_atomic

NAME = "multihop_rag"
NULL_TYPE = "null_query"
_STRICT = ConfigDict(strict=True, extra="ignore")


class _Evidence(BaseModel):
    model_config = _STRICT
    url: str = Field(min_length=1)


class _Query(BaseModel):
    model_config = _STRICT
    query: str = Field(min_length=1)
    answer: str = Field(min_length=1)
    question_type: Literal["inference_query", "comparison_query", "temporal_query", "null_query"]
    evidence_list: list[_Evidence] = []


class _Article(BaseModel):
    model_config = _STRICT
    title: str
    url: str = Field(min_length=1)
    source: str = ""
    published_at: str = ""
    body: str = Field(min_length=1)


def _digest(text: str) -> str:
    return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()[:16]


def question_id(query: str) -> str:
    """First 16 hex digits of md5(query), as in the released runner's result files."""
    return _digest(query)


def document_id(url: str) -> str:
    """Id of an article, from its address."""
    return f"article-{_digest(url)}"


def read_queries(path: Path) -> tuple[Question, ...]:
    """All questions of MultiHopRAG.json, in its order."""
    queries = [validated(_Query, entry, place) for place, entry in read_entries(path)]
    refuse_duplicates([(question_id(q.query), f"entry {n}") for n, q in enumerate(queries)], path)
    return tuple(_question(query) for query in queries)


def _question(query: _Query) -> Question:
    gold = tuple(dict.fromkeys(document_id(evidence.url) for evidence in query.evidence_list))
    return Question(
        question_id=question_id(query.query),
        benchmark=NAME,
        question=query.query,
        answers=(query.answer,),
        gold_documents=gold,
        evidence=tuple(Evidence(document, 1, "text") for document in gold),
        question_type=query.question_type,
        modalities=("text",),
        hops=max(1, len(gold)),
        answerable=query.question_type != NULL_TYPE,
    )


def write_articles(corpus: Path, folder: Path) -> int:
    """Write corpus.json as one Markdown file per article, title, source and date on top; returns how many."""
    articles = [validated(_Article, entry, place) for place, entry in read_entries(corpus)]
    refuse_duplicates([(document_id(article.url), f"entry {n}") for n, article in enumerate(articles)], corpus)
    require_count(NAME, len(articles), "documents", corpus)
    folder.mkdir(parents=True, exist_ok=True)
    for article in articles:
        target = folder / f"{document_id(article.url)}.md"
        head = f"# {article.title}\n\nSource: {article.source}\nPublished: {article.published_at}\n\n"
        write_atomic(target, head + article.body + "\n")
    return len(articles)


def load(root: Path, *, subset: str = "full") -> Benchmark:
    """Load MultiHop-RAG; corpus.json is unpacked into documents/ when that folder is not there.

    Subsets: full, alone or as "held" and "questions". Raises BenchmarkError.
    """
    wanted = parse_subset(subset, ("full",))
    path = first_existing(root, ("MultiHopRAG.json", "dataset/MultiHopRAG.json"), "MultiHopRAG.json", NAME)
    questions = read_queries(path)
    require_count(NAME, len(questions), "questions", path)
    folder = path.parent / "documents"
    if wanted.documents != "none":
        if not folder.is_dir():
            write_articles(first_existing(path.parent, ("corpus.json",), "corpus.json", NAME), folder)
        held = {file.stem for file in folder.glob("*.md")}
        missing = sorted({document for question in questions for document in question.gold_documents} - held)
        if wanted.documents == "held":
            questions = tuple(q for q in questions if held.issuperset(q.gold_documents))
        elif missing:
            raise BenchmarkError(f"{folder}: {len(missing)} gold articles are missing ({listed(missing)})")
        else:
            require_count(NAME, len(held), "documents", folder)
    return Benchmark(NAME, questions, folder, redistributable=False, subset=subset)
