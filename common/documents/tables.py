"""Tables of a page: where they are and what their cells say."""

from __future__ import annotations

from collections.abc import Sequence

from common.documents.geometry import Box, holds_centre, inside_share, merge_overlapping
from common.documents.model import Table
from common.documents.page import Blocks, TableBlock, Word
from common.documents.render import Rendering
from common.documents.ruled import ruled_cells
from common.documents.table_grid import fill_cells, group_cells
from common.documents.table_text import make_table

LEAST_WORDS = 0.95  # of the words in the box a set of cells must hold
MAX_CELL_WORDS = 10  # mean; longer cells are prose in columns, not a table


def table_boxes(seen: Sequence[Box], figures: Sequence[Box], blocks: Blocks) -> list[Box]:
    """Boxes the layout model sees, and liteparse's tables where it sees neither table nor figure (chart labels line
    up too)."""
    boxes = merge_overlapping(seen, 0.4)
    for block in blocks.tables:
        if _is_tabular(block) and not any(inside_share(block.box, box) > 0.3 for box in (*boxes, *figures)):
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
    if grid is None or len(grid) < 2 or len(grid[0]) < 2 or not _short_cells(grid):
        return None
    first = set(" ".join(grid[0]).split())
    top = [word for word in inside if word.text in first and word.box[1] < box[1] + 0.5 * (box[3] - box[1])]
    below = [word for word in inside if word not in top]
    return make_table(grid, first_bold=_bold(top), rest_bold=_bold(below))


def _bold(words: Sequence[Word]) -> bool:
    return bool(words) and sum(word.bold for word in words) > 0.7 * len(words)


def _is_tabular(block: TableBlock) -> bool:
    return len(block.grid) >= 2 and max(map(len, block.grid), default=0) >= 2 and _short_cells(block.grid)


def _short_cells(grid: Sequence[Sequence[str]]) -> bool:
    cells = [cell for row in grid for cell in row if cell]
    return bool(cells) and sum(len(cell.split()) for cell in cells) <= MAX_CELL_WORDS * len(cells)


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
