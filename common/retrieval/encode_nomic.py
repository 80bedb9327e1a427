"""nomic-embed-text-v1.5, the papers' encoder, through transformers and torch (live runs)."""

from __future__ import annotations

import importlib.util
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from common.retrieval.encoder import EncoderUnavailable, mean_pool, normalise

MODEL = "nomic-ai/nomic-embed-text-v1.5"
REVISION = "e9b6763023c676ca8431644204f50c2b100d9aab"  # for transformers' own NomicBert; the code once beside it fails
PACKAGES = "torch transformers==5.24.0"
PREFIX = {False: "search_document: ", True: "search_query: "}  # the model card's task prefixes


class NomicEncoder:
    """768-dimensional vectors with the model card's prefixes, mean pooling and L2 norm.

    `path` is a local folder with the weights, of which `revision` must then tell the truth; without it they come
    from the Hugging Face cache, and from the network only with `download=True`. No code of the hub is run. `device` is
    torch's ("cpu", "cuda", ...). Raises `EncoderUnavailable` at the first text where packages or weights are missing.
    """

    name = "nomic-embed-text-v1.5"
    dim = 768
    asymmetric = True

    def __init__(
        self,
        *,
        path: Path | str | None = None,
        revision: str = REVISION,
        download: bool = False,
        device: str = "cpu",
        max_tokens: int = 2048,
        batch: int = 16,
    ) -> None:
        self.revision = f"{revision[:12]}-{max_tokens}"
        self._commit = revision
        self._path = str(path) if path is not None else None
        self._download = download
        self._device = device
        self._max_tokens = max_tokens
        self._batch = batch
        self._lock = threading.Lock()
        self._loaded: tuple[Any, Any, Any] | None = None

    def encode(self, texts: Sequence[str], *, query: bool = False) -> NDArray[np.float32]:
        vectors = np.zeros((len(texts), self.dim), dtype=np.float32)
        rows = sorted(range(len(texts)), key=lambda row: (len(texts[row]), row))
        for start in range(0, len(rows), self._batch):
            part = rows[start : start + self._batch]
            vectors[part] = self._encode_batch([PREFIX[query] + texts[row] for row in part])
        return vectors

    def _encode_batch(self, texts: list[str]) -> NDArray[np.float32]:
        torch, tokenizer, model = self._load()
        inputs = tokenizer(texts, padding=True, truncation=True, max_length=self._max_tokens, return_tensors="pt").to(
            self._device
        )
        with torch.no_grad():
            hidden = model(**inputs).last_hidden_state
        return normalise(mean_pool(hidden.float().cpu().numpy(), inputs["attention_mask"].cpu().numpy()))

    def _load(self) -> tuple[Any, Any, Any]:
        with self._lock:
            if self._loaded is None:
                for package in ("torch", "transformers"):
                    if importlib.util.find_spec(package) is None:
                        raise EncoderUnavailable(
                            f"encoder nomic needs {package}: pip install {PACKAGES}, or choose encoder=endpoint"
                        )
                self._loaded = self._open()
            return self._loaded

    def _open(self) -> tuple[Any, Any, Any]:
        import torch
        from transformers import AutoModel, AutoTokenizer

        source = self._path or MODEL
        options: dict[str, Any] = {"local_files_only": not self._download, "trust_remote_code": False}
        if self._path is None:
            options["revision"] = self._commit
        try:
            tokenizer = AutoTokenizer.from_pretrained(source, **options)
            model = AutoModel.from_pretrained(source, **options).to(self._device).eval()
        except OSError as error:
            raise EncoderUnavailable(
                f"encoder nomic: no weights for {source} ({error}); fix: download=true, or path=FOLDER with the "
                f"files of {MODEL} at revision {self._commit}"
            ) from error
        return torch, tokenizer, model
