"""Put loose text boxes (OCR) in the order a person reads them: recursive cuts at white gaps."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from common.documents.geometry import union, vertical_gap, x_overlap
from common.documents.page import Line, Word

COLUMN_GAP = 0.8  # of a line height, white on the whole height of a block
BLOCK_GAP = 0.6
LEAST_COLUMN = 3  # boxes on each side of a column cut: fewer is a table row or a list mark, read across


def in_reading_order(words: Sequence[Word]) -> list[Word]:
    """Columns left to right inside blocks top to bottom; rows left to right inside a column."""
    if len(words) <= 1:
        return list(words)
    height = median(word.box[3] - word.box[1] for word in words)
    columns = _cut(words, 0, COLUMN_GAP * height)
    if len(columns) > 1 and min(map(len, columns)) >= LEAST_COLUMN and _looks_like_prose(columns):
        return [word for column in columns for word in in_reading_order(column)]
    blocks = _cut(words, 1, BLOCK_GAP * height)
    if len(blocks) > 1:
        return [word for block in blocks for word in in_reading_order(block)]
    return [word for row in rows_of(words) for word in row]


def _looks_like_prose(columns: list[list[Word]]) -> bool:
    """Cells of a table also leave white columns; prose has long boxes in at least two columns."""
    return sum(median(len(word.text) for word in column) >= 18 for column in columns) >= 2


def _cut(words: Sequence[Word], axis: int, gap: float) -> list[list[Word]]:
    ordered = sorted(words, key=lambda word: (word.box[axis], word.box[1 - axis]))
    groups, reach = [[ordered[0]]], ordered[0].box[axis + 2]
    for word in ordered[1:]:
        if word.box[axis] - reach > gap:
            groups.append([])
        groups[-1].append(word)
        reach = max(reach, word.box[axis + 2])
    return groups


def rows_of(words: Sequence[Word]) -> list[list[Word]]:
    """Words that share a line, top to bottom, each row left to right."""
    rows: list[list[Word]] = []
    centres: list[float] = []
    for word in sorted(words, key=lambda item: (item.box[1] + item.box[3], item.box[0])):
        centre = (word.box[1] + word.box[3]) / 2
        tallest = max(item.box[3] - item.box[1] for item in (word, *(rows[-1] if rows else ())))  # a dash is flat
        if rows and centre - centres[-1] <= 0.5 * tallest:
            rows[-1].append(word)
            centres[-1] += (centre - centres[-1]) / len(rows[-1])
        else:
            rows.append([word])
            centres.append(centre)
    return [sorted(row, key=lambda word: word.box[0]) for row in rows]


def lines_of(words: Sequence[Word]) -> tuple[Line, ...]:
    """Lines in reading order, neighbours on one row joined."""
    lines: list[Line] = []
    for word in in_reading_order(words):
        last = lines[-1] if lines else None
        height = word.box[3] - word.box[1]
        if last and 0 <= word.box[0] - last.box[2] < 1.5 * height and _same_row(last, word):
            lines[-1] = Line(f"{last.text} {word.text}", union((last.box, word.box)))
        else:
            lines.append(Line(word.text, word.box))
    return tuple(lines)


def _same_row(line: Line, word: Word) -> bool:
    shared = min(line.box[3], word.box[3]) - max(line.box[1], word.box[1])
    return shared > 0.5 * min(line.box[3] - line.box[1], word.box[3] - word.box[1])


def next_in_column(line: Line, following: Line) -> bool:
    """Whether `following` continues the block of `line`: right below it and in the same column."""
    height = line.box[3] - line.box[1]
    below = following.box[1] >= line.box[1] + 0.3 * height
    return below and vertical_gap(line.box, following.box) < 0.8 * height and x_overlap(line.box, following.box) > 0.3
