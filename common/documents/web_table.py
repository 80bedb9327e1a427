"""An HTML table element -> Table."""

from __future__ import annotations

from bs4 import Tag

from common.documents.model import Table
from common.documents.table_text import make_table

MAX_SPAN = 64  # a hostile colspan must not make a million cells


def read_table(node: Tag) -> Table | None:
    """Cells with row and column spans repeated, so each row reads alone. None: a table used to lay out a page."""
    rows = [row for row in node.find_all("tr") if row.find_parent("table") is node]
    if node.find("table") is not None or len(rows) < 1:
        return None
    grid = _grid(rows)
    if not grid or max(map(len, grid)) < 2:
        return None
    first = rows[0]
    marked = node.thead is not None or all(cell.name == "th" for cell in first.find_all(["td", "th"]))
    has_any_th = node.find("th") is not None
    return make_table(grid, has_header=True if marked else (False if has_any_th else None))


def _grid(rows: list[Tag]) -> list[list[str]]:
    grid: list[list[str]] = []
    pending: dict[int, tuple[int, str]] = {}  # column -> rows still covered, text
    for row in rows:
        out: list[str] = []
        for cell in row.find_all(["td", "th"], recursive=False):
            _take_pending(out, pending)
            text = " ".join(cell.get_text(" ", strip=True).split())
            down, across = _span(cell, "rowspan"), _span(cell, "colspan")
            for _ in range(across):
                if down > 1:
                    pending[len(out)] = (down - 1, text)
                out.append(text)
        _take_pending(out, pending)
        grid.append(out)
    return [row for row in grid if any(row)]


def _take_pending(out: list[str], pending: dict[int, tuple[int, str]]) -> None:
    while len(out) in pending:
        left, text = pending.pop(len(out))
        if left > 1:
            pending[len(out)] = (left - 1, text)
        out.append(text)


def _span(cell: Tag, name: str) -> int:
    value = str(cell.get(name) or "1")
    return min(MAX_SPAN, max(1, int(value))) if value.isdigit() else 1
