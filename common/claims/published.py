"""Loader of printed numbers: a folder per paper, one YAML per table, figure or section.

The schema is described in experiments/published/README.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from common.claims.interval import Interval, is_blank, parse_printed

KINDS = frozenset({"table", "figure", "text", "marks"})
FILE_FIELDS = frozenset({"paper", "item", "kind", "title", "place", "unit", "units", "rows", "decoded", "note"})
ROW_FIELDS = frozenset({"label", "cells", "place", "unit", "decoded"})
CELL_FIELDS = frozenset({"value", "unit", "place", "decoded"})
SEPARATOR = " | "


class PublishedError(ValueError):
    """A file of printed numbers or claims breaks the schema; the message names file, row and field."""


@dataclass(frozen=True)
class Cell:
    """One printed value with its address (paper, item, row, column), unit and place in the paper."""

    paper: str
    item: str
    row: str
    column: str
    value: str
    unit: str
    place: str
    decoded: bool = False
    kind: str = "table"

    @property
    def address(self) -> str:
        """`paper/item | row | column`, as claims write it."""
        return f"{self.paper}/{self.item}{SEPARATOR}{self.row}{SEPARATOR}{self.column}"

    @property
    def blank(self) -> bool:
        """True for a cell the paper leaves empty (a table of ticks has no empty cells)."""
        return self.kind != "marks" and is_blank(self.value)

    def interval(self) -> Interval:
        """Values this print can stand for; ValueError for words and blanks."""
        return parse_printed(self.value, self.unit)


@dataclass(frozen=True)
class Published:
    """All printed values of all papers, in file order."""

    cells: tuple[Cell, ...]
    index: Mapping[tuple[str, str, str, str], Cell]

    def cell(self, paper: str, item: str, row: str, column: str) -> Cell:
        """One cell; KeyError names the nearest level that exists."""
        found = self.index.get((paper, item, row, column))
        if found is None:
            raise KeyError(self.explain(paper, item, row, column))
        return found

    def select(self, paper: str, item: str, row: str, column: str) -> tuple[Cell, ...]:
        """Non-blank cells whose address matches; `*` stands for any row or column. KeyError when none does."""
        if "*" not in (row, column):
            return (self.cell(paper, item, row, column),)
        found = tuple(
            cell
            for cell in self.cells
            if (cell.paper, cell.item) == (paper, item) and row in ("*", cell.row) and column in ("*", cell.column)
        )
        if not found:
            raise KeyError(self.explain(paper, item, row, column))
        return tuple(cell for cell in found if not cell.blank)

    def explain(self, paper: str, item: str, row: str, column: str) -> str:
        """Why an address does not resolve, and what exists instead."""
        items = sorted({cell.item for cell in self.cells if cell.paper == paper})
        if item not in items:
            return f"paper {paper!r} has no item {item!r}; items: {', '.join(items) or 'none'}"
        rows = list(dict.fromkeys(c.row for c in self.cells if (c.paper, c.item) == (paper, item)))
        if row not in rows and row != "*":
            return f"{paper}/{item} has no row {row!r}; rows: {', '.join(rows)}"
        columns = list(
            dict.fromkeys(c.column for c in self.cells if (c.paper, c.item) == (paper, item) and row in ("*", c.row))
        )
        return f"{paper}/{item}{SEPARATOR}{row} has no column {column!r}; columns: {', '.join(columns)}"


def load_published(root: Path) -> Published:
    """Read every `<paper>/<item>.yaml` under `root` (the folder `claims` apart).

    Raises PublishedError for a broken file, a doubled row, an unknown field or a value that is not a quoted string.
    """
    cells: list[Cell] = []
    for path in sorted(root.glob("*/*.yaml")):
        if path.parent.name != "claims":
            cells.extend(_read_file(path))
    index: dict[tuple[str, str, str, str], Cell] = {}
    for cell in cells:
        key = (cell.paper, cell.item, cell.row, cell.column)
        if key in index:
            raise PublishedError(f"{cell.address} is there twice: give one row another label")
        index[key] = cell
    return Published(tuple(cells), index)


def read_yaml(path: Path) -> Any:
    """Parsed YAML (libyaml when there); PublishedError names the file and line of a syntax error."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        return yaml.load(path.read_text(encoding="utf-8"), Loader=loader)
    except yaml.YAMLError as error:
        raise PublishedError(f"{path}: not valid YAML: {error}") from error


def _read_file(path: Path) -> Iterator[Cell]:
    data = _mapping(read_yaml(path), FILE_FIELDS, str(path))
    if data.get("item") != path.stem or data.get("paper") != path.parent.name:
        raise PublishedError(f"{path}: paper and item must be the folder and file name")
    if data.get("kind") not in KINDS:
        raise PublishedError(f"{path}: kind must be one of {', '.join(sorted(KINDS))}")
    labels: set[str] = set()
    for row in data.get("rows") or []:
        row = _mapping(row, ROW_FIELDS, f"{path}: row")
        label = row.get("label")
        if not isinstance(label, str) or SEPARATOR in label or label in labels:
            raise PublishedError(f"{path}: row label {label!r} must be a string, unique, without {SEPARATOR!r}")
        labels.add(label)
        for column, printed in _mapping(row.get("cells"), None, f"{path}: {label}: cells").items():
            yield _cell(path, data, row, column, printed)


def _cell(path: Path, data: Mapping[str, Any], row: Mapping[str, Any], column: str, printed: Any) -> Cell:
    where = f"{path}: {row['label']}: {column}"
    own = _mapping(printed, CELL_FIELDS, where) if isinstance(printed, dict) else {"value": printed}
    if not isinstance(column, str) or not isinstance(own.get("value"), str):
        raise PublishedError(f"{where}: column and value must be quoted strings, got {own.get('value')!r}")
    place = own.get("place") or row.get("place") or data.get("place")
    if not place:
        raise PublishedError(f"{where}: no place given in the cell, the row or the file")
    by_column = row.get("unit") or (data.get("units") or {}).get(column) or data.get("unit", "")
    return Cell(
        paper=data["paper"],
        item=data["item"],
        row=row["label"],
        column=column,
        value=own["value"],
        unit=own.get("unit", by_column),
        place=place,
        decoded=bool(own.get("decoded", row.get("decoded", data.get("decoded", False)))),
        kind=data["kind"],
    )


def _mapping(value: Any, fields: frozenset[str] | None, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise PublishedError(f"{where}: expected a mapping, got {value!r}")
    unknown = set(value) - fields if fields is not None else set()
    if unknown:
        raise PublishedError(f"{where}: unknown field {', '.join(sorted(map(str, unknown)))}")
    return value
