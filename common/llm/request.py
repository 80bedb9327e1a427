"""The request as sent, and its canonical text: what decides a reply, and nothing that does not."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any

from common.llm.images import Message, for_key
from common.llm.profile import Profile


@dataclass(frozen=True)
class Request:
    """One model call. `identity` is the canonical content (images hashed); `key` its sha256.

    `body` holds the fields sent beside `messages`; URL, API key, timeouts, retries and concurrency are in neither.
    """

    messages: list[Message]
    body: dict[str, Any]
    identity: dict[str, Any]
    key: str


def build_request(
    profile: Profile, messages: list[Message], *, sample: int = 0, schema: dict[str, Any] | None = None,
    max_tokens: int | None = None, temperature: float | None = None,
) -> Request:  # fmt: skip
    """The request of one call under a profile; call arguments win over the profile's fields.

    Sample n is sent with seed + n: the same seed would give the same text n times.
    """
    fields: dict[str, Any] = {
        "model": profile.model,
        "temperature": profile.temperature if temperature is None else temperature,
        "top_p": profile.top_p,
        "max_tokens": profile.max_tokens if max_tokens is None else max_tokens,
        "seed": None if profile.seed is None else profile.seed + sample,
        "response_format": _response_format(schema) if schema and profile.structured == "schema" else None,
    }
    body = {name: value for name, value in fields.items() if value is not None}
    for name in ("temperature", "top_p"):
        if name in body:
            body[name] = float(body[name])  # 0 and 0.0 are one request
    identity = {**body, "messages": for_key(messages), "sample": sample, "weights": _pin(profile)}
    if profile.extra_body:
        identity["extra_body"] = profile.extra_body
        body["extra_body"] = profile.extra_body
    return Request(messages, body, identity, request_key(identity))


def canonical(value: Any) -> str:
    """Canonical JSON: sorted keys, no spaces, UTF-8 as is."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def request_key(identity: dict[str, Any]) -> str:
    """sha256 of the canonical JSON. Lone surrogates (broken text layers) are kept apart, not lost."""
    return hashlib.sha256(canonical(identity).encode("utf-8", "surrogatepass")).hexdigest()


def _response_format(schema: dict[str, Any]) -> dict[str, Any]:
    return {"type": "json_schema", "json_schema": {"name": "reply", "strict": True, "schema": schema}}


def _pin(profile: Profile) -> dict[str, str]:
    pins = {"sha256": profile.weights.sha256, "revision": profile.weights.revision}
    return {name: pin for name, pin in pins.items() if pin is not None}
