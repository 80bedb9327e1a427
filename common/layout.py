"""How a wide table is laid out for a page: parts of a readable width, one below the other, each with its row labels.

The picture and the LaTeX of an artefact share this layout; CSV and Markdown keep the whole frame.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, groupby

from common.artefact import MISSING, Artefact, Column

# In characters: a part (6.5 inches of LaTeX at 8 points), a line of a head, a line of a cell, and between two columns.
WIDTH, HEAD, CELL, GAP = 104, 10, 26, 2
TINTS = {"published": "#eaf1fa", "replica": "#fdf1e6"}  # behind what comes from where
_NUMBER = re.compile(r"[-+<>≈\[]*\s*\d(?!.*[A-Za-z]{3})")  # with a unit, but no word
_CUT = "\x1f"  # marks a space that only allows a break


@dataclass(frozen=True)
class Part:
    """Some columns of an artefact beside its row labels, with the rows that have a value in them."""

    columns: tuple[Column, ...]
    origins: tuple[str, ...]  # the head above each column: "published", "replica 1", or nothing
    rows: tuple[tuple[str, ...], ...]

    @cached_property
    def spans(self) -> list[tuple[str, int, int]]:
        """Each head above neighbouring columns: its text, its first column, the column after its last."""
        found, start = [], 0
        for origin, members in groupby(self.origins):
            stop = start + len(list(members))
            found.append((origin, start, stop))
            start = stop
        return found

    @cached_property
    def cells(self) -> list[tuple[str, ...]]:
        """The cells of each column."""
        return [tuple(row[n] for row in self.rows) for n in range(len(self.columns))]

    @cached_property
    def widths(self) -> list[int]:
        """Characters of each column, for its cells, its head and its share of the head above."""
        widths = [_width(column, own) for column, own in zip(self.columns, self.cells, strict=True)]
        for origin, start, stop in self.spans:
            lacking = len(origin) - sum(widths[start:stop]) - GAP * (stop - start - 1)
            widths[stop - 1] += max(0, lacking)
        return widths

    @cached_property
    def numeric(self) -> list[bool]:
        """Which columns hold numbers, and are set to the right."""
        return [
            column.origin != "label" and all(cell == MISSING or _NUMBER.match(cell) for cell in own)
            for column, own in zip(self.columns, self.cells, strict=True)
        ]


def parts(artefact: Artefact) -> list[Part]:
    """The artefact's columns in parts of at most `WIDTH` characters, what is to be compared together if it fits."""
    rows = artefact.display()
    widths = [_width(column, [row[n] for row in rows]) + GAP for n, column in enumerate(artefact.columns)]
    labels = _row_labels(artefact.columns, widths)
    room = WIDTH - sum(widths[: len(labels)])
    packed: list[list[int]] = [[]]
    for group in _beside(artefact, _runs(artefact, len(labels), widths, room), widths, room):
        if packed[-1] and sum(widths[n] for n in (*packed[-1], *group)) > room:
            packed.append([])
        packed[-1] += group
    return [_part(artefact, rows, labels, own, whole=len(packed) == 1) for own in packed]


def wrapped(text: str, width: int) -> list[str]:
    """The lines of a text; a name is cut only at a hyphen, and only where it does not fit on a line."""
    marked = (word.replace("-", f"-{_CUT} ") if len(word) > width else word for word in text.split())
    return [line.replace(f"{_CUT} ", "").removesuffix(_CUT) for line in _wrap(" ".join(marked), width)]


def head_lines(name: str) -> list[str]:
    """The lines of a column's head: as few as `HEAD` allows, then as short as that number allows."""
    fewest = len(_wrap(name, HEAD))
    return next(lines for width in range(1, HEAD + 1) if len(lines := _wrap(name, width)) <= fewest)


def _wrap(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, width, break_on_hyphens=False, break_long_words=False) or [""]


def _row_labels(columns: Sequence[Column], widths: Sequence[int]) -> list[int]:
    """The first columns, as far as they are labels and leave half of the width to others."""
    labels = [0]
    for n in range(1, len(columns)):
        if columns[n].origin != "label" or sum(widths[: n + 1]) > WIDTH // 2:
            break
        labels.append(n)
    return labels


def _runs(artefact: Artefact, start: int, widths: Sequence[int], room: int) -> Iterator[list[int]]:
    """Neighbouring columns of one origin, in even shares where they are wider than the room."""
    origins = _origins(artefact)
    # A label or verdict further right belongs to the values it follows.
    known: list[str] = [*accumulate(origins[start:], _last_named)]
    for _, members in groupby(range(start, len(origins)), key=lambda n: known[n - start]):
        run = list(members)
        total = sum(widths[n] for n in run)
        share, filled = total / -(-total // room), 0  # -(-a // b): rounded up
        piece: list[int] = []
        for n in run:
            if piece and (filled + widths[n] > room or filled >= share):
                yield piece
                piece, filled = [], 0
            piece.append(n)
            filled += widths[n]
        yield piece


def _beside(artefact: Artefact, runs: Iterable[list[int]], widths: Sequence[int], room: int) -> list[list[int]]:
    """The runs, one of a replica together with a published one just before it where both fit in the room."""
    groups: list[list[int]] = []
    before = ""
    for run in runs:
        origin = artefact.columns[run[0]].origin
        pair = (before, origin) == ("published", "replica")
        if pair and sum(widths[n] for n in (*groups[-1], *run)) <= room:
            groups[-1] += run
        else:
            groups.append(run)
        before = origin
    return groups


def _last_named(before: str, origin: str) -> str:
    return origin or before


def _part(artefact: Artefact, rows: list[list[str]], labels: list[int], own: list[int], *, whole: bool) -> Part:
    columns, origins = tuple(artefact.columns[n] for n in (*labels, *own)), _origins(artefact)
    heads = tuple(origins[n] for n in (*labels, *own))
    shown = [row for row in rows if whole or any(row[n] != MISSING for n in own)]
    return Part(columns, heads, tuple(tuple(row[n] for n in (*labels, *own)) for row in shown))


def _origins(artefact: Artefact) -> list[str]:
    """The head above each column; none over labels and verdicts."""
    return [artefact.origin(c) if c.origin in ("published", "replica") else "" for c in artefact.columns]


def _width(column: Column, cells: Sequence[str]) -> int:
    lines = [*head_lines(column.name), *(line for cell in cells for line in wrapped(cell, CELL))]
    return max(map(len, lines))
