"""Checks on whole rows and columns of a printed table, on a toy table one can check by eye."""

from __future__ import annotations

import pytest

from common.claims.checks.fields import (
    best_average,
    extremes,
    largest_gaps,
    leads_column,
    rank_in_column,
    row_means,
    same_words,
)
from common.claims.published import Cell

TABLE = {
    "ours": {"A": "50.0", "B": "70.0", "C": "40.0"},
    "base": {"A": "48.0", "B": "71.0", "C": "39.5"},
    "other": {"A": "50.0", "B": "10.0", "C": "30.0"},
}


def cell(row: str, column: str, value: str | None = None, unit: str = "points") -> Cell:
    return Cell("toy", "table", row, column, TABLE[row][column] if value is None else value, unit, "Table 1")


def column(name: str) -> list[Cell]:
    return [cell(row, name) for row in TABLE]


def line(row: str) -> list[Cell]:
    return [cell(row, name) for name in TABLE[row]]


def names(text: str) -> Cell:
    return Cell("toy", "text", "stated", "names", text, "list", "Section 1")


def test_leader_of_a_column() -> None:
    assert leads_column(cell("base", "B"), column("B")).verdict == "consistent"
    assert leads_column(cell("ours", "B"), column("B")).verdict == "inconsistent"
    assert leads_column(cell("ours", "B"), column("B"), besides=("base",)).verdict == "consistent"
    assert leads_column(cell("ours", "A"), column("A")).verdict == "rounding"  # equal prints: the order cannot be told
    assert leads_column(cell("other", "B"), column("B"), highest=False).verdict == "consistent"


def test_unknown_row_to_leave_out_is_refused() -> None:
    with pytest.raises(ValueError, match="no row of the column: nobody"):
        leads_column(cell("base", "B"), column("B"), besides=("nobody",))
    with pytest.raises(ValueError, match="no row is left"):
        leads_column(cell("base", "B"), column("B"), besides=("ours", "other"))


def test_rank_allows_for_rounding() -> None:
    assert rank_in_column(cell("ours", "B"), column("B"), position=2).verdict == "consistent"
    assert rank_in_column(cell("ours", "B"), column("B"), position=1).verdict == "inconsistent"
    for position in (1, 2):  # A: ours and other are printed alike
        assert rank_in_column(cell("ours", "A"), column("A"), position=position).verdict == "consistent"
    assert rank_in_column(cell("ours", "A"), column("A"), position=3).verdict == "inconsistent"


def test_best_average() -> None:
    table = [c for row in TABLE for c in line(row)]  # means 53.33, 52.83, 30
    assert row_means(table)["ours"].point == pytest.approx(160 / 3)
    assert best_average("ours", table).verdict == "consistent"
    assert best_average("base", table).verdict == "inconsistent"
    assert best_average("base", table, besides=("ours",)).verdict == "consistent"


def test_best_average_needs_the_same_columns() -> None:
    with pytest.raises(ValueError, match="same columns"):
        best_average("ours", line("ours") + line("base")[:2])
    with pytest.raises(ValueError, match="row 'nobody'"):
        best_average("nobody", line("ours") + line("base"))


def test_extremes_by_row_and_by_column() -> None:
    assert extremes(names("base"), column("B")).verdict == "consistent"
    assert extremes(names("base, ours"), column("B")).verdict == "consistent"
    found = extremes(names("other, base"), column("B"), highest=False)
    assert (found.verdict, found.hardness) == ("inconsistent", "soft") and "ours" in found.sentence
    assert extremes(names("B"), line("ours")).verdict == "consistent"
    assert extremes(names("C"), line("ours"), highest=False).verdict == "consistent"


def test_extremes_ties_favour_the_paper() -> None:
    assert extremes(names("ours"), column("A")).verdict == "consistent"
    assert extremes(names("other"), column("A")).verdict == "consistent"


def test_extremes_refuse_a_name_that_is_not_there() -> None:
    with pytest.raises(ValueError, match="names D"):
        extremes(names("D"), line("ours"))


def test_largest_gaps() -> None:
    # ours - base: A +2.0, B -1.0, C +0.5
    assert largest_gaps(names("A"), line("ours"), line("base")).verdict == "consistent"
    assert largest_gaps(names("A, C"), line("ours"), line("base")).verdict == "consistent"
    found = largest_gaps(names("A, B"), line("ours"), line("base"))
    assert found.verdict == "inconsistent" and found.sentence.startswith("C would belong")
    with pytest.raises(ValueError, match="same columns"):
        largest_gaps(names("A"), line("ours"), line("base")[::-1])


def test_gaps_equal_within_rounding_pass() -> None:
    higher = [cell("ours", "A", "1.04"), cell("ours", "B", "1.05")]
    lower = [cell("base", "A", "0.00"), cell("base", "B", "0.00")]
    assert largest_gaps(names("A"), higher, lower).verdict == "consistent"


def test_same_words_names_the_places() -> None:
    one, other = cell("ours", "A", "x > t", "text"), cell("base", "A", "x >= t", "text")
    assert same_words([one, one]).verdict == "consistent"
    assert "x >= t: Table 1" in same_words([one, other]).sentence
