"""Encoder with a memory: what makes replay independent of the processor that encoded first."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from common.retrieval.embedding_store import EmbeddingStore, EmbeddingStoreError, Space
from common.retrieval.encoder import Encoder

PROGRESS_FROM = 512  # texts; below that it is a matter of seconds
SAVE_EVERY = 128


class MissingEmbedding(LookupError):
    """Replay needs an embedding that was never recorded."""


class CachedEncoder:
    """Embeddings by sha256 of the text, float16 on disk, in the folder `path`.

    The float16-rounded values are what `encode` returns, also the first time, so a recorded and a replayed
    run see the same numbers. `offline=True` (or no encoder) never computes: a text that is not stored raises
    `MissingEmbedding` and names it. A store made by another encoder raises `EmbeddingStoreError`.
    """

    def __init__(self, encoder: Encoder | None, path: Path | str, *, offline: bool = False) -> None:
        self._store = EmbeddingStore(Path(path))
        self._encoder = None if offline else encoder
        self._lock = threading.Lock()
        space, self._vectors = self._store.read()
        wanted = Space(encoder.name, encoder.revision, encoder.dim, encoder.asymmetric) if encoder is not None else None
        if space is not None and wanted is not None and space != wanted:
            raise EmbeddingStoreError(
                f"{path} was made by {space.name} ({space.revision}, {space.dim}d), not by {wanted.name} "
                f"({wanted.revision}, {wanted.dim}d): choose that encoder, or another folder for this one"
            )
        found = space or wanted
        if found is None:
            raise EmbeddingStoreError(f"{path} holds no embeddings and there is no encoder: record them first")
        self._space = found
        self.name = self._space.name
        self.revision = self._space.revision
        self.dim = self._space.dim
        self.asymmetric = self._space.asymmetric

    def __len__(self) -> int:
        return len(self._vectors)

    def key(self, text: str, *, query: bool = False) -> bytes:
        """sha256 of the text; of a marked text for the query side of an asymmetric encoder."""
        mark = b"\x00query\x00" if query and self.asymmetric else b""
        return hashlib.sha256(mark + text.encode("utf-8", "surrogatepass")).digest()

    def holds(self, text: str, *, query: bool = False) -> bool:
        """Whether the embedding is there and need not be computed."""
        return self.key(text, query=query) in self._vectors

    def encode(self, texts: Sequence[str], *, query: bool = False) -> NDArray[np.float32]:
        """(n, dim) float32 holding float16 values; their norm is 1 up to that rounding."""
        keys = [self.key(text, query=query) for text in texts]
        with self._lock:
            missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._vectors}
            if missing:
                self._compute(missing, query)
            if not keys:
                return np.zeros((0, self.dim), dtype=np.float32)
            return np.stack([self._vectors[key] for key in keys]).astype(np.float32)

    def _compute(self, missing: dict[bytes, str], query: bool) -> None:
        if self._encoder is None:
            text = next(iter(missing.values()))
            raise MissingEmbedding(
                f"{len(missing)} embeddings are not in {self._store.folder}, the first of {text[:80]!r}: "
                f"the corpus, question or parser changed since recording; record again with encoder {self.name}"
            )
        # By length, so that the batches inside the encoder are even; saved as it goes, so a kill costs one part.
        items = sorted(missing.items(), key=lambda item: (len(item[1]), item[0]))
        bar = tqdm(total=len(items), desc=f"embed ({self.name})", unit="text", disable=len(items) < PROGRESS_FROM)
        with bar:
            for start in range(0, len(items), SAVE_EVERY):
                part = items[start : start + SAVE_EVERY]
                rows = self._encoder.encode([text for _, text in part], query=query).astype(np.float16)
                fresh = {key: row for (key, _), row in zip(part, rows, strict=True)}
                self._store.append(self._space, fresh.items())
                self._vectors.update(fresh)
                bar.update(len(part))
