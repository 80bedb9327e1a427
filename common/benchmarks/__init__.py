"""Loaders for the official formats and the generated corpora, one record schema."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType

from common.benchmarks.generated import load_questions
from common.benchmarks.question import Evidence, Question
from common.benchmarks.release import Benchmark, BenchmarkError, parse_subset

__all__ = [
    "BENCHMARKS", "GENERATED", "Benchmark", "BenchmarkError", "Evidence", "Question", "generate_benchmark",
    "load_benchmark",
]  # fmt: skip

# Generated corpora: name -> the package that makes it.
GENERATED = {
    "pocket-m3doc": "pocket",
    "pocket-mhr": "pocket_mhr",
    "pocket-mmlb": "pocket_mmlb",
    "pocket-visdom": "pocket_visdom",
}
BENCHMARKS = ("m3docvqa", "mmlongbench", "multihop_rag", "visdombench", *GENERATED)
SMOKE_SIZE = 24
SMOKE_SIZES = {"pocket-visdom": 15}  # three of each subset


def load_benchmark(name: str, root: Path, *, subset: str = "full") -> Benchmark:
    """Load a benchmark from its folder; `python -m experiments fetch NAME` says how to lay it out.

    A partial set loads only under a subset's name ("smoke", "mid", "held", "mid+held", "questions", ...).
    Raises BenchmarkError naming the file, line or entry and field of whatever is wrong.
    """
    name = name.replace("_", "-") if name.startswith("pocket") else name
    if name in GENERATED:
        return _load_generated(name, Path(root), subset)
    if name not in BENCHMARKS:
        raise BenchmarkError(f"no loader for benchmark {name!r}; there are {', '.join(BENCHMARKS)}")
    loader = importlib.import_module(f"common.benchmarks.{name}")
    loaded: Benchmark = loader.load(Path(root), subset=subset)
    return loaded


def generate_benchmark(name: str, root: Path) -> None:
    """Make a generated corpus in its folder, or leave a complete one. Raises BenchmarkError for any other name."""
    if name not in GENERATED:
        raise BenchmarkError(f"{name!r} is not generated here; generated are {', '.join(GENERATED)}")
    _generator(name).generate(Path(root))


def _generator(name: str) -> ModuleType:
    """The package of a generated corpus; heavier to import than a loader."""
    return importlib.import_module(f"common.benchmarks.{GENERATED[name]}")


def _load_generated(name: str, root: Path, subset: str) -> Benchmark:
    """A generated corpus; its smoke rule lives with its generator.

    The smoke subset keeps its rule's order: each prefix of it is about stratified, should a recording be cut short.
    """
    rule = parse_subset(subset, ("full", "smoke")).rule
    loaded = load_questions(root, name)
    questions, chosen = {question.question_id: question for question in loaded}, [q.question_id for q in loaded]
    if rule == "smoke":
        chosen = _generator(name).smoke_ids(loaded, n=SMOKE_SIZES.get(name, SMOKE_SIZE))
    ordered = tuple(questions[question_id] for question_id in chosen)
    return Benchmark(name, ordered, root / "documents", redistributable=True, subset=subset)
