"""Opening the runner of a method: which systems or variants are asked for, their configurations, what they stand on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from omegaconf import DictConfig, OmegaConf

from common.documents import assets_folder
from common.llm import LLM
from common.paths import Workspace
from common.prompting import Prompts
from common.records import RunLabel
from experiments.config import ConfigError, plain
from experiments.methods import FIELDS, FLOWREADER, KNOWFORGE
from experiments.running.flowreader_runner import FlowReaderRunner, JudgeOptions, construction_options, load_variants
from experiments.running.graphs import Graphs
from experiments.running.knowforge_runner import KnowForgeRunner, load_systems
from experiments.running.provenance import code_commit
from experiments.running.runner import Runner
from experiments.running.scoring import ScoredRunner
from experiments.running.workbench import Corpus
from flowreader.session import PACKAGED

Configs = Mapping[str, Any]  # name -> its `SystemConfig` or `FlowReaderConfig`


def method_and_names(cfg: DictConfig) -> tuple[str, list[str]]:
    """What a recording is of: systems of KnowForge or variants of FlowReader. Raises `ConfigError` for both."""
    systems, variants = (_named(FIELDS[method], cfg) for method in (KNOWFORGE, FLOWREADER))
    if variants and systems:
        raise ConfigError("systems=... and variants=... are two recordings: run the command once for each")
    if variants:
        return FLOWREADER, variants
    return KNOWFORGE, systems or [str(cfg.system.name)]


def _named(field: str, cfg: DictConfig) -> list[str]:
    """The names a field lists; none where it is left out. Raises `ConfigError` for an empty list and for no list."""
    value = cfg[field]
    if value is None:
        return []
    if not OmegaConf.is_list(value) or not value:
        raise ConfigError(f"{field}={value}: give a list of one or more names, as in {field}=[A,B], or leave it out")
    return [str(name) for name in value]


def load_configs(method: str, names: Sequence[str], cfg: DictConfig, workspace: Workspace) -> Configs:
    """The named systems or variants. Raises `ConfigError`."""
    return _METHODS[method].load(names, cfg, workspace)


def open_runner(
    cfg: DictConfig, workspace: Workspace, corpus: Corpus, llm: LLM, method: str, names: Sequence[str]
) -> Runner:
    """The runner of a method's systems or variants over an opened corpus, with the facts that scoring needs."""
    configs = load_configs(method, names, cfg, workspace)
    runner = _METHODS[method].runner(cfg, workspace, corpus, llm, configs)
    extract = bool(cfg.benchmark.get("extract", False))
    if corpus.redistributable and not extract:
        return runner
    return ScoredRunner(runner, llm, str(cfg.benchmark.scorer), extract, keep_scores=not corpus.redistributable)


def run_facts(cfg: DictConfig, method: str) -> dict[str, Any]:
    """What replay needs to open the same things again: weights, encoder, options of base or graph, stages' models."""
    facts = plain(cfg)
    return {
        "weights": facts["model"].get("weights"), "encoder": facts["encoder"],
        "base_options": facts["base"], "stages": facts["stages"],
        **{name: facts[name] for name in _METHODS[method].facts},
    }  # fmt: skip


def _knowforge(cfg: DictConfig, workspace: Workspace, corpus: Corpus, llm: LLM, systems: Configs) -> Runner:
    return KnowForgeRunner(corpus.bases, llm, systems, _label(cfg, workspace, corpus))


def _flowreader(cfg: DictConfig, workspace: Workspace, corpus: Corpus, llm: LLM, variants: Configs) -> Runner:
    prompts = Prompts.load(PACKAGED)  # graphs and judge use these, whatever a variant overrides
    graphs = Graphs(
        corpus.documents, corpus.encoder, llm, prompts, construction_options(cfg),
        assets_folder(workspace.store(corpus.benchmark)), corpus.bases.closed,
    )  # fmt: skip
    judge = JudgeOptions(**plain(cfg.judge))
    return FlowReaderRunner(graphs, corpus.encoder, llm, variants, _label(cfg, workspace, corpus), judge=judge)


def _label(cfg: DictConfig, workspace: Workspace, corpus: Corpus) -> RunLabel:
    return RunLabel(corpus.benchmark, str(cfg.model.name), code_commit(workspace.root))


@dataclass(frozen=True)
class _Method:
    """How a method is opened; `facts` are the fields of the configuration that it alone reads."""

    load: Callable[[Sequence[str], DictConfig, Workspace], Configs]
    runner: Callable[[DictConfig, Workspace, Corpus, LLM, Configs], Runner]
    facts: tuple[str, ...] = ()


_METHODS = {
    KNOWFORGE: _Method(load_systems, _knowforge),
    FLOWREADER: _Method(load_variants, _flowreader, ("graph", "judge")),
}
