"""The model client, the only way to a model: which profile serves a stage, what the cache says, and the call itself."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from common.llm.cache import Asker, CallCache
from common.llm.errors import EmptyReply, LLMError
from common.llm.images import Message
from common.llm.miss import explain
from common.llm.profile import Profile
from common.llm.reply import Mode, Reply
from common.llm.request import Request, build_request

if TYPE_CHECKING:
    from common.llm.servers import Servers


class LLM:
    """Calls by stage. `profiles` maps a stage to its model; the key "default" serves all others.

    One object belongs to one event loop. Stages with the same profile share its servers and its concurrency limit.
    Where two runs ask the same at once, the second waits for the first one's reply.
    """

    def __init__(self, profiles: Mapping[str, Profile], cache: CallCache | None = None, mode: Mode = Mode.LIVE) -> None:
        """Raises `ValueError` without a default profile, or without a cache in a mode that needs one."""
        if "default" not in profiles:
            raise ValueError('profiles need a "default"')
        if cache is None and mode is not Mode.LIVE:
            raise ValueError(f"mode {mode} needs a call cache")
        self.profiles = dict(profiles)
        self.cache = None if mode is Mode.LIVE else cache
        self.mode = Mode(mode)
        self._servers: dict[str, Servers] = {}
        self._refreshed: set[str] = set()
        self._asking: dict[str, asyncio.Lock] = {}

    def profile(self, stage: str) -> Profile:
        return self.profiles.get(stage, self.profiles["default"])

    async def complete(
        self, stage: str, messages: list[Message], *, question_id: str = "", context: str = "", sample: int = 0,
        schema: dict[str, Any] | None = None, max_tokens: int | None = None, temperature: float | None = None,
        on_token: Callable[[str], None] | None = None,
    ) -> Reply:  # fmt: skip
        """The model's reply to chat messages; an image is a content part `{"type": "image", "path": ...}`.

        `sample` asks for the n-th independent reply; `on_token` gets the text as it comes (in replay: at once).
        Raises `ReplayMiss`, `ServerUnavailable`, `BadReply`, `ContextTooLong` or `Refused`, naming stage and question.
        """
        profile = self.profile(stage)
        request = build_request(
            profile, messages, sample=sample, schema=schema, max_tokens=max_tokens, temperature=temperature
        )
        asker = Asker(context, question_id, stage)
        reply = self._stored(request)
        if reply is not None:
            if on_token is not None and reply.text:
                on_token(reply.text)
        elif self.mode is Mode.REPLAY and self.cache is not None:
            raise explain(request, context, stage, question_id, self.cache.nearest(request, asker))
        else:
            reply = await self._ask_once(profile, request, asker, on_token)
        if not reply.text.strip():
            raise EmptyReply(f"{_who(asker)}: empty reply ({reply.finish_reason}, {reply.completion_tokens} tokens)")
        return replace(reply, cost=profile.cost(reply))

    async def aclose(self) -> None:
        """Close connections and give the cache folder back."""
        for servers in self._servers.values():
            await servers.aclose()
        self._servers.clear()
        if self.cache is not None:
            self.cache.close()

    async def __aenter__(self) -> LLM:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    def _stored(self, request: Request) -> Reply | None:
        if self.cache is None or (self.mode is Mode.REFRESH and request.key not in self._refreshed):
            return None
        return self.cache.lookup(request.key)

    async def _ask_once(
        self, profile: Profile, request: Request, asker: Asker, on_token: Callable[[str], None] | None
    ) -> Reply:
        if self.cache is None:
            return await self._ask(profile, request, asker, on_token)
        async with self._asking.setdefault(request.key, asyncio.Lock()):
            return self._stored(request) or await self._ask(profile, request, asker, on_token)

    async def _ask(
        self, profile: Profile, request: Request, asker: Asker, on_token: Callable[[str], None] | None
    ) -> Reply:
        from common.llm.servers import Servers  # here, not above: a replay needs no client, whose import takes a second

        servers = self._servers.setdefault(profile.name, Servers(profile))
        try:
            if self.cache is not None:
                self.cache.claim()
            reply = await servers.call(request, asker.question_id, on_token)
            if not reply.text.strip():  # hosted models do this now and then; a second empty reply is the model's answer
                reply = await servers.call(request, asker.question_id, on_token)
        except LLMError as error:
            raise type(error)(f"{_who(asker)}: {error}") from error
        if self.cache is None:
            return reply
        refresh = self.mode is Mode.REFRESH and request.key not in self._refreshed
        self._refreshed.add(request.key)
        return self.cache.put(request, reply, asker, overwrite=refresh)


def _who(asker: Asker) -> str:
    context = f"{asker.context}, " if asker.context else ""
    return f"{context}question {asker.question_id or '-'}, stage {asker.stage}"
