"""`record`: run what is missing against a model server, append the records, seal the traces."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext

from omegaconf import DictConfig, OmegaConf

from common.llm import Mode
from common.llm.background import ServedModel, serve_in_background
from common.llm.choice import served_models
from common.paths import Workspace
from common.traces import TraceKey
from experiments.config import ConfigError, compose_config
from experiments.running.opening import load_configs, method_and_names, open_runner, run_facts
from experiments.running.outline import read_coverage, write_outline
from experiments.running.provenance import code_commit, write_config
from experiments.running.recording import Progress, Recording, SaidCalls, check_fresh, plan, record
from experiments.running.workbench import Corpus, model_profiles, open_corpus, open_llm, take_snapshot
from experiments.sealing import seal


def record_command(overrides: Sequence[str], workspace: Workspace, *, serve: bool, rebuild: bool = False) -> int:
    """Record the configured systems or variants on the configured questions; 0 if every run is done.

    Safe to kill and to repeat.
    """
    cfg = compose_config("config", overrides, workspace=workspace)
    method, names = method_and_names(cfg)
    _refuse_numbers(cfg)
    # An unknown name and a missing server are told here: the corpus may have to be parsed and embedded for minutes.
    load_configs(method, names, cfg, workspace)
    with _server(cfg) if serve else nullcontext() as server:
        if server is not None:
            OmegaConf.update(cfg, "model.base_urls", [server.url], force_add=True)
            OmegaConf.update(cfg, "model.concurrency", int(cfg.concurrency), force_add=True)
        traces = [TraceKey(str(cfg.benchmark.name), str(cfg.model.name), method, name) for name in names]
        if not all(key.path(workspace.records).exists() for key in traces):
            _require_servers(cfg, workspace)
        corpus = _corpus(cfg, workspace, rebuild=rebuild)
        progress = asyncio.run(_record(cfg, workspace, corpus, method, names))
    seal(workspace)
    return _report(progress)


def _require_servers(cfg: DictConfig, workspace: Workspace) -> None:
    """Raises `ModelError` where the server of a stage does not answer; with `redo_stale` stored replies may do."""
    if cfg.redo_stale:
        return
    by_server = {profile.base_urls[0]: profile for profile in model_profiles(cfg, workspace).values()}
    for profile in by_server.values():
        served_models(profile, option="++model.base_urls=[URL]")


def _corpus(cfg: DictConfig, workspace: Workspace, *, rebuild: bool) -> Corpus:
    """The opened corpus: parsed first where it has no snapshot, its outline kept where it may not be passed on."""
    if rebuild or not workspace.find_corpus(str(cfg.benchmark.name)).exists():
        print(f"corpus snapshot: {take_snapshot(cfg, workspace)}")
    corpus = open_corpus(cfg, workspace, offline=False)
    if not corpus.redistributable:
        outline = workspace.outline(corpus.benchmark)
        write_outline(outline, corpus.questions, corpus.subsets, read_coverage(corpus.folder))
    return corpus


def _refuse_numbers(cfg: DictConfig) -> None:
    """Raises `ConfigError` for a count that is none."""
    for name in ("samples", "concurrency", "limit"):
        value = cfg[name]
        if not (isinstance(value, int) and value >= 1) and not (name == "limit" and value is None):
            raise ConfigError(f"{name}={value}: give a whole number, 1 or more")


async def _record(cfg: DictConfig, workspace: Workspace, corpus: Corpus, method: str, names: Sequence[str]) -> Progress:
    llm = open_llm(cfg, workspace, Mode.RECORD, redistributable=corpus.redistributable)
    calls = SaidCalls(llm)
    try:
        runner = open_runner(cfg, workspace, corpus, calls.llm, method, names)
        recording = Recording(
            runner, workspace.records, corpus.benchmark, str(cfg.model.name),
            code_commit(workspace.root), redacted=not corpus.redistributable, calls=calls,
        )  # fmt: skip
        if not cfg.redo_stale:
            check_fresh(recording)
        questions = corpus.select(str(cfg.subset), cfg.limit)
        jobs, kept = plan(recording, questions, int(cfg.samples))
        if jobs:
            _require_servers(cfg, workspace)
        for name in names:
            write_config(recording.key(name), workspace.records, {**runner.config(name), **run_facts(cfg, method)})
        print(f"{len(questions)} questions x {len(names)} systems: {kept} runs kept, {len(jobs)} to make")
        return await record(recording, jobs, concurrency=int(cfg.concurrency), kept=kept)
    finally:
        await llm.aclose()


def _server(cfg: DictConfig) -> AbstractContextManager[ServedModel]:
    file = str(cfg.serve_file or cfg.model.name)
    return serve_in_background(file, context=int(cfg.model.context), slots=int(cfg.concurrency))


def _report(progress: Progress) -> int:
    for run, reason in progress.failed.items():
        print(f"FAILED {run}: {reason}")
    print(f"verdict: {progress.done} runs recorded, {progress.kept} kept, {len(progress.failed)} failed")
    if progress.stopped:
        print(f"stopped: the other runs were not tried, as {progress.stopped}")
    if progress.failed:
        print("the same command runs only the failed ones again")
    return 1 if progress.failed else 0
