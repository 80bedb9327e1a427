"""The state of one question's run: what was asked, found, read and spent. Everything a run record needs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from common.benchmarks.question import Question
from common.llm import LLM, Reply
from common.llm.images import Message
from common.prompting import Prompts
from common.records import RunLabel, Search, Stage, ToolCall, Usage, Verdict
from knowforge.base import KnowledgeBase
from knowforge.pool import EvidencePool, measure_of
from knowforge.rendering import material_blocks
from knowforge.search import Material, search
from knowforge.system import SystemConfig


@dataclass(frozen=True)
class Event:
    """Something a user may watch: `kind` is search, tool, judge, token, stage or answer."""

    kind: str
    stage: str
    text: str


def ignore(_: Event) -> None:
    """The default listener."""


@dataclass
class Session:
    """One question in one system. Model seconds are recorded latencies, so a replay repeats them exactly."""

    question: Question
    base: KnowledgeBase
    llm: LLM
    system: SystemConfig
    prompts: Prompts
    label: RunLabel
    on_event: Callable[[Event], None] = ignore
    searches: list[Search] = field(default_factory=list)
    tools: list[ToolCall] = field(default_factory=list)
    stages: list[Stage] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)  # forced stops, told to the synthesizer
    errors: list[str] = field(default_factory=list)
    usage: dict[str, Usage] = field(default_factory=dict)
    verdict: Verdict | None = None
    clock: float = 0.0  # model seconds so far
    first_event: float | None = None
    answer_start: float | None = None

    def __post_init__(self) -> None:
        self.pool = EvidencePool(self.system.pool, measure_of(self.system.pool.unit))

    def emit(self, kind: str, stage: str, text: str) -> None:
        self.on_event(Event(kind, stage, text))

    async def ask(self, stage: str, messages: list[Message], **options: Any) -> Reply:
        """One model call, counted under `stage`. Raises `LLMError`."""
        reply = await self.llm.complete(
            stage, messages, question_id=self.question.question_id, context=self.label.context,
            sample=self.label.sample, **options,
        )  # fmt: skip
        self.usage[stage] = self.usage.get(stage, Usage()) + reply.usage
        self.clock = round(self.clock + reply.seconds, 3)
        return reply

    def search(self, query: str, issuer: str) -> tuple[Material, ...]:
        """One retrieval round; its hits join the pool and the record."""
        materials = search(self.base, query, self.system.search)
        self.searches.append(Search(query, issuer, tuple(m.hit for m in materials)))
        self.pool.add_search(materials, lambda material: material_blocks(self.base, material))
        self.emit("search", issuer, query)
        return materials

    def note_tool(self, call: ToolCall) -> None:
        if self.first_event is None:
            self.first_event = self.clock
        self.tools.append(call)
        self.emit("tool", call.stage, f"{call.tool} {call.args}")

    @property
    def queries(self) -> list[str]:
        return [s.query for s in self.searches]

    def materials_prompt(self, role: str, *, limit: int | None = None, **fields: object) -> list[Message]:
        """The prompt of judge, reader and synthesizer: question and pool first, then the role's text.

        They share system text and pool as a prefix, so a server's prefix cache reads the pool once.
        """
        text = self.pool.fit().text[:limit] or "(nothing was found)"
        materials = self.prompts.render("materials", question=self.question.question, materials=text)
        return [
            {"role": "system", "content": self.prompts.render("system")},
            {"role": "user", "content": f"{materials}\n\n{self.prompts.render(role, **fields)}"},
        ]
