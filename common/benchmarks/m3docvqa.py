"""M3DocVQA: MultimodalQA's dev questions asked of all their Wikipedia documents at once (Cho et al., 2024)."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from common.benchmarks.fetch import document_count, require_count
from common.benchmarks.question import Evidence, Question
from common.benchmarks.reading import first_existing, read_lines, read_list, refuse_duplicates, validated
from common.benchmarks.release import Benchmark, BenchmarkError, Subset, listed, parse_subset
from common.benchmarks.sampling import stratified

NAME = "m3docvqa"
RULES = ("full", "smoke", "mid", "mid300")
_QUESTION_FILES = tuple(f"{folder}MMQA_dev.jsonl{suffix}" for folder in ("", "multimodalqa/") for suffix in (".gz", ""))
_DOCUMENT_FOLDERS = ("documents", "splits/pdfs_dev", "pdfs_dev")
_ID_FILES = {"mid": "m3d_mid_qids.json", "smoke": "m3d_smoke_qids.json"}
_SIZES = {"smoke": 30, "mid300": 300}
_MULTI_HOP = ("Compose", "Compare", "Intersect")
_STRICT = ConfigDict(strict=True, extra="ignore")
Modality = Literal["text", "table", "image"]


class _Answer(BaseModel):
    model_config = _STRICT
    answer: str | int | float
    type: Literal["string", "yesno", "number"]
    modality: Modality


class _Metadata(BaseModel):
    model_config = _STRICT
    type: str = Field(min_length=1)
    modalities: list[Modality] = Field(min_length=1)


class _Context(BaseModel):
    model_config = _STRICT
    doc_id: str = Field(min_length=1)
    doc_part: Modality


class _Record(BaseModel):
    model_config = _STRICT
    qid: str = Field(min_length=1)
    question: str = Field(min_length=1)
    answers: list[_Answer] = Field(min_length=1)
    metadata: _Metadata
    supporting_context: list[_Context] = Field(min_length=1)


def _check_answer(answer: _Answer, where: str) -> None:
    """An answer must be of the type it claims: a string, a yes or no, or a number."""
    value = answer.answer
    fits = {
        "string": isinstance(value, str) and bool(value.strip()),
        "yesno": isinstance(value, str) and value.strip().lower() in ("yes", "no"),
        "number": bool(re.fullmatch(r"-?\d+(\.\d+)?", value)) if isinstance(value, str) else math.isfinite(value),
    }[answer.type]
    if not fits:
        raise BenchmarkError(f"{where}, field 'answers': a value is not of its declared type {answer.type!r}")


def hops(kind: str) -> int:
    """Documents a question type joins: its parts where it composes, compares or intersects, else 1."""
    return max(2, len(re.findall(r"\w+Q\b", kind))) if kind.startswith(_MULTI_HOP) else 1


def question_from_record(data: object, where: str) -> Question:
    """A question from one line of MMQA_dev.jsonl. Numbers become text by str(), as both evaluations do (300.0)."""
    record = validated(_Record, data, where)
    for answer in record.answers:
        _check_answer(answer, f"{where} (question {record.qid})")
    kind = record.metadata.type
    return Question(
        question_id=record.qid,
        benchmark=NAME,
        question=record.question,
        answers=tuple(str(answer.answer) for answer in record.answers),
        gold_documents=tuple(dict.fromkeys(context.doc_id for context in record.supporting_context)),
        evidence=tuple(Evidence(context.doc_id, None, context.doc_part) for context in record.supporting_context),
        question_type=kind,
        modalities=tuple(dict.fromkeys(record.metadata.modalities)),
        hops=hops(kind),
        answer_format="List" if len(record.answers) > 1 else "Str",
        # 70 table questions name "table" twice: 1,335 mentions of tables in 1,265 questions
        extra={"modalities_as_listed": list(record.metadata.modalities)},
    )


def read_questions(path: Path) -> tuple[Question, ...]:
    """All questions of a MultimodalQA file, in its order."""
    placed = [(question_from_record(data, f"{path}, line {line}"), f"line {line}") for line, data in read_lines(path)]
    refuse_duplicates([(question.question_id, place) for question, place in placed], path)
    return tuple(question for question, _ in placed)


def load(root: Path, *, subset: str = "full", seed: int = 0) -> Benchmark:
    """Load M3DocVQA from a folder laid out as `fetch` says.

    Subsets: full; mid and smoke (the authors' id lists, which must be in the folder); mid300 (300 questions
    stratified by type x modality, drawn by `seed`); each also "+held" or "+questions". Raises BenchmarkError.
    """
    wanted = parse_subset(subset, RULES)
    path = first_existing(root, _QUESTION_FILES, "question file", NAME)
    questions = read_questions(path)
    require_count(NAME, len(questions), "questions", path)
    questions = _select(root, questions, wanted, seed)
    folder = root / _DOCUMENT_FOLDERS[0]
    if wanted.documents != "none":
        folder = first_existing(root, _DOCUMENT_FOLDERS, "folder of PDFs", NAME)
        questions = _with_documents(questions, folder, wanted)
    name = f"{subset}, seed {seed}" if wanted.rule == "mid300" else subset
    return Benchmark(NAME, questions, folder, redistributable=False, subset=name)


def _select(root: Path, questions: Sequence[Question], wanted: Subset, seed: int) -> tuple[Question, ...]:
    if wanted.rule == "mid300":
        return stratified(questions, _SIZES["mid300"], seed=seed)
    if wanted.rule not in _ID_FILES:
        return tuple(questions)
    path = first_existing(root, (_ID_FILES[wanted.rule],), f"list of the {wanted.rule} question ids", NAME)
    ids = read_list(path)
    unknown = sorted(map(str, set(map(str, ids)) - {question.question_id for question in questions}))
    if unknown:
        raise BenchmarkError(f"{path}: {len(unknown)} ids are no dev questions: {listed(unknown)}")
    if not ids:
        raise BenchmarkError(f"{path}: the list of ids is empty; fetch it again, or leave it out for mid300")
    return tuple(question for question in questions if question.question_id in set(ids))


def _with_documents(questions: Sequence[Question], folder: Path, wanted: Subset) -> tuple[Question, ...]:
    held = {path.stem for path in folder.iterdir() if path.suffix.lower() == ".pdf"}
    if wanted.documents == "held":
        kept = tuple(question for question in questions if held.issuperset(question.gold_documents))
        if not kept:
            raise BenchmarkError(f"{folder}: no question of subset {wanted.name!r} has all its documents here")
        return kept
    missing = sorted({document for question in questions for document in question.gold_documents} - held)
    if missing:
        raise BenchmarkError(
            f"{folder}: {len(missing):,} gold documents have no PDF ({listed([f'{m}.pdf' for m in missing])}); "
            f"complete the folder or ask for subset '{wanted.rule}+held'"
        )
    require_count(NAME, document_count(folder), "documents", folder)
    return tuple(questions)
