"""One PDF page -> lines, media and headings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pypdfium2 as pdfium

from common.documents import layout, ocr
from common.documents.blocks import trusted
from common.documents.captions import assign_captions, is_caption_start
from common.documents.figures import WHOLE_PAGE, figure_boxes, only_text, raster_boxes
from common.documents.geometry import Box, area, holds_centre, merge_overlapping, vertical_gap, x_overlap
from common.documents.options import ParseOptions
from common.documents.page import Blocks, HeadingBlock, Line, Media, Page, Region, Word
from common.documents.pdf_text import placement, read_text
from common.documents.reading_order import lines_of
from common.documents.render import Rendering, render, thumbnail, to_png
from common.documents.table_box import fit, tight_box
from common.documents.tables import read_cells, table_boxes

SENTENCE_WORDS = 8  # a longer line inside a figure is prose: it stays in the text too
TITLE_REACH = 60.0  # points between a title and the chart under it
BLANK_DEVIATION = 2.0  # of grey levels; a page or crop below it shows nothing


@dataclass
class _Reading:
    """What is known of a page while it is read."""

    page: pdfium.PdfPage
    box: Box
    lines: tuple[Line, ...]
    words: tuple[Word, ...]
    blocks: Blocks
    options: ParseOptions
    regions: tuple[Region, ...] = ()
    scanned: bool = False
    picture: Rendering | None = None

    @property
    def characters(self) -> int:
        return sum(len(line.text) for line in self.lines)

    @property
    def rendering(self) -> Rendering:
        """Drawn when first needed: text pages without layout never are."""
        if self.picture is None:
            self.picture = render(self.page, self.options.render_dpi)
        return self.picture


def read_page(page: pdfium.PdfPage, number: int, blocks: Blocks, options: ParseOptions) -> Page:
    """Everything one page says. `blocks` is liteparse's reading of it, empty when there is none."""
    width, height = page.get_size()
    reading = _Reading(page, (0.0, 0.0, width, height), *read_text(page), blocks, options)
    if options.ocr and reading.characters < options.ocr_pages_below:
        _read_scan(reading)
    if reading.scanned or not trusted(blocks, " ".join(line.text for line in reading.lines)):
        reading.blocks = Blocks()
    if options.layout:
        picture = reading.rendering
        reading.regions = layout.find_regions(picture.pixels, picture.scale, threads=options.threads)
    media = _media(reading)
    return Page(number, width, height, reading.lines, media, _headings(reading.blocks, media), reading.scanned)


def _read_scan(reading: _Reading) -> None:
    """Take the text OCR finds when it is more than the text layer holds."""
    picture = reading.rendering
    if float(picture.pixels[::4, ::4].std()) < BLANK_DEVIATION:
        return
    found = ocr.read_words(picture.pixels, threads=reading.options.threads)
    if sum(len(word.text) for word in found) > reading.characters:
        factor = 1 / picture.scale
        words = tuple(Word(word.text, _scaled(word.box, factor)) for word in found)
        reading.words, reading.lines, reading.scanned = words, lines_of(words), True


def _scaled(box: Box, factor: float) -> Box:
    return box[0] * factor, box[1] * factor, box[2] * factor, box[3] * factor


def _media(reading: _Reading) -> tuple[Media, ...]:
    tables, figures = _boxes(reading)
    owners = [("table", box) for box in tables] + [("image", box) for box in figures]
    captions = assign_captions(owners, reading.lines, reading.regions)
    media = []
    for (kind, box), caption in zip(owners, captions, strict=True):
        if kind == "image" and not caption and only_text(box, reading.words, reading.rendering):
            continue
        item = _table(reading, box, caption) if kind == "table" else _figure(reading, box, caption)
        if item is not None:
            media.append(item)
    return tuple(media)


def _boxes(reading: _Reading) -> tuple[list[Box], list[Box]]:
    options = reading.options
    seen_tables = [r.box for r in reading.regions if r.kind == "table" and r.score >= options.table_score]
    seen_figures = [r.box for r in reading.regions if r.kind == "figure" and r.score >= options.figure_score]
    tables = [fit(box, reading.words) for box in table_boxes(seen_tables, seen_figures, reading.blocks)]
    tables = merge_overlapping(tables, 0.3)
    rasters = raster_boxes(reading.page, placement(reading.page))
    figures = figure_boxes(seen_figures, rasters, tables, reading.box, reading.characters)
    if seen_tables or seen_figures:  # the page-wide raster under a scan is its paper, not one more figure
        figures = [box for box in figures if area(box) < WHOLE_PAGE * area(reading.box) or box in seen_figures]
    return tables, figures


def _figure(reading: _Reading, box: Box, caption: tuple[int, ...]) -> Media | None:
    inner = _inside(reading, box, caption)
    replaced = [i for i in inner if len(reading.lines[i].text.split()) <= SENTENCE_WORDS]
    return _cut(reading, Media("image", box, b"", lines=frozenset(replaced), caption_lines=caption), inner)


def _table(reading: _Reading, box: Box, caption: tuple[int, ...]) -> Media | None:
    inner = _inside(reading, box, caption)
    said = [reading.lines[i].box for i in caption]
    free = [word for word in reading.words if not any(holds_centre(line, word.box, 0.0) for line in said)]
    table = read_cells(box, free, reading.blocks, reading.rendering)
    if table is None and (not _seen(reading, box) or only_text(box, reading.words, reading.rendering)):
        return None
    replaced = inner if table is not None else ()
    item = Media("table", box, b"", table=table, lines=frozenset(replaced), caption_lines=caption)
    return _cut(reading, item, inner)


def _seen(reading: _Reading, box: Box) -> bool:
    return any(region.kind == "table" and holds_centre(box, region.box) for region in reading.regions)


def _inside(reading: _Reading, box: Box, caption: tuple[int, ...]) -> list[int]:
    return [i for i, line in enumerate(reading.lines) if holds_centre(box, line.box) and i not in caption]


def _cut(reading: _Reading, item: Media, inner: Sequence[int]) -> Media | None:
    """The medium with its picture, the text in it and its caption; None when the crop is blank."""
    outer = tight_box(item.box, reading.words, reading.box)
    crop, _ = reading.rendering.crop(outer)
    if crop.size == 0 or float(crop[::2, ::2].std()) < BLANK_DEVIATION:
        return None
    text = "\n".join(reading.lines[i].text for i in inner)
    caption = " ".join(reading.lines[i].text for i in item.caption_lines) or _title_above(reading, item.box)
    return replace(item, box=outer, png=to_png(crop), inner=text, caption=caption, look=thumbnail(crop))


def _title_above(reading: _Reading, box: Box) -> str:
    """The heading right above a chart or table without a caption: reports title their charts so."""
    above = [
        block
        for block in reading.blocks.headings
        if block.box[3] <= box[1] + TITLE_REACH / 4 and vertical_gap(block.box, box) <= TITLE_REACH
        if x_overlap(block.box, box) > 0.3
    ]
    return max(above, key=lambda block: block.box[3]).text if above else ""


def _headings(blocks: Blocks, media: Sequence[Media]) -> tuple[HeadingBlock, ...]:
    return tuple(
        block
        for block in blocks.headings
        if not is_caption_start(block.text) and not any(holds_centre(item.box, block.box) for item in media)
    )
