"""An order of the questions in which every prefix is close to stratified, for recordings that may be cut short."""

from __future__ import annotations

import random
from collections.abc import Sequence

from common.benchmarks.question import Question


def smoke_ids(questions: Sequence[Question], n: int = 24, *, seed: int = 20261129) -> list[str]:
    """The first `n` question ids of the stratified order (strata: question type x modalities).

    A stratum of size s has its members at the places (i + 0.5) / s of the unit interval, so any prefix holds each
    stratum in proportion to within one question. Deterministic; a longer subset starts with the shorter one. Raises
    ValueError if n is out of range.
    """
    if not 0 < n <= len(questions):
        raise ValueError(f"n={n}: choose between 1 and the {len(questions)} questions there are")
    rng = random.Random(f"smoke-{seed}")
    strata: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for question in sorted(questions, key=lambda item: item.question_id):
        strata.setdefault((question.question_type, question.modalities), []).append(question.question_id)
    places: list[tuple[float, float, str]] = []
    for key in sorted(strata):
        members = strata[key]
        rng.shuffle(members)
        places += [((index + 0.5) / len(members), rng.random(), member) for index, member in enumerate(members)]
    return [member for _, _, member in sorted(places)[:n]]
