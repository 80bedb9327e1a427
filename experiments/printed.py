"""What both papers print, read from experiments/published: start at `value(paper, item, row, column)`."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from common.claims.interval import Interval
from common.claims.published import Cell, Published, load_published

ROOT = Path(__file__).resolve().parent / "published"


@cache
def published() -> Published:
    """All printed values, read once."""
    return load_published(ROOT)


def cell(paper: str, item: str, row: str, column: str) -> Cell:
    """One printed cell with its unit and place; KeyError says which level of the address does not exist."""
    return published().cell(paper, item, row, column)


def value(paper: str, item: str, row: str, column: str) -> str:
    """The string as printed, for instance `47.5`; KeyError says which level of the address does not exist."""
    return cell(paper, item, row, column).value


def value_or_none(paper: str, item: str, row: str, column: str) -> str | None:
    """The string as printed; None where the paper has no such row or cell."""
    found = published().index.get((paper, item, row, column))
    return None if found is None else found.value


def rows_of(paper: str, item: str) -> list[str]:
    """Labels of the printed rows of an item, in its order."""
    return list(dict.fromkeys(c.row for c in published().cells if (c.paper, c.item) == (paper, item)))


def columns_of(paper: str, item: str) -> list[str]:
    """Names of the printed columns of an item, in its order."""
    return list(dict.fromkeys(c.column for c in published().cells if (c.paper, c.item) == (paper, item)))


def interval(paper: str, item: str, row: str, column: str) -> Interval:
    """The values the print can stand for: 47.5 is [47.45, 47.55]; ValueError for words and blanks."""
    return cell(paper, item, row, column).interval()
