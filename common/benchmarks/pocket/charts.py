"""Charts and tables as raster images, with their values written out: readable by OCR, absent from the text layer."""

from __future__ import annotations

from common.benchmarks.pocket.article import Chart, TableBlock
from common.benchmarks.pocket.canvas import Canvas, Colour, text_width
from common.benchmarks.pocket.lexicon import COLOURS

AXIS: Colour = (90, 90, 95)
GRID: Colour = (224, 224, 228)


def draw_chart(chart: Chart) -> Canvas:
    return _horizontal(chart) if chart.kind == "hbar" else _vertical(chart)


def _vertical(chart: Chart) -> Canvas:
    """Bars or a line over four grid lines, every value written above its place."""
    canvas, colour = Canvas(760, 380), COLOURS[chart.colour]
    left, top, bottom, width = 30, 70, 320, 700
    canvas.text(380, 28, chart.title, 24)
    for step in range(5):
        y = bottom - step * (bottom - top) / 4
        canvas.line([(left, y), (left + width, y)], GRID if step else AXIS, 2)
    slot, highest = width / len(chart.values), max(chart.values) * 1.16
    centres = [left + slot * (index + 0.5) for index in range(len(chart.values))]
    heights = [bottom - (bottom - top) * value / highest for value in chart.values]
    if chart.kind == "line":
        canvas.line(list(zip(centres, heights, strict=True)), colour, 4)
    for x, y, label, value in zip(centres, heights, chart.labels, chart.values, strict=True):
        if chart.kind == "line":
            canvas.oval(x - 7, y - 7, x + 7, y + 7, colour)
        else:
            canvas.box(x - slot * 0.3, y, x + slot * 0.3, bottom, colour)
        half = text_width(str(value), 21) / 2 + 3
        canvas.box(x - half, y - 31, x + half, y - 8, (255, 255, 255))  # keeps grid and line out of the figures
        canvas.text(x, y - 19, str(value), 21)
        canvas.text(x, bottom + 26, label, 21)
    return canvas


def _horizontal(chart: Chart) -> Canvas:
    row = 52
    canvas, colour = Canvas(760, 80 + row * len(chart.values)), COLOURS[chart.colour]
    canvas.text(380, 30, chart.title, 24)
    highest = max(chart.values)
    for index, (label, value) in enumerate(zip(chart.labels, chart.values, strict=True)):
        y = 86 + row * index
        length = 360 * value / highest
        canvas.text(262, y, label, 21, anchor="rm")
        canvas.box(276, y - 16, 276 + length, y + 16, colour)
        canvas.text(290 + length, y, str(value), 21, anchor="lm")
    canvas.line([(276, 60), (276, canvas.height - 14)], AXIS, 2)
    return canvas


def draw_table(table: TableBlock) -> Canvas:
    """The table as a scan-like picture: header band, ruled cells, one size of type."""
    size, pad, row_height = 21, 14, 40
    grid = (table.columns, *table.rows)
    widths = [max(27.0, *(text_width(row[i], size) for row in grid)) + 2 * pad for i in range(len(table.columns))]
    canvas = Canvas(round(sum(widths)) + 4, row_height * len(grid) + 4)
    for index, row in enumerate(grid):
        x, y = 2.0, 2 + row_height * index
        for width, cell in zip(widths, row, strict=True):
            canvas.box(x, y, x + width, y + row_height, (225, 230, 238) if index == 0 else (255, 255, 255), AXIS, 1)
            canvas.text(x + pad, y + row_height / 2, cell, size, anchor="lm")
            x += width
    return canvas
