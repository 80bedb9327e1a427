"""The parts questions are put together from: facts, bridges, and the draft that carries them to the checks."""

from __future__ import annotations

from dataclasses import dataclass

from common.benchmarks.pocket.article import slug

MODALITY_OF = {"TextQ": "text", "TableQ": "table", "ImageQ": "image", "ImageListQ": "image"}


@dataclass(frozen=True)
class Gold:
    """Where something stands. `drawn`: in a picture, chart or image-only table, without a text layer."""

    document_id: str
    anchor: str
    kind: str  # text, table, image
    drawn: bool = False


@dataclass(frozen=True)
class Page:
    """The page of one title, as the places on it that questions point to."""

    document_id: str

    @classmethod
    def of(cls, title: str) -> Page:
        return cls(slug(title))

    def text(self, anchor: str) -> Gold:
        return Gold(self.document_id, anchor, "text")

    def table(self, anchor: str, *, drawn: bool = False) -> Gold:
        return Gold(self.document_id, anchor, "table", drawn)

    def image(self, anchor: str) -> Gold:
        """A picture or a chart: always drawn."""
        return Gold(self.document_id, anchor, "image", True)


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


def fact(key: str, answer: str | int, gold: Gold, *wordings: str, visual: bool = False) -> Fact:
    """A fact with one answer."""
    return Fact(key, wordings, (str(answer),), gold, visual)


@dataclass(frozen=True)
class Bridge:
    """A description that leads to another entity without naming it.

    `phrase` stands in for the target's name; `gold` is where the link is stated; `hidden` are the unnamed documents.
    """

    key: str
    phrase: str
    target_kind: str
    target: str
    gold: tuple[Gold, ...]
    modality: str  # TextQ, TableQ, ImageListQ
    hidden: tuple[str, ...]
    lettering: tuple[str, ...] = ()  # words quoted in the phrase that only a picture shows

    @property
    def steps(self) -> int:
        return len(self.gold)


@dataclass(frozen=True)
class Draft:
    """A question before layout: gold by anchor instead of by page. `recipe` names its fact and bridge."""

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
    named = {
        value for key, value in MODALITY_OF.items() if f"{key})" in question_type + ")" or f"{key}," in question_type
    }
    return tuple(kind for kind in ("text", "table", "image") if kind in named)


def only_largest(pairs: list[tuple[float, str]], *, smallest: bool = False) -> str | None:
    """The name with the largest (or smallest) value, or None where two share it: such a question would be ambiguous."""
    ordered = sorted(pairs, reverse=not smallest)
    if not ordered or (len(ordered) > 1 and ordered[0][0] == ordered[1][0]):
        return None
    return ordered[0][1]
