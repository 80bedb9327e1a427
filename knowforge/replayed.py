"""Evidence pools made again from recorded searches, under other caps and rules. No model, no index, no embeddings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from common.documents.model import Document
from common.graph import Graph
from common.records import Search
from common.retrieval import HybridIndex, IndexOptions
from knowforge.base import KnowledgeBase
from knowforge.pool import Block, EvidencePool, measure_of
from knowforge.rendering import material_blocks
from knowforge.search import with_context
from knowforge.system import SystemConfig


def bare_base(documents: Sequence[Document]) -> KnowledgeBase:
    """A base that shows fragments and their surroundings and cannot search. Raises `ValueError` for no fragments."""
    if not any(document.fragments for document in documents):
        raise ValueError("replayed pools: the documents hold no fragments; is this the snapshot of the records?")
    index = HybridIndex.build([], [], None, IndexOptions(mode="bm25"))
    return KnowledgeBase({d.document_id: d for d in documents}, (), Graph.build({}, []), index, Path())


def pool_of(base: KnowledgeBase, searches: Sequence[Search], system: SystemConfig) -> EvidencePool:
    """The pool after these searches and no reading. Raises `KeyError` for a hit on a fragment the base lacks."""
    pool = EvidencePool(system.pool, measure_of(system.pool.unit))
    for search in searches:
        materials = [with_context(base, hit, system.search) for hit in search.hits]
        pool.add_search(materials, lambda material: material_blocks(base, material))
    return pool


def first_blocks(pool: EvidencePool) -> tuple[Block, ...]:
    """Blocks in order of first appearance until the next one would exceed the cap: a plain cut, no ranking."""
    kept: list[Block] = []
    size = 0
    for block in pool.offered.values():
        size += pool.measure(block.text)
        if size > pool.config.cap:
            break
        kept.append(block)
    return tuple(kept)


def best_of_each(searches: Sequence[Search], count: int) -> list[Search]:
    """The searches with their `count` best hits only."""
    return [replace(search, hits=search.hits[:count]) for search in searches]
