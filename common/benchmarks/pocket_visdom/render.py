"""Lays a document out as a PDF, each of its pages on exactly one: A4 for papers and wiki pages, landscape slides.

Bytes are the same everywhere for the reasons named in pocket-m3doc's writer: invariant mode, streams left
uncompressed, pictures as JPEG.
"""

from __future__ import annotations

import io
from xml.sax.saxutils import escape

import pypdfium2
import reportlab.rl_config
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfgen.canvas import Canvas as PdfCanvas
from reportlab.platypus import BaseDocTemplate, Flowable, Frame, PageBreak, PageTemplate, Paragraph, Spacer
from reportlab.platypus import Table as Grid

from common.benchmarks.pocket.pdf import BODY, CAPTION, CELL, CELL_BOLD, GRID, HEADING, TITLE, Jpeg
from common.benchmarks.pocket_visdom.blocks import Block, Document, Graph, Heading, Infobox, Table, Text
from common.benchmarks.pocket_visdom.graphs import draw_on_slide, draw_picture

MARGIN = 56
WIDTH = A4[0] - 2 * MARGIN
SLIDE = (720.0, 405.0)  # 16:9, in points
PAPER_TITLE = ParagraphStyle("papertitle", parent=TITLE, alignment=1)
BYLINE = ParagraphStyle("byline", parent=BODY, alignment=1, fontSize=11)
BULLET = ParagraphStyle("bullet", fontName="Helvetica", fontSize=16, leading=21, spaceAfter=7, leftIndent=14)
BAND = colors.Color(0.13, 0.25, 0.42)


def render(document: Document) -> bytes:
    """The PDF's bytes. Raises ValueError where a page's blocks do not fit on one page."""
    reportlab.rl_config.useA85 = 0
    data = _slides(document) if document.style == "slides" else _flowing(document)
    with pypdfium2.PdfDocument(data) as made:
        if len(made) != len(document.pages):
            raise ValueError(
                f"{document.document_id}: {len(document.pages)} pages came out as {len(made)}; a page holds too much"
            )
    return data


def _flowing(document: Document) -> bytes:
    target = io.BytesIO()
    layout = BaseDocTemplate(
        target, pagesize=A4, title=document.title, author=document.byline, invariant=1, pageCompression=0
    )
    frame = Frame(MARGIN, MARGIN, WIDTH, A4[1] - 2 * MARGIN, 0, 0, 0, 0)

    def footer(pdf: PdfCanvas, template: BaseDocTemplate) -> None:
        pdf.setFont("Helvetica", 8)
        pdf.drawCentredString(A4[0] / 2, MARGIN / 2, f"{document.title} - page {template.page}")

    layout.addPageTemplates(PageTemplate("page", [frame], onPage=footer))
    style = TITLE if document.style == "wiki" else PAPER_TITLE
    story: list[Flowable] = [Paragraph(escape(document.title), style), Spacer(1, 6)]
    if document.style == "paper":
        story.append(Paragraph(escape(document.byline), BYLINE))
    for number, blocks in enumerate(document.pages):
        story += [PageBreak()] if number else []
        story += [flow for block in blocks for flow in _flows(block)]
    layout.build(story)
    return target.getvalue()


def _flows(block: Block) -> list[Flowable]:
    match block:
        case Heading(text):
            return [Paragraph(escape(text), HEADING)]
        case Text(text=text):
            return [Paragraph(escape(text), BODY)]
        case Graph(caption=caption):
            return [Spacer(1, 4), Jpeg(draw_picture(block)), Paragraph(escape(caption), CAPTION)]
        case Table(caption=caption):
            return [Spacer(1, 4), Paragraph(escape(caption), CAPTION), _grid(block, WIDTH, CELL.fontSize), Spacer(1, 8)]
        case Infobox(rows):
            cells = [[Paragraph(escape(key), CELL_BOLD), Paragraph(escape(value), CELL)] for key, value in rows]
            return [Grid(cells, colWidths=[90, 150], style=GRID, hAlign="RIGHT"), Spacer(1, 8)]


def _grid(table: Table, width: float, size: float) -> Grid:
    """Columns in proportion to their longest cell, so that no cell wraps; `size` of type in points."""
    columns = zip(table.columns, *table.rows, strict=True)
    longest = [max(map(len, column)) * 0.59 * size + 16 for column in columns]
    shrink = min(1.0, width / sum(longest))
    bold = ParagraphStyle("slidecellbold", parent=CELL_BOLD, fontSize=size, leading=1.2 * size)
    plain = ParagraphStyle("slidecell", parent=CELL, fontSize=size, leading=1.2 * size)
    cells = [[Paragraph(escape(cell), bold) for cell in table.columns]]
    cells += [[Paragraph(escape(cell), plain) for cell in row] for row in table.rows]
    return Grid(cells, colWidths=[part * shrink for part in longest], style=GRID, repeatRows=1)


def _slides(document: Document) -> bytes:
    target = io.BytesIO()
    pdf = PdfCanvas(target, pagesize=SLIDE, invariant=1, pageCompression=0)
    pdf.setTitle(document.title)
    pdf.setAuthor(document.byline)
    for number, blocks in enumerate(document.pages, start=1):
        _slide(pdf, blocks)
        pdf.setFillColor(colors.grey)
        pdf.setFont("Helvetica", 9)
        pdf.drawString(30, 14, document.title)
        pdf.drawRightString(SLIDE[0] - 30, 14, str(number))
        pdf.showPage()
    pdf.save()
    return target.getvalue()


def _slide(pdf: PdfCanvas, blocks: tuple[Block, ...]) -> None:
    y = SLIDE[1] - 84
    for block in blocks:
        match block:
            case Heading(text):
                pdf.setFillColor(BAND)
                pdf.rect(0, SLIDE[1] - 58, SLIDE[0], 58, stroke=0, fill=1)
                pdf.setFillColor(colors.white)
                pdf.setFont("Helvetica-Bold", 24)
                pdf.drawString(30, SLIDE[1] - 38, text)
            case Text(text=text):
                y = _place(pdf, Paragraph(f"&bull; {escape(text)}", BULLET), y, 7)
            case Table():
                y = _place(pdf, _grid(block, SLIDE[0] - 80, 14), y, 14)
            case Graph(title=title):
                pdf.setFillColor(colors.black)
                pdf.setFont("Helvetica-Bold", 15)
                pdf.drawCentredString(SLIDE[0] / 2, y - 2, title)
                draw_on_slide(pdf, block, 60, 62, SLIDE[0] - 120, y - 78)
                y = 40.0
            case Infobox():
                raise ValueError("slides have no infobox")
        if y < 28:
            raise ValueError(f"a slide holds too much, from {block!r} on")


def _place(pdf: PdfCanvas, flow: Flowable, y: float, gap: float) -> float:
    _, height = flow.wrapOn(pdf, SLIDE[0] - 80, y)
    flow.drawOn(pdf, 40, y - height)
    return y - height - gap
