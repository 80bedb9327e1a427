"""Checks on a whole column or row of a printed table: who leads, with which rank, where the largest gaps are."""

from __future__ import annotations

from collections.abc import Sequence

from common.claims.checks.logic import members
from common.claims.interval import Interval, short, total
from common.claims.published import Cell
from common.claims.verdict import Outcome, check, order, statement, worst


def rivals(cell: Cell, column: Sequence[Cell], besides: tuple[str, ...]) -> list[Cell]:
    """The column without the cell itself and without the rows named in `besides`.

    Raises ValueError for a row in `besides` that the column does not have, or when nobody is left.
    """
    if unknown := sorted(set(besides) - {other.row for other in column}):
        raise ValueError(f"`besides` names no row of the column: {', '.join(unknown)}")
    others = [other for other in column if other.address != cell.address and other.row not in besides]
    if not others:
        raise ValueError(f"no row is left to compare {cell.address} with")
    return others


@check
def leads_column(winner: Cell, column: Sequence[Cell], besides: tuple[str, ...] = (), highest: bool = True) -> Outcome:
    """The cell is the highest (or lowest) of its column, rows in `besides` left out."""
    outcomes = []
    for other in rivals(winner, column, besides):
        pair = (winner.interval(), other.interval()) if highest else (other.interval(), winner.interval())
        word = "above" if highest else "below"
        outcomes.append(order(*pair, f"{winner.row} is said to be {word} {other.row} in {winner.column}"))
    return worst(outcomes)


@check
def rank_in_column(cell: Cell, column: Sequence[Cell], position: int, besides: tuple[str, ...] = ()) -> Outcome:
    """The cell has the given rank (1 = highest) in its column, rows in `besides` left out."""
    others = rivals(cell, column, besides)
    own = cell.interval()
    sure = 1 + sum(other.interval().low > own.high for other in others)
    last = 1 + sum(other.interval().high > own.low for other in others)
    shown = str(sure) if sure == last else f"{sure} to {last}"
    above = ", ".join(other.row for other in others if other.interval().point > own.point) or "none"
    sentence = f"{cell.row} has rank {shown} of {len(others) + 1} in {cell.column} (above it: {above})"
    return statement(sure <= position <= last, shown, str(position), f"{sentence}.", f"{sentence}, not {position}.")


@check
def best_average(winner: str, table: Sequence[Cell], besides: tuple[str, ...] = ()) -> Outcome:
    """The row with the highest unweighted mean over the given columns is `winner`."""
    means = row_means([cell for cell in table if cell.row not in besides])
    if winner not in means or len(means) < 2:
        raise ValueError(f"row {winner!r} and one more row are needed; rows: {', '.join(means)}")
    return worst(
        [
            order(means[winner], value, f"{winner} is said to have a higher mean than {row}")
            for row, value in means.items()
            if row != winner
        ]
    )


def row_means(table: Sequence[Cell]) -> dict[str, Interval]:
    """Mean of each row over the given cells; ValueError when rows have different columns."""
    rows: dict[str, list[Cell]] = {}
    for cell in table:
        rows.setdefault(cell.row, []).append(cell)
    if len({tuple(sorted(cell.column for cell in cells)) for cells in rows.values()}) > 1:
        raise ValueError("the rows of the table do not have the same columns")
    return {row: total([cell.interval() for cell in cells]).scaled(1 / len(cells)) for row, cells in rows.items()}


@check
def extremes(stated: Cell, values: Sequence[Cell], highest: bool = True) -> Outcome:
    """The rows a sentence names have the highest (or lowest) values of a column, or the columns those of a row.

    A sentence's choice of names is wording, so a miss is at worst soft."""
    by_row = len({cell.row for cell in values}) > 1
    return _named(stated, {cell.row if by_row else cell.column: cell.interval() for cell in values}, highest, "values")


@check
def largest_gaps(stated: Cell, higher: Sequence[Cell], lower: Sequence[Cell]) -> Outcome:
    """The columns a sentence names have the largest differences between two rows. Wording, so at worst soft."""
    under = {cell.column: cell.interval() for cell in lower}
    if [cell.column for cell in higher] != list(under):
        raise ValueError("the two rows must list the same columns in the same order")
    return _named(stated, {cell.column: cell.interval() - under[cell.column] for cell in higher}, True, "differences")


def _named(stated: Cell, found: dict[str, Interval], highest: bool, what: str) -> Outcome:
    named = members(stated)
    if unknown := sorted(named - set(found)):
        raise ValueError(f"{stated.address} names {', '.join(unknown)}, not among {', '.join(found)}")
    sign = 1.0 if highest else -1.0
    scaled = {name: value.scaled(sign) for name, value in found.items()}
    ordered = sorted(scaled, key=lambda name: -scaled[name].point)
    weakest = min((scaled[name].high for name in named), default=0.0)
    passed = [name for name in ordered if name not in named and scaled[name].low > weakest]
    shown = ", ".join(f"{name} {short(found[name].point)}" for name in ordered)
    word = "largest" if highest else "smallest"
    return statement(
        not passed,
        shown,
        ", ".join(name for name in ordered if name in named),
        f"The {word} {what} are where the text names them ({shown}).",
        f"{', '.join(passed)} would belong among the {word} {what} as well ({shown}).",
        hardness="soft",
    )


@check
def same_words(cells: Sequence[Cell]) -> Outcome:
    """A definition or rule is printed in the same words wherever it is stated."""
    wordings = list(dict.fromkeys(cell.value for cell in cells))
    where = "; ".join(f"{words}: {', '.join(c.place for c in cells if c.value == words)}" for words in wordings)
    return statement(
        len(wordings) == 1,
        " / ".join(wordings),
        wordings[0],
        f"The statement is the same in {len(cells)} places.",
        f"The statement differs between places ({where}).",
    )
