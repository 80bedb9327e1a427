"""The same kind of world scaled up without PDFs: fragments by the hundred thousand for experiments on corpus size."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import replace

from common.benchmarks.pocket.article import Article, Figure, Heading, Paragraph, TableBlock
from common.benchmarks.pocket.articles import write_articles
from common.benchmarks.pocket.build import build_world
from common.documents.model import Fragment, Table

_WORLD = 128


def generate_text_fragments(n: int, seed: int = 20261129) -> Iterator[Fragment]:
    """Yields exactly `n` fragments, world after world; the first n of a longer run are the same.

    Documents of world w > 0 carry the suffix `__w<w>`; pages are estimated (two a document), tables and figures come as
    text. Raises ValueError for a negative n.
    """
    if n < 0:
        raise ValueError(f"n={n}: the number of fragments cannot be negative")
    made, number = 0, 0
    while made < n:
        suffix = f"__w{number}" if number else ""
        for article in write_articles(build_world(seed + number, _WORLD)).values():
            for fragment in _fragments(article, suffix):
                if made == n:
                    return
                made += 1
                yield fragment
        number += 1


def _fragments(article: Article, suffix: str) -> Iterator[Fragment]:
    """The pieces of an article, numbered and with ids made of what they hold."""
    for order, piece in enumerate(_pieces(article, article.document_id + suffix)):
        held = f"{piece.document_id}|{piece.page}|{piece.kind}|{order}|{piece.text}"
        yield replace(piece, fragment_id=f"frag_{hashlib.sha256(held.encode()).hexdigest()[:16]}", order=order)


def _pieces(article: Article, document: str) -> Iterator[Fragment]:
    """Lead, infobox and blocks in reading order, without id and number; half of the blocks count as page 1."""
    heading: tuple[str, ...] = (article.title,)
    lead = " ".join(paragraph.text for paragraph in article.lead)
    box = f"{article.title}: " + "; ".join(f"{key} {value}" for key, value in article.infobox)
    yield Fragment("", document, 1, "text", lead, 0, heading)
    yield Fragment("", document, 1, "table", box, 0, heading, table=Table(("Field", "Value"), article.infobox))
    for index, block in enumerate(article.blocks):
        page = 1 if 2 * index < len(article.blocks) else 2
        match block:
            case Heading(text):
                heading = (article.title, text)
            case Paragraph(text=text):
                yield Fragment("", document, page, "text", text, 0, heading)
            case Figure(caption=caption):
                yield Fragment("", document, page, "image", caption, 0, heading, caption)
            case TableBlock(caption=caption, columns=columns, rows=rows):
                text = f"{caption}: " + "; ".join(" | ".join(row) for row in rows)
                yield Fragment("", document, page, "table", text, 0, heading, caption, table=Table(columns, rows))
