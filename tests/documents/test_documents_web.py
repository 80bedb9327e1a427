"""HTML and Markdown."""

from __future__ import annotations

from pathlib import Path

from documents_fixtures import picture_of, png

from common.documents import Document, ParseOptions, Table, assets_folder, load_documents, parse_folder

PAGE = """<html><head><title>Velm</title><style>p {color: red}</style></head><body>
<nav><a href="/">Home</a></nav>
<h1>Harbours</h1><p>The port of <b>Velm</b> lies<br>in the north.</p>
<h2>Figures</h2>
<table><caption>Ships by harbour</caption><thead><tr><th>Harbour</th><th colspan="2">Ships</th></tr></thead>
<tbody><tr><td rowspan="2">Velm</td><td>412</td><td>steam</td></tr><tr><td>97</td><td>sail</td></tr></tbody></table>
<figure><img src="map.png" alt="a map"><figcaption>Figure 2: The quays.</figcaption></figure>
<img src="../secret.png" alt="outside"><img src="https://example.org/x.png" alt="remote">
<pre>berth = 4
print(berth)</pre><script>alert("no")</script><ul><li>Tugs</li><li>Pilots</li></ul></body></html>"""


def parse(file: Path, **changes: bool) -> Document:
    result = parse_folder(file, file.parent / "store", options=ParseOptions(layout=False, **changes), progress=False)
    assert result.failures == ()
    return load_documents(file.parent / "store")[0]


def test_html_becomes_typed_fragments(tmp_path: Path) -> None:
    site = tmp_path / "site"
    site.mkdir()
    png(site / "map.png", picture_of(("North quay",), 700, 200))
    png(tmp_path / "secret.png", picture_of(("secret",), 700, 200))
    (site / "velm.html").write_text(PAGE)
    document = parse(site / "velm.html")
    assert document.title == "Velm" and [s.title for s in document.sections] == ["Harbours", "Figures"]
    table = next(f for f in document.fragments if f.kind == "table")
    assert table.table == Table(("Harbour", "Ships", "Ships"), (("Velm", "412", "steam"), ("Velm", "97", "sail")))
    assert table.heading == ("Harbours", "Figures") and table.text.startswith("Ships by harbour\nHarbour | Ships")
    (image,) = [f for f in document.fragments if f.kind == "image"]
    assert image.caption == "Figure 2: The quays." and "North quay" in image.text
    assert (assets_folder(site / "store") / str(image.asset)).is_file()
    (example,) = [f for f in document.fragments if f.kind == "example"]
    assert example.text == "berth = 4\nprint(berth)"
    prose = " ".join(f.text for f in document.fragments if f.kind == "text")
    assert "The port of Velm lies in the north." in prose and "Pilots" in prose
    assert not any(word in prose for word in ("Home", "alert", "color"))


def test_markdown_tables_code_and_front_matter(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text(
        "---\ntitle: Harbour notes\n---\n# Dues\n\nShips pay *four* crowns.\n\n"
        "| Ship | Due |\n|---|---|\n| Ostra | 12 |\n\n"
        "```python\nx = 1\n```\n\n## Worked example\n\nNinety tonnes pay four crowns.\n\n## After\n\nEnd.\n"
    )
    document = parse(tmp_path / "notes.md", ocr=False)
    assert document.title == "Harbour notes"
    assert [f.kind for f in document.fragments] == ["text", "table", "example", "example", "text"]
    assert document.fragments[1].table == Table(("Ship", "Due"), (("Ostra", "12"),))
    assert document.fragments[3].text == "Worked example\nNinety tonnes pay four crowns."
    assert document.fragments[3].heading == ("Dues", "Worked example")
    assert document.fragments[0].text == "Dues\nShips pay four crowns."


def test_html_table_without_header_and_layout_table(tmp_path: Path) -> None:
    (tmp_path / "bare.html").write_text(
        "<body><table><tr><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr></table>"
        "<table><tr><td><table><tr><td>5</td><td>6</td></tr><tr><td>7</td><td>8</td></tr></table></td></tr></table></body>"
    )
    tables = [f.table for f in parse(tmp_path / "bare.html", ocr=False).fragments]
    assert tables == [Table(("", ""), (("1", "2"), ("3", "4"))), Table(("", ""), (("5", "6"), ("7", "8")))]
