"""Which evidence graph a question is asked of: the corpus's one, or that of the question's own document."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path

from common.benchmarks.question import Question
from common.documents.model import Document
from common.llm import LLM
from common.prompting import Prompts
from common.retrieval import Encoder
from flowreader.construction import build_with_model, build_without_model
from flowreader.graph import EvidenceGraph
from flowreader.options import ConstructionOptions

WHOLE = ""  # the name of the graph over all documents
CONSTRUCTION = ("analyze_text", "analyze_visual", "evolve")  # prompts that shape a graph a model writes


class UnknownDocument(LookupError):
    """A question's document is not in the corpus; the message names both."""


@dataclass(frozen=True)
class Graphs:
    """The graphs of one corpus, each built when its first question comes. `closed`: one a document, not one for all.

    With `options.model` the replies of construction come from the call cache, so replay builds the same graph.
    """

    documents: Sequence[Document]
    encoder: Encoder
    llm: LLM
    prompts: Prompts
    options: ConstructionOptions
    assets: Path
    closed: bool
    built: dict[str, EvidenceGraph] = field(default_factory=dict, compare=False, repr=False)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock, compare=False, repr=False)

    @cached_property
    def sha256(self) -> str:
        """Over all that the graphs are made from: every fragment, the options, the encoder, a model's prompts."""
        digest = hashlib.sha256(
            json.dumps([self.encoder.name, self.encoder.revision, self.options.digest(), self.closed]).encode()
        )
        for name in CONSTRUCTION if self.options.model else ():
            digest.update(self.prompts.texts[name].encode())
        for document in self.documents:
            for fragment in document.fragments:
                digest.update(json.dumps(asdict(fragment), sort_keys=True).encode())
        return digest.hexdigest()

    async def of(self, question: Question) -> EvidenceGraph:
        """The graph of a question. Raises `UnknownDocument`, and `ValueError` for documents without any unit."""
        name = (question.document_id or WHOLE) if self.closed else WHOLE
        async with self.lock:
            if name not in self.built:
                self.built[name] = await self._build(self._documents(name, question.question_id))
        return self.built[name]

    async def _build(self, documents: Sequence[Document]) -> EvidenceGraph:
        if not self.options.model:
            return build_without_model(documents, self.encoder, self.options)[0]
        graph, _ = await build_with_model(
            documents, self.encoder, self.llm, self.prompts, self.options, assets=self.assets
        )
        return graph

    def _documents(self, name: str, question_id: str) -> Sequence[Document]:
        if name == WHOLE:
            return self.documents
        found = [document for document in self.documents if document.document_id == name]
        if not found:
            raise UnknownDocument(
                f"question {question_id} is asked of document {name!r}, which is not in the corpus snapshot of "
                f"{len(self.documents)} documents; complete the folder and record with --rebuild"
            )
        return found
