"""A model profile: everything about one model on one or several servers, as its YAML says it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, field_validator

from common.llm.errors import LLMError
from common.llm.reply import Reply


class ProfileError(LLMError):
    """A profile file that cannot be used; the message names file and field."""


class Weights(BaseModel):
    """Which weights answer: pinned by `sha256` (a file) or `revision` (a hub repository); both enter the cache key."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    file: str | None = None
    sha256: str | None = None
    revision: str | None = None


class Profile(BaseModel):
    """One model. Prices are per million tokens; throughput fields (last block) stay out of the cache key.

    `context` is the model's context in tokens; `max_tokens` the default reply limit. With `structured: schema` the
    JSON schema of a call is sent to the server, with `prompt` it is left to the prompt.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")
    name: str
    model: str  # as the server knows it
    weights: Weights = Weights()
    context: int = Field(default=8192, gt=0)
    temperature: float | None = 0.0
    top_p: float | None = None
    max_tokens: int = Field(default=1024, gt=0)
    seed: int | None = 0
    extra_body: dict[str, Any] = Field(default_factory=dict)
    structured: Literal["prompt", "schema"] = "prompt"
    price_in: float = 0.0
    price_out: float = 0.0
    price_cached: float | None = None  # None: cached prompt tokens cost price_in

    base_urls: tuple[str, ...] = ("http://127.0.0.1:8080/v1",)
    api_key_env: str | None = None
    timeout_s: float = Field(default=600.0, gt=0)  # of one attempt, start to last token
    retries: int = Field(default=5, ge=0)
    backoff_s: float = Field(default=0.5, ge=0)  # first pause; doubles
    concurrency: int = Field(default=1, gt=0)

    @field_validator("base_urls")
    @classmethod
    def _some_url(cls, urls: tuple[str, ...]) -> tuple[str, ...]:
        if not urls or not all(url.startswith(("http://", "https://")) for url in urls):
            raise ValueError("give at least one http(s) URL, usually ending in /v1")
        return tuple(url.rstrip("/") for url in urls)

    def cost(self, reply: Reply) -> float:
        """Price of one call, in the currency of the prices."""
        cached, cached_price = reply.cached_tokens, self.price_in if self.price_cached is None else self.price_cached
        fresh = reply.prompt_tokens - cached
        return (fresh * self.price_in + cached * cached_price + reply.completion_tokens * self.price_out) / 1e6


def load_profile(path: Path) -> Profile:
    """Profile from a YAML file. Raises `ProfileError` naming the file and the fields that do not fit."""
    try:
        return Profile(**yaml.safe_load(path.read_text(encoding="utf-8")))
    except (OSError, TypeError, ValueError, yaml.YAMLError) as error:
        raise ProfileError(f"{path}: {error}") from error
