"""A CSV or TSV file -> tables with the same header, few enough rows in each to be found and read."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

from common.documents.errors import DocumentError
from common.documents.page import Piece
from common.documents.pdf import Parsed
from common.documents.table_text import is_number, make_table

DELIMITERS = ",;\t|"
ROWS = 30  # of one table


def parse_delimited(text: str, path: Path) -> Parsed:
    """The first row is the header, unless a cell of it is a number. DocumentError for quotes that do not close."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text, path), strict=True)
    try:
        rows = [row for row in reader if any(cell.strip() for cell in row)]
    except csv.Error as error:
        raise DocumentError(
            f"no table from line {reader.line_num} on ({error}); mend that line or save it anew"
        ) from error
    return Parsed(path.stem, tuple(_pieces(rows, path.stem)), (), 1, (), len(text))


def _delimiter(text: str, path: Path) -> str:
    """A tab in a TSV; else what stands in the first line most often."""
    head = text.lstrip().partition("\n")[0]
    return "\t" if path.suffix.lower() == ".tsv" else max(DELIMITERS, key=head.count)


def _pieces(rows: list[list[str]], name: str) -> Iterator[Piece]:
    cells = [[" ".join(cell.split()) for cell in row] for row in rows]
    header = cells[:1] if len(cells) > 1 and not any(map(is_number, cells[0])) else []
    body = cells[len(header) :]
    for start in range(0, len(body), ROWS):
        part = body[start : start + ROWS]
        caption = f"{name}, rows {start + 1} to {start + len(part)}" if len(body) > ROWS else name
        yield Piece(1, "table", "", 0, caption, table=make_table([*header, *part], has_header=bool(header)))
