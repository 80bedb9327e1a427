"""PDFs: text, tables, charts, captions, headings, scans, furniture."""

from __future__ import annotations

from pathlib import Path

import cv2
import pytest
from documents_fixtures import (
    PROSE,
    ROWS,
    canvas,
    draw_picture,
    draw_prose,
    draw_table,
    picture_of,
    png,
    report,
    table_picture,
)

from common.documents import Document, ParseOptions, Table, assets_folder, load_documents, parse_folder

FULL = ParseOptions()
PLAIN = ParseOptions(ocr=False, layout=False)


def parse(file: Path, options: ParseOptions = FULL) -> Document:
    store = file.parent / "store"
    result = parse_folder(file, store, options=options, progress=False)
    assert result.failures == ()
    return load_documents(store)[0]


@pytest.fixture(scope="module")
def harbours(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Document]:
    folder = tmp_path_factory.mktemp("harbours")
    return folder / "store", parse(report(folder / "harbours.pdf"))


def test_table_has_cells_caption_and_picture(harbours: tuple[Path, Document]) -> None:
    store, document = harbours
    (table,) = [f for f in document.fragments if f.kind == "table"]
    assert table.table == Table(tuple(ROWS[0]), tuple(map(tuple, ROWS[1:])))
    assert table.page == 1 and table.caption == "Table 1: Ships and cargo of three harbours."
    assert table.text.splitlines() == [
        table.caption,
        "Harbour | Ships | Cargo",
        "Velm | 412 | 88.5",
        "Ostra | 97 | 12.0",
        "Pirn | 1,230 | 301.7",
    ]
    crop = cv2.imread(str(assets_folder(store) / str(table.asset)))
    assert crop.shape[1] > 2 * 300 and crop.shape[0] > 2 * 80
    assert table.bbox is not None and 80 < table.bbox[0] < 100 and 195 < table.bbox[1] < 225


def test_chart_becomes_an_image_with_caption_and_description(harbours: tuple[Path, Document]) -> None:
    store, document = harbours
    (chart,) = [f for f in document.fragments if f.kind == "image"]
    assert (chart.page, chart.caption) == (2, "Figure 1: Landings by season in tonnes.")
    assert "autumn" in chart.text and "On the page: 2 Seasons" in chart.text
    assert "shows how the landings change" in chart.text
    assert (assets_folder(store) / str(chart.asset)).is_file()


def test_text_keeps_headings_and_pages_and_loses_what_media_took(harbours: tuple[Path, Document]) -> None:
    _, document = harbours
    texts = [f for f in document.fragments if f.kind == "text"]
    assert {f.page for f in texts} == {1, 2}
    assert document.title == "Harbours of Velm"
    assert [s.title for s in document.sections] == ["1 Ports and cargo", "2 Seasons"]
    assert all(f.heading == (("1 Ports and cargo",) if f.page == 1 else ("2 Seasons",)) for f in texts)
    joined = " ".join(f.text for f in texts)
    assert PROSE[0] in joined and "Ostra" not in joined and "Table 1" not in joined and "autumn" not in joined


def test_fragments_are_short_ordered_and_uniquely_named(harbours: tuple[Path, Document]) -> None:
    _, document = harbours
    assert [f.order for f in document.fragments] == list(range(len(document.fragments)))
    assert len({f.fragment_id for f in document.fragments}) == len(document.fragments)
    assert all(len(f.fragment_id) == 21 and f.fragment_id.startswith("frag_") for f in document.fragments)


def test_words_per_fragment_holds_and_no_fragment_crosses_a_page(tmp_path: Path) -> None:
    page = canvas(tmp_path / "long.pdf")
    for number in range(3):
        top = 780.0
        for line in range(40):
            top = draw_prose(page, top, (f"Sentence {line} of page {number} speaks of boats, nets and the long tide.",))
        page.showPage()
    page.save()
    document = parse(tmp_path / "long.pdf", ParseOptions(ocr=False, layout=False, words_per_fragment=50))
    assert all(len(f.text.split()) <= 50 for f in document.fragments)
    assert all(f"of page {f.page - 1}" in f.text for f in document.fragments)
    assert sum(f.text.count("speaks of boats") for f in document.fragments) == 120
    assert all(f.text.startswith("Sentence") and f.text.endswith("tide.") for f in document.fragments)


def test_image_only_pdf_is_read_by_ocr(tmp_path: Path) -> None:
    scan = png(tmp_path / "scan.png", picture_of(("The lighthouse keeper", "counted forty boats", "before the storm")))
    page = canvas(tmp_path / "scan.pdf")
    draw_picture(page, scan, 0, 520, 595, 240)
    page.save()
    document = parse(tmp_path / "scan.pdf")
    assert document.ocr_pages == (1,)
    said = " ".join(f.text for f in document.fragments).lower()
    assert "lighthouse" in said and "forty boats" in said and "storm" in said
    without = parse(tmp_path / "scan.pdf", ParseOptions(ocr=False, layout=False))
    assert without.ocr_pages == () and "lighthouse" not in " ".join(f.text for f in without.fragments)


def test_table_that_is_only_a_picture_gets_cells_and_ocr_text(tmp_path: Path) -> None:
    file = png(tmp_path / "table.png", table_picture())
    page = canvas(tmp_path / "pictured.pdf")
    draw_prose(page, 770)
    draw_prose(page, 715)
    page.drawString(100, 640, "Table 4: Harbours as counted last year.")
    draw_picture(page, file, 100, 440, 400, 184)
    draw_prose(page, 400)
    page.save()
    document = parse(tmp_path / "pictured.pdf")
    (media,) = [f for f in document.fragments if f.is_media]
    assert "1,230" in media.text and "Ostra" in media.text and media.caption.startswith("Table 4")
    assert media.kind == "table" and media.table is not None
    assert media.table.columns == ("Harbour", "Ships", "Cargo") and ("Ostra", "97", "12.0") in media.table.rows


def test_table_without_header_has_empty_columns(tmp_path: Path) -> None:
    page = canvas(tmp_path / "bare.pdf")
    draw_table(page, 90, 700, ROWS[1:])
    draw_prose(page, 560)
    page.save()
    (table,) = [f.table for f in parse(tmp_path / "bare.pdf").fragments if f.table is not None]
    assert table.columns == ("", "", "") and table.rows == tuple(map(tuple, ROWS[1:]))


def test_logo_and_running_heads_are_dropped(tmp_path: Path) -> None:
    logo = png(tmp_path / "logo.png", picture_of(("VELM",), 300, 160))
    page = canvas(tmp_path / "furniture.pdf")
    for number in range(1, 7):
        draw_picture(page, logo, 440, 760, 130, 70)
        draw_prose(page, 805, (f"Annual report of the harbour office, part {number}",))
        draw_prose(page, 700, tuple(f"{sentence} ({number})" for sentence in PROSE))
        draw_prose(page, 30, (f"Page {number} of 6",))
        page.showPage()
    page.save()
    document = parse(tmp_path / "furniture.pdf", PLAIN)
    assert [f.kind for f in document.fragments] == ["text"] * 6
    joined = " ".join(f.text for f in document.fragments)
    assert "Annual report" not in joined and "of 6" not in joined and f"{PROSE[0]} (6)" in joined


def test_outline_gives_the_sections(tmp_path: Path) -> None:
    page = canvas(tmp_path / "outline.pdf")
    for number, title in enumerate(("Harbour dues", "Pilots and tugs")):
        page.bookmarkPage(str(number))
        page.addOutlineEntry(title, str(number), level=number)
        page.setFont("Helvetica", 12)
        page.drawString(72, 770, title)
        draw_prose(page, 740)
        page.showPage()
    page.save()
    document = parse(tmp_path / "outline.pdf", PLAIN)
    assert [(s.level, s.title, s.page) for s in document.sections] == [
        (1, "Harbour dues", 1),
        (2, "Pilots and tugs", 2),
    ]
    assert document.fragments[-1].heading == ("Harbour dues", "Pilots and tugs")


def test_examples_are_their_own_kind(tmp_path: Path) -> None:
    page = canvas(tmp_path / "examples.pdf")
    draw_prose(page, 770)
    draw_prose(page, 680, ("Example 3.2. A ship of ninety tonnes pays four crowns for each day at the quay.",))
    page.save()
    (example,) = [f for f in parse(tmp_path / "examples.pdf", PLAIN).fragments if f.kind == "example"]
    assert example.text.startswith("Example 3.2.") and "four crowns" in example.text


def test_rotated_page_has_upright_boxes(tmp_path: Path) -> None:
    import pypdfium2 as pdfium

    pdf = pdfium.PdfDocument(report(tmp_path / "upright.pdf"))
    pdf[0].set_rotation(90)
    pdf.save(str(tmp_path / "turned.pdf"))
    from common.documents.pdf_text import read_text

    turned = pdfium.PdfDocument(tmp_path / "turned.pdf")[0]
    lines, _ = read_text(turned)
    width, height = turned.get_size()
    assert width > height
    assert all(0 <= x0 < x1 <= width and 0 <= y0 < y1 <= height for x0, y0, x1, y1 in (line.box for line in lines))
    assert lines[0].box[3] - lines[0].box[1] > 3 * (lines[0].box[2] - lines[0].box[0])  # the heading runs downwards
