"""What building an index took: documents, characters, OCR pages, embeddings, model tokens by phase (paper, Table 9)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from common.records import Usage
from knowforge.base import KnowledgeBase

# The paper's phases in the order they run. Descriptions are made without a model here (`common.documents.describe`).
PHASES = ("description", "points", "relations")


@dataclass(frozen=True)
class IndexLedger:
    """Counts of one index. `usage` holds a phase only where it called a model; without one all tokens are 0."""

    documents: int
    pages: int
    characters: int  # of the converted text
    images: int
    tables: int
    ocr_pages: int
    fragments: int
    points: int
    relations: int
    embeddings: int
    usage: Mapping[str, Usage] = field(default_factory=dict)

    def tokens(self, phase: str) -> int:
        """Prompt and completion tokens of one phase. Raises `KeyError` for an unknown phase."""
        if phase not in PHASES:
            raise KeyError(f"no phase {phase!r} in an index ledger; phases: {', '.join(PHASES)}")
        spent = self.usage.get(phase, Usage())
        return spent.prompt_tokens + spent.completion_tokens

    @property
    def total_tokens(self) -> int:
        return sum(self.tokens(phase) for phase in PHASES)

    def lines(self) -> list[str]:
        """The ledger for a terminal."""
        read = f"{self.documents:,} documents, {self.pages:,} pages ({self.ocr_pages:,} by OCR)"
        made = f"{self.fragments:,} fragments ({self.images:,} images, {self.tables:,} tables)"
        known = f"{self.points:,} knowledge points, {self.relations:,} relations, {self.embeddings:,} embeddings"
        spent = ", ".join(f"{phase} {self.tokens(phase):,}" for phase in PHASES)
        return [f"{read}, {self.characters:,} characters", f"{made}, {known}", f"model tokens: {spent}"]

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def ledger_of(base: KnowledgeBase, usage: Mapping[str, Usage] | None = None) -> IndexLedger:
    """The ledger of a knowledge base; `usage` is what its construction spent by phase."""
    unknown = sorted(set(usage or {}) - set(PHASES))
    if unknown:
        raise ValueError(f"index ledger: unknown phase {', '.join(unknown)}; phases: {', '.join(PHASES)}")
    documents = base.documents.values()
    kinds = Counter(fragment.kind for fragment in base.fragments.values())
    return IndexLedger(
        documents=len(documents),
        pages=sum(document.page_count for document in documents),
        characters=sum(document.characters for document in documents),
        images=kinds["image"],
        tables=kinds["table"],
        ocr_pages=sum(len(document.ocr_pages) for document in documents),
        fragments=len(base.fragments),
        points=len(base.points),
        relations=base.graph.edge_count,
        embeddings=len(base.index),
        usage=dict(usage or {}),
    )
