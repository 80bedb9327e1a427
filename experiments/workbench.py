"""Opening what a run stands on: benchmark, corpus snapshot, knowledge base, encoder, models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from omegaconf import DictConfig, OmegaConf

from common.benchmarks import GENERATED, BenchmarkError, generate_benchmark, load_benchmark
from common.benchmarks.question import Question
from common.documents import ParseOptions, load_documents, parse_folder
from common.documents.model import Document
from common.llm import LLM, CallCache, Mode, Profile
from common.paths import Workspace
from common.retrieval import CachedEncoder, load_encoder
from common.traces import TraceError, read_questions, read_snapshot, read_subsets, write_snapshot
from experiments.bases import Bases, bases_for
from experiments.config import ConfigError, group_options, load_option, plain
from experiments.provenance import code_commit
from experiments.runners import KnowForgeRunner, Runner
from knowforge.base import BaseOptions
from knowforge.system import PoolConfig, SystemConfig
from knowforge.systems import load_system

SUBSETS = ("smoke", "mid")


@dataclass(frozen=True)
class Corpus:
    """A benchmark's questions, its documents and the knowledge bases over them."""

    benchmark: str
    folder: Path  # of the snapshot
    questions: tuple[Question, ...]
    subsets: dict[str, tuple[str, ...]]
    documents: tuple[Document, ...]
    encoder: CachedEncoder
    bases: Bases
    redistributable: bool

    def select(self, subset: str, limit: int | None) -> list[Question]:
        """The questions of a subset in recording order. Raises `TraceError` for an unknown subset."""
        by_id = {question.question_id: question for question in self.questions}
        known = {"full": tuple(by_id), **self.subsets}
        if subset not in known:
            raise TraceError(f"{self.benchmark}: no subset {subset!r}; known: {', '.join(known)}")
        return [by_id[question_id] for question_id in known[subset]][:limit]


def take_snapshot(cfg: DictConfig, workspace: Workspace, *, files: Workspace | None = None) -> Path:
    """Parse the benchmark's documents and keep questions and fragments as its snapshot; returns its folder.

    `files` is the workspace that holds the benchmark's files, if another one.
    """
    name = str(cfg.benchmark.name)
    given = cfg.benchmark.get("root")
    root = Path(given).expanduser() if given else (files or workspace).benchmark_files(name)
    _generate(name, root)
    benchmark = load_benchmark(name, root)
    store = workspace.store(name)
    report = parse_folder(benchmark.documents_folder, store, options=ParseOptions(**plain(cfg.parse)))
    for failure in report.failures:
        print(f"left out of the corpus: {failure.source}: {failure.reason}")
    folder = workspace.corpus(name, redistributable=benchmark.redistributable)
    write_snapshot(folder, benchmark.questions, _subsets(name, root), load_documents(store), store / "assets")
    return folder


def open_corpus(cfg: DictConfig, workspace: Workspace, *, offline: bool) -> Corpus:
    """The corpus from its snapshot. `offline` refuses to compute an embedding that was not recorded."""
    name = str(cfg.benchmark.name)
    folder = workspace.find_corpus(name)
    snapshot = read_snapshot(folder)
    encoder = CachedEncoder(
        None if offline else load_encoder(cfg.encoder.name, **plain(cfg.encoder.options)),
        folder / f"embeddings-{cfg.encoder.name}", offline=offline,
    )  # fmt: skip
    options = BaseOptions(**plain(cfg.base))
    questions = read_questions(folder)
    bases = bases_for(questions, snapshot.documents, encoder, workspace.store(name) / "assets", options)
    inside = folder == workspace.corpus(name)
    return Corpus(name, folder, questions, read_subsets(folder), snapshot.documents, encoder, bases, inside)


def open_llm(cfg: DictConfig, workspace: Workspace, mode: Mode, *, redistributable: bool = True) -> LLM:
    """The door to the models of a configuration, over the call cache of its benchmark and model."""
    profiles = {"default": _profile(plain(cfg.model))}
    for stage, option in cfg.stages.items():
        profiles[str(stage)] = _profile(load_option("model", str(option), workspace))
    cache = CallCache(workspace.calls(str(cfg.benchmark.name), str(cfg.model.name), redistributable=redistributable))
    return LLM(profiles, cache, mode)


def _profile(fields: dict[str, Any]) -> Profile:
    try:
        return Profile(**fields)
    except ValueError as error:
        raise ConfigError(f"model {fields.get('name')}: {error}") from error


def load_systems(names: Sequence[str], cfg: DictConfig, workspace: Workspace) -> dict[str, SystemConfig]:
    """Systems by name (`M5-L+R` for other caps), under the benchmark's convention and the sizes it scales."""
    _refuse_overrides(cfg, workspace)
    systems = {name: load_system(name, workspace.conf / "system") for name in names}
    return {name: _scaled(system, plain(cfg.benchmark)) for name, system in systems.items()}


def _scaled(system: SystemConfig, benchmark: dict[str, Any]) -> SystemConfig:
    """`system` at the benchmark's sizes; a system with a smaller pool than the paper's keeps its share of the cap."""
    sizes = {"convention": benchmark["rule"], **(benchmark.get("system") or {})}
    fields = plain(OmegaConf.merge(system.to_mapping(), sizes))
    if "cap" in sizes.get("pool", {}):
        fields["pool"]["cap"] = round(sizes["pool"]["cap"] * system.pool.cap / PoolConfig().cap)
    return SystemConfig.from_mapping(fields)


def _refuse_overrides(cfg: DictConfig, workspace: Workspace) -> None:
    """A trace is named after its system's file, so single fields cannot be overridden on the command line."""
    name = str(cfg.system.name)
    if name in group_options("system", workspace) and plain(cfg.system) != load_option("system", name, workspace):
        file = workspace.conf / "system" / "NAME.yaml"
        raise ConfigError(f"system.FIELD=... would record another system as {name}: write a file {file} instead")


def open_runner(
    cfg: DictConfig, workspace: Workspace, corpus: Corpus, llm: LLM, systems: dict[str, SystemConfig]
) -> Runner:
    """The runner of KnowForge's pipeline over an opened corpus."""
    return KnowForgeRunner(
        corpus.bases, llm, systems, corpus.benchmark, str(cfg.model.name), code_commit(workspace.root)
    )


def run_facts(cfg: DictConfig) -> dict[str, Any]:
    """What replay needs to open the same things again: weights, encoder, options of the base, models of stages."""
    facts = plain(cfg)
    return {
        "weights": facts["model"].get("weights"), "encoder": facts["encoder"],
        "base_options": facts["base"], "stages": facts["stages"],
    }  # fmt: skip


def _generate(name: str, root: Path) -> None:
    """A generated corpus is made on first use; the others are the user's to fetch."""
    if name in GENERATED and not (root / "manifest.json").exists():
        generate_benchmark(name, root)


def _subsets(name: str, root: Path) -> dict[str, list[str]]:
    """Question ids of the named subsets that this benchmark has."""
    found = {}
    for subset in SUBSETS:
        try:
            found[subset] = [question.question_id for question in load_benchmark(name, root, subset=subset).questions]
        except BenchmarkError:
            continue  # this benchmark has no subset of that name
    return found
