"""Which knowledge base a question is asked of: the corpus's one, or that of the question's own document."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Protocol

from common.benchmarks.question import Question
from common.documents.model import Document
from common.retrieval import Encoder
from experiments.running.own_document import own_document
from knowforge.base import BaseOptions, KnowledgeBase


class Bases(Protocol):
    """The knowledge bases of one corpus. `sha256` names the content of the whole corpus and how it is indexed."""

    @property
    def closed(self) -> bool: ...

    @property
    def sha256(self) -> str: ...

    def of(self, question: Question) -> KnowledgeBase: ...


@dataclass(frozen=True)
class OpenBase:
    """One base over all documents, built when first asked for."""

    documents: Sequence[Document]
    encoder: Encoder
    assets: Path
    options: BaseOptions = field(default_factory=BaseOptions)
    closed = False

    @cached_property
    def whole(self) -> KnowledgeBase:
        return KnowledgeBase.build(self.documents, self.encoder, self.assets, self.options)

    @property
    def sha256(self) -> str:
        return self.whole.sha256

    def of(self, question: Question) -> KnowledgeBase:
        return self.whole


@dataclass(frozen=True)
class DocumentBases:
    """A base for each document, built when its first question comes: a long document takes minutes to embed."""

    documents: Sequence[Document]
    encoder: Encoder
    assets: Path
    options: BaseOptions = field(default_factory=BaseOptions)
    built: dict[str, KnowledgeBase] = field(default_factory=dict, compare=False, repr=False)
    closed = True

    @cached_property
    def sha256(self) -> str:
        """Over every fragment of every document, the options and the encoder; relations follow from these."""
        digest = hashlib.sha256(
            json.dumps([self.encoder.name, self.encoder.revision, asdict(self.options)], sort_keys=True).encode()
        )
        for document in self.documents:
            digest.update(json.dumps([document.document_id, document.title]).encode())
            for fragment in document.fragments:
                digest.update(json.dumps(asdict(fragment), sort_keys=True).encode())
        return digest.hexdigest()

    def of(self, question: Question) -> KnowledgeBase:
        """The base of the question's document. Raises `UnknownDocument`, and `ValueError` for one without text."""
        name = question.document_id or ""
        if name not in self.built:
            document = own_document(question, self.documents)
            self.built[name] = KnowledgeBase.build([document], self.encoder, self.assets, self.options)
        return self.built[name]


def bases_for(
    questions: Sequence[Question], documents: Sequence[Document], encoder: Encoder, assets: Path, options: BaseOptions
) -> Bases:
    """Closed where every question names its document (MMLongBench-Doc), else open."""
    closed = bool(questions) and all(question.document_id for question in questions)
    made: Bases = (DocumentBases if closed else OpenBase)(documents, encoder, assets, options)
    return made
