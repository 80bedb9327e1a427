"""Plain-text tables for the terminal."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from itertools import chain, zip_longest
from textwrap import wrap

GAP = "  "
LONGEST_WORD = 24  # a longer one may be broken


def terminal_width() -> int | None:
    """Columns of the terminal; None where the output goes to a file or another program."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def table_lines(header: Sequence[str], rows: Sequence[Sequence[str]], *, width: int | None = None) -> list[str]:
    """Left-aligned columns, two spaces apart, with a rule under the header; over `width`, cells are wrapped."""
    widths = _widths([header, *rows], width)
    head, *body = [_row_lines(row, widths) for row in [header, *rows]]
    rule = "-" * max(map(len, chain(head, *body)))
    return [*head, rule, *chain(*body)]


def _widths(table: Sequence[Sequence[str]], width: int | None) -> list[int]:
    """Each column's widest cell; over `width` the widest shrinks first, the names in the first column never."""
    _, *others = columns = list(zip(*table, strict=True))
    widths = [max(map(len, column)) for column in columns]
    words = [max(len(word) for cell in column for word in cell.split()) for column in others]
    least = [widths[0], *(min(word, LONGEST_WORD) for word in words)]
    while width is not None and sum(widths) + len(GAP) * (len(widths) - 1) > width:
        spare = [n for n in range(len(widths)) if widths[n] > least[n]]
        if not spare:
            break
        widths[max(spare, key=widths.__getitem__)] -= 1
    return widths


def _row_lines(row: Sequence[str], widths: Sequence[int]) -> list[str]:
    cells = [wrap(cell, width, break_on_hyphens=False) for cell, width in zip(row, widths, strict=True)]
    return [
        GAP.join(part.ljust(width) for part, width in zip(parts, widths, strict=True)).rstrip()
        for parts in zip_longest(*cells, fillvalue="")
    ]
