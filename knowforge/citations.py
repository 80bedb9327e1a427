"""Which pages an answer stands on: the evidence that was read, that holds the answer, or that ranked highest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from common.documents.model import Fragment
from common.metrics.text import answer_visible
from common.records import Hit, RunRecord
from knowforge.base import KnowledgeBase
from knowforge.tools import READER

Reason = Literal["holds the answer", "read", "found"]


@dataclass(frozen=True)
class Citation:
    """One page of one file. `score` is the best fused score (0-10) of its fragments in any search, 0 if only read."""

    file: str
    page: int
    kind: str
    fragment_id: str
    reason: Reason
    score: float

    def __str__(self) -> str:
        return f"{self.file}, page {self.page} ({self.kind}, {self.reason})"


def cite(record: RunRecord, base: KnowledgeBase, files: Mapping[str, Path], limit: int = 5) -> list[Citation]:
    """At most `limit` pages of the evidence pool, the likeliest support first; each page once."""
    read = {name for call in record.tools if call.tool in READER and call.ok for name in call.fragments}
    best = _best(hit for search in record.searches for hit in search.hits)
    kept = record.pool.kept_ids if record.pool else ()
    fragments = [base.fragments[name] for name in dict.fromkeys([*kept, *sorted(read)]) if name in base.fragments]
    citations = [
        Citation(
            file_of(fragment, base, files), fragment.page, fragment.kind, fragment.fragment_id,
            _reason(fragment, record, read), best.get(fragment.fragment_id, 0.0),
        )
        for fragment in fragments
    ]  # fmt: skip
    order: tuple[Reason, ...] = ("holds the answer", "read", "found")
    citations.sort(key=lambda c: (order.index(c.reason), -c.score, c.fragment_id))
    pages: dict[tuple[str, int], Citation] = {}
    for citation in citations:
        pages.setdefault((citation.file, citation.page), citation)
    return list(pages.values())[:limit]


def file_of(fragment: Fragment, base: KnowledgeBase, files: Mapping[str, Path]) -> str:
    """The fragment's file as the user knows it."""
    document_id = fragment.document_id
    return str(files.get(document_id, base.documents[document_id].source))


def _reason(fragment: Fragment, record: RunRecord, read: set[str]) -> Reason:
    if answer_visible(fragment.text, record.answer):
        return "holds the answer"
    return "read" if fragment.fragment_id in read else "found"


def _best(hits: Iterable[Hit]) -> dict[str, float]:
    found: dict[str, float] = {}
    for hit in hits:
        found[hit.fragment_id] = max(hit.score, found.get(hit.fragment_id, 0.0))
    return found
