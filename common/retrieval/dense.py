"""Dense index: exact for small corpora, HNSW (hnswlib) for large ones; cosines always recomputed exactly."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from common.retrieval.kernels import dot_rows, top_rows

if TYPE_CHECKING:
    import hnswlib
else:
    try:
        import hnswlib
    except ImportError:  # it is compiled when it is installed: without a compiler every corpus is scanned
        hnswlib = None

CHUNK = 5_000


@dataclass(frozen=True)
class DenseOptions:
    """`exact_below`: at most so many rows are scanned. `deterministic`: build on one thread, repeatable."""

    exact_below: int = 5_000
    m: int = 16
    ef_construction: int = 200
    ef: int = 200
    seed: int = 13
    deterministic: bool = True


class DenseIndex:
    """Cosine search over float16 vectors (n, dim); cosines are float64, the same on every processor.

    HNSW only proposes rows. Its graph depends on insertion order and, with `deterministic=False`, on
    thread timing; exact search depends on nothing.
    """

    def __init__(
        self,
        vectors: NDArray[np.float16],
        norms: NDArray[np.float64],
        graph: hnswlib.Index | None,
        options: DenseOptions,
    ) -> None:
        self._vectors = vectors
        self._norms = norms
        self._graph = graph
        self._options = options
        # The scan reads every row on every query: worth a ready float32 copy, small by definition.
        self._ready = vectors.astype(np.float32) if graph is None else None

    def __len__(self) -> int:
        return int(self._vectors.shape[0])

    @property
    def exact(self) -> bool:
        return self._graph is None

    @classmethod
    def build(
        cls, vectors: NDArray[np.float32], options: DenseOptions = DenseOptions(), *, progress: bool = True
    ) -> DenseIndex:
        half = np.ascontiguousarray(vectors, dtype=np.float16)
        norms = _norms(half)
        if hnswlib is None or len(half) <= options.exact_below:
            return cls(half, norms, None, options)
        graph = hnswlib.Index(space="cosine", dim=half.shape[1])
        graph.init_index(len(half), M=options.m, ef_construction=options.ef_construction, random_seed=options.seed)
        threads = 1 if options.deterministic else -1
        with tqdm(total=len(half), desc="hnsw", unit="vector", disable=not progress) as bar:
            for start in range(0, len(half), CHUNK):
                rows = np.arange(start, min(start + CHUNK, len(half)))
                graph.add_items(half[rows].astype(np.float32), rows, num_threads=threads)
                bar.update(len(rows))
        return cls(half, norms, graph, options)

    @classmethod
    def blank(cls, count: int) -> DenseIndex:
        """An index of `count` rows without vectors: every cosine is 0 and no row is ever near."""
        return cls(np.zeros((count, 0), dtype=np.float16), np.zeros(count), None, DenseOptions())

    def cosines(self, query: NDArray[np.float32], rows: NDArray[np.int64] | None = None) -> NDArray[np.float64]:
        """Cosines with `rows` (default: all), rounded to 6 digits; 0 where either vector is zero."""
        values = np.asarray(query, dtype=np.float16).astype(np.float64)
        length = float(np.sqrt((values * values).sum()))
        if rows is None:
            dots, norms = self._all_dots(values), self._norms * length
        else:
            dots, norms = dot_rows(self._vectors[rows].astype(np.float32), values), self._norms[rows] * length
        cosines: NDArray[np.float64] = np.divide(dots, norms, out=np.zeros_like(dots), where=norms > 0)
        return np.round(cosines, 6)

    def _all_dots(self, query: NDArray[np.float64]) -> NDArray[np.float64]:
        if self._ready is not None:
            return dot_rows(self._ready, query)
        parts = [
            dot_rows(self._vectors[start : start + CHUNK].astype(np.float32), query)
            for start in range(0, len(self), CHUNK)
        ]
        return np.concatenate(parts) if parts else np.zeros(0)

    def top(self, query: NDArray[np.float32], depth: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """At most `depth` rows and their cosines, best first at 6 digits, ties by row number."""
        depth = min(depth, len(self))
        if depth == 0 or not np.any(query):
            return np.zeros(0, dtype=np.int64), np.zeros(0)
        rows = None if self._graph is None else self._propose(query, depth)
        cosines = self.cosines(query, rows)
        order = top_rows(cosines, depth)
        return (order if rows is None else rows[order]), cosines[order]

    def _propose(self, query: NDArray[np.float32], depth: int) -> NDArray[np.int64] | None:
        """The graph's nearest rows in row order; None (scan instead) when it cannot reach `depth` rows."""
        assert self._graph is not None
        self._graph.set_ef(max(self._options.ef, depth))
        half = np.asarray(query, dtype=np.float16).astype(np.float32)
        try:
            labels, _ = self._graph.knn_query(half, k=depth, num_threads=1)
        except RuntimeError:  # many equal vectors can cut the graph into pieces
            return None
        return np.sort(labels[0].astype(np.int64))

    def save(self, folder: Path) -> None:
        np.save(folder / "vectors.npy", self._vectors)
        np.save(folder / "norms.npy", self._norms)
        if self._graph is not None:
            self._graph.save_index(str(folder / "hnsw.bin"))

    @classmethod
    def load(cls, folder: Path, options: DenseOptions) -> DenseIndex:
        vectors = np.load(folder / "vectors.npy", mmap_mode="r", allow_pickle=False)
        norms = np.load(folder / "norms.npy", allow_pickle=False)
        graph = None
        if hnswlib is not None and (folder / "hnsw.bin").is_file():
            graph = hnswlib.Index(space="cosine", dim=vectors.shape[1])
            graph.load_index(str(folder / "hnsw.bin"), max_elements=len(vectors))
        return cls(vectors, norms, graph, options)


def _norms(vectors: NDArray[np.float16]) -> NDArray[np.float64]:
    norms = np.zeros(len(vectors))
    for start in range(0, len(vectors), CHUNK):
        block = vectors[start : start + CHUNK].astype(np.float64)
        norms[start : start + CHUNK] = np.sqrt((block * block).sum(axis=1))
    return norms
