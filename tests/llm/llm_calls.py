"""Profiles and messages for the tests of the model client."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from common.llm import Profile, Reply

Complete = Callable[..., Reply]


def make_profile(url: str | tuple[str, ...], **fields: Any) -> Profile:
    urls = (url,) if isinstance(url, str) else url
    base = {"name": "fake", "model": "fake", "base_urls": urls, "retries": 2, "backoff_s": 0.01, "timeout_s": 20.0}
    return Profile(**{**base, **fields})


def user(text: str) -> list[dict[str, Any]]:
    return [{"role": "user", "content": text}]
