"""What a parsed document is made of: pages and typed fragments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

FragmentKind = Literal["text", "image", "table", "example"]
MEDIA_KINDS = ("image", "table")


@dataclass(frozen=True)
class Table:
    """Cells of a table. `columns` may be empty strings when the table has no header."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Fragment:
    """The unit of retrieval (KnowForge 3.1): one text, image, table or example piece of one page.

    `text` is what retrieval sees: the prose itself, or the description of a media fragment
    (OCR text + caption + page context). `bbox` is (x0, y0, x1, y1) in PDF points, origin top left.
    `asset` is the file name of the cropped PNG, relative to the corpus's asset folder.
    """

    fragment_id: str  # "frag_" + 16 hex digits
    document_id: str
    page: int  # 1-based, the PDF's own count
    kind: FragmentKind
    text: str
    order: int  # reading order inside the document, 0-based
    heading: tuple[str, ...] = ()  # heading path, outermost first
    caption: str = ""
    bbox: tuple[float, float, float, float] | None = None
    asset: str | None = None
    table: Table | None = None

    @property
    def is_media(self) -> bool:
        return self.kind in MEDIA_KINDS


@dataclass(frozen=True)
class Section:
    """One line of a table of contents."""

    level: int
    title: str
    page: int


@dataclass(frozen=True)
class Document:
    """One parsed file. `sha256` is of the file's bytes; `ocr_pages` lists the pages read by OCR."""

    document_id: str
    title: str
    source: str  # file name relative to the parsed folder
    sha256: str
    page_count: int
    fragments: tuple[Fragment, ...]
    sections: tuple[Section, ...] = ()
    ocr_pages: tuple[int, ...] = ()
    characters: int = 0
