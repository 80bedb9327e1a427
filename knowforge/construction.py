"""Building a knowledge base with either extractor, and what the model phases spent (KnowForge 3.1)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from tqdm import tqdm

from common.documents.model import Document, Fragment
from common.llm import EmptyReply
from common.llm.listening import Listener, ModelClient
from common.prompting import Prompts
from common.records import Usage
from common.retrieval import Encoder
from knowforge.base import BaseOptions, KnowledgeBase, related_pairs
from knowforge.ledger import IndexLedger, ledger_of
from knowforge.points import KnowledgePoint, Relation, points_from_model, type_by_model

Job = TypeVar("Job")
Found = TypeVar("Found")
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
    client: ModelClient,
    prompts: Prompts,
    options: BaseOptions | None = None,
    *,
    progress: bool = True,
) -> Built:
    """Points and relation types from the model; only pairs recalled by embedding are typed.

    A text fragment or a pair the model answers with nothing is left out; any other `LLMError` is raised. Over a
    recording call cache a killed build goes on where it stopped.
    """
    heard = Listener(client)
    points = await _points(documents, heard, prompts, progress)
    pairs = related_pairs(points, encoder, options or BaseOptions())
    relations = await _relations(points, pairs, heard, prompts, progress)
    base = KnowledgeBase.assemble(documents, points, relations, encoder, assets)
    return Built(base, heard.usage)


async def _points(
    documents: Sequence[Document], heard: Listener, prompts: Prompts, progress: bool
) -> list[KnowledgePoint]:
    async def extract(job: tuple[Fragment, str]) -> list[KnowledgePoint]:
        return await points_from_model(*job, heard.llm, prompts)

    jobs = [(f, d.title) for d in documents for f in d.fragments if f.kind == "text" and f.text.strip()]
    found = await _each(jobs, extract, "knowledge points", progress)
    return list({point.point_id: point for point in found}.values())  # a model that says the same twice makes one point


async def _relations(
    points: Sequence[KnowledgePoint],
    pairs: Sequence[tuple[int, int, float]],
    heard: Listener,
    prompts: Prompts,
    progress: bool,
) -> list[Relation]:
    async def name(pair: tuple[int, int, float]) -> list[Relation]:
        first, second, cosine = pair
        return await type_by_model(points[first], points[second], cosine, heard.llm, prompts)

    return await _each(pairs, name, "relations", progress)


async def _each(
    jobs: Sequence[Job], ask: Callable[[Job], Awaitable[list[Found]]], title: str, progress: bool
) -> list[Found]:
    """What the model finds for every job, in their order; nothing for a job that it answers with nothing."""

    async def asked(job: Job) -> list[Found]:
        try:
            return await ask(job)
        except EmptyReply:
            return []

    found: list[Found] = []
    with tqdm(total=len(jobs), desc=title, disable=not progress) as bar:
        for start in range(0, len(jobs), AT_ONCE):
            part = jobs[start : start + AT_ONCE]
            for more in await asyncio.gather(*map(asked, part)):
                found += more
            bar.update(len(part))
    return found
