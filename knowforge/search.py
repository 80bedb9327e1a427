"""One retrieval round: hybrid anchors, one hop along typed relations, context and media. No model call."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from common.documents.model import Fragment
from common.records import Hit
from common.retrieval.row_scores import Mode
from knowforge.base import KnowledgeBase
from knowforge.system import SearchConfig


@dataclass(frozen=True)
class Material:
    """A hit with its adjacent text fragments and the figures and tables next to it."""

    hit: Hit
    fragment: Fragment
    context: tuple[Fragment, ...]
    media: tuple[Fragment, ...]


def search(base: KnowledgeBase, query: str, config: SearchConfig) -> tuple[Material, ...]:
    """Rank fragments for `query` (KnowForge 3.1); empty for a query or a base without words."""
    anchors = _anchors(base, query, config)
    hits = [*anchors, *_neighbours(base, query, anchors, config)] if config.graph else anchors
    hits.sort(key=lambda hit: (-hit.score, hit.from_graph, hit.fragment_id))
    return tuple(with_context(base, hit, config) for hit in hits)


def _anchors(base: KnowledgeBase, query: str, config: SearchConfig) -> list[Hit]:
    """The `topk` best fragments; a knowledge point stands for the fragment it came from."""
    best: dict[str, Hit] = {}
    for scored in base.index.search(query, config.candidates, mode=_mode(config), fusion=config.fusion):
        fragment = base.fragment_of(scored.key)
        if fragment.fragment_id not in best:
            best[fragment.fragment_id] = _hit(fragment, scored.score, scored.cosine, scored.bm25)
    return list(best.values())[: config.topk]


def _mode(config: SearchConfig) -> Mode:
    """The index mode of a config. Raises `ValueError` when both rankings are off."""
    if config.bm25 and config.dense:
        return "hybrid"
    if config.dense:
        return "dense"
    if config.bm25:
        return "bm25"
    raise ValueError("search: 'bm25' and 'dense' are both off; switch one on")


def _neighbours(base: KnowledgeBase, query: str, anchors: list[Hit], config: SearchConfig) -> list[Hit]:
    """Fragments one typed relation away from an anchor, scored by the anchor times the edge weight."""
    found: dict[str, tuple[float, Hit]] = {}
    held = {hit.fragment_id for hit in anchors}
    for anchor in anchors:
        for fragment_id, weight in base.related(anchor.fragment_id):
            score = round(anchor.score * weight, 6)
            if fragment_id not in held and (fragment_id not in found or score > found[fragment_id][0]):
                found[fragment_id] = (score, anchor)
    best = sorted(found.items(), key=lambda item: (-item[1][0], item[0]))[: config.graph_hits]
    measured = base.index.measure(query, [fragment_id for fragment_id, _ in best])
    return [
        _hit(base.fragments[scored.key], score, scored.cosine, scored.bm25, anchor.fragment_id)
        for (_, (score, anchor)), scored in zip(best, measured, strict=True)
    ]


def _hit(fragment: Fragment, score: float, cosine: float, bm25: float, anchor: str | None = None) -> Hit:
    return Hit(
        fragment.fragment_id, fragment.document_id, fragment.page, fragment.kind, score, cosine, bm25,
        from_graph=anchor is not None, anchor=anchor,
    )  # fmt: skip


def with_context(base: KnowledgeBase, hit: Hit, config: SearchConfig) -> Material:
    """A hit with the texts and media around it."""
    fragment = base.fragments[hit.fragment_id]
    near = base.around(fragment, max(config.context_window, config.media_window))
    context = _within(near, fragment, config.context_window, media=False)
    return Material(hit, fragment, context, _within(near, fragment, config.media_window, media=True))


def _within(near: Iterable[Fragment], fragment: Fragment, window: int, *, media: bool) -> tuple[Fragment, ...]:
    """Text fragments up to `window` texts away, or media up to `window` fragments away on the same page."""
    if media:
        return tuple(
            f for f in near if f.is_media and f.page == fragment.page and abs(f.order - fragment.order) <= window
        )
    before = [f for f in near if not f.is_media and f.order < fragment.order]
    after = [f for f in near if not f.is_media and f.order > fragment.order]
    return tuple(before[len(before) - window :] + after[:window]) if window else ()
