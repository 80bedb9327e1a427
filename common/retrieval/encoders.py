"""Encoders by name."""

from __future__ import annotations

from typing import Any

from common.retrieval.encoder import Encoder

ENCODERS = ("minilm", "wordllama", "nomic", "endpoint")


def load_encoder(name: str, **options: Any) -> Encoder:
    """An encoder by name: minilm, wordllama, nomic or endpoint; `options` go to its constructor.

    Nothing heavy is loaded before the first `encode`. Raises `ValueError` for an unknown name and
    `EncoderUnavailable` (here or on first use) when a package or weight file is missing.
    """
    if name == "minilm":
        from common.retrieval.encode_minilm import MiniLMEncoder

        return MiniLMEncoder(**options)
    if name == "wordllama":
        from common.retrieval.encode_wordllama import WordLlamaEncoder

        return WordLlamaEncoder(**options)
    if name == "nomic":
        from common.retrieval.encode_nomic import NomicEncoder

        return NomicEncoder(**options)
    if name == "endpoint":
        from common.retrieval.encode_endpoint import EndpointEncoder

        return EndpointEncoder(**options)
    raise ValueError(f"unknown encoder {name!r}: choose one of {', '.join(ENCODERS)}")
