"""What flow reads of one real document beside what flat ranking would read of it: nodes and their pages, no model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from common.documents.model import Document
from common.retrieval import Encoder
from experiments.pages.traces import PageRun
from flowreader.config import FlowReaderConfig
from flowreader.construction import build_without_model
from flowreader.options import ConstructionOptions
from flowreader.routing import Arcs, choose_anchors, route, score_query

FLOW, BY_R, BY_H, BY_R_PAGES = "flow", "top by r", "top by h", "top by r to as many pages"


class FlowPages:
    """The evidence graph of one document, built without a model, asked by many questions."""

    def __init__(self, document: Document, encoder: Encoder, config: FlowReaderConfig) -> None:
        self._graph, _ = build_without_model([document], encoder, ConstructionOptions(model=False))
        self._arcs = Arcs.of(self._graph)
        self._encoder = encoder
        self._config = config

    def ask(self, question: str) -> dict[str, Any]:
        """Nodes [id, page] of each reading, and facts of the routing. The BM25 query is the question itself.

        The flat readings hold as many nodes as the kept paths, the last one as many distinct pages.
        """
        scores = score_query(self._graph, question, question, self._encoder, self._config)
        sources, sinks = choose_anchors(self._graph, scores, self._config)
        routing = route(self._graph, scores, self._arcs, sources, sinks, self._config)
        flow = list(dict.fromkeys(node for path in routing.kept for node in path.nodes))
        by_r, by_h = _order(scores.r), _order(scores.h)
        pages = len({self._graph.nodes[node].page for node in flow})
        return {
            FLOW: self._named(flow),
            BY_R: self._named(by_r[: len(flow)]),
            BY_H: self._named(by_h[: len(flow)]),
            BY_R_PAGES: self._named(self._until(by_r, pages)),
            "sigma": round(routing.saturation, 6),
            "paths": len(routing.paths),
            "kept": [len(path.nodes) for path in routing.kept],
            "like_quality": round(routing.selection.overlap_with_quality, 6),
            "graph": len(self._graph),
            "note": routing.note,
        }

    def _named(self, rows: Iterable[int]) -> list[list[Any]]:
        return [[self._graph.nodes[row].node_id, self._graph.nodes[row].page] for row in rows]

    def _until(self, order: list[int], pages: int) -> list[int]:
        """The longest prefix of `order` on at most `pages` distinct pages."""
        seen: set[int] = set()
        for place, row in enumerate(order):
            seen.add(self._graph.nodes[row].page)
            if len(seen) > pages:
                return order[:place]
        return order


def _order(scores: NDArray[np.float64]) -> list[int]:
    """Rows with a score, best first, ties by row."""
    order = np.lexsort((np.arange(len(scores)), -scores))
    return [int(row) for row in order if scores[row] > 0.0]


def size(run: PageRun, reading: str, name: str) -> int:
    """Nodes or distinct pages of a reading."""
    nodes = run.found[reading]
    return len(nodes) if name == "nodes" else len({page for _, page in nodes})


def pages_read(run: PageRun, reading: str, name: str) -> float:
    """Per cent of the gold pages that a reading reaches ("recall"), or 100 where it reaches all of them ("all")."""
    pages = {page for _, page in run.found[reading]}
    share = len(pages & set(run.gold)) / len(run.gold)
    return 100.0 * (share if name == "recall" else float(share == 1.0))


def shared(found: Mapping[str, Any], reading: str) -> float:
    """Nodes in both flow and a flat reading over nodes in either."""
    one, other = ({node for node, _ in found[name]} for name in (FLOW, reading))
    return len(one & other) / len(one | other) if one | other else 1.0
