"""Lays an article out as an A4 PDF in the look of an encyclopedia page and reports the page of every anchor.

Byte identity: reportlab's invariant mode fixes dates and ids; page streams are left uncompressed and pictures enter as
JPEG, since the standard library's zlib gives other bytes on other systems.
"""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import reportlab.rl_config
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas as PdfCanvas
from reportlab.platypus import BaseDocTemplate, Flowable, Frame, KeepTogether, PageTemplate, Spacer, Table, TableStyle
from reportlab.platypus import Paragraph as Flow

from common.benchmarks.pocket.article import Article, Block, Chart, Figure, Heading, Paragraph, TableBlock
from common.benchmarks.pocket.canvas import PIXELS_PER_POINT, Canvas
from common.benchmarks.pocket.charts import draw_chart, draw_table
from common.benchmarks.pocket.pictures import draw_picture

MARGIN = 56
WIDTH = A4[0] - 2 * MARGIN
BODY = ParagraphStyle("body", fontName="Times-Roman", fontSize=12, leading=16, spaceAfter=6, splitLongWords=0)
TITLE = ParagraphStyle("title", fontName="Times-Roman", fontSize=22, leading=27)
HEADING = ParagraphStyle("heading", fontName="Times-Bold", fontSize=14, leading=18, spaceBefore=10, spaceAfter=3)
CAPTION = ParagraphStyle("caption", fontName="Helvetica", fontSize=9, leading=12, alignment=1, spaceAfter=8)
CELL = ParagraphStyle("cell", fontName="Helvetica", fontSize=10, leading=12)
CELL_BOLD = ParagraphStyle("cellbold", parent=CELL, fontName="Helvetica-Bold")
GRID = TableStyle(
    [
        ("GRID", (0, 0), (-1, -1), 0.5, colors.Color(0.6, 0.6, 0.63)),
        ("BACKGROUND", (0, 0), (-1, 0), colors.Color(0.9, 0.92, 0.95)),
        ("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
        ("TOPPADDING", (0, 0), (-1, -1), 4),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 4),
    ]
)


class Jpeg(Flowable):
    """A JPEG placed as it is. Its anchor is noted by the layout when it is drawn."""

    def __init__(self, canvas: Canvas) -> None:
        super().__init__()
        # A table of many columns may be wider than the page: shrink it to the measure.
        shrink = min(1.0, WIDTH * PIXELS_PER_POINT / canvas.width)
        self.width, self.height = canvas.width / PIXELS_PER_POINT * shrink, canvas.height / PIXELS_PER_POINT * shrink
        self._source, self.hAlign = canvas, "CENTER"

    def wrap(self, aW: float, aH: float) -> tuple[float, float]:  # noqa: N803 (reportlab's names)
        return self.width, self.height

    def draw(self) -> None:
        self.canv.drawImage(ImageReader(io.BytesIO(self._source.jpeg())), 0, 0, self.width, self.height)


class _Layout(BaseDocTemplate):
    """One column with page numbers; notes the page of every anchor as it is drawn."""

    def __init__(self, target: io.BytesIO, title: str) -> None:
        super().__init__(
            target,
            pagesize=A4,
            leftMargin=MARGIN,
            rightMargin=MARGIN,
            topMargin=MARGIN,
            bottomMargin=MARGIN,
            title=title,
            author="Pocket Encyclopedia",
            invariant=1,
            pageCompression=0,
        )
        frame = Frame(MARGIN, MARGIN, WIDTH, A4[1] - 2 * MARGIN, 0, 0, 0, 0)
        self.addPageTemplates(PageTemplate("page", [frame], onPage=_footer))
        self.pages: dict[str, int] = {}

    def afterFlowable(self, flowable: Flowable) -> None:  # noqa: N802 (reportlab's hook)
        anchor = getattr(flowable, "pocket_anchor", None)
        if anchor:
            self.pages[anchor] = self.page


def _footer(canvas: PdfCanvas, layout: _Layout) -> None:
    canvas.setFont("Helvetica", 8)
    canvas.drawCentredString(A4[0] / 2, MARGIN / 2, f"Pocket Encyclopedia - page {layout.page}")


def render_article(article: Article) -> tuple[bytes, dict[str, int]]:
    """The PDF's bytes and the 1-based page of every anchor (`lead` and `infobox` stand on page 1)."""
    target = io.BytesIO()
    layout = _Layout(target, article.title)
    story: list[Flowable] = [*_head(article), *(flow for block in _grouped(article.blocks) for flow in block)]
    reportlab.rl_config.useA85 = 0
    layout.build(story)
    return target.getvalue(), {"lead": 1, "infobox": 1, **layout.pages}


def _head(article: Article) -> list[Flowable]:
    rows: list[list[Any]] = [[Flow(f"<b>{escape(article.title)}</b>", CELL), ""]]
    rows += [[Flow(escape(key), CELL_BOLD), Flow(escape(value), CELL)] for key, value in article.infobox]
    infobox = Table(rows, colWidths=[70, 110], style=[*GRID.getCommands(), ("SPAN", (0, 0), (1, 0))])
    lead = [Flow(escape(paragraph.text), BODY) for paragraph in article.lead]
    head = Table(
        [[lead, infobox]],
        colWidths=[WIDTH - 194, 194],
        style=[
            ("VALIGN", (0, 0), (-1, -1), "TOP"),
            ("LEFTPADDING", (0, 0), (0, 0), 0),
            ("RIGHTPADDING", (-1, 0), (-1, 0), 0),
            ("TOPPADDING", (0, 0), (-1, -1), 0),
            ("BOTTOMPADDING", (0, 0), (-1, -1), 0),
        ],
    )
    rule = Table([[""]], colWidths=[WIDTH], rowHeights=[4], style=[("LINEABOVE", (0, 0), (-1, 0), 0.8, colors.grey)])
    return [Flow(escape(article.title), TITLE), rule, head]


def _grouped(blocks: tuple[Block, ...]) -> list[list[Flowable]]:
    """Flowables per block; a heading is kept on the page of what follows, and no paragraph is split across pages."""
    groups: list[list[Flowable]] = []
    waiting: list[Flowable] = []
    for block in blocks:
        flows = _flows(block)
        if isinstance(block, Heading):
            waiting += flows
            continue
        groups.append([KeepTogether([*waiting, *flows])])
        waiting = []
    return groups


def _flows(block: Block) -> list[Flowable]:
    """The flowables of one block with its caption, tables below theirs and figures above."""
    match block:
        case Heading(text):
            return [Flow(escape(text), HEADING)]
        case Paragraph(anchor, text):
            return [_anchored(Flow(escape(text), BODY), anchor)]
        case Figure(anchor, caption, content):
            drawn = draw_chart(content) if isinstance(content, Chart) else draw_picture(content)
            return [Spacer(1, 4), _anchored(Jpeg(drawn), anchor), Flow(escape(caption), CAPTION)]
        case TableBlock(anchor, caption, as_image=True):
            return [
                Spacer(1, 4),
                Flow(escape(caption), CAPTION),
                _anchored(Jpeg(draw_table(block)), anchor),
                Spacer(1, 8),
            ]
        case TableBlock(anchor, caption, columns, rows):
            cells = [
                [Flow(escape(c), CELL_BOLD) for c in columns],
                *([Flow(escape(c), CELL) for c in row] for row in rows),
            ]
            table = Table(cells, colWidths=_widths(columns, rows), style=GRID, repeatRows=1)
            return [Spacer(1, 4), Flow(escape(caption), CAPTION), _anchored(table, anchor), Spacer(1, 8)]


def _widths(columns: tuple[str, ...], rows: tuple[tuple[str, ...], ...]) -> list[float]:
    """Column widths in proportion to their longest cell, so that no cell wraps in a table that fits the measure."""
    longest = [max(len(row[i]) for row in (columns, *rows)) * 5.7 + 16 for i in range(len(columns))]
    shrink = min(1.0, WIDTH / sum(longest))
    return [width * shrink for width in longest]


def _anchored(flowable: Flowable, anchor: str) -> Flowable:
    flowable.pocket_anchor = anchor
    return flowable


def write_pdf(article: Article, folder: Path) -> dict[str, int]:
    """Writes `folder`/<document id>.pdf and returns the pages of its anchors."""
    data, pages = render_article(article)
    partial = folder / f"{article.document_id}.pdf.part"
    partial.write_bytes(data)
    partial.replace(folder / f"{article.document_id}.pdf")
    return pages
