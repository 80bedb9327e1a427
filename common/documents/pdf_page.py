"""One PDF page -> lines, media and headings."""

from __future__ import annotations

from collections.abc import Sequence

import pypdfium2 as pdfium

from common.documents import layout, ocr
from common.documents.blocks import trusted
from common.documents.captions import assign_captions, is_caption_start
from common.documents.figures import WHOLE_PAGE, figure_boxes, raster_boxes
from common.documents.geometry import Box, area, holds_centre
from common.documents.options import ParseOptions
from common.documents.page import Blocks, HeadingBlock, Line, Media, Page, Region, Word
from common.documents.pdf_text import placement, read_text
from common.documents.reading_order import lines_of
from common.documents.render import Rendering, render, to_png
from common.documents.tables import read_cells, table_boxes, tight_box

SENTENCE_WORDS = 8  # a longer line inside a figure is prose: it stays in the text too
BLANK_DEVIATION = 2.0  # of grey levels; a page or crop below it shows nothing


def read_page(page: pdfium.PdfPage, number: int, blocks: Blocks, options: ParseOptions) -> Page:
    """Everything one page says. `blocks` is liteparse's reading of it, empty when there is none."""
    width, height = page.get_size()
    whole: Box = (0.0, 0.0, width, height)
    lines, words = read_text(page)
    characters = sum(len(line.text) for line in lines)
    poor = characters < options.ocr_pages_below
    rendering = render(page, options.render_dpi) if options.layout or (poor and options.ocr) else None
    scanned = False
    if poor and options.ocr and rendering is not None and not _blank(rendering):
        found = _ocr_words(rendering, options)
        if sum(len(word.text) for word in found) > characters:
            lines, words, scanned = lines_of(found), found, True
    if scanned or not trusted(blocks, " ".join(line.text for line in lines)):
        blocks = Blocks()
    regions = layout.find_regions(rendering.pixels, rendering.scale, threads=options.threads) if options.layout and rendering else ()
    tables, figures = _boxes(page, regions, blocks, whole, sum(len(line.text) for line in lines), options)
    media: tuple[Media, ...] = ()
    if tables or figures:
        rendering = rendering or render(page, options.render_dpi)
        media = _media(tables, figures, lines, words, regions, blocks, rendering, whole)
    return Page(number, width, height, lines, media, _headings(blocks.headings, media), scanned)


def _blank(rendering: Rendering) -> bool:
    return float(rendering.pixels[::4, ::4].std()) < BLANK_DEVIATION


def _ocr_words(rendering: Rendering, options: ParseOptions) -> tuple[Word, ...]:
    scale = rendering.scale
    found = ocr.read_words(rendering.pixels, threads=options.threads)
    return tuple(Word(word.text, _scaled(word.box, 1 / scale)) for word in found)


def _scaled(box: Box, factor: float) -> Box:
    return box[0] * factor, box[1] * factor, box[2] * factor, box[3] * factor


def _boxes(
    page: pdfium.PdfPage,
    regions: Sequence[Region],
    blocks: Blocks,
    whole: Box,
    characters: int,
    options: ParseOptions,
) -> tuple[list[Box], list[Box]]:
    seen_tables = [r.box for r in regions if r.kind == "table" and r.score >= options.table_score]
    seen_figures = [r.box for r in regions if r.kind == "figure" and r.score >= options.figure_score]
    tables = table_boxes(seen_tables, blocks)
    figures = figure_boxes(seen_figures, raster_boxes(page, placement(page)), tables, whole, characters)
    if seen_tables or seen_figures:  # the page-wide raster under a scan is its paper, not one more figure
        figures = [box for box in figures if area(box) < WHOLE_PAGE * area(whole) or box in seen_figures]
    return tables, figures


def _media(
    tables: Sequence[Box],
    figures: Sequence[Box],
    lines: Sequence[Line],
    words: Sequence[Word],
    regions: Sequence[Region],
    blocks: Blocks,
    rendering: Rendering,
    whole: Box,
) -> tuple[Media, ...]:
    owners = [("table", box) for box in tables] + [("image", box) for box in figures]
    captions = assign_captions(owners, lines, regions)
    media = []
    for (kind, box), caption in zip(owners, captions, strict=True):
        said = set(caption)
        inner = [i for i, line in enumerate(lines) if holds_centre(box, line.box) and i not in said]
        outer = tight_box(box, words, whole)
        crop, _ = rendering.crop(outer)
        if crop.size == 0 or float(crop.std()) < BLANK_DEVIATION:
            continue
        table, replaced = None, [i for i in inner if len(lines[i].text.split()) <= SENTENCE_WORDS]
        if kind == "table":
            taken = {lines[i].box for i in caption}
            free = [w for w in words if not any(holds_centre(line, w.box, 0.0) for line in taken)]
            table = read_cells(box, free, blocks, rendering)
            replaced = inner if table is not None else replaced
        text = "\n".join(lines[i].text for i in inner)
        said_text = " ".join(lines[i].text for i in caption)
        media.append(
            Media("table" if kind == "table" else "image", outer, to_png(crop), text, said_text, table,
                  frozenset(replaced), caption)
        )
    return tuple(media)


def _headings(blocks: Sequence[HeadingBlock], media: Sequence[Media]) -> tuple[HeadingBlock, ...]:
    return tuple(
        block
        for block in blocks
        if not is_caption_start(block.text) and not any(holds_centre(item.box, block.box) for item in media)
    )
