"""Who may read which knowledge base, and how fast."""

from __future__ import annotations

import threading
import time
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

WINDOW_S = 60.0


class Denied(Exception):
    """A request that is not served; `status` is the HTTP status."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


@dataclass
class Accounts:
    """API keys with the packages on their accounts. `per_minute` requests of one key are served in any 60 seconds."""

    packages_of: dict[str, set[str]]
    per_minute: int = 600
    clock: Callable[[], float] = time.monotonic
    _recent: defaultdict[str, deque[float]] = field(default_factory=lambda: defaultdict(deque))
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @classmethod
    def with_keys(cls, keys: Iterable[str], packages: Iterable[str], per_minute: int = 600) -> Accounts:
        """Accounts that have all of `packages`."""
        names = list(packages)
        return cls({key: set(names) for key in keys}, per_minute)

    def enter(self, authorization: str | None) -> str:
        """The key of an Authorization header. Raises `Denied`: 426 without a key, 401 unknown, 429 too fast."""
        scheme, _, key = (authorization or "").strip().partition(" ")
        key = key.strip()
        if scheme.lower() != "bearer" or not key:
            raise Denied(426, "no API key; send the header 'Authorization: Bearer KEY'")
        if key not in self.packages_of:
            raise Denied(401, "this API key is unknown")
        with self._lock:
            self._count(key)
        return key

    def check(self, key: str, package: str) -> None:
        """Raises `Denied` 403 where the package is not on the key's account."""
        if package not in self.packages_of[key]:
            raise Denied(403, f"package {package} is not on this account; import it at /api/v2/me/subscriptions/import")

    def subscribe(self, key: str, items: Iterable[str], served: Mapping[str, object]) -> tuple[list[str], list[str]]:
        """Put served packages on an account: (added, skipped); known ones and those not served here are skipped."""
        added: list[str] = []
        skipped: list[str] = []
        with self._lock:
            for item in items:
                new = item in served and item not in self.packages_of[key]
                (added if new else skipped).append(item)
                if new:
                    self.packages_of[key].add(item)
        return added, skipped

    def _count(self, key: str) -> None:
        now, recent = self.clock(), self._recent[key]
        while recent and now - recent[0] >= WINDOW_S:
            recent.popleft()
        if len(recent) >= self.per_minute:
            wait = WINDOW_S - (now - recent[0])
            raise Denied(429, f"more than {self.per_minute} requests in a minute; try again in {wait:.0f} s")
        recent.append(now)
