"""One record schema for the questions of every benchmark."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

NOT_ANSWERABLE = "Not answerable"  # the gold answer where the documents hold none (MMLongBench-Doc)


@dataclass(frozen=True)
class Evidence:
    """A gold page, 1-based. `kind` is text, table, image, chart, figure or layout, as the benchmark names it."""

    document_id: str
    page: int | None
    kind: str


@dataclass(frozen=True)
class Question:
    """A benchmark question with its gold answer.

    `answers` holds one element per thing asked for (a list answer has several);
    `document_id` is set where the task is closed to one document (MMLongBench-Doc).
    """

    question_id: str
    benchmark: str
    question: str
    answers: tuple[str, ...]
    gold_documents: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    question_type: str = ""
    modalities: tuple[str, ...] = ()
    hops: int = 1
    answer_format: str = "Str"
    answerable: bool = True
    document_id: str | None = None
    extra: dict[str, Any] = field(default_factory=dict)

    @property
    def multi_hop(self) -> bool:
        return self.hops > 1

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Question:
        """Inverse of `asdict`, also through JSON text. Raises `KeyError`/`TypeError` on fields that do not fit."""
        tuples = {name: tuple(data[name]) for name in ("answers", "gold_documents", "modalities")}
        return cls(**{**data, **tuples, "evidence": tuple(Evidence(**item) for item in data["evidence"])})
