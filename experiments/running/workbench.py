"""Opening what a run stands on: benchmark, corpus snapshot, knowledge base, encoder, models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from omegaconf import DictConfig, OmegaConf

from common.benchmarks import GENERATED, BenchmarkError, generate_benchmark, load_benchmark
from common.benchmarks.question import Question
from common.documents import ParseOptions, assets_folder, load_documents, parse_folder
from common.documents.model import Document
from common.llm import LLM, CallCache, Mode, Profile
from common.paths import Workspace
from common.prompting import Prompts
from common.retrieval import CachedEncoder, load_encoder
from common.traces import TraceError, read_questions, read_snapshot, read_subsets, write_snapshot
from experiments.config import ConfigError, group_options, load_option, plain
from experiments.running.bases import Bases, bases_for
from experiments.running.flow_graphs import Graphs
from experiments.running.flow_runner import METHOD as FLOWREADER
from experiments.running.flow_runner import FlowReaderRunner, JudgeOptions, construction_options, load_variants
from experiments.running.outline import coverage_of, write_coverage
from experiments.running.provenance import code_commit
from experiments.running.runners import METHOD as KNOWFORGE
from experiments.running.runners import KnowForgeRunner, Runner
from experiments.running.scoring import ScoredRunner
from flowreader.session import PACKAGED
from knowforge.base import BaseOptions
from knowforge.system import PoolConfig, SystemConfig
from knowforge.systems import UnknownSystem, load_system

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
    held = "held" if cfg.benchmark.get("documents", "all") == "held" else ""  # a partial set must be asked for
    benchmark = load_benchmark(name, root, subset=held or "full")
    store = workspace.store(name)
    report = parse_folder(benchmark.documents_folder, store, options=ParseOptions(**plain(cfg.parse)))
    for failure in report.failures:
        print(f"left out of the corpus: {failure.source}: {failure.reason}")
    folder = workspace.corpus(name, redistributable=benchmark.redistributable)
    documents = load_documents(store)
    write_snapshot(folder, benchmark.questions, _subsets(name, root, held), documents, assets_folder(store))
    write_coverage(folder, coverage_of(name, len(documents), len(benchmark.questions)))
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
    bases = bases_for(questions, snapshot.documents, encoder, assets_folder(workspace.store(name)), options)
    inside = folder == workspace.corpus(name)
    return Corpus(name, folder, questions, read_subsets(folder), snapshot.documents, encoder, bases, inside)


def open_llm(cfg: DictConfig, workspace: Workspace, mode: Mode, *, redistributable: bool = True) -> LLM:
    """The model client of a configuration, over the call cache of its benchmark and model."""
    cache = CallCache(workspace.calls(str(cfg.benchmark.name), str(cfg.model.name), redistributable=redistributable))
    return LLM(model_profiles(cfg, workspace), cache, mode)


def model_profiles(cfg: DictConfig, workspace: Workspace) -> dict[str, Profile]:
    """The model of each stage that has one of its own, and the "default" of all others. Raises `ConfigError`."""
    profiles = {"default": _profile(plain(cfg.model))}
    for stage, option in cfg.stages.items():
        profiles[str(stage)] = _profile(load_option("model", str(option), workspace))
    return profiles


def _profile(fields: dict[str, Any]) -> Profile:
    try:
        return Profile(**fields)
    except ValueError as error:
        raise ConfigError(f"model {fields.get('name')}: {error}") from error


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


def method_and_names(cfg: DictConfig) -> tuple[str, list[str]]:
    """What a recording is of: systems of KnowForge or variants of FlowReader. Raises `ConfigError` for both."""
    systems, variants = _named("systems", cfg), _named("variants", cfg)
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


def load_configs(method: str, names: Sequence[str], cfg: DictConfig, workspace: Workspace) -> dict[str, Any]:
    """The named systems (`SystemConfig`) or variants (`FlowReaderConfig`) of a method. Raises `ConfigError`."""
    if method == FLOWREADER:
        return load_variants(names, cfg, workspace)
    return load_systems(names, cfg, workspace)


def open_runner(
    cfg: DictConfig, workspace: Workspace, corpus: Corpus, llm: LLM, method: str, names: Sequence[str]
) -> Runner:
    """The runner of a method's systems or variants over an opened corpus, with the facts that scoring needs."""
    runner = _method_runner(cfg, workspace, corpus, llm, method, names)
    extract = bool(cfg.benchmark.get("extract", False))
    if corpus.redistributable and not extract:
        return runner
    return ScoredRunner(runner, llm, str(cfg.benchmark.scorer), extract, keep_scores=not corpus.redistributable)


def _method_runner(
    cfg: DictConfig, workspace: Workspace, corpus: Corpus, llm: LLM, method: str, names: Sequence[str]
) -> Runner:
    configs = load_configs(method, names, cfg, workspace)
    about = (corpus.benchmark, str(cfg.model.name), code_commit(workspace.root))
    if method != FLOWREADER:
        return KnowForgeRunner(corpus.bases, llm, configs, *about)
    prompts = Prompts.load(PACKAGED)  # graphs and judge use these, whatever a variant overrides
    graphs = Graphs(
        corpus.documents, corpus.encoder, llm, prompts, construction_options(cfg),
        assets_folder(workspace.store(corpus.benchmark)), corpus.bases.closed,
    )  # fmt: skip
    return FlowReaderRunner(graphs, corpus.encoder, llm, configs, *about, judge=JudgeOptions(**plain(cfg.judge)))


def run_facts(cfg: DictConfig, method: str) -> dict[str, Any]:
    """What replay needs to open the same things again: weights, encoder, options of base or graph, stages' models."""
    facts = plain(cfg)
    own = {"graph": facts["graph"], "judge": facts["judge"]} if method == FLOWREADER else {}
    return {
        "weights": facts["model"].get("weights"), "encoder": facts["encoder"],
        "base_options": facts["base"], "stages": facts["stages"], **own,
    }  # fmt: skip


def _generate(name: str, root: Path) -> None:
    """A generated corpus is made on first use; the others are the user's to fetch."""
    if name in GENERATED and not (root / "manifest.json").exists():
        generate_benchmark(name, root)


def _subsets(name: str, root: Path, held: str) -> dict[str, list[str]]:
    """Question ids of the named subsets that this benchmark has, of a partial set those whose documents are there."""
    found = {}
    for subset in SUBSETS:
        asked = "+".join(filter(None, (subset, held)))
        try:
            found[subset] = [question.question_id for question in load_benchmark(name, root, subset=asked).questions]
        except BenchmarkError:
            continue  # this benchmark has no subset of that name
    return found
