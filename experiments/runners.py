"""What `record` and `verify` drive: one runner per method, over an opened corpus and the door to the models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from common.benchmarks.question import Question
from common.llm import LLM
from common.records import RunRecord
from knowforge.base import KnowledgeBase
from knowforge.pipeline import answer_question
from knowforge.system import SystemConfig


class Runner(Protocol):
    """Runs one question under one system; what goes wrong inside a run is in the record, not raised."""

    method: str
    systems: Sequence[str]

    async def run(self, question: Question, system: str, sample: int) -> RunRecord: ...


@dataclass(frozen=True)
class KnowForgeRunner:
    """KnowForge's pipeline. `configs` holds the systems by name."""

    base: KnowledgeBase
    llm: LLM
    configs: Mapping[str, SystemConfig]
    benchmark: str
    model: str
    commit: str
    method: str = "knowforge"

    @property
    def systems(self) -> Sequence[str]:
        return list(self.configs)

    async def run(self, question: Question, system: str, sample: int) -> RunRecord:
        return await answer_question(
            question, self.base, self.llm, self.configs[system],
            benchmark=self.benchmark, model=self.model, commit=self.commit, sample=sample,
        )  # fmt: skip
