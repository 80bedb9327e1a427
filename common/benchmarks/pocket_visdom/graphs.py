"""Charts as pictures for papers, and as lines and letters for slides; both write the values out."""

from __future__ import annotations

from reportlab.lib.colors import Color
from reportlab.pdfgen.canvas import Canvas as PdfCanvas

from common.benchmarks.pocket.canvas import Canvas, Colour, text_width
from common.benchmarks.pocket_visdom.blocks import Graph

INKS: tuple[Colour, ...] = ((40, 80, 185), (205, 95, 25), (40, 140, 70))
AXIS: Colour = (90, 90, 95)
GRID: Colour = (224, 224, 228)


def draw_picture(graph: Graph) -> Canvas:
    """The chart as a raster picture of 760 pixels' width."""
    if graph.kind == "hbar":
        return _bars_across(graph)
    canvas = Canvas(760, 400)
    left, top, bottom, width = 36, 96, 340, 690
    canvas.text(380, 26, graph.title, 24)
    for step in range(5):
        y = bottom - step * (bottom - top) / 4
        canvas.line([(left, y), (left + width, y)], GRID if step else AXIS, 2)
    slot = width / len(graph.labels)
    centres = [left + slot * (index + 0.5) for index in range(len(graph.labels))]
    for x, label in zip(centres, graph.labels, strict=True):
        canvas.text(x, bottom + 26, label, 20)
    peak = max(value for _, values in graph.series for value in values) * 1.12
    for number, (name, values) in enumerate(graph.series):
        heights = [bottom - (bottom - top) * value / peak for value in values]
        if len(graph.series) > 1:
            _legend(canvas, number, name)
        if graph.kind == "line":
            _line(canvas, graph, number, list(zip(centres, heights, strict=True)))
        else:
            for x, y, value in zip(centres, heights, values, strict=True):
                canvas.box(x - slot * 0.3, y, x + slot * 0.3, bottom, INKS[number])
                _value(canvas, x, y - 18, value)
    return canvas


def _line(canvas: Canvas, graph: Graph, number: int, points: list[tuple[float, float]]) -> None:
    """A line with a mark and its value at each point: above it where it is the higher line, else below."""
    canvas.line(points, INKS[number], 4)
    values = graph.series[number][1]
    for index, ((x, y), value) in enumerate(zip(points, values, strict=True)):
        others = [row[index] for place, (_, row) in enumerate(graph.series) if place != number]
        canvas.oval(x - 7, y - 7, x + 7, y + 7, INKS[number])
        _value(canvas, x, y - 22 if all(value > other for other in others) else y + 22, value)


def _legend(canvas: Canvas, number: int, name: str) -> None:
    x = 40 + 350 * number
    canvas.box(x, 50, x + 26, 66, INKS[number])
    canvas.text(x + 36, 58, name, 20, anchor="lm")


def _value(canvas: Canvas, x: float, y: float, value: int) -> None:
    half = text_width(str(value), 20) / 2 + 3
    canvas.box(x - half, y - 11, x + half, y + 11, (255, 255, 255))  # keeps grid and line out of the figures
    canvas.text(x, y, str(value), 20)


def _bars_across(graph: Graph) -> Canvas:
    row, (_, values) = 52, graph.series[0]
    canvas = Canvas(760, 76 + row * len(values))
    canvas.text(380, 28, graph.title, 24)
    for index, (label, value) in enumerate(zip(graph.labels, values, strict=True)):
        y, length = 84 + row * index, 360 * value / max(values)
        canvas.text(262, y, label, 21, anchor="rm")
        canvas.box(276, y - 16, 276 + length, y + 16, INKS[0])
        canvas.text(290 + length, y, str(value), 21, anchor="lm")
    canvas.line([(276, 58), (276, canvas.height - 12)], AXIS, 2)
    return canvas


def draw_on_slide(pdf: PdfCanvas, graph: Graph, x: float, y: float, width: float, height: float) -> None:
    """One series of bars in lines and letters; (x, y) is the lower left corner, in points."""
    ((_, values),) = graph.series
    slot = width / len(values)
    pdf.setStrokeColor(Color(0.35, 0.35, 0.37))
    pdf.line(x, y, x + width, y)
    for index, (label, value) in enumerate(zip(graph.labels, values, strict=True)):
        left, tall = x + slot * (index + 0.2), (height - 30) * value / max(values)
        pdf.setFillColor(Color(*(part / 255 for part in INKS[0])))
        pdf.rect(left, y, slot * 0.6, tall, stroke=0, fill=1)
        pdf.setFillColor(Color(0.1, 0.1, 0.1))
        pdf.setFont("Helvetica", 13)
        pdf.drawCentredString(left + slot * 0.3, y + tall + 6, str(value))
        pdf.drawCentredString(left + slot * 0.3, y - 18, label)
