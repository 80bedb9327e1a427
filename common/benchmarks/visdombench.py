"""VisDoMBench: questions asked of a handful of PDFs each, in five parts by kind of evidence (Suri et al., 2025)."""

from __future__ import annotations

import ast
import csv
import logging
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, field_validator

from common.benchmarks.fetch import document_count, release
from common.benchmarks.mmlongbench import page_problems
from common.benchmarks.question import Evidence, Question
from common.benchmarks.reading import first_existing, literal_list, refuse_duplicates, validated
from common.benchmarks.release import Benchmark, BenchmarkError, listed, parse_subset

NAME = "visdombench"
KINDS: dict[str, tuple[str, ...]] = {
    "paper_tab": ("table", "text"),
    "feta_tab": ("table",),
    "scigraphqa": ("chart",),
    "spiqa": ("table", "chart"),
    "slidevqa": ("slide",),
}
_FILES = {part: (f"{part}/{part}.csv",) for part in KINDS} | {
    "scigraphqa": ("scigraphqa/scigraphqa.csv", "scigraphvqa/scigraphqa.csv")  # the archive's folder has a v more
}
_LOG = logging.getLogger(__name__)


def _cell_list(value: str | None) -> Any:
    return literal_list(value) if (value or "").strip() else []  # an empty cell is an empty list


class _Row(BaseModel):
    model_config = ConfigDict(strict=True, extra="ignore")
    q_id: str = Field(min_length=1)
    question: str
    answer: str = Field(min_length=1)
    doc_id: str = ""
    doc_path: str = ""
    documents: list[str] = Field(min_length=1)
    evidence_pages: list[int] = []

    _lists = field_validator("documents", "evidence_pages", mode="before")(_cell_list)

    @field_validator("question")
    @classmethod
    def _asks(cls, value: str) -> str:
        if not value.strip():
            raise ValueError("is empty")
        return value.strip()


@dataclass(frozen=True)
class Part:
    """One part on disk: its questions, their file and the folder of its PDFs."""

    name: str
    path: Path
    questions: tuple[Question, ...]

    @property
    def documents(self) -> Path:
        return self.path.parent / "docs"


def file_stem(name: str) -> str:
    """The document id in a file name or path; arXiv numbers keep their dot ("1805.01216v3" has no ending)."""
    name = PurePosixPath(name.replace("\\", "/")).name
    return name[:-4] if name.lower().endswith(".pdf") else name


def read_part(root: Path, part: str) -> Part:
    """All questions of one part, in the order of its file. Raises BenchmarkError naming file, row and field."""
    path = first_existing(root, _FILES[part], f"questions of part {part}", NAME)
    placed = [(_question(row, part, f"{path}, {place}"), place) for place, row in _rows(path)]
    refuse_duplicates([(question.question_id, place) for question, place in placed], path)
    return Part(part, path, tuple(question for question, _ in placed))


def _rows(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """(row and line where it ends, cells by column) of a CSV file whose cells may hold line breaks."""
    number = 0
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file, strict=True)
            wanted = {"q_id", "question", "answer", "documents"}
            missing = sorted(wanted - set(reader.fieldnames or ()))
            if missing or not {"doc_id", "doc_path"} & set(reader.fieldnames or ()):
                raise BenchmarkError(f"{path}: no column {listed(missing or ['doc_path'])}; not a VisDoMBench file")
            for number, row in enumerate(reader, start=1):
                if None in row or None in row.values():
                    raise BenchmarkError(f"{path}, row {number} (line {reader.line_num}): too many or too few cells")
                yield f"row {number} (line {reader.line_num})", row
    except csv.Error as error:
        raise BenchmarkError(f"{path}, after row {number}: {error}; the file is cut off, fetch it again") from error
    except UnicodeDecodeError as error:
        raise BenchmarkError(f"{path}, after row {number}: not UTF-8 ({error.reason}); fetch it again") from error


def _question(data: dict[str, Any], part: str, where: str) -> Question:
    row = validated(_Row, data, where)
    gold = file_stem(row.doc_path or row.doc_id)
    if not gold:
        raise BenchmarkError(f"{where}: field 'doc_path': empty, so no document is known to hold the answer")
    pages: Sequence[int | None] = sorted(set(row.evidence_pages)) or [None]
    return Question(
        question_id=row.q_id,
        benchmark=NAME,
        question=row.question,
        answers=_answers(row.answer),
        gold_documents=(gold,),
        evidence=tuple(Evidence(gold, page, kind) for page in pages for kind in KINDS[part]),
        question_type=part,
        modalities=KINDS[part],
        extra={
            "documents": list(dict.fromkeys(map(file_stem, row.documents))),
            "doc_id": f"{gold}.pdf",
            "part": part,
            "gold": row.answer,
        },
    )


def _answers(text: str) -> tuple[str, ...]:
    """A list literal has its elements, as the release's own runner reads it; anything else is one answer."""
    try:
        value = ast.literal_eval(text) if text.lstrip().startswith("[") else None
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        value = None
    return tuple(map(str, value)) if isinstance(value, list) and value else (text.strip(),)


def load(root: Path, *, subset: str = "full") -> Benchmark:
    """Load VisDoMBench, or one part of it by name, from a folder laid out as `fetch` says.

    Subsets: full, paper_tab, feta_tab, scigraphqa, spiqa, slidevqa, each also "+held" or "+questions". A question's
    own documents stand in `extra["documents"]`; "held" asks for the gold one, and `issues` names distractors that
    are not there and evidence pages outside their PDF. Raises BenchmarkError on damage, wrong counts, duplicates and
    missing PDFs.
    """
    wanted = parse_subset(subset, ("full", *KINDS))
    parts = [read_part(root, part) for part in KINDS if wanted.rule in ("full", part)]
    placed = [(q.question_id, f"{part.path}") for part in parts for q in part.questions]
    refuse_duplicates(placed, root)
    if wanted.documents != "held":
        for part in parts:
            _require(part, "questions", len(part.questions))
    folder = root if wanted.rule == "full" else parts[0].documents
    issues = [problem for part in parts for problem in _pool_problems(part)]
    questions = [question for part in parts for question in part.questions]
    if wanted.documents != "none":
        questions, missing = _held(parts, folder, all_needed=wanted.documents == "all")
        issues += missing
    for issue in issues:
        _LOG.warning("%s: %s", NAME, issue)
    return Benchmark(NAME, tuple(questions), folder, redistributable=False, subset=subset, issues=tuple(issues))


def _require(part: Part, what: str, found: int) -> None:
    expected = {name: {"questions": q, "documents": d} for name, q, d in release(NAME).parts}[part.name][what]
    if found != expected:
        raise BenchmarkError(
            f"{part.path if what == 'questions' else part.documents}: {found:,} {what}, the official part {part.name} "
            f"has {expected:,}; complete it, or ask for subset 'held' (questions whose document is in the folder)"
        )


def _pool_problems(part: Part) -> list[str]:
    return [
        f"question {question.question_id}, field 'documents': does not list the question's own document"
        for question in part.questions
        if not set(question.gold_documents) <= set(question.extra["documents"])
    ]


def _held(parts: Sequence[Part], folder: Path, *, all_needed: bool) -> tuple[list[Question], list[str]]:
    """The questions whose gold PDF is there, ids as the parser of `folder` gives them, and what is odd about them."""
    kept, issues = [], []
    files = {part.name: sorted(part.documents.glob("*.pdf")) if part.documents.is_dir() else [] for part in parts}
    shared = Counter(path.stem for paths in files.values() for path in paths)
    for part in parts:
        ids = {p.stem: _parsed_id(p, folder, shared[p.stem] > 1) for p in files[part.name]}
        gold = sorted({d for q in part.questions for d in q.gold_documents} - ids.keys())
        pool = sorted({d for q in part.questions for d in q.extra["documents"]} - ids.keys() - set(gold))
        if all_needed and gold:
            raise BenchmarkError(
                f"{part.documents}: {len(gold)} gold documents have no PDF ({listed(gold)}); complete the folder or "
                f"ask for subset '{part.name}+held'"
            )
        if all_needed:
            _require(part, "documents", document_count(part.documents))
        issues += [f"part {part.name}: {len(pool)} distractors have no PDF ({listed(pool)})"] if pool else []
        there = [question for question in part.questions if ids.keys() >= set(question.gold_documents)]
        issues += page_problems([q for q in there if any(e.page for e in q.evidence)], part.documents)
        kept += [_renamed(question, ids) for question in there]
    if not kept:
        raise BenchmarkError(f"{folder}: no question has its document here; the PDFs belong below <part>/docs/")
    return kept, issues


def _parsed_id(path: Path, folder: Path, collides: bool) -> str:
    """The id the document parser gives a file below `folder`: its stem, or its path where two parts share the stem."""
    return "__".join(path.relative_to(folder).with_suffix("").parts) if collides else path.stem


def _renamed(question: Question, ids: dict[str, str]) -> Question:
    return replace(
        question,
        gold_documents=tuple(ids[document] for document in question.gold_documents),
        evidence=tuple(Evidence(ids[e.document_id], e.page, e.kind) for e in question.evidence),
        extra={**question.extra, "documents": [ids.get(d, d) for d in question.extra["documents"]]},
    )
