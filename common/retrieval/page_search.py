"""Ranking the pages of one document for a question: several signals for each page, normalised and summed.

Signals of a page: BM25 of the whole page, the best BM25 and the best cosine of its pieces, and whether the question
names the page, a label captioned on it, a kind of picture it holds, or needs a financial statement that stands on it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields

import numpy as np

from common.arrays import Floats, Integers, min_max
from common.documents.model import Document
from common.retrieval.bm25 import BM25Index
from common.retrieval.dense import DenseIndex
from common.retrieval.encoder import Encoder
from common.retrieval.page_cues import Cues, read_cues
from common.retrieval.page_statements import asked_statements, statement_pages
from common.retrieval.page_texts import (
    PageText,
    context_pieces,
    pages_of,
    plain_windows,
    titled_fragments,
    whole_pages,
)

DIGITS = 6


@dataclass(frozen=True)
class PageWeights:
    """How much each signal counts. The first four are scaled to 0..1 over the pages of the document."""

    page: float = 0.0  # BM25 of the whole page
    piece: float = 0.0  # best BM25 of a piece
    dense: float = 0.0  # best cosine of a fragment under its titles
    window: float = 0.0  # best cosine of a plain window
    named: float = 0.0  # the page the question names by number
    label: float = 0.0  # a caption with the label it names
    kind: float = 0.0  # holds the kind of picture it asks about
    statement: float = 0.0  # a financial statement it needs
    neighbour: float = 0.0  # share of the better neighbour's score that a page gets


@dataclass(frozen=True)
class Signals:
    """(pages,) arrays of one question, by the fields of `PageWeights`."""

    pages: Integers
    values: Mapping[str, Floats]


class PageSearch:
    """The pages of one document. Raises `ValueError` for a document without text."""

    def __init__(self, document: Document, encoder: Encoder, *, words: int = 90, clean: bool = True) -> None:
        self._encoder = encoder
        self._clean = clean
        wholes, pieces = whole_pages(document), context_pieces(document, words)
        if not pieces:
            raise ValueError(f"{document.document_id}: no page holds any text; nothing can be searched")
        self.pages = np.array([whole.page for whole in wholes])
        self._row = {page: row for row, page in enumerate(self.pages.tolist())}
        self._last = document.page_count
        self._whole = BM25Index.build([whole.text for whole in wholes], progress=False)
        self._pieces = BM25Index.build([piece.text for piece in pieces], progress=False)
        self._owners = {"piece": self._owner(pieces)}
        self._dense = {}
        for name, texts in (("dense", titled_fragments(document)), ("window", plain_windows(document))):
            self._dense[name] = DenseIndex.build(encoder.encode([text.text for text in texts]), progress=False)
            self._owners[name] = self._owner(texts)
        self._kinds = {kind: self._rows(_holding(document, kind)) for kind in ("image", "table")}
        self._labels = _captions(document)
        self._statements = statement_pages({whole.page: whole.text for whole in wholes})

    def signals(self, question: str) -> Signals:
        cues = read_cues(question)
        words = cues.words if self._clean else question
        vector = self._encoder.encode([question], query=True)[0]
        kinds = [self._kinds[kind] for kind in cues.kinds]
        values = {
            "page": min_max(self._whole.scores(words)),
            "piece": min_max(self._best("piece", self._pieces.scores(words))),
            **{name: min_max(self._best(name, index.cosines(vector))) for name, index in self._dense.items()},
            "named": self._rows(cues.pages),
            "label": self._labelled(cues),
            "statement": self._rows(p for name in asked_statements(question) for p in self._statements.get(name, ())),
            "kind": np.max(kinds, axis=0) if kinds else np.zeros(len(self.pages)),
        }
        return Signals(self.pages, values)

    def _owner(self, texts: Sequence[PageText]) -> Integers:
        return np.array([self._row[text.page] for text in texts], dtype=np.int64)

    def _best(self, name: str, scores: Floats) -> Floats:
        """The best score of each page; a page without any gets the lowest there is."""
        best = np.full(len(self.pages), scores.min(initial=0.0))
        np.maximum.at(best, self._owners[name], scores)
        return best

    def _rows(self, pages: Iterable[int]) -> Floats:
        """1 at these pages; a negative page counts from the end."""
        marked = np.zeros(len(self.pages))
        for page in pages:
            row = self._row.get(page if page > 0 else self._last + 1 + page)
            if row is not None:
                marked[row] = 1.0
        return marked

    def _labelled(self, cues: Cues) -> Floats:
        return self._rows(page for label in cues.labels for page in self._labels.get(label, ()))


def rank_pages(signals: Signals, weights: PageWeights) -> list[tuple[int, float]]:
    """Pages, best first, with their scores; ties by page number."""
    total = np.zeros(len(signals.pages))
    for field in fields(weights):
        weight = getattr(weights, field.name)
        if weight and field.name != "neighbour":
            total += weight * signals.values[field.name]
    if weights.neighbour:
        total = total + weights.neighbour * _neighbours(signals.pages, total)
    total = np.round(total, DIGITS)
    order = np.lexsort((signals.pages, -total))
    return [(int(signals.pages[row]), float(total[row])) for row in order]


def _neighbours(pages: Integers, scores: Floats) -> Floats:
    """The better of the scores of the pages just before and after."""
    best = np.zeros(len(pages))
    adjoining = np.flatnonzero(np.diff(pages) == 1)
    np.maximum.at(best, adjoining, scores[adjoining + 1])
    np.maximum.at(best, adjoining + 1, scores[adjoining])
    return best


def _holding(document: Document, kind: str) -> list[int]:
    return sorted({fragment.page for fragment in document.fragments if fragment.kind == kind})


_CAPTION = re.compile(r"^\W*(fig|tab|cha|exh|app|sec|alg)[a-z]*\.?\s*(\d+(?:\.\d+)*|[A-Z](?:\.?\d+)?\b)", re.IGNORECASE)


def _captions(document: Document) -> dict[tuple[str, str], list[int]]:
    """(word, number) of a caption or heading -> its pages."""
    found: dict[tuple[str, str], list[int]] = {}
    for page, fragments in pages_of(document):
        for fragment in fragments:
            for line in (fragment.caption, *fragment.text.splitlines()):
                match = _CAPTION.match(line)
                if match is not None:
                    found.setdefault((match[1].lower(), match[2]), []).append(page)
    return found
