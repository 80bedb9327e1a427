"""Cells to a Table and to the text retrieval sees."""

from __future__ import annotations

import re
from collections.abc import Sequence

from common.documents.model import Table

Grid = Sequence[Sequence[str]]
NUMBER = re.compile(r"^[\s$€£¥~<>≈±+\-–−(]*\d[\d.,\s]*\s*(%|[a-zA-Z]{1,3})?[)\s*†‡]*$")
YEAR = re.compile(r"^(1[89]|20)\d\d$")


def is_number(cell: str) -> bool:
    """A quantity; a bare year is a label."""
    return bool(NUMBER.match(cell)) and not YEAR.match(cell.strip())


def make_table(
    grid: Grid, *, first_bold: bool = False, rest_bold: bool = False, has_header: bool | None = None
) -> Table:
    """A Table of a rectangular grid. `has_header` says what the source declares; None: judge by the cells."""
    width = max(map(len, grid), default=0)
    rows = [tuple(row) + ("",) * (width - len(row)) for row in grid]
    rows = [row for row in rows if any(cell.strip() for cell in row)]
    if has_header is None:
        has_header = _reads_as_header(rows, first_bold, rest_bold)
    if not has_header or len(rows) < 2:
        return Table(("",) * width, tuple(rows))
    return Table(rows[0], tuple(rows[1:]))


def _reads_as_header(rows: Sequence[Sequence[str]], first_bold: bool, rest_bold: bool) -> bool:
    if len(rows) < 2:
        return False
    if first_bold != rest_bold:
        return first_bold
    first, rest = rows[0], rows[1:]
    if any(is_number(cell) for cell in first):
        return False
    if sum(bool(cell.strip()) for cell in first) < max(2, len(first) - 1):
        return False
    numeric = [sum(is_number(row[column]) for row in rest) > len(rest) / 2 for column in range(len(first))]
    return any(numeric)


def serialise(table: Table) -> str:
    """Header and rows, one per line: `a | b | c`."""
    lines = [" | ".join(table.columns)] if any(table.columns) else []
    lines += [" | ".join(row) for row in table.rows]
    return "\n".join(" ".join(line.split()) for line in lines)
