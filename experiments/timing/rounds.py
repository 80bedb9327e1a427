"""Timing of one retrieval round (KnowForge 5.8): query embedding, BM25, vector search, fusion, graph hop, context."""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from statistics import median

import numpy as np
from numpy.typing import NDArray

from common.benchmarks.question import Question
from common.metrics.retrieval import documents_in_rank_order, recall
from common.retrieval import Encoder
from knowforge.base import KnowledgeBase
from knowforge.search import search
from knowforge.system import SearchConfig

ROUND = "round"
STAGES = ("embedding", "BM25", "vector search", "fusion", "graph expansion", "context")
_HEARD = dict(zip(("embedding", "bm25", "dense", "fusion", "measure"), STAGES, strict=False))
Samples = dict[str, tuple[float, ...]]  # stage -> milliseconds, one per question


class LiveQueries:
    """Passages from recorded embeddings, queries computed each time: what a round costs with the real encoder."""

    def __init__(self, recorded: Encoder, live: Encoder) -> None:
        self.name, self.revision, self.dim, self.asymmetric = live.name, live.revision, live.dim, live.asymmetric
        self._recorded, self._live = recorded, live

    def encode(self, texts: Sequence[str], *, query: bool = False) -> NDArray[np.float32]:
        return (self._live if query else self._recorded).encode(texts, query=query)


def time_rounds(base: KnowledgeBase, queries: Sequence[str], config: SearchConfig, *, repeats: int = 5) -> Samples:
    """Each query's median over `repeats` passes, by stage and for the whole round, one query at a time."""
    taken: defaultdict[str, list[list[float]]] = defaultdict(lambda: [[] for _ in queries])
    listener, before = _Stopwatch(), base.index.on_stage
    base.index.on_stage = listener.hear
    try:
        _pass(base, queries, config)  # compiled kernels, mapped files, first use of the encoder
        for _ in range(repeats):
            for place, query in enumerate(queries):
                base.index.forget()
                for stage, spent in listener.time(lambda query=query: search(base, query, config)).items():  # type: ignore[misc]
                    taken[stage][place].append(spent)
    finally:
        base.index.on_stage = before
    return {stage: tuple(median(spent) for spent in taken[stage]) for stage in (*STAGES, ROUND)}


def time_at_once(
    base: KnowledgeBase, queries: Sequence[str], config: SearchConfig, *, ways: int = 4, repeats: int = 5
) -> tuple[float, ...]:
    """Milliseconds of a round while `ways` threads ask at the same time; each query's median over `repeats` passes.

    With more queries than an index keeps prepared; with fewer the embedding is paid once.
    """
    taken: list[list[float]] = [[] for _ in queries]
    start = threading.Barrier(ways)

    def ask(first: int) -> None:
        start.wait()
        for _ in range(repeats):
            for place in range(first, len(queries), ways):
                began = time.perf_counter()
                search(base, queries[place], config)
                taken[place].append(1000 * (time.perf_counter() - began))

    with ThreadPoolExecutor(ways) as pool:
        for job in [pool.submit(ask, first) for first in range(ways)]:
            job.result()
    return tuple(map(median, taken))


def first_recall(
    base: KnowledgeBase, questions: Sequence[Question], config: SearchConfig, *, k: int = 8
) -> tuple[float, ...]:
    """R@k of a search with each question itself. Every question needs a gold document."""
    found = [search(base, question.question, config) for question in questions]
    return tuple(
        recall(question.gold_documents, documents_in_rank_order([m.hit for m in materials])[:k])
        for question, materials in zip(questions, found, strict=True)
    )


def _pass(base: KnowledgeBase, queries: Sequence[str], config: SearchConfig) -> None:
    for query in queries:
        search(base, query, config)


class _Stopwatch:
    """Time between the stages an index tells of; what follows the last one is the context of the hits."""

    def __init__(self) -> None:
        self._marks: list[tuple[str, float]] = []

    def hear(self, stage: str) -> None:
        self._marks.append((stage, time.perf_counter()))

    def time(self, work: Callable[[], object]) -> dict[str, float]:
        """Milliseconds of each stage and of the whole, together the whole."""
        self._marks.clear()
        began = time.perf_counter()
        work()
        ended = time.perf_counter()
        spent: dict[str, float] = dict.fromkeys(STAGES, 0.0)
        last = began
        for stage, at in self._marks:
            spent[_HEARD[stage]] += 1000 * (at - last)
            last = at
        spent["context"] = 1000 * (ended - last)
        return {**spent, ROUND: 1000 * (ended - began)}
