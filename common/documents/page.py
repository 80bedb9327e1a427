"""What the readers of one page hand to each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from common.documents.geometry import Box
from common.documents.model import Table

RegionKind = Literal["figure", "table", "caption"]


@dataclass(frozen=True)
class Word:
    """A word of the text layer, or one text box of OCR (several words)."""

    text: str
    box: Box
    bold: bool = False


@dataclass(frozen=True)
class Line:
    """A line in reading order. `soft_hyphen`: it ends in a hyphen that only breaks a word."""

    text: str
    box: Box
    soft_hyphen: bool = False


@dataclass(frozen=True)
class Region:
    """A box of the layout model."""

    kind: RegionKind
    box: Box
    score: float


@dataclass(frozen=True)
class HeadingBlock:
    text: str
    level: int
    box: Box


@dataclass(frozen=True)
class TableBlock:
    grid: tuple[tuple[str, ...], ...]
    box: Box


@dataclass(frozen=True)
class Blocks:
    """Structure read by the second reader (liteparse). `text` is its own reading of the page, to check it by."""

    headings: tuple[HeadingBlock, ...] = ()
    tables: tuple[TableBlock, ...] = ()
    text: str = ""


@dataclass(frozen=True)
class Media:
    """A figure or table cut out of a page. `inner` is the text found in its box; `lines` are the lines it replaces."""

    kind: Literal["image", "table"]
    box: Box
    png: bytes
    inner: str = ""
    caption: str = ""
    table: Table | None = None
    lines: frozenset[int] = frozenset()
    caption_lines: tuple[int, ...] = ()
    look: bytes = b""  # thumbnail, to see repeats


@dataclass(frozen=True)
class Page:
    """One page, read. `number` is 1-based; width and height are those of the page as displayed."""

    number: int
    width: float
    height: float
    lines: tuple[Line, ...]
    media: tuple[Media, ...] = ()
    headings: tuple[HeadingBlock, ...] = ()
    from_ocr: bool = False


@dataclass(frozen=True)
class Piece:
    """A stretch of a document in reading order, before it is cut to fragments; the same for PDF and HTML."""

    page: int
    kind: Literal["heading", "text", "example", "image", "table"]
    text: str = ""
    level: int = 0
    caption: str = ""
    box: Box | None = None
    png: bytes | None = None
    table: Table | None = None
