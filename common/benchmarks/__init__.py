"""Loaders for the official formats and the generated corpora, one record schema."""

from __future__ import annotations

import importlib
from pathlib import Path

from common.benchmarks.question import Evidence, Question
from common.benchmarks.release import Benchmark, BenchmarkError, parse_subset

__all__ = ["BENCHMARKS", "Benchmark", "BenchmarkError", "Evidence", "Question", "load_benchmark"]

POCKET = "pocket-m3doc"
BENCHMARKS = ("m3docvqa", "mmlongbench", "multihop_rag", POCKET)
SMOKE_SIZE = 24


def load_benchmark(name: str, root: Path, *, subset: str = "full") -> Benchmark:
    """Load a benchmark from its folder; `python -m experiments fetch NAME` says how to lay it out.

    A partial set loads only under a subset's name ("smoke", "mid", "held", "mid+held", "questions", ...).
    Raises BenchmarkError naming the file, line or entry and field of whatever is wrong.
    """
    name = name.replace("_", "-") if name.startswith("pocket") else name
    if name == POCKET:
        return _load_pocket(Path(root), subset)
    if name not in BENCHMARKS:
        raise BenchmarkError(f"no loader for benchmark {name!r}; there are {', '.join(BENCHMARKS)}")
    loader = importlib.import_module(f"common.benchmarks.{name}")
    loaded: Benchmark = loader.load(Path(root), subset=subset)
    return loaded


def _load_pocket(root: Path, subset: str) -> Benchmark:
    """The generated corpus; its reader and smoke rule live with its generator, which is heavier to import.

    The smoke subset keeps its rule's order: each prefix of it is about stratified, should a recording be cut short.
    """
    from common.benchmarks.pocket import load_pocket_m3doc, smoke_ids

    rule = parse_subset(subset, ("full", "smoke")).rule
    questions: dict[str, Question] = {question.question_id: question for question in load_pocket_m3doc(root)}
    chosen = smoke_ids(list(questions.values()), n=SMOKE_SIZE) if rule == "smoke" else list(questions)
    return Benchmark(
        POCKET,
        tuple(questions[question_id] for question_id in chosen),
        root / "documents",
        closed_domain=False,
        redistributable=True,
        subset=subset,
    )
