"""Cells of a table from the places of its words: no ruling lines needed, so OCR boxes work too."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from common.documents.geometry import Box, union
from common.documents.page import Word
from common.documents.reading_order import rows_of
from common.documents.table_text import is_number

PHRASE_GAP = 0.75  # of a line height: a wider white starts another cell
STRADDLE = 0.12  # share of the rows that may cross a column gap (a long cell among short ones)
FULL_ROW = 0.6  # of the phrases of the fullest row
LEAST_FILLED = 0.35
CURRENCY = ("$", "€", "£", "¥", "US$", "C$", "A$")
TRAILING = (")", "%", ")%", "†", "*")


def group_cells(words: Sequence[Word]) -> tuple[tuple[str, ...], ...] | None:
    """Rectangular grid of texts, or None when the words do not fall in columns."""
    if len(words) < 4:
        return None
    height = median(word.box[3] - word.box[1] for word in words)
    rows = [_phrases(row, PHRASE_GAP * height) for row in rows_of(words)]
    cuts = _column_cuts(rows, max(1.5, 0.3 * height))
    if len(rows) < 2 or not cuts:
        return None
    grid = [_place(row, cuts) for row in rows]
    grid = _join_wrapped(grid)
    filled = sum(bool(cell) for row in grid for cell in row)
    if len(grid) < 2 or filled < LEAST_FILLED * len(grid) * len(grid[0]):
        return None
    return tuple(tuple(row) for row in grid)


def _phrases(row: Sequence[Word], gap: float) -> list[Word]:
    phrases: list[Word] = []
    for word in row:
        last = phrases[-1] if phrases else None
        if last is not None and (word.box[0] - last.box[2] < gap or _belongs(last, word, gap)):
            phrases[-1] = Word(f"{last.text} {word.text}", union((last.box, word.box)))
        else:
            phrases.append(word)
    return phrases


def _belongs(last: Word, word: Word, gap: float) -> bool:
    """A currency mark set apart from its number, or a percent mark or bracket that trails it."""
    free = word.box[0] - last.box[2]
    if last.text in CURRENCY:
        return free < 8 * gap and word.text[:1] in "(0123456789-–—."
    return word.text in TRAILING and free < 2 * gap


def _column_cuts(rows: Sequence[Sequence[Word]], least: float) -> list[float]:
    """Middle of each white stripe that (nearly) no row crosses."""
    most = max(map(len, rows))
    rows = [row for row in rows if len(row) >= FULL_ROW * most]  # headings over several columns do not count
    edges = sorted({edge for row in rows for phrase in row for edge in (phrase.box[0], phrase.box[2])})
    allowed = int(STRADDLE * len(rows))
    cuts: list[float] = []
    stripe: list[float] | None = None
    for left, right in zip(edges, edges[1:], strict=False):
        middle = (left + right) / 2
        crossing = sum(any(phrase.box[0] < middle < phrase.box[2] for phrase in row) for row in rows)
        if crossing <= allowed:
            stripe = [stripe[0] if stripe else left, right]
        else:
            cuts += _middle(stripe, least)
            stripe = None
    return cuts


def _middle(stripe: list[float] | None, least: float) -> list[float]:
    return [(stripe[0] + stripe[1]) / 2] if stripe and stripe[1] - stripe[0] >= least else []


def _place(row: Sequence[Word], cuts: Sequence[float]) -> list[str]:
    cells: list[list[str]] = [[] for _ in range(len(cuts) + 1)]
    for phrase in row:
        centre = (phrase.box[0] + phrase.box[2]) / 2
        cells[sum(cut < centre for cut in cuts)].append(phrase.text)
    return [" ".join(cell) for cell in cells]


def _join_wrapped(grid: list[list[str]]) -> list[list[str]]:
    """Put a row that only continues the texts above it (no first cell, no number) back into that row."""
    joined: list[list[str]] = []
    for row in grid:
        filled = [index for index, cell in enumerate(row) if cell]
        wraps = (
            joined
            and not row[0]
            and len(filled) < max(2, len(row) - 1)
            and all(joined[-1][index] and not is_number(row[index]) for index in filled)
            and all(not is_number(joined[-1][index]) for index in filled)
        )
        if wraps:
            for index in filled:
                joined[-1][index] += f" {row[index]}"
        else:
            joined.append(row)
    return joined


def fill_cells(boxes: Sequence[Sequence[Box]], words: Sequence[Word]) -> tuple[tuple[tuple[str, ...], ...], float]:
    """Texts of a known grid of cell boxes, and the share of the words that fell into it.

    A box that repeats (a merged cell) repeats its text, so each row of the grid can be read alone.
    """
    texts: dict[Box, list[Word]] = {box: [] for row in boxes for box in row}
    placed = 0
    for word in words:
        x, y = (word.box[0] + word.box[2]) / 2, (word.box[1] + word.box[3]) / 2
        home = next((box for box in texts if box[0] <= x <= box[2] and box[1] <= y <= box[3]), None)
        if home is not None:
            texts[home].append(word)
            placed += 1
    joined = {box: " ".join(w.text for row in rows_of(found) for w in row) for box, found in texts.items()}
    grid = tuple(tuple(joined[box] for box in row) for row in boxes)
    return grid, placed / len(words) if words else 0.0
