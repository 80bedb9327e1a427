"""The index a method searches: BM25 and dense rankings of the same texts, fused (KnowForge 3.1)."""

from __future__ import annotations

import itertools
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np
import orjson
from numpy.typing import NDArray

from common.retrieval.analysis import VERSION as ANALYSIS
from common.retrieval.bm25 import BM25Index
from common.retrieval.dense import DenseIndex, DenseOptions
from common.retrieval.encoder import Encoder
from common.retrieval.manifest import IndexRefused, read_manifest, write_folder
from common.retrieval.row_scores import Fusion, Mode, filled, fused_scores, single_scores

FORMAT = 1
KEPT_QUERIES = 8


@dataclass(frozen=True, slots=True)
class Scored:
    """A key with its fused score (0-10, 6 digits), cosine (6 digits) and raw BM25 score (6 digits)."""

    key: str
    score: float
    cosine: float
    bm25: float


@dataclass(frozen=True)
class IndexOptions:
    """What is indexed and how lists are fused: `depth` rows of each ranking take part."""

    mode: Mode = "hybrid"
    fusion: Fusion = "rrf"
    depth: int = 100
    k1: float = 1.5
    b: float = 0.75
    dense: DenseOptions = field(default_factory=DenseOptions)


@dataclass(frozen=True)
class _Query:
    """What one query costs to prepare; kept for a few queries because graph expansion asks again."""

    vector: NDArray[np.float32]
    terms: NDArray[np.int64]


class HybridIndex:
    """Keys 0..n-1 in sorted order, so results do not depend on the order of the corpus.

    The score of a hit, 0 to 10: hybrid = 10 x the fusion of `fusion.py` (RRF relative to being first in both
    lists, so a hit known to one list only gets at most 5); dense = 10 max(cos, 0); bm25 = 10 x BM25 / best BM25.

    `on_stage` hears the name of every finished stage (embedding, bm25, dense, fusion, measure): for timing.
    """

    def __init__(
        self,
        keys: Sequence[str],
        bm25: BM25Index,
        dense: DenseIndex,
        encoder: Encoder | None,
        options: IndexOptions,
    ) -> None:
        self.keys = tuple(keys)
        self.options = options
        self._rows = {key: row for row, key in enumerate(self.keys)}
        self._bm25 = bm25
        self._dense = dense
        self._encoder = encoder
        self._recent: OrderedDict[str, _Query] = OrderedDict()
        self._lock = threading.Lock()
        self.on_stage: Callable[[str], None] = _nobody

    def __len__(self) -> int:
        return len(self.keys)

    @classmethod
    def build(
        cls,
        keys: Sequence[str],
        texts: Sequence[str],
        encoder: Encoder | None,
        options: IndexOptions = IndexOptions(),
        *,
        progress: bool = True,
    ) -> HybridIndex:
        """Index `texts` under `keys` (unique). An index of mode bm25 needs no encoder.

        Raises `ValueError` for a key that occurs twice, unequal lengths, or a missing encoder.
        """
        if len(keys) != len(texts):
            raise ValueError(f"{len(keys)} keys but {len(texts)} texts: give one text for each key")
        if encoder is None and options.mode != "bm25":
            raise ValueError("an index with a dense part needs an encoder: pass one, or choose the mode bm25")
        order = sorted(range(len(keys)), key=lambda place: keys[place])
        for one, two in itertools.pairwise(order):
            if keys[one] == keys[two]:
                raise ValueError(f"key {keys[one]!r} occurs twice: keys must be unique")
        ordered = [texts[place] for place in order]
        bm25, dense = BM25Index(len(keys), None), DenseIndex.blank(len(keys))
        if options.mode != "dense":
            bm25 = BM25Index.build(ordered, k1=options.k1, b=options.b, progress=progress)
        if encoder is not None and options.mode != "bm25":
            dense = DenseIndex.build(encoder.encode(ordered), options.dense, progress=progress)
        return cls([keys[place] for place in order], bm25, dense, encoder, options)

    def search(self, query: str, k: int, *, mode: Mode | None = None, fusion: Fusion | None = None) -> list[Scored]:
        """The `k` best hits, best first, ties by key. `mode` and `fusion` override the index's own.

        A blank query finds nothing. Raises `ValueError` for k < 1 or a mode whose part was not built.
        """
        if k < 1:
            raise ValueError(f"k = {k}: ask for at least one hit")
        mode = self._mode(mode)
        if not query.strip() or not self.keys:
            return []
        state = self._prepare(query)
        depth = max(self.options.depth, k)
        nothing = np.zeros(0, dtype=np.int64), np.zeros(0)
        lexical, raw = self._bm25.best(state.terms, depth) if mode != "dense" else nothing
        self.on_stage("bm25")
        nearest, near = self._dense.top(state.vector, depth) if mode != "bm25" else nothing
        self.on_stage("dense")
        rows = np.union1d(lexical, nearest)
        bm25 = filled(rows, lexical, raw, lambda others: self._bm25.scores_at(state.terms, others)).round(6)
        cosine = filled(rows, nearest, near, lambda others: self._dense.cosines(state.vector, others))
        if mode == "hybrid":
            score = fused_scores(fusion or self.options.fusion, rows, lexical, nearest, cosine, bm25)
        else:
            score = single_scores(mode, cosine, bm25)
        order = np.lexsort((rows, -score))[:k]
        hits = [self._scored(rows[i], score[i], cosine[i], bm25[i]) for i in order]
        self.on_stage("fusion")
        return hits

    def measure(self, query: str, keys: Sequence[str]) -> list[Scored]:
        """Cosine and BM25 of given keys for a query, in their order (graph neighbours of hits); score is 0.

        Cheap after `search` with the same query. Raises `KeyError` for an unknown key.
        """
        rows = np.asarray([self._rows[key] for key in keys], dtype=np.int64)
        if not query.strip():
            return [Scored(key, 0.0, 0.0, 0.0) for key in keys]
        state = self._prepare(query)
        cosine, bm25 = self._dense.cosines(state.vector, rows), self._bm25.scores_at(state.terms, rows).round(6)
        measured = [self._scored(row, 0.0, cos, raw) for row, cos, raw in zip(rows, cosine, bm25, strict=True)]
        self.on_stage("measure")
        return measured

    def _mode(self, mode: Mode | None) -> Mode:
        mode = mode or self.options.mode
        if mode not in ("hybrid", "dense", "bm25") or self.options.mode not in ("hybrid", mode):
            raise ValueError(
                f"mode {mode!r} does not fit an index built as {self.options.mode!r}: build it with both parts"
            )
        return mode

    def _prepare(self, query: str) -> _Query:
        with self._lock:
            if query in self._recent:
                self._recent.move_to_end(query)
                return self._recent[query]
        vector = np.zeros(0, dtype=np.float32)
        if self._encoder is not None and self.options.mode != "bm25":
            vector = self._encoder.encode([query], query=True)[0]
        self.on_stage("embedding")
        state = _Query(vector, self._bm25.terms(query))
        with self._lock:
            self._recent[query] = state
            while len(self._recent) > KEPT_QUERIES:
                self._recent.popitem(last=False)
        return state

    def forget(self) -> None:
        """Drop the prepared queries, so that the next search costs what a new one does: for timing."""
        with self._lock:
            self._recent.clear()

    def _scored(self, row: int, score: float, cosine: float, bm25: float) -> Scored:
        return Scored(self.keys[row], float(score), float(cosine), float(bm25))

    def save(self, folder: Path | str) -> None:
        """Write the index; `folder` appears complete, with a manifest of hashes, or stays as it was."""
        encoder = self._encoder if self.options.mode != "bm25" else None
        about = {
            "format": FORMAT,
            "count": len(self),
            "analysis": ANALYSIS,
            "options": asdict(self.options),
            "encoder": _identity(encoder) if encoder is not None else None,
        }
        with write_folder(Path(folder), about) as draft:
            (draft / "keys.json").write_bytes(orjson.dumps(self.keys))
            self._bm25.save(draft / "bm25")
            if self.options.mode != "bm25":
                (draft / "dense").mkdir()
                self._dense.save(draft / "dense")

    @classmethod
    def load(cls, folder: Path | str, encoder: Encoder | None) -> HybridIndex:
        """Open a saved index, memory-mapped, its files checked.

        Raises `IndexRefused` when a file does not match, or when the encoder, the term rules or the format
        differ from those it was built with.
        """
        folder = Path(folder)
        manifest = read_manifest(folder)
        for name, ours in (("format", FORMAT), ("analysis", ANALYSIS)):
            if manifest.get(name) != ours:
                raise IndexRefused(
                    f"{folder}: {name} is {manifest.get(name)!r}, this code has {ours!r}: build it again"
                )
        built_by = manifest["encoder"]
        if built_by is not None and (encoder is None or _identity(encoder) != built_by):
            given = "none was given" if encoder is None else f"not {_identity(encoder)}"
            raise IndexRefused(
                f"{folder} was built by encoder {built_by}, {given}: load that encoder, or build it again"
            )
        stored = dict(manifest["options"])
        options = IndexOptions(**{**stored, "dense": DenseOptions(**stored["dense"])})
        keys = orjson.loads((folder / "keys.json").read_bytes())
        bm25 = BM25Index.load(folder / "bm25", len(keys))
        has_dense = options.mode != "bm25"
        dense = DenseIndex.load(folder / "dense", options.dense) if has_dense else DenseIndex.blank(len(keys))
        return cls(keys, bm25, dense, encoder, options)


def _nobody(stage: str) -> None:
    """The default listener."""


def _identity(encoder: Encoder) -> dict[str, str | int]:
    return {"name": encoder.name, "revision": encoder.revision, "dim": encoder.dim}
