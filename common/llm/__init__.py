"""The only exit to a model: client, call cache (record and replay), profiles, embedded server."""

from __future__ import annotations

from common.llm.cache import Asker, CallCache
from common.llm.client import LLM
from common.llm.errors import (
    BadReply,
    CacheDamaged,
    CacheInUse,
    ContextTooLong,
    Difference,
    EmptyReply,
    KeyRefused,
    LLMError,
    Refused,
    ReplayMiss,
    ServerUnavailable,
)
from common.llm.profile import Profile, ProfileError, Weights, load_profile
from common.llm.reply import Mode, Reply

__all__ = [
    "LLM", "Asker", "BadReply", "CacheDamaged", "CacheInUse", "CallCache", "ContextTooLong", "Difference",
    "EmptyReply", "KeyRefused", "LLMError",
    "Mode", "Profile", "ProfileError", "Refused", "ReplayMiss", "Reply", "ServerUnavailable", "Weights", "load_profile",
]  # fmt: skip
