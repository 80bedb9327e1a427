"""Listening at the door to the models: every reply with its stage, and what each stage spent."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, cast

from common.llm import LLM, Reply
from common.llm.ledger import add
from common.records import Usage
from knowforge.session import Message


class Door(Protocol):
    """What a stage needs of `common.llm.LLM`."""

    @property
    def complete(self) -> Callable[..., Awaitable[Reply]]: ...


@dataclass(frozen=True)
class HeardCall:
    """One model call: its stage, the messages sent, the reply."""

    stage: str
    messages: tuple[Message, ...]
    reply: Reply


@dataclass
class Listener:
    """Passes calls on to `door` and keeps them. Calls that raised are not kept: they have no reply."""

    door: Door
    calls: list[HeardCall] = field(default_factory=list)

    async def complete(self, stage: str, messages: list[Message], **options: Any) -> Reply:
        sent = tuple(messages)  # the loop goes on appending to its list
        reply = await self.door.complete(stage, messages, **options)
        self.calls.append(HeardCall(stage, sent, reply))
        return reply

    @property
    def llm(self) -> LLM:
        """This listener where an `LLM` is asked for; only `complete` is ever called there."""
        return cast(LLM, self)

    @property
    def usage(self) -> dict[str, Usage]:
        return usage_by_stage(self.calls)


def usage_by_stage(calls: Sequence[HeardCall]) -> dict[str, Usage]:
    """Calls, tokens and seconds by stage, in order of first appearance."""
    spent: dict[str, Usage] = {}
    for call in calls:
        spent[call.stage] = add(spent.get(call.stage, Usage()), call.reply)
    return spent
