"""The one plotting style, and saving that gives the same bytes every time."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from common.artefact import Artefact, Column

STYLE: dict[Any, Any] = {
    "figure.dpi": 100,
    "savefig.dpi": 150,
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.alpha": 0.3,
    "legend.frameon": False,
    "pdf.fonttype": 42,
    "svg.hashsalt": "docqa",
}
HEADER_LINES, WRAP, LONGEST = 3, 36, 6  # lines of a header, characters of a line, lines of a cell
HEADER_COLOURS = {"label": "#e8e8e8", "published": "#dbe7f5", "replica": "#fbe6d4", "verdict": "#e3f1df"}
# Dates and version strings would make equal pictures differ.
_METADATA = {
    ".pdf": {"CreationDate": None, "ModDate": None, "Creator": None, "Producer": None},
    ".png": {"Software": None},
    ".svg": {"Date": None, "Creator": None},
}


@contextmanager
def figure(width: float = 6.4, height: float = 4.0) -> Iterator[tuple[Figure, Axes]]:
    """A styled figure and axis in inches, closed at the end."""
    with plt.rc_context(STYLE):
        drawn, axis = plt.subplots(figsize=(width, height))
        try:
            yield drawn, axis
        finally:
            plt.close(drawn)


def save_pictures(artefact: Artefact, stem: Path) -> list[Path]:
    """Write `stem`.pdf and `stem`.png: the figure, or the table drawn as a picture."""
    rows = artefact.display()
    size = (6.4, 4.0) if artefact.draw else _table_size(artefact, rows)
    with figure(*size) as (drawn, axis):
        if artefact.draw:
            artefact.draw(artefact.frame, axis)
            axis.set_title(_caption(artefact), fontsize=8)
        else:
            _draw_table(artefact, rows, axis)
        return [save(drawn, stem.with_name(stem.name + suffix)) for suffix in (".pdf", ".png")]


def save(drawn: Figure, path: Path) -> Path:
    """Save one picture without dates or version strings."""
    path.write_bytes(encoded(drawn, path.suffix.removeprefix(".")))
    return path


def encoded(drawn: Figure, form: str) -> bytes:
    """The picture as `pdf`, `png` or `svg`."""
    buffer = BytesIO()
    drawn.savefig(buffer, format=form, metadata=_METADATA[f".{form}"], bbox_inches="tight")
    return buffer.getvalue()


def _caption(artefact: Artefact) -> str:
    on = "; ".join(f"{name}: {source}" for source, name in artefact.replicas.items()) or "published numbers only"
    return "\n".join(textwrap.wrap(f"{artefact.item}: {artefact.title} ({on})", 90))


def _header(artefact: Artefact, column: Column) -> str:
    prefix = f"{artefact.origin(column)}\n" if column.origin in ("published", "replica") else ""
    return prefix + "\n".join(textwrap.wrap(column.name, 16))


def _table_size(artefact: Artefact, rows: list[list[str]]) -> tuple[float, float]:
    return max(5.0, 1.0 * len(artefact.columns)), _row_inches(HEADER_LINES) + sum(
        _row_inches(_lines(row)) for row in rows
    )


def _row_inches(lines: int) -> float:
    return 0.14 * lines + 0.08


def _lines(row: list[str]) -> int:
    return max((_wrapped(cell).count("\n") + 1 for cell in row), default=1)


def _wrapped(cell: str) -> str:
    lines = textwrap.wrap(cell, WRAP)
    return "\n".join(lines[:LONGEST]) + ("..." if len(lines) > LONGEST else "")


def _draw_table(artefact: Artefact, rows: list[list[str]], axis: Axes) -> None:
    axis.set_position((0, 0, 1, 1))  # heights of rows are fractions of the axis
    axis.axis("off")
    axis.set_title(_caption(artefact), fontsize=9, pad=8)
    headers = [_header(artefact, column) for column in artefact.columns]
    cells = [[_wrapped(cell) for cell in row] for row in rows] or [[""] * len(headers)]
    colours = [HEADER_COLOURS[column.origin] for column in artefact.columns]
    table = axis.table(cellText=cells, colLabels=headers, colColours=colours, cellLoc="center", loc="upper center")
    table.auto_set_font_size(False)
    table.set_fontsize(8)
    table.auto_set_column_width(list(range(len(headers))))
    total = _table_size(artefact, rows)[1]
    for (row, _), cell in table.get_celld().items():
        lines = HEADER_LINES if row == 0 else _lines(rows[row - 1]) if rows else 1
        cell.set_height(_row_inches(lines) / total)
        cell.set_linewidth(0.4)
        cell.get_text().set_parse_math(False)  # a $ in a query is a dollar
