"""The one plotting style, and saving that gives the same bytes every time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from itertools import accumulate
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from common.artefact import Artefact
from common.files import write_atomic
from common.layout import CELL, GAP, TINTS, Part, head_lines, parts, wrapped

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
CHARACTER, LINE = 0.071, 0.15  # inches, at 8 points
OVER, BETWEEN, LEAD = 1.4, 1.5, 0.5  # lines: the origins above the heads, between parts, around a row
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


def name_lines(axis: Axes) -> None:
    """Write each labelled line's name at its right end, apart where ends are close: no colours to look up."""
    lines = [line for line in axis.get_lines() if not str(line.get_label()).startswith("_")]  # "_": matplotlib's own
    lines.sort(key=lambda line: _end(line)[1])
    ends = [_end(line)[1] for line in lines]
    low, high = axis.get_ylim()
    name = 0.036 * (high - low)  # the height of one
    upwards = accumulate(ends, lambda below, end: max(end, below + name))
    downwards = reversed([*accumulate(reversed(ends), lambda above, end: min(end, above - name))])
    for line, up, down in zip(lines, upwards, downwards, strict=True):
        style: dict[str, Any] = {"fontsize": 7, "va": "center", "color": line.get_color()}
        place = (_end(line)[0], (up + down) / 2)
        axis.annotate(str(line.get_label()), place, (6, 0), textcoords="offset points", **style)


def _end(line: Line2D) -> tuple[float, float]:
    x, y = np.asarray(line.get_xydata(), dtype=float)[-1]
    return x, y


def save_pictures(artefact: Artefact, stem: Path) -> list[Path]:
    """Write `stem`.pdf and `stem`.png: the figure, or the table drawn as a picture."""
    if artefact.draw:
        with figure() as (drawn, axis):
            artefact.draw(artefact.frame, axis)
            _write_caption(axis, 86, artefact, artefact.measured)
            return _save_both(drawn, stem)
    tables = parts(artefact)
    across, down = _tables_size(tables)
    with figure(CHARACTER * across, LINE * down) as (drawn, axis):
        _draw_tables(artefact, tables, axis)
        return _save_both(drawn, stem)


def _save_both(drawn: Figure, stem: Path) -> list[Path]:
    return [save(drawn, stem.with_name(stem.name + suffix)) for suffix in (".pdf", ".png")]


def save(drawn: Figure, path: Path) -> Path:
    """Save one picture without dates or version strings."""
    return write_atomic(path, encoded(drawn, path.suffix.removeprefix(".")))


def encoded(drawn: Figure, form: str) -> bytes:
    """The picture as `pdf`, `png` or `svg`."""
    buffer = BytesIO()
    drawn.savefig(buffer, format=form, metadata=_METADATA[f".{form}"], bbox_inches="tight")
    return buffer.getvalue()


def _write_caption(axis: Axes, width: int, artefact: Artefact, origins: Sequence[str]) -> None:
    """Above the axis: what is shown, in bold, and below it what the values were measured on."""
    titles = wrapped(f"{artefact.item}: {artefact.title}", width)  # bold is a tenth wider
    told = [line for origin in origins for line in wrapped(origin, round(1.1 * width))]
    for lines, above, weight in ((told, 6, "normal"), (titles, 8 + 10 * len(told), "bold")):
        place: dict[str, Any] = {"xycoords": "axes fraction", "textcoords": "offset points", "parse_math": False}
        axis.annotate("\n".join(lines), (0, 1), (0, above), fontsize=8, weight=weight, va="bottom", **place)


def _tables_size(tables: Sequence[Part]) -> tuple[float, float]:
    """Width and height of all parts, in characters and lines."""
    across = max(_span(part, 0, len(part.columns))[1] for part in tables)
    return across, sum(map(_height, tables)) + BETWEEN * (len(tables) - 1)


def _height(part: Part) -> float:
    return OVER + _head_lines(part) + LEAD + sum(_row_lines(row) + LEAD for row in part.rows)


def _head_lines(part: Part) -> int:
    return max(len(head_lines(column.name)) for column in part.columns)


def _row_lines(row: Sequence[str]) -> int:
    return max(len(wrapped(cell, CELL)) for cell in row)


def _span(part: Part, start: int, stop: int) -> tuple[float, float]:
    """Left and right edge of some columns of a part, half a gap beyond their text."""
    return sum(part.widths[:start]) + GAP * start, sum(part.widths[:stop]) + GAP * stop


def _draw_tables(artefact: Artefact, tables: Sequence[Part], axis: Axes) -> None:
    width, height = _tables_size(tables)
    axis.set_position((0, 0, 1, 1))  # a unit of the axis is a character across, a line down
    axis.set_xlim(0, width)
    axis.set_ylim(height, 0)
    axis.axis("off")
    _write_caption(axis, max(72, round(width)), artefact, artefact.provenance)
    top = 0.0
    for part in tables:
        _draw_part(part, axis, top)
        top += _height(part) + BETWEEN


def _draw_part(part: Part, axis: Axes, top: float) -> None:
    """One part with rules as in a book; origins stand in words above their columns, and tint them."""
    end, right = top + _height(part), _span(part, 0, len(part.columns))[1]
    for origin, start, stop in part.spans:
        if origin:
            left, to = _span(part, start, stop)
            tint = TINTS[part.columns[start].origin]
            axis.fill_between([left, to], top, end, color=tint, linewidth=0)
            _write(axis, (left + to) / 2, top + 0.75, origin, "center", weight="bold")
            axis.plot([left + 0.6, to - 0.6], [top + OVER] * 2, color="0.4", linewidth=0.5)
    at = top + OVER + _head_lines(part) + LEAD
    for n, column in enumerate(part.columns):
        lines = head_lines(column.name)
        _write_cell(part, axis, n, lines, at - len(lines) - LEAD / 2)
    _rule(axis, right, top, 1.0)
    _rule(axis, right, at, 0.6)
    for row in part.rows:
        for n, cell in enumerate(row):
            _write_cell(part, axis, n, wrapped(cell, CELL), at + LEAD / 2)
        at += _row_lines(row) + LEAD
        if row is not part.rows[-1]:
            _rule(axis, right, at, 0.2)
    _rule(axis, right, end, 1.0)


def _write_cell(part: Part, axis: Axes, n: int, lines: Sequence[str], top: float) -> None:
    left, right = _span(part, n, n + 1)
    for number, line in enumerate(lines):
        if part.numeric[n]:
            _write(axis, right - GAP / 2, top + number + 0.5, line, "right")
        else:
            _write(axis, left + GAP / 2, top + number + 0.5, line, "left")


def _write(axis: Axes, x: float, y: float, text: str, side: str, **style: Any) -> None:
    # Not as formulae: a $ in a query is a dollar.
    axis.text(x, y, text, ha=side, va="center_baseline", fontsize=8, parse_math=False, **style)


def _rule(axis: Axes, right: float, y: float, weight: float) -> None:
    axis.plot([0, right], [y, y], color="0" if weight > 0.3 else "0.6", linewidth=weight, clip_on=False)
