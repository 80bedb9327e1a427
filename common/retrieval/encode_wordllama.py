"""WordLlama: averaged token vectors, the fast encoder (about 50 times faster than MiniLM, a little less recall)."""

from __future__ import annotations

import importlib.util
import logging
import threading
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from common.retrieval.encoder import EncoderUnavailable, check_weights, normalise

PACKAGE = "wordllama==0.4.0.post1"
WEIGHTS = "weights/l2_supercat_256.safetensors"
WEIGHTS_SHA256 = "64b47a2dc493cb8e85944076601189739852d7b64e0e1eedcb1937a251cd9fd5"


class WordLlamaEncoder:
    """256-dimensional vectors; a text without tokens gives a zero row. Nothing is downloaded."""

    dim = 256
    asymmetric = False
    name = "wordllama-l2_supercat-256"

    def __init__(self) -> None:
        spec = importlib.util.find_spec("wordllama")
        if spec is None or spec.origin is None:
            raise EncoderUnavailable(f"encoder wordllama is not installed: pip install {PACKAGE}")
        self._folder = Path(spec.origin).parent
        self.revision = f"{WEIGHTS_SHA256[:12]}-{version('wordllama')}"
        self._lock = threading.Lock()
        self._model: Any = None

    def encode(self, texts: Sequence[str], *, query: bool = False) -> NDArray[np.float32]:
        vectors = np.zeros((len(texts), self.dim), dtype=np.float32)
        rows = [row for row, text in enumerate(texts) if text.strip()]
        if rows:
            # Batches of like length: the library pads a batch to its longest text.
            rows.sort(key=lambda row: (len(texts[row]), row))
            with self._lock:  # its tokenizer keeps padding state
                vectors[rows] = normalise(self._load().embed([texts[row] for row in rows], norm=False))
        return vectors

    def _load(self) -> Any:
        if self._model is None:
            fix = f"pip install --force-reinstall {PACKAGE}"
            check_weights("wordllama", self._folder / WEIGHTS, WEIGHTS_SHA256, fix)
            self._model = _import_quietly().load(dim=256, cache_dir=self._folder, disable_download=True)
        return self._model


def _import_quietly() -> Any:
    """The WordLlama class; its module calls logging.basicConfig(INFO) on import, which is undone here."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    from wordllama import WordLlama

    root.handlers[:] = handlers
    root.setLevel(level)
    return WordLlama
