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
from experiments.running.own_document import own_document
from flowreader.construction import build_with_model, build_without_model
from flowreader.graph import EvidenceGraph
from flowreader.options import ConstructionOptions

WHOLE = ""  # the name of the graph over all documents
CONSTRUCTION = ("analyze_text", "analyze_visual", "evolve")  # prompts that shape a graph a model writes


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
                documents = self.documents if name == WHOLE else [own_document(question, self.documents)]
                self.built[name] = await self._build(documents)
        return self.built[name]

    async def _build(self, documents: Sequence[Document]) -> EvidenceGraph:
        if not self.options.model:
            return build_without_model(documents, self.encoder, self.options)[0]
        graph, _ = await build_with_model(
            documents, self.encoder, self.llm, self.prompts, self.options, assets=self.assets
        )
        return graph
