"""The servers of one profile: their clients, who answers next, and how long to wait after a failure."""

from __future__ import annotations

import asyncio
import os
import random
import zlib
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from urllib.parse import urlsplit

from openai import AsyncOpenAI, Timeout

from common.llm.errors import KeyRefused, ServerUnavailable
from common.llm.profile import Profile
from common.llm.reply import Reply
from common.llm.request import Request
from common.llm.transport import Retryable, attempt

LONGEST_PAUSE = 60.0
_CONNECT_S = 10.0


class Servers:
    """Calls to one profile: at most `concurrency` at once, retried with exponential back-off and seeded jitter.

    A question stays with the server that has its prefix cached; a new one goes to the server with the fewest calls in
    flight; after a failure the next attempt goes elsewhere if there is an elsewhere.
    """

    def __init__(self, profile: Profile, *, sleep: Callable[[float], object] = asyncio.sleep) -> None:
        self.profile = profile
        self._clients: dict[str, AsyncOpenAI] = {}
        self._limit = asyncio.Semaphore(profile.concurrency)
        self._in_flight: Counter[str] = Counter()
        self._homes: dict[str, str] = {}
        self._sleep = sleep

    async def call(self, request: Request, question_id: str, on_token: Callable[[str], None] | None = None) -> Reply:
        """One reply. Raises `ServerUnavailable` after the last attempt, other `LLMError`s at once."""
        failed: list[str] = []
        jitter = random.Random(zlib.crc32(request.key.encode()))
        while True:
            url = self._pick(question_id, failed)
            try:
                return await self._once(url, request, on_token)
            except Retryable as failure:
                failed.append(url)
                if len(failed) > self.profile.retries:
                    raise ServerUnavailable(
                        f"{self.profile.name}: {len(failed)} attempts failed, the last at {url}: {failure}; "
                        "start the server (make serve) or correct base_urls, then repeat the command"
                    ) from failure
                await self._sleep(self._pause(len(failed), failure.retry_after, jitter))  # type: ignore[misc]

    async def aclose(self) -> None:
        for client in self._clients.values():
            await client.close()
        self._clients.clear()

    async def _once(self, url: str, request: Request, on_token: Callable[[str], None] | None) -> Reply:
        async with self._limit:
            self._in_flight[url] += 1
            try:
                reply = await attempt(self._client(url), request, timeout_s=self.profile.timeout_s, on_token=on_token)
            finally:
                self._in_flight[url] -= 1
        return replace(reply, server=_shown(url))

    def _pick(self, question_id: str, failed: list[str]) -> str:
        urls = self.profile.base_urls
        home = self._homes.get(question_id)
        if home is not None and home not in failed:
            return home
        tried = Counter(failed)
        home = min(urls, key=lambda url: (tried[url], self._in_flight[url], self._settled(url), urls.index(url)))
        self._homes[question_id] = home
        return home

    def _settled(self, url: str) -> int:
        return sum(home == url for home in self._homes.values())

    def _pause(self, failures: int, retry_after: float | None, jitter: random.Random) -> float:
        if retry_after is not None:
            return min(retry_after, LONGEST_PAUSE)
        return min(self.profile.backoff_s * 2 ** (failures - 1), LONGEST_PAUSE) * (0.5 + jitter.random())

    def _client(self, url: str) -> AsyncOpenAI:
        if url not in self._clients:
            timeout = Timeout(self.profile.timeout_s, connect=min(_CONNECT_S, self.profile.timeout_s))
            self._clients[url] = AsyncOpenAI(base_url=url, api_key=self._key(), max_retries=0, timeout=timeout)
        return self._clients[url]

    def _key(self) -> str:
        name = self.profile.api_key_env
        if name is None:
            return "none"  # the client insists on one
        if not os.environ.get(name):
            raise KeyRefused(f"{self.profile.name}: set the environment variable {name} to the API key")
        return os.environ[name]


def _shown(url: str) -> str:
    """A URL fit for a trace: no user, no password."""
    parts = urlsplit(url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
