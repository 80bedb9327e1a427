"""A question before layout, the form of a subset, and sentences that answer nothing."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from common.benchmarks.pocket_visdom.blocks import Document

Facts = TypeVar("Facts", contravariant=True)
_FILLER = (
    "The first notes on {about} were lost in a flood and had to be written again from memory.",
    "Where two readings differed, the lower one was kept and the difference noted in the margin.",
    "Visitors were asked to leave their dogs at the gate, and most of them did.",
    "The cost was shared between the town and the society, as it has been since the old charter.",
    "Rain stopped the work on several days, none of which changed the outcome.",
    "The instruments were lent by a school and went back to it in good order.",
    "A second opinion on {about} was asked for by letter and arrived after the work was done.",
    "No accident was reported, apart from a broken ladder.",
    "All rounding was done at the very end, by hand, and checked by a second person.",
    "Earlier reports on {about} used other words for the same thing, which has led to some confusion.",
    "The volunteers were thanked with a supper in the great hall.",
    "Photographs were taken each morning from the same window.",
    "The winter was mild, which saved coal but brought little rest.",
    "A proposal to paint everything in one colour was put off for the fourth time.",
    "A book on {about} is said to be in the making, but nobody has seen it.",
    "The method is an old one and can be learned in an afternoon.",
    "What can be said about {about} does not depend on the weather of a single day.",
    "The archive keeps copies of all sheets on {about} in one drawer.",
)


@dataclass(frozen=True)
class Place:
    """Where a part of the answer stands: an anchor, its kind, and the words its page must show."""

    anchor: str
    kind: str
    shows: tuple[str, ...]


@dataclass(frozen=True)
class Draft:
    """A question of one document. All places are needed."""

    question: str
    answer: str
    places: tuple[Place, ...]


@dataclass(frozen=True)
class Asked:
    """A draft with its subset, its document and the name of the maker that made it."""

    subset: str
    document: Document
    recipe: str
    draft: Draft


class Maker(Protocol[Facts]):
    """Makes one question from the facts of a document; `turn` picks what it asks about."""

    __name__: str

    def __call__(self, facts: Facts, turn: int, /) -> Draft: ...


def teller(rng: random.Random, about: str) -> Callable[[int], str]:
    """A function that gives so many sentences on a subject that answer nothing."""
    return lambda count: " ".join(rng.sample(_FILLER, count)).format(about=about)


def ask(subset: str, documents: Sequence[tuple[Facts, Document]], plan: Sequence[Maker[Facts]]) -> list[Asked]:
    """One question for each maker of `plan`, the documents taken in turn; a maker is told the round."""
    chosen = []
    for number, maker in enumerate(plan):
        facts, document = documents[number % len(documents)]
        chosen.append(Asked(subset, document, maker.__name__, maker(facts, number // len(documents))))
    return chosen


def distinct(rng: random.Random, low: int, high: int, count: int, *, step: int = 1) -> tuple[int, ...]:
    """`count` different numbers, so that a highest and a lowest are one each."""
    return tuple(rng.sample(range(low, high, step), count))
