"""A generated report for the speed goals: prose, headings, a table every third page, a chart every fifth."""

from __future__ import annotations

import random
from pathlib import Path

from reportlab.graphics.charts.barcharts import VerticalBarChart
from reportlab.graphics.shapes import Drawing
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.platypus import Flowable, PageBreak, Paragraph, SimpleDocTemplate, Table, TableStyle

WORDS = (
    "revenue", "margin", "region", "forecast", "survey", "sample", "growth", "output", "capital", "labour", "index",
    "share", "trend", "quarter", "policy",
)  # fmt: skip


def write_report(path: Path, pages: int, *, seed: int = 7) -> Path:
    """Write a PDF of `pages` pages; the same bytes for the same arguments."""
    rng, styles = random.Random(seed), getSampleStyleSheet()
    story: list[Flowable] = []
    for page in range(1, pages + 1):
        story.append(Paragraph(f"Section {page}: {rng.choice(WORDS)} and {rng.choice(WORDS)}", styles["Heading1"]))
        story += [Paragraph(_prose(rng, 110), styles["BodyText"]) for _ in range(3)]
        if page % 3 == 0:
            story += [Paragraph(f"Table {page}: {rng.choice(WORDS)} by year", styles["BodyText"]), _table(rng)]
        if page % 5 == 0:
            story += [_chart(rng), Paragraph(f"Figure {page}: {rng.choice(WORDS)} by region", styles["BodyText"])]
        story.append(PageBreak())
    SimpleDocTemplate(str(path), pagesize=A4, invariant=1).build(story)
    return path


def _prose(rng: random.Random, words: int) -> str:
    return " ".join(rng.choice(WORDS) for _ in range(words)).capitalize() + "."


def _table(rng: random.Random) -> Flowable:
    rows = [
        ["year", "value", "share"],
        *([str(2000 + i), f"{rng.uniform(1, 99):.1f}", f"{rng.randint(1, 99)}%"] for i in range(6)),
    ]
    return Table(rows, style=TableStyle([("GRID", (0, 0), (-1, -1), 0.5, colors.black)]))


def _chart(rng: random.Random) -> Flowable:
    drawing, chart = Drawing(300, 140), VerticalBarChart()
    chart.x, chart.y, chart.width, chart.height = 30, 20, 250, 110
    chart.data = [[rng.randint(5, 50) for _ in range(6)]]
    drawing.add(chart)
    return drawing
