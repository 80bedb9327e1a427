"""Bad and odd inputs: each is read, or refused by name with the reason, and never stops the others."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from documents_fixtures import canvas, draw_prose, report
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfgen.canvas import Canvas

from common.documents import ParseOptions, ParseReport, Table, load_documents, parse_folder

PLAIN = ParseOptions(ocr=False, layout=False)


def run(folder: Path) -> ParseReport:
    return parse_folder(folder, folder.parent / "store", options=PLAIN, tables=True, progress=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "good.md").write_text("# Good\n\nThis file is fine.\n")
    return tmp_path / "in"


def only_failure(report_: ParseReport) -> tuple[str, str]:
    assert report_.documents == ("good",)
    (failure,) = report_.failures
    return failure.source, failure.reason


def test_encrypted(folder: Path) -> None:
    page = Canvas(str(folder / "locked.pdf"), encrypt=StandardEncryption("secret", "owner", canPrint=0))
    draw_prose(page, 700)
    page.save()
    name, reason = only_failure(run(folder))
    assert name == "locked.pdf" and "encrypted" in reason and "password" in reason


@pytest.mark.parametrize("share", [0.2, 0.6, 0.95])
def test_truncated(folder: Path, share: float) -> None:
    data = report(folder.parent / "whole.pdf").read_bytes()
    (folder / "cut.pdf").write_bytes(data[: int(share * len(data))])
    name, reason = only_failure(run(folder))
    assert name == "cut.pdf" and "truncated" in reason


def test_garbage_behind_a_pdf_header(folder: Path) -> None:
    (folder / "junk.pdf").write_bytes(b"%PDF-1.7\n" + b"junk " * 500 + b"\nstartxref\n99\n%%EOF\n")
    name, reason = only_failure(run(folder))
    assert name == "junk.pdf" and "damaged" in reason


def test_empty_file(folder: Path) -> None:
    (folder / "void.pdf").write_bytes(b"")
    assert only_failure(run(folder)) == ("void.pdf", "empty file (0 bytes)")


def test_binary_that_is_no_document(folder: Path) -> None:
    (folder / "photo.pdf").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(64))
    name, reason = only_failure(run(folder))
    assert name == "photo.pdf" and reason.startswith("no PDF, HTML, Markdown, CSV or TSV by its content")


def test_thousand_pages(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    page = canvas(tmp_path / "in" / "register.pdf")
    for number in range(1, 1001):
        draw_prose(page, 700, (f"The entry for berth {number} names the vessel and its owner.",))
        page.showPage()
    page.save()
    result = run(tmp_path / "in")
    assert (result.pages, result.failures) == (1000, ())
    (document,) = load_documents(tmp_path / "store")
    assert [f.page for f in document.fragments] == list(range(1, 1001))
    assert "berth 417 " in document.fragments[416].text


def test_pdf_named_markdown_and_html_named_pdf(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.md").write_bytes(report(tmp_path / "whole.pdf").read_bytes())
    (tmp_path / "in" / "b.pdf").write_text("<!DOCTYPE html><html><body><h1>Tides</h1><p>Twice a day.</p></body></html>")
    assert run(tmp_path / "in").failures == ()
    pdf, html = load_documents(tmp_path / "store")
    assert (pdf.document_id, pdf.page_count, html.document_id, html.page_count) == ("a", 2, "b", 1)
    assert html.fragments[0].heading == ("Tides",) and "Twice a day." in html.fragments[0].text


@pytest.mark.parametrize(
    ("name", "data"),
    [
        (
            "latin.html",
            "<html><head><meta charset='iso-8859-1'></head><body><p>Größe der Häfen</p></body></html>".encode(
                "latin-1"
            ),
        ),
        ("undeclared.html", "<html><body><p>Größe der Häfen</p></body></html>".encode("cp1252")),
        (
            "cyrillic.html",
            "<html><meta charset=windows-1251><body><p>Größe der Häfen порт</p></body></html>".replace("ö", "o")
            .replace("ß", "ss")
            .replace("ä", "a")
            .encode("cp1251"),
        ),
        ("latin.md", "# Häfen\n\nGröße der Häfen\n".encode("latin-1")),
        ("wide.md", "Größe der Häfen\n".encode("utf-16")),
        ("marked.md", b"\xef\xbb\xbf" + "Größe der Häfen\n".encode()),
    ],
)
def test_other_encodings(tmp_path: Path, name: str, data: bytes) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / name).write_bytes(data)
    assert run(tmp_path / "in").failures == ()
    (document,) = load_documents(tmp_path / "store")
    wanted = "порт" if name.startswith("cyrillic") else "Größe der Häfen"
    assert wanted in document.fragments[0].text and not document.fragments[0].text.startswith("\ufeff")


def test_document_without_fragments(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    page = canvas(tmp_path / "in" / "blank.pdf")
    page.showPage()
    page.save()
    (tmp_path / "in" / "blank.md").write_text("\n\n<!-- nothing -->\n")
    result = run(tmp_path / "in")
    assert result.failures == () and result.pages == 2 and result.characters == 0
    assert [(d.document_id, d.fragments) for d in load_documents(tmp_path / "store")] == [
        ("blank__md", ()),
        ("blank__pdf", ()),
    ]


def test_blank_scan_with_every_reader_on(tmp_path: Path) -> None:
    page = canvas(tmp_path / "white.pdf")
    page.showPage()
    page.save()
    result = parse_folder(tmp_path / "white.pdf", tmp_path / "store", progress=False)
    assert result.failures == () and result.ocr_pages == 0
    assert load_documents(tmp_path / "store")[0].fragments == ()


def test_missing_source_and_unparsed_store(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="no such file or folder"):
        run(tmp_path / "nowhere")
    with pytest.raises(FileNotFoundError, match="parse_folder"):
        load_documents(tmp_path / "nothing")


def test_a_file_that_cannot_be_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Gone since it was listed, or not ours to read; as root no mode forbids reading, so the reader is made to fail."""
    (folder / "gone.md").write_text("text")

    def digest(path: Path) -> str:
        if path.name == "gone.md":
            raise PermissionError(13, "Permission denied", str(path))
        return "a" * 64

    monkeypatch.setattr("common.documents.folder.sha256_of", digest)
    name, reason = only_failure(run(folder))
    assert name == "gone.md" and "cannot be read (Permission denied)" in reason


@pytest.mark.parametrize(
    ("name", "said"), [(b"bad\xff.md", "not valid UTF-8; rename"), (b"n" * 250 + b".md", "too long")]
)
def test_names_the_store_cannot_hold(folder: Path, name: bytes, said: str) -> None:
    (folder / os.fsdecode(name)).write_text("text")
    assert said in only_failure(run(folder))[1]


def test_a_full_disk_is_no_fault_of_a_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("common.documents.folder.write_document", full)
    with pytest.raises(OSError, match="No space left"):
        run(folder)


@pytest.mark.parametrize("head", [b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"{\\rtf1 "])
def test_an_office_file_is_refused_and_told_what_to_do(folder: Path, head: bytes) -> None:
    (folder / "minutes.md").write_bytes(head + b"text without a zero byte")
    name, reason = only_failure(run(folder))
    assert name == "minutes.md" and reason.endswith("an office file, picture or archive? save it as PDF")


def test_tags_nested_too_deeply_are_told_in_words(folder: Path) -> None:
    (folder / "deep.html").write_text("<html><body>" + "<div>" * 5_000 + "tide")
    name, reason = only_failure(run(folder))
    assert name == "deep.html" and "nested too deeply" in reason


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("towns.csv", 'town,year,people\nPellwick,1931,200\n"Vel, mora",1932,"1,220"\n'),
        ("towns.csv", "town;year;people\r\nPellwick;1931;200\r\nVel, mora;1932;1,220\r\n"),
        ("towns.tsv", "\ufefftown\tyear\tpeople\n\nPellwick\t1931\t200\nVel, mora\t1932\t1,220\n"),
    ],
)
def test_a_csv_is_a_table(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / name).write_text(text, newline="")
    assert run(tmp_path / "in").failures == ()
    (document,) = load_documents(tmp_path / "store")
    (fragment,) = document.fragments
    assert (document.title, fragment.kind, fragment.caption) == ("towns", "table", "towns")
    assert fragment.table == Table(
        ("town", "year", "people"), (("Pellwick", "1931", "200"), ("Vel, mora", "1932", "1,220"))
    )
    assert fragment.text == "towns\ntown | year | people\nPellwick | 1931 | 200\nVel, mora | 1932 | 1,220"


def test_a_long_csv_is_several_tables_with_its_header_and_numbers_are_no_header(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "laps.csv").write_text("driver,laps\n" + "".join(f"Driver {n},{n}\n" for n in range(100)))
    (tmp_path / "in" / "bare.csv").write_text("1,2\n3,4\n")
    assert run(tmp_path / "in").failures == ()
    bare, laps = load_documents(tmp_path / "store")
    assert [f.caption for f in laps.fragments][1:3] == ["laps, rows 31 to 60", "laps, rows 61 to 90"]
    assert all(f.table is not None and f.table.columns == ("driver", "laps") for f in laps.fragments)
    assert sum(len(f.table.rows) for f in laps.fragments if f.table is not None) == 100
    assert [f.table for f in bare.fragments] == [Table(("", ""), (("1", "2"), ("3", "4")))]


def test_the_csv_files_of_a_benchmark_are_no_documents(folder: Path) -> None:
    (folder / "questions.csv").write_text("question,answer\nWho?,Pellwick\n")
    assert parse_folder(folder, folder.parent / "store", options=PLAIN, progress=False).documents == ("good",)


def test_a_long_cell_is_read(folder: Path) -> None:
    (folder / "long.csv").write_text("a,b\n" + "x" * 200_000 + ",1\n")
    assert run(folder).documents == ("good", "long")


def test_a_csv_that_cannot_be_read_names_its_line(folder: Path) -> None:
    (folder / "towns.csv").write_text('town,year\n"Pellwick,1931\nVelmora,1932\n')
    name, reason = only_failure(run(folder))
    assert name == "towns.csv" and "no table from line" in reason and "mend that line" in reason
