"""The state of one question's run: what it may call, what came back, and what it took."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from common.benchmarks.question import Question
from common.llm import LLM, CacheInUse, EmptyReply, LLMError, ReplayMiss, Reply
from common.prompting import Prompts
from common.records import RunLabel, Usage
from flowreader.config import FlowReaderConfig
from flowreader.graph import EvidenceGraph
from flowreader.ledger import Ledger, OverBudget

PACKAGED = Path(__file__).parent / "prompts"


@dataclass(frozen=True)
class Event:
    """Something a user may watch: `kind` is keywords, route, worker, gate, edit, token or answer."""

    kind: str
    text: str


def ignore(_: Event) -> None:
    """The default listener."""


@dataclass
class Session:
    """One question in one variant. `assets` maps a document to the folder of its pictures."""

    question: Question
    graph: EvidenceGraph
    llm: LLM
    config: FlowReaderConfig
    prompts: Prompts
    label: RunLabel
    assets: Mapping[str, Path] = field(default_factory=dict)
    on_event: Callable[[Event], None] = ignore
    errors: list[str] = field(default_factory=list)
    lost: bool = False  # a call got no reply that the cache could repeat: the record is failed
    replies: dict[str, list[Reply]] = field(default_factory=dict)
    answer_start: float | None = None

    def __post_init__(self) -> None:
        self.ledger = Ledger(self.config.budget)

    def emit(self, kind: str, text: str) -> None:
        self.on_event(Event(kind, text))

    async def ask(self, stage: str, content: str | list[dict[str, Any]], *, system: str = "", **options: Any) -> Reply:
        """One model call within the budget. Raises `OverBudget` and `LLMError`."""
        self.ledger.spend(stage)
        messages: list[dict[str, Any]] = [{"role": "system", "content": system}] if system else []
        messages.append({"role": "user", "content": content})
        reply = await self.llm.complete(
            stage, messages, question_id=self.question.question_id, context=self.label.context,
            sample=self.label.sample, **options,
        )  # fmt: skip
        self.replies.setdefault(stage, []).append(reply)
        return reply

    def note_failure(self, stage: str, error: LLMError | OverBudget) -> None:
        """A call that gave nothing: the run goes on with what it has, and its record says so.

        An empty reply and a spent budget come back in a replay; any other failure makes the record a failed one. A
        replay miss is raised, and so is a cache that another process holds: no call can be made at all.
        """
        if isinstance(error, ReplayMiss | CacheInUse):
            raise error
        self.lost |= not isinstance(error, EmptyReply | OverBudget)
        self.note(stage, error)

    def note(self, stage: str, problem: object) -> None:
        kind = f"{type(problem).__name__}: " if isinstance(problem, Exception) else ""
        self.errors.append(f"{stage}: {kind}{problem}")

    def usage(self) -> dict[str, Usage]:
        """Usage by stage; sums do not depend on the order in which parallel calls came back."""
        return {stage: _sum(replies) for stage, replies in sorted(self.replies.items())}

    @property
    def clock(self) -> float:
        """Model seconds so far, as if calls had been made one after another."""
        return round(math.fsum(reply.seconds for replies in self.replies.values() for reply in replies), 3)


def _sum(replies: list[Reply]) -> Usage:
    return Usage(
        calls=len(replies),
        prompt_tokens=sum(reply.prompt_tokens for reply in replies),
        cached_tokens=sum(reply.cached_tokens for reply in replies),
        completion_tokens=sum(reply.completion_tokens for reply in replies),
        seconds=round(math.fsum(reply.seconds for reply in replies), 3),
        cost=round(math.fsum(reply.cost for reply in replies), 9),
    )
