"""Headings and table cells by liteparse. Its Markdown is never used: it drops lines."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import liteparse

from common.documents.geometry import Box
from common.documents.page import Blocks, HeadingBlock, TableBlock

LEAST_COVERAGE = 0.98  # of pdfium's words; below it liteparse lost text and its structure is not believed
EMPHASIS = re.compile(r"(\*\*|__|(?<!\w)\*(?=\S)|(?<=\S)\*(?!\w))")


def read_blocks(path: Path, page_count: int) -> dict[int, Blocks]:
    """Blocks by 1-based page. A page or file liteparse cannot read is left out: the text layer still stands."""
    parser = liteparse.LiteParse(
        ocr_enabled=False, quiet=True, extract_blocks=True, num_workers=1, image_mode="off", max_pages=page_count
    )
    try:
        result = parser.parse(str(path))
    except liteparse.ParseError:
        return {}
    return {page.page_num: Blocks(*_structure(page.blocks or []), page.text) for page in result.pages}


def _structure(
    blocks: list[liteparse.LayoutBlock],
) -> tuple[tuple[HeadingBlock, ...], tuple[TableBlock, ...]]:
    headings, tables = [], []
    for block in blocks:
        if block.bbox is None:
            continue
        box: Box = (block.bbox.x, block.bbox.y, block.bbox.x + block.bbox.width, block.bbox.y + block.bbox.height)
        if block.kind == "heading" and block.text:
            headings.append(HeadingBlock(plain(block.text), block.level or 1, box))
        elif block.kind == "table" and block.rows is not None:
            grid = tuple(tuple(plain(cell.text) for cell in row) for row in _rows(block))
            tables.append(TableBlock(grid, box))
    return tuple(headings), tuple(tables)


def _rows(block: liteparse.LayoutBlock) -> Iterator[list[liteparse.LayoutCell]]:
    if block.header:
        yield block.header
    yield from block.rows or []


def plain(text: str) -> str:
    """Text without the Markdown emphasis liteparse adds."""
    return " ".join(EMPHASIS.sub("", text).replace("<br>", " ").replace("\\|", "|").split())


def trusted(blocks: Blocks, page_text: str) -> bool:
    """Whether liteparse read (nearly) all the words pdfium did. Words one of them cuts in two are found in its text
    without spaces."""
    reference, own = _words(page_text), _words(blocks.text)
    total = sum(reference.values())
    if total == 0:
        return False
    missing = reference - own
    if sum(missing.values()) <= (1 - LEAST_COVERAGE) * total:
        return True
    solid = "".join(re.findall(r"\w+", unicodedata.normalize("NFKC", blocks.text)))
    lost = sum(count for word, count in missing.items() if word not in solid)
    return lost <= (1 - LEAST_COVERAGE) * total


def _words(text: str) -> Counter[str]:
    return Counter(re.findall(r"\w+", unicodedata.normalize("NFKC", text)))
