"""The true extent of a table: the layout model cuts off header rows and takes in the prose below."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from common.documents.captions import is_caption_start
from common.documents.geometry import Box, area, holds_centre, inside_share, union
from common.documents.page import Word
from common.documents.reading_order import rows_of

CELL_GAP = 1.2  # of a line height: white between two cells
ROW_GAP = 1.3  # of a line height: more white ends the table
INNER_GAP = 1.6  # the same inside the box the layout model drew
MAX_GROWTH = 3  # rows on either side
SENTENCE = 9  # words of a row that reads as prose when its phrases hold PHRASE words or more
PHRASE = 5


@dataclass(frozen=True)
class _Row:
    box: Box
    inside: bool
    cells: bool  # two phrases or more with wide white between them
    prose: bool


def fit(box: Box, words: Sequence[Word]) -> Box:
    """The box moved to whole rows: header rows next to it taken in, running text at its ends left out."""
    heights = [word.box[3] - word.box[1] for word in words if holds_centre(box, word.box)]
    if not heights:
        return box
    height = median(heights)
    near = [word for word in words if box[0] - height <= (word.box[0] + word.box[2]) / 2 <= box[2] + height]
    rows = [_row(row, box, height) for row in rows_of(near)]
    tabular = [index for index, row in enumerate(rows) if row.inside and row.cells]
    if not tabular:
        return box
    first = _reach(rows, tabular[0], -1, height)
    last = _reach(rows, tabular[-1], 1, height)
    taken = [row.box for row in rows[first : last + 1] if row.inside or row.cells]
    above = rows[first - 1].box[3] if first else 0.0
    below = rows[last + 1].box[1] if last + 1 < len(rows) else float("inf")
    top = min(min(place[1] for place in taken), max(box[1], above + 1))  # ruling lines stay, other rows do not
    bottom = max(max(place[3] for place in taken), min(box[3], below - 1))
    return min(box[0], *(place[0] for place in taken)), top, max(box[2], *(place[2] for place in taken)), bottom


def _row(words: Sequence[Word], box: Box, height: float) -> _Row:
    place = union(word.box for word in words)
    gaps = [right.box[0] - left.box[2] for left, right in zip(words, words[1:], strict=False)]
    text = " ".join(word.text for word in words)
    wide = sum(gap > CELL_GAP * height for gap in gaps)
    count = len(text.split())
    prose = (count >= SENTENCE and count >= PHRASE * (wide + 1)) or is_caption_start(text)
    return _Row(place, holds_centre(box, place), wide > 0 and not prose, prose)


def _reach(rows: Sequence[_Row], index: int, step: int, height: float) -> int:
    """Index of the outermost row that still belongs: cells touching the table, or a short line inside the box."""
    grown = 0
    while 0 <= index + step < len(rows):
        row = rows[index + step]
        upper, lower = sorted((rows[index].box, row.box), key=lambda place: place[1])
        free = lower[1] - upper[3]
        grown += not row.inside
        if row.prose or not (row.inside or row.cells) or grown > MAX_GROWTH:
            break
        if free > (INNER_GAP if row.inside else ROW_GAP) * height:
            break
        index += step
    return index


def tight_box(box: Box, words: Sequence[Word], page: Box) -> Box:
    """The box grown to hold whole the words it cuts, within the page."""
    cut = [word.box for word in words if inside_share(word.box, box) > 0.5]
    grown = union([box, *cut]) if cut else box
    x0, y0 = max(page[0], grown[0] - 2), max(page[1], grown[1] - 2)
    x1, y1 = min(page[2], grown[2] + 2), min(page[3], grown[3] + 2)
    return (x0, y0, x1, y1) if area((x0, y0, x1, y1)) > 0 else box
