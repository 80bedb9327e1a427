"""KnowForge under `record` and `verify`: systems by name, at the sizes of a benchmark."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any

from omegaconf import DictConfig, OmegaConf

from common.benchmarks.question import Question
from common.llm import LLM
from common.paths import Workspace
from common.records import RunLabel, RunRecord
from common.settings import settings_hash
from experiments.config import ConfigError, group_options, load_option, plain
from experiments.methods import KNOWFORGE
from experiments.running.bases import Bases
from experiments.running.runner import run_label
from knowforge.pipeline import answer_question
from knowforge.system import PoolConfig, SystemConfig
from knowforge.systems import UnknownSystem, load_system


@dataclass(frozen=True)
class KnowForgeRunner:
    """KnowForge's pipeline. `configs` holds the systems by name."""

    bases: Bases
    llm: LLM
    configs: Mapping[str, SystemConfig]
    label: RunLabel  # of all runs; sample and context are each run's own
    method: str = KNOWFORGE

    @property
    def systems(self) -> Sequence[str]:
        return list(self.configs)

    def config(self, system: str) -> dict[str, Any]:
        return self._config[system]

    async def run(self, question: Question, system: str, sample: int) -> RunRecord:
        label = run_label(self.label, self.method, system, sample)
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


def load_systems(names: Sequence[str], cfg: DictConfig, workspace: Workspace) -> dict[str, SystemConfig]:
    """Systems by name (`M5-L+R` for other caps), under the benchmark's convention and the sizes it scales.

    Raises `ConfigError` naming the file and field, or the systems that exist.
    """
    _refuse_overrides(cfg, workspace)
    try:
        systems = {name: load_system(name, workspace.conf / "system") for name in names}
    except UnknownSystem as error:
        raise ConfigError(str(error)) from error
    return {name: _scaled(system, plain(cfg.benchmark)) for name, system in systems.items()}


def _scaled(system: SystemConfig, benchmark: dict[str, Any]) -> SystemConfig:
    """`system` at the benchmark's sizes; a system with a smaller pool than the paper's keeps its share of the cap."""
    sizes = {"convention": benchmark["rule"], **(benchmark.get("system") or {})}
    fields = plain(OmegaConf.merge(asdict(system), sizes))
    if "cap" in sizes.get("pool", {}):
        fields["pool"]["cap"] = round(sizes["pool"]["cap"] * system.pool.cap / PoolConfig().cap)
    return SystemConfig.from_mapping(fields)


def _refuse_overrides(cfg: DictConfig, workspace: Workspace) -> None:
    """A trace is named after its system's file, so single fields cannot be overridden on the command line."""
    name = str(cfg.system.name)
    if name in group_options("system", workspace) and plain(cfg.system) != load_option("system", name, workspace):
        file = workspace.conf / "system" / "NAME.yaml"
        raise ConfigError(f"system.FIELD=... would record another system as {name}: write a file {file} instead")
