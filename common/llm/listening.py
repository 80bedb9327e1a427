"""Listening to the model client: every reply with its stage, and what each stage spent."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, cast

from common.llm.client import LLM
from common.llm.images import Message
from common.llm.profile import Profile
from common.llm.reply import Reply
from common.records import Usage


class ModelClient(Protocol):
    """What a stage needs of `common.llm.LLM`."""

    @property
    def complete(self) -> Callable[..., Awaitable[Reply]]: ...

    @property
    def profile(self) -> Callable[[str], Profile]: ...


@dataclass(frozen=True)
class HeardCall:
    """One model call: its stage, the messages sent, the reply."""

    stage: str
    messages: tuple[Message, ...]
    reply: Reply

    @property
    def prompt(self) -> str:
        """The messages as one text; an image part as its file."""
        return "\n\n".join(f"[{message['role']}]\n{_content(message['content'])}" for message in self.messages)


def _content(content: object) -> str:
    if isinstance(content, list):
        return "\n".join(str(part.get("text") or f"[image {part.get('path')}]") for part in content)
    return str(content)


@dataclass
class PassedOn:
    """A model client that passes calls on to `client`; what else it does with them is its subclass's."""

    client: ModelClient

    async def complete(self, stage: str, messages: list[Message], **options: Any) -> Reply:
        return await self.client.complete(stage, messages, **options)

    def profile(self, stage: str) -> Profile:
        return self.client.profile(stage)

    @property
    def llm(self) -> LLM:
        """This client where an `LLM` is asked for; the methods call nothing else of it."""
        return cast(LLM, self)


@dataclass
class Listener(PassedOn):
    """Passes calls on and keeps them. Calls that raised are not kept: they have no reply."""

    calls: list[HeardCall] = field(default_factory=list)

    async def complete(self, stage: str, messages: list[Message], **options: Any) -> Reply:
        sent = tuple(messages)  # the loop goes on appending to its list
        reply = await super().complete(stage, messages, **options)
        self.calls.append(HeardCall(stage, sent, reply))
        return reply

    @property
    def usage(self) -> dict[str, Usage]:
        return usage_by_stage(self.calls)


def usage_by_stage(calls: Sequence[HeardCall]) -> dict[str, Usage]:
    """Calls, tokens and seconds by stage, in order of first appearance."""
    spent: dict[str, Usage] = {}
    for call in calls:
        spent[call.stage] = spent.get(call.stage, Usage()) + call.reply.usage
    return spent
