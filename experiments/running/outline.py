"""What is committed of a corpus that may not be passed on: which questions and documents, but none of their text.

The outline stands beside the records, so that their tables can be made where the corpus is not: ids, types, formats,
evidence pages, named subsets, and how much of the official release there was. Scores are in the records.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from common.benchmarks.fetch import RELEASES
from common.benchmarks.question import Question
from common.files import write_atomic
from common.paths import Workspace
from common.traces import read_questions, read_subsets
from common.traces.redact import text_hash

COVERAGE = "coverage.json"
KEPT = ("index", "doc_type")  # what may stay of `Question.extra`


@dataclass(frozen=True)
class Coverage:
    """How much of an official release a corpus holds."""

    documents: int
    documents_of: int
    questions: int
    questions_of: int

    @property
    def complete(self) -> bool:
        return (self.documents, self.questions) == (self.documents_of, self.questions_of)

    def __str__(self) -> str:
        return f"{self.documents:,} of {self.documents_of:,} documents"


@dataclass(frozen=True)
class CorpusView:
    """What tables see of a corpus. `label` names it, and how partial it is."""

    label: str
    questions: tuple[Question, ...]
    subsets: dict[str, tuple[str, ...]]
    coverage: Coverage | None = None


def coverage_of(benchmark: str, documents: int, questions: int) -> Coverage | None:
    """None for a whole release and for a benchmark that has none."""
    release = RELEASES.get(benchmark)
    if release is None or release.redistributable:
        return None
    coverage = Coverage(documents, release.documents, questions, release.questions)
    return None if coverage.complete else coverage


def write_coverage(folder: Path, coverage: Coverage | None) -> None:
    """Keep with a snapshot or outline how partial it is; a whole corpus has no such file."""
    path = folder / COVERAGE
    if coverage is None:
        path.unlink(missing_ok=True)
    else:
        write_atomic(path, json.dumps(asdict(coverage), indent=1) + "\n")


def read_coverage(folder: Path) -> Coverage | None:
    """Inverse of `write_coverage`."""
    path = folder / COVERAGE
    return Coverage(**json.loads(path.read_text())) if path.exists() else None


def write_outline(
    folder: Path, questions: Sequence[Question], subsets: dict[str, tuple[str, ...]], coverage: Coverage | None
) -> None:
    """Write questions without text, subsets and coverage into `folder`."""
    lines = [json.dumps(asdict(outlined(question)), ensure_ascii=False) for question in questions]
    folder.mkdir(parents=True, exist_ok=True)
    write_atomic(folder / "questions.jsonl", "".join(f"{line}\n" for line in lines))
    write_atomic(folder / "subsets.json", json.dumps({k: list(v) for k, v in sorted(subsets.items())}, indent=1) + "\n")
    write_coverage(folder, coverage)


def outlined(question: Question) -> Question:
    """The question by the hash of its text, without gold answers."""
    extra = {name: question.extra[name] for name in KEPT if name in question.extra}
    return replace(question, question=text_hash(question.question), answers=(), extra=extra)


def corpus_view(workspace: Workspace, benchmark: str) -> CorpusView:
    """Questions and subsets as tables read them: of the outline where there is one, else of the snapshot.

    Raises `TraceError` where there is neither.
    """
    outline = workspace.outline(benchmark)
    folder = outline if outline.exists() else workspace.find_corpus(benchmark)
    coverage = read_coverage(folder)
    label = f"{benchmark} ({coverage})" if coverage else benchmark
    return CorpusView(label, read_questions(folder), read_subsets(folder), coverage)
