"""Knowledge points and the typed relations between them (KnowForge 3.1)."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from common.documents.model import Fragment
from common.llm import LLM
from common.loose_json import json_objects
from common.prompting import Prompts
from common.retrieval import DenseIndex
from common.text import first_sentence

RelationKind = Literal["same-topic", "extends", "contrasts", "supports", "prerequisite"]
RELATION_KINDS: tuple[RelationKind, ...] = ("same-topic", "extends", "contrasts", "supports", "prerequisite")
MAX_POINTS = 4  # per fragment, for the model extractor


@dataclass(frozen=True)
class KnowledgePoint:
    """An atomic statement: title, one-sentence summary, and the fragment it was drawn from."""

    point_id: str
    title: str
    summary: str
    fragment_id: str

    @property
    def text(self) -> str:
        return f"{self.title}: {self.summary}"


@dataclass(frozen=True)
class Relation:
    """A typed edge between two points; `weight` is the cosine of their texts."""

    source: str
    target: str
    kind: RelationKind
    weight: float


def make_point(fragment: Fragment, title: str, summary: str) -> KnowledgePoint:
    digest = hashlib.sha256(f"{fragment.fragment_id}\n{title}\n{summary}".encode()).hexdigest()[:16]
    return KnowledgePoint(f"kp_{digest}", title, summary, fragment.fragment_id)


def points_from_sentences(fragment: Fragment, document_title: str) -> list[KnowledgePoint]:
    """The extractor without a model: the heading path as title, the first sentence as summary."""
    if fragment.kind != "text" or not fragment.text.strip():
        return []
    sentence = first_sentence(fragment.text)
    title = " / ".join((document_title, *fragment.heading[-1:]))
    return [make_point(fragment, title, sentence)]


async def points_from_model(
    fragment: Fragment, document_title: str, llm: LLM, prompts: Prompts
) -> list[KnowledgePoint]:
    """The extractor with a model: up to four points a text fragment; unusable replies give none."""
    if fragment.kind != "text" or not fragment.text.strip():
        return []
    content = prompts.render("points", document=document_title, text=fragment.text, most=MAX_POINTS)
    reply = await llm.complete("points", [{"role": "user", "content": content}], question_id=fragment.fragment_id)
    points = []
    for data in json_objects(reply.text):
        for item in data.get("points", []) if isinstance(data.get("points"), list) else []:
            if isinstance(item, dict) and item.get("title") and item.get("summary"):
                points.append(make_point(fragment, str(item["title"]), str(item["summary"])))
    return points[:MAX_POINTS]


def recall_pairs(vectors: np.ndarray, *, neighbours: int = 3, floor: float = 0.6) -> list[tuple[int, int, float]]:
    """Pairs (i, j, cosine), i < j, where one point is among the other's nearest by embedding.

    `vectors` is (n, d), L2-normalised. Pairs under `floor` are not worth typing.
    """
    if len(vectors) < 2:
        return []
    index = DenseIndex.build(vectors)
    pairs: dict[tuple[int, int], float] = {}
    for i, vector in enumerate(vectors):
        rows, cosines = index.top(vector, min(neighbours + 1, len(vectors)))
        for j, cosine in zip(rows, cosines, strict=True):
            if i != j and cosine >= floor:
                pairs[min(i, int(j)), max(i, int(j))] = round(float(cosine), 6)
    return sorted((i, j, cosine) for (i, j), cosine in pairs.items())


def type_by_rule(points: Sequence[KnowledgePoint], pairs: Sequence[tuple[int, int, float]]) -> list[Relation]:
    """Without a model: points under the same title extend each other, all others share a topic."""
    return [
        Relation(a.point_id, b.point_id, "extends" if a.title == b.title else "same-topic", cosine)
        for i, j, cosine in pairs
        for a, b in [(points[i], points[j])]
    ]


async def type_by_model(
    first: KnowledgePoint, second: KnowledgePoint, cosine: float, llm: LLM, prompts: Prompts
) -> list[Relation]:
    """With a model: it names the type of a recalled pair; none where it calls the pair unrelated."""
    content = prompts.render("relation", first=first.text, second=second.text, kinds=", ".join(RELATION_KINDS))
    reply = await llm.complete("relations", [{"role": "user", "content": content}], question_id=first.point_id)
    named = next((str(d.get("type")) for d in json_objects(reply.text)), "")
    return [Relation(first.point_id, second.point_id, kind, cosine) for kind in RELATION_KINDS if kind == named]
