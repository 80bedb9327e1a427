"""Lexical index: bm25s postings with precomputed scores, searched by compiled kernels.

BM25 (Robertson and Walker) in Lucene's form, as bm25s computes it:
    s(q, d) = sum_t log(1 + (N - n_t + 0.5) / (n_t + 0.5)) * tf / (tf + k1 (1 - b + b |d| / avg|d|))
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import bm25s
import numpy as np
from numpy.typing import ArrayLike, NDArray
from tqdm import tqdm

from common.retrieval.analysis import Analyser
from common.retrieval.kernels import add_postings, best_postings, sums_at

PROGRESS_FROM = 20_000


class BM25Index:
    """Scores rows 0..n-1. Double precision, so that 6 digits are the same on every processor."""

    def __init__(self, count: int, model: bm25s.BM25 | None) -> None:
        self._count = count
        self._model = model  # None: there is no term in the whole corpus
        scores: dict[str, Any] = model.scores if model is not None else {"data": [], "indices": [], "indptr": [0]}
        # Read-only views: one compiled kernel serves built and memory-mapped indexes.
        self._data: NDArray[np.float64] = _frozen(scores["data"], np.float64)
        self._indices: NDArray[np.int32] = _frozen(scores["indices"], np.int32)
        self._indptr: NDArray[np.int64] = _frozen(scores["indptr"], np.int64)
        self._terms: dict[str, int] = model.vocab_dict if model is not None else {}

    def __len__(self) -> int:
        return self._count

    @classmethod
    def build(cls, texts: Sequence[str], *, k1: float = 1.5, b: float = 0.75, progress: bool = True) -> BM25Index:
        analyser = Analyser()
        vocabulary: dict[str, int] = {}
        show = progress and len(texts) >= PROGRESS_FROM
        ids = [
            [vocabulary.setdefault(term, len(vocabulary)) for term in analyser.terms(text)]
            for text in tqdm(texts, desc="terms", unit="text", disable=not show)
        ]
        if not vocabulary:
            return cls(len(texts), None)
        model = bm25s.BM25(k1=k1, b=b, method="lucene", dtype="float64", backend="numpy")
        model.index((ids, vocabulary), create_empty_token=False, show_progress=show)
        return cls(len(texts), model)

    def terms(self, query: str) -> NDArray[np.int64]:
        """Numbers of the query's terms that the corpus has, in the query's order, repeated ones too."""
        known = [self._terms[term] for term in Analyser().terms(query) if term in self._terms]
        return np.asarray(known, dtype=np.int64)

    def scores(self, query: str) -> NDArray[np.float64]:
        """(n,) scores of all rows, 0 where no term of the query occurs; not rounded."""
        return add_postings(self._data, self._indices, self._indptr, self.terms(query), self._count)

    def scores_at(self, terms: NDArray[np.int64], rows: NDArray[np.int64]) -> NDArray[np.float64]:
        """The scores of `rows` alone, the very ones of `scores`."""
        return sums_at(self._data, self._indices, self._indptr, terms, rows)

    def best(self, terms: NDArray[np.int64], depth: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """At most `depth` rows with a positive score, best first at 6 digits, ties by row number, and their scores.

        No array as long as the corpus is made.
        """
        depth = min(depth, self._count)
        if depth == 0 or len(terms) == 0:
            return np.zeros(0, dtype=np.int64), np.zeros(0)
        rows, scores = best_postings(self._data, self._indices, self._indptr, terms, self._count, depth)
        order = np.lexsort((rows, -np.round(scores, 6)))[:depth]
        return rows[order], scores[order]

    def save(self, folder: Path) -> None:
        """bm25s's own files in `folder`; none for an index without terms."""
        if self._model is not None:
            self._model.save(str(folder), show_progress=False)

    @classmethod
    def load(cls, folder: Path, count: int) -> BM25Index:
        """Memory-mapped; `count` is the number of rows it was built for."""
        if not folder.is_dir():
            return cls(count, None)
        return cls(count, bm25s.BM25.load(str(folder), mmap=True, load_corpus=False, show_progress=False))


def _frozen(array: ArrayLike, dtype: type[np.generic]) -> NDArray[Any]:
    view = np.asarray(array, dtype=dtype).view()
    view.setflags(write=False)
    return view
