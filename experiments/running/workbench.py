"""Opening what a run stands on: benchmark, corpus snapshot, knowledge base, encoder, models."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from omegaconf import DictConfig

from common.benchmarks import GENERATED, BenchmarkError, generate_benchmark, load_benchmark
from common.benchmarks.question import Question
from common.documents import ParseOptions, assets_folder, load_documents, parse_folder
from common.documents.model import Document
from common.llm import LLM, CallCache, Mode, Profile
from common.paths import Workspace
from common.retrieval import CachedEncoder, load_encoder
from common.traces import TraceError, read_questions, read_snapshot, read_subsets, write_snapshot
from experiments.config import ConfigError, load_option, plain
from experiments.running.bases import Bases, bases_for
from experiments.running.outline import coverage_of, write_coverage
from knowforge.base import BaseOptions

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
