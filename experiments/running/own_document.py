"""The document a question of a closed domain is asked of."""

from __future__ import annotations

from collections.abc import Sequence

from common.benchmarks.question import Question
from common.documents.model import Document


class UnknownDocument(LookupError):
    """A question's document is not in the corpus; the message names both."""


def own_document(question: Question, documents: Sequence[Document]) -> Document:
    """The document that `question` names. Raises `UnknownDocument` where the corpus does not hold it."""
    name = question.document_id or ""
    for document in documents:
        if document.document_id == name:
            return document
    raise UnknownDocument(
        f"question {question.question_id} is asked of document {name!r}, which is not in the corpus snapshot of "
        f"{len(documents)} documents; complete the folder and record with --rebuild"
    )
