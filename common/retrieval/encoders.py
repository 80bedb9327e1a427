"""Encoders by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from common.retrieval.encoder import Encoder, EncoderUnavailable

ENCODERS = ("minilm", "wordllama", "nomic")  # by name alone; a server's encoder needs its URL and sizes


def load_encoder(name: str, **options: Any) -> Encoder:
    """An encoder by name, or with a `base_url` among the options that server's under a name of yours.

    `options` go to its constructor; nothing heavy is loaded before the first `encode`. Raises `EncoderUnavailable` for
    an unknown name or option, and (here or on first use) when a package or weight file is missing.
    """
    try:
        return _kind(name, options)(**options)
    except TypeError as error:
        raise EncoderUnavailable(f"encoder {name}: options: {error}") from error


def _kind(name: str, options: Mapping[str, Any]) -> Callable[..., Encoder]:
    if "base_url" in options:
        from common.retrieval.encode_endpoint import EndpointEncoder

        return EndpointEncoder
    if name == "minilm":
        from common.retrieval.encode_minilm import MiniLMEncoder

        return MiniLMEncoder
    if name == "wordllama":
        from common.retrieval.encode_wordllama import WordLlamaEncoder

        return WordLlamaEncoder
    if name == "nomic":
        from common.retrieval.encode_nomic import NomicEncoder

        return NomicEncoder
    raise EncoderUnavailable(
        f"no encoder {name}: choose one of {', '.join(ENCODERS)}, or give a server's `base_url`, `model` and `dim` "
        "under `options`"
    )
