"""What can go wrong in a model call. Every message names the stage, the question and what to do."""

from __future__ import annotations

from dataclasses import dataclass


class LLMError(Exception):
    """Any failure of a model call; never stored in the call cache, so `record` tries the question again."""


class ServerUnavailable(LLMError):
    """No usable answer after all retries: absent, dead, too slow, overloaded or cutting the connection."""


class BadReply(LLMError):
    """The server answered, but not with text: HTML, nothing at all, malformed events, or another model's name."""


class EmptyReply(BadReply):
    """The model answered with nothing, twice. That is its answer: it is stored, and replay meets it again."""


class ContextTooLong(LLMError):
    """The request does not fit the model's context."""


class Refused(LLMError):
    """The server will not serve this request (4xx, content filter): repeating it cannot help."""


class KeyRefused(Refused):
    """The server wants a key, or another one: no request to it can succeed."""


class CacheDamaged(LLMError):
    """A shard is missing, changed or unreadable; the message names it."""


class CacheInUse(LLMError):
    """Another process is appending to the same cache folder."""


@dataclass(frozen=True)
class Difference:
    """One field in which a stored request differs from the one asked for."""

    field: str
    stored: str
    asked: str


class ReplayMiss(LLMError):
    """Replay found no stored reply. `differences` are against `nearest`, the closest stored request's key."""

    def __init__(
        self, message: str, *, context: str = "", question_id: str = "", stage: str = "", key: str = "",
        nearest: str | None = None, differences: tuple[Difference, ...] = (),
    ) -> None:  # fmt: skip
        super().__init__(message)
        self.context = context
        self.question_id = question_id
        self.stage = stage
        self.key = key
        self.nearest = nearest
        self.differences = differences
