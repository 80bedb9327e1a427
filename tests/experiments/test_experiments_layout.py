"""Tables as pages: parts of a readable width, LaTeX that compiles, pictures, and the index of all of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from matplotlib.image import imread
from matplotlib.text import Annotation

from common.artefact import Artefact, ClaimVerdict, Column, Source
from common.figures_index import write_index
from common.layout import GAP, WIDTH, head_lines, parts, wrapped
from common.paths import Workspace
from common.plotting import figure, name_lines
from common.render import latex, markdown, write_artefact

OURS, OTHER = Source("pocket-m3doc", "tiny", 7), Source("pocket-m3doc", "tiny", 3)
ROWS = ["S4", "M5", "a system that nobody ran here"]


def wide() -> Artefact:
    """Twelve published and twelve replica columns; the last row has published values only."""
    published = [Column(f"measure {n}", "published") for n in range(12)]
    replica = [Column(f"measure {n}", "replica", "score", OURS) for n in range(12)]
    rows = [[name, *["1.25 ± 0.5"] * 12, *[None if name == ROWS[2] else 1.25] * 12] for name in ROWS]
    columns = [Column("system", "label"), *published, *replica]
    return Artefact.from_rows("wide", "knowforge", "Table W", "A wide table", columns, rows, notes=("A note.",))


def test_a_wide_table_is_set_in_parts_that_each_name_their_rows() -> None:
    made = wide()
    laid = parts(made)
    assert all(sum(part.widths) + GAP * (len(part.widths) - 1) <= WIDTH for part in laid)
    assert [c for part in laid for c in part.columns[1:]] == list(made.columns[1:])
    assert {part.columns[0].name for part in laid} == {"system"}
    assert all(len(part.spans) == 2 for part in laid), "published and replica share a part only where both fit whole"
    assert [len(part.rows) for part in laid if "replica" in part.origins] == [2, 2], "no row of dashes"


def test_a_narrow_table_stays_one_and_keeps_its_empty_rows() -> None:
    made = Artefact.from_rows(
        "t", "p", "T", "Title", [Column("system", "label"), Column("F1", "replica", "score", OURS)], [["S4", None]]
    )
    [part] = parts(made)
    assert part.rows == (("S4", "–"),) and part.origins == ("", "replica") and part.numeric == [False, True]
    assert part.widths[1] >= len("replica")


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("sign test p vs M5", ["sign test", "p vs M5"]), ("F1", ["F1"]), ("95% CI vs M5", ["95% CI", "vs M5"]),
        ("unbreakable-measure", ["unbreakable-measure"]), ("", [""]),
    ],
)  # fmt: skip
def test_heads_are_as_short_as_their_number_of_lines_allows(name: str, lines: list[str]) -> None:
    assert head_lines(name) == lines


def test_a_long_name_is_cut_at_a_hyphen_or_not_at_all() -> None:
    assert wrapped("the qwen2.5-coder-1.5b-instruct file", 20) == ["the qwen2.5-", "coder-1.5b-", "instruct file"]
    assert wrapped("variant.refinement.bridge_above", 20) == ["variant.refinement.bridge_above"]
    assert wrapped("in the 1978-79 season", 10) == ["in the", "1978-79", "season"]


def test_latex_has_one_caption_over_all_parts_and_no_character_that_latex_lacks() -> None:
    text = latex(wide())
    assert text.isascii() and r"1.25 $\pm$ 0.5" in text
    assert text.count(r"\caption") == 1 and text.count(r"\begin{longtable}") == len(parts(wide()))
    assert text.count(r"\addtocounter{table}{-1}") == len(parts(wide())) - 1
    assert r"\multicolumn{6}{c}{published}" in text and r"\cmidrule(lr){2-7}" in text


def test_long_text_becomes_a_paragraph_in_latex() -> None:
    columns = [Column("step", "label"), Column("what", "replica", "text", OURS)]
    text = latex(Artefact.from_rows("t", "p", "T", "Title", columns, [["one", "a word or two " * 5]]))
    assert r"l>{\raggedright\arraybackslash}p{" in text


def test_the_picture_of_a_wide_table_fits_a_page(tmp_path: Path) -> None:
    paths = write_artefact(wide(), tmp_path)
    [png] = [path for path in paths if path.suffix == ".png"]
    assert imread(png).shape[1] / 150 < 7.8, "inches"


def test_replicas_that_differ_in_n_alone_are_told_in_one_line() -> None:
    columns = [Column("a", "replica", "score", OURS), Column("b", "replica", "score", OTHER)]
    page = markdown(Artefact.from_rows("t", "p", "T", "Title", [Column("row", "label"), *columns], [["x", 1.0, 2.0]]))
    assert "Replicas 1 and 2 measured on pocket-m3doc, tiny, n = 7, 3: not the paper's numbers." in page


def test_names_at_the_ends_of_lines_do_not_overlap() -> None:
    with figure() as (_, axis):
        for name, end in (("one", 1.0), ("two", 1.001), ("three", 1.002), ("_grey", 1.0), ("far", 5.0)):
            axis.plot([0, 1], [0, end], label=name)
        name_lines(axis)
        places = {text.get_text(): text.xy[1] for text in axis.texts if isinstance(text, Annotation)}
    assert list(places) == ["one", "two", "three", "far"] and places["far"] == pytest.approx(5.0)
    assert places["two"] - places["one"] > 0.1 and places["three"] - places["two"] > 0.1


def test_the_index_says_what_came_out_and_how_to_read_it(tmp_path: Path) -> None:
    workspace = Workspace(root=tmp_path, cache=tmp_path)
    claims = (
        ClaimVerdict("A above <B>", "5.1", "reproduced", "+1.0", OURS, 0.001),
        ClaimVerdict("B above C", "5.2", "no data", "no runs", OURS),
    )
    for paper, item in (("joint", "Table J"), ("knowforge", "Table W")):
        made = replace(wide(), paper=paper, item=item, claims=claims if paper == "knowforge" else ())
        write_artefact(made, workspace.figures)
    (workspace.figures / "audit.csv").write_text("id,verdict\na,consistent\nb,consistent\nc,rounding\n")
    page = write_index(workspace).read_text()
    assert "2 claims of direction" in page and "1 reproduced, 0 opposite" in page
    assert "3 printed claims" in page and "2 consistent, 1 rounding" in page
    assert page.index("<h2>KnowForge</h2>") < page.index("<h2>Both papers</h2>")
    assert "A above &lt;B&gt;" in page and "<li>A note.</li>" in page and "//" not in page, "nothing from a network"
