"""The parts questions are put together from: facts, bridges, and the draft that carries them to the checks."""

from __future__ import annotations

from dataclasses import dataclass

MODALITY_OF = {"TextQ": "text", "TableQ": "table", "ImageQ": "image", "ImageListQ": "image"}


@dataclass(frozen=True)
class Gold:
    """Where something stands. `drawn` is set where the anchor's content leaves no text layer (pictures, charts, image-only tables)."""

    document_id: str
    anchor: str
    kind: str  # text, table, image
    drawn: bool = False


@dataclass(frozen=True)
class Fact:
    """Something asked about an entity: `wordings` have a slot {x} for its name or description.

    `visual` marks what no OCR can read (a colour, a count).
    """

    key: str
    wordings: tuple[str, ...]
    answers: tuple[str, ...]
    gold: Gold
    visual: bool = False


@dataclass(frozen=True)
class Bridge:
    """A description that leads to another entity without naming it.

    `phrase` stands in for the target's name; `gold` is where the link is stated; `hidden` are documents the phrase keeps unnamed.
    """

    key: str
    phrase: str
    target_kind: str
    target: str
    gold: tuple[Gold, ...]
    modality: str  # TextQ, TableQ, ImageListQ
    hidden: tuple[str, ...]

    @property
    def steps(self) -> int:
        return len(self.gold)


@dataclass(frozen=True)
class Draft:
    """A question before layout: gold by anchor instead of by page. `recipe` names the fact and bridge it was built from."""

    recipe: tuple[str, ...]
    question_type: str
    modalities: tuple[str, ...]
    hops: int
    question: str
    answers: tuple[str, ...]
    gold: tuple[Gold, ...]
    hidden: tuple[str, ...]
    answer_gold: tuple[Gold, ...]  # where each answer can be read, one per answer
    lettering: tuple[str, ...] = ()  # words quoted in the question that only a picture shows
    visual: bool = False

    @property
    def documents(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(gold.document_id for gold in self.gold))


def modalities_of(question_type: str) -> tuple[str, ...]:
    """The modalities a MultimodalQA type name speaks of, in text, table, image order."""
    named = {value for key, value in MODALITY_OF.items() if f"{key})" in question_type + ")" or f"{key}," in question_type}
    return tuple(kind for kind in ("text", "table", "image") if kind in named)
