"""Document recall of a run, read from its record (KnowForge tables 2, 3, 6 and 11)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from common.records import Hit, RunRecord

# A search returns text hits first, then media, each in rank order; recall@k counts documents in that order.
_KIND_ORDER = {"text": 0, "image": 1, "table": 2, "example": 3}


@dataclass(frozen=True)
class Retrieval:
    """Recall in [0, 1]: R@1/3/8 of the first search, R@all over all searches; `document_found` = R@all is 1."""

    r1: float
    r3: float
    r8: float
    r_all: float
    document_found: bool


def documents_in_rank_order(hits: Collection[Hit]) -> tuple[str, ...]:
    """Distinct documents of one search: those of text hits first, then of images, tables, examples.

    A hit without a document (imported files have some) takes no rank.
    """
    ordered = sorted(hits, key=lambda hit: _KIND_ORDER.get(hit.kind, len(_KIND_ORDER)))
    return tuple(dict.fromkeys(hit.document_id for hit in ordered if hit.document_id))


def recall(gold: Collection[str], found: Collection[str]) -> float:
    """|gold and found| / |gold|. Raises ValueError when there is no gold document."""
    if not gold:
        raise ValueError("recall needs at least one gold document")
    return len(set(gold) & set(found)) / len(set(gold))


def retrieval(record: RunRecord, gold: Collection[str]) -> Retrieval | None:
    """Retrieval measures of one run; None where the question has no gold documents.

    The first search is the first search call of the run whoever issued it; the judge's follow-ups count in R@all.
    """
    if not gold:
        return None
    per_search = [documents_in_rank_order(search.hits) for search in record.searches]
    first = per_search[0] if per_search else ()
    everything = {document for documents in per_search for document in documents}
    r_all = recall(gold, everything)
    return Retrieval(
        recall(gold, first[:1]), recall(gold, first[:3]), recall(gold, first[:8]), r_all, set(gold) <= everything
    )
