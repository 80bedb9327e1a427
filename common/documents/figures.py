"""Boxes of pictures and charts on a page."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import cv2
import numpy as np
import pypdfium2 as pdfium
import pypdfium2.raw as raw

from common.documents.geometry import Box, area, inside_share, intersection, merge_overlapping
from common.documents.page import Word
from common.documents.pdf_text import Placement
from common.documents.render import Rendering

LEAST_SIDE = 30.0  # points; smaller is a bullet, an icon, a rule
LEAST_SHARE = 0.006  # of the page
RASTER_SHARE = 0.03  # a raster image the layout model passed over must be this large
WHOLE_PAGE = 0.85
BACKGROUND_TEXT = 300  # characters over a whole-page raster that make it a background
MARGIN = 2.0  # points around a word its glyphs may reach
INK = 40  # grey levels from the paper
LEAST_INK = 0.004  # share of a crop that is drawn
MAX_OBJECTS = 4000  # page objects looked at: maps hold millions of paths


def raster_boxes(page: pdfium.PdfPage, place: Placement) -> list[Box]:
    """Boxes of the raster images on a page."""
    boxes = []
    objects = page.get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE], max_depth=3)
    for item in itertools.islice(objects, MAX_OBJECTS):
        left, bottom, right, top = item.get_bounds()
        holder = item.container
        while holder is not None:  # bounds are in the space of the form the image is drawn in
            left, bottom, right, top = holder.get_matrix().on_rect(left, bottom, right, top)
            holder = holder.container
        boxes.append(place.box(left, top, right, bottom))
    return boxes


def only_text(box: Box, words: Sequence[Word], rendering: Rendering) -> bool:
    """Whether a figure box frames nothing but words: with them painted over, the crop is one colour."""
    crop, (left, top) = rendering.crop(box)
    grey = cv2.cvtColor(crop, cv2.COLOR_RGB2GRAY)
    paper = int(np.median(grey))
    scale = rendering.scale
    for word in words:
        x0, y0 = int((word.box[0] - left - MARGIN) * scale), int((word.box[1] - top - MARGIN) * scale)
        x1, y1 = int((word.box[2] - left + MARGIN) * scale), int((word.box[3] - top + MARGIN) * scale)
        grey[max(0, y0) : max(0, y1), max(0, x0) : max(0, x1)] = paper
    drawn = np.abs(grey.astype(np.int16) - paper) > INK
    return float(drawn.mean()) < LEAST_INK


def figure_boxes(
    seen: Sequence[Box], rasters: Sequence[Box], tables: Sequence[Box], page: Box, characters: int
) -> list[Box]:
    """Figures the layout model sees, plus large raster images it does not; tables win over figures."""
    whole = area(page)
    boxes = [intersection(box, page) for box in merge_overlapping(seen)]
    for raster in merge_overlapping([intersection(box, page) for box in rasters if area(intersection(box, page)) > 0]):
        share = area(raster) / whole
        if share < RASTER_SHARE or any(inside_share(raster, b) > 0.3 or inside_share(b, raster) > 0.5 for b in boxes):
            continue
        if share < WHOLE_PAGE or characters < BACKGROUND_TEXT:
            boxes.append(raster)
    kept = [
        box
        for box in merge_overlapping(boxes)
        if min(box[2] - box[0], box[3] - box[1]) >= LEAST_SIDE
        and area(box) >= LEAST_SHARE * whole
        and not any(inside_share(box, table) > 0.5 for table in tables)
    ]
    return sorted(kept, key=lambda box: (box[1], box[0]))
