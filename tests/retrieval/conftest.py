"""An encoder whose vectors can be worked out: one dimension per hashed word."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import numpy as np
import pytest


class WordEncoder:
    """Counts words into `dim` buckets, L2-normalised; counts its calls. A text without words is zero."""

    asymmetric = False

    def __init__(self, name: str = "words", revision: str = "1", dim: int = 32) -> None:
        self.name, self.revision, self.dim = name, revision, dim
        self.seen: list[str] = []

    def encode(self, texts: Sequence[str], *, query: bool = False) -> np.ndarray:
        self.seen += texts
        vectors = np.zeros((len(texts), self.dim), dtype=np.float32)
        for row, text in enumerate(texts):
            for word in text.lower().split():
                vectors[row, zlib.crc32(word.encode()) % self.dim] += 1
        return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)


@pytest.fixture
def words() -> type[WordEncoder]:
    return WordEncoder
