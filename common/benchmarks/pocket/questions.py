"""Chooses the questions: a fixed mix of types, few uses of any page or recipe, every draft checked."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

from common.benchmarks.pocket.article import Article
from common.benchmarks.pocket.checks import Library, fault_of
from common.benchmarks.pocket.compare import compare_drafts, intersect_drafts
from common.benchmarks.pocket.compose import compose_drafts, single_drafts
from common.benchmarks.pocket.draft import Draft
from common.benchmarks.pocket.world import World

# Questions per type in the full set of 60; type names and their order of hops are MultimodalQA's.
MIX: dict[str, int] = {
    "TextQ": 8,
    "TableQ": 8,
    "ImageQ": 8,
    "Compose(TextQ,TableQ)": 5,
    "Compose(TableQ,TextQ)": 5,
    "Compose(ImageQ,TableQ)": 4,
    "Compose(ImageQ,TextQ)": 3,
    "Compose(TextQ,ImageListQ)": 3,
    "Compose(TableQ,ImageListQ)": 3,
    "Compare(TableQ,Compose(TableQ,TextQ))": 4,
    "Compare(Compose(TableQ,ImageQ),TableQ)": 2,
    "Intersect(TableQ,TextQ)": 5,
    "Intersect(ImageListQ,TableQ)": 2,
}
MOST_VISUAL = 3  # answers that no OCR can read
MOST_PER_PAGE = 4
MOST_PER_ANSWER = 2


def mix_for(questions: int) -> dict[str, int]:
    """Questions per type in the proportions of MIX (largest remainders). Raises ValueError below one."""
    if questions < 1:
        raise ValueError(f"questions={questions}: ask for at least one")
    total = sum(MIX.values())
    exact = {kind: share * questions / total for kind, share in MIX.items()}
    counts = {kind: int(value) for kind, value in exact.items()}
    by_rest = sorted(MIX, key=lambda kind: (counts[kind] - exact[kind], kind))
    for kind in by_rest[: questions - sum(counts.values())]:
        counts[kind] += 1
    return counts


def draft_questions(world: World, articles: dict[str, Article], questions: int) -> list[Draft]:
    """The chosen drafts in the order of MIX. Needs no PDF. Raises ValueError where a type runs out of candidates."""
    rng = random.Random(f"questions-{world.seed}-{questions}")
    library = Library.of(articles)
    pools = _unambiguous(world, rng)
    chosen: list[Draft] = []
    tally = _Tally()
    for kind, count in mix_for(questions).items():
        rng.shuffle(pools[kind])
        for done in range(count):
            found = next(_acceptable(pools[kind], library, tally), None)
            if found is None:
                raise ValueError(
                    f"question type {kind}: only {done} of {count} could be built; "
                    "use more documents, fewer questions or another seed"
                )
            tally.add(found)
            chosen.append(found)
    return chosen


def _unambiguous(world: World, rng: random.Random) -> dict[str, list[Draft]]:
    """Drafts by type. One wording with two answers in the world is ambiguous, whatever it was built from: left out."""
    drafts = [*single_drafts(world), *compose_drafts(world), *compare_drafts(world, rng), *intersect_drafts(world, rng)]
    readings: dict[str, set[tuple[str, ...]]] = {}
    for draft in drafts:
        readings.setdefault(draft.question, set()).add(draft.answers)
    pools: dict[str, list[Draft]] = {kind: [] for kind in MIX}
    for draft in drafts:
        if draft.question_type in pools and len(readings[draft.question]) == 1:
            pools[draft.question_type].append(draft)
    return pools


class _Tally:
    """What has been used so far, so that the set stays varied."""

    def __init__(self) -> None:
        self.recipes: Counter[str] = Counter()
        self.pages: Counter[str] = Counter()
        self.answers: Counter[str] = Counter()
        self.visual = 0

    def add(self, draft: Draft) -> None:
        self.recipes.update(_marks(draft))
        self.pages.update(draft.documents)
        self.answers.update(draft.answers)
        self.visual += draft.visual

    def cost(self, draft: Draft) -> tuple[int, int]:
        """Lower is preferred: unused recipes first, then unused pages."""
        return sum(self.recipes[mark] for mark in _marks(draft)), sum(self.pages[page] for page in draft.documents)

    def allows(self, draft: Draft) -> bool:
        return (
            not (draft.visual and self.visual >= MOST_VISUAL)
            and all(self.pages[page] < MOST_PER_PAGE for page in draft.documents)
            and all(self.answers[answer] < MOST_PER_ANSWER for answer in draft.answers)
        )


def _marks(draft: Draft) -> list[str]:
    """Recipe parts, the kind of thing asked about and whether the answer is drawn, the last two per type."""
    drawn = f"{draft.question_type}|{'drawn' if draft.answer_gold[0].drawn else 'text'}"
    return [*draft.recipe, *(part.split(".")[0] + "|" + draft.question_type for part in draft.recipe), drawn]


def _acceptable(pool: list[Draft], library: Library, tally: _Tally) -> Iterator[Draft]:
    for draft in sorted(pool, key=tally.cost):
        if tally.allows(draft) and fault_of(draft, library) is None:
            yield draft
