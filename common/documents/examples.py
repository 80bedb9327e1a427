"""What counts as an example: a piece headed so, or a code listing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from common.documents.page import Piece

HEADING = re.compile(
    r"^(\d+(\.\d+)*\.?\s+)?(worked|solved|illustrative)?\s*examples?(\s+[A-Z]?\d+([.\-]\d+)*)?\W*$", re.I
)
OPENING = re.compile(r"^((worked|solved)\s+example\b|example(\s+[A-Z]?\d+([.\-]\d+)*)?\s*[:.(–—])", re.I)
TITLED = re.compile(r"^(\d+(\.\d+)*\.?\s+)?((worked|solved)\s+)?example(\s+[A-Z]?\d+([.\-]\d+)*)?\s*[:.–—-]", re.I)


def is_example_heading(title: str) -> bool:
    """Everything under the heading is an example."""
    return bool(HEADING.match(title) or TITLED.match(title) or OPENING.match(title))


def opens_example(paragraph: str) -> bool:
    """The paragraph itself is one."""
    return bool(OPENING.match(paragraph))


def mark_examples(pieces: Sequence[Piece]) -> list[Piece]:
    """Text under an example heading becomes example, up to the next heading of any level."""
    marked, inside = [], False
    for piece in pieces:
        if piece.kind == "heading":
            inside = is_example_heading(piece.text)
        elif inside and piece.kind == "text":
            piece = replace(piece, kind="example")
        marked.append(piece)
    return marked
