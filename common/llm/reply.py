"""What comes back from a model call."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from common.records import Usage


class Mode(StrEnum):
    """How calls meet the cache: a miss raises / is recorded / every call is made anew and stored / no cache at all."""

    REPLAY = "replay"
    RECORD = "record"
    REFRESH = "refresh"
    LIVE = "live"


@dataclass(frozen=True)
class Reply:
    """One reply. `seconds` and `first_token_s` are of the recorded call, the same in replay; `finish_reason` is
    "stop", or "length" for a text cut at max_tokens."""

    text: str
    finish_reason: str
    prompt_tokens: int = 0
    cached_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0
    first_token_s: float | None = None
    server: str = ""
    key: str = ""
    replayed: bool = False
    cost: float = 0.0

    @property
    def usage(self) -> Usage:
        """What this one call took; a replayed one, what it took when it was recorded."""
        return Usage(1, self.prompt_tokens, self.cached_tokens, self.completion_tokens, self.seconds, self.cost)
