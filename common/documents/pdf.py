"""A PDF -> pieces in reading order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pypdfium2 as pdfium
from tqdm import tqdm

from common.documents import ocr
from common.documents.blocks import read_blocks
from common.documents.errors import DocumentError
from common.documents.furniture import repeated_lines, without_repeats
from common.documents.headings import Heading, document_headings
from common.documents.model import Section
from common.documents.options import ParseOptions
from common.documents.page import Blocks, Media, Page, Piece
from common.documents.page_pieces import page_pieces
from common.documents.pdf_page import read_page
from common.documents.table_grid import group_cells
from common.documents.table_text import make_table

TAIL = 65536  # bytes; a whole PDF ends with its cross-reference mark well within them
PROGRESS_PAGES = 20


@dataclass(frozen=True)
class Parsed:
    """A document before it is cut to fragments."""

    title: str
    pieces: tuple[Piece, ...]
    sections: tuple[Section, ...]
    page_count: int
    ocr_pages: tuple[int, ...] = ()
    characters: int = 0


def parse_pdf(path: Path, options: ParseOptions, *, progress: bool = False) -> Parsed:
    """Read a PDF. DocumentError: encrypted, truncated or damaged."""
    with _open(path) as pdf:
        blocks = read_blocks(path, len(pdf))
        pages = []
        for number in tqdm(
            range(1, len(pdf) + 1),
            path.name,
            disable=not progress or len(pdf) < PROGRESS_PAGES,
            leave=False,
            unit="page",
        ):
            pages.append(_read(pdf, number, blocks.get(number, Blocks()), options))
        outline = _outline(pdf)
        title = " ".join((pdf.get_metadata_dict().get("Title") or "").split())
    return _assemble(path, pages, outline, title, options)


def _open(path: Path) -> pdfium.PdfDocument:
    tail = path.read_bytes()[-TAIL:]
    if b"%%EOF" not in tail and b"startxref" not in tail:
        raise DocumentError("truncated PDF: the end of the file is missing; copy or download it again")
    try:
        pdf = pdfium.PdfDocument(path)
        if len(pdf) == 0:
            raise DocumentError("damaged PDF: it has no page; copy or download it again")
        return pdf
    except pdfium.PdfiumError as error:
        if "password" in str(error).lower() or "security" in str(error).lower():
            raise DocumentError("encrypted PDF: it needs a password; store a decrypted copy instead") from error
        raise DocumentError(f"damaged or truncated PDF: {error}") from error


def _read(pdf: pdfium.PdfDocument, number: int, blocks: Blocks, options: ParseOptions) -> Page:
    try:
        page = pdf[number - 1]
        try:
            return read_page(page, number, blocks, options)
        finally:
            page.close()
    except pdfium.PdfiumError as error:
        raise DocumentError(f"damaged PDF: page {number} of {len(pdf)} cannot be read ({error})") from error


def _outline(pdf: pdfium.PdfDocument) -> list[Section]:
    sections = []
    for mark in pdf.get_toc():
        target = mark.get_dest()
        index = target.get_index() if target is not None else None
        title = " ".join((mark.get_title() or "").split())
        if index is not None and title:
            sections.append(Section(mark.level + 1, title, index + 1))
    return sections


def _assemble(
    path: Path, pages: Sequence[Page], outline: Sequence[Section], title: str, options: ParseOptions
) -> Parsed:
    furniture = repeated_lines(pages, options.repeated_share)
    media = [
        _with_ocr(found, page, options)
        for page, found in zip(pages, without_repeats(pages, options.repeated_share), strict=True)
    ]
    headings = [h for h in document_headings(pages, outline) if h.line not in furniture.get(h.page, ())]
    by_page: dict[int, list[Heading]] = {}
    for heading in headings:
        by_page.setdefault(heading.page, []).append(heading)
    pieces = [
        piece
        for page, found in zip(pages, media, strict=True)
        for piece in page_pieces(page, found, by_page.get(page.number, []), furniture[page.number])
    ]
    sections = tuple(outline) or tuple(Section(h.level, h.title, h.page) for h in headings)
    first = next((h.title for h in headings if h.page == 1), "")
    return Parsed(
        title if len(title) > 3 else first or path.stem,
        tuple(pieces),
        sections,
        len(pages),
        tuple(page.number for page in pages if page.from_ocr),
        sum(len(line.text) for page in pages for line in page.lines),
    )


def _with_ocr(media: Sequence[Media], page: Page, options: ParseOptions) -> tuple[Media, ...]:
    """Read crops that hold (nearly) no text of their own; a scanned page has been read already."""
    if not options.ocr or page.from_ocr:
        return tuple(media)
    return tuple(_read_crop(item, options) if len(item.inner) < options.ocr_media_below else item for item in media)


def _read_crop(item: Media, options: ParseOptions) -> Media:
    words = ocr.read_words(ocr.decode_picture(item.png, "crop"), threads=options.threads)
    read = replace(item, inner=ocr.join(words)) if words else item
    if item.kind == "table" and item.table is None and words:
        grid = group_cells(words)
        read = replace(read, table=make_table(grid) if grid and len(grid[0]) > 1 else None)
    return read
