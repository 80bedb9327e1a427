"""Chooses the questions: MultiHop-RAG's shares of the four types, answers in balance, companies used evenly."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator

from common.benchmarks.pocket_mhr.draft import COMPARISON, INFERENCE, NULL, TEMPORAL, Draft
from common.benchmarks.pocket_mhr.drafts import comparison_drafts, inference_drafts, null_drafts, temporal_drafts
from common.benchmarks.pocket_mhr.world import World

# (type, rule of the check, articles): questions in the full set of 50; the types stand as 816 : 856 : 583 : 301 do.
MIX: dict[tuple[str, str, int], int] = {
    (INFERENCE, "company", 2): 7,
    (INFERENCE, "company", 3): 4,
    (INFERENCE, "head", 3): 3,
    (INFERENCE, "head", 4): 2,
    (COMPARISON, "more", 2): 13,
    (COMPARISON, "all", 3): 4,
    (TEMPORAL, "first", 2): 4,
    (TEMPORAL, "order", 2): 4,
    (TEMPORAL, "first", 3): 3,
    (NULL, "nobody", 0): 3,
    (NULL, "silent", 0): 3,
}
_MAKERS: tuple[Callable[[World], Iterator[Draft]], ...] = (
    inference_drafts, comparison_drafts, temporal_drafts, null_drafts,
)  # fmt: skip


def choose_drafts(world: World) -> list[Draft]:
    """The chosen drafts in the order of MIX. Raises ValueError where a kind of question runs out of candidates."""
    rng = random.Random(f"mhr-questions-{world.seed}")
    pools: dict[tuple[str, str, int], list[Draft]] = {key: [] for key in MIX}
    for make in _MAKERS:
        for draft in make(world):
            key = (draft.question_type, draft.check[0], len(draft.reports))
            if key in pools:
                pools[key].append(draft)
    chosen: list[Draft] = []
    used: Counter[str] = Counter()
    for key, count in MIX.items():
        rng.shuffle(pools[key])
        answers: Counter[str] = Counter()
        for done in range(count):
            if not pools[key]:
                raise ValueError(f"{key}: only {done} of {count} questions could be built; use another seed")
            best = min(pools[key], key=lambda draft: _cost(draft, answers, used))
            pools[key].remove(best)
            chosen.append(best)
            answers[best.answer] += 1
            answers[best.check[-1]] += 1
            used.update(best.entities)
    return chosen


def _cost(draft: Draft, answers: Counter[str], used: Counter[str]) -> tuple[int, int, int]:
    """Lower is preferred: answers given least, figures compared least, companies used least."""
    return answers[draft.answer], answers[draft.check[-1]], sum(used[name] for name in draft.entities)
