"""The same kind of world scaled up without PDFs: fragments by the hundred thousand for experiments on corpus size."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import replace

from common.benchmarks.pocket.article import Article, Figure, Heading, Paragraph, TableBlock
from common.benchmarks.pocket.articles import write_articles
from common.benchmarks.pocket.build import build_world
from common.documents.model import Fragment, FragmentKind, Table

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
    document = article.document_id + suffix
    info = Table(("Field", "Value"), article.infobox)
    yield _fragment(document, 1, "text", " ".join(paragraph.text for paragraph in article.lead), 0, (article.title,))
    box = _fragment(
        document,
        1,
        "table",
        f"{article.title}: " + "; ".join(f"{key} {value}" for key, value in article.infobox),
        1,
        (article.title,),
    )
    yield replace(box, table=info)
    order = 2
    heading: tuple[str, ...] = (article.title,)
    for index, block in enumerate(article.blocks):
        page = 1 if 2 * index < len(article.blocks) else 2
        match block:
            case Heading(text):
                heading = (article.title, text)
                continue
            case Paragraph(text=text):
                yield _fragment(document, page, "text", text, order, heading)
            case Figure(caption=caption):
                yield replace(_fragment(document, page, "image", caption, order, heading), caption=caption)
            case TableBlock(caption=caption, columns=columns, rows=rows):
                text = f"{caption}: " + "; ".join(" | ".join(row) for row in rows)
                yield replace(
                    _fragment(document, page, "table", text, order, heading),
                    caption=caption,
                    table=Table(columns, rows),
                )
        order += 1


def _fragment(
    document: str, page: int, kind: FragmentKind, text: str, order: int, heading: tuple[str, ...]
) -> Fragment:
    digest = hashlib.sha256(f"{document}|{page}|{kind}|{order}|{text}".encode()).hexdigest()[:16]
    return Fragment(f"frag_{digest}", document, page, kind, text, order, heading)
