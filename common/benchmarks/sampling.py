"""Stratified subsets of a question list."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from common.benchmarks.question import Question
from common.benchmarks.release import BenchmarkError


def stratum(question: Question) -> tuple[str, str]:
    """Type x modality."""
    return question.question_type, "+".join(sorted(question.modalities))


def stratified(questions: Sequence[Question], size: int, *, seed: int = 0) -> tuple[Question, ...]:
    """`size` questions, each type x modality stratum by its share (largest remainders), in the given order.

    The draw depends on ids and seed, not on the order of the file. Raises BenchmarkError when there are too few.
    """
    if not 0 < size <= len(questions):
        raise BenchmarkError(f"cannot draw {size} of {len(questions)} questions; ask for a smaller subset")
    strata: dict[tuple[str, str], list[str]] = defaultdict(list)
    for question in questions:
        strata[stratum(question)].append(question.question_id)
    exact = {key: size * len(ids) / len(questions) for key, ids in strata.items()}
    quota = {key: int(share) for key, share in exact.items()}
    by_remainder = sorted(exact, key=lambda key: (quota[key] - exact[key], key))
    for key in by_remainder[: size - sum(quota.values())]:
        quota[key] += 1
    generator = np.random.default_rng(seed)
    chosen: set[str] = set()
    for key in sorted(strata):
        chosen.update(generator.permutation(sorted(strata[key]))[: quota[key]].tolist())
    return tuple(question for question in questions if question.question_id in chosen)
