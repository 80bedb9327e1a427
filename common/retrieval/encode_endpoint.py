"""Any server with the OpenAI embeddings API: POST {base_url}/embeddings."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from typing import Any

import httpx
import numpy as np
from numpy.typing import NDArray

from common.retrieval.encoder import EncoderUnavailable, normalise

RETRY_STATUS = frozenset({408, 409, 425, 429, 500, 502, 503, 504})


class EndpointEncoder:
    """Vectors from a server. `revision` names the served weights: it is yours to keep honest.

    `query_prefix` and `document_prefix` are put before the texts, for models that want them. Record and
    replay happen in `CachedEncoder`. Raises `EncoderUnavailable` when the server refuses, stays away after
    `retries` more attempts, or answers something else than `len(texts)` vectors of `dim` numbers.
    """

    def __init__(
        self,
        *,
        base_url: str,
        model: str,
        dim: int,
        revision: str = "unpinned",
        query_prefix: str = "",
        document_prefix: str = "",
        api_key_env: str | None = None,
        batch: int = 64,
        timeout_s: float = 60.0,
        retries: int = 3,
        backoff_s: float = 1.0,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self.name = model
        self.revision = revision
        self.dim = dim
        self.asymmetric = query_prefix != document_prefix
        self._prefix = {True: query_prefix, False: document_prefix}
        self._url = base_url.rstrip("/") + "/embeddings"
        self._batch = batch
        self._retries = retries
        self._backoff_s = backoff_s
        self._client = httpx.Client(timeout=timeout_s, transport=transport, headers=_headers(api_key_env))

    def encode(self, texts: Sequence[str], *, query: bool = False) -> NDArray[np.float32]:
        vectors = np.zeros((len(texts), self.dim), dtype=np.float32)
        for start in range(0, len(texts), self._batch):
            part = [self._prefix[query] + text for text in texts[start : start + self._batch]]
            vectors[start : start + len(part)] = normalise(self._parse(self._post(part), len(part)))
        return vectors

    def _post(self, texts: list[str]) -> httpx.Response:
        reason = ""
        for attempt in range(self._retries + 1):
            if attempt:
                time.sleep(self._backoff_s * 2 ** (attempt - 1))
            try:
                reply = self._client.post(
                    self._url, json={"model": self.name, "input": texts, "encoding_format": "float"}
                )
            except httpx.TransportError as error:
                reason = f"{type(error).__name__}: {error}"
                continue
            if reply.status_code == 200:
                return reply
            reason = f"HTTP {reply.status_code}: {reply.text[:200]}"
            if reply.status_code not in RETRY_STATUS:
                break
        raise EncoderUnavailable(
            f"embedding endpoint {self._url}, model {self.name}: {reason}; check base_url, model and the API key"
        )

    def _parse(self, reply: httpx.Response, count: int) -> NDArray[np.float32]:
        try:
            rows: list[dict[str, Any]] = sorted(reply.json()["data"], key=lambda row: row["index"])
            vectors = np.asarray([row["embedding"] for row in rows], dtype=np.float32)
        except (ValueError, KeyError, TypeError) as error:
            raise EncoderUnavailable(
                f"embedding endpoint {self._url} did not answer with embeddings ({type(error).__name__}): "
                f"{reply.text[:200]!r}"
            ) from error
        if vectors.shape != (count, self.dim):
            raise EncoderUnavailable(
                f"embedding endpoint {self._url}, model {self.name}: got shape {vectors.shape}, expected "
                f"{(count, self.dim)}; set dim to what the model gives"
            )
        return vectors


def _headers(api_key_env: str | None) -> dict[str, str]:
    if api_key_env is None:
        return {}
    key = os.environ.get(api_key_env)
    if not key:
        raise EncoderUnavailable(f"embedding endpoint: environment variable {api_key_env} is not set")
    return {"Authorization": f"Bearer {key}"}
