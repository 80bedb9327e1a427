"""MMLongBench-Doc: questions about one long PDF each, some unanswerable (Ma et al., 2024)."""

from __future__ import annotations

import ast
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import pypdfium2
from pydantic import BaseModel, ConfigDict, Field, field_validator

from common.benchmarks.fetch import document_count, release, require_count
from common.benchmarks.formats import format_problem
from common.benchmarks.question import NOT_ANSWERABLE, Evidence, Question
from common.benchmarks.reading import first_existing, literal_list, read_entries, refuse_duplicates, validated
from common.benchmarks.release import Benchmark, BenchmarkError, Subset, listed, parse_subset

NAME = "mmlongbench"
RULES = ("full", "smoke", "mid")
STEPS = {"full": 1, "smoke": 45, "mid": 11}  # every n-th position of the official file
KINDS = {
    "Pure-text (Plain-text)": "text",
    "Generalized-text (Layout)": "layout",
    "Table": "table",
    "Chart": "chart",
    "Figure": "figure",
}
_LOG = logging.getLogger(__name__)


class _Sample(BaseModel):
    model_config = ConfigDict(strict=True, extra="ignore")
    doc_id: str = Field(min_length=1)
    doc_type: str
    question: str = Field(min_length=1)
    answer: str
    evidence_pages: list[int]
    evidence_sources: list[Literal[tuple(KINDS)]]  # type: ignore[valid-type]
    answer_format: Literal["Int", "Str", "Float", "List", "None"]
    index: int | None = Field(default=None, ge=0)

    _lists = field_validator("evidence_pages", "evidence_sources", mode="before")(literal_list)


def question_id(index: int) -> str:
    """Id by position in the official file, as in the released runner's result files."""
    return f"full-{index:04d}"


def _answers(sample: _Sample) -> tuple[str, ...]:
    if sample.answer_format == "List" and sample.answer.startswith("["):
        try:
            return tuple(str(item) for item in ast.literal_eval(sample.answer))
        except (ValueError, SyntaxError, TypeError):
            return (sample.answer,)  # format_problem names it
    return (sample.answer,)


def _question(sample: _Sample, index: int) -> Question:
    answerable = sample.answer != NOT_ANSWERABLE
    document = Path(sample.doc_id).stem
    kinds = tuple(dict.fromkeys(KINDS[source] for source in sample.evidence_sources))
    pages: Sequence[int | None] = sorted(set(sample.evidence_pages)) or [None]
    kind = "unanswerable" if not answerable else "cross-page" if len(pages) > 1 else "single-page"
    return Question(
        question_id=question_id(index),
        benchmark=NAME,
        question=sample.question,
        answers=_answers(sample),
        gold_documents=(document,),
        evidence=tuple(Evidence(document, page, k) for page in pages for k in kinds or ("",) if page or k),
        question_type=kind,
        modalities=kinds,
        hops=len(pages),
        answer_format=sample.answer_format,
        answerable=answerable,
        document_id=document,
        extra={"gold": sample.answer, "doc_id": sample.doc_id, "doc_type": sample.doc_type, "index": index},
    )


def question_from_entry(entry: Any, index: int, where: str) -> Question:
    """A question from one entry of the official form at official position `index`. Raises BenchmarkError at `where`."""
    return _question(validated(_Sample, entry, where), index)


def read_samples(path: Path) -> tuple[Question, ...]:
    """All questions of samples.json. Positions come from `index` where it stands, else from the order of the file.

    Without `index` the file must be the whole release, or positions (and with them ids and subsets) would be wrong.
    """
    samples = [validated(_Sample, entry, place) for place, entry in read_entries(path)]
    without = [str(number) for number, sample in enumerate(samples) if sample.index is None]
    if without and (len(without) < len(samples) or len(samples) != release(NAME).questions):
        raise BenchmarkError(
            f"{path}: field 'index' (the official position) is missing in entries {listed(without)}; a file of "
            f"{len(samples):,} of {release(NAME).questions:,} questions needs it in each entry; "
            "number questions of your own from 0"
        )
    indices = [number if sample.index is None else sample.index for number, sample in enumerate(samples)]
    refuse_duplicates([(question_id(i), f"entry {number}") for number, i in enumerate(indices)], path)
    return tuple(_question(sample, index) for sample, index in zip(samples, indices, strict=True))


def load(root: Path, *, subset: str = "full") -> Benchmark:
    """Load MMLongBench-Doc from a folder laid out as `fetch` says.

    Subsets by official position: full, smoke (every 45th), mid (every 11th), each also "+held" or "+questions".
    Oddities of the official data (pages past the end of the PDF, answers their format denies) are in `issues` and
    in the log, never dropped. Raises BenchmarkError on damage, wrong counts, duplicates and missing PDFs.
    """
    wanted = parse_subset(subset, RULES)
    path = first_existing(root, ("samples.json", "data/samples.json"), "samples.json", NAME)
    questions = read_samples(path)
    folder = path.parent / "documents"
    if wanted.documents == "all":
        require_count(NAME, len(questions), "questions", path)
    questions = tuple(q for q in questions if q.extra["index"] % STEPS[wanted.rule] == 0)
    with_documents = wanted.documents != "none"
    if with_documents:
        questions = _with_documents(questions, folder, wanted)
    issues = [problem for question in questions if (problem := format_problem(question))]
    issues += page_problems(questions, folder) if with_documents else []
    for issue in issues:
        _LOG.warning("%s: %s", path.name, issue)
    return Benchmark(NAME, questions, folder, redistributable=False, subset=subset, issues=tuple(issues))


def _with_documents(questions: Sequence[Question], folder: Path, wanted: Subset) -> tuple[Question, ...]:
    held = {file.name for file in folder.iterdir()} if folder.is_dir() else set()
    missing = sorted({q.extra["doc_id"] for q in questions} - held)
    if wanted.documents == "held":
        kept = tuple(question for question in questions if question.extra["doc_id"] in held)
        if not kept:
            raise BenchmarkError(f"{folder}: no question of subset {wanted.name!r} has its document here")
        return kept
    if missing:
        raise BenchmarkError(
            f"{folder}: {len(missing)} documents are missing ({listed(missing)}); complete the folder or ask for "
            f"subset '{wanted.rule}+held'"
        )
    require_count(NAME, document_count(folder), "documents", folder)
    return tuple(questions)


def page_problems(questions: Sequence[Question], folder: Path) -> list[str]:
    """One line per question whose evidence pages lie outside its PDF. Raises BenchmarkError on an unreadable PDF."""
    counts: dict[str, int] = {}
    problems = []
    for question in questions:
        name = question.extra["doc_id"]
        if name not in counts:
            counts[name] = _page_count(folder / name)
        outside = sorted({e.page for e in question.evidence if e.page is not None and not 1 <= e.page <= counts[name]})
        if outside:
            problems.append(
                f"question {question.question_id}, field 'evidence_pages': pages {outside} are outside {name}, "
                f"which has {counts[name]}"
            )
    return problems


def _page_count(path: Path) -> int:
    try:
        with pypdfium2.PdfDocument(path) as document:
            return len(document)
    except (OSError, pypdfium2.PdfiumError) as error:
        raise BenchmarkError(f"{path}: cannot be opened as a PDF ({error}); fetch it again") from error
