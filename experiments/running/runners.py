"""What `record` and `verify` drive: one runner per method, over an opened corpus and the model client."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any, Protocol

from common.benchmarks.question import Question
from common.llm import LLM
from common.records import RunLabel, RunRecord
from common.settings import settings_hash
from common.traces import TraceKey
from experiments.running.bases import Bases
from knowforge.pipeline import answer_question
from knowforge.system import SystemConfig

METHOD = "knowforge"


class Runner(Protocol):
    """Runs one question under one system; model failures are in the record, a replay miss is raised."""

    @property
    def method(self) -> str: ...

    @property
    def systems(self) -> Sequence[str]: ...

    def config(self, system: str) -> dict[str, Any]:
        """What the system's runs depend on: `config_hash`, and its parts `system`, `prompts` (hashes) and `base`."""
        ...

    async def run(self, question: Question, system: str, sample: int) -> RunRecord: ...


@dataclass(frozen=True)
class KnowForgeRunner:
    """KnowForge's pipeline. `configs` holds the systems by name."""

    bases: Bases
    llm: LLM
    configs: Mapping[str, SystemConfig]
    benchmark: str
    model: str
    commit: str
    method: str = METHOD

    @property
    def systems(self) -> Sequence[str]:
        return list(self.configs)

    def config(self, system: str) -> dict[str, Any]:
        return self._config[system]

    async def run(self, question: Question, system: str, sample: int) -> RunRecord:
        context = str(TraceKey(self.benchmark, self.model, self.method, system))
        label = RunLabel(self.benchmark, self.model, self.commit, sample, context)
        record = await answer_question(question, self.bases.of(question), self.llm, self.configs[system], label)
        # In a closed domain the run saw one document's base; the hash names the whole corpus, as in `config`.
        return replace(record, config_hash=self.config(system)["config_hash"])

    @cached_property
    def _config(self) -> dict[str, dict[str, Any]]:
        described = {}
        for name, system in self.configs.items():
            prompts = system.load_prompts()
            described[name] = {
                "config_hash": settings_hash(system, prompts=prompts.sha256, base=self.bases.sha256),
                "system": asdict(system),
                "prompts": prompts.digests,
                "base": self.bases.sha256,
            }
        return described
