"""Building a knowledge base with either extractor, and what the model phases spent (KnowForge 3.1)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tqdm import tqdm

from common.documents.model import Document, Fragment
from common.llm import EmptyReply
from common.llm.listening import Door, Listener
from common.prompting import Prompts
from common.records import Usage
from common.retrieval import Encoder
from knowforge.base import BaseOptions, KnowledgeBase
from knowforge.ledger import IndexLedger, ledger_of
from knowforge.points import KnowledgePoint, Relation, points_from_model, recall_pairs, type_by_model

AT_ONCE = 16  # model calls prepared together; the profile's concurrency decides how many are in flight


@dataclass(frozen=True)
class Built:
    """A knowledge base and the model usage of its construction by phase."""

    base: KnowledgeBase
    usage: dict[str, Usage] = field(default_factory=dict)

    @property
    def ledger(self) -> IndexLedger:
        return ledger_of(self.base, self.usage)


def build_without_model(
    documents: Sequence[Document], encoder: Encoder, assets: Path, options: BaseOptions | None = None
) -> Built:
    """Points from first sentences, relations by rule. Raises `ValueError` for documents without fragments."""
    return Built(KnowledgeBase.build(documents, encoder, assets, options))


async def build_with_model(
    documents: Sequence[Document],
    encoder: Encoder,
    assets: Path,
    door: Door,
    prompts: Prompts,
    options: BaseOptions | None = None,
    *,
    progress: bool = True,
) -> Built:
    """Points and relation types from the model; only pairs recalled by embedding are typed.

    A text fragment or a pair the model answers with nothing is left out; other errors of the door are raised. Over a
    recording call cache a killed build goes on where it stopped.
    """
    options = options or BaseOptions()
    heard = Listener(door)
    points = await _points(documents, heard, prompts, progress)
    relations: list[Relation] = []
    if points:
        vectors = encoder.encode([point.text for point in points])
        pairs = recall_pairs(vectors, neighbours=options.related_per_point, floor=options.relation_floor)
        relations = await _relations(points, pairs, heard, prompts, progress)
    base = KnowledgeBase.assemble(documents, points, relations, encoder, assets)
    return Built(base, heard.usage)


async def _points(
    documents: Sequence[Document], heard: Listener, prompts: Prompts, progress: bool
) -> list[KnowledgePoint]:
    async def extract(fragment: Fragment, title: str) -> list[KnowledgePoint]:
        try:
            return await points_from_model(fragment, title, heard.llm, prompts)
        except EmptyReply:
            return []

    jobs = [(f, d.title) for d in documents for f in d.fragments if f.kind == "text" and f.text.strip()]
    found: dict[str, KnowledgePoint] = {}  # a model that says the same twice makes one point
    with tqdm(total=len(jobs), desc="knowledge points", unit="fragment", disable=not progress) as bar:
        for start in range(0, len(jobs), AT_ONCE):
            part = jobs[start : start + AT_ONCE]
            for points in await asyncio.gather(*(extract(*job) for job in part)):
                found.update({point.point_id: point for point in points})
            bar.update(len(part))
    return list(found.values())


async def _relations(
    points: Sequence[KnowledgePoint],
    pairs: Sequence[tuple[int, int, float]],
    heard: Listener,
    prompts: Prompts,
    progress: bool,
) -> list[Relation]:
    async def name(pair: tuple[int, int, float]) -> list[Relation]:
        try:
            return await type_by_model(points, [pair], heard.llm, prompts)
        except EmptyReply:
            return []

    relations: list[Relation] = []
    with tqdm(total=len(pairs), desc="relations", unit="pair", disable=not progress) as bar:
        for start in range(0, len(pairs), AT_ONCE):
            part = pairs[start : start + AT_ONCE]
            for named in await asyncio.gather(*map(name, part)):
                relations += named
            bar.update(len(part))
    return relations
