"""Document recall of a run, read from its record (KnowForge tables 2, 3, 6 and 11)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from itertools import chain

from common.records import Hit, RunRecord

# A search returns text hits first, then media, each in rank order; recall@k counts documents in that order.
_KINDS = ("text", "image", "table", "example")


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
    by_kind: dict[str, list[str]] = {kind: [] for kind in _KINDS}
    others: list[str] = []
    for hit in hits:
        if hit.document_id:
            by_kind.get(hit.kind, others).append(hit.document_id)
    return tuple(dict.fromkeys(chain(*by_kind.values(), others)))


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
    first = documents_in_rank_order(record.searches[0].hits) if record.searches else ()
    everything = {hit.document_id for search in record.searches for hit in search.hits}
    r_all = recall(gold, everything)
    return Retrieval(
        recall(gold, first[:1]), recall(gold, first[:3]), recall(gold, first[:8]), r_all, set(gold) <= everything
    )
