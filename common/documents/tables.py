"""Tables of a page: where they are and what their cells say."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from common.documents.captions import is_caption_start
from common.documents.geometry import Box, area, holds_centre, inside_share, merge_overlapping, union, vertical_gap
from common.documents.model import Table
from common.documents.page import Blocks, Line, TableBlock, Word
from common.documents.render import Rendering
from common.documents.ruled import ruled_cells
from common.documents.table_grid import fill_cells, group_cells
from common.documents.table_text import make_table

LEAST_WORDS = 0.85  # of the words in the box a set of cells must hold
MAX_GROWTH = 3  # rows
MAX_CELL_WORDS = 10  # mean; longer cells are prose in columns, not a table


def table_boxes(seen: Sequence[Box], blocks: Blocks) -> list[Box]:
    """Boxes the layout model sees, and liteparse's tables where it sees none."""
    boxes = merge_overlapping(seen, 0.4)
    for block in blocks.tables:
        if _is_tabular(block) and not any(inside_share(block.box, box) > 0.3 for box in boxes):
            boxes.append(block.box)
    return sorted(merge_overlapping(boxes, 0.4), key=lambda box: (box[1], box[0]))


def read_cells(box: Box, words: Sequence[Word], blocks: Blocks, rendering: Rendering | None) -> Table | None:
    """Cells of the table in `box`: liteparse's when they hold its words, else ruled lines, else white columns."""
    inside = [word for word in words if holds_centre(box, word.box)]
    if not inside:
        return None
    grid = _from_blocks(box, inside, blocks)
    if grid is None and rendering is not None:
        grid = _from_lines(box, inside, rendering)
    if grid is None:
        grid = group_cells(inside)
    if grid is None or len(grid) < 2 or len(grid[0]) < 2:
        return None
    first = set(" ".join(grid[0]).split())
    top = [word for word in inside if word.text in first and word.box[1] < box[1] + 0.5 * (box[3] - box[1])]
    below = [word for word in inside if word not in top]
    return make_table(grid, first_bold=_bold(top), rest_bold=_bold(below))


def _bold(words: Sequence[Word]) -> bool:
    return bool(words) and sum(word.bold for word in words) > 0.7 * len(words)


def _is_tabular(block: TableBlock) -> bool:
    cells = [cell for row in block.grid for cell in row if cell]
    wide = max(map(len, block.grid), default=0) >= 2
    return len(block.grid) >= 2 and wide and sum(len(c.split()) for c in cells) <= MAX_CELL_WORDS * len(cells)


def _from_blocks(box: Box, inside: Sequence[Word], blocks: Blocks) -> tuple[tuple[str, ...], ...] | None:
    for block in blocks.tables:
        if inside_share(block.box, box) < 0.5 or not _is_tabular(block):
            continue
        held = sum(len(cell.split()) for row in block.grid for cell in row)
        if LEAST_WORDS * len(inside) <= held <= 1.3 * len(inside):
            return block.grid
    return None


def _from_lines(box: Box, inside: Sequence[Word], rendering: Rendering) -> tuple[tuple[str, ...], ...] | None:
    crop, origin = rendering.crop(box)
    for boxes in ruled_cells(crop, rendering.scale, origin):
        grid, share = fill_cells(boxes, inside)
        filled = sum(bool(cell) for row in grid for cell in row)
        if share >= LEAST_WORDS and filled >= 0.4 * sum(map(len, grid)):
            return grid
    return None


def grow(box: Box, lines: Sequence[Line], words: Sequence[Word]) -> Box:
    """The box with the rows just above and below it that the layout model cut off: lines of separate phrases."""
    for _ in range(MAX_GROWTH):
        height = median([line.box[3] - line.box[1] for line in lines if holds_centre(box, line.box)] or [0.0])
        near = [line.box for line in lines if _is_row_next_to(box, line, words, height)]
        if not near:
            break
        box = union([box, *near])
    return box


def _is_row_next_to(box: Box, line: Line, words: Sequence[Word], height: float) -> bool:
    inside = box[0] - height <= line.box[0] and line.box[2] <= box[2] + height
    if holds_centre(box, line.box) or not inside or vertical_gap(box, line.box) > 0.9 * height:
        return False
    row = sorted((word.box for word in words if holds_centre(line.box, word.box)), key=lambda place: place[0])
    gaps = [right[0] - left[2] for left, right in zip(row, row[1:], strict=False)]
    return not is_caption_start(line.text) and any(gap > 1.2 * height for gap in gaps)


def tight_box(box: Box, words: Sequence[Word], page: Box) -> Box:
    """The box grown to hold whole the words it cuts, within the page."""
    cut = [word.box for word in words if inside_share(word.box, box) > 0.5]
    grown = union([box, *cut]) if cut else box
    x0, y0 = max(page[0], grown[0] - 2), max(page[1], grown[1] - 2)
    x1, y1 = min(page[2], grown[2] + 2), min(page[3], grown[3] + 2)
    return (x0, y0, x1, y1) if area((x0, y0, x1, y1)) > 0 else box
