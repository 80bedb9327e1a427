"""Which pages a KnowForge answer stands on: evidence that holds it, that was read, or that ranked highest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from common.citations import Citation, Reason, likeliest
from common.documents.model import Fragment
from common.metrics.text import answer_visible
from common.records import Hit, RunRecord
from knowforge.base import KnowledgeBase
from knowforge.tools import READER


def cite(record: RunRecord, base: KnowledgeBase, files: Mapping[str, Path]) -> list[Citation]:
    """Pages of the evidence pool, the likeliest support first; a score is the best fused one (0-10) in any search."""
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
    return likeliest(citations)


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
