"""The text a media fragment is found by, written without a model (KnowForge: description)."""

from __future__ import annotations

import re

from common.documents.model import Table
from common.documents.paragraphs import SENTENCE_END, first_words
from common.documents.table_text import serialise

PICTURE_WORDS = 160
LABEL = re.compile(
    r"^\W*((?:fig(?:ure)?|table|tab|chart|exhibit|graph|map|diagram|plate)s?)\.?\s*([A-Z]?\d+[\d.\-]*)", re.I
)


def describe_table(caption: str, table: Table | None, inner: str) -> str:
    """Caption, header and rows; the plain text of the box when it has no cells."""
    body = serialise(table) if table is not None else inner
    return "\n".join(part for part in (caption, body) if part)


def describe_picture(caption: str, inner: str, heading: tuple[str, ...], context: str) -> str:
    """Caption, the text inside the picture, and where it stands, each on lines of its own."""
    parts = [caption]
    if inner:
        parts.append("Text in the picture: " + first_words(inner, PICTURE_WORDS))
    around = " > ".join(heading)
    if around or context:
        parts.append("On the page: " + " | ".join(part for part in (around, context) if part))
    return "\n".join(part for part in parts if part)


def page_context(caption: str, before: str, page_text: str, words: int) -> str:
    """The sentence of the page that mentions the caption's label, else the end of the text just before."""
    label = LABEL.match(caption)
    if label is not None:
        number = re.escape(label[2].rstrip(".-"))
        mention = re.compile(rf"\b{label[1][:3]}\w*\.?\s*{number}(?!\d)", re.I)
        for sentence in SENTENCE_END.split(page_text):
            if mention.search(sentence):
                return first_words(sentence, words)
    tail = before.split()[-words:]
    return " ".join(tail)
