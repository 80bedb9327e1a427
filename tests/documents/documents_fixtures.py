"""Documents drawn at run time for the tests of common.documents."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from reportlab.graphics import renderPDF
from reportlab.graphics.charts.barcharts import VerticalBarChart
from reportlab.graphics.shapes import Drawing
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Table as PdfTable
from reportlab.platypus import TableStyle

ROWS = [["Harbour", "Ships", "Cargo"], ["Velm", "412", "88.5"], ["Ostra", "97", "12.0"], ["Pirn", "1,230", "301.7"]]
PROSE = (
    "The port of Velm was founded by fishers who needed shelter from the northern storms.",
    "Its breakwater took nineteen years to build and cost more than the council had planned.",
    "Today the harbour master counts every ship at dawn and writes the number on a slate.",
)


def canvas(path: Path) -> Canvas:
    return Canvas(str(path), pagesize=A4, invariant=1)


def draw_prose(page: Canvas, top: float, sentences: tuple[str, ...] = PROSE, left: float = 72) -> float:
    page.setFont("Helvetica", 11)
    for sentence in sentences:
        page.drawString(left, top, sentence)
        top -= 15
    return top


def draw_table(page: Canvas, left: float, top: float, rows: list[list[str]] = ROWS, *, ruled: bool = True) -> None:
    table = PdfTable(rows, colWidths=110, rowHeights=22)
    style = [("FONT", (0, 0), (-1, -1), "Helvetica", 11)]
    table.setStyle(TableStyle(style + ([("GRID", (0, 0), (-1, -1), 0.8, colors.black)] if ruled else [])))
    table.wrapOn(page, 500, 500)
    table.drawOn(page, left, top - 22 * len(rows))


def draw_chart(page: Canvas, left: float, bottom: float) -> None:
    drawing = Drawing(320, 180)
    chart = VerticalBarChart()
    chart.x, chart.y, chart.width, chart.height = 30, 30, 270, 140
    chart.data = [(13, 45, 30, 22), (8, 21, 37, 41)]
    chart.categoryAxis.categoryNames = ["spring", "summer", "autumn", "winter"]
    drawing.add(chart)
    renderPDF.draw(drawing, page, left, bottom)


def report(path: Path) -> Path:
    """Two pages: a headed text with a ruled table under a caption, then a chart with a caption."""
    page = canvas(path)
    page.setTitle("Harbours of Velm")
    page.setFont("Helvetica-Bold", 18)
    page.drawString(72, 770, "1 Ports and cargo")
    draw_prose(page, 735)
    page.setFont("Helvetica", 10)
    page.drawString(90, 640, "Table 1: Ships and cargo of three harbours.")
    draw_table(page, 90, 630)
    draw_prose(page, 480)
    page.showPage()
    page.setFont("Helvetica-Bold", 18)
    page.drawString(72, 770, "2 Seasons")
    draw_prose(page, 735, (*PROSE, "Figure 1 shows how the landings change over the seasons."))
    draw_chart(page, 120, 440)
    page.setFont("Helvetica", 10)
    page.drawString(120, 425, "Figure 1: Landings by season in tonnes.")
    draw_prose(page, 380)
    page.save()
    return path


def picture_of(lines: tuple[str, ...], width: int = 1240, height: int = 500) -> np.ndarray:
    """RGB picture with printed lines."""
    pixels = np.full((height, width, 3), 255, np.uint8)
    for index, line in enumerate(lines):
        cv2.putText(pixels, line, (60, 90 + 80 * index), cv2.FONT_HERSHEY_SIMPLEX, 1.5, (0, 0, 0), 3, cv2.LINE_AA)
    return pixels


def table_picture() -> np.ndarray:
    """RGB picture of ROWS with ruling lines."""
    pixels = np.full((460, 1000, 3), 255, np.uint8)
    for row, cells in enumerate(ROWS):
        for column, text in enumerate(cells):
            left, top = 40 + 300 * column, 30 + 100 * row
            cv2.rectangle(pixels, (left, top), (left + 300, top + 100), (0, 0, 0), 2)
            cv2.putText(pixels, text, (left + 30, top + 65), cv2.FONT_HERSHEY_SIMPLEX, 1.4, (0, 0, 0), 3, cv2.LINE_AA)
    return pixels


def png(path: Path, pixels: np.ndarray) -> Path:
    cv2.imwrite(str(path), pixels[:, :, ::-1])
    return path


def draw_picture(page: Canvas, file: Path, left: float, bottom: float, width: float, height: float) -> None:
    page.drawImage(ImageReader(str(file)), left, bottom, width, height)
