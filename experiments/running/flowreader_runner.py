"""FlowReader under `record` and `verify`: variants by name, their graphs, and the accuracy judge after each run."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any

from omegaconf import DictConfig

from common.benchmarks.question import Question
from common.llm import LLM, LLMError, ReplayMiss
from common.paths import Workspace
from common.prompting import Prompts
from common.records import RunLabel, RunRecord
from common.retrieval import Encoder
from common.settings import settings_hash
from experiments.config import ConfigError, plain
from experiments.methods import FLOWREADER
from experiments.running.graphs import Graphs
from experiments.running.runner import run_label
from flowreader.config import FlowReaderConfig
from flowreader.grading import STAGE, Judgement, judge_answer
from flowreader.options import ConstructionOptions
from flowreader.pipeline import answer_question
from flowreader.records import FlowRecord
from flowreader.session import PACKAGED
from flowreader.variants import UnknownVariant, load_variant

GRAPHS = ("extractive", "model")


@dataclass(frozen=True)
class JudgeOptions:
    """How often each answer is judged, and how warm the judge is. No run: answers are not judged."""

    runs: int = 3
    temperature: float | None = 1.0


@dataclass(frozen=True)
class FlowReaderRunner:
    """FlowReader's pipeline. `configs` holds the variants by name; a record's `facts` are those of `FlowRecord`."""

    graphs: Graphs
    encoder: Encoder
    llm: LLM
    configs: Mapping[str, FlowReaderConfig]
    label: RunLabel  # of all runs; sample and context are each run's own
    judge: JudgeOptions = JudgeOptions()
    method: str = FLOWREADER

    @property
    def systems(self) -> Sequence[str]:
        return list(self.configs)

    def config(self, system: str) -> dict[str, Any]:
        return self._config[system]

    async def run(self, question: Question, system: str, sample: int) -> RunRecord:
        graph = await self.graphs.of(question)
        label = run_label(self.label, self.method, system, sample)
        assets = {document.document_id: self.graphs.assets for document in self.graphs.documents}
        record = await answer_question(
            question, graph, self.llm, self.configs[system], self.encoder, label, assets=assets
        )
        # The run may have seen one document's graph; the hash names the whole corpus and the judge, as in `config`.
        record = replace(record, run=replace(record.run, config_hash=self.config(system)["config_hash"]))
        if record.run.status == "done":
            record = await self._judged(record, question, label.context)
        return record.to_run()

    async def _judged(self, record: FlowRecord, question: Question, context: str) -> FlowRecord:
        """With the verdicts of every judge run. One that was lost makes the record failed: recording asks again."""
        verdicts: list[Judgement] = []
        answer = "; ".join(record.run.answer)
        try:
            for number in range(self.judge.runs):
                verdicts.append(
                    await judge_answer(
                        question, answer, self.llm, self.graphs.prompts, context=context,
                        sample=self.judge.runs * record.run.sample + number, temperature=self.judge.temperature,
                    )
                )  # fmt: skip
        except ReplayMiss:
            raise
        except LLMError as error:
            errors = (*record.run.errors, f"{STAGE}: {type(error).__name__}: {error}")
            record = replace(record, run=replace(record.run, status="failed", errors=errors))
        return replace(record, judgements=tuple(verdicts))

    @cached_property
    def _config(self) -> dict[str, dict[str, Any]]:
        described = {}
        base = hashlib.sha256(f"{self.graphs.sha256} {self.judge}".encode()).hexdigest()
        for name, variant in self.configs.items():
            prompts = Prompts.load(PACKAGED, variant.prompts)
            described[name] = {
                "config_hash": settings_hash(variant, prompts=prompts.sha256, graph=base),
                "system": {**asdict(variant), "judge": asdict(self.judge)},
                "prompts": prompts.digests,
                "base": self.graphs.sha256,
            }
        return described


def load_variants(names: Sequence[str], cfg: DictConfig, workspace: Workspace) -> dict[str, FlowReaderConfig]:
    """Variants by name, at the benchmark's sizes (`flow:`); a field that the variant's own file sets stays.

    Raises `ConfigError` naming the file and field, or the variants that exist.
    """
    benchmark = plain(cfg.benchmark)
    sizes = dict(benchmark.get("flow") or {})
    if benchmark.get("refusal"):
        sizes["reading"] = {"refusal": benchmark["refusal"], **sizes.get("reading", {})}
    try:
        return {name: load_variant(name, workspace.conf / "variant", sizes) for name in names}
    except UnknownVariant as error:
        raise ConfigError(f"{error} (with `flow` of benchmark {benchmark['name']})") from error


def construction_options(cfg: DictConfig) -> ConstructionOptions:
    """How the graphs are built: `graph: extractive` or `graph: model`. Raises `ConfigError`."""
    if cfg.graph not in GRAPHS:
        raise ConfigError(f"graph={cfg.graph}: known: {', '.join(GRAPHS)}")
    return ConstructionOptions(model=cfg.graph == "model")
