"""`verify`: seal, replay and recomputation must all give what is committed, exactly."""

from __future__ import annotations

import asyncio
import difflib
import json
import time
from collections.abc import Sequence

from omegaconf import DictConfig
from tqdm import tqdm

from common.benchmarks.question import Question
from common.llm import LLMError, Mode
from common.paths import Workspace
from common.render import csv_texts
from common.retrieval import EmbeddingStoreError, MissingEmbedding
from common.traces import TraceError, TraceKey, check_manifest, find_traces, read_trace
from experiments.artefacts import compute, discover
from experiments.audit import audit_files
from experiments.checks import Check
from experiments.config import ConfigError, plain
from experiments.methods import override
from experiments.running.opening import open_runner
from experiments.running.provenance import config_changes, read_config
from experiments.running.replaying import replay_trace, replayable, trace_config
from experiments.running.runner import Runner
from experiments.running.workbench import open_corpus, open_llm
from experiments.sealing import size_problems

Groups = dict[str, tuple[DictConfig, list[TraceKey]]]  # traces that stand on the same corpus, encoder and models
DAMAGE = (LLMError, EmbeddingStoreError, MissingEmbedding, TraceError, ConfigError)  # what a broken trace raises


def verify(workspace: Workspace, *, rebuild: bool = False, progress: bool = True) -> int:
    """Run all checks, print each with its problems, and return the exit code."""
    started, failed = time.perf_counter(), 0
    checks = [("seal", _seal_check), ("replay", _replay_check), ("artefacts", _artefact_check)]
    if rebuild:
        from experiments.rebuild import rebuild_check

        checks.insert(1, ("rebuild", rebuild_check))
    for name, check in checks:
        try:
            result = check(workspace, progress)
        except DAMAGE as error:  # a file that all of a check stands on; the other checks still say what they find
            result = Check(name, "", (str(error),))
        for problem in result.problems:
            print(f"FAILED {result.name}: {problem}")
        if not result.problems:
            print(f"ok     {result.name}: {result.passed}")
        failed += bool(result.problems)
    verdict = (
        "everything committed follows from the traces" if not failed else f"{failed} of {len(checks)} checks FAILED"
    )
    print(f"verdict: {verdict} ({time.perf_counter() - started:.0f} s)")
    return 1 if failed else 0


def _seal_check(workspace: Workspace, progress: bool) -> Check:
    problems = [problem.message for problem in check_manifest(workspace.traces)]
    problems += size_problems(workspace.traces) if workspace.traces.exists() else []
    return Check("seal", "every trace file has the sealed sha256", tuple(problems))


def _replay_check(workspace: Workspace, progress: bool) -> Check:
    problems, replayed, absent = [], 0, []
    for cfg, keys in _groups(workspace).values():
        benchmark = str(cfg.benchmark.name)
        if not replayable(benchmark, str(cfg.model.name), workspace):
            absent.append(benchmark)
            continue
        try:
            found, count = asyncio.run(_replay_group(cfg, keys, workspace, progress))
        except DAMAGE as error:
            found, count = [f"{benchmark}: {error}"], 0
        problems += found
        replayed += count
    why = "their corpora may not be passed on and were not recorded on this machine"
    note = f"; not replayed, {why}: {', '.join(sorted(set(absent)))}" if absent else ""
    return Check("replay", f"{replayed} runs gave the same records{note}", tuple(problems))


def _groups(workspace: Workspace) -> Groups:
    groups: Groups = {}
    for key in find_traces(workspace.records):
        cfg = trace_config(key, workspace)
        parts = [plain(cfg[name]) for name in ("encoder", "base", "stages", "judge")]
        name = json.dumps([key.benchmark, key.model, key.method, cfg.graph, *parts])
        groups.setdefault(name, (cfg, []))[1].append(key)
    return groups


async def _replay_group(
    cfg: DictConfig, keys: Sequence[TraceKey], workspace: Workspace, progress: bool
) -> tuple[list[str], int]:
    corpus = open_corpus(cfg, workspace, offline=True)
    problems, count = [], 0
    async with open_llm(cfg, workspace, Mode.REPLAY, redistributable=corpus.redistributable) as llm:
        runner = open_runner(cfg, workspace, corpus, llm, keys[0].method, [key.system for key in keys])
        for key in keys:
            found, runs = await _replay_key(key, corpus.questions, runner, workspace, progress)
            problems += found
            count += runs
    return problems, count


async def _replay_key(
    key: TraceKey, questions: Sequence[Question], runner: Runner, workspace: Workspace, progress: bool
) -> tuple[list[str], int]:
    changes = config_changes(read_config(key, workspace.records), runner.config(key.system))
    if changes:
        asked = override(key.method, [key.system])
        remedy = f"undo the change, or record anew: python -m experiments record {asked} redo_stale=true"
        return [f"{key}: {'; '.join(changes)}. {remedy}"], 0
    runs = len(read_trace(key, workspace.records).done)
    with tqdm(total=runs, desc=f"replay {key}", unit="run", disable=None if progress else True) as bar:
        mismatches = await replay_trace(key, workspace.records, questions, runner, bar=bar)
    return [str(mismatch) for mismatch in mismatches], runs


def _artefact_check(workspace: Workspace, progress: bool) -> Check:
    problems: list[str] = []
    unrecorded: list[str] = []
    texts: dict[str, str] = {}
    for entry in tqdm(discover(workspace), desc="recompute", unit="artefact", disable=None if progress else True):
        outcome = compute(entry, workspace)
        if outcome.unrecorded:
            unrecorded.append(entry.name)
            continue
        if outcome.artefact is None:
            problems.append(f"{entry.name}: {outcome.error}")
            continue
        texts |= {f"{entry.config}{suffix}": text for suffix, text in csv_texts(outcome.artefact).items()}
    audited, problem = audit_files(workspace)
    problems += [problem] if problem else []
    for name, text in {**texts, **audited}.items():
        path = workspace.figures / name
        problems += _text_problem(f"figures/{name}", path.read_text() if path.exists() else None, text)
    note = f"; without any trace, and without a table: {', '.join(unrecorded)}" if unrecorded else ""
    said = f"{len(texts) + len(audited)} committed tables are what the records give{note}"
    return Check("artefacts", said, tuple(problems))


def _text_problem(name: str, committed: str | None, computed: str) -> list[str]:
    if committed == computed:
        return []
    remedy = "python -m experiments regenerate, and commit the result if the change is meant"
    if committed is None:
        return [f"{name}: not there; {remedy}"]
    lines = difflib.unified_diff(
        committed.splitlines(), computed.splitlines(), "committed", "recomputed", n=0, lineterm=""
    )
    return [f"{name} is not what the records give; {remedy}\n  " + "\n  ".join(list(lines)[:12])]
