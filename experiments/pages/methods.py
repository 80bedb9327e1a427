"""Pages of one real document ranked for a question by every method of `joint/mmlongbench_retrieval`.

plain        BM25 and the encoder over windows of page text, joined by reciprocal ranks: the baseline
bm25, dense, hybrid-rrf, hybrid-minmax
             the knowledge base's index of titled fragments and knowledge points
hybrid+graph its retrieval round: eight anchors by reciprocal ranks and their neighbours along typed relations, then
             the rest of the hybrid list
SETTINGS     `common.retrieval.PageSearch` under each setting of the grid; a fold chooses among them
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from common.documents.model import Document
from common.retrieval import Encoder, HybridIndex
from common.retrieval.page_search import PageSearch, PageWeights, rank_pages
from common.retrieval.page_texts import plain_windows
from knowforge.base import KnowledgeBase
from knowforge.search import search
from knowforge.system import SearchConfig

Ranking = list[tuple[int, float]]  # pages, best first, with their scores

BASELINE = "plain"
METHODS = (BASELINE, "bm25", "dense", "hybrid-rrf", "hybrid-minmax", "hybrid+graph")
CUED, UNCUED = "cued", "uncued"  # families of the grid as the trace names them: places read, places unread
DEPTH = 10  # pages kept of a ranking
CANDIDATES = 200  # fragments or points behind them


def settings() -> dict[str, PageWeights]:
    """The grid by name: few values of four weights, each with and without the rules that read places."""
    grid = {}
    values = (0.25, 0.5, 1.0), (0.25, 0.5, 1.0), (0.0, 0.25), (0.0, 0.2)
    for page, dense, window, neighbour in itertools.product(*values):
        name = f"page{page:g} dense{dense:g} window{window:g} neighbour{neighbour:g}"
        bare = PageWeights(page=page, piece=1.0, dense=dense, window=window, neighbour=neighbour)
        grid[f"{UNCUED} {name}"] = bare
        grid[f"{CUED} {name}"] = replace(bare, named=3.0, label=1.0, kind=0.3, statement=2.0)
    return grid


class Methods:
    """All methods over one document."""

    def __init__(self, document: Document, encoder: Encoder, grid: Mapping[str, PageWeights]) -> None:
        windows = plain_windows(document)
        self._page = {window.key: window.page for window in windows}
        self._plain = HybridIndex.build(list(self._page), [window.text for window in windows], encoder, progress=False)
        self._base = KnowledgeBase.build([document], encoder, Path())
        self._search = PageSearch(document, encoder)
        self._grid = grid

    def ranks(self, question: str) -> dict[str, Ranking]:
        """Method or setting -> its pages, at most `DEPTH`."""
        found = {BASELINE: first_pages((self._page[h.key], h.score) for h in self._plain.search(question, CANDIDATES))}
        listed = SearchConfig(topk=CANDIDATES, candidates=CANDIDATES, graph=False)
        for name, config in _configs(listed).items():
            found[name] = first_pages((m.hit.page, m.hit.score) for m in search(self._base, question, config))
        round_ = search(self._base, question, replace(SearchConfig(), candidates=CANDIDATES))
        rest = search(self._base, question, listed)
        found["hybrid+graph"] = first_pages((m.hit.page, m.hit.score) for m in (*round_, *rest))
        signals = self._search.signals(question)
        for name, weights in self._grid.items():
            found[name] = rank_pages(signals, weights)[:DEPTH]
        return found


def first_pages(found: Iterable[tuple[int, float]]) -> Ranking:
    """Pages of ranked fragments, each at its first occurrence, with that score; at most `DEPTH`."""
    pages: dict[int, float] = {}
    for page, score in found:
        pages.setdefault(page, score)
    return list(pages.items())[:DEPTH]


def _configs(listed: SearchConfig) -> dict[str, SearchConfig]:
    return {
        "bm25": replace(listed, dense=False),
        "dense": replace(listed, bm25=False),
        "hybrid-rrf": listed,
        "hybrid-minmax": replace(listed, fusion="minmax"),
    }
