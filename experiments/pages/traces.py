"""Traces of what was found on real documents: ids, pages, ranks and scores of each question, no text.

They lie in traces/pages/<benchmark>/<artefact>.jsonl, one question a line, beside a .config.json that says which files,
encoder and settings made them. The documents may not be passed on; a clone without them makes the tables from these.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from omegaconf import DictConfig

from common.benchmarks.question import Question
from common.files import write_atomic
from common.traces import TraceError
from experiments.paired import NoTraces, workspace_of

SOURCES = ("text", "layout", "table", "chart", "figure")


@dataclass(frozen=True)
class PageRun:
    """One question. `found` maps a method to what it found, each in the form its artefact reads."""

    question_id: str
    document_id: str
    question_type: str
    sources: tuple[str, ...]  # kinds of evidence, as the benchmark names them
    gold: tuple[int, ...]  # evidence pages
    found: Mapping[str, Any]


@dataclass(frozen=True)
class PageTrace:
    """All questions of one artefact, and what they were made with."""

    runs: tuple[PageRun, ...]
    config: Mapping[str, Any]

    @property
    def corpus(self) -> str:
        return f"{self.config['benchmark']}, {len(self.config['documents'])} documents"


def gold_pages(question: Question) -> tuple[int, ...]:
    """Evidence pages in order; empty where the benchmark names none or there is no answer."""
    if not question.answerable:
        return ()
    return tuple(sorted({evidence.page for evidence in question.evidence if evidence.page is not None}))


def page_run(question: Question, found: Mapping[str, Any]) -> PageRun:
    return PageRun(
        question.question_id, question.document_id or question.gold_documents[0], question.question_type,
        question.modalities, gold_pages(question), found,
    )  # fmt: skip


def trace_path(cfg: DictConfig) -> Path:
    return workspace_of(cfg).traces / "pages" / str(cfg.benchmark.name) / f"{cfg.artefact.name}.jsonl"


def page_trace(cfg: DictConfig, compute: Callable[[DictConfig], PageTrace]) -> PageTrace:
    """Computed from the documents where `benchmark.root` is given (and kept, with `artefact.record`), else as kept."""
    if cfg.benchmark.root is None:
        return read_page_trace(trace_path(cfg), cfg.artefact.name)
    trace = compute(cfg)
    if cfg.artefact.record:
        write_page_trace(trace_path(cfg), trace)
    return trace


def write_page_trace(path: Path, trace: PageTrace) -> None:
    """Write both files; each appears complete or stays as it was."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps(asdict(run), ensure_ascii=False, separators=(",", ":")) for run in trace.runs]
    write_atomic(path, "".join(f"{line}\n" for line in lines))
    write_atomic(_config(path), json.dumps(trace.config, indent=1, sort_keys=True, ensure_ascii=False) + "\n")


def read_page_trace(path: Path, artefact: str) -> PageTrace:
    """Inverse of `write_page_trace`. Raises `NoTraces` with the command, `TraceError` for a damaged file."""
    if not path.exists():
        command = f"python -m experiments run joint/{artefact} benchmark.root=DIR artefact.record=true"
        raise NoTraces(f"{artefact}: nothing was recorded; with the documents in DIR: {command}")
    try:
        runs = tuple(_run(json.loads(line)) for line in path.read_text().splitlines())
        return PageTrace(runs, json.loads(_config(path).read_text()))
    except (ValueError, KeyError, TypeError, OSError) as error:
        raise TraceError(
            f"{path}: not a page trace ({error}); restore it with git checkout, or record again"
        ) from error


def select(runs: Sequence[PageRun], group: str) -> list[int]:
    """Positions of the runs of a group: all, a kind of evidence, or a type of question."""
    return [
        place
        for place, run in enumerate(runs)
        if group == "all" or group in run.sources or group == run.question_type
    ]  # fmt: skip


def _config(path: Path) -> Path:
    return path.with_suffix(".config.json")


def _run(data: dict[str, Any]) -> PageRun:
    return PageRun(**{**data, "sources": tuple(data["sources"]), "gold": tuple(data["gold"])})
