"""What an encoder is, and what encoders share."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from common.files import sha256_of


class EncoderUnavailable(RuntimeError):
    """An encoder cannot run here; the message says what to install or to set."""


@runtime_checkable
class Encoder(Protocol):
    """Texts to unit vectors. `name`, `revision` and `dim` identify the vector space.

    `asymmetric` is true when a query and a passage of the same words get different vectors.
    """

    name: str
    revision: str
    dim: int
    asymmetric: bool

    def encode(self, texts: Sequence[str], *, query: bool = False) -> NDArray[np.float32]:
        """(n, dim) float32, L2-normalised rows; a text without any token may give a zero row."""
        ...


def check_weights(encoder: str, path: Path, sha256: str, fix: str) -> None:
    """Raise `EncoderUnavailable`, naming the `fix`, unless `path` is the pinned file."""
    if not path.is_file():
        raise EncoderUnavailable(f"encoder {encoder}: {path} does not exist; fix: {fix}")
    found = sha256_of(path)
    if found != sha256:
        raise EncoderUnavailable(f"encoder {encoder}: {path} has sha256 {found}, expected {sha256}; fix: {fix}")


def normalise(vectors: NDArray[Any]) -> NDArray[np.float32]:
    """Rows scaled to length one; zero rows stay zero. Raises `ValueError` on NaN or infinity."""
    vectors = np.asarray(vectors, dtype=np.float32)
    if not np.isfinite(vectors).all():
        bad = int(np.flatnonzero(~np.isfinite(vectors).all(axis=1))[0])
        raise ValueError(f"row {bad} of the embeddings is not finite: check the encoder or endpoint that made it")
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: NDArray[np.float32] = np.divide(vectors, norms, out=np.zeros_like(vectors), where=norms > 0)
    return unit


def mean_pool(hidden: NDArray[Any], mask: NDArray[Any]) -> NDArray[np.float32]:
    """Mean of token vectors under the attention mask: (n, tokens, dim), (n, tokens) -> (n, dim)."""
    weights = np.asarray(mask, dtype=np.float32)[..., None]
    total = (np.asarray(hidden, dtype=np.float32) * weights).sum(axis=1)
    mean: NDArray[np.float32] = total / np.maximum(weights.sum(axis=1), 1.0)
    return mean
